"""Rounds that must be refused in every rulebook: bad cards, amounts and settings, and wagers without those they need."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from .dealing import BOOKS, Made

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"
SEAT: dict[str, Any] = {"seat": 1, "hole": "As Ah", "ante": "10", "trips": "5", "play": 1}

# The fault, the keys that it changes in the round, and those in the seat; None removes a key.
SEAT_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("a play of 5", {"play": 5}),
    ("a play of -1", {"play": -1}),
    ("a play that is no whole number", {"play": "2"}),
    ("an ante without a decision", {"play": None}),
    ("trips alone", {"ante": None, "play": None}),
    ("a play without an ante", {"ante": None, "play": 2}),
    ("a smaller blind", {"blind": "5"}),
    ("a larger blind", {"blind": "15"}),
    ("a blind a cent off", {"blind": "9.99"}),
    ("a blind without an ante", {"ante": None, "play": None, "trips": None, "blind": "10"}),
    ("no bet at all", {"ante": None, "play": None, "trips": None}),
    ("a negative ante", {"ante": "-10"}),
    ("a negative trips", {"trips": "-5"}),
    ("three decimals", {"ante": "10.005"}),
    ("no amount", {"trips": "ten"}),
    ("one hole card", {"hole": "As"}),
    ("three hole cards", {"hole": "As Ah Ad"}),
    ("no such card", {"hole": "As 1h"}),
    ("no hole cards", {"hole": None}),
    ("a card twice in the hole", {"hole": "As As"}),
    ("a card of the board in the hole", {"hole": "As Qd"}),
    ("the dealer's card in the hole", {"hole": "As 3s"}),
    ("seat 0", {"seat": 0}),
    ("seat 7", {"seat": 7}),
    ("an unknown key", {"insurance": "5"}),
    ("match play not taken", {"match_play": "5"}),
    ("a progressive at another amount", {"progressive": "3"}),
    ("a progressive for a dollar", {"progressive": "1"}),
    ("Cover All", {"cover_all": "5"}),
    ("a tip", {"tips": {"ante": "1"}}),
)
SD_SEATS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("a tip on ante without an own ante", {"ante": None, "play": None, "tips": {"ante": "1"}}),
    ("a tip on blind without an own blind", {"ante": None, "play": None, "tips": {"blind": "1"}}),
    ("a tip without any wager", {"ante": None, "play": None, "trips": None, "tips": {"trips": "1"}}),
    ("a tip play without a tip ante", {"tips": {"play": "2"}}),
    ("a tip play of another multiple", {"play": 4, "tips": {"ante": "2", "play": "10"}}),
    ("a tip play on a fold", {"play": 0, "tips": {"ante": "2", "play": "2"}}),
    ("a tip that is no amount", {"tips": {"ante": "two"}}),
    ("a tip on the progressive", {"tips": {"progressive": "1"}}),
    ("a progressive alone", {"ante": None, "play": None, "trips": None, "progressive": "1"}),
    ("a progressive of $5 where it is $1", {"progressive": "5"}),
)
MA_SEATS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("a progressive alone", {"ante": None, "play": None, "trips": None, "progressive": "5"}),
    ("Cover All alone", {"ante": None, "play": None, "trips": None, "cover_all": "5"}),
    ("a progressive of $10", {"progressive": "10"}),
    ("a progressive of $5.01", {"progressive": "5.01"}),
)
ROUND_FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("four board cards", {"board": "Qd 9s 7h 4c"}),
    ("six board cards", {"board": "Qd 9s 7h 4c 2d 2c"}),
    ("no board", {"board": None}),
    ("a card twice on the board", {"board": "Qd Qd 7h 4c 2d"}),
    ("one dealer's card", {"dealer": "Qc"}),
    ("no dealer", {"dealer": None}),
    ("the dealer holds a board card", {"dealer": "Qd 3s"}),
    ("no seats", {"seats": []}),
    ("no such trips table", {"tables": {"trips": "Z"}}),
    ("no such progressive table", {"tables": {"progressive": "PTMGL03"}}),
    ("no such kind of table", {"tables": {"lottery": "A"}}),
    ("no such mode", {"mode": "online"}),
    ("no such meter", {"tables": None, "meters": {"grand": "1"}}),
    ("no such house setting", {"house": {"free_drinks": True}}),
    ("no such rounding", {"house": {"rounding": "generous"}}),
    ("limits of an unknown wager", {"limits": {"insurance": {"min": "1"}}}),
    ("an unknown key of the round", {"colour": "red"}),
    ("a shared award nobody knows", {"house": {"awards": "lottery"}}),
)


def changed(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A copy with some keys replaced and some removed."""
    copy = deepcopy(base)
    for key, value in change.items():
        if value is None:
            copy.pop(key, None)
        else:
            copy[key] = deepcopy(value)
    return copy


