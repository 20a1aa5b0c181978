"""Checks that only live tables apply to players' decisions. They are not in the engine, so old records
still replay."""

from __future__ import annotations

from houseway.cards import UNSEEN
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table


def hand_unseen(table: Table, state: State, command: c.Command) -> Refusal | None:
    """Return the refusal of a decision that would play unseen cards; None if there is none.

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
    sentence = f"the cards that {place} plays must be turned up first; name what you see"
    return Refusal("cards-unseen", table.clause(step) if step else None, place, sentence)
