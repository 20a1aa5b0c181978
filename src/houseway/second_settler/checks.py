"""Checks that both games use. They collect all problems of a round."""

from collections.abc import Iterable
from typing import Any

from .hands import NAME, cards
from .money import cents
from .table import House, Limits

SETTINGS: dict[str, tuple[str, ...]] = {
    "uth-sd": (
        "awards",
        "seed",
        "reserve",
        "rounding",
        "more_positions",
        "bet_limit_scope",
        "progressive_wager",
        "trips_alone",
        "tip_limit",
    ),
    "uth-ma": ("awards", "reserve", "rounding", "match_play", "cover_all_low", "folded_progressive"),
    "uth-proc": ("max_payout", "ante_return", "rounding", "more_positions", "approval_scope"),
    "uth-card": ("rounding",),
    "shootout-sd": ("rounding", "more_positions", "tips"),
}
CHOICES: dict[str, tuple[str, ...]] = {
    "awards": ("sequential", "shared"),
    "ante_return": ("refund_pass", "in_sequence"),
    "rounding": ("down", "up", "nearest"),
    "bet_limit_scope": ("round", "wager"),
    "cover_all_low": ("lose", "push"),
    "folded_progressive": ("last", "at once"),
    "trips_alone": ("stays", "may fold"),
    "tip_limit": ("bet limit", "posted"),
    "approval_scope": ("wager", "hand"),
}
ONE_POSITION = {
    "uth-sd": "house.more_positions",
    "uth-ma": "MA-11",
    "uth-proc": "house.more_positions",
    "uth-card": "CARD-29",
    "shootout-sd": "TS-4-b",
}


