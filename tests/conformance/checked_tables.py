"""Acceptance checks that need several players, and those of Texas Shootout."""

from collections.abc import Iterator
from typing import Any

from .dealing import Made

Seats = tuple[dict[str, Any], ...]


def bet(seat: int, hole: str, **given: Any) -> dict[str, Any]:
    """A seat that plays for $5, with its other bets."""
    return {"seat": seat, "hole": hole, "ante": "5", "play": 1, **given}


def linked(number: int, hole: str) -> dict[str, Any]:
    """A seat with the $1 progressive."""
    return bet(number, hole, progressive="1")


ONE, FIVE = {"tables": {"progressive": "PMG-01"}}, {"tables": {"progressive": "PMG-02"}}
ROYAL_FLOP = {"board": "Th Jh Qh 3c 2d", "dealer": "5s 5d"}
STEEL_FLOP = {"board": "9h Th Jh 4c 4d", "dealer": "5s 5d"}
METER = {"meters": {"main": "22000"}}
SEED: dict[str, Any] = {"seed": {"main": "10000"}}
BOTH = (linked(5, "Ah Kh"), linked(2, "8h 9h"))

DAKOTA: tuple[tuple[str, dict[str, Any], Seats], ...] = (
    ("SD-18.a.v", {**ONE, **METER, **ROYAL_FLOP, "house": {**SEED, "awards": "sequential"}}, BOTH),
    ("SD-18.a.v", {**ONE, **METER, **ROYAL_FLOP, "house": {**SEED, "awards": "shared"}}, BOTH),
    ("SD-18-PMG-c", {**ONE, **ROYAL_FLOP}, (linked(1, "As Ac"), linked(2, "Ks Kc"), bet(3, "Ah Kh"))),
    ("SD-18-PMG-d", {**FIVE, **STEEL_FLOP}, (bet(1, "As Ac", progressive="5"), bet(3, "7h 8h"))),
    ("SD-18.b.i-a", {**ONE, **STEEL_FLOP}, (linked(1, "As Ac"), bet(2, "Ks Kc"), linked(3, "7h 8h"))),
    ("SD-18.b.i-b", {**ONE, **ROYAL_FLOP}, (linked(1, "As Ac"), linked(2, "Ks Kc"), linked(3, "Ah Kh"))),
    ("SD-18.b.i-c", {**ONE, **ROYAL_FLOP}, (bet(1, "8h 9h"), linked(3, "Ah Kh"))),
    ("SD-18.b.iii-b", {**ONE, **STEEL_FLOP}, (linked(1, "7h 8h"), linked(2, "Qh Kh"), linked(4, "As Ac"))),
    ("SD-18-UTHP01-c", {"tables": {"progressive": "UTHP-01"}, "board": "As Ks Qs Js Ts", "dealer": "9h 9d"},
     (linked(1, "2c 3d"), linked(4, "4c 5d"), bet(6, "6c 7d"))),
    ("SD-6-a", {"board": "7s Kh 9d 4c 2s", "dealer": "Qc Qd"},
     (bet(1, "7c 7d", trips="5"), bet(4, "Kc Kd", trips="5"), bet(6, "3c 3h", trips="5"))),
    ("SD-12-d", {"board": "7s Kh 9d 4c 2s", "dealer": "Qc Qd"},
     (bet(1, "7c 7d", trips="5") | {"play": 0}, bet(3, "Ac Jd"), bet(5, "6c 5h", trips="5") | {"play": 0})),
)  # fmt: skip

