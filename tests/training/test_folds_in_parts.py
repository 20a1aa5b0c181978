"""A folded hand may be taken piece by piece, in any order: its wagers, then its cards, or its cards first."""

from __future__ import annotations

from itertools import permutations

import pytest

from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chair_view import chair_felt
from houseway.training.judge import Judgement, judge
from houseway.training.mistakes.mistake_moments import in_play
from houseway.training.model_dealer import right_act
from random_play.chance import modes_of
from training.sessions import Session
from training.test_free_order import NO_PROGRESSIVE, coming, fold_seat, table_at, trips_fold
from training.test_happenings import plain_terms

FOLDING = ("uth-ma", "uth-sd", "uth-card", "uth-proc")
PLACES = [(book, mode) for book in FOLDING for mode in modes_of(book)]


def at_a_fold(rulebook: str = "uth-ma", mode: str = "manual", *, others: bool = False) -> Session:
    """Return a table at which a folded hand is due: an ante, a blind and the cards.

    If `others`, a player still has to decide.
    """
    for number in range(60):
        at = Session(rulebook, mode, number, given=plain_terms(rulebook, mode), seats=3)
        at.bets = {n: {"ante": 500, "blind": 500} for n in (1, 2, 3)}
        for _ in range(400):
            right = right_act(at.table, at.chair)
            if isinstance(right, a.TakeFold) and (not others or in_play(at)):
                assert len(at.chair.queue[0].parts) == 3
                return at
            if isinstance(right, a.TakeStep) and right.what == "close":
                break
            at.step()
    raise AssertionError("no player folded such a hand")


def finish(at: Session) -> Judgement:
    """Play to the end of the round by the document, and judge it."""
    at.play_round()
    return judge(at.table, at.chair)


def slips(judged: Judgement) -> list[tuple[str, str | None, int]]:
    """Return the slips of a round: kind, clause and amount."""
    return [(one.kind, one.clause, one.amount) for one in judged.slips]


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_a_fold_is_taken_piece_by_piece_in_any_order(rulebook: str, mode: str) -> None:
    for order in permutations(range(3)):
        at = at_a_fold(rulebook, mode)
        parts = [one.act for one in at.chair.queue[0].parts]
        seat = at.chair.queue[0].seat
        for place in order:
            entry = at.act(parts[place])
            assert entry.slips == ()
            hand = next(one for one in chair_felt(at.table, at.chair, 0).seats if one.seat == seat).hands[0]
            act = parts[place]
            if isinstance(act, a.Take) and not act.tip:
                assert act.wager not in hand.wagers
            elif isinstance(act, a.Rack):
                assert hand.cards == ()
        assert a.TakeFold(seat=seat) != right_act(at.table, at.chair)
        assert finish(at).slips == ()


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_a_fold_that_is_half_taken_can_be_taken_as_a_whole(rulebook: str, mode: str) -> None:
    at = at_a_fold(rulebook, mode)
    seat = at.chair.queue[0].seat
    at.act(at.chair.queue[0].parts[0].act)
    assert right_act(at.table, at.chair) == a.TakeFold(seat=seat)
    at.act(a.TakeFold(seat=seat))
    assert finish(at).slips == ()


def test_taking_a_fold_as_a_whole_after_its_parts_changes_nothing() -> None:
    at = at_a_fold()
    seat = at.chair.queue[0].seat
    for one in at.chair.queue[0].parts:
        at.act(one.act)
    entry = at.act(a.TakeFold(seat=seat))
    assert (entry.slips, entry.changes) == ((), ())
    # A second time is an act without a place.
    assert [slip.kind for slip in at.act(a.TakeFold(seat=seat)).slips] != []


