"""The statistical tests that every shuffle must pass: counts over many shuffled shoes, compared with exact probabilities."""

# ruff: noqa: T201

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from counted import SEVEN_OF_52
from houseway.cards import DECK
from houseway.ranking import evaluator
from houseway.rules.loader import load
from houseway.shoe import shuffle
from houseway.shoe.entropy import SeededEntropy
from shoe.stats import Counts, chi_tail, fits, normal_tails, uniformity

BATCHES = 100
LEAST_BATCH = 1_000
REPORT = 0.01
AGAIN = 1e-3
FAIL = 1e-6
KS_FAIL = 1e-4


# --- exact probabilities for a uniform permutation of n cards ---


@cache
def run_chances(n: int) -> tuple[float, ...]:
    """The probabilities of 1 to n rising runs: Eulerian numbers over n!."""
    row = [1]
    for m in range(2, n + 1):
        row = [
            (k + 1) * (row[k] if k < m - 1 else 0) + (m - k) * (row[k - 1] if k else 0) for k in range(m)
        ]
    return tuple(k / math.factorial(n) for k in row)


@cache
def cycle_chances(n: int) -> tuple[float, ...]:
    """The probabilities of 0 to n cycles: Stirling numbers of the first kind over n!."""
    row = [1]
    for m in range(n):
        row = [m * (row[k] if k <= m else 0) + (row[k - 1] if k else 0) for k in range(m + 2)]
    return tuple(k / math.factorial(n) for k in row)


@cache
def match_chances(n: int) -> tuple[float, ...]:
    """The probabilities that 0 to n cards keep their place: choose those cards, then derange the others."""
    deranged = [1, 0]
    for m in range(2, n + 1):
        deranged.append((m - 1) * (deranged[m - 1] + deranged[m - 2]))
    return tuple(math.comb(n, k) * deranged[n - k] / math.factorial(n) for k in range(n + 1))


# --- the counts ---


class Tally:
    """Counts over shuffled shoes of one size; batches add up to the whole."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pairs = [(0, 1), (size // 2, size // 2 + 1), (size - 2, size - 1), (0, size - 1)]
        self.shoes = 0
        self.neighbours = 0
        self.dot = 0.0
        self.places: Counts = np.zeros((52, size), np.int64)
        self.pair_cells: list[Counts] = [np.zeros(52 * 52, np.int64) for _ in self.pairs]
        self.matched: Counts = np.zeros(size + 1, np.int64)
        self.repeated: Counts = np.zeros(size + 1, np.int64)
        self.runs: Counts = np.zeros(size, np.int64)
        self.cycles: Counts = np.zeros(size + 1, np.int64)
        self.hands: Counts = np.zeros(len(SEVEN_OF_52), np.int64)

    def add(self, orders: NDArray[np.int64]) -> None:
        """Count a batch of shoes; each row is one order."""
        shoes, size = orders.shape
        kinds = orders % 52
        across = np.arange(size)
        self.shoes += shoes
        self.places += np.bincount((kinds * size + across).ravel(), minlength=52 * size).reshape(52, size)
        for cells, (a, b) in zip(self.pair_cells, self.pairs, strict=True):
            cells += np.bincount(kinds[:, a] * 52 + kinds[:, b], minlength=52 * 52)
        self.matched += np.bincount((orders == across).sum(1), minlength=size + 1)
        self.repeated += np.bincount((orders[1:] == orders[:-1]).sum(1), minlength=size + 1)
        self.runs += np.bincount((orders[:, 1:] < orders[:, :-1]).sum(1), minlength=size)
        self.cycles += np.bincount(cycle_counts(orders), minlength=size + 1)
        centred = orders - (size - 1) / 2
        self.dot += float((centred[1:] * centred[:-1]).sum())
        self.neighbours += shoes - 1
        if size == 52:
            self.hands += hand_counts(orders)

    def merge(self, other: Tally) -> None:
        """Add another tally's counts."""
        for name, value in vars(other).items():
            if name == "pair_cells":
                for cells, more in zip(self.pair_cells, value, strict=True):
                    cells += more
            elif name not in ("size", "pairs"):
                setattr(self, name, getattr(self, name) + value)

    def chances(self) -> dict[str, float]:
        """The p-value of every test."""
        n = self.size
        expected = self.shoes / 52
        # Rows and columns are both constrained; the factor (n - 1) / n corrects for it.
        square = float(((self.places - expected) ** 2).sum()) / expected * (n - 1) / n
        p_values = {"card by position": chi_tail(square, 51 * (n - 1))}
        copies = n // 52
        same, other = copies * (copies - 1) / (n * (n - 1)), copies * copies / (n * (n - 1))
        cells = [same if a == b else other for a in range(52) for b in range(52)]
        possible = [k for k, chance in enumerate(cells) if chance]
        for (a, b), counts in zip(self.pairs, self.pair_cells, strict=True):
            laws = np.array(cells)[possible] * self.shoes
            pair = float(((counts[possible] - laws) ** 2 / laws).sum())
            p_values[f"pair at {a} and {b}"] = chi_tail(pair, len(possible) - 1)
        # Centred places sum to zero, so the products have variance v² n²/(n - 1), where v is the variance of one place.
        variance = (n * n - 1) / 12
        p_values["serial correlation"] = normal_tails(
            self.dot / math.sqrt(self.neighbours * variance * variance * n * n / (n - 1))
        )
        p_values["repeats of the shoe before"] = fits(self.repeated, match_chances(n))
        p_values["fixed points"] = fits(self.matched, match_chances(n))
        p_values["runs"] = fits(self.runs, run_chances(n))
        p_values["cycles"] = fits(self.cycles, cycle_chances(n))
        if n == 52:
            whole = math.comb(52, 7)
            p_values["seven-card hands"] = fits(self.hands, [k / whole for k in SEVEN_OF_52.values()])
        return p_values


