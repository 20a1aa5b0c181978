"""The clauses a round shows: those its result cites, and those that state the same in other words."""

from collections.abc import Iterator
from typing import Any

# A round that cites the clause on the left also shows those on the right.
ALSO: dict[str, tuple[str, ...]] = {
    "MA-9.h.3": ("MA-1.push", "MA-5.c-b"),
    "MA-10.b": ("MA-9.h.2-a",),
    "MA-7.f.5.ii": ("MA-1.fold",),
    "MA-9.e.2": ("MA-1.fold",),
    "MA-12.f": ("MA-12.k",),
    "CARD-17": ("CARD-20",),
    "SD-14-a": ("SD-15-c",),
    "SD-15-a": ("SD-2-h",),
    "SD-15-b": ("SD-2-h",),
    "SD-16-t": ("SD-2-i", "SD-16-b"),
    "SD-16-a": ("SD-2-i",),
    "SD-13.a-a": ("SD-13.a-b",),
    "TS-15-d": ("TS-15-a", "TS-2"),
    "TS-15-b": ("TS-2",),
    "TS-16-tA": ("TS-5-c", "TS-16-a"),
    "TS-16-tB": ("TS-5-c", "TS-16-a"),
    "TS-17-t": ("TS-17-a", "TS-17-b", "TS-6-a"),
    "PROC-N.note-c": ("PROC-N.note-a",),
}
for hands in range(2, 7):
    ALSO[f"MA-12.k-{hands}"] = ("MA-12.k",)
# A settlement line on this wager, under this rulebook, shows these clauses.
WAGERS: dict[tuple[str, str], tuple[str, ...]] = {
    ("uth-ma", "cover_all"): ("MA-12.c", "MA-12.d", "MA-12.g", "MA-12.h", "MA-12.j"),
    ("uth-ma", "progressive"): ("MA-13.c", "MA-13.e-c", "MA-13.f"),
    ("uth-ma", "trips"): ("MA-9.h.4-a",),
    ("uth-card", "trips"): ("CARD-1", "CARD-23"),
    ("uth-proc", "trips"): ("PROC-O.1",),
    ("uth-sd", "progressive"): ("SD-2-f", "SD-6-d", "SD-18-d"),
    ("uth-sd", "trips"): ("SD-2-g", "SD-6-a"),
    ("uth-sd", "envy"): ("SD-18.b.i-a", "SD-18.b.i-b", "SD-18.b.iii-a"),
}
# A line on this wager shows these clauses if the wager wins.
WON: dict[tuple[str, str], tuple[str, ...]] = {
    ("uth-card", "trips"): ("CARD-4",),
    ("uth-proc", "trips"): ("PROC-O.3",),
    ("uth-sd", "trips"): ("SD-17-a",),
    ("uth-sd", "progressive"): ("SD-18.a.vi-a", "SD-18.a.vi-c"),
}
# Clauses shown by trips that wins on a hand whose other wagers do not win.
DESPITE = {
    "uth-ma": ("MA-9.h.4-b", "MA-6.c-b"),
    "uth-card": ("CARD-30",),
    "uth-sd": ("SD-14-b", "SD-13.b-c"),
}
# Clauses shown by several hands that were not folded: the direction of settlement, and one hand at a time.
SEVERAL = {
    "uth-ma": ("MA-9.h-a", "MA-9.h-c"),
    "uth-proc": ("PROC-Q.1-a",),
    "shootout-sd": ("TS-15-c", "TS-16-d"),
    "uth-sd": ("SD-6-a",),
}


def restated(round_: dict[str, Any], answer: dict[str, Any]) -> Iterator[str]:
    """Yield the clauses that a round shows although its result does not cite them."""
    book = str(round_["rulebook"])
    lines = answer["lines"]
    by_seat: dict[int, dict[str, str]] = {}
    for line in lines:
        key = (book, line["wager"])
        yield from WAGERS.get(key, ())
        if line["result"] == "win":
            yield from WON.get(key, ())
        by_seat.setdefault(line["seat"], {})[line["wager"]] = line["result"]
        if line["wager"] == "progressive" and line["result"] == "win":
            share = "%" in line.get("odds", "")
            yield from {"uth-sd": ("SD-18.a.i", "SD-18-a") if share else ("SD-18.a.ii",)}.get(book, ())
    standing = [seat for seat, made in by_seat.items() if "play" in made or "wager" in made]
    if len(standing) > 1:
        yield from SEVERAL.get(book, ())
    for made in by_seat.values():
        if made.get("trips") == "win" and made.get("ante") in ("lose", "push"):
            yield from DESPITE.get(book, ())
        if made.get("bonus", made.get("wager")) != made.get("wager"):
            yield "TS-16-c"
        if book == "uth-ma" and "play" not in made and "trips" in made:
            yield "MA-7.f.5.ii.a" if _manual(round_) else "MA-9.e.2.i"
        if book == "uth-sd" and "play" not in made and "ante" in made:
            yield "SD-12-d"
            if made.get("trips") == "win":
                yield "SD-12-c"
    if book == "uth-ma" and standing and _manual(round_):
        yield "MA-7.f.7"
    if book == "uth-sd":
        yield from _dakota(by_seat, {line["clause"] for line in lines})
    if book == "uth-proc":
        yield from _procedures(round_, lines)
    if book == "uth-ma" and "meters" not in round_ and any(x["wager"] == "progressive" for x in lines):
        yield "MA-13.e-b"
        yield f"MA-13.e-{round_.get('tables', {}).get('progressive', 'PTMGL01')}-b"


def _manual(round_: dict[str, Any]) -> bool:
    covered = any(seat.get("cover_all", "0") != "0" for seat in round_["seats"])
    return bool(round_.get("mode", "device" if covered else "manual") == "manual")


def _dakota(by_seat: dict[int, dict[str, str]], cited: set[str]) -> Iterator[str]:
    qualifies = "SD-13.a-a" not in cited
    for made in by_seat.values():
        if "play" in made and qualifies:
            yield from ("SD-13.b-a", "SD-13.b-b")
            if "trips" in made:
                yield "SD-13.b-c"


def _procedures(round_: dict[str, Any], lines: list[dict[str, Any]]) -> Iterator[str]:
    refunds = any(line["clause"] == "PROC-N.1-a" for line in lines)
    if refunds:
        yield from ("PROC-D.8-c", "PROC-N.2")
        if round_.get("house", {}).get("ante_return", "refund_pass") == "refund_pass":
            yield "PROC-N.1-b"


def shown(round_: dict[str, Any], answer: dict[str, Any], besides: tuple[str, ...]) -> list[str]:
    """All clauses a round shows, sorted."""
    clauses = set(besides)
    for kind in ("lines", "approvals", "caps", "refused"):
        clauses |= {entry["clause"] for entry in answer.get(kind, ()) if entry.get("clause")}
    if "lines" in answer:
        clauses |= set(restated(round_, answer))
    for clause in list(clauses):
        clauses |= set(ALSO.get(clause, ()))
    return sorted(clauses)