PAIRS = ("4c 3d", "5c 6d", "8c 6h", "8s Jc", "3h 6s", "Jd 8d")
FULL, QUADS = ("Ks Kd 7c 7h 2s", "Kh Qc"), ("9h 9s 4d Kc 2s", "9c 9d")
STEEL, ROYAL = ("9h Th Qh 2c 2d", "Kh Jh"), ("Qs Js Ts 4d 2c", "As Ks")
COVERED = (
    ("MA-12.k-3", 2, FULL), ("MA-12.b", 3, FULL), ("MA-12.k-4", 3, STEEL), ("MA-12.g", 3, STEEL),
    ("MA-12.c", 1, STEEL), ("MA-12.c", 6, STEEL), ("MA-12.k-5", 4, QUADS), ("MA-12.k-6", 5, QUADS),
    ("MA-12.f", 6, FULL), ("MA-12.f", 6, QUADS), ("MA-12.f", 6, ROYAL),
)  # fmt: skip

LOW = "Qd 9s 7h 4c 2d"


def keeps(cards: str, wager: str = "10", *bonus: str, seat: int = 1) -> dict[str, Any]:
    """A Shootout seat that keeps its first two cards."""
    made: dict[str, Any] = {"seat": seat, "cards": cards, "hands": [cards[:5]], "wager": wager}
    return made | ({"bonus": list(bonus)} if bonus else {})


def splits(cards: str, wager: str = "10", *bonus: str) -> dict[str, Any]:
    """A Shootout seat that splits its cards in the middle."""
    return {**keeps(cards, wager, *bonus), "hands": [cards[:5], cards[6:]]}


