"""The corpus: its files are as built, it is large enough, and it covers everything it must."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from discovered import BOOKS, CORPUS, parameters_for
from houseway.cards import cards
from houseway.conformance import Case, cases, rulebooks
from houseway.money import Flat, cents
from houseway.rules.loader import all_clauses, load
from houseway.rules.rulebook import Rulebook
from houseway.second_settler import DOCUMENTS

from .writing import ROUNDS, files

MONEY = ("wager.", "tables.", "table_rules.", "pass[", "cap[", "approval[", "bet_limit")
"""The parts of a rulebook that decide money."""
SETTLED_BY_TABLE = ("blind", "trips", "progressive", "cover_all", "bonus")


@cache
def all_cases() -> tuple[Case, ...]:
    """The corpus, read once."""
    return tuple(cases())


def rounds_of(book: str) -> list[Case]:
    """The rounds of a rulebook."""
    return [case for case in all_cases() if case.rulebook == book]


def test_the_files_are_those_that_build_writes() -> None:
    built = files()
    assert sorted(built) == sorted(f.name for f in ROUNDS.iterdir())
    for name, content in built.items():
        assert (ROUNDS / name).read_bytes() == content, f"{name}: run tests/conformance/build.py"


def test_the_corpus_is_large_enough_and_its_ids_are_unique() -> None:
    assert set(DOCUMENTS) <= set(rulebooks()) <= set(BOOKS)
    assert len(all_cases()) >= 2000
    assert all(len(rounds_of(book)) >= 400 for book in rulebooks())
    assert sum(f.stat().st_size for f in ROUNDS.iterdir()) < 6_000_000
    assert max(Counter(case.id for case in all_cases()).values()) == 1


@pytest.mark.parametrize("book", parameters_for(rulebooks(), CORPUS))
def test_every_clause_that_decides_money_is_shown_by_a_round(book: str) -> None:
    rulebook = load(book)
    money: dict[str, list[str]] = {}
    for clause, path in rulebook.cited():
        if path.startswith(MONEY):
            money.setdefault(clause, []).append(path)
    printed = ("tables.", "wager.", "cap[")
    due = {
        c.id
        for c in rulebook.clauses.values()
        if (c.kind == "performed" and c.id in money)
        or (c.kind == "configured" and any(p.startswith(printed) for p in money.get(c.id, ())))
    }
    shown = {clause for case in rounds_of(book) for clause in case.clauses}
    assert due <= shown, sorted(due - shown)


def test_every_clause_named_in_the_corpus_exists() -> None:
    named = {clause for case in all_cases() for clause in case.clauses}
    assert {c for c in named if not c.startswith("house.")} <= set(all_clauses())


@pytest.mark.parametrize("book", parameters_for(rulebooks(), CORPUS))
def test_the_corpus_contains_the_worked_rounds(book: str) -> None:
    rounds = [case.round for case in rounds_of(book)]
    for worked in load(book).rounds:
        assert {"rulebook": book, **worked["round"]} in rounds, worked["name"]


def table_in_use(book: Rulebook, case: Case, kind: str) -> str | None:
    """The name of the pay table that applies to a round, for a kind such as trips."""
    if kind == "cover_all":
        return str(len(case.round["seats"]) + 1)
    named = case.round.get("tables", {}).get(kind)
    if named is not None:
        return str(named)
    tables = book.tables.get(kind, {})
    setting = book.house.get(f"{kind}_table")
    return setting.assumed if setting else next(iter(tables), None)


def paid(book: Rulebook) -> set[tuple[str, str, str]]:
    """Kind, table and odds (or result) of every line of a rulebook's rounds."""
    lines = set()
    for case in rounds_of(book.id):
        for line in case.expect.get("lines", ()):
            table = table_in_use(book, case, line["wager"]) if line["wager"] in SETTLED_BY_TABLE else None
            if table is not None:
                lines.add((line["wager"], table, line.get("odds", line["result"])))
    return lines


@pytest.mark.parametrize("book", parameters_for(rulebooks(), CORPUS))
def test_every_line_of_every_pay_table_is_paid_in_some_round(book: str) -> None:
    rulebook = load(book)
    hit = paid(rulebook)
    due = {
        (kind, name, str(row.pays))
        for kind, tables in rulebook.tables.items()
        if kind != "envy"
        for name, table in tables.items()
        for row in table.rows
    }
    assert due
    assert due <= hit, sorted(due - hit)


