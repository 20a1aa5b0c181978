"""Massachusetts' Cover All for two to seven hands, and match play coupons."""

from collections.abc import Iterator
from random import Random
from typing import Any

from .dealing import (
    CLASSES,
    FULL_HOUSE,
    HIGH,
    ROYAL,
    THREE,
    Made,
    cycle,
    one_deck,
    placed,
    showdowns,
    text,
)
from .showing import one

STAKES = ("5", "7.50", "1.01", "20")


def _table(rng: Random, kind: int, seats: int, holder: str) -> tuple[list[str], str, str] | None:
    """Holes, board and dealer whose highest hand has this class and belongs to the dealer or a seat."""
    hole, board, rest = placed(rng, kind, rng.choice((2, 1)), flop=False)
    hands = [rest[2 * n : 2 * n + 2] for n in range(seats)]
    best = one_deck(hole + board)
    others = max((one_deck(two + board) for two in hands), default=())
    if best[0] != kind or others >= best:
        return None
    if holder == "dealer":
        return [text(two) for two in hands], text(board), text(hole)
    return [text(hole), *(text(two) for two in hands[1:])], text(board), text(hands[0])


def highest() -> Iterator[Made]:
    """Yield rounds with every class of highest hand and every number of hands; the dealer, a player or a folded seat has it."""
    rng = Random(120)
    stakes = cycle(*STAKES)
    for count in range(1, 7):
        for kind in (*range(FULL_HOUSE, ROYAL + 1), HIGH + 1, THREE, 4, 5):
            for holder in ("a player", "dealer", "a folder with trips", "a folder racked"):
                if kind < FULL_HOUSE and holder not in ("a player", "dealer"):
                    continue
                made = None
                while made is None:
                    made = _table(rng, kind, count, holder)
                holes, board, dealer = made
                numbered = rng.sample(range(1, 7), count)
                seats: list[dict[str, Any]] = []
                for n, (number, hole) in enumerate(zip(numbered, holes, strict=True)):
                    seat = {"seat": number, "hole": hole, "ante": "5", "play": rng.choice((1, 2, 0, 4))}
                    if n == 0:
                        seat["play"] = 0 if "folder" in holder else 1
                    if (n == 0 and "trips" in holder) or (n and rng.random() < 0.3):
                        seat["trips"] = "5"
                    if n == 0 or rng.random() < 0.4:
                        seat["cover_all"] = next(stakes)
                    seats.append(seat)
                data: dict[str, Any] = {"rulebook": "uth-ma"}
                if rng.random() < 0.5:
                    data["mode"] = "device"
                data |= {"board": board, "dealer": dealer, "seats": seats}
                yield Made(f"Cover All, {count + 1} hands: {CLASSES[kind]}, held by {holder}", data)


def coupons() -> Iterator[Made]:
    """Yield rounds in which a match play coupon wins, loses or is returned."""
    faces = cycle("10", "5", "2.50")
    for name, kind, deals in showdowns():
        if kind in (HIGH, 1, 4, 7):
            for play in (1, 0):
                data = {
                    "ante": "10",
                    "play": play,
                    "match_play": next(faces),
                    "house": {"match_play": True},
                }
                about = f"match play: {CLASSES[kind]} {name if play else 'folded'}"
                yield Made(about, one("uth-ma", deals[3], **data), ("MA-6.a-b",))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from highest()
    yield from coupons()
