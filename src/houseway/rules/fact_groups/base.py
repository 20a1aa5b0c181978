"""Facts with finite domains, and the groups of facts a wager may depend on.

A wager depends on one group. Because every domain is finite, a checker can walk every cell of a wager's
decision table and a compiler can lay the table out as a list. A group is one object: its facts, how its
cell is read from a finished round, the plain function over numbers that exact analysis and simulation
enumerate or compile, and its words. Everything else asks the object and compares no names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Any, ClassVar, Protocol

from houseway.cards import DECK, Card, written
from houseway.ranking import Hand, HandClass
from houseway.rules.options import GAMES, ULTIMATE
from houseway.rules.problems import meant

Cell = tuple[Any, ...]
"""One value for each fact of a group, in the group's order."""

HAND = "hand"
"""The fact that pay tables list; every group has it, its domain from the best value down."""


class Reads(Enum):
    """The input of a group's `index` function, which says how deals are counted by it."""

    HOLE = "hole cards"
    """`index(first, second)`: the numbers of the player's two cards, in any order."""
    HOLE_AND_FLOP = "hole cards and flop"
    """`index(first, second, flop_1, flop_2, flop_3)`: card numbers, the two and the three in any order."""
    OWN_HAND = "own hand"
    """`index(place, made)`: the class of the cards the pay table reads, and how a royal was made."""
    SHOWDOWN = "showdown"
    """`index(status, qualifies, contest, place, places)`."""
    TABLE = "table"
    """`index(hands_dealt, place, places)`: the class of the highest hand that was not racked."""
    OTHER_HAND = "other hand"
    """`index(place)`: the class of another player's hand."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing a payment may depend on."""

    name: str
    domain: tuple[Any, ...]
    means: str
    short: Mapping[Any, frozenset[Any]] = field(default_factory=dict)
    """Shorthands: a condition that stands for several values."""
    words: Mapping[Any, str] = field(default_factory=dict)
    """Conditions in words, by value; other values are printed as they are."""


class HandFacts(Protocol):
    """A player's hand in a finished round, as groups read it.

    Cards are numbers from 0 (two of clubs) to 51 (ace of spades): rank is n // 4, suit is n % 4.
    """

    @property
    def status(self) -> int:
        """0 standing, 1 folded and racked, 2 folded and held."""

    @property
    def qualifies(self) -> bool:
        """True if the dealer's hand reaches the qualifier, or if there is none."""

    @property
    def contest(self) -> int:
        """0 if the dealer's hand is higher, 1 for a tie, 2 if the player's is."""

    @property
    def place(self) -> int:
        """The class of the best five of all seven cards, by its place in the rulebook's order."""

    @property
    def made(self) -> int:
        """How a royal flush in the seven cards was made; 0 if there is none."""

    @property
    def first_five(self) -> int:
        """The class of the hole cards with the flop."""

    @property
    def first_five_made(self) -> int:
        """How a royal flush in those five was made; 0 if there is none."""

    @property
    def hole(self) -> Sequence[int]:
        """The player's two cards."""

    @property
    def flop(self) -> Sequence[int]:
        """The first three cards of the board."""

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, the dealer's included."""

    @property
    def highest(self) -> int:
        """The class of the highest hand at the table; racked hands do not count."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled wager with the cards that decided it, as far as they are face up."""

    result: str
    """The result: win, lose or push."""
    odds: str | None
    """The odds paid, in words."""
    from_seat: int
    """The seat whose hand is paid for, or 0."""
    folded: bool
    hole: Sequence[Card]
    """The player's two cards, or none if they are face down."""
    flop: Sequence[Card]
    own: Hand | None
    """The player's best five of all seven cards."""
    dealer: Hand | None
    """The dealer's best five."""
    unqualified: bool
    """True if the dealer does not qualify and the wager depends on it."""
    pays_by_hand: bool
    """True if a win is paid by a table of hands."""
    first_five: Hand | None
    """The hole cards with the flop, if the wager's pay table reads those alone."""
    highest: Callable[[], tuple[str, Hand] | None]
    """Returns whose hand is the highest of those turned up, and that hand."""


class FactGroup(ABC):
    """One kind of thing a wager may depend on."""

    name: ClassVar[str]
    """The value of `looks` in a rulebook."""
    about: ClassVar[str]
    """What a wager on it is, for rules cards."""
    reads: ClassVar[Reads]
    games: ClassVar[tuple[str, ...]] = GAMES
    """The games whose rulebooks may use it."""
    index: ClassVar[Callable[..., int]]
    """The number of the cell, a plain function over numbers; `reads` says which."""

    @abstractmethod
    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """The facts for a ranking of classes, best first, and the most hands a round may have."""

    @abstractmethod
    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return the function that reads a hand's cell, given the number of classes.

        With `first_five` the pay table reads the hole cards and the flop alone.
        """

    def possible(self, at: Mapping[str, Any], domain: Domain) -> bool:
        """True if some cards give these values of the facts."""
        return True

    @abstractmethod
    def reason(self, settled: Settled) -> str:
        """Why a wager came to its result, in a sentence without its full stop."""

    @property
    def against_dealer(self) -> bool:
        """True if the wager is won or lost against the dealer's hand."""
        return self.reads is Reads.SHOWDOWN

    @property
    def on_own_cards(self) -> bool:
        """True if the player's own cards alone decide the wager."""
        return self.reads in (Reads.HOLE, Reads.HOLE_AND_FLOP, Reads.OWN_HAND)

    @property
    def on_whole_table(self) -> bool:
        """True if every hand at the table counts."""
        return self.reads is Reads.TABLE

    @property
    def on_other_hands(self) -> bool:
        """True if it is paid on other players' hands, without a stake of its own."""
        return self.reads is Reads.OTHER_HAND

    def __repr__(self) -> str:
        return f"<fact group {self.name}>"


