"""The closed vocabulary payments may look at: each fact's name, its finite domain, what it means.

A wager looks at one group of facts. Because every domain is finite, a checker can walk every cell of a
wager's decision table and a compiler can lay the table out as a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from houseway.ranking import HandClass
from houseway.rules.problems import meant

MADE: Final = ("no royal", "first five", "first seven", "community")
CONTEST: Final = ("lose", "tie", "win")
NO: Final = (False, True)
FOLDED: Final = ("no", "racked", "held")
"""Not folded; folded and racked; folded with the cards held under a trips wager."""

Cell = tuple[Any, ...]
"""One value for each fact of a group, in the group's order."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something a payment may look at."""

    name: str
    domain: tuple[Any, ...]
    means: str
    short: Mapping[Any, frozenset[Any]] = field(default_factory=dict)
    """Shorthands: a condition that stands for several values."""


@dataclass(frozen=True, slots=True)
class Group:
    """The facts one kind of wager looks at, and which of their cells can happen."""

    name: str
    facts: tuple[Fact, ...]
    qualifier: int | None = None
    """The place of the lowest class with which the dealer qualifies."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the facts."""
        return tuple(f.name for f in self.facts)

    def cells(self) -> list[Cell]:
        """Every cell, possible or not, in the order a compiled table is laid out."""
        return list(product(*(f.domain for f in self.facts)))

    def possible(self, cell: Cell) -> bool:
        """Whether cards can ever give this cell."""
        at = dict(zip(self.names, cell, strict=True))
        if "made" in at:
            royal = at["hand"] == "royal flush"
            return bool(royal == (at["made"] != "no royal"))
        if "contest" in at and "dealer_qualifies" in at and self.qualifier is not None:
            classes = next(f.domain for f in self.facts if f.name == "hand")
            # A dealer below the qualifier loses to every hand at or above it, and the reverse.
            reaches = classes.index(at["hand"]) <= self.qualifier
            if at["dealer_qualifies"] != reaches:
                return bool(at["contest"] == ("win" if reaches else "lose"))
        return True


LOOKS: Final[Mapping[str, str]] = {
    "showdown": "the hand against the dealer's, whether the dealer qualifies, and folding",
    "hand": "the player's own hand alone, and how a royal flush was made",
    "table": "the highest hand at the table and how many hands were dealt",
    "others": "another player's hand",
}
"""What a wager may look at; each name is a group of facts."""


def group(looks: str, classes: Sequence[HandClass], qualifier: int | None, hands: int) -> Group:
    """The facts of a group for a ranking of classes and a number of hands dealt at most."""
    hand = tuple(classes)
    either = {False: frozenset(FOLDED[:1]), True: frozenset(FOLDED[1:])}
    folded = Fact("folded", FOLDED, "whether the player folded, and whether trips holds the cards", either)
    qualifies = Fact("dealer_qualifies", NO, "the dealer's hand reaches the qualifier")
    contest = Fact("contest", CONTEST, "the player's hand against the dealer's")
    facts = {
        "showdown": (folded, qualifies, contest, Fact("hand", hand, "the player's best five")),
        "hand": (
            Fact("hand", hand, "the player's best five of the cards the table reads"),
            Fact("made", MADE, "how a royal flush was made"),
        ),
        "table": (
            Fact("hands_dealt", tuple(range(2, hands + 1)), "hands dealt, the dealer's included"),
            Fact("hand", hand, "the highest hand at the table"),
        ),
        "others": (Fact("hand", hand, "the other player's hand"),),
    }
    return Group(looks, facts[looks], qualifier if looks == "showdown" else None)


def matching(fact: Fact, condition: Any) -> frozenset[Any] | str:
    """The values of a fact a condition admits, or a sentence on what is wrong with it.

    A condition is a value, a list of values, or, for hands, "straight or better" or "below a pair".
    """
    listed = condition if isinstance(condition, list) else [condition]
    admitted: set[Any] = set()
    for item in listed:
        spread = _spread(fact, item)
        if isinstance(spread, str):
            return spread
        admitted |= spread
    return frozenset(admitted)


def named(value: Any) -> str:
    """A value as the file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _spread(fact: Fact, item: Any) -> set[Any] | str:
    if isinstance(item, bool) and item in fact.short:
        return set(fact.short[item])
    if isinstance(item, str) and item.endswith(" or better"):
        base, better = item.removesuffix(" or better"), True
    elif isinstance(item, str) and item.startswith("below "):
        base, better = item.removeprefix("below ").removeprefix("a "), False
    else:
        same = [v for v in fact.domain if v == item and type(v) is type(item)]
        if same:
            return set(same)
        return f"{item!r} is no value of {fact.name}; {meant(str(item), map(named, fact.domain))}"
    if base not in fact.domain:
        return f"{base!r} is no value of {fact.name}; {meant(base, map(str, fact.domain))}"
    place = fact.domain.index(base)
    return set(fact.domain[: place + 1] if better else fact.domain[place + 1 :])
