"""What a command is answered with, and the small questions every answer asks."""

from __future__ import annotations

from typing import Final

from houseway.engine.events import Event
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.state import Seat, State

Answer = tuple[Event, ...] | Refusal

FLOOR: Final = frozenset({"floor", "floorperson", "supervisor"})
"""Who may order what a dealer may not: the first word of the actor."""
DEADLINE: Final = "deadline"
"""A supervisor's standing word about a player who does not answer, and about nothing else."""


def is_floor(by: str) -> bool:
    """Whether an actor speaks for the floor."""
    return by.partition(" ")[0] in FLOOR


def refuse(code: str, clause: str | None, where: str, message: str) -> Refusal:
    """A refusal."""
    return Refusal(code, clause, where, message)


def seat_at(state: State, number: int) -> Seat:
    """The player at a seat; refused if nobody sits there."""
    seat = state.seats.get(number)
    if seat is None:
        taken = ", ".join(map(str, state.seats)) or "none"
        raise RefusalError(
            "nobody-there", None, f"seat {number}", f"nobody sits at seat {number}; taken: {taken}"
        )
    return seat


def in_round(seat: Seat) -> bool:
    """Whether a seat has wagers or cards in the round under way."""
    return any(h.wagers or h.tips or h.collected or (h.cards and not h.racked) for h in seat.hands)


def hand_name(number: int, hand: int, hands: int) -> str:
    """How a hand is called in the rack and in reports: "seat 3", or "seat 3 hand 2" of a split."""
    return f"seat {number}" if hands == 1 else f"seat {number} hand {hand}"
