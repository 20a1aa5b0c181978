"""Showdowns: every class with every result, every trips table, the blind with half cents, kickers and low straights."""

from collections.abc import Iterator
from random import Random
from typing import Any

from .dealing import BOOKS, CLASSES, FLUSH, MODES, ROYAL, STRAIGHT, Deal, Made, cycle, deal, showdowns, win

TRIPS = {
    "uth-sd": ("UTH-01", "UTH-02", "UTH-03", "UTH-04"),
    "uth-card": ("CARD",),
    "uth-proc": ("A", "B", "C", "D"),
    "uth-ma": ("A", "B", "C", "D"),
}
ANTES = {
    "uth-sd": ("10", "5", "7.50", "12.34", "0.01", "99.99"),
    "uth-card": ("10", "1", "7.50", "33.33", "0.03", "85"),
    "uth-proc": ("5", "3", "7.50", "24.99", "12.35", "25"),
    "uth-ma": ("10", "5", "7.50", "12.34", "0.05", "80.01"),
}
ROUND: tuple[str, ...] = ("mode", "tables", "limits", "house", "meters")
ROUNDINGS = ("down", "up", "nearest")


def one(book: str, cards: Deal | tuple[str, str, str], **given: Any) -> dict[str, Any]:
    """Return a round with one seat. Each field goes to the round or to the seat, by its name."""
    about = {key: given.pop(key) for key in ROUND if key in given}
    seat = {"seat": given.pop("seat", 1), "hole": cards[0], **given}
    return {"rulebook": book, **about, "board": cards[1], "dealer": cards[2], "seats": [seat]}


def contests() -> Iterator[Made]:
    """Yield rounds with ante, blind, play and trips for every class and every result against the dealer."""
    for book in BOOKS:
        antes, plays, modes = cycle(*ANTES[book]), cycle(1, 2, 3, 4), cycle(*MODES[book])
        trips, seats = cycle("5", None, "3.33", "0"), cycle(1, 6, 3, 4)
        for name, kind, deals in showdowns():
            for n, cards in enumerate(deals[:3]):
                fields: dict[str, Any] = {"seat": next(seats), "ante": next(antes), "play": next(plays)}
                side = next(trips)
                if side is not None:
                    fields["trips"] = side
                if n == 1:
                    fields["blind"] = fields["ante"]
                    fields["mode"] = next(modes)
                yield Made(f"{CLASSES[kind]} {name}", one(book, cards, **fields))


def trips_tables() -> Iterator[Made]:
    """Yield rounds for every line of every trips table and the hands below it, won or lost against the dealer."""
    rng = Random(17)
    by_class: dict[int, list[Deal]] = {}
    for _, kind, deals in showdowns():
        by_class.setdefault(kind, []).extend(deals)
    for book in BOOKS:
        stakes = cycle("5", "7.50", "3.01", "12.34", "20")
        for table in TRIPS[book]:
            for kind, listed in by_class.items():
                for cards in rng.sample(listed, 2):
                    fields: dict[str, Any] = {
                        "ante": "5",
                        "play": rng.choice((1, 2, 4)),
                        "trips": next(stakes),
                    }
                    if len(TRIPS[book]) > 1:
                        fields["tables"] = {"trips": table}
                    yield Made(f"trips {table}: {CLASSES[kind]}", one(book, cards, **fields))


def blinds() -> Iterator[Made]:
    """Yield rounds for every line of the blind table, and 3 to 2 on odd amounts under each rounding."""
    rng = Random(16)
    for book in BOOKS:
        for kind in range(STRAIGHT, ROYAL + 1):
            for ante in ANTES[book][:3]:
                cards = deal(rng, kind, win)
                yield Made(f"blind: {CLASSES[kind]} at {ante}", one(book, cards, ante=ante, play=1))
        for rounding in ROUNDINGS:
            for ante in ("5", "5.01", "7.33", "20.99"):
                house = {"rounding": rounding}
                cards = deal(rng, FLUSH, win)
                about = f"3 to 2 on {ante}, rounded {rounding}"
                yield Made(about, one(book, cards, ante=ante, play=2, house=house))


