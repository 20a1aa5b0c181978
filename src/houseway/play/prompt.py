"""A game's prompt, and the error that ends a game."""

from __future__ import annotations

from typing import Literal, NamedTuple

from houseway.errors import InputError

PromptKind = Literal["bet", "decide", "act", "cards", "over", "left"]


class PlayError(InputError, ValueError):
    """A game cannot be opened or continued; the message says why."""


class Prompt(NamedTuple):
    """A request to the person: for wagers, a decision, a dealer's step, cards, or the next round."""

    kind: PromptKind
    seat: int = 0
    cards: int = 0
    place: str = ""
    text: str = ""
    """The whole question, without a full stop; empty if the question is for `cards` cards at `place`."""
