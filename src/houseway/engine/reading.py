"""Reading a round given as JSON: what both games share. Every fault is a refusal, none stops the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from houseway.cards import Card, CardError, cards
from houseway.engine.hands import PlayerHand
from houseway.engine.refusals import Refusal
from houseway.engine.terms import Terms
from houseway.money import Cents, MoneyError, cents, spoken
from houseway.rules.problems import meant
from houseway.wording import several

ROUND_KEYS = frozenset(
    {"rulebook", "mode", "tables", "limits", "house", "meters", "board", "dealer", "seats"}
)

Found = list[Refusal]


@lru_cache(maxsize=1 << 14)
def amount_of(text: str) -> Cents:
    """An amount as written; cached, since a table sees few different ones."""
    return cents(text)


def read_amount(value: Any, where: str, found: Found) -> int:
    """Cents of an amount; 0 where it is left out, is "0" or cannot be read."""
    if value is None:
        return 0
    try:
        if type(value) is int and value >= 0:
            return value * 100
        if not isinstance(value, str):
            raise MoneyError(f'{value!r} is no amount; write dollars as text, "7.50"')
        return amount_of(value)
    except MoneyError as error:
        found.append(Refusal("bad-amount", None, where, str(error)))
        return 0


def read_cards(value: Any, count: int, where: str, found: Found) -> tuple[Card, ...]:
    """So many cards; fewer where they cannot be read."""
    try:
        if not isinstance(value, str):
            given = "left out" if value is None else repr(value)
            raise CardError(f'{given}: write the cards as text, "Ah Kd"')
        read = cards(value)
    except CardError as error:
        found.append(Refusal("bad-cards", None, where, str(error)))
        return ()
    if len(read) != count:
        sentence = f"{where} has {several(len(read), 'card')} and must have {count}"
        found.append(Refusal("wrong-number-of-cards", None, where, sentence))
    return read


def check_keys(data: Mapping[str, Any], known: frozenset[str], where: str, found: Found) -> None:
    """Refuse keys nobody asks for, with the key meant."""
    if data.keys() <= known:
        return
    for key in data.keys() - known:
        path = f"{where}.{key}" if where else key
        found.append(Refusal("unknown-key", None, path, f"{key!r} is unknown; {meant(key, known)}"))


def check_copies(placed: Iterable[tuple[str, tuple[Card, ...]]], decks: int, found: Found) -> None:
    """Refuse more copies of a card than there are decks."""
    places = list(placed)
    counts = Counter(card for _, held in places for card in held)
    for card, copies in counts.items():
        if copies > decks:
            where = next(w for w, held in reversed(places) if card in held)
            held = "one deck holds it once" if decks == 1 else f"{decks} decks hold {decks}"
            sentence = f"the {card.words} ({card}) lies {copies} times on the table; {held}"
            found.append(Refusal("too-many-copies", None, where, sentence))


def read_seats(data: Mapping[str, Any], terms: Terms, found: Found) -> list[tuple[str, Any]]:
    """The seats of a round with their paths; numbers checked."""
    seats = data.get("seats")
    if not isinstance(seats, list) or not seats:
        sentence = 'write at least one seat, "seats": [{"seat": 1, …}]'
        found.append(Refusal("no-seats", None, "seats", sentence))
        return []
    read = []
    taken: set[int] = set()
    most = terms.house("seats") or terms.rulebook.seats
    for n, seat in enumerate(seats):
        where = f"seats[{n}]"
        if not isinstance(seat, dict):
            found.append(Refusal("bad-seat", None, where, "a seat is an object"))
            continue
        number = seat.get("seat")
        if type(number) is not int or not 1 <= number <= most:
            sentence = f"{number!r} is no seat; seats are numbered from 1 at the dealer's left to {most}"
            found.append(Refusal("no-such-seat", terms.clause("seats"), f"{where}.seat", sentence))
        elif number in taken:
            found.append(Refusal("seat-twice", None, f"{where}.seat", f"seat {number} stands here twice"))
        else:
            taken.add(number)
        read.append((where, seat))
    return read


def read_player(seat: Mapping[str, Any], where: str, found: Found) -> tuple[int, str | int]:
    """A seat's number, and who sits there: a name, or the number itself where none is given."""
    given = seat.get("seat")
    number = given if type(given) is int else 0
    if "player" not in seat:
        return number, number
    player = seat["player"]
    if not isinstance(player, str) or not player:
        found.append(Refusal("bad-player", None, f"{where}.player", "a player is a name, as text"))
        return number, number
    return number, player