class OwnCards(FactGroup):
    """A group on the player's own cards: the side bets."""

    def reason(self, settled: Settled) -> str:
        """Say which cards pay, or that they do not."""
        name = sentence(self.describe(settled)) if settled.hole else ""
        if not name:
            return "Folded: the hand is not paid" if settled.result == "lose" else "By the hand held"
        if settled.result == "win":
            return f"{name} pays {settled.odds}" if settled.odds else f"{name} pays"
        return f"{name} is not paid" if settled.result == "lose" else f"{name}: the wager comes back"

    @abstractmethod
    def describe(self, settled: Settled) -> str:
        """The player's cards in words, "pair of jacks"; empty if the board is not complete."""


class CardGroup(OwnCards):
    """A group on the numbers of the player's cards: it has a name, words, values and `index`.

    `reads` is `Reads.HOLE` for the two cards alone or `Reads.HOLE_AND_FLOP`.
    """

    reads = Reads.HOLE
    games = (ULTIMATE,)
    values: ClassVar[tuple[str, ...]]
    """The values of the fact `hand`, best first; `index` returns a position among them."""

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """One fact: which of the values the cards are."""
        return (Fact(HAND, self.values, f"the player's {self.reads.value}"),)

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Read the cards the group reads."""
        if self.reads is Reads.HOLE:
            return lambda hand: self.checked_index(*hand.hole)
        return lambda hand: self.checked_index(*hand.hole, *hand.flop)

    def checked_index(self, *numbers: int) -> int:
        """The index of cards; ValueError if it fails or is not a position among the values."""
        size, cause = len(self.values), None
        try:
            cell = self.index(*numbers)
            if isinstance(cell, int) and 0 <= cell < size:
                return cell
            wrong = f"gives index {cell!r}"
        except Exception as error:  # whatever the group's author wrote
            wrong, cause = f"raises {error!r} as the index", error
        told = f"the fact group {self.name!r} {wrong} for {written_numbers(numbers)}"
        raise ValueError(f"{told}; it must be 0 to {size - 1} ({size} values)") from cause

    def describe(self, settled: Settled) -> str:
        """The value the cards have."""
        if self.reads is Reads.HOLE:
            where, cards = "the two hole cards", [*settled.hole]
        else:
            where, cards = "the hole cards and the flop", [*settled.hole, *settled.flop]
        return f"{self.values[self.checked_index(*(card.number for card in cards))]} in {where}"


@dataclass(frozen=True, slots=True)
class Domain:
    """A group's facts under one rulebook, and which of their cells can happen."""

    group: FactGroup
    facts: tuple[Fact, ...]
    qualifier: int | None = None
    """The place of the lowest class with which the dealer qualifies."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the facts."""
        return tuple(f.name for f in self.facts)

    @property
    def hands(self) -> tuple[Any, ...]:
        """The values pay tables list, best first."""
        return next(f.domain for f in self.facts if f.name == HAND)

    def cells(self) -> list[Cell]:
        """Every cell, possible or not, in the order a compiled table is laid out."""
        return list(product(*(f.domain for f in self.facts)))

    def possible(self, cell: Cell) -> bool:
        """True if some cards give this cell."""
        return self.group.possible(dict(zip(self.names, cell, strict=True)), self)


def matching(fact: Fact, condition: Any) -> frozenset[Any]:
    """The values of a fact a condition admits; raises ValueError if there is something wrong with it.

    A condition is a value, a list of values, or, for hands, "straight or better" or "below a pair".
    """
    listed = condition if isinstance(condition, list) else [condition]
    return frozenset().union(*(_spread(fact, item) for item in listed))


def named(value: Any) -> str:
    """A value as the file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def written_numbers(numbers: Iterable[int]) -> str:
    """Cards given by number as they are written: "As Kd"."""
    return written(DECK[number] for number in numbers)


def sentence(words: str) -> str:
    """Words with a capital first letter."""
    return words[:1].upper() + words[1:]


def _spread(fact: Fact, item: Any) -> Collection[Any]:
    if isinstance(item, bool) and item in fact.short:
        return fact.short[item]
    if isinstance(item, str) and item.endswith(" or better"):
        base, better = item.removesuffix(" or better"), True
    elif isinstance(item, str) and item.startswith("below "):
        base, better = item.removeprefix("below ").removeprefix("a "), False
    else:
        same = [v for v in fact.domain if v == item and type(v) is type(item)]
        if not same:
            known = map(named, fact.domain)
            raise ValueError(f"{item!r} is no value of {fact.name}; {meant(str(item), known)}")
        return same
    if base not in fact.domain:
        raise ValueError(f"{base!r} is no value of {fact.name}; {meant(base, map(str, fact.domain))}")
    place = fact.domain.index(base)
    return fact.domain[: place + 1] if better else fact.domain[place + 1 :]
