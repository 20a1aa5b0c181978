"""What a table asks of a bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import View

DECISIONS = (c.Check, c.Play, c.Fold, c.Keep, c.Split)


class Bot(Protocol):
    """A player that is a program. It is handed its seat's view, never the state of the table."""

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """Cents by wager for the round that opens; empty to sit it out."""
        ...

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """One of the decisions its seat is asked for."""
        ...


def decisions(options: Sequence[Option]) -> list[Option]:
    """Those of a seat's options that answer the dealer: no standing up, no leaving, no challenge."""
    return [option for option in options if isinstance(option.command, DECISIONS)]
