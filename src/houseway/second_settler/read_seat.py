"""Read one seat of an Ultimate Texas Hold'em round, or refuse it."""

from typing import Any

from .checks import Problems, amount, keys, mapping, row_of_cards
from .pays import PROGRESSIVE_OF_BOOK
from .table import House, Seat

SEAT_KEYS = (
    "seat",
    "player",
    "hole",
    "ante",
    "blind",
    "trips",
    "progressive",
    "cover_all",
    "play",
    "tips",
    "match_play",
)
NOT_OFFERED = {"uth-card": "CARD-1", "uth-proc": "PROC-O.1", "uth-sd": None, "uth-ma": None}
UNEQUAL = {
    "uth-sd": "SD-2-e",
    "uth-card": "CARD-5-a",
    "uth-proc": "PROC-D.1-a",
    "uth-ma": "MA-1.ante-a",
}
NO_ANTE = {
    "uth-sd": "SD-2-b",
    "uth-card": "CARD-5-b",
    "uth-proc": "PROC-D.1-a",
    "uth-ma": "MA-1.ante-b",
}
NO_BET = {**NO_ANTE, "uth-sd": "SD-2-a"}
TRIPS_ALONE = {"uth-card": "CARD-22", "uth-proc": "PROC-D.1-b", "uth-ma": "MA-6.c-a"}
BAD_MULTIPLE = {
    "uth-sd": "SD-7-b",
    "uth-card": "CARD-8",
    "uth-proc": "PROC-D.3.b",
    "uth-ma": "MA-6.d",
}
NO_DECISION = {
    "uth-sd": "SD-11-a",
    "uth-card": "CARD-12-a",
    "uth-proc": "PROC-D.7-a",
    "uth-ma": "MA-9.e",
}


def read_seat(
    one: dict[str, Any], where: str, player: str, book: str, house: House, problems: Problems
) -> Seat:
    """Read one seat, and check it by itself. Checks across seats follow later."""
    start = len(problems.found)
    keys(one, SEAT_KEYS, where, problems)
    number = one.get("seat")
    seat = Seat(number if isinstance(number, int) else 0, player, [])
    seat.hole = row_of_cards(one.get("hole"), 2, f"{where}hole", problems)
    if "ante" in one:
        seat.ante = amount(one["ante"], f"{where}ante", problems, zero=False)
    blind = seat.ante
    if "blind" in one:
        blind = amount(one["blind"], f"{where}blind", problems, zero=False)
    if "trips" in one:
        seat.trips = amount(one["trips"], f"{where}trips", problems)
    if "progressive" in one:
        seat.progressive = amount(one["progressive"], f"{where}progressive", problems)
    if "cover_all" in one:
        seat.cover_all = amount(one["cover_all"], f"{where}cover_all", problems)
    if "match_play" in one:
        seat.coupon = amount(one["match_play"], f"{where}match_play", problems)
    if "tips" in one:
        tips = mapping(one, "tips", problems, where)
        keys(tips, ("ante", "blind", "trips", "play"), f"{where}tips.", problems)
        for name in ("ante", "blind", "trips", "play"):
            tip = amount(tips[name], f"{where}tips.{name}", problems) if name in tips else 0
            if tip:
                seat.tips[name] = tip
    play = one.get("play")
    if "play" in one:
        if not isinstance(play, int) or isinstance(play, bool) or not 0 <= play <= 4:
            clause = BAD_MULTIPLE[book]
            problems.add("bad_play", clause, f"{where}play", "Play is 0, 1, 2, 3 or 4.")
        elif not seat.ante and seat.trips and play == 0 and house.trips_alone == "may fold":
            seat.play = play
        elif not seat.ante:
            clause = "SD-2-c" if book == "uth-sd" and seat.trips else NO_ANTE[book]
            problems.add("play_without_ante", clause, f"{where}play", "There is no ante.")
        else:
            seat.play = play
    elif seat.ante:
        problems.add("no_decision", NO_DECISION[book], f"{where}play", "Play or fold is missing.")
    if len(problems.found) == start:
        check_wagers(seat, blind, where, book, house, problems)
    return seat


def check_wagers(seat: Seat, blind: int, where: str, book: str, house: House, problems: Problems) -> None:
    """Check that each wager is offered, and that the wagers it needs were made."""
    if blind != seat.ante:
        clause = UNEQUAL[book] if seat.ante and blind else NO_ANTE[book]
        problems.add("unequal_blind", clause, f"{where}blind", "The blind must equal the ante.")
    if not seat.ante and not blind:
        if seat.trips and book != "uth-sd":
            clause = TRIPS_ALONE[book]
            problems.add("trips_alone", clause, f"{where}trips", "Trips needs an ante and a blind.")
        elif not seat.trips and not seat.progressive and not seat.cover_all:
            problems.add("no_bet", NO_BET[book], where.rstrip("."), "There is no initial bet.")
    if seat.progressive:
        spot = f"{where}progressive"
        if not PROGRESSIVE_OF_BOOK[book]:
            problems.add("not_offered", NOT_OFFERED[book], spot, "This table has no progressive.")
        elif book == "uth-ma" and not seat.ante:
            problems.add("progressive_alone", "MA-13.b", spot, "It needs an ante and a blind.")
        elif book == "uth-sd" and not seat.ante and not seat.trips:
            problems.add("progressive_alone", "SD-2-f", spot, "It needs an initial bet.")
    if seat.cover_all:
        spot = f"{where}cover_all"
        if book != "uth-ma":
            problems.add("not_offered", NOT_OFFERED[book], spot, "This table has no Cover All.")
        elif not seat.ante:
            problems.add("cover_all_alone", "MA-12.a", spot, "It needs an ante and a blind.")
    if seat.coupon:
        spot = f"{where}match_play"
        if book != "uth-ma":
            problems.add("not_offered", None, spot, "This table has no match play.")
        elif not house.match_play:
            problems.add("match_play_off", "MA-6.a-b", spot, "Match play is off.")
        elif seat.coupon > seat.ante:
            problems.add("coupon_above_ante", "MA-6.a-b", spot, "The coupon is above the ante.")
    if seat.tips:
        check_tips(seat, where, book, problems)


def check_tips(seat: Seat, where: str, book: str, problems: Problems) -> None:
    """Check the tips. They are allowed only in South Dakota, and only beside the player's own wager."""
    if book != "uth-sd":
        problems.add("not_offered", NOT_OFFERED[book], f"{where}tips", "This table takes no tips.")
        return
    for name in ("ante", "blind"):
        if name in seat.tips and not seat.ante:
            problems.add("tip_alone", "SD-3-a", f"{where}tips.{name}", "The player has no ante and blind.")
    if "trips" in seat.tips and not seat.ante and not seat.trips:
        problems.add("tip_alone", "SD-3-a", f"{where}tips.trips", "The player has no wager.")
    if "play" in seat.tips:
        spot = f"{where}tips.play"
        if not seat.play or "ante" not in seat.tips:
            problems.add("tip_play_alone", "SD-3-c", spot, "It needs a play and a tip on the ante.")
        elif seat.tips["play"] != seat.play * seat.tips["ante"]:
            problems.add("tip_play_size", "SD-3-c", spot, f"It must be {seat.play} times the ante's tip.")
