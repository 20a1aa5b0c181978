"""A beginner: plays what looks good, checks what does not, and folds only nothing at all."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.bots.basic import Basic
from houseway.cards import RANKS, cards
from houseway.engine import commands as c
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import View
from houseway.ranking import read

HIGH = "K"
"""The lowest card a beginner calls high."""


class Beginner:
    """Likes a side bet; plays the least before the flop, with a pair or two high cards."""

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The least on the wager that gets it dealt in, and on the first side bet beside it."""
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            beside = len(wagers) == 1 and any(name in wagers for name in spot.beside)
            if beside or (not wagers and not spot.beside):
                wagers[spot.wager] = spot.least
        return wagers

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """Play with any pair or better, or two high cards before the flop."""
        if table.shootout:
            return Basic().choose(table, view, options)
        own, board = cards(" ".join(view.yours.cards[0])), cards(" ".join(view.table.board))
        if board:
            likes = read((*own, *board), table.terms.order).name != "high card"
        else:
            likes = own[0].rank == own[1].rank or all(card.rank >= RANKS.index(HIGH) for card in own)
        plays = [option for option in options if isinstance(option.command, c.Play)]
        if plays and likes:
            return min(plays, key=lambda option: option.costs)
        return next(option for option in options if not isinstance(option.command, c.Play))
