"""The moments at which a mistake can be planted, and the wrong acts that replace the right one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from houseway.engine import events as e
from houseway.engine.evolve import fold
from houseway.engine.turn_order import due, turns
from houseway.rules.procedure import Step
from houseway.training import acts as a
from houseway.training.chips import make, tray_values
from houseway.training.due_acts import ahead, contest
from houseway.training.early_cards import not_done_early
from houseway.training.mistakes.mistake import DealtTable, Moment, Wrong

# --- moments ---


def on(kind: type[a.ChairAct], **fields: Any) -> Moment:
    """Return the moment when an act of a kind is due, with these fields."""

    def reached(at: DealtTable, act: Any) -> bool:
        return type(act) is kind and all(getattr(act, name) == value for name, value in fields.items())

    return reached


def line_of(at: DealtTable) -> e.WagerSettled:
    """Return the settled wager of the act that is due."""
    return at.chair.queue[0].lines[0]


def wager(name: str, result: str, **more: Any) -> Moment:
    """Return the moment when a wager of this name is due and has this result."""

    def reached(at: DealtTable, act: a.ChairAct) -> bool:
        if not isinstance(act, a.WagerAct) or act.wager != name or act.tip or not at.chair.queue:
            return False
        lines = at.chair.queue[0].lines
        if len(lines) != 1 or lines[0].result != result or lines[0].coupon:
            return False
        return all(getattr(lines[0], part) == value for part, value in more.items())

    return reached


def both(*moments: Moment) -> Moment:
    """Return the moment when all of these are reached."""
    return lambda at, act: all(moment(at, act) for moment in moments)


def no_qualifying(at: DealtTable, act: Any) -> bool:
    """True if the dealer's hand does not qualify."""
    return at.state.round.qualifies is False


def qualifying(at: DealtTable, act: Any) -> bool:
    """True if the dealer's hand qualifies."""
    return at.state.round.qualifies is True


def beats_dealer(at: DealtTable, act: a.WagerAct) -> bool:
    """True if the hand of the act beats the dealer's hand."""
    hand = at.state.seats[act.seat].hands[act.hand - 1]
    return contest(at.table, at.state, hand.cards) == "win"


def several_to_settle(at: DealtTable, act: a.ChairAct) -> bool:
    """True if the first hand of several is to be turned up for settlement."""
    waiting = [n for n, s in at.state.seats.items() if "play" in s.hands[0].wagers]
    return len(waiting) > 1 and isinstance(act, a.TurnUp) and act.place == f"seat {max(waiting)}"


def nobody_asked(at: DealtTable, act: a.ChairAct) -> bool:
    """True if the first of several players is to be asked."""
    return isinstance(act, a.Ask) and not at.chair.asked and len(undecided(at)) > 1


def last_asked(at: DealtTable, act: a.ChairAct) -> bool:
    """True if the last of several players is to be asked."""
    return isinstance(act, a.Ask) and len(at.chair.asked) > 0 and len(undecided(at)) == 1


def undecided(at: DealtTable) -> list[int]:
    """Return the seats that have not decided in the current step."""
    asking = asking_step(at)
    hands = {n: s.hands[0] for n, s in at.state.seats.items()}
    return [n for n, h in hands.items() if asking and h.cards and not h.locked and h.acted != asking.stage]


def in_play(at: DealtTable) -> list[int]:
    """Return the seats that have neither folded nor made a play wager."""
    return [n for n, s in at.state.seats.items() if s.hands[0].cards and not s.hands[0].locked]


def asking_step(at: DealtTable) -> Step | None:
    """Return the step in which players decide now, or None."""
    now = due(at.table, at.state)
    return now.step if now is not None and now.step.act == "ask" else None


def stage(name: str) -> Moment:
    """Return the moment when a player is to be asked in this step."""

    def reached(at: DealtTable, act: a.ChairAct) -> bool:
        asking = asking_step(at)
        return isinstance(act, a.Ask) and asking is not None and asking.name == name

    return reached


def checked(at: DealtTable, act: a.ChairAct) -> bool:
    """True if the first player who was asked has checked."""
    return bool(at.chair.asked) and not at.state.seats[at.chair.asked[0]].hands[0].locked


