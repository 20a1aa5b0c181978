"""Corrections of mispaid wagers, and supervisors' rulings on cases that no clause covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NoReturn

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.close_acts import open_wagers
from houseway.engine.command_helpers import Events, check_floor, refuse, seat_at
from houseway.engine.evolve import fold
from houseway.engine.fold_registry import mispaid_key
from houseway.engine.irregularity_rules import in_play
from houseway.engine.persons import HOUSE
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.void_hands import void_hand, void_round
from houseway.money import spoken
from houseway.rules.problems import suggest
from houseway.rules.procedure import Irregularity
from houseway.rules.toml_reader import Basis, Cited

RULING: Final = "ruling"
_VOID: Final = Irregularity(RULING, {}, "void", {}, (), Basis())
"""The consequence of a ruling that voids the round. It cites no clause."""
_REFUND: Final = replace(_VOID, rules={"settled": Cited(value=True)})
"""The consequence of a ruling that also undoes what was settled in the round."""


def make_ruling(table: Table, state: State, command: c.MakeRuling) -> Events:
    """Record a supervisor's ruling and return the events of its effect."""
    if command.by != HOUSE or command.effect not in HOUSE_EFFECTS:
        check_floor(command, "only a supervisor can make a ruling", None, RULING)
    if not command.name.strip():
        refuse("name-missing", "the ruling has no supervisor; name the supervisor who makes it")
    if not command.reason.strip():
        refuse("reason-missing", "the ruling has no reason; give one")
    effect = EFFECTS.get(command.effect)
    if effect is None:
        known = suggest(command.effect, EFFECTS)
        refuse("unknown-effect", f"{command.effect!r} is not an effect of a ruling; {known}")
    if state.section == "closed":
        refuse("table-closed", "the table is closed; open a table first")
    if command.effect != CORRECT and (command.wager or command.amount):
        refuse(
            "not-for-this-effect", f"leave out the wager and the amount, unless the effect is {CORRECT!r}"
        )
    ruling = e.RulingMade(
        name=command.name,
        reason=command.reason,
        effect=command.effect,
        by=command.by,
        seat=command.seat,
        hand=command.hand if command.seat else 0,
        wager=command.wager,
        amount=command.amount,
    )
    return [ruling, *effect(table, state, command)]


def _continues(table: Table, state: State, command: c.MakeRuling) -> list[e.Event]:
    """Return no events: play continues."""
    return []


def _voids_hand(table: Table, state: State, command: c.MakeRuling) -> list[e.Event]:
    """Void one hand and return its unsettled wagers; the other hands continue."""
    seat, number, which = seat_at(state, command.seat), command.seat, command.hand
    if not in_play(state) or state.round.void or state.round.betting != "closed":
        _not_now(state)
    if not 1 <= which <= len(seat.hands):
        refuse("no-such-hand", f"seat {number} has no hand {which}", where=f"seat {number}")
    if state.round.asked is not None and state.round.asked[0] == number:
        refuse("approval-needed", "a payment at this seat is waiting for approval; approve it first")
    events = void_hand(table, state, number, None, which)
    if not any(isinstance(event, e.WagersReturned) for event in events):
        sentence = f"seat {number} has no unsettled wager on this hand; correct a payment instead"
        refuse("nothing-to-void", sentence, where=f"seat {number}")
    hands = [(n, h) for n in state.round.players for h in enumerate(state.seats[n].hands, 1)]
    if [(n, h) for n, (h, hand) in hands if not hand.void] == [(number, which)]:
        # Without a hand in play the round is over.
        events.append(e.RoundVoided(why=RULING, trips=False))
    return events


def _voids_round(table: Table, state: State, command: c.MakeRuling) -> list[e.Event]:
    """Void every hand and return the unsettled wagers, even if only trips is still to be settled."""
    if not in_play(state) or state.round.void == "all":
        _not_now(state)
    return void_round(table, state, _VOID)


