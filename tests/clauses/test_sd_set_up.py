"""South Dakota, Ultimate Texas Hold'em: source, deck, limits, ranking, qualifying."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from houseway.cards import cards
from houseway.engine import commands as c
from houseway.rules import loader
from houseway.testing import refused, settled
from table_driver import table

BOOK = "uth-sd"
LOW = "Qd 9s 7h 4c 2d"
ACES: dict[str, Any] = {"hole": "As Ah", "ante": "10", "play": 4}


@pytest.mark.clause("SD-0")
def test_the_source_is_named_and_every_rule_rests_on_its_clauses() -> None:
    book = loader.load(BOOK)
    assert "20:18:16:15.15" in book.source.value
    assert book.source.clause() == "SD-0"
    own = [c for _, basis in book.bases() if not basis.filled for c in basis.deciding]
    assert own
    assert [c for c in own if c not in book.clauses] == []


@pytest.mark.clause("SD-19")
def test_two_other_sections_do_not_apply() -> None:
    rule = loader.load(BOOK).options["excluded"]
    assert rule.value == ["20:18:16:21", "20:18:16:31.01"]
    assert rule.clause() == "SD-19"


@pytest.mark.clause("SD-1-b")
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_table_with_two_decks_is_refused_even_with_a_device(mode: str) -> None:
    two = refused(BOOK, LOW, "Qc 3s", **ACES, house={"decks": 2}, mode=mode)
    assert [(r.code, r.clause) for r in two] == [("bad-setting", "SD-1-b")]
    assert settled(BOOK, LOW, "Qc 3s", **ACES, house={"decks": 1}, mode=mode).seat_net() == "50.00"


@pytest.mark.clause("SD-1-b")
def test_one_deck_holds_52_different_cards() -> None:
    options = loader.load(BOOK).options
    assert options["decks"].value == [1]
    assert options["decks_in_play"].value == "one"
    twice = refused(BOOK, LOW, "As 3s", **ACES)
    assert [r.code for r in twice] == ["too-many-copies"]


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(
    ("ante", "trips", "table", "worst"),
    [
        ("160", "35", "PMG-02", None),
        ("165", "35", "PMG-02", "$1,030"),
        ("150", "95", "PMG-02", None),
        ("160", "36", "PMG-02", "$1,001"),
        ("160", "39", "PMG-01", None),
        ("160", "40", "PMG-01", "$1,001"),
    ],
)
def test_posted_limits_keep_the_worst_case_within_1000(
    ante: str, trips: str, table: str, worst: str | None
) -> None:
    terms: dict[str, Any] = {
        **ACES,
        "limits": {"ante": {"max": ante}, "trips": {"max": trips}},
        "tables": {"progressive": table},
    }
    if worst is None:
        assert settled(BOOK, LOW, "Qc 3s", **terms).seat_net() == "50.00"
        return
    (too_high,) = refused(BOOK, LOW, "Qc 3s", **terms)
    assert (too_high.code, too_high.clause) == ("limits-above-bet-limit", "SD-1-c")
    assert f"could have {worst} at risk" in too_high.message


@pytest.mark.clause("SD-1-c")
def test_the_licensee_may_count_the_limit_by_the_single_wager() -> None:
    by_wager: dict[str, Any] = {**ACES, "house": {"bet_limit_scope": "wager"}}
    assert settled(BOOK, LOW, "Qc 3s", **by_wager, limits={"ante": {"max": "250"}}).seat_net() == "50.00"
    (above,) = refused(BOOK, LOW, "Qc 3s", **by_wager, limits={"ante": {"max": "251"}})
    assert (above.code, above.clause) == ("limits-above-bet-limit", "SD-1-c")
    assert "$1,004" in above.message


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(("ante", "wrong"), [("160", 0), ("165", 1)])
def test_posted_limits_in_a_house_file_are_checked_too(tmp_path: Path, ante: str, wrong: int) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        f'[rulebook]\nid = "our-house"\nextends = "{BOOK}"\n\n'
        f'[posted]\nante = {{ min = "5", max = "{ante}" }}\ntrips = {{ min = "5", max = "35" }}\n'
    )
    _, problems = loader.load_with_problems(str(file))
    assert [(p.path, p.right) for p in problems] == [("posted.ante", "change the limits (SD-1-c)")] * wrong


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize("scope", ["round", "wager"])
def test_a_minimum_without_a_maximum_is_refused(scope: str) -> None:
    (no,) = refused(
        BOOK, LOW, "Qc 3s", **ACES, house={"bet_limit_scope": scope}, limits={"ante": {"min": "5"}}
    )
    assert (no.code, no.clause, no.where) == ("limits-open", "SD-1-c", "limits.ante")


@pytest.mark.clause("SD-1-c")
def test_a_house_file_with_a_minimum_and_no_maximum_is_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        f'[rulebook]\nid = "our-house"\nextends = "{BOOK}"\n\n[posted]\nante = {{ min = "5" }}\n'
    )
    _, problems = loader.load_with_problems(str(file))
    assert [(p.path, p.right) for p in problems] == [("posted.ante", "change the limits (SD-1-c)")]


@pytest.mark.clause("SD-1-c")
@pytest.mark.parametrize(
    ("limits", "tables", "where"),
    [
        ({}, {}, "limits.ante"),
        ({"ante": {"max": "100"}}, {}, "limits.trips"),
        ({"ante": {"max": "100"}, "trips": {"max": "100"}}, {}, None),
        ({"ante": {"max": "150"}, "trips": {"max": "100"}}, {}, "limits.ante"),
        (
            {"ante": {"max": "100"}, "trips": {"max": "100"}},
            {"progressive": "UTHP-01"},
            "limits.progressive",
        ),
        ({w: {"max": "100"} for w in ("ante", "trips", "progressive")}, {"progressive": "UTHP-01"}, None),
    ],
    ids=["none", "no trips", "every maximum", "worst case 1,001", "no printed amount", "amount posted"],
)
@pytest.mark.parametrize("mode", ["manual", "device"])
def test_a_table_opens_only_with_limits_that_keep_the_bet_limit(
    limits: dict[str, Any], tables: dict[str, str], where: str | None, mode: str
) -> None:
    t = table(BOOK, open=False, mode=mode, limits=limits, tables=tables)
    opening = c.OpenTable(designated=("ultimate",), examples=True)
    if where is None:
        t.send(opening)
        return
    no = t.refuses(opening)
    assert (no.clause, no.where) == ("SD-1-c", where)


@pytest.mark.clause("SD-1-c")
def test_every_play_is_legal_at_the_posted_maxima() -> None:
    limits = {"ante": {"max": "160"}, "trips": {"max": "35"}}
    t = table(BOOK, limits=limits, tables={"trips": "UTH-02", "progressive": "PMG-02"})
    t.bet(1, ante=160, trips=35, progressive=5).deal()
    assert [option for option in t.legal("seat 1") if option.startswith("play")]
    t.play(1, 4).finish().check_books()


FULL: dict[str, Any] = {
    "hole": "As Ah",
    "ante": "150",
    "trips": "95",
    "progressive": "5",
    "tips": {"trips": "5"},
    "limits": {"ante": {"max": "150"}, "trips": {"max": "95"}},
    "tables": {"trips": "UTH-01", "progressive": "PMG-02"},
}


@pytest.mark.clause("SD-1-d")
def test_no_customer_risks_more_than_1000_in_a_round_including_tips() -> None:
    (over,) = refused(BOOK, LOW, "Qc 3s", **FULL, play=4)
    assert (over.code, over.clause) == ("bet-limit", "SD-1-d")
    assert "$1,005" in over.message
    assert "$1,000" in over.message
    within = settled(BOOK, LOW, "Qc 3s", **FULL, play=3)
    assert within.line("play").stake == "450.00"
    assert within.settlement.seats[0].staked == "855.00"


@pytest.mark.clause("SD-1-d")
def test_the_limit_counts_every_position_of_a_customer() -> None:
    def at(seat: int, hole: str, player: str) -> dict[str, Any]:
        return {"seat": seat, "player": player, "hole": hole, "ante": "100", "play": 4}

    on: dict[str, Any] = {"house": {"more_positions": True}}
    (over,) = refused(BOOK, LOW, "Qc 3s", at(1, "As Ah", "Ann"), at(2, "Ks Kh", "Ann"), **on)
    assert (over.code, over.clause) == ("bet-limit", "SD-1-d")
    assert "$1,200" in over.message
    apart = settled(BOOK, LOW, "Qc 3s", at(1, "As Ah", "Ann"), at(2, "Ks Kh", "Bob"), **on)
    assert (apart.seat_net(1), apart.seat_net(2)) == ("500.00", "500.00")


CLASSES = [
    ("royal flush", "Ah Kh Qh Jh Th"),
    ("straight flush", "5c 4c 3c 2c Ac"),
    ("four of a kind", "2h 2s 2d 2c 3d"),
    ("full house", "2h 2s 2d 3c 3d"),
    ("flush", "7d 5d 4d 3d 2d"),
    ("straight", "5h 4c 3s 2c Ac"),
    ("three of a kind", "2h 2s 2d 4c 3d"),
    ("two pair", "3h 3s 2d 2c 4d"),
    ("pair", "2h 2s 5d 4c 3d"),
    ("high card", "Ah Kd Qs Jc 9h"),
]
"""The lowest hand of each class, best class first; of high cards the highest."""


@pytest.mark.clause("SD-1-e")
def test_each_of_the_ten_classes_beats_every_class_after_it() -> None:
    evaluator = loader.load(BOOK).ranking.evaluator
    strengths = [evaluator.strength(cards(five)) for _, five in CLASSES]
    assert [evaluator.name(s) for s in strengths] == [name for name, _ in CLASSES]
    assert all(one > other for one, other in pairwise(strengths))


@pytest.mark.clause("SD-1-e")
def test_a_royal_flush_ranks_above_four_nines() -> None:
    paid = settled(BOOK, "Ah Kh Qh 9c 9d", "9h 9s", hole="Jh Th", ante="10", play=1)
    assert (paid.net("ante"), paid.net("blind"), paid.net("play")) == ("10.00", "5000.00", "10.00")
    other = settled(BOOK, "Ah Kh Qh 9c 9d", "Jh Th", hole="9h 9s", ante="10", play=1)
    assert (other.net("ante"), other.net("blind"), other.net("play")) == ("-10.00", "-10.00", "-10.00")


@pytest.mark.clause("SD-13-b")
def test_the_dealer_qualifies_with_a_pair_on_the_board() -> None:
    qualified = settled(BOOK, "Qd Qs 7h 4c 2d", "Kc 8c", **ACES)
    assert (qualified.result("ante"), qualified.net("ante")) == ("win", "10.00")
    below = settled(BOOK, LOW, "Kc 8c", **ACES)
    assert (below.result("ante"), below.net("ante")) == ("push", "0.00")
    rule = loader.load(BOOK).options["qualifier"]
    assert (rule.value, rule.clause()) == ("pair", "SD-13-b")