@pytest.mark.parametrize(
    "book", parameters_for(rulebooks(), CORPUS, [b for b in BOOKS if "envy" in load(b).tables])
)
def test_every_envy_amount_is_paid_in_some_round(book: str) -> None:
    rulebook = load(book)
    hit = set()
    for case in rounds_of(book):
        name = table_in_use(rulebook, case, "progressive") if "progressive" in rulebook.wagers else "envy"
        seats = {seat["seat"]: seat for seat in case.round["seats"] if "seat" in seat}
        for line in case.expect.get("lines", ()):
            if line["wager"] == "envy":
                hit.add((name, seats[line["seat"]].get("progressive"), cents(line["net"])))
    for name, table in rulebook.tables["envy"].items():
        for row in table.rows:
            if isinstance(row.pays, Flat):
                base = table.base.value if table.base else None
                due = {
                    (name, stake, amount)
                    for table_, stake, amount in hit
                    if table_ == name
                    and amount
                    == (row.pays.amount if base is None else row.pays.amount * cents(stake) // base)
                }
                assert due, (name, row)


@pytest.mark.parametrize("book", parameters_for(rulebooks(), CORPUS))
def test_every_class_of_hand_occurs_with_every_side_bet(book: str) -> None:
    rulebook = load(book)
    evaluator, order = rulebook.ranking.evaluator, rulebook.ranking.order
    seen: set[tuple[str, str | None, str]] = set()
    for case in rounds_of(book):
        for seat in case.round["seats"] if "lines" in case.expect else ():
            held = seat.get("hands") or [seat["hole"]]
            for wager in {"trips", "progressive", "bonus"} & set(seat):
                board = cards(case.round["board"])
                table = table_in_use(rulebook, case, wager)
                read = rulebook.tables[wager][str(table)].cards
                five = board[:3] if read is not None and read.value == "first five" else board
                place = evaluator.places[evaluator.strength((*cards(held[0]), *five))]
                seen.add((wager, table, order[place]))
    for kind in {"trips", "progressive", "bonus"} & set(rulebook.tables):
        for name in rulebook.tables[kind]:
            assert {(kind, name, hand) for hand in order} <= seen, (kind, name)


@pytest.mark.parametrize("book", parameters_for(rulebooks(), CORPUS))
def test_every_wager_has_every_result_in_some_round(book: str) -> None:
    seen = {(x["wager"], x["result"]) for case in rounds_of(book) for x in case.expect.get("lines", ())}
    for name in load(book).wagers:
        expected: tuple[str, ...] = ("win", "lose")
        if name in ("ante", "blind", "play"):
            expected = ("win", "lose", "push")
        if name == "envy":
            expected = ("win",)
        assert {(name, result) for result in expected} <= seen


def test_the_corpus_has_the_other_required_cases() -> None:
    every: list[dict[str, Any]] = [dict(case.expect) for case in all_cases()]
    settled = [answer for answer in every if "lines" in answer]
    assert any(answer["approvals"] for answer in settled)
    assert {cap["clause"] for answer in settled for cap in answer["caps"]} == {
        "CARD-25", "MA-10.e", "MA-13.d", "PROC-H.4-a",
    }  # fmt: skip
    amounts = {a["amount"] for answer in settled for a in answer["approvals"] if a["clause"] == "PROC-H.7"}
    assert "300.01" in amounts
    assert "300.00" not in amounts
    assert any(answer.get("house_way") for answer in settled)
    assert any("coupon" in x for answer in settled for x in answer["lines"])
    assert any(x.get("for") == "dealer" for answer in settled for x in answer["lines"])
    assert any(x.get("hand") == 2 for answer in settled for x in answer["lines"])
    roundings = Counter(
        case.round.get("house", {}).get("rounding") for case in all_cases() if "house" in case.round
    )
    assert {"down", "up", "nearest"} <= set(roundings)
    for book in rulebooks():
        assert sum(case.refused for case in rounds_of(book)) >= 30