def _refunds_round(table: Table, state: State, command: c.MakeRuling) -> list[e.Event]:
    """Void every hand, undo what was settled in the round, and return every wager."""
    if not in_play(state) or (
        state.round.void == "all" and not (open_wagers(state) or state.round.settled)
    ):
        _not_now(state)
    events = void_round(table, state, _REFUND)
    after = fold(events, state)
    owing = next((number for number, seat in after.seats.items() if seat.chips < 0), None)
    if owing is not None:
        owes = spoken(-after.seats[owing].chips)
        sentence = f"seat {owing} would owe {owes} because of a correction; correct that payment first"
        refuse("not-enough-chips", sentence, where=f"seat {owing}")
    return events


def _corrects(table: Table, state: State, command: c.MakeRuling) -> list[e.Event]:
    """Pay a player more, or take back an overpayment."""
    number, wager, amount = command.seat, command.wager, command.amount
    seat, where = seat_at(state, number), f"seat {number}.{wager}"
    if wager not in table.book.wagers:
        known = suggest(wager, table.book.wagers)
        refuse("unknown-wager", f"there is no wager {wager!r}; {known}", where=where)
    if not amount or seat.chips + amount < 0:
        amounts = "enter the cents to pay, or a negative number to take back"
        sentence = f"{amounts}; the player has {spoken(seat.chips)}"
        refuse("bad-amount", sentence, where=where)
    if mispaid_key(seat.player, number, command.hand, wager) in state.mispaid:
        refuse("mispaid", f"the {wager} at seat {number} was mispaid; correct it without a ruling")
    paid = e.PaymentCorrected(
        seat=number,
        hand=command.hand,
        wager=wager,
        amount=amount,
        by=command.by,
        ruled=True,
        name=command.name,
    )
    return [paid]


def _not_now(state: State) -> NoReturn:
    why = "this round is already void" if in_play(state) and state.round.void else "no cards are in play"
    refuse("no-round", f"there is nothing to void; {why}")


CORRECT: Final = "correct payment"
REFUND: Final = "refund round"
EFFECTS: Final[dict[str, Any]] = {
    "continue": _continues,
    "void hand": _voids_hand,
    "void round": _voids_round,
    REFUND: _refunds_round,
    CORRECT: _corrects,
}
"""The effects that a ruling may have."""
HOUSE_EFFECTS: Final = ("void round", REFUND)
"""The rulings that the house makes itself, at a table that cannot continue and has no floor person."""


def mispay(table: Table, state: State, command: c.Mispay) -> Events:
    """Pay the wrong amount on a settled wager."""
    seat = seat_at(state, command.seat)
    where = f"seat {command.seat}.{command.wager}"
    at = (command.seat, command.hand, command.wager)
    line = next((s for s in state.round.settled if (s.seat, s.hand, s.wager) == at), None)
    if line is None or not seat.hands[0].made:
        refuse("not-settled", f"the {command.wager} at seat {command.seat} is not settled yet", where=where)
    if not command.amount or seat.chips + command.amount < 0:
        refuse(
            "bad-amount",
            "enter the overpaid cents, or a negative number if the player was underpaid",
            where=where,
        )
    return e.MispaymentMade(
        seat=command.seat, hand=command.hand, wager=command.wager, amount=command.amount, clause=line.clause
    )


def correct(table: Table, state: State, command: c.Correct) -> Events:
    """Correct a player's mispaid wager, in the same round or later, under the clause of the payment."""
    number, hand, wager = command.seat, command.hand, command.wager
    where = f"seat {number}.{wager}"
    seat = seat_at(state, number)
    overpaid, clause = state.mispaid.get(mispaid_key(seat.player, number, hand, wager), (0, None))
    if not overpaid:
        refuse("nothing-mispaid", f"{seat.player}'s {wager} bet was not mispaid", where=where)
    check_floor(command, "only a supervisor can correct a payment", clause, where)
    if seat.chips < overpaid:
        owes = f"seat {number} owes {spoken(overpaid)} but has {spoken(seat.chips)}"
        sentence = f"{owes}; buy more chips first"
        refuse("not-enough-chips", sentence, where=where)
    return e.PaymentCorrected(
        seat=number,
        hand=hand,
        wager=wager,
        amount=-overpaid,
        by=command.by,
        name=command.name,
        clause=clause,
    )


HANDLERS: dict[type[c.Command], Any] = {c.MakeRuling: make_ruling, c.Mispay: mispay, c.Correct: correct}
