"""Read an Ultimate Texas Hold'em round, or refuse it."""

from typing import Any

from .checks import (
    Problems,
    amount,
    copies,
    keys,
    mapping,
    need_maxima,
    players,
    read_house,
    read_limits,
    row_of_cards,
    seat_list,
    within,
)
from .pays import METERS, PROGRESSIVE_DEFAULT, PROGRESSIVE_OF_BOOK, TRIPS_DEFAULT, TRIPS_OF_BOOK
from .read_seat import NOT_OFFERED, read_seat
from .table import Limits, Seat, UltimateRound

ROUND_KEYS = (
    "rulebook",
    "tables",
    "meters",
    "board",
    "dealer",
    "seats",
    "mode",
    "limits",
    "house",
)
LIMIT_CLAUSES: dict[str, tuple[str | None, str | None]] = {
    "uth-sd": ("SD-2-a", "SD-2-d"),
    "uth-card": (None, None),
    "uth-proc": ("PROC-H.2-a", "PROC-H.1"),
    "uth-ma": (None, None),
}
BET_LIMIT = 100_000
FIXED_WAGER = {"PMG-01": 100, "PMG-02": 500}


def read_tables(data: dict[str, Any], book: str, problems: Problems) -> tuple[str, str, bool]:
    """Return the trips table, the progressive table, and True if the round names the progressive table."""
    tables = mapping(data, "tables", problems)
    trips, progressive = TRIPS_DEFAULT[book], PROGRESSIVE_DEFAULT.get(book, "")
    for name, value in tables.items():
        where = f"tables.{name}"
        if name == "trips":
            if value in TRIPS_OF_BOOK[book]:
                trips = value
            else:
                clause = "MA-10.d" if book == "uth-ma" else None
                problems.add("unknown_table", clause, where, f"There is no trips table {value!r}.")
        elif name == "progressive" and PROGRESSIVE_OF_BOOK[book]:
            if value in PROGRESSIVE_OF_BOOK[book]:
                progressive = value
            else:
                clause = "MA-13.e-a" if book == "uth-ma" else None
                problems.add("unknown_table", clause, where, f"There is no progressive table {value!r}.")
        else:
            problems.add("unknown_key", NOT_OFFERED[book], where, f"There is no table {name!r} here.")
    return trips, progressive, "progressive" in tables


def check_limits(seats: list[Seat], limits: Limits, book: str, problems: Problems) -> None:
    """Check every wager against the posted limits, and against the limits that the document sets."""
    if book == "uth-proc":
        low, high = limits.get("ante", (None, None))
        trips_low, trips_high = limits.get("trips", (None, None))
        for name, least, most in (("ante", low, high), ("trips", trips_low, trips_high)):
            if least not in (None, 300, 500):
                where = f"limits.{name}.min"
                problems.add("bad_limits", "PROC-H.2-a", where, "The minimum must be $3 or $5.")
            if most is not None and most > 2500:
                where = f"limits.{name}.max"
                problems.add("bad_limits", "PROC-H.1", where, "The maximum must be $25 or less.")
        low = low or 300
        limits = {
            "ante": (low, 2500 if high is None else high),
            "trips": (trips_low or low, 2500 if trips_high is None else trips_high),
        }
    for at, seat in enumerate(seats):
        for name, bounds in limits.items():
            made = getattr(seat, name)
            if made:
                clauses = LIMIT_CLAUSES[book] if name != "cover_all" else (None, None)
                within(made, bounds, clauses, f"seats[{at}].{name}", problems)


def check_tip_limits(seats: list[Seat], limits: Limits, problems: Problems) -> None:
    """Refuse a tip above the posted maximum of its wager. The blind has the same maximum as the ante."""
    for at, seat in enumerate(seats):
        for name, tip in seat.tips.items():
            high = limits.get("ante" if name == "blind" else name, (None, None))[1]
            if high is not None and tip > high:
                where = f"seats[{at}].tips.{name}"
                problems.add("above_maximum", "SD-2-d", where, "The tip is above the posted maximum.")


