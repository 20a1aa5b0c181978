"""The dealer's acts that may be done in another order, as the steps of the procedure declare.

A step with `free_from` may be done as soon as those steps are over, and a step with `free_until` may wait
until the first of those steps begins. Waiting is transitive: if one of those steps may itself wait, the
step may wait as long as that one. The acts of a step with `any_order` come in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.engine import events as e
from houseway.engine.fold_registry import CardPlace, card_place, seat_of
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.rules.procedure import Step
from houseway.training import acts as a
from houseway.training.due_acts import DueAct, hand_class

ONCE_SETTLED: Final = "once settled"
"""The value of a step's rule `racked` if a hand may be racked as soon as its own wagers are settled."""

STAYS_OPEN: Final = "stays_open"
"""The rule of a step that keeps betting open until the dealer announces its close."""

READ_THEN: Final = "read_then"
"""The rule of a step that lets the dealer announce a folded hand as soon as it is turned up."""

LOST_FIRST: Final = "lost_first"
"""The rule of a step that lets the dealer take the wagers that a fold loses before the hand is paid."""


def may_be_early(table: Table, item: DueAct, before: Iterable[DueAct]) -> bool:
    """True if the document lets an act come before others that are due earlier."""
    left = list(before)
    if racks_once_settled(table, item):
        return not any(one.seat == _racked_seat(item.act) for one in left)
    return all(_is_after(table, item, one) for one in left)


def may_come_now(table: Table, act: a.TakeStep, now: Step) -> bool:
    """True if the document lets a later step of the round be done already, while `now` is due."""
    steps = table.sections["round"]
    named = (one for one in steps if act.what in (one.act, one.name) and one.free_from)
    step = next(named, None)
    start = _places(table, step.free_from) if step is not None else []
    return (
        step is not None and bool(start) and max(start) < _place(table, now.name) < _place(table, step.name)
    )


def may_wait(table: Table, item: DueAct, step: str) -> bool:
    """True if the document lets an act wait although an act of a later step is done first."""
    return step in table.steps and _waits_beyond(table, item.step, step)


def keeps_betting_open(table: Table, item: DueAct, before: Iterable[DueAct]) -> bool:
    """True if an act comes before the close of betting and betting stays open, because the announcement and
    the other acts before it may wait.
    """
    left = list(before)
    closes = [one for one in left if any(isinstance(event, e.BettingClosed) for event in one.events)]
    steps = (_step(table, one) for one in closes)
    stays = any(step is not None and STAYS_OPEN in step.rules for step in steps)
    return stays and all(may_wait(table, one, item.step) for one in left)


def racks_once_settled(table: Table, item: DueAct) -> bool:
    """True if an act racks a hand that may be racked as soon as its own wagers are settled."""
    step = _step(table, item)
    rule = step.rules.get("racked") if step is not None else None
    return bool(_racked_seat(item.act)) and rule is not None and rule.value == ONCE_SETTLED


def must_not_wait(table: Table, item: DueAct, step: str) -> bool:
    """True if an act could wait, but not beyond an act of this step."""
    own = _step(table, item)
    if own is None or not step or (own.any_order and step == own.name):
        return False
    return (own.any_order or bool(own.free_until)) and not may_wait(table, item, step)


def in_any_order(table: Table, state: State, item: DueAct, other: DueAct) -> bool:
    """True if two acts may come in any order: both belong to a step that says so, or the round is void.

    The acts on one hand keep their order. No document says in which order the hands of a void round are
    collected.
    """
    own, others = _owner(item), _owner(other)
    if own and own == others:
        return False
    if state.round.void and own and others:
        return seat_of(own) > 0 or isinstance(other.left, a.Rack)
    step = _step(table, item)
    return step is not None and step.any_order and item.step == other.step


def takes_lost_first(table: Table, act: a.ChairAct, item: DueAct, other: DueAct) -> bool:
    """True if an act takes a wager that a fold has lost, and the other act shows or pays the same hand.

    The document collects the ante and the blind before it pays trips, and it also pays trips before it
    collects the fold. Both orders are right.
    """
    step = _step(table, item)
    same = item.seat == other.seat and item.step == other.step
    lost = isinstance(act, a.Take) and item.part(act) is not None
    return same and lost and step is not None and LOST_FIRST in step.rules


