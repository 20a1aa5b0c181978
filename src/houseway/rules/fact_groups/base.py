"""Facts that decide payments, each with a finite list of values, and the groups of facts that a wager can
depend on.

A wager depends on one group. Because every domain is finite, the checker can visit every cell of a wager's
decision table, and the compiler can store the table as a list.

A group is one object. It has the facts, the words for them, a method that finds the cell of a hand in a
finished round, and a function over numbers for exact analysis and simulation. Other code calls these
methods and never compares group names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Any, ClassVar, Protocol

from houseway.cards import DECK, Card, codes
from houseway.ranking import Hand, HandClass
from houseway.rules.options import GAMES, ULTIMATE
from houseway.rules.problems import suggest
from houseway.wording import capital

Cell = tuple[Any, ...]
"""One value for each fact of a group, in the group's order."""

HAND = "hand"
"""The fact that pay tables list. Every group has it; its domain starts with the best value."""


class Inputs(Enum):
    """The arguments of a group's `index` function. They decide how deals are counted for the group."""

    HOLE = "hole cards"
    """`index(first, second)`: the numbers of the player's two cards, in any order."""
    HOLE_AND_FLOP = "hole cards and flop"
    """`index(first, second, flop_1, flop_2, flop_3)`: the numbers of the cards. The two hole cards may come
    in any order, and so may the three cards of the flop."""
    OWN_HAND = "own hand"
    """`index(place, made)`: the class of the cards that count, and how a royal flush was made."""
    SHOWDOWN = "showdown"
    """`index(status, qualifies, contest, place, places)`."""
    TABLE = "table"
    """`index(hands_dealt, place, places)`: the class of the highest hand that is not racked."""
    OTHER_HAND = "other hand"
    """`index(place)`: the class of another player's hand."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a payment can depend on."""

    name: str
    domain: tuple[Any, ...]
    means: str
    short: Mapping[Any, frozenset[Any]] = field(default_factory=dict)
    """Shorthands: conditions that each stand for several values."""
    words: Mapping[Any, str] = field(default_factory=dict)
    """Values in words; a value that is not listed is printed as it is."""


class HandFacts(Protocol):
    """A player's hand in a finished round, as the groups read it.

    Cards are numbers from 0 (two of clubs) to 51 (ace of spades): rank is n // 4, suit is n % 4.
    """

    @property
    def status(self) -> int:
        """0 if standing, 1 if folded and racked, 2 if folded and held."""

    @property
    def qualifies(self) -> bool:
        """True if the dealer's hand reaches the qualifier, or if the rulebook has no qualifier."""

    @property
    def contest(self) -> int:
        """0 if the dealer's hand is higher, 1 on a tie, 2 if the player's hand is higher."""

    @property
    def place(self) -> int:
        """The class of the best five of all seven cards, as its place in the rulebook's order."""

    @property
    def made(self) -> int:
        """How a royal flush in the seven cards was made; 0 if there is none."""

    @property
    def first_five(self) -> int:
        """The class of the hole cards with the flop."""

    @property
    def first_five_made(self) -> int:
        """How a royal flush in those five cards was made; 0 if there is none."""

    @property
    def hole(self) -> Sequence[int]:
        """The player's two cards."""

    @property
    def flop(self) -> Sequence[int]:
        """The first three cards of the board."""

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt, including the dealer's."""

    @property
    def highest(self) -> int:
        """The class of the highest hand at the table; racked hands do not count."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A settled wager with the cards that decided it, if they are face up."""

    result: str
    """The result: win, lose or push."""
    odds: str | None
    """The odds paid, in words."""
    from_seat: int
    """For envy, the seat of the player whose hand earned the payment; otherwise 0."""
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
    """Returns the owner of the highest hand turned up, and that hand."""


class FactGroup(ABC):
    """A group of facts that a wager can depend on."""

    name: ClassVar[str]
    """The value of `looks` in a rulebook."""
    about: ClassVar[str]
    """The kind of wager, in words for rules cards."""
    reads: ClassVar[Inputs]
    games: ClassVar[tuple[str, ...]] = GAMES
    """The games whose rulebooks may use it."""
    index: ClassVar[Callable[..., int]]
    """A function that returns the number of the cell; `reads` lists its arguments."""

    @abstractmethod
    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """Return the facts, given the classes (best first) and the maximum number of hands in a round."""

    @abstractmethod
    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return the function that reads a hand's cell, given the number of classes.

        With `first_five` the pay table reads only the hole cards and the flop.
        """

    def possible(self, at: Mapping[str, Any], domain: Domain) -> bool:
        """True if there are cards for which the facts have these values."""
        return True

    @abstractmethod
    def reason(self, settled: Payment) -> str:
        """Return the reason for a wager's result, as a sentence without its full stop."""

    @property
    def against_dealer(self) -> bool:
        """True if the wager is won or lost against the dealer's hand."""
        return self.reads is Inputs.SHOWDOWN

    @property
    def on_own_cards(self) -> bool:
        """True if the player's own cards alone decide the wager."""
        return self.reads in (Inputs.HOLE, Inputs.HOLE_AND_FLOP, Inputs.OWN_HAND)

    @property
    def on_whole_table(self) -> bool:
        """True if every hand at the table counts."""
        return self.reads is Inputs.TABLE

    @property
    def on_other_hands(self) -> bool:
        """True if the wager is paid on other players' hands, without a separate stake."""
        return self.reads is Inputs.OTHER_HAND

    def __repr__(self) -> str:
        return f"<fact group {self.name}>"


