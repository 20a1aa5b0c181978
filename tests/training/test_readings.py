"""Announcing hands: what must be said, what counts once, and what can be corrected."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from houseway.rules.loader import rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import Judgement, judge
from houseway.training.model_dealer import right_act
from houseway.training.score import score
from random_play.chance import modes_of
from training.sessions import Session
from training.test_happenings import plain_terms

PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


def at_a_reading(
    fits: Callable[[a.ReadHand], bool], rulebook: str = "uth-ma"
) -> tuple[Session, a.ReadHand]:
    """Return a table at which a hand that fits is to be announced."""
    for seed in range(60):
        at = Session(rulebook, "manual", seed, given=plain_terms(rulebook, "manual"), seats=3)
        for _ in range(400):
            right = right_act(at.table, at.chair)
            if isinstance(right, a.ReadHand) and fits(right):
                return at, right
            if isinstance(right, a.TakeStep) and right.what == "close":
                break
            at.step()
    raise AssertionError("no such hand came")


def finish(at: Session) -> Judgement:
    """Play to the end of the round by the document, and judge it."""
    at.play_round()
    return judge(at.table, at.chair)


def dealers(act: a.ReadHand) -> bool:
    """True for the dealer's hand."""
    return act.place == "dealer" and act.reads != "pair"


def players(act: a.ReadHand) -> bool:
    """True for a player's hand that wins or loses."""
    return act.place != "dealer" and act.result in ("win", "lose") and act.reads != "pair"


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_no_document_asks_for_the_result_so_it_may_be_left_out(rulebook: str, mode: str) -> None:
    """MA-9.h, SD-13, CARD and PROC-D.8 ask for the hand; no clause asks for the result beside it."""

    def silent(at: Session) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        return replace(right, result="", qualifies=None) if isinstance(right, a.ReadHand) else None

    at = Session(rulebook, mode, 5, given=plain_terms(rulebook, mode), seats=3)
    for _ in range(3):
        at.play_round(silent)
        assert judge(at.table, at.chair).slips == ()


def test_a_hand_counts_once_however_often_it_is_announced() -> None:
    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=3)
    judged = finish(at)
    once = score([judged]).hands_read
    again: list[a.ChairAct] = []

    def repeat(at: Session) -> a.ChairAct | None:
        if not again:
            right = right_act(at.table, at.chair)
            again.extend([right] * 5 if isinstance(right, a.ReadHand) else [])
        return again.pop() if again else None

    at = Session("uth-ma", "manual", 1, given=plain_terms("uth-ma", "manual"), seats=3)
    at.play_round(repeat)
    figures = score([judge(at.table, at.chair)])
    assert figures.slips == 0
    assert figures.hands_read == figures.hands_read_right == once > 0


@pytest.mark.parametrize("fits", [dealers, players])
def test_a_misreading_that_is_corrected_at_once_is_repaired(fits: Callable[[a.ReadHand], bool]) -> None:
    at, right = at_a_reading(fits)
    at.act(replace(right, reads="pair"))
    assert at.act(right).slips == ()
    judged = finish(at)
    assert [(one.kind, one.cured) for one in judged.slips] == [(ch.MISREAD, True)]
    figures = score([judged])
    assert figures.hands_read == figures.hands_read_right


def test_a_result_that_was_announced_wrongly_must_be_announced_again() -> None:
    at, right = at_a_reading(players)
    other = "lose" if right.result == "win" else "win"
    at.act(replace(right, result=other))
    at.act(replace(right, result=""))
    at.act(right)
    cured = [entry.cured for entry in at.chair.entries[-2:]]
    assert cured == [(), (1,)]


def test_a_correction_after_a_wager_is_settled_repairs_nothing() -> None:
    at, right = at_a_reading(players)
    at.act(replace(right, reads="pair"))
    wager = next(one.act for one in at.chair.queue if isinstance(one.act, a.WagerAct))
    at.act(wager)
    at.act(right)
    judged = finish(at)
    assert [(one.kind, one.cured) for one in judged.slips] == [(ch.MISREAD, False)]
    figures = score([judged])
    assert figures.hands_read == figures.hands_read_right + 1


def test_a_second_wrong_reading_has_the_clause_of_the_first() -> None:
    at, right = at_a_reading(dealers)
    at.act(replace(right, reads="pair"))
    at.act(replace(right, reads="royal flush"))
    at.act(replace(right, qualifies=not right.qualifies))
    judged = finish(at)
    assert [(one.kind, one.clause) for one in judged.slips] == [(ch.MISREAD, "MA-7.f.6-b")] * 3
    figures = score([judged])
    assert figures.hands_read == figures.hands_read_right + 1
