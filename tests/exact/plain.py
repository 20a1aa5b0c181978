"""A second, slow way to price the main game: deal every turn and river, and compare with every dealer hand.

This module shares no code with the kernels. Hands are ranked by counting their cards, each pair of hands is
compared, and each payment is read from the tables of `Window.settle`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.engine.terms import Terms
from houseway.money import Odds

ORDER = (
    "royal flush", "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind",
    "two pair", "pair", "high card",
)  # fmt: skip
Array = NDArray[Any]
Flop = tuple[int, ...]
"""Cards are numbers: four times the rank plus the suit."""


@cache
def _rank_set_tables() -> tuple[Array, Array, Array]:
    """Three tables, by set of ranks: its size, the highest card of its straight (-1 if none), and a number for its five
    highest ranks."""
    size, straight, five = (np.zeros(1 << 13, np.int64) for _ in range(3))
    for held in range(1 << 13):
        ranks = [r for r in range(12, -1, -1) if held >> r & 1]
        size[held] = len(ranks)
        with_low_ace = {*ranks, *([-1] if 12 in ranks else [])}
        runs = [top for top in ranks if all(top - n in with_low_ace for n in range(5))]
        straight[held] = max(runs, default=-1)
        five[held] = sum((rank + 1) * 14 ** (4 - n) for n, rank in enumerate(ranks[:5]))
    return size, straight, five


def _high(marked: Array) -> Array:
    """Return the highest marked rank of each row, or -1."""
    return np.where(marked.any(axis=1), 12 - np.argmax(marked[:, ::-1], axis=1), -1)


def scores(cards: Array) -> tuple[Array, Array]:
    """Return, for each row of seven cards, a number that is greater for a better hand, and the index of its class."""
    size, straight_of, five_of = _rank_set_tables()
    rank, suit = cards >> 2, cards & 3
    counts = np.stack([(rank == r).sum(axis=1) for r in range(13)], axis=1)
    bit = np.int64(1) << rank
    ranks = np.bitwise_or.reduce(bit, axis=1)
    suited = np.zeros(len(cards), np.int64)
    for s in range(4):
        held = np.bitwise_or.reduce(np.where(suit == s, bit, 0), axis=1)
        suited = np.where(size[held] >= 5, held, suited)
    quad, trip = _high(counts == 4), _high(counts == 3)
    pair_mask = counts >= 2
    pair_mask[np.arange(len(cards)), np.maximum(trip, 0)] &= trip < 0
    pair = _high(pair_mask)
    pair_mask[np.arange(len(cards)), np.maximum(pair, 0)] = False
    second = _high(pair_mask)

    def kickers(number: int, *gone: Array) -> Array:
        left: Array = ranks
        for g in gone:
            left = left & ~np.where(g >= 0, np.int64(1) << np.maximum(g, 0), 0)
        return np.asarray(five_of[left] // 14 ** (5 - number))

    run, suited_run = straight_of[ranks], np.where(suited > 0, straight_of[suited], -1)
    columns = [
        (suited_run == 12, suited_run), (suited_run >= 0, suited_run),
        (quad >= 0, quad * 14 + kickers(1, quad)), ((trip >= 0) & (pair >= 0), trip * 14 + pair),
        (suited > 0, five_of[suited]), (run >= 0, run), (trip >= 0, trip * 14**2 + kickers(2, trip)),
        (second >= 0, pair * 14**2 + second * 14 + kickers(1, pair, second)),
        (pair >= 0, pair * 14**3 + kickers(3, pair)), (np.ones(len(cards), bool), five_of[ranks]),
    ]  # fmt: skip
    place = np.select([is_it for is_it, _ in columns], range(10))
    return (9 - place) * 14**5 + np.select([is_it for is_it, _ in columns], [k for _, k in columns]), place


@cache
def _pairs(of: int) -> tuple[Array, Array]:
    """All pairs of positions among `of` cards, and a matrix that is True for two pairs without a common position."""
    pairs = np.array(list(combinations(range(of), 2)))
    shares = (pairs[:, None, :, None] == pairs[None, :, None, :]).any(axis=(2, 3))
    return pairs, ~shares


def showdowns(board: Sequence[int], chosen: Array | None, qualifier: int) -> tuple[Array, Array, Array]:
    """Return the hands on one board, the index of each hand's class, and the number of dealer hands for each result.

    A result says whether the dealer qualifies, and whether the hand loses, ties or wins. `chosen` is a matrix that is True
    for the first and second card of each hand to include; None includes all hands.
    """
    left = np.array([c for c in range(52) if c not in board])
    pairs, apart = _pairs(len(left))
    hands = left[pairs]
    score, place = scores(np.concatenate([np.broadcast_to(board, (len(hands), 5)), hands], axis=1))
    score = np.unique(score, return_inverse=True)[1].astype(np.int16)
    rows = np.arange(len(hands)) if chosen is None else np.flatnonzero(chosen[hands[:, 0], hands[:, 1]])
    # Sums of at most 1,081 ones are exact in any floating-point type, and a matrix product is the fastest way to sum.
    dealers = np.stack([place > qualifier, place <= qualifier], axis=1).astype(np.float32)
    counts = np.empty((len(rows), 2, 3), np.int64)
    for column, met in ((0, np.less), (1, np.equal), (2, np.greater)):
        seen = met(score[rows, None], score[None, :]) & apart[rows]
        counts[:, :, column] = seen.astype(np.float32) @ dealers
    return hands[rows], place[rows], counts


class PlainPays:
    """The payments of ante with blind, of a play wager and of a fold, read from the tables of `Window.settle`."""

    def __init__(self, terms: Terms) -> None:
        assert terms.order == ORDER
        names = [w for w in terms.outcomes if w in ("ante", "blind")]
        self.unit = 840  # divisible by every denominator of the odds in these tests
        self.standing: Array = np.sum([self._table(terms, n, 0) for n in names], axis=0)
        self.folded: Array = np.sum([self._table(terms, n, 1) for n in names], axis=0)
        self.play = self._table(terms, "play", 0)
        self.sizes = [tuple(s.sizes.value) if s.sizes else () for s in terms.rulebook.stages]
        self.qualifier = 9 if terms.qualifier is None else terms.qualifier

    def _table(self, terms: Terms, name: str, status: int) -> Array:
        payments = np.zeros((2, 3, 10), np.int64)
        for qualifies in range(2):
            for contest in range(3):
                for place in range(10):
                    out = terms.outcomes[name][((status * 2 + qualifies) * 3 + contest) * 10 + place]
                    if out is None or out.result == "push":
                        continue
                    won = Fraction(-1)
                    if out.result == "win":
                        assert isinstance(out.pays, Odds)
                        won = Fraction(out.pays.units, out.pays.per) - out.keeps
                    assert (won * self.unit).denominator == 1
                    payments[qualifies, contest, place] = int(won * self.unit)
        return payments

    def rivers(self, place: Array, counts: Array) -> tuple[Array, Array, Array]:
        """Return three values for each hand: of the best choice after the river, of ante with blind, and of a 1x play."""
        standing, play, folded = (
            np.einsum("nqc,nqc->n", counts, table.transpose(2, 0, 1)[place])
            for table in (self.standing, self.play, self.folded)
        )
        best = np.maximum(folded, np.max([standing + k * play for k in self.sizes[2]], axis=0))
        return best, standing, play


def flop_counts(
    flop: Flop, holes: Sequence[tuple[int, int]], qualifier: int
) -> list[tuple[Array, Array, Array]]:
    """Return the showdowns of some hands on every turn and river of a flop."""
    chosen = np.zeros((52, 52), bool)
    for low, high in holes:
        chosen[low, high] = True
    left = [c for c in range(52) if c not in flop]
    return [showdowns((*flop, *two), chosen, qualifier) for two in combinations(left, 2)]


def flop_worths(
    counts: Sequence[tuple[Array, Array, Array]], pays: PlainPays
) -> dict[tuple[int, int], list[int]]:
    """Return the value of a check and of each play after the flop for each hand, summed over turns, rivers and dealer hands."""
    check, standing, play = (np.zeros((52, 52), np.int64) for _ in range(3))
    hands = set()
    for held, place, met in counts:
        best, stood, played = pays.rivers(place, met)
        for total, worth in ((check, best), (standing, stood), (play, played)):
            total[held[:, 0], held[:, 1]] += worth
        hands |= {(int(a), int(b)) for a, b in held}
    return {
        h: [int(check[h]), *(int(standing[h]) + k * int(play[h]) for k in pays.sizes[1])]
        for h in sorted(hands)
    }


def distinct(size: int) -> Iterator[tuple[Flop, int]]:
    """Yield all sets of `size` cards, without those that differ only in the names of suits.

    Each comes with the number of sets that it represents. A set is given as the ranks in each suit. Renaming suits only
    reorders the four parts, so only one order is listed.
    """
    sets = [[held for held in range(1 << 13) if held.bit_count() == n] for n in range(size + 1)]

    def holdings(left: int, most: int, suits: int) -> Iterator[tuple[int, ...]]:
        if suits == 0:
            yield ()
            return
        for number in range(left + 1) if suits > 1 else (left,):
            for held in sets[number]:
                if held > most:
                    break
                for others in holdings(left - number, held, suits - 1):
                    yield held, *others

    for holding in holdings(size, 1 << 13, 4):
        cards = tuple(
            sorted(4 * r + s for s, held in enumerate(holding) for r in range(13) if held >> r & 1)
        )
        alike = 24
        for held in set(holding):
            alike //= factorial(holding.count(held))
        yield cards, alike
