"""Rounds played out in chunks, each from a random stream of its own, and counted in whole numbers."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, written
from houseway.exact.kernels import rounds as kernels
from houseway.money import dollars
from houseway.simulate.planning import CHUNK, Plan

MADE = kernels.MADE
AWARD = 4
"""The numbers of an award: its round, its share, what the round brought the progressive and in all."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What some chunks of a run came to, in whole numbers; any two of a run add up."""

    rounds: int
    showdown: tuple[tuple[int, ...], ...]
    """Hands by action and cell of the showdown."""
    seven: tuple[int, ...]
    five: tuple[int, ...]
    highest: tuple[int, ...]
    sums: tuple[int, ...]
    """Cents by wager, then envy, the main game, everything; shares of meters apart."""
    squares: tuple[int, ...]
    """Of the same sums, round by round."""
    awards: tuple[tuple[int, ...], ...]
    """The shares of meters won, in the order of rounds and of payment."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.rounds + other.rounds,
            tuple(map(_added, self.showdown, other.showdown)),
            _added(self.seven, other.seven),
            _added(self.five, other.five),
            _added(self.highest, other.highest),
            _added(self.sums, other.sums),
            _added(self.squares, other.squares),
            # Sorting keeps the order of payment within a round, which is never cut in two.
            tuple(sorted(self.awards + other.awards, key=lambda award: award[0])),
        )


def _added(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def run(
    plan: Plan,
    chunks: range | None = None,
    *,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tally:
    """Play a run, or some of its chunks; `progress` is told of rounds as they are done."""
    numbers = range(plan.chunks) if chunks is None else chunks
    whole = _Sums(plan)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for counts, awards, played in pool.map(lambda chunk: _play(plan, chunk), numbers):
            whole.add(counts, awards, played)
            if progress is not None:
                progress(played)
    return whole.tally()


def _play(plan: Plan, chunk: int) -> tuple[kernels.Counts, list[list[int]], int]:
    played = min(CHUNK, plan.rounds - chunk * CHUNK)
    counts = _counts(plan)
    room = played * plan.seats if plan.bets.shares else 0
    awards = np.empty((room, AWARD), np.int64)
    won = kernels.play_chunk(
        stream(plan.seed, chunk), played, plan.seats, plan.ranks, plan.moves, plan.bets.arrays, counts,
        awards, _kept(plan, 0),
    )  # fmt: skip
    awards[:won, 0] += chunk * CHUNK
    return counts, awards[:won].tolist(), played


def stream(seed: str, chunk: int) -> NDArray[np.uint64]:
    """The state a chunk's random numbers start from: a hash of the seed and the chunk's number."""
    digest = hashlib.sha256(f"houseway simulate\n{seed}\n{chunk}".encode()).digest()
    return np.frombuffer(digest, "<u8").astype(np.uint64)


def first_rounds(
    plan: Plan, number: int, chunk: int = 0
) -> Iterator[tuple[dict[str, Any], list[dict[str, int]]]]:
    """The first rounds of a chunk as the cashier takes them, and what each seat's wagers brought in cents.

    A share of a meter is not in it: meters are read when the whole run is known.
    """
    kept = _kept(plan, number)
    awards = np.empty((number * plan.seats, AWARD), np.int64)
    kernels.play_chunk(
        stream(plan.seed, chunk), number, plan.seats, plan.ranks, plan.moves, plan.bets.arrays,
        _counts(plan), awards, kept,
    )  # fmt: skip
    stakes = {name: dollars(stake) for name, stake in plan.bets.stakes.items() if name != "play"}
    for cards, actions, nets in zip(kept.cards, kept.actions, kept.nets, strict=True):
        dealt = [DECK[n] for n in cards]
        seats = [
            {"seat": seat + 1, "hole": written(dealt[7 + 2 * seat : 9 + 2 * seat]), **stakes,
             "play": plan.bets.sizes[actions[seat]]}
            for seat in range(plan.seats)
        ]  # fmt: skip
        played = {
            "rulebook": plan.told["rulebook"],
            **plan.told["terms"],
            "board": written(dealt[:5]),
            "dealer": written(dealt[5:7]),
            "seats": seats,
        }
        names = (*plan.bets.wagers, "envy")
        yield played, [dict(zip(names, map(int, row), strict=True)) for row in nets]


def _counts(plan: Plan) -> kernels.Counts:
    places = len(plan.terms.order)
    groups = len(plan.bets.wagers) + 3
    shapes = (
        (len(plan.bets.actions), 3 * 2 * 3 * places),
        (places * MADE,),
        (places * MADE,),
        (plan.seats * places,),
        (groups,),
        (groups, 3),
    )
    return kernels.Counts(*(np.zeros(shape, np.int64) for shape in shapes))


def _kept(plan: Plan, number: int) -> kernels.Kept:
    return kernels.Kept(
        np.zeros((number, 7 + 2 * plan.seats), np.int8),
        np.zeros((number, plan.seats), np.int8),
        np.zeros((number, plan.seats, len(plan.bets.wagers) + 1), np.int64),
    )


class _Sums:
    """Chunks added up; what could outgrow 64 bits in Python's whole numbers."""

    def __init__(self, plan: Plan) -> None:
        self._counts = _counts(plan)
        self._sums = [0] * len(self._counts.sums)
        self._squares = [0] * len(self._sums)
        self._awards: list[tuple[int, ...]] = []
        self._rounds = 0

    def add(self, counts: kernels.Counts, awards: list[list[int]], played: int) -> None:
        for total, part in zip(self._counts[:4], counts[:4], strict=True):
            total += part
        self._sums = [a + b for a, b in zip(self._sums, counts.sums.tolist(), strict=True)]
        bits = kernels.LIMB_BITS
        self._squares = [
            total + (high << 2 * bits) + (both << bits + 1) + low
            for total, (high, both, low) in zip(self._squares, counts.squares.tolist(), strict=True)
        ]
        self._awards += map(tuple, awards)
        self._rounds += played

    def tally(self) -> Tally:
        showdown, seven, five, highest = (part.tolist() for part in self._counts[:4])
        return Tally(
            self._rounds,
            tuple(map(tuple, showdown)),
            tuple(seven),
            tuple(five),
            tuple(highest),
            tuple(self._sums),
            tuple(self._squares),
            tuple(self._awards),
        )
