"""Limits on a hand's winnings, with rounds one cent below and above; approvals; posted limits and the bet limit."""

from collections.abc import Iterator
from random import Random
from typing import Any

from .dealing import FLUSH, ROYAL, STRAIGHT_FLUSH, Deal, Made, cycle, deal, win, win_open
from .showing import one

STEPS = ((-1, "a cent below"), (0, "exactly at"), (1, "a cent above"), (12_345, "far above"))


def dollars(amount: int) -> str:
    """Cents as text."""
    return f"{amount // 100}.{amount % 100:02d}"


def stakes(due: int, times: int, ante: int = 0, trips: int = 1) -> tuple[int, int]:
    """Return an ante and a trips wager, at least these, that together win exactly `due` at `times` and 50 to 1."""
    for most in range((due - 50 * trips) // times, ante - 1, -1):
        if (due - most * times) % 50 == 0:
            return most, (due - most * times) // 50
    raise LookupError(f"nothing wins {due}")


def royals(rng: Random) -> tuple[Deal, Deal]:
    """Return deals with a royal flush against a dealer who qualifies, and against one who does not."""
    return deal(rng, ROYAL, win, (2,)), deal(rng, ROYAL, win_open, (2,))


def caps() -> Iterator[Made]:
    """Yield rounds around the $50,000 limit of the card and of Massachusetts; the hand wins 503 or 501 times the ante."""
    rng = Random(25)
    for book, clause in (("uth-card", "CARD-25"), ("uth-ma", "MA-10.e")):
        for times, which, play in ((503, 0, 2), (501, 1, 1)):
            for step, words in STEPS:
                ante, trips = stakes(5_000_000 + step, times)
                fields: dict[str, Any] = {"ante": dollars(ante), "trips": dollars(trips), "play": play}
                cards = royals(rng)[which]
                yield Made(f"$50,000, {words} the limit", one(book, cards, **fields), (clause,))
        for on_ante, on_trips, play in (
            ("120", "20", 4),
            ("100", "0", 1),
            ("1000", "1000", 4),
            ("99", "5", 4),
        ):
            fields = {"ante": on_ante, "trips": on_trips, "play": play}
            cards = royals(rng)[0]
            yield Made(f"$50,000 limit on {on_ante} and {on_trips}", one(book, cards, **fields), (clause,))
        for on_ante in ("990", "1000.01", "5000"):
            cards = deal(rng, STRAIGHT_FLUSH, win, (2,))
            fields = {"ante": on_ante, "trips": "50", "play": 4}
            yield Made(f"$50,000 limit, straight flush at {on_ante}", one(book, cards, **fields))
    for on_ante in ("20000", "20000.02"):
        for rounding in ("down", "up"):
            cards = deal(rng, FLUSH, win, (2,))
            fields = {"ante": on_ante, "play": 1, "house": {"rounding": rounding}}
            yield Made("$50,000 limit, flush", one("uth-card", cards, **fields))


def minimum_bettor() -> Iterator[Made]:
    """Yield Massachusetts rounds in which a minimum bettor can win more than $50,000: that amount is then the limit."""
    rng = Random(10)
    for low, trips_low, limit in (
        (1000, None, 5_000_000), (9009, None, 5_000_000), (10_000, None, 5_550_000), (10_000, 500, 5_075_000),
        (12_000, 20_000, 7_060_000), (13_500, None, 7_492_500), (15_000, None, 8_325_000),
    ):  # fmt: skip
        for step, words in STEPS:
            ante, trips = stakes(limit + step, 501, low, trips_low or low)
            limits = {"ante": {"min": dollars(low)}}
            if trips_low:
                limits["trips"] = {"min": dollars(trips_low)}
            fields = {"ante": dollars(ante), "trips": dollars(trips), "play": 1, "limits": limits}
            about = f"minimum {dollars(low)}: {words} {dollars(limit)}"
            yield Made(about, one("uth-ma", royals(rng)[1], **fields), ("MA-10.e",))
        fields = {"ante": dollars(low), "trips": dollars(trips_low or low), "play": 4, "limits": limits}
        about = f"minimum {dollars(low)}: the minimum bettor's royal flush"
        yield Made(about, one("uth-ma", royals(rng)[0], **fields), ("MA-10.e",))


def both_caps() -> Iterator[Made]:
    """Yield Massachusetts rounds around the $75,000 limit with Cover All; the progressive does not count for either limit."""
    rng = Random(13)
    for step, words in STEPS:
        # With two hands, a royal flush pays Cover All 200 to 1; the other wagers are chosen to reach the limit to the cent.
        for base in (2_500_000, 5_000_000, 6_000_000):
            inner = min(base, 5_000_000)
            covered = (7_500_000 - inner) // 200
            ante, trips = stakes(base + step, 503)
            fields: dict[str, Any] = {"ante": dollars(ante), "trips": dollars(trips), "play": 2}
            fields["cover_all"] = dollars(covered)
            yield Made(f"both limits, {words}", one("uth-ma", royals(rng)[0], **fields), ("MA-13.d",))
    for stake in ("125", "125.01", "150", "375", "400"):
        fields = {"ante": "120", "trips": "20", "play": 4, "cover_all": stake, "progressive": "5"}
        fields |= {"tables": {"progressive": "PTMGL01"}, "meters": {"main": "100000"}}
        cards = ("As Ks", "Qs Js Ts 4d 4c", "2c 3d")
        yield Made(
            f"both limits and a progressive, Cover All {stake}",
            one("uth-ma", cards, **fields),
            ("MA-13.d",),
        )
        fields = {"ante": "10", "play": 0, "cover_all": stake}
        cards = ("9c 8d", "Qs Js Ts 4d 4c", "As Ks")
        yield Made(f"a fold's Cover All {stake}", one("uth-ma", cards, **fields), ("MA-13.d",))
    for face in ("120", "60"):
        fields = {"ante": "120", "play": 4, "match_play": face, "house": {"match_play": True}}
        yield Made("a coupon inside the limit", one("uth-ma", royals(rng)[0], **fields), ("MA-10.e",))


def procedures() -> Iterator[Made]:
    """Yield rounds around the casino's maximum payout, and around $300, above which a payment needs approval."""
    rng = Random(7)
    for limit in ("10000", "300", "300.01", "299.99", "500.50", "20", "5.01"):
        for ante, trips, play in (("25", "5", 4), ("3", "3", 1), ("5", "25", 2)):
            for cards in royals(rng):
                fields = {"ante": ante, "trips": trips, "play": play, "house": {"max_payout": limit}}
                yield Made(f"maximum payout {limit}", one("uth-proc", cards, **fields))
    for ante, trips in (("6", "10"), ("6.01", "10.01"), ("5.99", "7.50"), ("25", "25"), ("7", "7.51")):
        for kind in (STRAIGHT_FLUSH, 7, ROYAL):
            cards = deal(rng, kind, win, (2,))
            fields = {"ante": ante, "trips": trips, "play": 4}
            yield Made(f"approval, {ante} and {trips}", one("uth-proc", cards, **fields))
    for play in (0, 1):
        cards = deal(rng, ROYAL, win, (2,))
        fields = {"ante": "25", "trips": "25", "play": play, "house": {"max_payout": "300.01"}}
        yield Made("approval at 300.01 after a cut", one("uth-proc", cards, **fields), ("PROC-H.7",))
        fields["house"] = {"max_payout": "300"}
        yield Made("no approval at 300.00 after a cut", one("uth-proc", cards, **fields))


def posted() -> Iterator[Made]:
    """Yield rounds with wagers at and beyond the posted limits, and posted limits around South Dakota's $1,000."""
    rng = Random(1)
    antes = cycle("4.99", "5", "50", "50.01")
    for book in ("uth-sd", "uth-card", "uth-ma"):
        for _ in range(4):
            limits = {"ante": {"min": "5", "max": "50"}, "trips": {"min": "1", "max": "30"}}
            cards = deal(rng, FLUSH, win)
            ante = next(antes)
            yield Made(f"posted 5 to 50: ante {ante}", one(book, cards, ante=ante, play=1, limits=limits))
        for trips in ("0.99", "1", "30", "30.01"):
            cards = deal(rng, FLUSH, win)
            fields = {"ante": "5", "play": 1, "trips": trips, "limits": limits}
            yield Made(f"posted 1 to 30: trips {trips}", one(book, cards, **fields))
    for ante, trips in (
        ("3", "3"),
        ("2.99", "3"),
        ("25", "25"),
        ("25.01", "3"),
        ("5", "25.01"),
        ("5", "2.99"),
    ):
        cards = deal(rng, FLUSH, win)
        yield Made(f"$3 to $25: {ante} and {trips}", one("uth-proc", cards, ante=ante, trips=trips, play=4))
    for low in ("3", "4", "5"):
        for ante in ("3", "5"):
            cards = deal(rng, FLUSH, win)
            fields = {"ante": ante, "play": 1, "limits": {"ante": {"min": low}}}
            yield Made(f"minimum set to {low}, ante {ante}", one("uth-proc", cards, **fields))


def bet_limit() -> Iterator[Made]:
    """Yield South Dakota rounds around the bet limit, which counts all wagers of a customer, or each single wager."""
    rng = Random(1000)
    rows: tuple[dict[str, Any], ...] = (
        {"ante": "160", "play": 4, "trips": "40"},
        {"ante": "160", "play": 4, "trips": "40.01"},
        {"ante": "160", "play": 4, "trips": "35", "progressive": "5", "tables": {"progressive": "PMG-02"}},
        {
            "ante": "160",
            "play": 4,
            "trips": "35.01",
            "progressive": "5",
            "tables": {"progressive": "PMG-02"},
        },
        {"ante": "160", "play": 4, "tips": {"ante": "8", "play": "32"}},
        {"ante": "160", "play": 4, "tips": {"ante": "8", "play": "32", "trips": "0.01"}},
        {"ante": "250", "play": 2},
        {"ante": "250", "play": 4},
        {"ante": "333.33", "play": 1, "trips": "0.01"},
        {"ante": "333.33", "play": 1, "trips": "0.02"},
        {"ante": "500", "play": 0},
        {"ante": "500.01", "play": 0},
        {"trips": "1000"},
        {"trips": "1000.01"},
    )
    for scope in (None, "round", "wager"):
        for row in rows:
            fields = dict(row)
            if scope:
                fields["house"] = {"bet_limit_scope": scope}
            about = f"bet limit by {scope or 'round'}: {row.get('ante', '0')} at {row.get('play', 0)}x"
            yield Made(about, one("uth-sd", deal(rng, FLUSH, win), **fields))
    for ante, trips in (("160", "35"), ("165", "35"), ("150", "95"), ("150", "95.01")):
        limits = {"ante": {"min": "5", "max": ante}, "trips": {"max": trips}}
        fields = {"ante": "10", "play": 1, "trips": "5", "progressive": "5", "limits": limits}
        fields["tables"] = {"progressive": "PMG-02"}
        yield Made(f"posted maxima {ante} and {trips}", one("uth-sd", deal(rng, FLUSH, win), **fields))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from caps()
    yield from minimum_bettor()
    yield from both_caps()
    yield from procedures()
    yield from posted()
    yield from bet_limit()