class OwnCards(FactGroup):
    """A group on the player's own cards, for side bets."""

    def reason(self, settled: Payment) -> str:
        """Return a sentence that names the player's cards and says whether they are paid."""
        name = subject(self.describe(settled)) if settled.hole else ""
        if not name:
            return "Folded: the hand is not paid" if settled.result == "lose" else "Decided by the hand"
        if settled.result == "win":
            return f"{name} pays {settled.odds}" if settled.odds else f"{name} pays"
        return f"{name} is not paid" if settled.result == "lose" else f"{name} pushes"

    @abstractmethod
    def describe(self, settled: Payment) -> str:
        """Return the player's cards in words, such as "pair of jacks"; empty if the board is incomplete."""


class CardGroup(OwnCards):
    """A group on the numbers of the player's cards, defined by `name`, `about`, `values` and `index`.

    `reads` is `Inputs.HOLE` for the hole cards alone, or `Inputs.HOLE_AND_FLOP`.
    """

    reads = Inputs.HOLE
    games = (ULTIMATE,)
    values: ClassVar[tuple[str, ...]]
    """The values of the fact `hand`, best first; `index` returns a position among them."""

    def facts(self, classes: Sequence[HandClass], hands: int) -> tuple[Fact, ...]:
        """Return the one fact, `hand`, whose values are `values`."""
        return (Fact(HAND, self.values, f"the player's {self.reads.value}"),)

    def reader(self, places: int, *, first_five: bool = False) -> Callable[[HandFacts], int]:
        """Return a function that reads the hole cards, or the hole cards and the flop."""
        if self.reads is Inputs.HOLE:
            return lambda hand: self.checked_index(*hand.hole)
        return lambda hand: self.checked_index(*hand.hole, *hand.flop)

    def checked_index(self, *numbers: int) -> int:
        """Return `index` of cards; raises ValueError if it fails or returns no position in `values`."""
        size, cause = len(self.values), None
        try:
            cell = self.index(*numbers)
            if isinstance(cell, int) and 0 <= cell < size:
                return cell
            wrong = f"returns index {cell!r}"
        except Exception as error:  # a user's group may raise any exception
            wrong, cause = f"raises {error!r} in index", error
        wrong = f"the fact group {self.name!r} {wrong} for {written_numbers(numbers)}"
        raise ValueError(f"{wrong}; index must return 0 to {size - 1} ({size} values)") from cause

    def describe(self, settled: Payment) -> str:
        """Return the value of the fact, and the cards that it describes: "pair in the two hole cards"."""
        if self.reads is Inputs.HOLE:
            where, cards = "the two hole cards", [*settled.hole]
        else:
            where, cards = "the hole cards and the flop", [*settled.hole, *settled.flop]
        return f"{self.values[self.checked_index(*(card.number for card in cards))]} in {where}"


@dataclass(frozen=True, slots=True)
class Domain:
    """A group's facts under one rulebook, and which of their cells can occur."""

    group: FactGroup
    facts: tuple[Fact, ...]
    qualifier: int | None = None
    """The place of the lowest class that qualifies the dealer."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the facts."""
        return tuple(f.name for f in self.facts)

    @property
    def hands(self) -> tuple[Any, ...]:
        """The values that pay tables list, best first."""
        return next(f.domain for f in self.facts if f.name == HAND)

    def cells(self) -> list[Cell]:
        """Return every cell, possible or not, in the order of a compiled table."""
        return list(product(*(f.domain for f in self.facts)))

    def possible(self, cell: Cell) -> bool:
        """True if there are cards for which the facts have the values of this cell."""
        return self.group.possible(dict(zip(self.names, cell, strict=True)), self)


def matching(fact: Fact, condition: Any) -> frozenset[Any]:
    """Return the values of a fact that meet a condition; raises ValueError if the condition is invalid.

    A condition is a value, a list of values, or, for hands, "straight or better" or "below a pair".
    """
    listed = condition if isinstance(condition, list) else [condition]
    return frozenset().union(*(_spread(fact, item) for item in listed))


def named(value: Any) -> str:
    """Return a value as a rulebook file writes it: true, false or the text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def written_numbers(numbers: Iterable[int]) -> str:
    """Return the codes of cards given by number: "As Kd"."""
    return codes(DECK[number] for number in numbers)


def subject(words: str) -> str:
    """Return a hand in words as the subject of a sentence: "Flush, king high," or "Pair of jacks"."""
    return capital(words) + ("," if "," in words else "")


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
            raise ValueError(f"{item!r} is not a value of {fact.name}; {suggest(str(item), known)}")
        return same
    if base not in fact.domain:
        raise ValueError(f"{base!r} is not a value of {fact.name}; {suggest(base, map(str, fact.domain))}")
    place = fact.domain.index(base)
    return fact.domain[: place + 1] if better else fact.domain[place + 1 :]
