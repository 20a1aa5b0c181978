"""After an act that comes too early, the trainer does not deal, show or settle what should have come before
it; the trainee still has to do that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from houseway.client.training_messages import FACE_DOWN
from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import verdict_text
from houseway.training.chair_view import chair_events, chair_felt
from houseway.training.due_acts import ahead
from houseway.training.judge import Judgement, judge
from houseway.training.mistakes.mistake_moments import required_after
from houseway.training.model_dealer import right_act
from random_play.chance import modes_of
from training.sessions import Session
from training.test_happenings import plain_terms

FOLDING = ("uth-ma", "uth-sd", "uth-card", "uth-proc")
PLACES = [(book, mode) for book in FOLDING for mode in modes_of(book)]
BETS = {"ante": 500, "blind": 500, "trips": 500}


def table_at(
    rulebook: str, mode: str, reached: Callable[[Session], bool], wagers: dict[str, int] | None = None
) -> Session:
    """Deal at seeded tables with three players, one after another, and return the first one at which
    `reached` becomes true, at that moment."""
    for number in range(80):
        at = Session(rulebook, mode, number, given=plain_terms(rulebook, mode), seats=3)
        at.bets = dict.fromkeys((1, 2, 3), wagers or BETS)
        for _ in range(400):
            if reached(at):
                return at
            right = right_act(at.table, at.chair)
            if isinstance(right, a.TakeStep) and right.what == "close":
                break
            at.step()
    raise AssertionError("this was never reached")


def reveal_is_due(at: Session) -> bool:
    """True if the dealer's cards are turned up next, and two hands are settled after that."""
    playing = [n for n, s in at.state.seats.items() if "play" in s.hands[0].wagers]
    return len(playing) > 1 and right_act(at.table, at.chair) == a.TurnUp(place="dealer")


def due_later(at: Session, fits: Callable[[a.ChairAct], bool]) -> a.ChairAct:
    """Return the last act of the round that fits."""
    acts = [one.act for group in ahead(at.table, at.state, at.chair.queue) for one in group]
    return next(act for act in reversed(acts) if fits(act))


def finish(at: Session) -> Judgement:
    """Play to the end of the round by the document, and judge it."""
    at.play_round()
    return judge(at.table, at.chair)


@pytest.mark.parametrize("kind", [a.Take, a.Push, a.Rack, a.TurnUp, a.ReadHand])
@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_an_early_act_does_not_turn_up_the_dealers_cards(
    rulebook: str, mode: str, kind: type[a.ChairAct]
) -> None:
    def fits(act: a.ChairAct) -> bool:
        seat = getattr(act, "seat", 0) or "seat" in getattr(act, "place", getattr(act, "what", ""))
        return type(act) is kind and bool(seat)

    def reached(at: Session) -> bool:
        acts = (one.act for group in ahead(at.table, at.state, at.chair.queue) for one in group)
        return reveal_is_due(at) and any(map(fits, acts))

    at = table_at(rulebook, mode, reached)
    act = due_later(at, fits)
    before = at.state
    entry = at.act(act)
    assert entry.changes == ()
    assert at.state == before
    assert [(slip.kind, slip.due) for slip in entry.slips] == [(ch.OUT_OF_ORDER, a.TurnUp(place="dealer"))]
    # The rest of the round is dealt in the document's order.
    assert [one.kind for one in finish(at).slips] == [ch.OUT_OF_ORDER]


def test_the_felt_shows_what_was_done_early() -> None:
    at = table_at("uth-ma", "manual", reveal_is_due)
    seat = next(n for n, s in at.state.seats.items() if "play" in s.hands[0].wagers)
    at.act(a.Take(seat=seat, wager="trips"))
    at.act(a.TurnUp(place=f"seat {seat}"))
    felt = chair_felt(at.table, at.chair, 0)
    hand = next(one for one in felt.seats if one.seat == seat).hands[0]
    assert "trips" not in hand.wagers
    assert "ante" in hand.wagers
    assert hand.cards == tuple(map(str, at.state.seats[seat].hands[0].cards))
    assert set(felt.dealer) == {FACE_DOWN}
    at.act(a.Rack(what=f"seat {seat}"))
    felt = chair_felt(at.table, at.chair, 0)
    assert next(one for one in felt.seats if one.seat == seat).hands[0].cards == ()


def test_a_wager_taken_early_that_wins_is_a_wrong_amount_when_its_turn_comes() -> None:
    def reached(at: Session) -> bool:
        acts = [one.act for group in ahead(at.table, at.state, at.chair.queue) for one in group]
        return reveal_is_due(at) and any(isinstance(one, a.Pay) and one.wager == "play" for one in acts)

    at = table_at("uth-ma", "manual", reached)
    paid = due_later(at, lambda act: isinstance(act, a.Pay) and act.wager == "play")
    assert isinstance(paid, a.Pay)
    at.act(a.Take(seat=paid.seat, wager="play"))
    judged = finish(at)
    assert sorted(one.kind for one in judged.slips) == [ch.OUT_OF_ORDER, ch.WRONG_AMOUNT]
    wrong = next(one for one in judged.slips if one.kind == ch.WRONG_AMOUNT)
    lines = (x.event for entry in judged.entries for x in entry.changes)
    settled = (one for one in lines if isinstance(one, e.WagerSettled) and one.seat == paid.seat)
    assert wrong.amount == -next(one.back for one in settled if one.wager == "play")


