"""Acts that no clause asks for, and that no clause forbids either."""

from __future__ import annotations

import pytest

from houseway.engine.deal_acts import stub
from houseway.training import acts as a
from houseway.training import chair as ch
from training.sessions import Session

ROUNDS = 6
"""More rounds than Massachusetts allows between two counts of the stub."""


def slips(session: Session) -> list[ch.Slip]:
    return [slip for entry in session.log for slip in entry.slips]


def test_a_count_that_was_not_due_starts_the_rounds_to_the_next_one_again() -> None:
    session = Session("uth-ma", "manual", 4, given={"mode": "manual"})
    counted: list[int] = []
    rounds = 0

    def counts_in_time(at: Session) -> a.ChairAct | None:
        early = rounds in (2, 4) and rounds not in counted
        if early and at.state.round.revealed:
            counted.append(rounds)
            return a.CountStub(count=stub(at.table, at.state))
        return None

    asked = 0
    while rounds < ROUNDS:
        rounds += 1
        for entry in session.play_round(counts_in_time):
            asked += isinstance(entry.input, a.CountStub)
    assert counted == [2, 4]
    assert asked == len(counted), "no other count was due"
    assert slips(session) == []


def test_a_wrong_count_that_was_not_due_is_a_slip_and_changes_nothing() -> None:
    session = Session("uth-ma", "manual", 4, given={"mode": "manual"})
    session.play_round()
    before = session.state.since_count
    session.step()
    session.act(a.CountStub(count=1))
    assert session.state.since_count == before
    assert [slip.kind for slip in slips(session)] == [ch.MISCOUNT]


@pytest.mark.parametrize(("what", "bets", "wrong"), [
    ("lock", {"ante": 1000, "blind": 1000}, False),
    ("lock", {"ante": 1000, "blind": 1000, "progressive": 100}, True),
    ("reset", {"ante": 1000, "blind": 1000}, False),
])  # fmt: skip
def test_a_button_for_a_bet_that_nobody_made_costs_nothing(
    what: str, bets: dict[str, int], wrong: bool
) -> None:
    """SD-4-f and SD-18.a.vii do not say that the buttons stay untouched without a progressive bet."""
    limits = {"ante": {"min": "5", "max": "25"}, "trips": {"min": "5", "max": "25"}}
    session = Session("uth-sd", "manual", 3, given={"mode": "manual", "limits": limits}, seats=2)
    session.bets = {1: bets, 2: bets}
    while not session.state.round.revealed:
        session.step()
    session.act(a.TakeStep(what=what))
    assert [slip.kind for slip in slips(session)] == ([ch.NOT_DUE] if wrong else [])
