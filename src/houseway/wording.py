"""Counted nouns in sentences."""

from __future__ import annotations


def several(count: int, one: str, more: str = "") -> str:
    """Return a count with its noun, singular or plural.

    >>> several(1, "round"), several(1_200, "round"), several(0, "card is", "cards are")
    ('1 round', '1,200 rounds', '0 cards are')
    """
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"


def times_text(count: int) -> str:
    """Return a count of times in words.

    >>> times_text(0), times_text(1), times_text(2)
    ('never', 'once', '2 times')
    """
    return {0: "never", 1: "once"}.get(count) or several(count, "time")
