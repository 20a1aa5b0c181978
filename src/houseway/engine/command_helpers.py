"""What a command is answered with, and the small questions every answer asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from msgspec.structs import astuple

from houseway.engine.commands import Command
from houseway.engine.events import Event
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.state import Seat, State

Answer = tuple[Event, ...] | Refusal
Events = Event | list[Event] | tuple[Event, ...]
"""What a handler returns for a command it does not refuse: one event or several."""

FLOOR: Final = frozenset({"floor", "floorperson", "supervisor"})
"""Who may order what a dealer may not: the first word of the actor."""
DEADLINE: Final = "deadline"
"""A supervisor's standing word about a player who does not answer, and about nothing else."""


def is_floor(by: str) -> bool:
    """Whether an actor speaks for the floor."""
    return by.partition(" ")[0] in FLOOR


def refuse(code: str, message: str, clause: str | None = None, where: str = "") -> NoReturn:
    """Refuse the command; a refusal without a place of its own names the command's."""
    raise RefusalError(code, clause, where, message)


def refuse_first(found: Sequence[Refusal]) -> None:
    """Refuse the command for the first of some reasons, if there is one."""
    if found:
        raise RefusalError(*astuple(found[0]))


def check_floor(command: Command, message: str, clause: str | None, where: str = "") -> None:
    """Refuse a command that only the floor may give."""
    if not is_floor(command.by):
        refuse("not-the-floor", message, clause, where)


def seat_at(state: State, number: int) -> Seat:
    """The player at a seat; refused if nobody sits there."""
    seat = state.seats.get(number)
    if seat is None:
        taken = ", ".join(map(str, state.seats)) or "none"
        refuse("nobody-there", f"nobody sits at seat {number}; taken: {taken}", where=f"seat {number}")
    return seat


def hand_name(number: int, hand: int, hands: int) -> str:
    """How a hand is called in the rack and in reports: "seat 3", or "seat 3 hand 2" of a split."""
    return f"seat {number}" if hands == 1 else f"seat {number} hand {hand}"
