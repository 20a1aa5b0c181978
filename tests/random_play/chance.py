"""The random parts of an automatic table: its terms, and the order of its cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import fields

from houseway.cards import DECK, Card
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms, stakeable
from houseway.money import dollars
from houseway.rules.loader import load
from houseway.rules.procedure import KINDS as PROBLEMS
from houseway.rules.rulebook import Rulebook
from houseway.rules.settings import Setting
from houseway.testing.random_rounds import five_of

# --- the terms of a table ---


def modes_of(rulebook: str) -> tuple[str, ...]:
    """The deal modes of a rulebook with a procedure; empty without one."""
    book = load(rulebook)
    return tuple(book.modes) if book.procedure.round else ()


def random_terms(rng: Random, book: Rulebook, mode: str) -> dict[str, Any]:
    """Random terms of a table that the rulebook allows."""
    house = {
        n: v for n, s in book.house.items() if rng.random() < 0.4 and (v := _value(rng, s)) is not None
    }
    for name in list(house):
        for need in book.house[name].needs:
            if house[name] is True or (type(house[name]) is int and house[name] > need.above):
                house[need.setting] = need.value
    tables = {
        kind: rng.choice(list(known))
        for kind, known in book.tables.items()
        if f"{kind}_table" in book.house and f"{kind}_table" not in house
    }
    terms: dict[str, Any] = {"mode": mode, "tables": tables, "house": house}
    needed = {"limits": dict(_maxima(book))} if book.bet_limit and book.bet_limit.maxima else {}
    terms |= needed
    if rng.random() < 0.3:
        terms["limits"] = _limits(rng, book, mode)
    while _refused(book, terms):
        if terms.pop("limits", None) == needed.get("limits"):
            if not house:
                raise AssertionError(f"{book.id} cannot be opened with {terms}")
            house.popitem()
        terms |= needed
    return terms


def _value(rng: Random, setting: Setting) -> Any:
    match setting.kind:
        case "choice":
            return rng.choice(setting.choices)
        case "flag":
            return rng.random() < 0.5
        case "count" | "percent":
            return rng.randint(setting.low or 0, setting.high or 50)
        case "money":
            return rng.choice((None, "50", "500.25"))
        case "amounts":
            return {name: dollars(rng.randrange(1_000_000)) for name in setting.names}
    return None


def _refused(book: Rulebook, terms: dict[str, Any]) -> bool:
    read, refusals = read_terms(book, terms)
    return bool(refusals or read.open_limits(examples=True) or read.open_minima(examples=True))


def _maxima(book: Rulebook) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the limits of every wager that a player stakes directly: a minimum of one cent, and a maximum."""
    for name in stakeable(book):
        if book.wagers[name].equals is None:
            yield name, {"min": "0.01", "max": "100"}


def _limits(rng: Random, book: Rulebook, mode: str) -> dict[str, Any]:
    limits = {}
    for name, wager in book.wagers.items():
        if name in ("play", "envy", "progressive") or wager.equals is not None:
            continue
        fixed = book.limits.get(name)
        low = rng.choice(fixed.minima.value) // 100 if fixed and fixed.minima else rng.choice((1, 5, 10))
        most = low * rng.choice((1, 2, 10))
        if wager.modes is None or mode in wager.modes.value:
            limits[name] = {"min": str(low), "max": str(most)}
    if book.bet_limit and book.bet_limit.maxima and "progressive" in book.wagers:
        limits["progressive"] = {"max": "20"}
    return limits


# --- the cards ---


