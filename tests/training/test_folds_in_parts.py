"""A folded hand may be taken piece by piece, in any order: its wagers, then its cards, or its cards first."""

from __future__ import annotations

from itertools import permutations

import pytest

from houseway.engine import events as e
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


def two_folds(at: Session) -> bool:
    """True if two folded hands are to be collected, and the one whose turn comes last wins its trips."""
    listed = coming(at)
    folds = [act.seat for act in listed if isinstance(act, a.TakeFold)]
    first = right_act(at.table, at.chair)
    waits = isinstance(first, a.TurnUp | a.TakeFold) and not at.state.round.revealed
    if not waits or len(folds) != 2:
        return False
    last = at.state.seats[folds[-1]].hands[0]
    pays = [act.seat for act in listed if isinstance(act, a.Pay) and act.wager == "trips"]
    return not last.shown and folds[-1] in pays


@pytest.mark.clause("SD-6-a", "SD-12-c", "SD-12-d")
@pytest.mark.parametrize("racked_first", [False, True])
def test_a_fold_is_taken_in_parts_before_its_turn_and_before_its_trips_are_paid(
    *, racked_first: bool
) -> None:
    """SD-6-a: ante, blind, trips. The folded hands come in any order."""
    at = table_at(two_folds, NO_PROGRESSIVE, seats=6)
    *_, last = (act.seat for act in coming(at) if isinstance(act, a.TakeFold))
    paid = next(act for act in coming(at) if isinstance(act, a.Pay) and act.seat == last)
    entry = at.act(a.TurnUp(place=f"seat {last}"))
    turned = next(x.event for x in entry.changes if isinstance(x.event, e.HandTurned))
    lost = [a.Take(seat=last, wager=wager) for wager in ("ante", "blind")]
    for act in (a.ReadHand(place=f"seat {last}", reads=turned.reads), *lost):
        assert at.act(act).slips == (), act
    rack = a.Rack(what=f"seat {last}")
    if racked_first:
        (slip,) = at.act(rack).slips
        assert (slip.kind, slip.due) == (ch.OUT_OF_ORDER, paid)
        assert at.act(paid).slips == ()
        assert len(finish(at).slips) == 1
    else:
        assert at.act(paid).slips == ()
        assert at.act(rack).slips == ()
        assert finish(at).slips == ()


def progressive_fold_among_others(at: Session) -> bool:
    """True if a folded hand that is kept for its progressive and another folded hand are to be collected."""
    listed = coming(at)
    folds = [act.seat for act in listed if isinstance(act, a.TakeFold)]
    right = isinstance(right_act(at.table, at.chair), a.TakeFold)
    if not right or len(folds) < 2 or at.state.round.revealed:
        return False
    return a.TurnUp(place=f"seat {folds[-1]}") in listed


@pytest.mark.clause("SD-12-c", "SD-12-d")
def test_a_folded_hand_with_a_progressive_is_announced_before_the_other_folds_are_taken() -> None:
    """The dealer looks at it once all players have decided. The announcement begins no later step."""
    at = table_at(
        progressive_fold_among_others, {"ante": 500, "blind": 500, "progressive": 100}, "device", seats=6
    )
    *others, last = (act.seat for act in coming(at) if isinstance(act, a.TakeFold))
    # The hand is taken first. The other folds may wait.
    assert at.act(a.TakeFold(seat=last)).slips == ()
    entry = at.act(a.TurnUp(place=f"seat {last}"))
    turned = next(x.event for x in entry.changes if isinstance(x.event, e.HandTurned))
    assert at.act(a.ReadHand(place=f"seat {last}", reads=turned.reads)).slips == ()
    for seat in others:
        assert at.act(a.TakeFold(seat=seat)).slips == ()
    assert finish(at).slips == ()


@pytest.mark.clause("SD-12-d")
def test_the_other_folds_do_not_wait_until_the_dealers_cards_are_turned_up() -> None:
    at = table_at(
        progressive_fold_among_others, {"ante": 500, "blind": 500, "progressive": 100}, "device", seats=6
    )
    *_, last = (act.seat for act in coming(at) if isinstance(act, a.TakeFold))
    at.act(a.TakeFold(seat=last))
    assert at.act(a.TurnUp(place="dealer")).slips != ()


def test_under_a_rulebook_of_an_earlier_version_the_announcement_begins_its_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Records under such a rulebook must replay to their scores."""
    at = table_at(
        progressive_fold_among_others, {"ante": 500, "blind": 500, "progressive": 100}, "device", seats=6
    )
    for step in at.table.steps.values():
        monkeypatch.delitem(step.rules, "read_then", raising=False)
    *_, last = (act.seat for act in coming(at) if isinstance(act, a.TakeFold))
    at.act(a.TakeFold(seat=last))
    entry = at.act(a.TurnUp(place=f"seat {last}"))
    turned = next(x.event for x in entry.changes if isinstance(x.event, e.HandTurned))
    assert at.act(a.ReadHand(place=f"seat {last}", reads=turned.reads)).slips != ()
