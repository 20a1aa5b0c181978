"""Helpers for command handlers: build the answer to a command, and make the checks that most handlers
share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NoReturn

from msgspec.structs import astuple

from houseway.engine.commands import Command
from houseway.engine.events import Event
from houseway.engine.refusals import Refusal, RefusalError
from houseway.engine.state import Seat, State
from houseway.rules.compare.value_words import listed
from houseway.rules.procedure import TITLES

Answer = tuple[Event, ...] | Refusal
Events = Event | list[Event] | tuple[Event, ...]
"""The event or events that a handler returns for a command it accepts."""

_FLOOR: Final = tuple(f"{title} " for title in TITLES["floor"])
DEADLINE: Final = "deadline"
"""The sender of commands for a player or dealer whose time has run out: `ActFor`, `AnswerChallenge`."""


@lru_cache(maxsize=256)
def is_floor(by: str) -> bool:
    """True if a sender's title has the authority of the floor: "floorperson", "casino supervisor".

    A name may follow the title, as in "casino supervisor Ann".
    """
    return f"{by.lower()} ".startswith(_FLOOR)


def refuse(code: str, message: str, clause: str | None = None, where: str = "") -> NoReturn:
    """Refuse the command. If `where` is empty, the refusal names the command's `where`."""
    raise RefusalError(code, clause, where, message)


def refuse_first(refusals: Sequence[Refusal]) -> None:
    """Refuse the command with the first refusal in the list; do nothing if the list is empty."""
    if refusals:
        raise RefusalError(*astuple(refusals[0]))


def check_floor(command: Command, message: str, clause: str | None, where: str = "") -> None:
    """Refuse the command unless the floor sent it."""
    if not is_floor(command.by):
        refuse("not-the-floor", message, clause, where)


def seats_text(numbers: Iterable[int]) -> str:
    """Return seat numbers for use in a sentence: "seat 3" or "seats 1, 3 and 4"."""
    words = [str(number) for number in sorted(numbers)]
    return f"{'seat' if len(words) == 1 else 'seats'} {listed(words)}"


def seat_at(state: State, number: int, clause: str | None = None) -> Seat:
    """Return the seat with this number; refuse the command, with the clause, if the seat is empty."""
    seat = state.seats.get(number)
    if seat is None:
        others = f"occupied: {seats_text(state.seats)}" if state.seats else "no player is seated"
        refuse("nobody-there", f"seat {number} is empty; {others}", clause, f"seat {number}")
    return seat


def hand_name(number: int, hand: int, hands: int) -> str:
    """Return a hand's name in the rack and in reports: "seat 3", or "seat 3 hand 2" after a split."""
    return f"seat {number}" if hands == 1 else f"seat {number} hand {hand}"
