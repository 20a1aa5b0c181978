"""Count the ways to deal two-card hands to a table when certain pairs of cards are forbidden.

Cards are the nodes of a graph, and forbidden pairs are its edges. Hands at one table share no card, so
forbidden hands form a matching: a set of edges without a common node. Few pairs are forbidden, so the
matchings are counted. The deals without a forbidden pair follow by inclusion and exclusion.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import factorial

Counts = tuple[int, ...]
"""The number of ways to deal 0, 1, 2 and more hands. The order of the hands does not matter."""
Edges = tuple[tuple[int, ...], ...]
"""For each kind, the kinds that must not be in the same hand. This may include the kind itself."""


def dealt(cards: int, hands: int) -> int:
    """Count the ways to deal this many two-card hands, in any order, from this many cards."""
    if cards < 2 * hands:
        return 0
    return factorial(cards) // (factorial(hands) * (1 << hands) * factorial(cards - 2 * hands))


def forbidden(copies: Sequence[int], edges: Edges, most: int) -> Counts:
    """Count the ways to deal up to `most` hands that are all forbidden, with `copies` cards of each kind.

    Connected components are counted separately and multiplied.
    """
    counts: Counts = (1, *[0] * most)
    left = {kind for kind, neighbour in enumerate(edges) if neighbour}
    while left:
        part = [min(left)]
        for kind in part:
            part.extend(neighbour for neighbour in edges[kind] if neighbour not in part)
        left.difference_update(part)
        inner = tuple(tuple(part.index(neighbour) for neighbour in edges[kind]) for kind in part)
        component = _connected(tuple(copies[kind] for kind in part), inner, most)
        counts = tuple(sum(counts[i] * component[n - i] for i in range(n + 1)) for n in range(most + 1))
    return counts


@cache
def _connected(copies: tuple[int, ...], edges: Edges, most: int) -> Counts:
    """Count one component. Its first card is in no hand, or in a hand with one of its neighbours."""
    first = next((kind for kind, number in enumerate(copies) if number), None)
    if first is None or not most:
        return (1, *[0] * most)
    rest = _without(copies, first)
    counts = list(_connected(rest, edges, most))
    for neighbour in edges[first]:
        if rest[neighbour]:
            for hands, ways in enumerate(_connected(_without(rest, neighbour), edges, most - 1), start=1):
                counts[hands] += rest[neighbour] * ways
    return tuple(counts)


def _without(copies: tuple[int, ...], kind: int) -> tuple[int, ...]:
    return (*copies[:kind], copies[kind] - 1, *copies[kind + 1 :])


def with_card(counts: Counts, cards: int) -> Counts:
    """Update the counts for one more card that must not be paired with any of the other `cards` cards."""
    beside = [(cards - 2 * hands) * ways for hands, ways in enumerate(counts)]
    return tuple(ways + (beside[n - 1] if n else 0) for n, ways in enumerate(counts))


def allowed(counts: Counts, cards: int, hands: int) -> int:
    """Count the ways to deal this many hands from this many cards with no forbidden pair."""
    return sum((-1) ** n * counts[n] * dealt(cards - 2 * n, hands - n) for n in range(hands + 1))
