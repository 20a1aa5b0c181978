"""The rulebook API matches the documents and serves only rulebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import houseway
from houseway.client.messages import PayLine
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.server import rulebook_library
from houseway.server.rulebook_library import RefusedError

FOLDER = Path(houseway.__file__).parent / "rulebooks"
BOOKS = sorted(f.parent.name for f in FOLDER.glob("*/rules.toml"))


def plain(value: Any) -> Any:
    """Return a value as a browser reads it, through JSON."""
    return msgspec.json.decode(msgspec.json.encode(value))


def test_every_rulebook_is_listed_with_its_documents_clause_count() -> None:
    listed = plain(rulebook_library.rulebooks())["rulebooks"]
    assert [book["id"] for book in listed] == BOOKS
    for book in listed:
        text = (FOLDER / book["id"] / "clauses.toml").read_text("utf-8")
        assert book["clauses"] == text.count("\n[[clause]]")


@pytest.mark.parametrize("name", BOOKS)
def test_a_rulebook_is_returned_completely(name: str) -> None:
    answer = plain(rulebook_library.rulebook(name))
    assert answer["card"]["rulebook"] == name
    assert answer["card"]["hash"] == answer["hash"]
    ids = [clause["id"] for clause in answer["clauses"]]
    text = (FOLDER / name / "clauses.toml").read_text("utf-8")
    assert [line.split('"')[1] for line in text.splitlines() if line.startswith("id = ")] == ids
    assert all(clause["section"] and clause["says"] for clause in answer["clauses"])


@pytest.mark.parametrize(
    ("clause", "section"),
    [
        ("MA-10.d-B", "10"),
        ("MA-1.ante-a", "1"),
        ("SD-18-UTHP01-a", "18"),
        ("PROC-O.1", "O"),
        ("CARD-11", "11"),
    ],
)
def test_the_section_of_a_clause_is_read_from_its_id(clause: str, section: str) -> None:
    assert rulebook_library.section(clause) == section


@pytest.mark.parametrize("name", BOOKS)
def test_a_table_accepts_every_option_on_offer(name: str) -> None:
    options = plain(rulebook_library.rulebook(name))["options"]
    settings = {row["name"]: row["example"] for row in options["house"]}
    for mode in options["modes"]:
        for kind, tables in (options["tables"] or {"": [""]}).items():
            for table in tables:
                choice = {"mode": mode, "tables": {kind: table} if kind else {}, "house": settings}
                terms, refused = read_terms(load(name), choice)
                assert not refused
                assert terms.mode == mode
                assert not kind or terms.tables[kind] == table


def test_the_house_procedures_post_a_minimum_of_3_or_5_and_a_maximum_of_25() -> None:
    # PROC-H.1 and PROC-H.2.
    limits = rulebook_library.rulebook("uth-proc")["options"]["limits"]
    assert limits["ante"] == {"min": "3.00", "max": "25.00", "minima": ["3.00", "5.00"]}


def test_only_a_device_offers_cover_all_and_main_wagers_are_not_side_bets() -> None:
    # MA-12.d.
    options = rulebook_library.rulebook("uth-ma")["options"]
    bets = {bet["wager"]: tuple(bet["modes"]) for bet in options["side_bets"]}
    both = ("manual", "device")
    assert bets == {"trips": both, "progressive": both, "cover_all": ("device",)}
    assert options["positions"] == 6
    assert set(options["limits"]) == {"ante", "trips", "cover_all"}, (
        "the progressive is five dollars, MA-13.a"
    )


def test_a_clause_with_a_pay_table_prints_it() -> None:
    # Section 10(c) of the Massachusetts rules.
    answer = rulebook_library.clause("MA-10.c")
    paid = {"royal flush": "500 to 1", "straight flush": "50 to 1", "four of a kind": "10 to 1",
            "full house": "3 to 1", "flush": "3 to 2", "straight": "1 to 1"}  # fmt: skip
    assert answer["lines"] == [
        PayLine(hand=hand, pays=pays, clause="MA-10.c") for hand, pays in paid.items()
    ]
    assert answer["citation"].startswith("Massachusetts, Rules of the Game")
    assert "MA-9.h.2-b" in answer["also"], "the row below a straight cites both"
    assert answer["rulebook"] == "uth-ma"


def test_a_clause_without_a_pay_table_has_no_lines() -> None:
    assert rulebook_library.clause("MA-9.h.1")["lines"] == []


def test_the_clause_of_a_trips_table_prints_only_that_table() -> None:
    # Section 10(d), table D. Each clause prints its own table.
    for table in "ABCD":
        lines = rulebook_library.clause(f"MA-10.d-{table}")["lines"]
        assert [line.hand for line in lines][-1] == "three of a kind"
        assert {line.clause for line in lines} == {f"MA-10.d-{table}"}
    assert [line.pays for line in rulebook_library.clause("MA-10.d-B")["lines"]] == [
        f"{n} to 1" for n in (50, 40, 30, 8, 6, 5, 3)
    ]


def test_odds_use_the_wording_that_the_rulebook_allows() -> None:
    # Massachusetts never says "for" (MA-10.a); South Dakota does.
    four = next(
        line
        for line in rulebook_library.clause("MA-13.e-PTMGL01-a")["lines"]
        if line.hand == "four of a kind"
    )
    assert four.pays == "win 300 times the wager; the wager is not returned"
    lines = rulebook_library.clause("SD-18-UTHP01-d")["lines"]
    assert next(line for line in lines if line.hand == "full house").pays == "10 for 1"


def test_a_house_setting_is_served_like_a_clause() -> None:
    answer = rulebook_library.clause("house.feed")
    assert answer["kind"] == "house setting"
    assert "percent" in answer["says"].lower()
    assert answer["reading"].endswith("example 25 %")


def test_a_clause_at_a_table_comes_from_its_own_rulebook() -> None:
    terms, _ = read_terms(load("uth-sd"), {})
    assert rulebook_library.clause("SD-1-a", terms)["rulebook"] == "uth-sd"
    assert rulebook_library.clause("MA-10.c", terms)["lines"], (
        "a clause of another document is still served"
    )


def test_a_borrowed_clause_names_its_document() -> None:
    """South Dakota does not define when a round is complete; Massachusetts does."""
    theirs, own = rulebook_library.plain_terms(load("uth-sd")), rulebook_library.plain_terms(load("uth-ma"))
    assert rulebook_library.clause("MA-1.round", theirs)["fills"] == load("uth-sd").title
    assert rulebook_library.clause("MA-1.round", own)["fills"] == ""
    assert rulebook_library.clause("MA-1.round")["fills"] == ""


@pytest.mark.parametrize("name", ["MA-99", "", "house.nothing", "../../etc/passwd", "é" * 5000])
def test_an_unknown_clause_is_not_found(name: str) -> None:
    with pytest.raises(RefusedError) as caught:
        rulebook_library.clause(name)
    assert caught.value.status == 404
    assert len(caught.value.refused[0].message) < 400


@pytest.mark.parametrize(
    "name", ["uth", "", str(FOLDER / "uth-ma"), str(FOLDER / "uth-ma" / "rules.toml"), "\0"]
)
def test_a_path_is_not_accepted_as_a_rulebook(name: str) -> None:
    for ask in (
        rulebook_library.rulebook,
        rulebook_library.bundled,
        lambda name: rulebook_library.differences("uth-ma", name),
    ):
        with pytest.raises(RefusedError) as caught:
            ask(name)
        assert caught.value.status == 404


def test_a_rulebook_does_not_differ_from_itself() -> None:
    rows = rulebook_library.differences("uth-ma", "uth-ma")["rows"]
    assert rows
    assert all(row["same"] and row["a"] == row["b"] for row in rows)


def test_two_rulebooks_differ_where_their_documents_do() -> None:
    answer = plain(rulebook_library.differences("uth-ma", "uth-proc"))
    rows = {row["name"]: row for row in answer["rows"]}
    assert (answer["a"], answer["b"]) == ("uth-ma", "uth-proc")
    assert not rows["minimum_bet"]["same"]
    assert rows["minimum_bet"]["b"]["says"] == "$3 or $5"
    assert rows["minimum_bet"]["b"]["clause"].startswith("PROC-H.2")
    assert rows["turn_order"]["same"]
    assert any(row["a"] is None or row["b"] is None for row in answer["rows"]), (
        "some rows exist only in one rulebook"
    )
