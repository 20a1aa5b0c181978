"""The Rulebook object: everything that a document says, each part with its clause."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from houseway.money import Cents
from houseway.ranking import Evaluator, HandClass, evaluator
from houseway.rules.fact_groups import Domain, FactGroup
from houseway.rules.house_way import HouseWay
from houseway.rules.procedure import Procedure
from houseway.rules.settings import Setting
from houseway.rules.stages import Stage
from houseway.rules.toml_reader import Basis, Cited, join, key_of
from houseway.rules.wagers import PayTable, Wager

_OWNER = re.compile(r"^An? \S+'s ")
MOST_SEATS = 20
"""The maximum number of positions; a real table has fewer."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement of a document, in our words."""

    id: str
    kind: str
    says: str
    check: str
    reading: str
    conflicts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RankedClass:
    """A class of hands in the rulebook's order."""

    name: HandClass
    within: HandClass | None
    """The class that it counts as when hands are compared, if only pay tables treat it separately."""
    basis: Basis


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of hands in this rulebook, from the best class down."""

    decks: int
    classes: tuple[RankedClass, ...]
    basis: Basis
    card_order: Cited[str] | None
    low_ace: Cited[bool] | None
    suits_equal: Cited[bool] | None
    kickers: Cited[str] | None

    @property
    def order(self) -> tuple[HandClass, ...]:
        """The names of the classes, best first; only "high card" if the rulebook lists none."""
        return tuple(c.name for c in self.classes) or ("high card",)

    @property
    def evaluator(self) -> Evaluator:
        """The fast evaluator for this order."""
        return evaluator(self.order, self.decks)


@dataclass(frozen=True, slots=True)
class PassStep:
    """One wager settled in a pass, and the clause that requires it."""

    wager: str
    basis: Basis
    hands: tuple[str, ...] = ()
    """The hands whose wager is settled here; empty for all hands of the pass."""
    when: Mapping[str, Any] = field(default_factory=dict)
    """The house settings under which the wager is settled here."""


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of the dealer around the table, to settle certain wagers of certain hands."""

    name: str
    hands: tuple[str, ...]
    """The hands to settle: "standing", "held" (folded, but the cards stay for trips) or "folded"."""
    steps: tuple[PassStep, ...] = field(metadata={"key": "wagers"})
    direction: Cited[str] | None
    unqualified: Cited[str] | None
    """The same direction if the dealer does not qualify, if that case has a clause of its own."""
    when: Mapping[str, Any]
    """The conditions for making the pass: whether the dealer qualifies, and values of house settings."""
    basis: Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A limit on the winnings of one hand."""

    wagers: tuple[str, ...]
    limit: Cents | None
    setting: str | None
    """The house setting that sets the limit, if `limit` is None."""
    or_minimum_bettor: bool = False
    """True if the limit rises to the most that a minimum bettor could win, if that is more."""
    named: bool = False
    """False in old rulebooks, whose records must replay. True has two effects: the record names the clause
    when the limit reduces a payment, and a minimum bettor makes only wagers that the table offers."""
    basis: Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A payment that must be approved before it is made, and the approver."""

    wagers: tuple[str, ...]
    above: Cents
    who: str = ""
    basis: Basis


@dataclass(frozen=True, slots=True)
class Bounds:
    """The posted minimum and maximum of one wager."""

    low: Cents | None = field(default=None, metadata={"key": "min"})
    high: Cents | None = field(default=None, metadata={"key": "max"})


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits that the document itself sets on a wager's amount."""

    minima: Cited[tuple[Cents, ...]] | None
    """The minimum bets that the house may choose from."""
    maximum: Cited[Cents] | None


@dataclass(frozen=True, slots=True)
class TableRule:
    """The changes to pay tables that a house may make in a rulebook that extends this one."""

    no_less: Basis | None
    """The clause that allows a line to be raised but not lowered."""
    closed: Basis | None
    """The clause that allows only the printed tables."""


