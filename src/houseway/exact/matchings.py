"""Ways to deal hands of two to a table when some pairs of cards must not come together.

Cards are the points of a graph and forbidden pairs its lines; hands at one table share no card, so dealing
them is choosing lines without a common point. Few pairs are forbidden, so what is counted is the ways to
deal forbidden pairs only; the ways to deal none follow by inclusion and exclusion.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import factorial

Counts = tuple[int, ...]
"""For each number of hands from none up the ways to deal them, hands in no order."""
Lines = tuple[tuple[int, ...], ...]
"""For each kind of card the kinds it must not come with, itself included where two of it must not."""


def dealt(cards: int, hands: int) -> int:
    """The ways to deal hands of two from so many cards, hands in no order."""
    if cards < 2 * hands:
        return 0
    return factorial(cards) // (factorial(hands) * (1 << hands) * factorial(cards - 2 * hands))


def forbidden(copies: Sequence[int], lines: Lines, most: int) -> Counts:
    """The ways to deal up to `most` hands that are all forbidden pairs; kinds come in so many copies.

    Kinds that no line joins, however far round, are counted apart and multiplied.
    """
    found: Counts = (1, *[0] * most)
    left = {kind for kind, near in enumerate(lines) if near}
    while left:
        part = [min(left)]
        for kind in part:
            part.extend(near for near in lines[kind] if near not in part)
        left.difference_update(part)
        inner = tuple(tuple(part.index(near) for near in lines[kind]) for kind in part)
        apart = _joined(tuple(copies[kind] for kind in part), inner, most)
        found = tuple(sum(found[i] * apart[n - i] for i in range(n + 1)) for n in range(most + 1))
    return found


@cache
def _joined(copies: tuple[int, ...], lines: Lines, most: int) -> Counts:
    """The same for kinds that lines join: the first card left is in no hand, or in one with each other."""
    first = next((kind for kind, number in enumerate(copies) if number), None)
    if first is None or not most:
        return (1, *[0] * most)
    rest = _less(copies, first)
    found = list(_joined(rest, lines, most))
    for near in lines[first]:
        if rest[near]:
            for hands, ways in enumerate(_joined(_less(rest, near), lines, most - 1), start=1):
                found[hands] += rest[near] * ways
    return tuple(found)


def _less(copies: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*copies[:kind], copies[kind] - 1, *copies[kind + 1 :])


def with_card(counts: Counts, cards: int) -> Counts:
    """The counts once a card that must not come with any other lies beside the `cards` counted so far."""
    beside = [(cards - 2 * hands) * ways for hands, ways in enumerate(counts)]
    return tuple(ways + (beside[n - 1] if n else 0) for n, ways in enumerate(counts))


def allowed(counts: Counts, cards: int, hands: int) -> int:
    """The ways to deal hands from so many cards, none of them a forbidden pair."""
    return sum((-1) ** n * counts[n] * dealt(cards - 2 * n, hands - n) for n in range(hands + 1))
