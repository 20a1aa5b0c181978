"""A player that plays by chance: every side bet sometimes, every decision sometimes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.views import View

MOST_STEPS = 4


class Chance:
    """Its choices follow from its seed, its seat and where the round stands, so that a game taken up again
    goes on as it would have."""

    def __init__(self, seed: str) -> None:
        self._seed = seed

    def bet(self, table: Table, view: View) -> dict[str, int]:
        """The wagers that stand by themselves, and each of the others as a coin falls."""
        rng = self._rng(view)
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            first = not spot.beside and not wagers
            joins = not spot.beside or any(name in wagers for name in spot.beside)
            if first or (joins and rng.random() < 0.5):
                stake = spot.least if spot.exact else spot.least * rng.randint(1, MOST_STEPS)
                wagers[spot.wager] = stake if spot.most is None else min(stake, spot.most)
        return wagers

    def choose(self, table: Table, view: View, options: Sequence[Option]) -> Option:
        """Any of them."""
        return self._rng(view).choice(list(options))

    def _rng(self, view: View) -> Random:
        at = view.table
        return Random(f"{self._seed}/{view.yours.seat}/{at.round}/{at.step}")