def test_a_hand_that_is_racked_with_the_cards_left_out_is_one_slip() -> None:
    at = at_a_fold()
    fold = at.chair.queue[0]
    ante, blind, rack = (one.act for one in fold.parts)
    assert isinstance(rack, a.Rack)
    at.act(ante)
    at.act(blind)

    def choose(at: Session) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        if right != a.TakeFold(seat=fold.seat):
            return None
        later = [one.act for one in at.chair.queue if not one.is_done_by(rack)]
        return later[0] if later else a.TakeStep(what="take the cover card off")

    at.play_round(choose)
    judged = judge(at.table, at.chair)
    assert [(one.kind, one.due) for one in judged.slips] == [(ch.OUT_OF_ORDER, rack)]


@pytest.mark.parametrize("whole", [False, True])
def test_a_fold_that_is_taken_late_is_one_slip(whole: bool) -> None:
    """The dealer asks the next player first, then takes the fold: one act was out of order."""
    at = at_a_fold(others=True)
    fold = at.chair.queue[0]
    at.act(a.Ask(seat=in_play(at)[0]))
    for act in [a.TakeFold(seat=fold.seat)] if whole else [one.act for one in fold.parts]:
        at.act(act)
    assert slips(finish(at)) == [(ch.OUT_OF_ORDER, "MA-7.f.5.ii", 0)]


def test_a_fold_that_is_forgotten_until_the_dealers_hand_is_up_is_one_slip() -> None:
    at = at_a_fold()
    fold = at.chair.queue[0]
    for act in (a.TakeStep(what="take the cover card off"), a.TurnUp(place="dealer")):
        at.act(act)
    for one in fold.parts:
        at.act(one.act)
    assert slips(finish(at)) == [(ch.OUT_OF_ORDER, "MA-7.f.5.ii", 0)]


def test_a_wager_of_a_fold_that_is_pushed_is_a_wrong_amount() -> None:
    at = at_a_fold()
    seat = at.chair.queue[0].seat
    ante = at.state.seats[seat].hands[0].wagers["ante"]
    at.act(a.Push(seat=seat, wager="ante"))
    at.act(a.TakeFold(seat=seat))
    judged = finish(at)
    assert [(one.kind, one.amount) for one in judged.slips] == [(ch.WRONG_AMOUNT, ante)]


# --- a fold that wins its trips ---


def paid_fold() -> tuple[Session, int, a.Pay]:
    """Return a South Dakota table where a folded hand wins trips, with its seat and the payment."""
    at = table_at(trips_fold(wins=True), NO_PROGRESSIVE)
    number = fold_seat(at)
    pays = (
        act for act in coming(at) if isinstance(act, a.Pay) and (act.seat, act.wager) == (number, "trips")
    )
    return at, number, next(pays)


@pytest.mark.clause("SD-12-c", "SD-12-d")
@pytest.mark.parametrize("order", ["lost first", "turned first", "paid first", "between"])
def test_the_ante_and_the_blind_of_a_fold_are_taken_before_or_after_its_trips_are_paid(order: str) -> None:
    """SD-6-a: ante, blind, trips. SD-12 pays the trips, and then the dealer collects the ante and the blind."""
    at, number, pay = paid_fold()
    ante, blind = a.Take(seat=number, wager="ante"), a.Take(seat=number, wager="blind")
    turn, rack = a.TurnUp(place=f"seat {number}"), a.Rack(what=f"seat {number}")
    acts: dict[str, list[a.ChairAct]] = {
        "lost first": [ante, blind, turn, pay, rack],
        "turned first": [turn, ante, blind, pay, rack],
        "paid first": [turn, pay, ante, blind, rack],
        "between": [ante, turn, blind, pay, rack],
    }
    for act in acts[order]:
        assert at.act(act).slips == (), act
    assert finish(at).slips == ()


@pytest.mark.clause("SD-12-c")
def test_a_paid_fold_that_is_racked_before_it_is_paid_is_a_slip() -> None:
    at, number, _ = paid_fold()
    for wager in ("ante", "blind"):
        at.act(a.Take(seat=number, wager=wager))
    assert at.act(a.Rack(what=f"seat {number}")).slips != ()
