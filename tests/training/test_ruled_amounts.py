"""The money of a ruling: right answers return the same amount as the rulebook, even if a hand was folded."""

from __future__ import annotations

import pytest

from houseway.client.training_messages import IrregularityReport
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.ruling_form import HANDS, RETURNED, VOID_ALL, right_ruling
from houseway.training.ruling_review import judge_answers, ruling_form
from training.sessions import Session
from training.test_document_order import PLAIN, TRIPS, folded
from training.test_folds_in_parts import at_a_fold
from training.test_free_order import slips, table_at

FAILURE = a.ReportIrregularity(kind="machine failure")


def half_taken() -> Session:
    """Return a table whose machine fails while a folded hand is half taken."""
    at = at_a_fold(mode="device")
    at.act(at.chair.queue[0].parts[0].act)
    assert at.happen(ch.Happening(kind="machine failure"))
    return at


def test_a_right_ruling_returns_what_the_rulebook_returns() -> None:
    """The blind of the fold is still there, and stays lost: `void_folds` is "stand"."""
    at = half_taken()
    form = ruling_form(at.state, IrregularityReport(kind="machine failure"), at.time)
    right = right_ruling(at.table, at.state, at.chair.open[0])
    assert right is not None
    answers = {question: one.answer for question, one in right.answers.items()}
    judged = judge_answers(at.table, at.chair, form, answers, [])
    assert judged.returned_yours == judged.returned > 0
    keeps = judge_answers(at.table, at.chair, form, {**answers, "play": "stays"}, [])
    assert keeps.returned_yours < judged.returned


def test_another_ruling_on_the_hands_returns_what_it_says() -> None:
    at = half_taken()
    form = ruling_form(at.state, IrregularityReport(kind="machine failure"), at.time)
    answers = {HANDS: "play on", "ante": "stays", "blind": "stays", "play": "stays"}
    assert judge_answers(at.table, at.chair, form, answers, []).returned_yours == 0
    void = {HANDS: VOID_ALL, "ante": RETURNED, "blind": RETURNED, "play": RETURNED}
    assert judge_answers(at.table, at.chair, form, void, []).returned_yours > 0


def test_a_fold_that_is_half_taken_is_finished_in_a_void_round() -> None:
    at = half_taken()
    number = at.chair.queue[0].seat
    at.act(FAILURE)
    assert at.state.round.void
    assert at.act(a.Take(seat=number, wager="blind")).slips == ()
    assert slips(at) == []


@pytest.mark.parametrize("first", [0, 1])
def test_the_rest_of_one_fold_comes_before_or_after_the_cards_of_another(first: int) -> None:
    def two_folds(at: Session) -> bool:
        due = [one for one in at.chair.queue if isinstance(one.act, a.TakeFold)]
        return len(folded(at)) > 1 and bool(due)

    for bets in (TRIPS, PLAIN):
        try:
            at = table_at(two_folds, bets, "device", "uth-ma", 6)
        except AssertionError:
            continue
        number = at.chair.queue[0].seat
        other = next(seat for seat in folded(at) if seat != number)
        at.act(a.Take(seat=number, wager="ante"))
        assert at.happen(ch.Happening(kind="machine failure"))
        at.act(FAILURE)
        acts = [a.Take(seat=number, wager="blind"), a.Rack(what=f"seat {other}")]
        for act in acts if first else reversed(acts):
            assert at.act(act).slips == (), act
        assert slips(at) == []
        return
    raise AssertionError("no two folds")
