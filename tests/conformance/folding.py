"""Folds in every rulebook and mode, with and without trips, alone and among others; tables with many seats."""

from collections.abc import Iterator
from random import Random
from typing import Any

from .dealing import BOOKS, CLASSES, HIGH, MODES, PAIR, THREE, Deal, Made, cycle, showdowns
from .showing import one

SHOWDOWNS: tuple[tuple[str, tuple[int, ...]], ...] = (
    # Trips, if it is bet, loses below three of a kind and wins from there on.
    ("loses to a dealer who qualifies", (PAIR, HIGH)),
    ("beats a dealer without a pair", (PAIR, HIGH)),
    ("loses to a dealer who qualifies", (THREE, 4, 5, 6)),
    ("beats a dealer who qualifies", (THREE, 4, 5, 6, 7, 8, 9)),
)
"""The showdowns that a folded hand would have had, each with the classes of the folded hand."""


def _deals() -> dict[tuple[str, int], tuple[Deal, ...]]:
    return {(name, kind): deals for name, kind, deals in showdowns()}


def alone() -> Iterator[Made]:
    """Yield rounds in which the only seat folds."""
    deals = _deals()
    for book in BOOKS:
        for mode in MODES[book]:
            modes: dict[str, Any] = {"mode": mode}
            trips = cycle("5", None, "7.77")
            for name, kinds in SHOWDOWNS:
                for kind in kinds:
                    cards = deals[name, kind][3]
                    fields = {"ante": "10", "play": 0, **modes}
                    if kind >= THREE:
                        fields["trips"] = "5"
                        bare = one(book, cards, ante="10", play=0, **modes)
                        yield Made(f"folds a {CLASSES[kind]}, no trips", bare)
                    elif (side := next(trips)) is not None:
                        fields["trips"] = side
                    won = "pays" if kind >= THREE else "loses"
                    about = f"folds a {CLASSES[kind]}"
                    if "trips" in fields:
                        about += f", trips {won}"
                    yield Made(about, one(book, cards, **fields))


def among_others() -> Iterator[Made]:
    """Yield rounds of several seats, of which some fold and some bet trips; in uth-proc, with both ways to return antes."""
    rng = Random(12)
    pool = [(name, kind, cards) for name, kind, deals in showdowns() for cards in deals]
    for book in BOOKS:
        plays = cycle(0, 1, 0, 2, 4, 0, 3)
        sides = cycle(None, "3", "5", None, "4.50")
        for n in range(60):
            _, kind, cards = pool[rng.randrange(len(pool))]
            count = rng.choice((2, 2, 3, 4, 6))
            numbers = rng.sample(range(1, 7), count)
            seats = []
            for at, number in enumerate(numbers):
                hole = cards.hole if at == 0 else cards.pair(at)
                seat: dict[str, Any] = {"seat": number, "hole": hole, "ante": "5", "play": next(plays)}
                side = next(sides)
                if side is not None:
                    seat["trips"] = side
                seats.append(seat)
            data: dict[str, Any] = {"rulebook": book}
            if book in ("uth-ma", "uth-sd") and n % 2:
                data["mode"] = "device"
            if book == "uth-proc" and n % 3:
                data["house"] = {"ante_return": ("in_sequence", "refund_pass")[n % 2]}
            data |= {"board": cards.board, "dealer": cards.dealer, "seats": seats}
            folds = sum(seat["play"] == 0 for seat in seats)
            yield Made(f"{count} seats, {folds} folded, one with a {CLASSES[kind]}", data)


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from alone()
    yield from among_others()
