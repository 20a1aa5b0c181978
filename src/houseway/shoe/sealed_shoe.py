"""The live shoe, shuffled and sealed from a seed. It can be restored from the seed and recorded acts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal

from houseway.cards import DECK, Card
from houseway.shoe.keystream import LEAF_NONCES, keystream
from houseway.shoe.salts import players_cut
from houseway.shoe.seal import NONCE_BYTES, Proof, Seal
from houseway.shoe.shoe import ShoeError
from houseway.shoe.shuffle import order
from houseway.shoe.stack import Stack

Act = tuple[Literal["cut", "take"], int] | tuple[Literal["permute"], Mapping[int, bytes]]
"""An operation on a shoe, as a record stores it."""


class SealedShoe(Stack):
    """Cards shuffled from a seed and committed before the first wager.

    Position p of the committed order has card order(seed)[p] of the factory order. The dealing sequence
    starts as 0, 1, 2 and so on; cuts rearrange the positions that are not dealt yet. Card number k of the
    deal is the committed card at position sequence[k].
    """

    def __init__(self, seed: bytes, decks: int, shoe_id: str) -> None:
        factory = DECK * decks
        super().__init__([factory[n] for n in order(seed, len(factory))])
        self.shoe_id = shoe_id
        nonces = tuple(islice(keystream(seed, LEAF_NONCES, NONCE_BYTES), self.size))
        self._seal = Seal(shoe_id, self._cards, nonces)
        self._acts: list[Act] = []

    @classmethod
    def restored(cls, seed: bytes, decks: int, shoe_id: str, acts: Iterable[Act]) -> SealedShoe:
        """Return the shoe of a seed after these acts."""
        shoe = cls(seed, decks, shoe_id)
        for act, argument in acts:
            if act not in ("cut", "take", "permute"):
                raise ShoeError(f"{(act, argument)!r} is not an act on a shoe; use cut, permute or take")
            getattr(shoe, act)(argument)
        return shoe

    @property
    def seal(self) -> str:
        """The root of the tree over the committed order, as 64 hexadecimal digits."""
        return self._seal.root

    @property
    def acts(self) -> tuple[Act, ...]:
        """All acts on the shoe, in order."""
        return tuple(self._acts)

    @property
    def sequence(self) -> tuple[int, ...]:
        """The committed positions in dealing order: those dealt, then those left."""
        return (*self._dealt, *self._rest)

    def cut(self, count: int) -> None:
        """Move `count` cards from the top to the bottom."""
        super().cut(count)
        self._acts.append(("cut", count))

    def permute(self, salts: Mapping[int, bytes]) -> None:
        """Make the players' cut of the remaining cards; without salts, nothing moves."""
        order_ = players_cut(salts, self.seal, self.shoe_id, self.left)
        self._rest = [self._rest[n] for n in order_]
        self._acts.append(("permute", dict(salts)))

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Deal the next cards of the sequence."""
        cards = super().take(count)
        self._acts.append(("take", count))
        return cards

    def proofs(self, positions: Iterable[int]) -> tuple[Proof, ...]:
        """Return proofs of the committed cards at these positions."""
        return tuple([self._seal.proof(position) for position in positions])