def cycle_counts(orders: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of cycles of each row, counted by the smallest element of each cycle."""
    shoes, size = orders.shape
    jump = (orders + size * np.arange(shoes)[:, None]).ravel()
    own = np.arange(shoes * size)
    least = own
    for _ in range(size.bit_length()):
        # Each pass looks twice as many steps ahead.
        least = np.minimum(least, least[jump])
        jump = jump[jump]
    return np.asarray((least == own).reshape(shoes, size).sum(1))


def hand_counts(orders: NDArray[np.int64]) -> Counts:
    """The number of shoes whose first seven cards make each class, by the evaluator of the tables."""
    ranking = load("uth-ma").ranking
    fast = evaluator(ranking.order, 1)
    rows = orders[:, :7].tolist()
    places = [fast.places[fast.strength([DECK[n] for n in row])] for row in rows]
    by_place = np.bincount(places, minlength=len(ranking.order))
    return np.array([by_place[ranking.order.index(name)] for name in SEVEN_OF_52])


# --- running the tests ---


def orders(seed: str, size: int, shoes: int) -> Iterator[NDArray[np.int64]]:
    """Yield batches of orders from the shuffle that tables use, each shoe from its own seed."""
    entropy = SeededEntropy(seed)
    batch = max(LEAST_BATCH, shoes // BATCHES)
    for start in range(0, shoes, batch):
        rows = (shuffle.order(entropy.draw(32), size) for _ in range(min(batch, shoes - start)))
        flat = array("H", chain.from_iterable(rows))
        yield np.frombuffer(flat, np.uint16).reshape(-1, size).astype(np.int64)


def run(seed: str, size: int, shoes: int) -> tuple[dict[str, float], list[float]]:
    """The p-values over all shoes, and those of each batch separately."""
    whole = Tally(size)
    single: list[float] = []
    for batch in orders(seed, size, shoes):
        part = Tally(size)
        part.add(batch)
        single += part.chances().values()
        whole.merge(part)
    return whole.chances(), single


def unfair(seed: str, size: int, shoes: int) -> list[str]:
    """Return the tests that a shuffle fails: with a p-value below 1 in 1,000, and again below 1 in 1,000,000 with ten
    times as many shoes."""
    doubtful = _doubtful(seed, size, shoes, AGAIN, AGAIN)
    if not doubtful:
        return []
    return _doubtful(f"{seed}, again", size, 10 * shoes, FAIL, KS_FAIL)


def _doubtful(seed: str, size: int, shoes: int, gate: float, ks_gate: float) -> list[str]:
    p_values, single = run(seed, size, shoes)
    assert len(single) >= 1_000 or shoes < BATCHES * LEAST_BATCH
    print(f"{shoes:,} shoes of {size} cards from seed {seed!r}:")
    for name, p in p_values.items():
        print(f"  {name:<28} p = {p:.3g}{'  (outside 99 %)' if p < REPORT else ''}")
    failed = [name for name, p in p_values.items() if p < gate]
    even = uniformity(single)
    print(f"  {len(single):,} p-values of single batches: uniform with p = {even:.3g}")
    return failed + (["uniformity of the p-values"] if even < ks_gate else [])
