"""The live shoe: shuffled and sealed from one seed, so that the seed and the acts on it restore it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal

from houseway.cards import DECK, Card
from houseway.shoe.interface import ShoeError
from houseway.shoe.keystream import LEAF_NONCES, keystream
from houseway.shoe.salts import players_cut
from houseway.shoe.seal import NONCE_BYTES, Proof, Seal
from houseway.shoe.shuffle import order
from houseway.shoe.stack import Stack

Act = tuple[Literal["cut", "take"], int] | tuple[Literal["permute"], Mapping[int, bytes]]
"""What was done to a shoe, as a record keeps it."""


class SealedShoe(Stack):
    """Cards shuffled from a seed and committed to before the first wager.

    Position p of the committed order holds card order(seed)[p] of the factory order. The sequence to deal
    starts as 0, 1, 2 and so on; cuts and players' cuts rearrange what is left of it. Card number k of the
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
        """The shoe as it stood after these acts."""
        shoe = cls(seed, decks, shoe_id)
        for act, given in acts:
            if act not in ("cut", "take", "permute"):
                raise ShoeError(f"{(act, given)!r} was never done to a shoe: cut, permute or take")
            getattr(shoe, act)(given)
        return shoe

    @property
    def seal(self) -> str:
        """The root of the tree over the committed order, 64 hexadecimal digits."""
        return self._seal.root

    @property
    def acts(self) -> tuple[Act, ...]:
        """All that was done to the shoe, in order."""
        return tuple(self._acts)

    @property
    def sequence(self) -> tuple[int, ...]:
        """The committed positions in the order of the deal: those dealt, then those left as they lie."""
        return (*self._dealt, *self._rest)

    def cut(self, count: int) -> None:
        """Cut: so many off the top go to the bottom."""
        super().cut(count)
        self._acts.append(("cut", count))

    def permute(self, salts: Mapping[int, bytes]) -> None:
        """Make the players' cut over what is left; without salts nothing moves."""
        moved = players_cut(salts, self.seal, self.shoe_id, self.left)
        self._rest = [self._rest[n] for n in moved]
        self._acts.append(("permute", dict(salts)))

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """The next cards of the sequence."""
        taken = super().take(count)
        self._acts.append(("take", count))
        return taken

    def proofs(self, positions: Iterable[int]) -> tuple[Proof, ...]:
        """The committed cards at these positions, opened."""
        return tuple([self._seal.proof(position) for position in positions])
