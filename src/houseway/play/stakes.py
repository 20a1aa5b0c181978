"""What a player is about to stake, spot by spot, before it lies on the layout."""

from __future__ import annotations

import re
from collections.abc import Mapping

from houseway.play.game import Game

CHIP = 5_00
"""The chip a key adds or takes."""
DIGITS = frozenset("0123456789.")
AMOUNT = re.compile(r"\d{0,7}(\.\d{0,2})?")
"""What may be typed as an amount; more digits are a slip of the finger."""


class Stakes:
    """Amounts by spot, the spot the keys go to, and the digits being typed."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.wagers: dict[str, int] = self._laid()
        self.selected = 0
        self._typing = ""
        self.slip = ""
        """What is wrong with the last key, where it was not taken."""

    def clear(self) -> None:
        """Begin from what lies on the layout."""
        self.put(self._laid())

    def put(self, wagers: Mapping[str, int]) -> None:
        """Stake these in place of what was staked; the keys go to the first spot."""
        self.wagers, self.selected, self._typing = dict(wagers), 0, ""

    def _laid(self) -> dict[str, int]:
        seat = self._game.view.table.seats.get(self._game.seat)
        twins = {name for name, _ in self._game.table.terms.twins}
        laid = seat.hands[1].wagers if seat is not None else {}
        return {name: stake for name, stake in laid.items() if name not in twins}

    @property
    def changed(self) -> bool:
        """Whether something else lies on the layout."""
        return {name: stake for name, stake in self.wagers.items() if stake} != self._laid()

    @property
    def total(self) -> int:
        """Cents of all wagers, those that equal another included."""
        twins = sum(self.wagers.get(twin, 0) for _, twin in self._game.table.terms.twins)
        return sum(self.wagers.values()) + twins

    @property
    def sits_out(self) -> bool:
        """Whether a deal would pass the player by: nothing is staked here, and others have wagered."""
        seats = self._game.view.table.seats.items()
        return not self.total and any(seat.hands[1].wagers for n, seat in seats if n != self._game.seat)

    @property
    def wager(self) -> str:
        """The selected spot's wager."""
        spots = self._game.view.yours.spots
        return spots[min(self.selected, len(spots) - 1)].wager if spots else ""

    def select(self, wager: str) -> None:
        """Let the keys go to a spot."""
        twin = dict(self._game.table.terms.twins).get(wager)
        for n, spot in enumerate(self._game.view.yours.spots):
            if spot.wager in (wager, twin):
                self.selected, self._typing = n, ""

    def key(self, key: str, side_bet: str = "") -> bool:
        """Take a key; whether it meant something."""
        spots = self._game.view.yours.spots
        if not spots:
            return False
        spot = spots[min(self.selected, len(spots) - 1)]
        stake = self.wagers.get(spot.wager, 0)
        self.slip = ""
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
                self.slip = "An amount has at most seven digits, a point and two digits for cents."
        elif key == "backspace":
            self._type(spot.wager, self._typing[:-1])
        elif key in ("x", "X"):
            self.put({})
        elif side_bet and side_bet in {s.wager for s in spots}:
            self.select(side_bet)
            found = next(s for s in spots if s.wager == side_bet)
            self.wagers[side_bet] = 0 if self.wagers.get(side_bet) else found.least
        else:
            return False
        return True

    def _type(self, wager: str, typed: str) -> None:
        dollars, _, decimals = typed.partition(".")
        self._typing = typed
        self.wagers[wager] = int(dollars or "0") * 100 + int(decimals.ljust(2, "0"))