class Problems:
    """All problems, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: list[dict[str, Any]] = []

    def add(self, code: str, clause: str | None, where: str, message: str) -> None:
        """Add one problem."""
        self.found.append({"code": code, "clause": clause, "where": where, "message": message})


def keys(data: dict[str, Any], known: Iterable[str], where: str, problems: Problems) -> None:
    """Refuse unknown keys."""
    for key in data:
        if key not in known:
            problems.add("unknown_key", None, f"{where}{key}", f"There is no key {key!r} here.")


def mapping(data: dict[str, Any], key: str, problems: Problems, where: str = "") -> dict[str, Any]:
    """Return the object under a key, or an empty one if the key is missing."""
    value = data.get(key, {})
    if not isinstance(value, dict):
        problems.add("malformed", None, f"{where}{key}", "This is not an object.")
        return {}
    return value


def amount(value: object, where: str, problems: Problems, zero: bool = True) -> int:
    """Return an amount in cents. With zero=False, an amount of zero is refused."""
    try:
        number = cents(value)
    except ValueError as reason:
        problems.add("bad_amount", None, where, f"{value!r} {reason}.")
        return 0
    if number == 0 and not zero:
        problems.add("zero_wager", None, where, "A wager must be more than zero.")
    return number


def row_of_cards(value: object, count: int, where: str, problems: Problems) -> list[int]:
    """Return the cards. Refuse them if there are not exactly `count`."""
    try:
        row = cards(value)
    except ValueError as reason:
        problems.add("bad_cards", None, where, f"This {reason}.")
        return []
    if len(row) != count:
        problems.add("wrong_count", None, where, f"There must be {count} cards (got {len(row)}).")
    return row


def copies(dealt: list[int], most: int, problems: Problems) -> None:
    """Refuse a card that appears more times than there are copies in the decks."""
    if most == 1 and len(set(dealt)) == len(dealt):
        return
    for card in sorted(set(dealt)):
        if dealt.count(card) > most:
            problems.add("card_repeated", None, "cards", f"{NAME[card]} appears {dealt.count(card)} times.")


def seat_list(data: dict[str, Any], last: int, problems: Problems) -> list[dict[str, Any]]:
    """Return the seats. Refuse a seat without a unique number from 1 to `last`."""
    seats = data.get("seats")
    if not isinstance(seats, list) or not seats or not all(isinstance(s, dict) for s in seats):
        problems.add("malformed", None, "seats", "The seats must be a list of objects.")
        return []
    numbers: set[int] = set()
    for at, one in enumerate(seats):
        number = one.get("seat")
        where = f"seats[{at}].seat"
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= last:
            problems.add("bad_seat", None, where, f"Seats are numbered 1 to {last}.")
        elif number in numbers:
            problems.add("seat_twice", None, where, f"Seat {number} is given twice.")
        else:
            numbers.add(number)
    return seats


def players(seats: list[dict[str, Any]], book: str, house: House, problems: Problems) -> list[str]:
    """Return the player of each seat. A seat without a name counts as a separate player."""
    names: list[str] = []
    for at, one in enumerate(seats):
        if "player" not in one:
            names.append(f"\0{at}")
            continue
        name = one["player"]
        where = f"seats[{at}].player"
        if not isinstance(name, str) or not name:
            problems.add("malformed", None, where, "A player's name must be a text.")
            name = f"\0{at}"
        elif name in names and not house.more_positions:
            problems.add("two_positions", ONE_POSITION[book], where, f"{name} already has a seat.")
        names.append(name)
    return names


def read_limits(data: dict[str, Any], known: tuple[str, ...], problems: Problems) -> Limits:
    """Return the posted minimum and maximum of each wager."""
    by_wager: Limits = {}
    limits = mapping(data, "limits", problems)
    keys(limits, known, "limits.", problems)
    for name in known:
        if name not in limits:
            continue
        bounds = mapping(limits, name, problems, "limits.")
        keys(bounds, ("min", "max"), f"limits.{name}.", problems)
        low = high = None
        if "min" in bounds:
            low = amount(bounds["min"], f"limits.{name}.min", problems)
        if "max" in bounds:
            high = amount(bounds["max"], f"limits.{name}.max", problems)
        if low is not None and high is not None and low > high:
            problems.add("bad_limits", None, f"limits.{name}", "The minimum is above the maximum.")
        by_wager[name] = (low, high)
    return by_wager


def need_maxima(limits: Limits, amounts: dict[str, int | None], problems: Problems) -> None:
    """Refuse limits without a maximum, as South Dakota requires. `amounts` has wagers of a fixed amount."""
    for name, (_, high) in limits.items():
        if high is None and amounts.get(name) is None:
            problems.add(
                "bet_limit", "SD-1-c", f"limits.{name}", "Without a maximum, it could exceed $1,000."
            )


def within(
    value: int,
    bounds: tuple[int | None, int | None],
    clauses: tuple[str | None, str | None],
    where: str,
    problems: Problems,
) -> None:
    """Check a wager against its posted limits. `clauses` has the clauses of the minimum and the maximum."""
    low, high = bounds
    if low is not None and value < low:
        problems.add("below_minimum", clauses[0], where, "This is below the posted minimum.")
    if high is not None and value > high:
        problems.add("above_maximum", clauses[1], where, "This is above the posted maximum.")


def read_house(data: dict[str, Any], book: str, meters: tuple[str, ...], problems: Problems) -> House:
    """Return the house settings. `meters` are the meters of the progressive table in use."""
    house = House()
    settings = mapping(data, "house", problems)
    keys(settings, SETTINGS[book], "house.", problems)
    for name in SETTINGS[book]:
        if name not in settings:
            continue
        value = settings[name]
        where = f"house.{name}"
        if name in CHOICES:
            if value in CHOICES[name]:
                setattr(house, name, value)
            else:
                problems.add("bad_setting", None, where, f"Use one of {', '.join(CHOICES[name])}.")
        elif name in ("more_positions", "match_play", "tips"):
            if isinstance(value, bool):
                setattr(house, name, value)
            else:
                problems.add("bad_setting", None, where, "This must be true or false.")
        elif name in ("max_payout", "progressive_wager"):
            setattr(house, name, amount(value, where, problems, zero=False))
        else:
            by_meter = mapping(settings, name, problems, "house.")
            keys(by_meter, meters, f"{where}.", problems)
            read = {
                meter: amount(by_meter[meter], f"{where}.{meter}", problems)
                for meter in meters
                if meter in by_meter
            }
            if name == "reserve":
                house.reserve = read
            elif "main" in read:
                house.seed = read["main"]
    return house
