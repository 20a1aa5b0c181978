"""The keypad that reports progressive awards: one press enters an award, a second press withdraws it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.close_acts import paid_awards
from houseway.engine.command_helpers import Events, refuse, seat_at
from houseway.engine.hand_facts import SettledHand
from houseway.engine.meters import MICRO, Award, Meters, in_cents
from houseway.engine.settle import Settler
from houseway.engine.showdown_acts import progressive_hand, settler, with_move
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.money import Share
from houseway.rules.compile import compile_wager
from houseway.rules.fact_groups.base import HAND
from houseway.rules.problems import suggest
from houseway.rules.procedure import Step


def key_award(table: Table, state: State, command: c.KeyAward) -> Events:
    """Press the keypad button of an award; a second press withdraws the award."""
    number, key, now = command.seat, command.hand, state.round
    hand = seat_at(state, number).hands[0]
    step = next((s for s in table.sections["round"] if "keyed" in s.rules), None)
    if step is None:
        refuse("no-keypad", f"{table.book.id} uses no keypad; settle the award without it")
    clause = table.clause(step, "keyed")
    if key not in table.terms.order:
        refuse("no-such-award", f"there is no hand {key!r}; {suggest(key, table.terms.order)}", clause)
    pressed = now.keyed.get(number)
    if pressed == key and "unkeyed" in step.rules:
        unkeyed_by = table.clause(step, "unkeyed")
        # Under old rulebooks, a second press after the payment was accepted.
        if step.rules["unkeyed"].value == "before payment" and number in paid_awards(state):
            sentence = f"seat {number}'s {key} has been paid; to change a payment, ask for a ruling"
            refuse("award-paid", sentence, unkeyed_by)
        _check_last(state, number, unkeyed_by)
        return unkey_event(state, number, unkeyed_by)
    if pressed == key:
        refuse("keyed-already", f"{key} is already keyed for seat {number}", clause)
    if pressed is not None:
        sentence = f"{pressed} is keyed for seat {number}; press {pressed} again to turn it off first"
        refuse("keyed-already", sentence, clause)
    complete = len(hand.cards) == table.hand_size and len(now.board) == table.board_size
    if not hand.collected or not complete or not now.revealed or not hand.shown:
        sentence = f"to key an award, seat {number} must have a progressive wager and its hand turned up"
        refuse("nothing-to-key", sentence, clause)
    settling = settler(table, state)
    spot = next(s for s in settling.spots if s.hand.seat == number)
    right = progressive_hand(table, settling, spot) == key
    keyed = e.AwardKeyed(seat=number, hand=key, right=right, clause=clause)
    if "meter_moves" not in step.rules:
        return keyed
    if right:
        award = _award(table, state, step, settling, spot)
    else:
        award = _mistaken_award(table, state, hand, key)
    if award is None:
        return keyed
    meter, awarded, seeded, released = award
    return replace(keyed, meter=meter, awarded=awarded, seeded=seeded, released=released * MICRO)


def unkey_event(state: State, number: int, clause: str | None) -> e.AwardUnkeyed:
    """Return the event that turns off a seat's award and moves its meter back."""
    event = e.AwardUnkeyed(seat=number, hand=state.round.keyed[number], clause=clause)
    moved = state.round.awards.get(number)
    return event if moved is None else with_move(event, moved)


def _check_last(state: State, number: int, clause: str | None) -> None:
    """Refuse to turn off an award while a later award from the same meter is keyed."""
    awards = state.round.awards
    seats = [n for n, award in awards.items() if number in awards and award.meter == awards[number].meter]
    if seats and seats[-1] != number:
        sentence = f"seat {seats[-1]}'s award from this meter was keyed later; turn that award off first"
        refuse("keyed-later", sentence, clause)


def _award(table: Table, state: State, step: Step, settling: Settler, spot: SettledHand) -> Award | None:
    """Return the award that a hand takes off a meter; None if it is paid from the chip rack.

    Awards from one meter are keyed in the order of payment.
    """
    share = settling.plan.outcome("progressive", spot).pays
    if type(share) is not Share:
        return None
    for other in settling.ordered(table.passes[step.pass_name]):
        if other is spot:
            break
        first = other.hand.seat
        if "progressive" in other.stakes and first not in state.round.awards:
            pays = settling.plan.outcome("progressive", other).pays
            if type(pays) is Share and pays.meter == share.meter:
                sentence = f"key the award of seat {first} first"
                refuse("out-of-order", sentence, table.direction(step, state))
    return settling.side.award(share)


def _mistaken_award(table: Table, state: State, hand: Hand, key: str) -> Award | None:
    """Return the award that comes off a meter when the dealer keys a hand that the player does not have.

    It is the award of the highest-paying row for the keyed hand; None if it is paid from the chip rack.
    """
    terms = table.terms
    rows = compile_wager(table.book, table.book.wagers["progressive"], terms.tables, table.mode).possible()
    share = next((outcome.pays for at, outcome in rows if outcome and at.get(HAND) == key), None)
    if type(share) is not Share:
        return None
    meters = Meters(terms, in_cents(state.meters), hand.collected)
    meters.hold(in_cents(state.reserves))
    return meters.award(share)


HANDLERS: dict[type[c.Command], Any] = {c.KeyAward: key_award}
