"""Measure shuffling and sealing shoes, compared with a shuffle by `secrets` and the bare keystream.

The last column divides each rate by the rate of "seed and shuffle" in the same run, so it hardly depends on
the machine's speed. Run with `make bench`; a slow result never fails a build.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable

from houseway.shoe import Deal, SealedShoe, SystemEntropy, order, round_proofs, shoe_id
from houseway.shoe.keystream import CARD_ORDER, keystream
from houseway.shoe.verify_round import faults, read

REPEATS = 5
CHUNK = 1 << 20


def by_secrets(size: int) -> list[int]:
    """The same shuffle, with a system call for each draw."""
    cards = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = secrets.randbelow(last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return cards


def best(work: Callable[[], object], times: int) -> float:
    """The calls per second, in the best of several runs."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for _ in range(times):
            work()
        seconds.append(time.perf_counter() - start)
    return times / min(seconds)


def show(what: str, rate: float, base: float, unit: str) -> None:
    print(f"{what:<48}{rate:>12,.0f} {unit:<10}{rate / base:>8.2f}")


def shuffle_rates(decks: int, times: int) -> None:
    system = SystemEntropy()
    size = 52 * decks
    words = size * 5 // 4 * (2 if size > 256 else 1)
    seed = system.draw(32)
    name = shoe_id("benchmark", 1, "red")
    base = best(lambda: order(system.draw(32), size), times)
    show(f"{size} cards, seed and shuffle", base, base, "shoes/s")
    show(f"{size} cards, by secrets", best(lambda: by_secrets(size), times // 10), base, "shoes/s")
    show(
        f"{size} cards, keystream alone",
        best(lambda: next(keystream(seed, CARD_ORDER, words)), times),
        base,
        "shoes/s",
    )
    show(
        f"{size} cards, shuffled and sealed",
        best(lambda: SealedShoe(seed, decks, name), times // 20),
        base,
        "shoes/s",
    )
    shoe = SealedShoe(seed, decks, name)
    shoe.permute({seat: system.draw(16) for seat in range(1, 7)})
    shoe.take(19)
    dealt = [Deal(1, "board", 19)]
    show(
        "19 cards proved",
        best(lambda: json.dumps(round_proofs(shoe, dealt, range(19))), times // 20),
        base,
        "rounds/s",
    )
    raw = json.dumps(round_proofs(shoe, dealt, range(19))).encode()
    show("19 cards checked by the verifier", best(lambda: faults(read(raw)), times // 20), base, "rounds/s")


if __name__ == "__main__":
    shuffle_rates(1, 20_000)
    shuffle_rates(6, 4_000)
    chunks = keystream(bytes(32), CARD_ORDER, CHUNK)
    print(f"{'bare keystream':<48}{best(lambda: next(chunks), 50):>12,.0f} MiB/s")
