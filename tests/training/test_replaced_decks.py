"""A deck that is taken off the table: who brings the other deck, and what is repeated with it (MA-7.g, MA-7.h)."""

from __future__ import annotations

import pytest

from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.happenings import possible_happenings
from houseway.training.house_rules import house_rule_lines
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.perform import happen
from houseway.training.ruling_form import (
    CALL,
    CARD,
    DECK_OFF,
    HANDS,
    NOBODY,
    PLAY_ON,
    THE_FLOOR,
    Answer,
    judge_ruling,
    reported_irregularity,
    right_ruling,
)
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


COUNTING = pytest.mark.parametrize("rulebook", ["uth-ma", "uth-card", "uth-proc"])
"""The rulebooks in which the device may count the cards."""


def counting_device(rulebook: str) -> Session:
    """Return a table whose device counts the cards."""
    at = Session(rulebook, "device", 3, given=plain_terms(rulebook, "device"))
    at.bets = {seat: {"ante": 500, "blind": 500, "trips": 500} for seat in (1, 2, 3)}
    return at


def device_count_ruling(at: Session) -> dict[str, Answer]:
    """Let the device show a wrong count, and return the judged answers of the ruling."""
    assert at.happen(ch.Happening(kind="device count", count=51))
    found = reported_irregularity(at.chair, "device count", "", at.time)
    assert found is not None
    ruling = right_ruling(at.table, at.state, found)
    assert ruling is not None
    judged = {row.question for row in judge_ruling(ruling, {}) if row.judged}
    return {question: answer for question, answer in ruling.answers.items() if question in judged}


@pytest.mark.clause("MA-7.h-b")
@COUNTING
def test_what_happens_to_bets_after_a_device_count_is_not_judged(rulebook: str) -> None:
    """MA-7.h only has the deck removed. The round is void by the house's reading, which trainees can read."""
    at = counting_device(rulebook).play_to(
        lambda at: right_act(at.table, at.chair) == a.TakeStep(what="close betting")
    )
    assert device_count_ruling(at) == {CARD: Answer(DECK_OFF, "MA-7.h-b")}
    assert at.act(a.ReportIrregularity(kind="device count", count=51)).slips == ()
    assert at.state.round.void
    assert at.state.seats[1].hands[0].stakes == {}
    reading = "- Device count (if bets are down): every hand is void and wagers are returned (our reading)."
    assert reading in house_rule_lines(at.table)


@pytest.mark.clause("MA-7.h-b")
@COUNTING
def test_a_device_count_before_the_round_voids_nothing_and_is_judged(rulebook: str) -> None:
    """No bets are down, so MA-7.h answers the whole ruling: the deck goes off and no hand is void."""
    at = counting_device(rulebook).play_to(
        lambda at: right_act(at.table, at.chair) == a.TakeStep(what="load")
    )
    assert device_count_ruling(at) == {
        HANDS: Answer(PLAY_ON, "MA-7.h-b"),
        CARD: Answer(DECK_OFF, "MA-7.h-b"),
    }
    assert at.act(a.ReportIrregularity(kind="device count", count=51)).slips == ()
    assert not at.state.round.void


@pytest.mark.clause("MA-7.h-a")
@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-card"])
def test_the_device_shows_no_count_before_the_first_shuffle(rulebook: str) -> None:
    """MA-7.h: the device counts the cards after each shuffle."""
    at = counting_device(rulebook)
    assert happen(at.table, at.chair, ch.Happening(kind="device count", count=51)) is None
    assert "device count" not in {one.kind for one in possible_happenings(at.table, at.chair)}
    at.play_to(lambda at: at.state.section != "opening")
    assert "device count" in {one.kind for one in possible_happenings(at.table, at.chair)}