def check_bet_limit(
    seats: list[Seat],
    limits: Limits,
    scope: str,
    progressive: int | None,
    problems: Problems,
) -> None:
    """Check South Dakota's limit of $1,000.

    `progressive` is the amount of the progressive wager: 0 if it is not in use, None if it is unknown.
    """
    most = limits.get("ante", (None, None))[1]
    trips = limits.get("trips", (None, None))[1]
    if trips is None and not any(seat.trips for seat in seats):
        trips = 0
    if most is not None and scope == "wager" and 4 * most > BET_LIMIT:
        problems.add("bet_limit", "SD-1-c", "limits.ante.max", "A 4x play could exceed $1,000.")
    complete = most is not None and trips is not None and progressive is not None
    worst = 6 * (most or 0) + (trips or 0) + (progressive or 0)
    if complete and scope == "round" and worst > BET_LIMIT:
        problems.add("bet_limit", "SD-1-c", "limits", "A seat's wagers could exceed $1,000.")
    totals: dict[str, int] = {}
    for at, seat in enumerate(seats):
        own = [seat.ante, seat.ante, seat.ante * (seat.play or 0), seat.trips, seat.progressive]
        made = own + list(seat.tips.values())
        totals[seat.player] = totals.get(seat.player, 0) + sum(made)
        if scope == "wager" and max(made) > BET_LIMIT:
            problems.add("bet_limit", "SD-1-d", f"seats[{at}]", "A wager exceeds $1,000.")
    for total in totals.values():
        if scope == "round" and total > BET_LIMIT:
            problems.add("bet_limit", "SD-1-d", "seats", "A player's wagers exceed $1,000.")


def check_progressive(seats: list[Seat], table: str, exact: int | None, problems: Problems) -> None:
    """Refuse a progressive wager that is not the exact amount."""
    if exact is None:
        return
    for at, seat in enumerate(seats):
        if seat.progressive and seat.progressive != exact:
            clause = "SD-18-e"
            if table.startswith("PTMGL"):
                clause = "MA-13.a"
            elif table.startswith("PMG"):
                clause = "SD-18-PMG-a"
            where = f"seats[{at}].progressive"
            problems.add("progressive_amount", clause, where, "The progressive must be the exact amount.")


def read_mode(data: dict[str, Any], book: str, seats: list[Seat], problems: Problems) -> str:
    """Return the deal mode, manual or device. Cover All exists only in device mode."""
    covered = [at for at, seat in enumerate(seats) if seat.cover_all]
    mode = data.get("mode", "device" if covered or book == "uth-proc" else "manual")
    if mode not in ("manual", "device"):
        problems.add("bad_mode", None, "mode", "The mode must be manual or device.")
    if mode == "manual" and book == "uth-ma":
        for at in covered:
            where = f"seats[{at}].cover_all"
            problems.add("cover_all_mode", "MA-12.d", where, "Cover All needs device mode.")
    if len(seats) > 6:
        for at in covered:
            where = f"seats[{at}].cover_all"
            problems.add("cover_all_hands", "MA-12.k", where, "There is no column for that many hands.")
    return str(mode)


def read_round(data: dict[str, Any], book: str, problems: Problems) -> UltimateRound:
    """Return the whole round. It is valid only if there are no problems."""
    keys(data, ROUND_KEYS, "", problems)
    trips_table, table, named = read_tables(data, book, problems)
    names = METERS.get(table, ())
    house = read_house(data, book, names, problems)
    board = row_of_cards(data.get("board"), 5, "board", problems)
    dealer = row_of_cards(data.get("dealer"), 2, "dealer", problems)
    raw = seat_list(data, 6, problems)
    people = players(raw, book, house, problems)
    seats = [
        read_seat(one, f"seats[{at}].", people[at], book, house, problems) for at, one in enumerate(raw)
    ]
    dealt = board + dealer
    for seat in seats:
        dealt = dealt + seat.hole
    copies(dealt, 1, problems)
    given_meters = mapping(data, "meters", problems)
    keys(given_meters, names, "meters.", problems)
    meters = {m: amount(given_meters[m], f"meters.{m}", problems) for m in names if m in given_meters}
    bet = any(seat.progressive for seat in seats)
    in_use = bool(names) and (named or bool(given_meters) or bet)
    exact = 500 if book == "uth-ma" else house.progressive_wager or FIXED_WAGER.get(table)
    check_progressive(seats, table, exact, problems)
    staked = {seat.progressive for seat in seats if seat.progressive}
    if exact is None and len(staked) > 1:
        problems.add("progressive_unequal", None, "seats", "All progressives must be the same amount.")
    known = ("ante", "trips", "cover_all") if book == "uth-ma" else ("ante", "trips")
    limits = read_limits(data, known, problems)
    check_limits(seats, limits, book, problems)
    if house.tip_limit == "posted":
        check_tip_limits(seats, limits, problems)
    if book == "uth-sd":
        amount_in_use = exact if exact is not None and in_use else None if bet else 0
        check_bet_limit(seats, limits, house.bet_limit_scope, amount_in_use, problems)
        need_maxima(limits, {"progressive": exact}, problems)
    mode = read_mode(data, book, seats, problems)
    return UltimateRound(
        book=book,
        mode=mode,
        board=board,
        dealer=dealer,
        seats=seats,
        trips_table=trips_table,
        progressive_table=table if in_use else "",
        progressive_wager=exact,
        meters=meters,
        limits=limits,
        house=house,
    )
