"""The wagers that a player is about to place on the full screen, spot by spot."""

from __future__ import annotations

import re
from collections.abc import Mapping

from houseway.play.game import Game

CHIP = 5_00
"""Cents that an arrow key adds or removes."""
DIGITS = frozenset("0123456789.")
AMOUNT = re.compile(r"\d{0,7}(\.\d{0,2})?")
"""Matches a valid amount, also while it is being typed; a longer amount is a typing error."""


class Stakes:
    """Cents by wager, the selected spot, and the digits being typed."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.wagers: dict[str, int] = self._on_layout()
        self.selected = 0
        self._typing = ""
        self.error = ""
        """The error of the last key; empty if the key was accepted."""

    def clear(self) -> None:
        """Start again from the wagers on the layout."""
        self.put(self._on_layout())

    def put(self, wagers: Mapping[str, int]) -> None:
        """Replace all stakes and select the first spot."""
        self.wagers, self.selected, self._typing = dict(wagers), 0, ""

    def _on_layout(self) -> dict[str, int]:
        seat = self._game.view.table.seats.get(self._game.seat)
        twins = {name for name, _ in self._game.table.terms.twins}
        wagers = seat.hands[1].wagers if seat is not None else {}
        return {name: stake for name, stake in wagers.items() if name not in twins}

    @property
    def changed(self) -> bool:
        """True if the stakes differ from the wagers on the layout."""
        return {name: stake for name, stake in self.wagers.items() if stake} != self._on_layout()

    @property
    def total(self) -> int:
        """Cents of all wagers, including those that copy another, such as the blind."""
        twins = sum(self.wagers.get(twin, 0) for _, twin in self._game.table.terms.twins)
        return sum(self.wagers.values()) + twins

    @property
    def sits_out(self) -> bool:
        """True if a deal now would leave the player out: others have bet and the player has not."""
        seats = self._game.view.table.seats.items()
        return not self.total and any(seat.hands[1].wagers for n, seat in seats if n != self._game.seat)

    @property
    def wager(self) -> str:
        """The selected spot's wager."""
        spots = self._game.view.yours.spots
        return spots[min(self.selected, len(spots) - 1)].wager if spots else ""

    def select(self, wager: str) -> None:
        """Select a wager's spot."""
        twin = dict(self._game.table.terms.twins).get(wager)
        for n, spot in enumerate(self._game.view.yours.spots):
            if spot.wager in (wager, twin):
                self.selected, self._typing = n, ""

    def key(self, key: str, side_bet: str = "") -> bool:
        """Handle a key; False if it has no meaning here."""
        spots = self._game.view.yours.spots
        if not spots:
            return False
        spot = spots[min(self.selected, len(spots) - 1)]
        stake = self.wagers.get(spot.wager, 0)
        self.error = ""
        if key in ("left", "right"):
            self.selected = (self.selected + (1 if key == "right" else -1)) % len(spots)
            self._typing = ""
        elif key in ("up", "plus", "+"):
            more = spot.least if not stake or spot.exact else stake + CHIP
            self.wagers[spot.wager] = more if spot.most is None else min(more, spot.most)
            self._typing = ""
        elif key in ("down", "minus", "-"):
            less = stake - CHIP
            self.wagers[spot.wager] = 0 if spot.exact or less < spot.least else less
            self._typing = ""
        elif key in DIGITS:
            if AMOUNT.fullmatch(self._typing + key):
                self._type(spot.wager, self._typing + key)
            else:
                self.error = "An amount has at most seven digits, a point and two digits for cents."
        elif key == "backspace":
            self._type(spot.wager, self._typing[:-1])
        elif key in ("x", "X"):
            self.put({})
        elif side_bet and side_bet in {s.wager for s in spots}:
            self.select(side_bet)
            spot = next(s for s in spots if s.wager == side_bet)
            self.wagers[side_bet] = 0 if self.wagers.get(side_bet) else spot.least
        else:
            return False
        return True

    def _type(self, wager: str, typed: str) -> None:
        dollars, _, decimals = typed.partition(".")
        self._typing = typed
        self.wagers[wager] = int(dollars or "0") * 100 + int(decimals.ljust(2, "0"))
