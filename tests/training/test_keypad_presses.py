"""The keypad in the dealer's chair: a button that was pressed by mistake is lit until it is pressed again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import judge
from houseway.training.model_dealer import right_act
from houseway.training.words import verdict_words
from training.sessions import Session
from training.test_document_order import at_the_winners, key_of, winners
from training.test_free_order import ALL, NO_PROGRESSIVE, SD, due_is, step
from training.test_happenings import plain_terms

RESET = step("reset")
MIXED = {1: ALL, 2: ALL, 3: NO_PROGRESSIVE}


def before_reset(bets: dict[int, dict[str, int]] = MIXED) -> Session:
    at = Session(SD, "manual", 0, given=plain_terms(SD, "manual"))
    at.bets = bets
    return at.play_to(due_is("reset"))


def loser(at: Session) -> a.Key:
    """Return a press of a button for the first seat that has not won its progressive bet."""
    number = next(number for number in at.state.seats if number not in at.state.round.keyed)
    return a.Key(seat=number, hand="full house")


def kinds(at: Session) -> list[str]:
    at.play_round()
    return [one.kind for one in judge(at.table, at.chair).slips]


@pytest.mark.clause("SD-18.a.iii-b")
@pytest.mark.parametrize("number", [1, 3])
def test_a_button_pressed_by_accident_is_pressed_again(number: int) -> None:
    """ "If the button is pressed by accident, the dealer shall press the button again to turn if off".

    Seat 3 has made no progressive bet.
    """
    at = before_reset()
    press = a.Key(seat=number, hand="full house")
    assert number not in at.state.round.keyed
    first = at.act(press)
    assert [(one.kind, one.clause) for one in first.slips] == [(ch.WRONG_KEY, "SD-18.a.iii-a")]
    assert at.state.round.keyed[number] == "full house"
    assert right_act(at.table, at.chair) == press
    second = at.act(press)
    assert second.slips == ()
    assert second.cured == (first.slips[0].number,)
    assert number not in at.state.round.keyed
    assert kinds(at) == [ch.WRONG_KEY]


@pytest.mark.clause("SD-18.a.iii-b")
def test_a_reset_with_a_lit_award_is_a_slip() -> None:
    at = before_reset()
    press = loser(at)
    at.act(press)
    slip = at.act(RESET).slips[0]
    assert (slip.kind, slip.clause, slip.due) == (ch.OUT_OF_ORDER, "SD-18.a.iii-b", press)
    at.play_round()
    missed = [one for one in judge(at.table, at.chair).slips if one.kind == ch.MISSED]
    assert [(one.due, one.clause) for one in missed] == [(press, "SD-18.a.iii-b")]


@pytest.mark.clause("SD-18.a.iii-b")
def test_an_award_may_be_turned_off_before_anything_else_is_done() -> None:
    """The press is for another seat, while an award is due that is then keyed and paid by the document."""
    at = at_the_winners(1)
    number = winners(at)[0]
    due, other = key_of(at, number), next(one for one in at.state.seats if one != number)
    press = a.Key(seat=other, hand="straight flush")
    meters = at.state.meters
    assert [one.kind for one in at.act(press).slips] == [ch.WRONG_KEY]
    assert at.act(press).slips == ()
    assert at.state.meters == meters
    assert at.act(due).slips == ()
    assert kinds(at) == [ch.WRONG_KEY]


def test_an_award_that_is_lit_by_mistake_does_not_change_the_payment_of_another() -> None:
    at = at_the_winners(1)
    number = winners(at)[0]
    other = next(one for one in at.state.seats if one != number)
    at.act(a.Key(seat=other, hand="straight flush"))
    at.play_round()
    judgement = judge(at.table, at.chair)
    assert [one.kind for one in judgement.slips] == [ch.WRONG_KEY]
    assert (judgement.mispaid, judgement.differences) == ((0, 0), ())


def test_the_verdict_says_how_to_turn_the_award_off() -> None:
    at = before_reset()
    number = loser(at).seat
    at.act(loser(at))
    at.play_round()
    words = [verdict_words(one) for one in judge(at.table, at.chair).slips]
    assert words == [
        f"Keyed full house for seat {number}. That was not due. Press the same button again to turn it off."
    ]


def test_under_an_older_rulebook_a_press_that_is_not_due_changes_nothing() -> None:
    """Recorded sessions replay to the score that they had."""
    at = before_reset()
    book = at.table.book
    keyed = next(one for one in book.procedure.round if "keyed" in one.rules)
    plain = replace(keyed, rules={**keyed.rules, "keyed": replace(keyed.rules["keyed"], value=True)})
    steps = tuple(plain if one is keyed else one for one in book.procedure.round)
    older = replace(book, procedure=replace(book.procedure, round=steps))
    terms, refused = read_terms(older, at.given)
    assert not refused
    at.table = Table(terms)
    press = loser(at)
    for _ in range(2):
        entry = at.act(press)
        assert [one.kind for one in entry.slips] == [ch.NOT_DUE]
        assert entry.changes == ()
    assert at.act(RESET).slips == ()
