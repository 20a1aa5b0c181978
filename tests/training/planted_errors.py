"""Errors of dealers: each is planted at its moment in a round that follows the document otherwise.

A planted error names its rulebook and deal mode, and every slip that must be found: its kind, the clause in
the document, and for money the cents and the direction. What the dealer does is in the catalogue of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from houseway.engine import events as e
from houseway.training import chair as ch
from houseway.training.mistakes.all_mistakes import MISTAKES
from houseway.training.mistakes.mistake import DealerMistake

Amount = Callable[[e.WagerSettled], int]

MA, SD, CARD, PROC, TS = "uth-ma", "uth-sd", "uth-card", "uth-proc", "shootout-sd"


@dataclass(frozen=True)
class Found:
    """A slip that must be found."""

    kind: str
    clause: str | None
    amount: Amount | None = None
    """The cents paid beyond the amount due, from the settled wager at the moment of the error."""


@dataclass(frozen=True)
class Planted:
    """One kind of error under one rulebook."""

    name: str
    book: str
    mode: str
    found: tuple[Found, ...]
    given: dict[str, Any] = field(default_factory=dict)
    seats: int = 3

    @property
    def mistake(self) -> DealerMistake:
        """What the dealer does."""
        return MISTAKES[self.name]

    def __str__(self) -> str:
        return self.name


OUT, MISSED, NOT_DUE, AMOUNT = ch.OUT_OF_ORDER, ch.MISSED, ch.NOT_DUE, ch.WRONG_AMOUNT


def stake(line: e.WagerSettled) -> int:
    """The stake, to the player."""
    return line.stake


def minus_won(line: e.WagerSettled) -> int:
    """The winnings, against the player."""
    return -line.won


def minus_back(line: e.WagerSettled) -> int:
    """Stake and winnings, against the player."""
    return -line.back