def folded(at: DealtTable, act: Any) -> bool:
    """True if the act concerns a hand that folded."""
    return bool(at.state.seats[act.seat].hands[0].folded)


def standing(at: DealtTable, act: Any) -> bool:
    """True if the act concerns a hand that did not fold."""
    return not folded(at, act)


def loses(at: DealtTable, act: a.ChairAct) -> bool:
    """True if the hand that is turned up next loses its play wager."""
    acts = [one.act for one in at.chair.queue]
    return any(isinstance(one, a.Take) and one.wager == "play" for one in acts)


def payment_cut(at: DealtTable, act: Any) -> bool:
    """True if a limit cuts the payment that is due."""
    return isinstance(act, a.Pay) and bool(at.chair.queue) and line_of(at).cut > 0


def some_seat(at: DealtTable) -> int:
    """Return the second seat that is dealt in, or the only one."""
    players = sorted(at.state.round.players)
    return players[min(1, len(players) - 1)]


def at_some_seat(moment: Moment) -> Moment:
    """Return a moment, limited to the place that `some_seat` names."""

    def reached(at: DealtTable, act: Any) -> bool:
        place = getattr(act, "place", getattr(act, "what", ""))
        return moment(at, act) and place == f"seat {some_seat(at)}"

    return reached


# --- what the dealer does instead ---


def required_after(at: DealtTable, count: int = 1) -> a.ChairAct:
    """Skip the next `count` acts and return the first required act after them that is not done yet."""
    acts = [one for group in ahead(at.table, at.state, at.chair.queue) for one in group]
    required = [one.act for one in not_done_early(acts, at.chair.early)[count:] if not one.optional]
    if required:
        return required[0]
    then = fold((event for one in acts for event in one.events), at.state)
    return a.Ask(seat=turns(at.table, then)[0])


def required(at: DealtTable, act: Any) -> bool:
    """True if the act that is due must be done."""
    return bool(at.chair.queue) and not at.chair.queue[0].optional


def is_waiting(at: DealtTable, act: a.ChairAct) -> bool:
    """True if an act was passed over and may still be done, while another one is due."""
    due_first = bool(at.chair.queue) and at.chair.queue[0].is_done_by(act)
    return not due_first and any(one.due.is_done_by(act) for one in at.chair.passed)


def payment_ahead(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    """Call the floor and pay the award without keying it."""
    acts = [one.act for group in ahead(at.table, at.state, at.chair.queue) for one in group]
    paid = next(one for one in acts if isinstance(one, a.Pay) and one.seat == act.seat)
    return [a.CallFloor(), paid]


def left_out(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    """Never do the act."""
    return []


def next_first(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    """Do the next act first."""
    return [required_after(at)]


def pay(cents: Callable[[e.WagerSettled], int]) -> Wrong:
    """Pay an amount on the wager that is due."""

    def wrong(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
        return [paid(at, act, cents(line_of(at)))]

    return wrong


def paid(at: DealtTable, act: a.WagerAct, cents: int) -> a.WagerAct:
    """Return the payment of an amount on a wager, in the chips of the table."""
    return on_wager(a.Pay, act, chips=make(tray_values(at.table), cents))


def on_wager(kind: type[a.WagerAct], act: a.WagerAct, **more: Any) -> a.WagerAct:
    """Return an act of another kind on the same wager."""
    return kind(seat=act.seat, hand=act.hand, wager=act.wager, tip=act.tip, of=act.of, **more)


def take(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    """Take the wager."""
    return [on_wager(a.Take, act)]


def push(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    """Leave the wager to the player."""
    return [on_wager(a.Push, act)]


def first(*acts: a.ChairAct) -> Wrong:
    """Do these acts first, then continue by the document."""
    return lambda at, act: acts


def lowest_seat(at: DealtTable, act: Any) -> Sequence[a.ChairAct]:
    """Turn up the hand on the dealer's left first."""
    seats = [n for n, s in at.state.seats.items() if "play" in s.hands[0].wagers]
    return [a.TurnUp(place=f"seat {min(seats)}")]


def due_on(at: DealtTable, name: str) -> a.ChairAct:
    """Return the act that is due on a wager of the hand that is settled now."""
    acts = [one.act for one in at.chair.queue]
    return next(act for act in acts if isinstance(act, a.WagerAct) and act.wager == name)
