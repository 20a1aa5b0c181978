"""Draws from a seed: the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypeVar

from houseway.shoe.entropy import SeededEntropy

T = TypeVar("T")
WORD_BYTES: Final = 8
WORDS: Final = 1 << (8 * WORD_BYTES)
FRACTIONS: Final = 1 << 53
"""The number of different values of `SeedDraws.random`."""


class RandomSource(Protocol):
    """The methods of `random.Random` that deals and questions need."""

    def random(self) -> float:
        """Return a fraction from 0 up to 1."""
        ...

    def randrange(self, start: int, stop: int | None = None, /) -> int:
        """Return a number below `start`, or from `start` up to below `stop`."""
        ...

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of several items."""
        ...

    def choices(self, population: Sequence[T], /, *, k: int) -> list[T]:
        """Return `k` items; an item may be drawn more than once."""
        ...

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Return `k` different items."""
        ...

    def shuffle(self, x: list[Any], /) -> None:
        """Put a list into a random order."""
        ...


class SeedDraws:
    """A random source that is computed from a seed and a name. A different name gives unrelated draws."""

    def __init__(self, seed: str | int, name: str) -> None:
        self._entropy = SeededEntropy(seed, name)

    def random(self) -> float:
        """Return a fraction from 0 up to 1."""
        return self.randrange(FRACTIONS) / FRACTIONS

    def randrange(self, start: int, stop: int | None = None, /) -> int:
        """Return a number below `start`, or from `start` up to below `stop`; all are equally likely."""
        if stop is not None:
            return start + self.randrange(stop - start)
        limit = WORDS - WORDS % start
        while (word := int.from_bytes(self._entropy.draw(WORD_BYTES), "little")) >= limit:
            pass
        return word % start

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of several items."""
        return seq[self.randrange(len(seq))]

    def choices(self, population: Sequence[T], /, *, k: int) -> list[T]:
        """Return `k` items; an item may be drawn more than once."""
        return [self.choice(population) for _ in range(k)]

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Return `k` different items."""
        left = list(population)
        return [left.pop(self.randrange(len(left))) for _ in range(k)]

    def shuffle(self, x: list[Any], /) -> None:
        """Put a list into a random order."""
        x[:] = self.sample(x, len(x))

    def deal(self, cards: Sequence[T], count: int) -> tuple[T, ...]:
        """Return this many of the cards, dealt at random."""
        left = list(cards)
        for place in range(count):
            other = self.randrange(place, len(left))
            left[place], left[other] = left[other], left[place]
        return tuple(left[:count])

    def weighted(self, things: Sequence[T], weights: Sequence[float]) -> T:
        """Return one of several items, with chances in proportion to their weights."""
        mark = self.random() * sum(weights)
        for thing, weight in zip(things, weights, strict=True):
            mark -= weight
            if mark < 0:
                return thing
        return things[-1]