def check_positions(hands: Sequence[PlayerHand], paths: Sequence[str], terms: Terms, found: Found) -> None:
    """Refuse one player at several positions where the rulebook does."""
    said = terms.rulebook.options.get("more_positions")
    if said is None or said.value or terms.house("more_positions"):
        return
    first: dict[str | int, int] = {}
    for hand, path in zip(hands, paths, strict=True):
        seat = first.setdefault(hand.player, hand.seat)
        if seat != hand.seat:
            sentence = f"{hand.player} wagers at seats {seat} and {hand.seat}; one position a player"
            clause = terms.clause("more_positions")
            found.append(Refusal("more-than-one-position", clause, path, sentence))


def check_bounds(name: str, stake: int, where: str, terms: Terms, found: Found) -> None:
    """Refuse a stake outside the posted limits."""
    bounds = terms.bounds[name]
    book = terms.rulebook
    if book.limit_basis is None:
        return
    equals = book.wagers[name].equals
    fixed = book.limits.get(equals.value if equals else name)
    posted = book.limit_basis.clause(terms.mode)
    if bounds.low is not None and stake < bounds.low:
        least = book.minimum_basis or book.limit_basis
        clause = fixed.minima.clause(terms.mode) if fixed and fixed.minima else least.clause(terms.mode)
        sentence = f"{name} {spoken(stake)} is below the minimum {spoken(bounds.low)}"
        found.append(Refusal("below-minimum", clause, where, sentence))
    if bounds.high is not None and stake > bounds.high:
        clause = fixed.maximum.clause(terms.mode) if fixed and fixed.maximum else posted
        sentence = f"{name} {spoken(stake)} is above the maximum {spoken(bounds.high)}"
        found.append(Refusal("above-maximum", clause, where, sentence))


def check_bet_limit(hands: Sequence[PlayerHand], paths: Sequence[str], terms: Terms, found: Found) -> None:
    """Refuse more at risk than the rulebook lets one customer have, tips included."""
    limit = terms.rulebook.bet_limit
    if limit is None or limit.wagered is None:
        return
    clause = limit.wagered.clause(terms.mode)
    most = limit.amount
    totals: dict[str | int, int] = {}
    where: dict[str | int, str] = {}
    for hand, path in zip(hands, paths, strict=True):
        wagered = (*hand.stakes.items(), *hand.tips.items())
        if terms.house("bet_limit_scope") == "wager":
            for name, stake in wagered:
                if stake > most:
                    sentence = f"{name} {spoken(stake)} passes the bet limit {spoken(most)}"
                    found.append(Refusal("bet-limit", clause, f"{path}.{name}", sentence))
            continue
        totals[hand.player] = totals.get(hand.player, 0) + sum(stake for _, stake in wagered)
        where.setdefault(hand.player, path)
    for player, total in totals.items():
        if total > most:
            sentence = f"{spoken(total)} at risk in one round passes the bet limit {spoken(most)}"
            found.append(Refusal("bet-limit", clause, where[player], sentence))


def read_meters(data: Mapping[str, Any], terms: Terms, found: Found) -> dict[str, int]:
    """What the meters showed, by name."""
    given = data.get("meters")
    if given is None:
        return {}
    table = terms.table("progressive")
    known = table.meters if table else ()
    if not isinstance(given, dict):
        sentence = 'write meters by name, {"main": "52340.50"}'
        found.append(Refusal("bad-meters", None, "meters", sentence))
        return {}
    meters = {}
    for name, value in given.items():
        if name not in known:
            held = f"the table in use has {meant(str(name), known)}" if known else "there is no progressive"
            sentence = f"{name!r} is no meter; {held}"
            found.append(Refusal("unknown-meter", None, f"meters.{name}", sentence))
        else:
            meters[name] = read_amount(value, f"meters.{name}", found)
    return meters
