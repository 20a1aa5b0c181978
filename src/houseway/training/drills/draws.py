"""Draws from a seed: the same seed always gives the same question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from houseway.shoe.entropy import SeededEntropy

T = TypeVar("T")
WORD_BYTES = 8
WORDS = 1 << (8 * WORD_BYTES)
FRACTIONS = 1 << 53
"""The number of different values of `SeedDraws.random`."""


class RandomSource(Protocol):
    """The part of `random.Random` that deals and questions need."""

    def random(self) -> float:
        """Return a fraction from 0 up to 1."""
        ...

    def randrange(self, start: int, stop: int | None = None, /) -> int:
        """Return a number below `start`, or from `start` up to below `stop`."""
        ...

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of several things."""
        ...

    def choices(self, population: Sequence[T], /, *, k: int) -> list[T]:
        """Return `k` things; each may come several times."""
        ...

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Return `k` different things."""
        ...

    def shuffle(self, x: list[Any], /) -> None:
        """Put a list into a random order."""
        ...


class SeedDraws:
    """A random source that is computed from a seed and a name. It does not use the system's randomness."""

    def __init__(self, seed: str | int, name: str) -> None:
        self._entropy = SeededEntropy(seed, name)

    def _below(self, count: int) -> int:
        limit = WORDS - WORDS % count
        while (word := int.from_bytes(self._entropy.draw(WORD_BYTES), "little")) >= limit:
            pass
        return word % count

    def random(self) -> float:
        """Return a fraction from 0 up to 1."""
        return self._below(FRACTIONS) / FRACTIONS

    def randrange(self, start: int, stop: int | None = None, /) -> int:
        """Return a number below `start`, or from `start` up to below `stop`."""
        return self._below(start) if stop is None else start + self._below(stop - start)

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of several things."""
        return seq[self._below(len(seq))]

    def choices(self, population: Sequence[T], /, *, k: int) -> list[T]:
        """Return `k` things; each may come several times."""
        return [self.choice(population) for _ in range(k)]

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Return `k` different things."""
        left = list(population)
        return [left.pop(self._below(len(left))) for _ in range(k)]

    def shuffle(self, x: list[Any], /) -> None:
        """Put a list into a random order."""
        x[:] = self.sample(x, len(x))
