"""Checks of players' decisions that only live tables make. They are not in the engine, because it must
still replay records that are older than these checks."""

from __future__ import annotations

from houseway.cards import UNSEEN
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table


def hand_unseen(table: Table, state: State, command: c.Command) -> Refusal | None:
    """Return a refusal if a decision would play unseen cards; otherwise None.

    The engine accepts such a decision, so that old records replay. A live table asks for the cards first.
    """
    if not table.shootout or not isinstance(command, c.Keep | c.Split | c.ActFor):
        return None
    seat = state.seats.get(command.seat)
    match command:
        case c.Keep():
            played = command.cards
        case c.Split():
            played = (*command.first, *command.second)
        case _:
            # The house way needs all four cards.
            played = seat.hands[0].cards if seat is not None else ()
    if UNSEEN not in played:
        return None
    place = f"seat {command.seat}"
    step = next((s for s in table.sections["round"] if s.act == "ask"), None)
    sentence = f"the cards that {place} plays must be turned up first; enter them when you see them"
    return Refusal("cards-unseen", table.clause(step) if step else None, place, sentence)