def racks_unpaid(table: Table, act: a.ChairAct, item: DueAct, other: DueAct) -> bool:
    """True if an act racks a folded hand, and the other act pays the same hand."""
    step = _step(table, item)
    same = item.seat == other.seat and item.step == other.step
    racks = isinstance(act, a.Rack | a.TakeFold) and isinstance(other.act, a.Pay)
    return same and racks and step is not None and LOST_FIRST in step.rules


def begins_step(table: Table, item: DueAct) -> bool:
    """True if an act that was put off begins its step, so that nothing may wait for that step any longer.

    The announcement of a folded hand that the dealer has looked at does not.
    """
    step = _step(table, item)
    return not (isinstance(item.act, a.ReadHand) and step is not None and READ_THEN in step.rules)


def look(table: Table, state: State, act: a.ChairAct) -> e.HandTurned | None:
    """Return the event that turns up a folded hand before its turn, if the document lets the dealer look.

    A wager of the hand depends on its cards, and all players have decided. Return None otherwise.
    """
    now = due(table, state)
    number = seat_of(act.place) if isinstance(act, a.TurnUp) else 0
    seat = state.seats.get(number)
    if now is None or seat is None or state.section != "round":
        return None
    hand = seat.hands[0]
    if not hand.folded or hand.shown or hand.racked or hand.unread or hand.void:
        return None
    steps = table.sections["round"]
    asks = max((n for n, step in enumerate(steps) if step.act == "ask"), default=-1)
    here = next((n for n, step in enumerate(steps) if step.name == now.step.name), -1)
    reads = hand_class(table, state, hand.cards)
    if here <= asks or not reads:
        return None
    for step in steps[here:]:
        rule = step.rules.get("may_look")
        if rule is not None and hand.holds(str(rule.value)):
            clause = table.clause(step, "may_look")
            return e.HandTurned(seat=number, hand=1, face=hand.cards, reads=reads, clause=clause)
    return None


def taken_unseen(table: Table, state: State, act: a.ChairAct, item: DueAct) -> bool:
    """True if an act takes a folded hand whose cards decide a wager, and nobody has looked at them."""
    step = _step(table, item)
    if not isinstance(act, a.TakeFold) or step is None or "may_look" not in step.rules:
        return False
    return not state.seats[act.seat].hands[0].shown


def _waits_beyond(table: Table, name: str, later: str) -> bool:
    """True if a step may wait although a later one is done first.

    A step that may wait until another one begins waits as long as that one may wait itself.
    """
    own = table.steps.get(name)
    until = [one for one in own.free_until if one in table.steps] if own is not None else []
    place = _place(table, later)
    return bool(until) and all(
        place < _place(table, one) or (later != one and _waits_beyond(table, one, later)) for one in until
    )


def _is_after(table: Table, item: DueAct, other: DueAct) -> bool:
    """True if an act may be done once certain steps are over, and another act comes after them."""
    step = _step(table, item)
    start = _places(table, step.free_from) if step is not None else []
    return bool(start) and other.step in table.steps and _place(table, other.step) > max(start)


def _owner(item: DueAct) -> str:
    """Return the place of the cards or the wager that an act is about; empty for any other act."""
    if item.seat:
        return f"seat {item.seat}"
    seat = _racked_seat(item.left)
    return f"seat {seat}" if seat else item.left.what if isinstance(item.left, a.Rack) else ""


def _racked_seat(act: a.ChairAct) -> int:
    """Return the seat whose hand is racked; 0 for any other act."""
    place = card_place(act.what) if isinstance(act, a.Rack) else CardPlace()
    return 0 if place.discards else place.seat


def _step(table: Table, item: DueAct) -> Step | None:
    return table.steps.get(item.step)


def _places(table: Table, names: Iterable[str]) -> list[int]:
    return [_place(table, name) for name in names if name in table.steps]


def _place(table: Table, name: str) -> int:
    return list(table.steps).index(name)
