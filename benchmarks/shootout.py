"""Time the analysis of Texas Shootout: preparation, the choices for four cards, and the whole game.

Run it on an idle machine. `--whole` also recounts the whole game on all cores and shows its progress.
"""

from __future__ import annotations

import sys
import time

from houseway.cards import cards
from houseway.exact import shootout
from houseway.exact.shootout_game import read_game
from houseway.exact.shootout_hands import count_hands
from houseway.rules.loader import load


def main() -> None:
    book = load("shootout-sd")
    began = time.perf_counter()
    game = read_game(book)
    print(f"preparation               {time.perf_counter() - began:8.2f} s")
    for text in ("As Ad Kh Kd", "9c 8c 4d 2h"):
        began = time.perf_counter()
        best = shootout.odds(book, cards(text))[0]
        took = time.perf_counter() - began
        print(f"odds {text:<20} {took:8.2f} s   {best.action} {float(best.value):+.6f}")
    if "--whole" in sys.argv:
        began = time.perf_counter()
        count_hands(
            game, progress=lambda done, every: print(f"\r{done} of {every} hands", end="", flush=True)
        )
        print(f"\rthe 182 two-card hands    {time.perf_counter() - began:8.2f} s")


if __name__ == "__main__":
    main()
