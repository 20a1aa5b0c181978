"""Texas Shootout: split hands, envy by hand, and rounds that must be refused."""

from collections.abc import Iterator
from random import Random
from typing import Any

from .dealing import Made, cycle, numbers, text
from .refusing import changed

PAIRS = (
    ("9s 9d", "4h 4c"), ("9s 4h", "9d 4c"), ("7h 8h", "7c 8c"), ("6s 6s", "6d 6h"), ("As Ad", "Kh Kd"),
    ("Kd Kd", "Kd Kd"), ("2c 2d", "3c 3d"), ("As Ks", "Ad Kd"),
)  # fmt: skip
BOARDS = (
    ("9h 4d 4s Kc 7s", "Kd Ks 8c 3d"), ("9h Th Jh Kc 2d", "Ad As 6s 5c"), ("As Kd Qc Jh Tc", "9d 9h 5s 2d"),
    ("Kd Kd Kd 3c 9s", "Ah Qc 9d 4h"), ("8h 8s 8s Kc 2d", "Kd Qd 5s 3h"),
)  # fmt: skip
SPLIT_STAKES: tuple[tuple[str, list[str]], ...] = (
    ("10", ["5", "5"]), ("10", ["5", "2"]), ("25", []), ("7.50", ["5"]), ("12.34", ["10", "4.99"]),
    ("5", ["5", "0"]),
)  # fmt: skip


def splits() -> Iterator[Made]:
    """Yield rounds with split pairs on different boards, with an equal second bonus, a smaller one or none."""
    stakes = cycle(*SPLIT_STAKES)
    tables = cycle("A", "B")
    for one, two in PAIRS:
        for board, dealer in BOARDS:
            wager, bonus = next(stakes)
            four = f"{one} {two}"
            if any((f"{four} {board} {dealer}").split().count(c) > 6 for c in four.split()):
                continue
            seat: dict[str, Any] = {"seat": 1, "cards": four, "hands": [one, two], "wager": wager}
            if bonus:
                seat["bonus"] = bonus
            data: dict[str, Any] = {"rulebook": "shootout-sd", "tables": {"bonus": next(tables)}}
            data |= {"board": board, "dealer": dealer, "seats": [seat]}
            yield Made(f"{one} and {two} split", data, ("TS-9-a",))
            single = changed(seat, {"hands": [one], "bonus": ["5"]})
            yield Made(f"{one} kept of {four}", data | {"seats": [single]}, ("TS-8-a",))


# Hands that trigger envy: their two cards, and the board.
TRIGGERS = (
    ("suited five of a kind", "Kd Kd", "Kd Kd Kd 3c 9s"),
    ("royal flush", "Ah Kh", "Qh Jh Th 3c 2d"),
    ("straight flush", "7h 8h", "9h Th Jh 4c 2d"),
    ("steel wheel", "Ah 2h", "3h 4h 5h Kc Td"),
    ("five of a kind", "8c 8d", "8h 8s 8s Kc 2d"),
    ("four of a kind, which brings none", "8c 8d", "8h 8s Qs Kc 2d"),
)


