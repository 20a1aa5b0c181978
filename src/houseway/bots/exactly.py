"""A player without a mistake: the choice of the highest exact value."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from houseway.bots.basic import Basic
from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import View


class Best:
    """Bets as the sensible player does; plays by exact values, and sensibly where there are none yet."""

    def __init__(self, ready: Callable[[], bool] = lambda: True) -> None:
        self._ready = ready
        """Whether the solver is warm: no table waits for a compiler."""
        self._sensible = Basic()

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The wager that gets it dealt in, and no side bet."""
        return self._sensible.bet(table, view)

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """The best choice there is."""
        if table.shootout or not self._ready():
            return self._sensible.choose(table, view, options)
        # Imported where it is wanted: the kernels take seconds to load.
        from houseway.exact import odds

        own, board = cards(" ".join(view.yours.cards[0])), cards(" ".join(view.table.board))
        best = odds(table.terms, own, board).best
        return next((option for option in options if _called(option.command) == best), options[0])


def _called(command: c.Command) -> str:
    """A choice as the solver calls it."""
    return f"{command.times}x" if isinstance(command, c.Play) else type(command).__name__.lower()
