"""The seal on a shoe: a Merkle tree over its cards, with a root published before the first wager.

A leaf hides its card behind a nonce of 16 bytes, so one card can be revealed while all others stay hidden.
docs/shuffle.md specifies the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final

import msgspec

from houseway.cards import Card

NONCE_BYTES: Final = 16

# Each hash starts with its kind, so that a leaf cannot pass for a node, nor a node for a root.
_LEAF: Final = b"\0"
_NODE: Final = b"\1"
_ROOT: Final = b"\2"


class Proof(msgspec.Struct, frozen=True):
    """One revealed card: its committed position, its nonce, and the sibling hashes up to the root."""

    position: int
    card: Card
    nonce: bytes
    path: tuple[bytes, ...]


def shoe_id(stream: str, shuffle: int, deck: str) -> str:
    """The name of a shuffled shoe: its record, the number of the shuffle, and the deck."""
    return f"{stream}/{shuffle}/{deck}"


class Seal:
    """The tree over a shoe's cards in their committed order."""

    def __init__(self, shoe: str, cards: Sequence[Card], nonces: Sequence[bytes]) -> None:
        self._cards = tuple(cards)
        self._nonces = tuple(nonces)
        level = [
            sha256(_LEAF + position.to_bytes(4) + nonce + str(card).encode()).digest()
            for position, (card, nonce) in enumerate(zip(cards, nonces, strict=True))
        ]
        self._levels = [level]
        while len(level) > 1:
            parents = [sha256(_NODE + left + right).digest() for left, right in list(pairwise(level))[::2]]
            # A hash without a sibling moves up unchanged.
            level = parents + level[len(parents) * 2 :]
            self._levels.append(level)
        self.root = sha256(_ROOT + level[0] + len(cards).to_bytes(4) + shoe.encode()).hexdigest()

    def proof(self, position: int) -> Proof:
        """The proof of the card at a committed position."""
        path = []
        at = position
        for level in self._levels[:-1]:
            if (sibling := at ^ 1) < len(level):
                path.append(level[sibling])
            at //= 2
        return Proof(position, self._cards[position], self._nonces[position], tuple(path))
