"""South Dakota: tips for the dealer in every combination, and hands that bet trips alone."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from .dealing import CLASSES, Made, cycle, showdowns
from .showing import one

SPOTS = ("ante", "blind", "trips", "play")
PICKED = (
    ("beats a dealer who qualifies", 1), ("beats a dealer who qualifies", 5), ("beats a dealer without a pair", 3),
    ("ties", 4), ("loses to a dealer who qualifies", 3), ("loses to a dealer without a pair", 0),
    ("beats a dealer who qualifies", 9),
)  # fmt: skip


def tips() -> Iterator[Made]:
    """Yield rounds with tips on every combination of wagers, for every kind of result."""
    by_contest = {(name, kind): deals for name, kind, deals in showdowns()}
    rounding = cycle(None, "down", "up", "nearest")
    for size in range(1, 5):
        for spots in combinations(SPOTS, size):
            if "play" in spots and "ante" not in spots:
                continue
            for n, (name, kind) in enumerate(PICKED):
                play = (4, 1, 2, 3, 1, 0, 3)[n]
                if play == 0 and "play" in spots:
                    continue
                amounts = {"ante": "2", "blind": "1.01", "trips": "1", "play": str(2 * play)}
                fields: dict[str, Any] = {
                    "ante": "10",
                    "play": play,
                    "tips": {s: amounts[s] for s in spots},
                }
                if n % 2:
                    fields["trips"] = "5"
                way = next(rounding)
                if way:
                    fields["house"] = {"rounding": way}
                about = f"tip on {', '.join(spots)}: {CLASSES[kind]} {name if play else 'folded'}"
                yield Made(about, one("uth-sd", by_contest[name, kind][n % 4], **fields), ("SD-3-a",))


def alone() -> Iterator[Made]:
    """Yield rounds in which a hand bets only trips: every class, with and without a tip or progressive, alone
    and with other seats."""
    sides = cycle(
        {}, {"tips": {"trips": "1"}}, {"progressive": "1"}, {"tips": {"trips": "2.50"}, "progressive": "1"}
    )
    for name, kind, deals in showdowns():
        cards = deals[0]
        fields = {"trips": "5", **next(sides)}
        yield Made(f"trips alone: {CLASSES[kind]}", one("uth-sd", cards, **fields), ("SD-2-c",))
        if name == "ties":
            seats = [
                {"seat": 2, "hole": cards.hole, "trips": "7.50"},
                {"seat": 5, "hole": cards.pair(0), "ante": "5", "play": 1, "trips": "5"},
                {"seat": 1, "hole": cards.pair(1), "ante": "5", "play": 0},
            ]
            fields = {"rulebook": "uth-sd", "board": cards.board, "dealer": cards.dealer, "seats": seats}
            yield Made(f"trips alone among others: {CLASSES[kind]}", fields, ("SD-2-c",))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from tips()
    yield from alone()
