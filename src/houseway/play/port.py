"""What a game is awaited for, and the error that ends one."""

from __future__ import annotations

from typing import Literal, NamedTuple

from houseway.errors import InputError

Why = Literal["bet", "decide", "act", "cards", "over", "left"]


class PlayError(InputError, ValueError):
    """A game that cannot be opened or continued; the sentence says why."""


class Awaited(NamedTuple):
    """What the person is awaited for: wagers, a decision, a dealer's act, cards to type, the next round."""

    why: Why
    seat: int = 0
    cards: int = 0
    place: str = ""
