"""New tables that the house refuses to open, although a record of such a table still replays."""

from __future__ import annotations

import pytest

from houseway.audit.memory_store import MemoryStore
from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live import LiveTable
from houseway.live.default_terms import offering
from houseway.rules.loader import load
from record.recorded import house

BETS = {
    "uth-ma": "trips, progressive, cover_all",
    "uth-sd": "trips, progressive",
    "shootout-sd": "bonus",
}


@pytest.mark.parametrize("book", BETS)
@pytest.mark.parametrize("name", ["ante", "blind", "wager", "play", "envy", "lottery", "Trips"])
def test_only_side_bets_can_be_left_out(book: str, name: str) -> None:
    rules = load(book)
    given = offering(rules, "", {}, {})
    opening = c.OpenTable(designated=(rules.game,), examples=True, leave_out=(name,))
    answer = LiveTable.open(house(MemoryStore()), "table:1", rules, given, opening)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.where) == ("not-a-side-bet", "leave_out")
    assert answer.message.endswith(f"so the table cannot leave it out; it can leave out {BETS[book]}")
    assert answer.message.startswith(
        "players must bet " if name in rules.wagers and name not in ("play", "envy") else book
    )
    # An older version may have recorded such a table, and its record must replay.
    assert not isinstance(decide(Table(read_terms(rules, given)[0]), State(), opening), Refusal)


@pytest.mark.parametrize("book", BETS)
def test_every_side_bet_can_be_left_out(book: str) -> None:
    rules, names = load(book), tuple(BETS[book].split(", "))
    opening = c.OpenTable(designated=(rules.game,), examples=True, leave_out=names)
    live = LiveTable.open(house(MemoryStore()), "table:1", rules, offering(rules, "", {}, {}), opening)
    assert isinstance(live, LiveTable)
    assert set(live.state.unoffered) == set(names)


@pytest.mark.parametrize("backs", [("Red", "red"), ("red ", "red"), ("", "blue")])
def test_a_record_of_decks_with_similar_backs_replays(backs: tuple[str, ...]) -> None:
    rules = load("uth-ma")
    terms, _ = read_terms(rules, {"house": {"decks": 2, "shuffler": "device"}})
    opening = c.OpenTable(designated=("ultimate",), backs=backs, examples=True)
    assert not isinstance(decide(Table(terms), State(), opening), Refusal)
