"""A table outside any clause: what the house must choose, the chair, whom the engine listens to."""

from __future__ import annotations

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import handle
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loading import load, rulebook_ids
from houseway.testing import table

GIVEN = {"uth-ma": {"trips": "B"}, "uth-sd": {"trips": "UTH-02"}, "shootout-sd": {"bonus": "A"}}
MAIN = {"shootout-sd": "wager"}


def opened(book: str, **given: object) -> tuple[Table, State, Refusal | e.Event]:
    """A table opened under terms, without examples."""
    terms, wrong = read_terms(load(book), given)
    assert not wrong
    at = Table(terms)
    state, answer = handle(at, State(), c.OpenTable(designated=(at.book.game,)))
    return at, state, answer if isinstance(answer, Refusal) else answer[0]


@pytest.mark.parametrize("book", rulebook_ids())
def test_a_table_does_not_open_before_the_house_has_chosen(book: str) -> None:
    _, state, answer = opened(book)
    assert isinstance(answer, Refusal)
    assert answer.code == "setting-missing"
    assert answer.where.startswith("house.")
    assert state == State()


@pytest.mark.parametrize("book", rulebook_ids())
def test_it_opens_once_everything_required_is_chosen(book: str) -> None:
    limits = {MAIN.get(book, "ante"): {"min": "5", "max": "25"}}
    _, state, answer = opened(book, tables=GIVEN.get(book, {}), limits=limits)
    assert isinstance(answer, e.TableOpened)
    assert answer.settings["limits"] == {MAIN.get(book, "ante"): {"min": "5.00", "max": "25.00"}}
    # The progressive is offered only where its pay table is chosen.
    assert state.unoffered == (("progressive",) if "progressive" in load(book).wagers else ())


def test_a_progressive_the_house_has_not_chosen_is_refused() -> None:
    t = table("uth-ma", open=False)
    t.table.terms.limits = {"ante": t.table.terms.bounds["ante"]}
    t.table.terms.named_tables = {"trips": "B"}
    t.open(examples=False).ready()
    refusal = t.refuses(t.betting(1, ante=10, progressive=5))
    assert (refusal.code, refusal.clause) == ("not-offered", "house.progressive_table")
    t.bet(1, ante=10)


@pytest.mark.parametrize("book", rulebook_ids())
def test_the_progressive_once_chosen_wants_its_feed_or_seed(book: str) -> None:
    rulebook = load(book)
    if "progressive" not in rulebook.wagers:
        # Nothing to choose where there is no progressive.
        assert "progressive_table" not in rulebook.house
        return
    tables = {**GIVEN[book], "progressive": next(iter(rulebook.tables["progressive"]))}
    _, _, answer = opened(book, tables=tables, limits={"ante": {"min": "5", "max": "25"}})
    assert isinstance(answer, Refusal)
    assert answer.where == {"uth-ma": "house.feed", "uth-sd": "house.seed"}[book]


def test_a_person_in_the_chair_deals_one_place_after_another() -> None:
    t = table("uth-ma", mode="manual", open=False).open(dealer="person").ready()
    t.bet(1, ante=10).bet(2, ante=10)
    t.perform("announce no more bets")
    both = c.Perform(step="deal the first card to each player", cards=t.shoe.take(2))
    refusal = t.refuses(both)
    assert (refusal.code, refusal.clause) == ("one-at-a-time", "MA-7.d.1")
    t.perform("deal the first card to each player", cards=both.cards[:1])
    assert [len(s.hands[0].cards) for s in t.state.seats.values()] == [1, 0]


def test_a_person_in_the_chair_settles_one_player_at_a_time_in_order() -> None:
    t = table("uth-ma", mode="device", open=False).open(dealer="person").ready()
    t.bet(1, ante=10).bet(2, ante=10).deal().play(1, 4).play(2, 4).until("settle the hands")
    everyone = t.refuses(c.Perform(step="settle the hands"))
    assert (everyone.code, everyone.clause) == ("one-at-a-time", "MA-9.h-c")
    wrong = t.refuses(c.Perform(step="settle the hands", seat=1))
    assert (wrong.code, wrong.clause) == ("out-of-order", "MA-9.h-a")
    t.perform("settle the hands", seat=2)
    assert {s.seat for s in t.state.round.settled} == {2}
    t.perform("settle the hands", seat=1)
    assert t.next != "settle the hands"


def test_machine_and_person_lead_to_the_same_table() -> None:
    ends = []
    for dealer in ("machine", "person"):
        t = table("uth-sd", mode="manual", seed=7, open=False).open(dealer=dealer).ready()
        t.bet(1, ante=10, trips=5).bet(2, ante=15).bet(3, trips=5).deal()
        t.play(1, 4).check(2).finish()
        t.check_books()
        # Who sat in the chair is the one thing that differs.
        ends.append((t.state.seats, t.state.rack, t.state.house, t.state.round.settled))
    assert ends[0] == ends[1]


def test_an_unknown_command_is_refused_not_raised() -> None:
    assert table("uth-card").refuses(c.Command()).code == "unknown-command"
