"""Reading a round given as JSON: what both games share. Every fault is a refusal, none stops the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from houseway.cards import Card, CardError, cards
from houseway.engine.refusals import Refusal
from houseway.engine.stake_checks import StakeChecks
from houseway.money import MoneyError, cents
from houseway.rules.problems import meant
from houseway.wording import several

ROUND_KEYS = frozenset(
    {"rulebook", "mode", "tables", "limits", "house", "meters", "board", "dealer", "seats"}
)


amount_of = lru_cache(maxsize=1 << 14)(cents)
"""An amount as written; cached, since a table sees few different ones."""


def read_amount(value: Any, where: str, found: list[Refusal]) -> int:
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


class RoundReader(StakeChecks):
    """Reads the parts of a round; `found` has every reason to refuse it."""

    def cards(self, value: Any, count: int, where: str) -> tuple[Card, ...]:
        """So many cards; fewer where they cannot be read."""
        try:
            if not isinstance(value, str):
                given = "left out" if value is None else repr(value)
                raise CardError(f'{given}: write the cards as text, "Ah Kd"')
            read = cards(value)
        except CardError as error:
            self.found.add("bad-cards", str(error), where)
            return ()
        if len(read) != count:
            sentence = f"{where} has {several(len(read), 'card')} and must have {count}"
            self.found.add("wrong-number-of-cards", sentence, where)
        return read

    def keys(self, data: Mapping[str, Any], known: frozenset[str], where: str = "") -> None:
        """Refuse keys nobody asks for, with the key meant."""
        for key in (key for key in data if key not in known):
            path = f"{where}.{key}" if where else key
            self.found.add("unknown-key", f"{key!r} is unknown; {meant(key, known)}", path)

    def copies(self, placed: Iterable[tuple[str, tuple[Card, ...]]]) -> None:
        """Refuse more copies of a card than there are decks."""
        places, decks = list(placed), self.book.ranking.decks
        counts = Counter(card for _, held in places for card in held)
        for card, copies in counts.items():
            if copies > decks:
                where = next(w for w, held in reversed(places) if card in held)
                held = "one deck holds it once" if decks == 1 else f"{decks} decks hold {decks}"
                sentence = f"the {card.words} ({card}) lies {copies} times on the table; {held}"
                self.found.add("too-many-copies", sentence, where)

    def seats(self, data: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """The seats of a round with their paths; numbers checked."""
        seats = data.get("seats")
        if not isinstance(seats, list) or not seats:
            self.found.add("no-seats", 'write at least one seat, "seats": [{"seat": 1, …}]', "seats")
            return []
        read = []
        taken: set[int] = set()
        most = self.terms.house("seats") or self.book.seats
        for n, seat in enumerate(seats):
            where = f"seats[{n}]"
            if not isinstance(seat, dict):
                self.found.add("bad-seat", "a seat is an object", where)
                continue
            number = seat.get("seat")
            if type(number) is not int or not 1 <= number <= most:
                sentence = (
                    f"{number!r} is no seat; seats are numbered from 1 at the dealer's left to {most}"
                )
                self.found.add("no-such-seat", sentence, f"{where}.seat", self.terms.clause("seats"))
            elif number in taken:
                self.found.add("seat-twice", f"seat {number} stands here twice", f"{where}.seat")
            else:
                taken.add(number)
            read.append((where, seat))
        return read

    def player(self, seat: Mapping[str, Any], where: str) -> tuple[int, str | int]:
        """A seat's number, and who sits there: a name, or the number itself where none is given."""
        given = seat.get("seat")
        number = given if type(given) is int else 0
        if "player" not in seat:
            return number, number
        player = seat["player"]
        if not isinstance(player, str) or not player:
            self.found.add("bad-player", "a player is a name, as text", f"{where}.player")
            return number, number
        return number, player

    def meters(self, data: Mapping[str, Any]) -> dict[str, int]:
        """What the meters showed, by name."""
        given = data.get("meters")
        table = self.terms.table("progressive")
        known = table.meters if table else ()
        if given is not None and not isinstance(given, dict):
            self.found.add("bad-meters", 'write meters by name, {"main": "52340.50"}', "meters")
        if not isinstance(given, dict):
            return {}
        meters = {}
        for name, value in given.items():
            if name in known:
                meters[name] = read_amount(value, f"meters.{name}", self.found)
                continue
            held = f"the table in use has {meant(str(name), known)}" if known else "there is no progressive"
            self.found.add("unknown-meter", f"{name!r} is no meter; {held}", f"meters.{name}")
        return meters
