"""A payment may be made in several moves: only its sum is judged."""

from __future__ import annotations

import pytest

from houseway.rules.loader import rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.judge import RIGHT, Judgement, judge
from houseway.training.model_dealer import right_act
from houseway.training.score import score
from random_play.chance import modes_of
from training.sessions import Session
from training.test_happenings import plain_terms

PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


def at_a_payment(rulebook: str = "uth-ma", mode: str = "manual") -> tuple[Session, a.Pay]:
    """Return a table at which a payment of at least $3 is due."""
    for seed in range(80):
        at = Session(rulebook, mode, seed, given=plain_terms(rulebook, mode), seats=3)
        for _ in range(400):
            right = right_act(at.table, at.chair)
            if isinstance(right, a.Pay) and not right.tip and total(right.chips) >= 300:
                return at, right
            if isinstance(right, a.TakeStep) and right.what == "close":
                break
            at.step()
    raise AssertionError("nothing was paid")


def paid(act: a.Pay, cents: int) -> a.Pay:
    """Return a payment of another amount on the same wager."""
    return a.Pay(seat=act.seat, wager=act.wager, hand=act.hand, of=act.of, chips={1: cents})


def finish(at: Session) -> Judgement:
    """Play to the end of the round by the document, and judge it."""
    at.play_round()
    return judge(at.table, at.chair)


@pytest.mark.parametrize("moves", [2, 3])
@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_an_exact_payment_in_several_moves_is_right(rulebook: str, mode: str, moves: int) -> None:
    at, due = at_a_payment(rulebook, mode)
    expected = score([finish(at)]).payments
    at, due = at_a_payment(rulebook, mode)
    for _ in range(moves - 1):
        at.act(paid(due, 100))
    at.act(paid(due, total(due.chips) - 100 * (moves - 1)))
    assert at.state.mispaid == {}
    judged = finish(at)
    figures = score([judged])
    assert judged.slips == ()
    assert (figures.gross, figures.corrected) == (0, 0)
    # It counts as one payment.
    assert figures.payments == figures.payments_right == expected


def test_the_rest_that_is_paid_after_another_act_repairs_the_payment() -> None:
    at, due = at_a_payment()
    at.act(paid(due, 100))
    at.act(a.CallFloor())
    at.act(paid(due, total(due.chips) - 100))
    judged = finish(at)
    assert [(one.kind, one.cured) for one in judged.slips] == [(ch.WRONG_AMOUNT, True)]
    assert (score([judged]).gross, score([judged]).corrected) == (0, total(due.chips) - 100)


def test_a_sum_that_is_still_too_small_is_one_slip() -> None:
    at, due = at_a_payment()
    at.act(paid(due, 100))
    at.act(paid(due, 50))
    judged = finish(at)
    wrong = 150 - total(due.chips)
    assert [(one.kind, one.amount, one.cured) for one in judged.slips] == [(ch.WRONG_AMOUNT, wrong, False)]
    assert score([judged]).net == wrong


def test_a_sum_that_becomes_too_large_is_one_slip() -> None:
    at, due = at_a_payment()
    at.act(paid(due, 100))
    at.act(paid(due, total(due.chips)))
    judged = finish(at)
    assert [(one.kind, one.amount) for one in judged.slips] == [(ch.WRONG_AMOUNT, 100)]
    assert score([judged]).gross == 100


def test_a_right_payment_that_is_made_twice_is_still_wrong() -> None:
    at, due = at_a_payment()
    at.act(due)
    at.act(due)
    judged = finish(at)
    assert [one.amount for one in judged.slips] == [total(due.chips)]
    assert RIGHT in {one.kind for one in judged.verdicts}
