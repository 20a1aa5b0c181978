"""The seal on a shoe: a Merkle tree over its cards, whose root is told before the first wager.

A leaf hides its card behind a nonce of 16 bytes, so one card can be opened while all others stay hidden.
docs/shuffle.md has the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final

import msgspec

from houseway.cards import Card

NONCE_BYTES: Final = 16

# What is hashed says what it is: a leaf can never be passed off as a node, nor a node as a root.
_LEAF: Final = b"\0"
_NODE: Final = b"\1"
_ROOT: Final = b"\2"


class Proof(msgspec.Struct, frozen=True):
    """One card opened: where it was committed, its nonce, and the hashes beside its way to the root."""

    position: int
    card: Card
    nonce: bytes
    path: tuple[bytes, ...]


def shoe_id(stream: str, shuffle: int, deck: str) -> str:
    """The name of one shuffled shoe: whose record it is in, which shuffle of it, which deck."""
    return f"{stream}/{shuffle}/{deck}"


def _leaf(position: int, card: Card, nonce: bytes) -> bytes:
    return sha256(_LEAF + position.to_bytes(4) + nonce + str(card).encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


def _root(top: bytes, size: int, shoe: str) -> str:
    return sha256(_ROOT + top + size.to_bytes(4) + shoe.encode()).hexdigest()


class Seal:
    """The tree over a shoe's cards in their committed order."""

    def __init__(self, shoe: str, cards: Sequence[Card], nonces: Sequence[bytes]) -> None:
        self._cards = tuple(cards)
        self._nonces = tuple(nonces)
        level = [_leaf(*leaf) for leaf in zip(range(len(cards)), cards, nonces, strict=True)]
        self._levels = [level]
        while len(level) > 1:
            above = [_node(left, right) for left, right in list(pairwise(level))[::2]]
            # A hash without a neighbour goes up as it is.
            level = above + level[len(above) * 2 :]
            self._levels.append(level)
        self.root = _root(level[0], len(cards), shoe)

    def proof(self, position: int) -> Proof:
        """The card at a committed position, opened."""
        path = []
        at = position
        for level in self._levels[:-1]:
            if (beside := at ^ 1) < len(level):
                path.append(level[beside])
            at //= 2
        return Proof(position, self._cards[position], self._nonces[position], tuple(path))


def check(root: str, shoe: str, size: int, proof: Proof) -> bool:
    """Whether the proof's card was committed at its position of the shoe with this root."""
    if not 0 <= proof.position < size or len(proof.nonce) != NONCE_BYTES:
        return False
    beside = iter(proof.path)
    found = _leaf(proof.position, proof.card, proof.nonce)
    at, width = proof.position, size
    while width > 1:
        if at ^ 1 < width:
            other = next(beside, b"")
            found = _node(other, found) if at % 2 else _node(found, other)
        at, width = at // 2, (width + 1) // 2
    return next(beside, None) is None and _root(found, size, shoe) == root
