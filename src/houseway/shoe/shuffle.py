"""The shuffle: Fisher–Yates over a keystream, exactly uniform because biased draws are discarded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from struct import iter_unpack
from typing import Final

from houseway.shoe.keystream import BLOCK, CARD_ORDER, keystream

LARGEST: Final = 1 << 16
"""The most cards that can be shuffled, because two bytes cannot number more."""


def order(seed: bytes, size: int, purpose: bytes = CARD_ORDER) -> tuple[int, ...]:
    """Return a uniformly random order of the numbers 0 to size - 1; a seed always gives the same order.

    >>> order(bytes(32), 10)
    (5, 8, 0, 4, 3, 1, 6, 9, 2, 7)
    """
    if not 0 <= size <= LARGEST:
        raise ValueError(f"a shuffle takes 0 to {LARGEST} cards, not {size}")
    wide, steps = _steps(size)
    # A quarter more words than cards, in whole blocks, are usually enough for the whole shuffle.
    chunk = -(-(size + size // 4 + 1) * (1 + wide) // BLOCK) * BLOCK
    stream = keystream(seed, purpose, chunk)
    word = chain.from_iterable(_pairs(stream) if wide else stream).__next__
    cards = list(range(size))
    for last, count, limit in steps:
        drawn = word()
        while drawn >= limit:
            drawn = word()
        chosen = drawn % count
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


@cache
def _steps(size: int) -> tuple[bool, tuple[tuple[int, int, int], ...]]:
    """Return True if words have two bytes, and the steps of the shuffle.

    A step has the index of the card that it swaps, the number of cards to choose from, and a limit: the
    largest multiple of that number up to 256, or up to 65,536 if words have two bytes. A word that is not
    below the limit is discarded.
    """
    wide = size > 256
    words = 1 << 16 if wide else 1 << 8
    return wide, tuple((last, last + 1, words - words % (last + 1)) for last in range(size - 1, 0, -1))


def _pairs(stream: Iterable[bytes]) -> Iterator[Iterator[int]]:
    """Yield the stream as words of two bytes, the low byte first."""
    for chunk in stream:
        yield (word for (word,) in iter_unpack("<H", chunk))
