"""Shoes whose order a test chooses."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.cards import cards
from houseway.shoe import ScriptedShoe, Shoe


class _Stacked(ScriptedShoe):
    """Cards that come as they were given, however they are cut."""

    def cut(self, count: int) -> None:
        """Nothing moves."""


class Scripted:
    """Shoes in orders given beforehand, one after another; afterwards in the order of a new deck."""

    knows = True

    def __init__(self, orders: Iterable[str] = ()) -> None:
        self._orders = iter(orders)

    def secret(self, name: str) -> bytes:
        return next(self._orders, "").encode()

    def make(self, name: str, secret: bytes, decks: int) -> Shoe:
        return _Stacked(cards(secret.decode()), decks)