def envy() -> Iterator[Made]:
    """Yield rounds with envy for another player's hand and for the seat's own other hand, but not for the dealer's.

    A bonus below $5 earns no envy.
    """
    for name, hole, board in TRIGGERS:
        for bonuses in (("5", "5", None), ("4.99", "5", "25"), (None, "4", "5.01"), ("10", None, None)):
            seats: list[dict[str, Any]] = [
                {"seat": 2, "cards": f"{hole} 6c 5d", "hands": [hole], "wager": "10"},
                {"seat": 5, "cards": "Ac Qc 7d 3s", "hands": ["Ac Qc"], "wager": "10"},
                {"seat": 7, "cards": "Js Jc 4s 3h", "hands": ["Js Jc"], "wager": "5"},
            ]
            for seat, bonus in zip(seats, bonuses, strict=True):
                if bonus:
                    seat["bonus"] = [bonus]
            data = {"rulebook": "shootout-sd", "board": board, "dealer": "Ad 9d 5s 4d", "seats": seats}
            yield Made(f"envy: {name}", data, ("TS-17-a", "TS-17-b"))
        seat = {"seat": 3, "cards": "Ac Qc 7d 3s", "hands": ["Ac Qc"], "wager": "10", "bonus": ["5"]}
        data = {"board": board, "dealer": f"{hole} 3c 6d", "dealer_keeps": hole, "seats": [seat]}
        yield Made(f"no envy for the dealer's {name}", {"rulebook": "shootout-sd", **data}, ("TS-17-b",))
        seats = [
            {"seat": s, "cards": f"{hole} 6c 5d", "hands": [hole], "wager": "10", "bonus": [b]}
            for s, b in ((1, "5"), (4, "7.50"))
            if max(f"{hole} {hole} {board}".split().count(c) for c in hole.split()) <= 6
        ]
        if seats:
            data = {"rulebook": "shootout-sd", "board": board, "dealer": "Ad 9d 5s 4d", "seats": seats}
            yield Made(f"envy: two players with {name}", data, ("TS-17-b",))
    for first, second, board in (
        ("7h 8h", "7c 8c", "9h Th Jh Kc 2d"), ("7h 8h", "7h 8h", "9h Th Jh Kc 2d"), ("8c 8d", "8c 8d", "8h 8s 8s Kc 2d"),
        ("Ah Kh", "Ad Kd", "Qh Jh Th Kc 2d"), ("Kd Kd", "Kd Ks", "Kd Kd Kd 3c 9s"),
    ):  # fmt: skip
        for pair in (["5", "5"], ["5", "4.99"], ["10"], ["5", "0"]):
            seat = {
                "seat": 1,
                "cards": f"{first} {second}",
                "hands": [first, second],
                "wager": "10",
                "bonus": pair,
            }
            other = {"seat": 6, "cards": "9c 9d 7s 2c", "hands": ["9c 9d"], "wager": "5", "bonus": ["5"]}
            data = {
                "rulebook": "shootout-sd",
                "board": board,
                "dealer": "Ad As 6s 5c",
                "seats": [seat, other],
            }
            yield Made(f"envy of one's own other hand, {first} and {second}", data, ("TS-17-b",))


BASE: dict[str, Any] = {"rulebook": "shootout-sd", "board": "Qd 9s 7h 4c 2d", "dealer": "Kc Qs 8h 3c"}
SEAT: dict[str, Any] = {
    "seat": 1,
    "cards": "9d 9c 4h 4s",
    "hands": ["9d 9c"],
    "wager": "10",
    "bonus": ["5"],
}
SPLIT = ["9d 9c", "4h 4s"]
SEAT_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("three cards kept", {"hands": ["9d 9c 4h"]}),
    ("one card kept", {"hands": ["9d"]}),
    ("no hand", {"hands": []}),
    ("three hands", {"hands": ["9d 9c", "4h 4s", "9d 4h"]}),
    ("a card kept that was not dealt", {"hands": ["9d Ac"]}),
    ("a card used in both hands", {"hands": ["9d 9c", "9d 4s"]}),
    ("a split of one pair", {"cards": "9d 9c 4h 3s", "hands": ["9d 9c", "4h 3s"]}),
    ("a split of three of a kind", {"cards": "9d 9c 9h 4c", "hands": ["9d 9c", "9h 4c"]}),
    ("a split of nothing", {"cards": "9d Kc 6h 4c", "hands": ["9d Kc", "6h 4c"]}),
    ("a second wager below the first", {"hands": SPLIT, "wager": ["10", "5"]}),
    ("a second wager above the first", {"hands": SPLIT, "wager": ["10", "15"]}),
    ("a second wager equal to the first", {"hands": SPLIT, "wager": ["10", "10"]}),
    ("a second bonus above the first", {"hands": SPLIT, "bonus": ["5", "5.01"]}),
    ("a second bonus without a first", {"hands": SPLIT, "bonus": ["0", "5"]}),
    ("more bonuses than hands", {"bonus": ["5", "5"]}),
    ("no primary wager", {"wager": None}),
    ("a bonus alone", {"wager": None, "bonus": ["5"]}),
    ("no wager at all", {"wager": None, "bonus": None}),
    ("a primary wager that is no amount", {"wager": "ten"}),
    ("a negative bonus", {"bonus": ["-5"]}),
    ("three cards dealt", {"cards": "9d 9c 4h"}),
    ("five cards dealt", {"cards": "9d 9c 4h 4s 2c"}),
    ("no such card", {"cards": "9d 9c 4h 4x"}),
    ("seat 8", {"seat": 8}),
    ("seat 0", {"seat": 0}),
    ("an ante", {"ante": "5"}),
    ("a wager of $1,000", {"wager": "1000", "bonus": None}),
    ("a wager of $1,000.01", {"wager": "1000.01", "bonus": None}),
    ("$1,000 with the bonus", {"wager": "995"}),
    ("above $1,000 with the bonus", {"wager": "995.01"}),
    ("a split at $1,000 in all", {"hands": SPLIT, "wager": "495", "bonus": ["5", "5"]}),
    ("a split above $1,000 in all", {"hands": SPLIT, "wager": "495", "bonus": ["5.01", "5"]}),
)
ROUND_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("four board cards", {"board": "Qd 9s 7h 4c"}),
    ("no board", {"board": None}),
    ("three dealer's cards", {"dealer": "Kc Qs 8h"}),
    ("the dealer keeps a card not dealt", {"dealer_keeps": "Kc Ad"}),
    ("the dealer keeps one card", {"dealer_keeps": "Kc"}),
    ("a seventh copy", {"board": "9d 9d 9d 9d 9d", "dealer": "9d Qs 8h 3c"}),
    ("six copies", {"board": "9d 9d 9d 9d 9d"}),
    ("no such bonus table", {"tables": {"bonus": "C"}}),
    ("a trips table", {"tables": {"trips": "A"}}),
    ("dealt by a device", {"mode": "device"}),
    ("a meter", {"meters": {"main": "100"}}),
    ("no such house setting", {"house": {"awards": "shared"}}),
    ("below a posted minimum", {"limits": {"wager": {"min": "15", "max": "50"}}}),
    ("above a posted maximum", {"limits": {"wager": {"max": "9.99"}}}),
    ("a bonus below its minimum", {"limits": {"bonus": {"min": "6", "max": "50"}}}),
    ("a minimum without a maximum", {"limits": {"wager": {"min": "5"}}}),
    ("split maxima of $1,000", {"limits": {"wager": {"max": "400"}, "bonus": {"max": "100"}}}),
    ("split maxima above $1,000", {"limits": {"wager": {"max": "400"}, "bonus": {"max": "101"}}}),
    ("no seats", {"seats": []}),
    ("an unknown key of the round", {"colour": "red"}),
)