@dataclass(frozen=True, slots=True)
class BetLimit:
    """The most that one player may have at risk."""

    amount: Cents
    posted: Basis | None
    """The clause that applies it to the posted limits."""
    wagered: Basis | None
    """The clause that applies it to each wager."""
    maxima: Basis | None
    """The clause that requires a posted maximum for every wager."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Something that must be posted at a table."""

    where: str
    """"layout", "sign", "placard" or "card"."""
    shows: str
    basis: Basis


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """A rulebook, as it was read from its files."""

    id: str
    game: str
    title: str
    source: Cited[str]
    extends: str | None
    ranking: Ranking
    options: Mapping[str, Cited[Any]]
    stages: tuple[Stage, ...] = field(metadata={"key": "stage"})
    wagers: Mapping[str, Wager] = field(metadata={"key": "wager"})
    entry: Cited[tuple[tuple[str, ...], ...]] | None
    """The sets of wagers that get a player dealt in; any one of them is enough."""
    tables: Mapping[str, Mapping[str, PayTable]]
    table_rules: Mapping[str, TableRule]
    limits: Mapping[str, Limit]
    posted: Mapping[str, Bounds]
    """Posted limits in the file itself; most rulebooks leave them to the table."""
    limit_basis: Basis | None = field(metadata={"key": "posted_limits"})
    """The clause that forbids a wager outside the posted limits."""
    minimum_basis: Basis | None = field(metadata={"key": "posted_limits.minimum"})
    """The clause that forbids a wager below the minimum, if it is a different one."""
    bet_limit: BetLimit | None
    settlement: tuple[Pass, ...] = field(metadata={"key": "pass"})
    caps: tuple[Cap, ...] = field(metadata={"key": "cap"})
    approvals: tuple[Approval, ...] = field(metadata={"key": "approval"})
    postings: tuple[Posting, ...] = field(metadata={"key": "posting"})
    house: Mapping[str, Setting]
    house_way: HouseWay | None
    procedure: Procedure = field(metadata={"key": ""})
    clauses: Mapping[str, Clause]
    """The clauses of the rulebook's own document."""
    known: Mapping[str, Clause]
    """Every clause of every listed document."""
    rounds: tuple[Mapping[str, Any], ...]
    notes: str
    text: str = field(repr=False)
    """The canonical text: every value in force, including extensions and shared tables."""

    hash: str = field(init=False)
    """SHA-256 of the canonical text."""

    @property
    def place(self) -> str:
        """The short name of the rulebook."""
        return place_of(self.title)

    @property
    def game_title(self) -> str:
        """The game in the title of the rulebook."""
        return game_title_of(self.title)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", hashlib.sha256(self.text.encode()).hexdigest())

    def option(self, name: str) -> Any:
        """Return the value of an option, or None if the rulebook does not have it."""
        cited = self.options.get(name)
        return None if cited is None else cited.value

    @property
    def modes(self) -> tuple[str, ...]:
        """The deal modes, the usual one first."""
        return tuple(self.option("modes") or ("manual",))

    @property
    def seats(self) -> int:
        """The maximum number of positions at a table."""
        seats = self.option("seats")
        return seats if type(seats) is int and 1 <= seats <= MOST_SEATS else MOST_SEATS

    @property
    def top_progressive(self) -> Cents | None:
        """The largest progressive wager of any pay table."""
        amounts = [t.wager.value for t in self.tables.get("progressive", {}).values() if t.wager]
        wager = self.wagers.get("progressive")
        if wager is not None and wager.amount is not None:
            amounts.append(wager.amount.value)
        return max(amounts, default=None)

    @property
    def qualifier(self) -> int | None:
        """The place of the lowest class that qualifies the dealer, or None."""
        name = self.option("qualifier")
        return self.ranking.order.index(name) if name in self.ranking.order else None

    def domain(self, group: FactGroup) -> Domain:
        """Return a group's facts with this rulebook's classes, qualifier and seats."""
        return Domain(group, group.facts(self.ranking.order, self.seats + 1), self.qualifier)

    def cited(self) -> Iterator[tuple[str, str]]:
        """Yield every clause that the rulebook cites, with the key path."""
        for path, basis in self.bases():
            yield from ((clause, path) for clause in basis.all)

    def borrowed(self) -> frozenset[str]:
        """Return the clauses of other documents that fill gaps in this rulebook."""
        filled = (basis.all for _, basis in self.bases() if basis.filled)
        return frozenset(clause for cited in filled for clause in cited if clause not in self.clauses)

    def bases(self) -> Iterator[tuple[str, Basis]]:
        """Yield every key path with its basis."""
        for part in fields(self):
            # Clauses have no basis, and reading them would parse their file.
            if part.name not in ("clauses", "known"):
                yield from _bases(getattr(self, part.name), key_of(part))


def _bases(value: object, path: str) -> Iterator[tuple[str, Basis]]:
    if isinstance(value, Basis):
        yield path, value
    elif isinstance(value, Mapping):
        for key, below in value.items():
            yield from _bases(below, join(path, str(key)))
    elif isinstance(value, tuple):
        for n, below in enumerate(value):
            yield from _bases(below, f"{path}[{n}]")
    elif is_dataclass(value):
        for part in fields(value):
            same_path = part.name in ("basis", "value") and bool(path)
            yield from _bases(getattr(value, part.name), path if same_path else join(path, key_of(part)))


def place_of(title: str) -> str:
    """Return the short name of a rulebook, from its title "place, game".

    >>> place_of("Massachusetts, Ultimate Texas Hold'em"), place_of("A casino's rules card, Shootout")
    ('Massachusetts', 'Rules card')
    """
    name = _OWNER.sub("", title.partition(", ")[0])
    return f"{name[:1].upper()}{name[1:]}"


def game_title_of(title: str) -> str:
    """Return the game in a rulebook's title.

    >>> game_title_of("Massachusetts, Ultimate Texas Hold'em")
    "Ultimate Texas Hold'em"
    """
    return title.rpartition(", ")[2]
