"""The pay tables of the documents as Python data, typed from the documents and not read from the
rulebooks."""

from .hands import FLUSH, FOUR, FULL_HOUSE, ROYAL, STRAIGHT, STRAIGHT_FLUSH, THREE

# The odds as printed, and their two numbers.
Odds = tuple[str, int, int]

EVEN: Odds = ("1 to 1", 1, 1)

BLIND: dict[int, Odds] = {
    ROYAL: ("500 to 1", 500, 1),
    STRAIGHT_FLUSH: ("50 to 1", 50, 1),
    FOUR: ("10 to 1", 10, 1),
    FULL_HOUSE: ("3 to 1", 3, 1),
    FLUSH: ("3 to 2", 3, 2),
    STRAIGHT: ("1 to 1", 1, 1),
}


def to_one(row: tuple[int, ...]) -> dict[int, Odds]:
    """Return a table that pays these odds to 1, for the classes from the royal flush down."""
    kinds = (ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE)
    return {kind: (f"{pays} to 1", pays, 1) for kind, pays in zip(kinds, row, strict=False)}


TRIPS: dict[str, dict[int, Odds]] = {
    "A": to_one((50, 40, 30, 9, 7, 4, 3)),
    "B": to_one((50, 40, 30, 8, 6, 5, 3)),
    "C": to_one((50, 40, 30, 8, 7, 4, 3)),
    "D": to_one((50, 40, 20, 7, 6, 5, 3)),
    "CARD": to_one((50, 40, 30, 8, 6, 5, 3)),
    "UTH-01": to_one((50, 40, 30, 9, 7, 4, 3)),
    "UTH-02": to_one((50, 40, 30, 8, 6, 5, 3)),
    "UTH-03": to_one((50, 40, 30, 8, 7, 4, 3)),
    "UTH-04": to_one((50, 40, 20, 7, 6, 5, 3)),
}

TRIPS_OF_BOOK: dict[str, tuple[str, ...]] = {
    "uth-sd": ("UTH-01", "UTH-02", "UTH-03", "UTH-04"),
    "uth-ma": ("A", "B", "C", "D"),
    "uth-proc": ("A", "B", "C", "D"),
    "uth-card": ("CARD",),
}
TRIPS_DEFAULT = {"uth-sd": "UTH-02", "uth-ma": "B", "uth-proc": "B", "uth-card": "CARD"}

# The pay tables of Cover All, by the number of hands dealt, including the dealer's.
COVER_ALL: dict[int, dict[int, Odds]] = {
    7: to_one((70, 30, 20, 4)),
    6: to_one((80, 40, 30, 4)),
    5: to_one((100, 40, 35, 5)),
    4: to_one((125, 70, 40, 6)),
    3: to_one((150, 80, 50, 8)),
    2: to_one((200, 100, 70, 12)),
}

PROGRESSIVE_OF_BOOK: dict[str, tuple[str, ...]] = {
    "uth-sd": ("UTHP-01", "UTHP-02", "PMG-01", "PMG-02"),
    "uth-ma": ("PTMGL01", "PTMGL02", "PTMGL04", "PTMGLML01", "PTMGLML02", "PTMGLML03"),
    "uth-proc": (),
    "uth-card": (),
}
PROGRESSIVE_DEFAULT = {"uth-sd": "PMG-01", "uth-ma": "PTMGL01"}

# Tables for five cards. SHARES has the meter and the percentage; FIXED has the multiple of the wager.
SHARES: dict[str, dict[int, tuple[str, int]]] = {
    "PMG-01": {ROYAL: ("main", 100), STRAIGHT_FLUSH: ("main", 10)},
    "PMG-02": {ROYAL: ("main", 100), STRAIGHT_FLUSH: ("main", 10)},
    "PTMGL01": {ROYAL: ("main", 100), STRAIGHT_FLUSH: ("main", 10)},
    "PTMGL02": {ROYAL: ("main", 100), STRAIGHT_FLUSH: ("main", 10)},
    "PTMGL04": {ROYAL: ("main", 100), STRAIGHT_FLUSH: ("main", 100)},
    "PTMGLML01": {ROYAL: ("major", 100), STRAIGHT_FLUSH: ("minor", 100)},
    "PTMGLML02": {ROYAL: ("mega", 100), STRAIGHT_FLUSH: ("major", 100), FOUR: ("minor", 100)},
    "PTMGLML03": {ROYAL: ("mega", 100), STRAIGHT_FLUSH: ("major", 100), FOUR: ("minor", 100)},
}
_LOW = {FULL_HOUSE: 50, FLUSH: 40, STRAIGHT: 30, THREE: 9}
_FULL = {FOUR: 300, **_LOW}
FIXED: dict[str, dict[int, int]] = {
    "PMG-01": _FULL,
    "PMG-02": _FULL,
    "PTMGL01": _FULL,
    "PTMGL02": _FULL,
    "PTMGL04": _FULL,
    "PTMGLML01": _FULL,
    "PTMGLML02": {FULL_HOUSE: 50, FLUSH: 40, STRAIGHT: 30, THREE: 10},
    "PTMGLML03": _LOW,
}

# Seeds in dollars for a $1 wager, as Massachusetts lists them.
SEEDS: dict[str, dict[str, int]] = {
    "PTMGL01": {"main": 10000},
    "PTMGL02": {"main": 10000},
    "PTMGL04": {"main": 1000},
    "PTMGLML01": {"major": 10000, "minor": 1000},
    "PTMGLML02": {"mega": 10000, "major": 1000, "minor": 250},
    "PTMGLML03": {"mega": 10000, "major": 1000, "minor": 250},
}
METERS: dict[str, tuple[str, ...]] = {
    "UTHP-01": ("main",),
    "UTHP-02": ("main",),
    "PMG-01": ("main",),
    "PMG-02": ("main",),
    **{table: tuple(seeds) for table, seeds in SEEDS.items()},
}

# Envy in dollars for each $1 of the progressive wager. The documents print PMG-02 and PTMGL02 for $5.
ENVY: dict[str, dict[int, int]] = {
    "PMG-01": {ROYAL: 1000, STRAIGHT_FLUSH: 300},
    "PMG-02": {ROYAL: 5000 // 5, STRAIGHT_FLUSH: 1500 // 5},
    "PTMGL01": {ROYAL: 1000, STRAIGHT_FLUSH: 300},
    "PTMGL02": {ROYAL: 5000 // 5, STRAIGHT_FLUSH: 1500 // 5},
    "PTMGL04": {ROYAL: 250, STRAIGHT_FLUSH: 250},
    "PTMGLML01": {ROYAL: 1000, STRAIGHT_FLUSH: 300},
    "PTMGLML02": {ROYAL: 1000, STRAIGHT_FLUSH: 300},
    "PTMGLML03": {ROYAL: 1000, STRAIGHT_FLUSH: 300},
}