def refused() -> Iterator[Made]:
    """Yield rounds with one fault each. Some faults are allowed, and the round settles."""
    for name, change in SEAT_FAULTS:
        yield Made(name, {**BASE, "seats": [changed(SEAT, change)]})
    for name, change in ROUND_FAULTS:
        yield Made(name, changed({**BASE, "seats": [SEAT]}, change))
    second = {"seat": 2, "cards": "As Ah Tc 8d", "hands": ["As Ah"], "wager": "10", "player": "Ann"}
    for name, change, house in (
        ("one player at two positions", {}, None),
        ("one player at two positions, where the house lets them", {}, {"more_positions": True}),
        ("the same seat twice", {"seat": 1, "player": "Bo"}, None),
        ("two positions above $1,000", {"wager": "990"}, {"more_positions": True}),
    ):
        data = {**BASE, "seats": [{**SEAT, "player": "Ann"}, changed(second, change)]}
        yield Made(name, data | ({"house": house} if house else {}))


def many() -> Iterator[Made]:
    """Yield rounds with seven seats, listed in any order."""
    rng = Random(77)
    for _ in range(6):
        deck = [
            c for c in numbers(" ".join(r + s for r in "23456789TJQKA" for s in "cdhs")) for _ in range(6)
        ]
        rng.shuffle(deck)
        names = [deck.pop() for _ in range(37)]
        seats = []
        order = rng.sample(range(1, 8), 7)
        for n, number in enumerate(order):
            four = names[9 + 4 * n : 13 + 4 * n]
            seat = {"seat": number, "cards": text(four), "hands": [text(four[:2])], "wager": "5"}
            if n % 2:
                seat["bonus"] = ["5"]
            seats.append(seat)
        data = {"rulebook": "shootout-sd", "board": text(names[:5]), "dealer": text(names[5:9])}
        yield Made("seven seats", data | {"seats": seats}, ("TS-15-c",))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from splits()
    yield from envy()
    yield from refused()
    yield from many()