def base(book: str) -> dict[str, Any]:
    """A valid round."""
    return {"rulebook": book, "board": BOARD, "dealer": DEALER, "seats": [dict(SEAT)]}


def ultimate() -> Iterator[Made]:
    """Yield rounds with one fault each, for each rulebook. If a rulebook allows the fault, the round settles."""
    for book in BOOKS:
        extra = {"uth-sd": SD_SEATS, "uth-ma": MA_SEATS}.get(book, ())
        for name, change in (*SEAT_FAULTS, *extra):
            data = base(book)
            data["seats"] = [changed(SEAT, change)]
            if "progressive" in change and book == "uth-sd":
                data["tables"] = {"progressive": "PMG-01"}
            yield Made(name, data)
        for name, change in ROUND_FAULTS:
            yield Made(name, changed(base(book), change))
        second = {"seat": 2, "hole": "Kd 5s", "ante": "10", "play": 1}
        for name, change in (
            ("the same seat twice", {"seat": 1}),
            ("a card in two hands", {"hole": "As 5s"}),
            ("one player at two positions", {"player": "Ann"}),
            ("a second seat without a decision", {"play": None}),
        ):
            data = base(book)
            data["seats"] = [{**SEAT, "player": "Ann"}, changed(second, change)]
            yield Made(name, data)
        data = base(book)
        data["seats"] = [{**SEAT, "player": "Ann"}, {**second, "player": "Ann"}]
        data["house"] = {"more_positions": True}
        yield Made("one player at two positions, where the house lets them", data)
        data = base(book)
        data["seats"] = [changed(SEAT, {"play": 5, "blind": "5", "hole": "Qd As"})]
        yield Made("several faults at once", data)
        data["board"] = "Qd Qd"
        yield Made("faults all over", data)


def massachusetts() -> Iterator[Made]:
    """Yield Massachusetts rounds with Cover All in manual mode, coupons above the ante, and unknown pay tables."""
    data = base("uth-ma")
    data |= {"mode": "manual", "seats": [{**SEAT, "cover_all": "5"}]}
    yield Made("Cover All in manual dealing", data)
    for face in ("10.01", "20"):
        data = base("uth-ma")
        data |= {"house": {"match_play": True}, "seats": [{**SEAT, "match_play": face}]}
        yield Made(f"a coupon of {face} with ten in chips", data)
    for table in ("UTH-01", "PMG-01", "E"):
        yield Made(f"trips table {table}", changed(base("uth-ma"), {"tables": {"trips": table}}))
        yield Made(
            f"progressive table {table}", changed(base("uth-ma"), {"tables": {"progressive": table}})
        )
    for table in ("A", "CARD", "UTH-05"):
        yield Made(f"trips table {table}", changed(base("uth-sd"), {"tables": {"trips": table}}))
    for limit in ("0", "-5", "much"):
        yield Made(f"maximum payout {limit}", changed(base("uth-proc"), {"house": {"max_payout": limit}}))
    for maximum in ("25", "26"):
        change = {"limits": {"ante": {"min": "5", "max": maximum}}}
        yield Made(f"a posted maximum of {maximum}", changed(base("uth-proc"), change))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from ultimate()
    yield from massachusetts()
    yield Made("no such rulebook", changed(base("uth-ma"), {"rulebook": "uth-nv"}))
