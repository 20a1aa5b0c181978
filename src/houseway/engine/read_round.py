"""Read the parts of a JSON round that both games share, and collect every fault as a refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from houseway.cards import Card, CardError, cards
from houseway.engine.refusals import Refusal
from houseway.engine.stake_checks import StakeChecks
from houseway.money import MoneyError, cents
from houseway.rules.problems import suggest
from houseway.wording import several, times_text

ROUND_KEYS = frozenset(
    {"rulebook", "mode", "tables", "limits", "house", "meters", "board", "dealer", "seats"}
)


amount_of = lru_cache(maxsize=1 << 14)(cents)
"""A cache of amounts in cents; there are few different amounts."""


def read_amount(value: Any, where: str, refusals: list[Refusal]) -> int:
    """Return the cents of an amount; 0 if it is left out, is "0" or cannot be read."""
    if value is None:
        return 0
    try:
        if type(value) is int and value >= 0:
            return value * 100
        if not isinstance(value, str):
            raise MoneyError(f'{value!r} is not an amount; write dollars as text, as in "7.50"')
        return amount_of(value)
    except MoneyError as error:
        refusals.append(Refusal("bad-amount", None, where, str(error)))
        return 0


class RoundReader(StakeChecks):
    """Reads the parts of a round and collects the refusals."""

    def cards(self, value: Any, count: int, where: str) -> tuple[Card, ...]:
        """Return `count` cards; fewer or none if the text is wrong."""
        try:
            if not isinstance(value, str):
                given = "a list" if isinstance(value, list) else repr(value)
                wrong = "the cards are missing" if value is None else f"cards must be one text, not {given}"
                raise CardError(f'{wrong}; write them as in "Ah Kd"')
            read = cards(value)
        except CardError as error:
            self.refusals.add("bad-cards", str(error), where)
            return ()
        if len(read) != count:
            sentence = f"{where} must have {several(count, 'card')}, not {len(read)}"
            self.refusals.add("wrong-number-of-cards", sentence, where)
        return read

    def read_tips(self, tips: Any, stakes: Mapping[str, int], play: int, where: str) -> dict[str, int]:
        """Return a seat's tips in cents, by wager; refuse tips that the table does not take."""
        if not isinstance(tips, dict):
            self.refusals.add("bad-tips", 'write tips by wager, as in {"ante": "2"}', where)
            return {}
        read = {name: read_amount(value, f"{where}.{name}", self.refusals) for name, value in tips.items()}
        return self.tips({n: a for n, a in read.items() if a}, stakes, play, where)

    def keys(self, data: Mapping[str, Any], known: frozenset[str], where: str = "") -> None:
        """Refuse unknown keys, and suggest the right one."""
        for key in (key for key in data if key not in known):
            path = f"{where}.{key}" if where else key
            self.refusals.add("unknown-key", f"unknown key {key!r}; {suggest(key, known)}", path)

    def copies(self, placed: Iterable[tuple[str, tuple[Card, ...]]]) -> None:
        """Refuse more copies of a card than there are decks."""
        places, decks = list(placed), self.book.ranking.decks
        counts = Counter(card for _, held in places for card in held)
        for card, copies in counts.items():
            if copies > decks:
                where = next(w for w, held in reversed(places) if card in held)
                most = "the deck has only one" if decks == 1 else f"the shoe has only {decks}"
                sentence = f"the {card.words} ({card}) appears {times_text(copies)}, but {most}"
                self.refusals.add("too-many-copies", sentence, where)

    def seats(self, data: Mapping[str, Any]) -> list[tuple[str, Any]]:
        """Return the seats of a round with their paths; refuse wrong seat numbers."""
        seats = data.get("seats")
        if not isinstance(seats, list) or not seats:
            self.refusals.add(
                "no-seats", 'write at least one seat, as in "seats": [{"seat": 1, …}]', "seats"
            )
            return []
        read = []
        numbers: set[int] = set()
        most = self.terms.house("seats") or self.book.seats
        for n, seat in enumerate(seats):
            where = f"seats[{n}]"
            if not isinstance(seat, dict):
                self.refusals.add("bad-seat", 'a seat must be an object, as in {"seat": 1, …}', where)
                continue
            number = seat.get("seat")
            if isinstance(number, str) and number.isascii() and number.isdecimal():
                sentence = f"the seat must be a number, not text: write {number}, not {number!r}"
                self.refusals.add("no-such-seat", sentence, f"{where}.seat", self.terms.clause("seats"))
            elif type(number) is not int or not 1 <= number <= most:
                sentence = (
                    f"there is no seat {number!r}; seats are numbered 1 to {most} from the dealer's left"
                )
                self.refusals.add("no-such-seat", sentence, f"{where}.seat", self.terms.clause("seats"))
            elif number in numbers:
                self.refusals.add("seat-twice", f"seat {number} is listed twice", f"{where}.seat")
            else:
                numbers.add(number)
            read.append((where, seat))
        return read

    def player(self, seat: Mapping[str, Any], where: str) -> tuple[int, str | int]:
        """Return a seat's number and its player's name; without a name, return the number twice."""
        value = seat.get("seat")
        number = value if type(value) is int else 0
        if "player" not in seat:
            return number, number
        player = seat["player"]
        if not isinstance(player, str) or not player:
            self.refusals.add("bad-player", "write the player's name as text", f"{where}.player")
            return number, number
        return number, player

    def meters(self, data: Mapping[str, Any]) -> dict[str, int]:
        """Return the cents on the meters, by name."""
        listed = data.get("meters")
        table = self.terms.table("progressive")
        known = table.meters if table else ()
        if listed is not None and not isinstance(listed, dict):
            self.refusals.add("bad-meters", 'write meters by name, as in {"main": "52340.50"}', "meters")
        if not isinstance(listed, dict):
            return {}
        meters = {}
        for name, value in listed.items():
            if name in known:
                meters[name] = read_amount(value, f"meters.{name}", self.refusals)
                continue
            hint = suggest(str(name), known) if known else "the round has no progressive"
            self.refusals.add("unknown-meter", f"there is no meter {name!r}; {hint}", f"meters.{name}")
        return meters
