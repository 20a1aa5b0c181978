"""Rounds for the acceptance checks of clauses, with cards and amounts, and the worked rounds of the rulebooks."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from houseway.rules.loader import load

from .dealing import Made
from .refusing import changed
from .showing import TRIPS, one

LOW = "Qd 9s 7h 4c 2d"
ACES = ("As Ah", LOW, "Qc 3s")
NINES = ("9c 8s", LOW, "Qc 3s")
OPEN = ("As Ah", LOW, "Kc 8c")
BEATEN = ("Kh 5s", LOW, "Ac 8c")
BOTH = ("2c 2d", "As Ks Qd Jc Th", "3c 3d")
SEVENS = ("7c 7d", "7s Kh 9d 4c 2s", "Kc Kd")
TWO_PAIR = ("Ah 9c", "As 9d 7s 4h 2d", "Kc Kd")
RUN = ("Jc Td", "9s 8h 7d Kc 2c", "Kd Ks")
QUEEN_RUN = ("7c 6d", "Ts 9s 8h 2c 3c", "Qh Jd")
FLUSH = ("Qh 4h", "Ah 9h 6h Kc 2d", "As Kd")
KINGS_FULL = ("Kh 3d", "Ks Kd 7c 7h 2s", "4c 5d")
NINES_FOUR = ("9c 9d", "9h 9s 4d Kc 2s", "3h 5c")
STEEL = ("7h 8h", "9h Th Jh 2c 2d", "Ac Kd")
ROYAL = ("As Ks", "Qs Js Ts 4d 4c", "2c 3d")
LATE = ("As Ks", "Qs Js 4d Ts 2c", "3h 5d")
BOARD_ROYAL = ("2c 3d", "As Ks Qs Js Ts", "9h 9d")
BOARD_PAIR = ("As Ah", "Qd Qs 7h 4c 2d", "Kc 8c")
WINNERS = (ROYAL, STEEL, NINES_FOUR, KINGS_FULL, FLUSH, RUN, SEVENS)

Given = dict[str, Any]
PLAYED: Given = {"play": 1}
WITH_TRIPS: Given = {"play": 1, "trips": "5"}
FOUR_X: Given = {"play": 4}
TOP: Given = {"ante": "120", "trips": "20", "play": 4}
PMG: Given = {"tables": {"progressive": "PMG-01"}, "progressive": "1", "play": 1}
LINK: Given = {"tables": {"progressive": "PTMGL01"}, "progressive": "5", "play": 1}

ROWS: tuple[tuple[str, tuple[str, str, str], Given], ...] = (
    ("SD-2-h SD-13-a SD-13.b-a CARD-14 CARD-15 PROC-O.2 PROC-D.8-a PROC-D.8-b PROC-Q.2 MA-7.f.6-b MA-10.b", ACES, FOUR_X),
    ("SD-13.b-b CARD-19 PROC-Q.6 MA-9.h.2-b MA-6.c-b", ACES, WITH_TRIPS),
    ("SD-15-a MA-7.f.1-b MA-9.a-c", ACES, {"play": 3}),
    ("MA-7.f.1-b MA-7.f.1.i MA-10.b", ACES, {"ante": "25", "play": 3}),
    ("MA-10.b MA-7.f.3-b", ACES, {"ante": "25", "play": 2}),
    ("SD-7-b CARD-8 PROC-D.3.b MA-7.f.1-b MA-9.a-c", ACES, {"play": 5}),
    ("SD-9-b CARD-10-b PROC-D.5-b MA-9.c-b", ACES, {"play": 2}),
    ("SD-11-b CARD-12-b PROC-D.7-b MA-7.f.5 MA-9.e", ACES, PLAYED),
    ("SD-15-b SD-16-a CARD-16 PROC-Q.3 MA-9.h.1", NINES, PLAYED),
    ("SD-13.a-a CARD-21 PROC-D.8-b MA-9.g-a", OPEN, FOUR_X),
    ("SD-13.a-b SD-16-a PROC-D.8-c MA-9.g-b CARD-21", BEATEN, PLAYED),
    ("SD-13-b CARD-21 PROC-D.8-b MA-9.g-a", BOARD_PAIR, FOUR_X),
    ("SD-14-a CARD-17 CARD-20 PROC-Q.4 MA-9.h.3 MA-1.community MA-5.c-b", BOTH, {"play": 2}),
    ("SD-14-b", BOTH, {"play": 1, "trips": "5", "tables": {"trips": "UTH-01"}}),
    ("SD-2-g SD-17-a SD-13.b-c CARD-30 CARD-4 CARD-23 PROC-O.3 PROC-Q.7 MA-1.trips-b MA-9.h.4-b MA-5.b.7", SEVENS, WITH_TRIPS),
    ("SD-13.b-c SD-17-b CARD-23 PROC-Q.7 MA-1.trips-b", TWO_PAIR, WITH_TRIPS),
    ("SD-12-c CARD-13 PROC-N.note-a PROC-N.note-c MA-7.f.5.ii.a MA-7.f.5.ii", SEVENS, {"play": 0, "trips": "5"}),
    ("MA-9.e.2.i MA-9.e.2", SEVENS, {"play": 0, "trips": "5", "mode": "device"}),
    ("SD-12-b CARD-13 PROC-D.7-a MA-7.f.5.ii", ("8c 3d", LOW, "Qc 3s"), {"play": 0, "trips": "5"}),
    ("MA-7.f.5.ii", ("8c 3d", LOW, "Qc 3s"), {"ante": "25", "play": 0}),
    ("SD-2-i MA-9.h.2-a MA-5.b.6-a CARD-18 PROC-Q.5", RUN, FOUR_X),
    ("SD-2-i MA-5.b.6-a CARD-16 PROC-Q.3", QUEEN_RUN, PLAYED),
    ("SD-16-b CARD-18 PROC-Q.5 MA-1.hand MA-10.c", FLUSH, PLAYED),
    ("MA-9.h-b PROC-Q.1-b", KINGS_FULL, PLAYED),
    ("MA-5.a-b", ("Ah 2c", "3d 4s 5h Kc Kd", "Qs 8s"), PLAYED),
    ("MA-5.b.1", ROYAL, PLAYED),
    ("MA-5.b.1", ("As Ks", "Qs Js Td 4d 4c", "2c 3d"), PLAYED),
    ("MA-5.b.2", ("As 2s", "3s 4s 5s Kd Kc", "6s 9h"), PLAYED),
    ("MA-5.b.3", ("9c 9d", "9h 9s Tc Td 2s", "Th Ts"), PLAYED),
    ("MA-5.b.6-b", ("Qh Kd", "Ac 2s 3h 7d 9c", "9d 8s"), PLAYED),
    ("SD-1-e", ("Jh Th", "Ah Kh Qh 9c 9d", "9h 9s"), PLAYED),
    ("SD-13.b-b", ("Qh 5s", LOW, "As Ah"), PLAYED),
    ("CARD-25 MA-10.e", ROYAL, TOP),
    ("MA-10.e", ROYAL, {**TOP, "limits": {"ante": {"min": "10"}, "trips": {"min": "10"}}}),
    ("MA-10.e", ROYAL, {**TOP, "trips": "100", "limits": {"ante": {"min": "100"}}}),
    ("PROC-H.4-a PROC-H.1", ROYAL, {"ante": "25", "play": 4}),
    ("PROC-H.4-a", ROYAL, {"ante": "25", "play": 4, "house": {"max_payout": "10000"}}),
    ("PROC-H.1", ACES, {"ante": "30", "play": 4}),
    ("PROC-H.2-a", ACES, {"play": 1, "limits": {"ante": {"min": "4"}}}),
    ("PROC-H.2-a", ACES, {"play": 1, "limits": {"ante": {"min": "5"}}}),
    ("PROC-H.7", STEEL, {"ante": "7", "play": 1}),
    ("PROC-H.7", STEEL, {"ante": "6", "play": 1}),
    ("SD-2-e CARD-5-a PROC-D.1-a", ACES, {"blind": "4", "play": 1}),
    ("MA-1.ante-a", ACES, {"ante": "25", "blind": "20", "play": 1}),
    ("CARD-26", ACES, {"blind": "15", "play": 1}),
    ("SD-2-c CARD-22 PROC-D.1-b MA-6.c-a", SEVENS, {"ante": None, "trips": "5"}),
    ("SD-2-b", ACES, {"blind": "0", "play": 1}),
    ("SD-2-a", ACES, {"ante": "3", "play": 1, "limits": {"ante": {"min": "5", "max": "100"}}}),
    ("SD-2-a", ACES, {"ante": "5", "play": 1, "limits": {"ante": {"min": "5", "max": "100"}}}),
    ("SD-1-c", ACES, {"ante": "5", "play": 1, "limits": {"ante": {"min": "5"}}}),
    ("SD-2-d", ACES, {"ante": "55", "play": 1, "limits": {"ante": {"max": "50"}}}),
    ("SD-2-j", ACES, {**PMG, "ante": "5", "trips": "5"}),
    ("SD-3-a", SEVENS, {"ante": None, "tips": {"trips": "1"}}),
    ("SD-3-a", SEVENS, {"ante": "5", "play": 1, "tips": {"trips": "1"}}),
    ("SD-3-b", ACES, {"play": 4, "tips": {"ante": "2"}}),
    ("SD-3-c", ACES, {"play": 4, "tips": {"ante": "2", "play": "8"}}),
    ("SD-3-c", ACES, {"play": 4, "tips": {"ante": "2", "play": "10"}}),
    ("SD-1-d", ACES, {"ante": "150", "play": 4, "trips": "95", "tips": {"trips": "5"}, "progressive": "5", "tables": {"progressive": "PMG-02"}}),
    ("SD-1-d", ACES, {"ante": "150", "play": 3, "trips": "95", "tips": {"trips": "5"}, "progressive": "5", "tables": {"progressive": "PMG-02"}}),
    ("SD-18-a SD-18-UTHP02-a", ROYAL, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-02"}, "meters": {"main": "9000"}}),
    ("SD-18-UTHP01-a", ROYAL, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-01"}, "meters": {"main": "12345.00"}}),
    ("SD-18-UTHP01-b", LATE, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-01"}, "meters": {"main": "12000"}}),
    ("SD-18-UTHP02-a", LATE, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-02"}, "meters": {"main": "9000"}}),
    ("SD-18-UTHP01-c", BOARD_ROYAL, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-01"}}),
    ("SD-18-UTHP02-b", BOARD_ROYAL, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-02"}}),
    ("SD-18-UTHP01-d", ("7h 8h", "9h Th 2c Jh 2d", "Ac Kd"), {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-01"}}),
    ("SD-18-UTHP02-c", NINES_FOUR, {"play": 1, "progressive": "1", "tables": {"progressive": "UTHP-02"}}),
    ("SD-18-PMG-a", ACES, {"play": 1, "progressive": "1", "tables": {"progressive": "PMG-02"}}),
    ("SD-18-PMG-a", ACES, {"play": 1, "progressive": "5", "tables": {"progressive": "PMG-02"}}),
    ("SD-18-PMG-b SD-18.a.i SD-18.a.vi-a", STEEL, {**PMG, "meters": {"main": "20000"}}),
    ("SD-18-PMG-b SD-18.a.ii", ("Kh 3d", "Ks Kd 3c 7h 2s", "4c 5d"), {**PMG, "meters": {"main": "20000"}}),
    ("SD-18-PMG-b SD-18-d", FLUSH, PMG),
    ("SD-18-PMG-b", RUN, PMG),
    ("SD-18-PMG-b SD-18.a.vi-a", SEVENS, {**PMG, "meters": {"main": "20000"}}),
    ("SD-18.a.vi-b", ROYAL, {**PMG, "meters": {"main": "31000"}, "house": {"seed": {"main": "10000"}, "reserve": {"main": "750"}}}),
    ("SD-18-e", ROYAL, {"play": 1, "progressive": "2", "tables": {"progressive": "PMG-01"}, "house": {"progressive_wager": "2"}}),
    ("MA-6.a-b", ACES, {"play": 1, "match_play": "10", "house": {"match_play": True}}),
    ("MA-6.a-b", NINES, {"play": 1, "match_play": "10", "house": {"match_play": True}}),
    ("MA-6.a-b", BOTH, {"play": 1, "match_play": "10", "house": {"match_play": True}}),
    ("MA-12.k-2 MA-12.b", KINGS_FULL, {"play": 1, "cover_all": "5"}),
    ("MA-12.b", FLUSH, {"play": 1, "cover_all": "5"}),
    ("MA-12.c", STEEL, {"play": 1, "cover_all": "5"}),
    ("MA-13.a", ACES, {**LINK, "progressive": "1"}),
    ("MA-13.a", ACES, {**LINK, "progressive": "10"}),
    ("MA-13.a MA-13.b", ACES, LINK),
    ("MA-13.b", ACES, {"ante": None, "tables": {"progressive": "PTMGL01"}, "progressive": "5"}),
    ("MA-13.d", ROYAL, {**TOP, **LINK, "cover_all": "150", "meters": {"main": "100000"}}),
    ("MA-13.e-c", ("Kh 3d", "Ks Kd 3c 7h 2s", "4c 5d"), LINK),
    ("MA-13.e-PTMGL01-a", STEEL, {**LINK, "meters": {"main": "60000"}}),
    ("MA-13.e-PTMGL01-a", NINES_FOUR, LINK),
    ("MA-13.e-PTMGL01-a", SEVENS, LINK),
    ("MA-13.e-b MA-13.e-PTMGL01-b", ROYAL, LINK),
    ("MA-13.e-PTMGL02-a", RUN, {**LINK, "tables": {"progressive": "PTMGL02"}}),
    ("MA-13.e-PTMGL02-b", ROYAL, {**LINK, "tables": {"progressive": "PTMGL02"}}),
    ("MA-13.e-PTMGL04-a", STEEL, {**LINK, "tables": {"progressive": "PTMGL04"}, "meters": {"main": "7000"}}),
    ("MA-13.e-PTMGL04-a MA-13.e-PTMGL04-b", ROYAL, {**LINK, "tables": {"progressive": "PTMGL04"}, "meters": {"main": "7000"}}),
    ("MA-13.e-PTMGLML01-a MA-13.e-PTMGLML01-b", STEEL, {**LINK, "tables": {"progressive": "PTMGLML01"}, "meters": {"major": "80000", "minor": "6200"}}),
    ("MA-13.e-PTMGLML02-a MA-13.e-PTMGLML02-b", NINES_FOUR, {**LINK, "tables": {"progressive": "PTMGLML02"}, "meters": {"minor": "1900"}}),
    ("MA-13.e-PTMGLML02-a", SEVENS, {**LINK, "tables": {"progressive": "PTMGLML02"}}),
    ("MA-13.e-PTMGLML03-a MA-13.e-PTMGLML03-b", SEVENS, {**LINK, "tables": {"progressive": "PTMGLML03"}}),
    ("MA-13.f", ("9c 9d", "9h 4s 2d 4c Kd", "3h 5c"), LINK),
    ("MA-13.f", ("Kh 3d", "Ks 7c 2s Kd 3c", "4c 5d"), LINK),
)  # fmt: skip
# Clauses that need a round for every line of a pay table, with the rulebook and the table.
TABLES = {
    "SD-17-t1": ("uth-sd", "UTH-01"), "SD-17-t2": ("uth-sd", "UTH-02"), "SD-17-t3": ("uth-sd", "UTH-03"),
    "SD-17-t4": ("uth-sd", "UTH-04"), "CARD-24": ("uth-card", "CARD"), "MA-10.d-A": ("uth-ma", "A"),
    "MA-10.d-B": ("uth-ma", "B"), "MA-10.d-C": ("uth-ma", "C"), "MA-10.d-D": ("uth-ma", "D"),
}  # fmt: skip
BOOK = {"SD": "uth-sd", "CARD": "uth-card", "PROC": "uth-proc", "MA": "uth-ma"}


def checks() -> Iterator[Made]:
    """Yield a round for each rulebook that a row of checks names, and for every line of the tables above."""
    for ids, cards, fields in ROWS:
        for prefix, book in BOOK.items():
            mine = tuple(i for i in ids.split() if i.startswith(f"{prefix}-"))
            if not mine:
                continue
            seat = changed({"ante": "5" if book == "uth-proc" else "10"}, fields) | {
                key: deepcopy(value) for key, value in fields.items() if value is not None
            }
            yield Made(f"check of {', '.join(mine[:2])}", one(book, cards, **seat), mine)
    for clause, (book, table) in TABLES.items():
        for cards in WINNERS:
            fields = {"ante": "10", "trips": "10", "play": 1}
            if len(TRIPS[book]) > 1:
                fields["tables"] = {"trips": table}
            yield Made(f"check of {clause}", one(book, cards, **fields), (clause,))


def worked() -> Iterator[Made]:
    """Yield the worked rounds of every rulebook."""
    for book in ("shootout-sd", *BOOK.values()):
        for row in load(book).rounds:
            data = {"rulebook": book, **deepcopy(dict(row["round"]))}
            yield Made(str(row["name"]), data, tuple(row["shows"]))


def rounds() -> Iterator[Made]:
    """Yield every round of this module."""
    yield from worked()
    yield from checks()