FLOP: dict[str, Any] = {"board": LOW, "dealer": "Kc Qs 8h 3c"}
PLAYED: dict[str, Any] = {"board": "As Kd Qc Jh Tc", "dealer": "9d 9h 5s 2d"}
A: dict[str, Any] = {"tables": {"bonus": "A"}}
B: dict[str, Any] = {"tables": {"bonus": "B"}}
SHOOTOUT: tuple[tuple[str, dict[str, Any], Seats], ...] = (
    ("TS-15-a TS-2", FLOP, (keeps("As Ah Tc 8d"),)),
    ("TS-15-b TS-13", PLAYED, (keeps("2c 3d 7h 8s"),)),
    ("TS-15-d", FLOP, (keeps("As Ah Tc 8d", "25"),)),
    ("TS-15-d", FLOP, (splits("As Ah Kd Kh", "25"),)),
    ("TS-8-a", FLOP, (keeps("Kd Kc 7s 2h"),)),
    ("TS-8-a", FLOP, ({**keeps("Kd Kc 7s 2h"), "hands": ["Kd Kc 7s"]},)),
    ("TS-9-a TS-9-c", FLOP, (splits("9s 9d 4h 4c"),)),
    ("TS-9-a", FLOP, (splits("6s 6s 6d 6h"),)),
    ("TS-9-a", FLOP, (splits("9s 9d 9h 4c"),)),
    ("TS-9-a", FLOP, (splits("9s 9d 4h 3c"),)),
    ("TS-9-b", FLOP, (keeps("9s 9d 4h 4c"),)),
    ("TS-9-d", FLOP, ({**splits("9s 9d 4h 4c"), "wager": ["10", "5"]},)),
    ("TS-9-d", FLOP, ({**splits("9s 9d 4h 4c"), "wager": ["10", "15"]},)),
    ("TS-9-e", FLOP, (splits("9s 9d 4h 4c", "10", "0", "5"),)),
    ("TS-9-e", FLOP, (splits("9s 9d 4h 4c", "10", "5", "0"),)),
    ("TS-9-f", FLOP, (splits("9s 9d 4h 4c", "10", "10", "11"),)),
    ("TS-9-f", FLOP, (splits("9s 9d 4h 4c", "10", "10", "1"),)),
    ("TS-11-b", {"board": LOW, "dealer": "Kd Kc 7s 2h"}, (keeps("As Ah Tc 8d"),)),
    ("TS-11-b", {"board": "Qd Jc 6c 3h 2s", "dealer": "Ah Jd 7s 7c"}, (keeps("Th Td 8c 5d"),)),
    ("TS-11-c", {"board": LOW, "dealer": "Kd Kc 7s 2h", "dealer_keeps": "7s 2h"}, (keeps("As Ah Tc 8d"),)),
    ("TS-14-b", {"board": "3s 4s 5s Kd Kc", "dealer": "6s 7s 2d 9h"}, (keeps("As 2s Tc 8d", "10", "5"),)),
    ("TS-14-c", {"board": "3s 4h 5c Kd Kc", "dealer": "Qs Qd 2d 9h"}, (keeps("As 2d Tc 8d", "10", "5"),)),
    ("TS-14-d", {"board": "Kd Kd Kd 3c 9s", "dealer": "Ah Qc 9d 4h"}, (keeps("Kd Kd 7c 2s", "5", "1"),)),
    ("TS-14-d", {"board": "8h 8s 8s Kc 2d", "dealer": "Kd Qd 5s 3h"}, (keeps("8c 8d Jh 4s", "5", "1"),)),
    ("TS-5-c", {**A, "board": "Ah 9h 6h Kc 2d", "dealer": "As Kd 8c 3c"}, (keeps("Qh 4h Tc 8d", "10", "5"),)),
    ("TS-16-a", {**B, "board": "9h 9s 4d Kc 2s", "dealer": "3h 5c 7d Jc"}, (keeps("9c 9d Tc 8d", "10", "5"),)),
    ("TS-16-b", {**A, "board": "7s Kh 9d 4c 2s", "dealer": "3h 5c 6d Jc"}, (keeps("7c 7d Tc 8d", "10", "5"),)),
    ("TS-16-c", {**A, "board": "Ah 9h 6h 9c 2d", "dealer": "9d 9s 3c 2c"}, (keeps("Qh 4h Tc 8d", "10", "5"),)),
    ("TS-6-a TS-6-b", {"board": "9h Th Jh 4c 2d", "dealer": "Ad 9d 5s 4d"},
     (keeps("Ac Qc 7d 3s", "10", "5"), keeps("Js Jc 4s 3h", "10", "10", seat=2),
      keeps("7h 8h 6c 5d", "10", "1", seat=3))),
    ("TS-17-a", {"board": "9h Th Jh 4c 2d", "dealer": "Ad 9d 5s 4d"},
     (keeps("Ac Qc 7d 3s", "10", "5"), keeps("Js Jc 4s 3h", "10", "4", seat=2), keeps("7h 8h 6c 5d", seat=3))),
    ("TS-17-t", {"board": "Qh Jh Th 4c 2d", "dealer": "Ad 9d 5s 4d"},
     (keeps("Ac Qc 7d 3s", "10", "5"), keeps("Js Jc 4s 3h", "10", "25", seat=2), keeps("Ah Kh 6c 5d", seat=3))),
    ("TS-16-d TS-15-c", FLOP, (keeps("As Ah Tc 8d", "10", "5"), keeps("Ks Kh Tc 8d", "10", "5", seat=4))),
)  # fmt: skip


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    for ids, about, seats in DAKOTA:
        data = {"rulebook": "uth-sd", **about, "seats": [dict(s) for s in seats]}
        yield Made(f"check of {ids}", data, tuple(ids.split()))
    for clause, count, (board, hole) in COVERED:
        others = (bet(n + 1, PAIRS[n]) for n in range(count - 1))
        data = {
            "rulebook": "uth-ma",
            "board": board,
            "dealer": "Ah Ad",
            "seats": [*others, bet(count, hole, cover_all="5")],
        }
        yield Made(f"check of {clause}", data, (clause,))
    for ids, about, seats in SHOOTOUT:
        data = {"rulebook": "shootout-sd", **about, "seats": [dict(s) for s in seats]}
        yield Made(f"check of {ids}", data, tuple(ids.split()))
    refund = {"board": LOW, "dealer": "Kc 8c", "seats": [bet(1, "As Ah"), bet(4, "Kh 5s")]}
    for house in ({}, {"house": {"ante_return": "in_sequence"}}):
        yield Made("check of PROC-N.1-a", {"rulebook": "uth-proc", **house, **refund}, ("PROC-N.1-a",))
