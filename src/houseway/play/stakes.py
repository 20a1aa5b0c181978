"""The wagers that a player is about to place on the full screen, one betting spot at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping

from houseway.play.game import Answer, Game
from houseway.play.seat_view import on_layout

CHIP = 5_00
"""Cents that an arrow key adds or removes."""
TIP_CHIP = 1_00
"""Cents that an arrow key adds to a tip or removes from it."""
DIGITS = frozenset("0123456789.")
AMOUNT = re.compile(r"\d{0,7}(\.\d{0,2})?")
"""Matches an amount, complete or partly typed."""


class Stakes:
    """The stakes in cents, the tips and the coupon, with the selected spot and the digits typed so far."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.wagers: dict[str, int] = self._on_layout()
        self.tips: dict[str, int] = dict(on_layout(game.view, game.seat)[1])
        """Cents of the tips for the dealer, by wager."""
        self.uses_coupon = bool(on_layout(game.view, game.seat)[2])
        """True to put a match play coupon on the ante, with the ante's amount as its face value."""
        self.selected = 0
        self.tipping = ""
        """The wager whose tip the keys change; empty if they change the stake."""
        self._typing = ""
        self.error = ""
        """The error of the last key; empty if the key was accepted."""

    def clear(self) -> None:
        """Start again from the wagers on the layout."""
        self.put(self._on_layout())
        self.tips, self.uses_coupon = (
            dict(on_layout(self._game.view, self._game.seat)[1]),
            bool(on_layout(self._game.view, self._game.seat)[2]),
        )

    def put(self, wagers: Mapping[str, int], tips: Mapping[str, int] | None = None) -> None:
        """Replace all stakes and tips, remove the coupon, and select the first spot."""
        self.wagers, self.selected, self._typing = dict(wagers), 0, ""
        self.tips, self.uses_coupon, self.tipping = dict(tips or {}), False, ""

    def _on_layout(self) -> dict[str, int]:
        """Return the seat's wagers on the layout, except those that always equal another (the blind)."""
        seat = self._game.view.table.seats.get(self._game.seat)
        twins = {name for name, _ in self._game.table.terms.twins}
        wagers = seat.hands[1].wagers if seat is not None else {}
        return {name: stake for name, stake in wagers.items() if name not in twins}

    @property
    def changed(self) -> bool:
        """True if the stakes, tips or coupon differ from those on the layout."""
        wagers, tips = ({n: a for n, a in kind.items() if a} for kind in (self.wagers, self.tips))
        return (wagers, tips, self.coupon) != (
            self._on_layout(),
            *on_layout(self._game.view, self._game.seat)[1:],
        )

    @property
    def coupon(self) -> int:
        """Cents of the match play coupon; 0 without one."""
        return self.wagers.get("ante", 0) if self.uses_coupon else 0

    def place(self) -> Answer:
        """Send the stakes, the tips and the coupon to the table."""
        return self._game.bet(self.wagers, self.tips, self.coupon)

    @property
    def total(self) -> int:
        """Cents of all tips and wagers, including those that copy another, such as the blind."""
        twins = sum(self.wagers.get(twin, 0) for _, twin in self._game.table.terms.twins)
        return sum(self.wagers.values()) + sum(self.tips.values()) + twins

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
                self.selected, self._typing, self.tipping = n, "", ""

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
            self._typing = self.tipping = ""
        elif key in ("d", "D"):
            self._next_tip()
        elif key in ("u", "U"):
            self._toggle_coupon()
        elif self.tipping and key in ("up", "plus", "+", "down", "minus", "-"):
            more = TIP_CHIP if key in ("up", "plus", "+") else -TIP_CHIP
            self.tips[self.tipping] = max(0, self.tips.get(self.tipping, 0) + more)
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

    def _next_tip(self) -> None:
        """Switch the keys from the selected spot's stake to each of its tips in turn, and back."""
        yours, twins = self._game.view.yours, dict(self._game.table.terms.twins)
        places = ["", *(name for name in yours.tip_spots if twins.get(name, name) == self.wager)]
        self.tipping = places[(places.index(self.tipping) + 1) % len(places)]
        self._typing = ""
        if len(places) == 1:
            self.error = "You cannot tip on this spot." if yours.tip_spots else "This table takes no tips."

    def _toggle_coupon(self) -> None:
        if self._game.view.yours.coupons:
            self.uses_coupon = not self.uses_coupon
        else:
            self.error = "This table does not take match play coupons."

    def _type(self, wager: str, typed: str) -> None:
        """Set the amount of a wager, or of the selected tip, to the digits typed so far."""
        self._typing = typed
        amounts = self.tips if self.tipping else self.wagers
        amounts[self.tipping or wager] = typed_cents(typed)


def typed_cents(typed: str) -> int:
    """Return the cents of an amount while it is being typed: "7." is $7."""
    dollars, _, decimals = typed.partition(".")
    return int(dollars or "0") * 100 + int(decimals.ljust(2, "0"))
