"""Posted sheets: each sheet shows the information that its clause requires."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from houseway.report import html_page, markdown, terminal
from houseway.report.document import Block, Bullets, Document, SheetTable, Spots, TextLine, for_posting
from houseway.rules.loader import all_clauses, load, rulebook_ids

Sheet = Callable[..., Document]

BLIND = ["500 to 1", "50 to 1", "10 to 1", "3 to 1", "3 to 2", "1 to 1"]
TRIPS_B = ["50 to 1", "40 to 1", "30 to 1", "8 to 1", "6 to 1", "5 to 1", "3 to 1"]
TRIPS_C = ["50 to 1", "40 to 1", "30 to 1", "8 to 1", "7 to 1", "4 to 1", "3 to 1"]


def odds_of(blocks: tuple[Block, ...]) -> list[list[str]]:
    """The odds printed in tables, table by table, top row first."""
    return list(_odds(blocks))


def _odds(blocks: tuple[Block, ...]) -> Iterator[list[str]]:
    for block in blocks:
        if isinstance(block, SheetTable) and block.columns[0].title == "hand":
            yield [row[1] for row in block.rows]


@pytest.mark.clause("SD-16-c")
def test_blind_odds_are_on_the_south_dakota_layout(make_sheet: Any, section: Any) -> None:
    assert odds_of(section(make_sheet("uth-sd", "layout"), "Blind")) == [BLIND]


@pytest.mark.clause("SD-17-c")
def test_only_the_chosen_trips_table_is_on_the_layout(make_sheet: Any, section: Any) -> None:
    layout = make_sheet("uth-sd", "layout", tables={"trips": "UTH-03"})
    blocks = section(layout, "Trips")
    assert odds_of(blocks) == [TRIPS_C]
    (table,) = [block for block in blocks if isinstance(block, SheetTable)]
    assert [column.title for column in table.columns] == ["hand", "pays", "clause"]
    text = terminal.text(layout)
    assert "UTH-03" in text
    assert not any(other in text for other in ("UTH-01", "UTH-02", "UTH-04"))


@pytest.mark.clause("PROC-Q.5-b")
def test_blind_odds_are_on_the_procedures_layout(make_sheet: Any, section: Any) -> None:
    assert odds_of(section(make_sheet("uth-proc", "layout"), "Blind")) == [BLIND]


@pytest.mark.clause("PROC-Q.7-b")
def test_trips_odds_are_on_the_procedures_layout(make_sheet: Any, section: Any) -> None:
    assert odds_of(section(make_sheet("uth-proc", "layout"), "Trips")) == [TRIPS_B]
    other = make_sheet("uth-proc", "layout", tables={"trips": "C"})
    assert odds_of(section(other, "Trips")) == [TRIPS_C]


@pytest.mark.clause("SD-1-f")
def test_the_limits_sign_shows_every_limit(make_sheet: Any, section: Any) -> None:
    sign = make_sheet(
        "uth-sd", "signs", tables={"progressive": "PMG-02"},
        limits={"ante": {"min": "5", "max": "160"}, "trips": {"min": "5", "max": "35"}},
    )  # fmt: skip
    (table,) = [block for block in section(sign, "Limits") if isinstance(block, SheetTable)]
    shown = {wager: limits for wager, limits, _ in table.rows}
    assert shown == {
        "ante": "$5 to $160",
        "blind": "$5 to $160",
        "play": "up to 4 times the ante",
        "trips": "$5 to $35",
        "progressive": "$5",
    }


def test_a_sign_shows_which_settings_the_house_has_not_chosen(make_sheet: Any) -> None:
    assert "The house must set these limits" in terminal.text(make_sheet("uth-sd", "signs"))


@pytest.mark.clause("SD-18-c")
def test_every_row_of_the_progressive_is_on_a_placard(make_sheet: Any, section: Any) -> None:
    placard = make_sheet("uth-sd", "placard", tables={"progressive": "UTHP-02"})
    assert odds_of(section(placard, "Progressive")) == [
        ["100 % of the main meter", "1,000 to 1", "250 for 1", "75 for 1", "10 for 1", "loses"]
    ]


@pytest.mark.clause("SD-18-e")
def test_seed_and_envy_are_multiplied_by_the_wager(make_sheet: Any, section: Any) -> None:
    placard = make_sheet(
        "uth-sd", "placard", tables={"progressive": "PMG-01"}, house={"progressive_wager": "2"}
    )
    (lines,) = [b.lines for b in section(placard, "Progressive") if isinstance(b, Bullets)]
    text = " ".join(line.text for line in lines)
    assert "The wager is $2." in text
    assert "starts at $20,000 ($10,000 per $1 of the wager; an example, to be set by the house)" in text
    assert (
        "royal flush $2,000 ($1,000 per $1 of the wager), straight flush $600 ($300 per $1 of the wager)."
        in text
    )


@pytest.mark.clause("PROC-H.4-b")
def test_a_maximum_payout_is_on_a_table_card(make_sheet: Any) -> None:
    assert "$10,000" in terminal.text(make_sheet("uth-proc", "placard", house={"max_payout": "10000"}))
    unset = " ".join(terminal.text(make_sheet("uth-proc", "placard")).split())
    assert "has posted one. The house has not set this yet, so there is nothing to post." in unset


@pytest.mark.clause("CARD-25")
def test_the_printed_card_names_its_limit(make_sheet: Any, section: Any) -> None:
    blocks = section(make_sheet("uth-card", "placard"), "Cap")
    (lines,) = [b.lines for b in blocks if isinstance(b, Bullets)]
    assert [line.text for line in lines] == [
        "One hand can win at most $50,000 on ante, play, blind and trips."
    ]


@pytest.mark.clause("MA-1.trips-c")
def test_the_trips_table_in_use_is_on_a_massachusetts_sign(make_sheet: Any, section: Any) -> None:
    sign = make_sheet("uth-ma", "signs", tables={"trips": "C"})
    assert odds_of(section(sign, "Trips")) == [TRIPS_C]


@pytest.mark.clause("TS-16-e")
def test_the_bonus_sign_shows_one_paytable(make_sheet: Any, section: Any) -> None:
    odds = {
        "A": ["5,000", "500", "100", "50", "5", "3", "2", "1"],
        "B": ["1,000", "200", "75", "40", "7", "3", "2", "1"],
    }
    for name, units in odds.items():
        sign = make_sheet("shootout-sd", "signs", tables={"bonus": name})
        assert odds_of(section(sign, "Shootout Bonus")) == [[f"{u} to 1" for u in units]]


@pytest.mark.clause("TS-17-t")
def test_the_envy_sign_shows_its_amounts(make_sheet: Any, section: Any) -> None:
    (amounts,) = odds_of(section(make_sheet("shootout-sd", "signs"), "Envy Bonus"))
    assert amounts[:4] == ["$1,000", "$250", "$50", "$10"]


@pytest.mark.clause("TS-5-b")
def test_the_bonus_spot_is_at_the_right_of_the_primary(make_sheet: Any) -> None:
    spots = [block for block in make_sheet("shootout-sd", "layout").blocks if isinstance(block, Spots)]
    assert [[spot.label for spot in block.spots] for block in spots] == [
        ["Primary wager", "Shootout Bonus"]
    ]


@pytest.mark.clause("TS-11-d")
def test_the_house_way_is_posted_for_every_player(make_sheet: Any, section: Any) -> None:
    blocks = section(make_sheet("shootout-sd", "placard"), "House way")
    (table,) = [block for block in blocks if isinstance(block, SheetTable)]
    way = load("shootout-sd").house_way
    assert way is not None
    assert [row[1] for row in table.rows] == [line.text for line in way.lines]


@pytest.mark.parametrize(("ref", "name"), [("uth-ma", "layout"), ("uth-card", "signs")])
def test_a_sheet_with_nothing_to_post_says_so(make_sheet: Any, ref: str, name: str) -> None:
    (block,) = make_sheet(ref, name).blocks
    assert isinstance(block, TextLine)
    assert block.text.startswith("This rulebook requires nothing to be")


def test_a_layout_without_a_chosen_pay_table_says_who_chooses_it(make_sheet: Any) -> None:
    text = terminal.text(make_sheet("uth-sd", "layout"))
    assert "Pay table UTH-02 (an example; the house must choose one). [house.trips_table]" in text


@pytest.mark.parametrize("name", ["card", "layout", "signs", "placard"])
@pytest.mark.parametrize("ref", rulebook_ids())
def test_a_sheet_for_posting_names_no_clause(ref: str, name: str, make_sheet: Sheet) -> None:
    known = set(all_clauses())
    for text in (
        markdown.text(for_posting(make_sheet(ref, name))),
        html_page.text(for_posting(make_sheet(ref, name))),
    ):
        assert not known & set(re.findall(r"[A-Z]+-[\w.\-]+\w", text))
        assert "sha256" not in text


def test_a_sheet_for_posting_keeps_the_odds(make_sheet: Sheet) -> None:
    text = markdown.text(for_posting(make_sheet("uth-sd", "layout", tables={"trips": "UTH-03"})))
    assert text.startswith("# South Dakota, Ultimate Texas Hold'em")
    assert [odds in text for odds in ("500 to 1", "3 to 2", "8 to 1", "7 to 1")] == [True] * 4


def test_envy_pays_nothing_instead_of_losing(make_sheet: Any) -> None:
    text = terminal.text(make_sheet("shootout-sd", "signs"))
    assert "anything else          nothing" in text