class SteeredShoe:
    """A shoe that often deals a chosen class of hand, so that rare hands are common."""

    seal = "0" * 64
    """A placeholder that does not commit to the cards."""

    def __init__(self, rng: Random, decks: int) -> None:
        self.rng = rng
        self.decks = decks
        self.cards: list[Card] = []
        self.chosen_cards: dict[str, list[Card]] = {}

    def shuffle(self) -> None:
        """All cards in a new order."""
        self.chosen_cards = {}
        self.cards = list(DECK) * self.decks
        self.rng.shuffle(self.cards)

    def cut(self, count: int) -> None:
        """Move this many cards from the top to the bottom."""
        self.chosen_cards = {}
        self.cards = self.cards[count:] + self.cards[:count]

    def choose_class(self, seats: list[int], order: tuple[str, ...]) -> None:
        """Choose a class of hand for the board and one hand."""
        self.chosen_cards = {}
        if self.rng.random() < 0.3:
            return
        five = five_of(self.rng, self.rng.choice(order), self.decks)
        if Counter(five) - Counter(self.cards):
            return
        own = self.rng.choice((0, 1, 2, 2))
        lucky = self.rng.choice(["dealer", *(f"seat {n}" for n in seats)])
        self.chosen_cards = {"board": five[own:], lucky: five[:own]}
        reserved = Counter(five)
        # The chosen cards go to the bottom so that no other place is dealt them first.
        above = []
        for card in self.cards:
            if reserved[card] > 0:
                reserved[card] -= 1
            else:
                above.append(card)
        self.cards = above + five

    def next(self, places: list[str]) -> tuple[Card, ...]:
        """The next cards, for these places in turn, without taking them."""
        chosen: list[Card] = []
        left = {place: list(cards) for place, cards in self.chosen_cards.items()}
        top = 0
        for place in places:
            mine = left.get(place)
            card = mine.pop(0) if mine else self.cards[top]
            if not mine and card is self.cards[top]:
                top += 1
            chosen.append(card)
        return tuple(chosen)

    def take(self, cards: tuple[Card, ...]) -> None:
        """Take these cards out of the shoe."""
        for card in cards:
            self.cards.remove(card)
            for mine in self.chosen_cards.values():
                if card in mine:
                    mine.remove(card)
                    break


# --- commands ---

KINDS: tuple[type[c.Command], ...] = tuple(kinds(c.Command))
AMOUNTS = (-100, -1, 0, 1, 50, 100, 300, 500, 1000, 1234, 5000)


def any_command(rng: Random, table: Table, state: State) -> c.Command:
    """A random command: its values have the right types, but it is mostly illegal now."""
    kind = rng.choice(KINDS)
    values = {
        field.name: _any(rng, table, state, kind, field.name)
        for field in fields(kind)
        if field.required or rng.random() < 0.5
    }
    return kind(**values)


def _any(rng: Random, table: Table, state: State, kind: type[c.Command], name: str) -> Any:
    numbers = {"times": range(-1, 6), "seat": range(-1, 9), "hand": range(4)}
    wagers = [*table.book.wagers, "luck"]
    words = {
        "by": ("dealer", "floor", "supervisor", "seat 1", "deadline", ""),
        "form": ("chips", "plaques", "cash", "verbal", "shells"),
        "step": (*table.steps, "dance"),
        "deck": ("", "A", "B", "Z"),
        "kind": (*PROBLEMS, "fire"),
        "at": ("seat 1", "seat 2", "seat 9", "seat x", "dealer", "board", "deck", ""),
        "wager": wagers,
        "notice": ("", "surveillance"),
        "player": ("", "player 1", "somebody"),
        "dealer": ("machine", "person", "ghost"),
        "cover_cards": ("", "yellow", "mauve"),
    }
    if name in words:
        return rng.choice(words[name])
    if name == "hand" and kind is c.KeyAward:
        return rng.choice((*table.terms.order, "nothing"))
    if name in numbers:
        return rng.choice(numbers[name])
    match name:
        case "cards" | "first" | "second":
            held = [card for seat in state.seats.values() for hand in seat.hands for card in hand.cards]
            return tuple(rng.choice(held or DECK) for _ in range(rng.choice((0, 1, 2, 2, 3))))
        case "wagers" | "tips" | "meters":
            return {rng.choice(wagers): rng.choice(AMOUNTS) for _ in range(rng.randrange(4))}
        case "backs" | "designated":
            return tuple(rng.choice(("red", table.book.game)) for _ in range(rng.randrange(3)))
        case "link":
            return {}
        case "count":
            return rng.choice((None, -1, 0, 1, 10, 26, 40, 51, 52))
        case "seen":
            return rng.random() < 0.5
        case "amount" | "chips" | "coupon" | "tip" | "bonus":
            return rng.choice(AMOUNTS)
    return rng.choice(("", "somebody"))
