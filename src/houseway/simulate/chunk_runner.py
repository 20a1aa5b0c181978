"""Play a run in chunks of rounds. Each chunk has its own stream of random numbers."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels import ultimate_rounds as kernels
from houseway.simulate.run_plan import CHUNK, Plan
from houseway.simulate.tally import Tally

AWARD = 4
"""The number of fields of an award: the round, the meter share, and the round's results for the progressive
and in total."""


def run(
    plan: Plan,
    chunks: range | None = None,
    *,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Tally:
    """Play a run, or some of its chunks.

    After each chunk, `progress` is called with its number of rounds.
    """
    numbers = range(plan.chunks) if chunks is None else chunks
    whole = _tally(0, plan.game.buffers(0)[0], [])
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for part in pool.map(lambda chunk: _play(plan, chunk), numbers):
            whole += part
            if progress is not None:
                progress(part.rounds)
    return whole


def _play(plan: Plan, chunk: int) -> Tally:
    played = min(CHUNK, plan.rounds - chunk * CHUNK)
    counts, log = plan.game.buffers(0)
    capacity = played * plan.seats if plan.bets.shares else 0
    awards = np.empty((capacity, AWARD), np.int64)
    won = plan.game.play(stream(plan.seed, chunk), played, counts, awards, log)
    awards[:won, 0] += chunk * CHUNK
    return _tally(played, counts, awards[:won].tolist())


def _tally(rounds: int, counts: kernels.Counts, awards: list[list[int]]) -> Tally:
    """Convert the counts of a chunk to Python integers, because sums over many chunks can exceed 64
    bits."""
    showdown, seven, early, highest, sums, squares = (part.tolist() for part in counts)
    bits = kernels.LIMB_BITS
    return Tally(
        rounds,
        tuple(map(tuple, showdown)),
        tuple(seven),
        tuple(map(tuple, early)),
        tuple(highest),
        tuple(sums),
        tuple((high << 2 * bits) + (both << bits + 1) + low for high, both, low in squares),
        tuple(map(tuple, awards)),
    )


def stream(seed: str, chunk: int) -> NDArray[np.uint64]:
    """Return the initial random state of a chunk: a hash of the seed and the chunk number."""
    digest = hashlib.sha256(f"houseway simulate\n{seed}\n{chunk}".encode()).digest()
    return np.frombuffer(digest, "<u8").astype(np.uint64)
