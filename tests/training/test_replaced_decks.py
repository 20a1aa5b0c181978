"""A deck that is taken off the table: who brings the other deck, and what is repeated with it (MA-7.g, MA-7.h)."""

from __future__ import annotations

import pytest

from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.ruling_form import CALL, NOBODY, THE_FLOOR
from training.people import Trainee, deck
from training.sessions import Session
from training.test_happenings import plain_terms


def reports_without_the_floor(call: str, floors: int) -> Trainee:
    """Return a trainee who reports a short deck and then never waits for the floor.

    The answer to the ruling's question whom to call is `call`. After the ruling, the trainee calls the floor
    `floors` times.
    """

    def rule(at: Trainee, act: a.ChairAct | None) -> list[a.ChairAct] | None:
        if isinstance(act, a.CountStub) and at.session.chair.missing:
            report = a.ReportIrregularity(kind=ch.WRONG_COUNT, count=act.count, ruling={CALL: call})
            return [report, *[a.CallFloor()] * floors]
        if isinstance(act, a.CallFloor):
            # The other deck is on the table; the trainee unpacks it.
            return [a.TakeStep(what="receive")]
        return None

    return Trainee("uth-ma", "manual", deck("wrong count"), rounds=8, seats=2).deal(rule)


@pytest.mark.clause("MA-7.g.2-b")
@pytest.mark.parametrize("floors", [0, 1])
@pytest.mark.parametrize("call", [NOBODY, THE_FLOOR])
def test_no_document_asks_for_the_floor_when_a_deck_goes_off(call: str, floors: int) -> None:
    trainee = reports_without_the_floor(call, floors)
    changes = [change for entry in trainee.entries for change in entry.changes]
    replaced = [change.origin for change in changes if isinstance(change.event, e.DeckReplaced)]
    kinds = trainee.session.score.kinds
    assert ch.MISSED_CALL not in kinds
    assert ch.NEEDLESS_CALL not in kinds
    # If the trainee calls the floor, in the ruling or after it, the trainer need not do it.
    assert replaced == [ch.HOUSE if floors or call == THE_FLOOR else ch.TRAINER]


CONFIRMED = (
    "confirm the deck",
    "confirm the cover cards",
    "confirm the dealing machine",
    "confirm the Cover All mode",
)


@pytest.mark.clause("MA-7.h-b")
def test_a_confirmation_that_waits_is_made_once_although_the_deck_is_replaced() -> None:
    """The confirmations may wait until the deal, and a new deck starts the opening again."""
    given = plain_terms("uth-ma", "device") | {"house": {"device_counts": True}}
    at = Session("uth-ma", "device", 3, given=given)
    at.act(a.TakeStep(what="receive the cards"))
    at.play_to(lambda at: right_act(at.table, at.chair) == a.TakeStep(what="load"))
    assert at.happen(ch.Happening(kind="device count", count=51))
    at.act(a.ReportIrregularity(kind="device count", count=51))
    at.act(a.CallFloor())
    at.act(a.TakeStep(what="receive the cards"))
    for what in CONFIRMED:
        assert at.act(a.TakeStep(what=what)).slips == ()
    assert at.chair.passed == (), "nothing is left to confirm"
    at.play_round()
    assert judge(at.table, at.chair).slips == ()
