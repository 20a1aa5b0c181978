"""Shoes whose order a test chooses."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.cards import cards
from houseway.shoe import ScriptedShoe, Shoe


class _Stacked(ScriptedShoe):
    """Cards in a fixed order; cutting them changes nothing."""

    def cut(self, count: int) -> None:
        """Leave the cards as they are."""


class Scripted:
    """Shoes in the given orders, one after another; after those, shoes in factory order."""

    knows = True

    def __init__(self, orders: Iterable[str] = ()) -> None:
        self._orders = iter(orders)

    def secret(self, name: str) -> bytes:
        return next(self._orders, "").encode()

    def make(self, name: str, secret: bytes, decks: int) -> Shoe:
        return _Stacked(cards(secret.decode()), decks)
