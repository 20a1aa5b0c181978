"""Measure simulated rounds per second, on one thread and on all cores, in one table.

Run it on an idle machine: other programs slow the threads down.
"""

from __future__ import annotations

import os
import time

from houseway.simulate import CHUNK, Plan, plan, run

ROUNDS = 4_000_000
TABLES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("one seat", 1, ()),
    ("one seat, trips and progressive", 1, ("trips", "progressive")),
    ("six seats, every side bet", 6, ("trips", "progressive", "cover_all")),
)


def rate(table: Plan, threads: int) -> float:
    """The rounds per second, after a warm-up that compiles the kernels."""
    run(table, range(1), threads=threads)
    start = time.perf_counter()
    run(table, threads=threads)
    return table.rounds / (time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    cores = os.cpu_count() or 1
    print(f"{'rounds per second':<34}{'1 thread':>12}{f'{cores} threads':>12}")
    for name, seats, side in TABLES:
        table = plan("uth-ma", rounds=ROUNDS // seats // CHUNK * CHUNK, seats=seats, side=side)
        print(f"{name:<34}{rate(table, 1):>12,.0f}{rate(table, cores):>12,.0f}")


if __name__ == "__main__":
    main()