def test_the_dealers_cards_that_are_never_turned_up_are_one_slip() -> None:
    at = table_at("uth-ma", "manual", reveal_is_due)

    def choose(at: Session) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        return required_after(at) if right == a.TurnUp(place="dealer") else None

    at.play_round(choose)
    judged = judge(at.table, at.chair)
    assert [(one.kind, one.due) for one in judged.slips] == [(ch.MISSED, a.TurnUp(place="dealer"))]
    shown = [x for entry in judged.entries for x in entry.changes if isinstance(x.event, e.DealerRevealed)]
    assert [x.origin for x in shown] == [ch.TRAINER]
    assert isinstance(judged.entries[-1].input, a.TakeStep)
    assert shown[0] in judged.entries[-1].changes


def several_hands_with_a_push(at: Session) -> bool:
    """True if the first of two hands is settled next, and a wager of the first one pushes."""
    right = right_act(at.table, at.chair)
    if not isinstance(right, a.TurnUp) or right.place == "dealer" or not at.state.round.revealed:
        return False
    playing = [n for n, s in at.state.seats.items() if "play" in s.hands[0].wagers]
    first = right.place == f"seat {max(playing)}" and len(playing) > 1
    return first and any(isinstance(one.act, a.Push) and one.optional for one in at.chair.queue)


def test_a_push_of_a_hand_that_was_passed_over_stays_possible_and_right() -> None:
    at = table_at("uth-ma", "manual", several_hands_with_a_push, {"ante": 500, "blind": 500})
    push = next(one.act for one in at.chair.queue if isinstance(one.act, a.Push))
    playing = [n for n, s in at.state.seats.items() if "play" in s.hands[0].wagers]
    at.act(a.TurnUp(place=f"seat {min(playing)}"))
    # The wager of the other hand, which is face down, stays on the layout.
    assert push.wager in at.state.seats[push.seat].hands[0].wagers

    def choose(at: Session) -> a.ChairAct | None:
        right = right_act(at.table, at.chair)
        racks = right == a.Rack(what=f"seat {push.seat}")
        return push if racks and push not in [entry.input for entry in at.chair.entries] else None

    at.play_round(choose)
    seen = [entry.slips for entry in at.log if entry.input == push]
    assert seen == [()]
    assert [one.kind for one in judge(at.table, at.chair).slips] == [ch.OUT_OF_ORDER]


def test_a_wager_that_pushes_may_be_pushed_after_the_cards_are_racked() -> None:
    at = table_at("uth-ma", "manual", several_hands_with_a_push, {"ante": 500, "blind": 500})
    push = next(one.act for one in at.chair.queue if isinstance(one.act, a.Push))
    for one in [one for one in at.chair.queue if not one.optional]:
        at.act(one.act)
    assert at.act(push).slips == ()
    # It can be pushed once.
    assert [slip.kind for slip in at.act(push).slips] == [ch.NOT_DUE]


def test_paying_a_wager_that_pushes_is_a_slip_whose_due_act_is_the_push() -> None:
    at = table_at("uth-ma", "manual", several_hands_with_a_push, {"ante": 500, "blind": 500})
    push = next(one.act for one in at.chair.queue if isinstance(one.act, a.Push))
    for one in [one for one in at.chair.queue if not one.optional]:
        at.act(one.act)
    entry = at.act(a.Pay(seat=push.seat, wager=push.wager, chips={500: 1}))
    assert [(slip.kind, slip.due, slip.amount) for slip in entry.slips] == [(ch.WRONG_AMOUNT, push, 500)]


def test_an_act_of_the_trainer_is_announced_as_the_trainers() -> None:
    at = Session("uth-ma", "manual", 5, given={"mode": "manual"}, seats=2)
    at.play_to(lambda s: right_act(s.table, s.chair) == a.TakeStep(what="close betting"))
    entry = at.act(a.DealCards(place="seat 1"))
    seen = chair_events(at.table, [entry], at.state)
    assert [(one.who, one.words) for one in seen] == [
        ("you", "Dealt 1 card to seat 1"),
        ("trainer", "closed betting"),
    ]


def test_a_round_that_cannot_be_closed_yet_is_not_announced_as_closed() -> None:
    at = Session("uth-proc", "device", 5, given={"mode": "device"}, seats=1)
    at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))
    entry = at.act(a.TakeStep(what="close"))
    assert at.state.section == "round"
    assert [one.words for one in chair_events(at.table, [entry], at.state)] == [
        "Tried to close the round, but it cannot be closed now"
    ]
    slip = finish(at).slips[0]
    assert (slip.kind, verdict_text(at.table, slip).partition(".")[0]) == (
        ch.NOT_DUE,
        "Tried to close the round",
    )
    closed = at.chair.entries[-1]
    assert chair_events(at.table, [closed], at.state)[0].words == "Closed the round"