# Two hands and a board; the text says what decides between the hands.
COMPARED = (
    ("a wheel loses to six high", "Ah 2c", "3d 4s 5h Kc Kd", "6c 7c"),
    ("a wheel beats kings", "Ah 2c", "3d 4s 5h Kc 9d", "Ks Qc"),
    ("queen, king, ace, two, three is no straight", "Qh Kd", "Ac 2s 3h 7d 9c", "9d 8s"),
    ("a steel wheel loses to a six-high straight flush", "As 2s", "3s 4s 5s Kd Kc", "6s 9h"),
    ("a steel wheel beats quads", "As 2s", "3s 4s 5s Kd Kc", "Kh Ks"),
    ("a straight, not a royal: one card of another suit", "As Ks", "Qs Js Td 4d 4c", "4h 9c"),
    ("a king-high straight flush is no royal", "Kh 9h", "Qh Jh Th 2c 2d", "Ac Ad"),
    ("the fifth card decides a flush", "Qh 5h", "Ah 9h 6h 2h Kc", "Qc 4h"),
    ("a flush on the board ties", "2c 3d", "Ah Qh 9h 6h 4h", "5c 7d"),
    ("a flush on the board is beaten by one higher card", "2c 5h", "Ah Qh 9h 6h 4h", "7c 8d"),
    ("the kicker of a pair decides", "As Qc", "Ad 9s 7h 4c 2d", "Ac Jc"),
    ("the third kicker decides", "Ah 8c", "Ad Ks Qh 4c 2d", "Ac 7s"),
    ("kickers on the board tie", "Ah 3c", "Ad Ks Qh Jc 2d", "Ac 4s"),
    ("two pair is counterfeited and ties", "5h 5c", "Ks Kd 9s 9h Ac", "4h 4c"),
    ("the higher of two pairs decides", "Ah 2c", "As Kd 2d 9s 7h", "Kc 9c"),
    ("the second pair decides", "Ah 9c", "As Ad 7s 4h 9d", "Ac Kc"),
    ("the kicker of two pair decides", "Ah Kc", "As 9d 9c 4h 3s", "Ad Qc"),
    ("three pair play the best two and a kicker", "Qh Qc", "Ks Kd 9s 9h 2c", "Jh Jc"),
    ("the kicker of three of a kind decides", "7c Ad", "7s 7h 9d 4c 2s", "7d Kc"),
    ("set over set", "9c 9h", "9d 7s 4h 2c Kd", "7c 7d"),
    ("kings full of twos beat queens full of aces", "Kh 2d", "Ks Kd 2c Qh Qs", "Qc Qd"),
    ("full house on the board ties", "3c 4d", "Ks Kd Kc 7h 7s", "Jc Td"),
    ("a full house over the board's", "Ac Ad", "Ks Kd Kc 7h 7s", "Jc Td"),
    ("two sets make the higher full house", "9c 9d", "9h 4s 4d 4c Kh", "Ah Ac"),
    ("quads on the board: the ace plays", "Ah 3d", "8s 8d 8c 8h Ks", "Qc Jc"),
    ("quads on the board: the king of the board plays for both", "Qh 3d", "8s 8d 8c 8h Ks", "Jc Tc"),
    ("four tens beat four nines", "9c 9d", "9h 9s Tc Td 2s", "Th Ts"),
    ("four nines with the king of the board", "9c 9d", "9h 9s 4d Kc 2s", "3h 5c"),
    ("ace-high straight over king-high", "Ah 2d", "Ks Qd Jc Th 3c", "9c 9h"),
    ("ten-high straight loses to queen-high", "7c 6d", "Ts 9s 8h 2c 3c", "Qh Jd"),
    ("ace high ties on the board", "3h 2c", "Ad Ks Qh 9c 7d", "4s 5c"),
    ("ace high by the fifth card", "8h 2c", "Ad Ks Qh 9c 4d", "7s 5c"),
    ("the board pairs and the dealer qualifies", "As Ah", "Qd Qs 7h 4c 2d", "Kc 8c"),
    ("the board pairs, the dealer qualifies and loses to two pair", "9h 7c", "Qd Qs 9s 4c 2d", "Kc 8c"),
    ("the board pairs and both play it", "Ah 3s", "Qd Qs 9s Kc 8d", "Ac 2d"),
    ("board trips: the dealer qualifies with them", "Ah 3s", "Qd Qs Qh Kc 8d", "7c 2d"),
    ("a straight uses one hole card", "Jc 2d", "Ts 9s 8h 7c Kd", "Ks Kh"),
    ("suits do not break a tie", "Ah Kh", "Qd 9s 7h 4c 2d", "As Ks"),
)


def compared() -> Iterator[Made]:
    """Yield rounds that compare hands, down to the last kicker."""
    for book in BOOKS:
        plays = cycle(1, 4, 2, 3)
        for name, hole, board, dealer in COMPARED:
            cards = (hole, board, dealer)
            yield Made(name, one(book, cards, ante="5", trips="3", play=next(plays)))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from contests()
    yield from trips_tables()
    yield from blinds()
    yield from compared()
