"""The Rulebook value: everything a document says, each part with the clause it rests on."""

from __future__ import annotations

import hashlib
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

MOST_SEATS = 20
"""More positions than any table has; what lies beyond is a slip of the pen."""


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
    """The class it belongs to when hands are compared, where it is only named apart."""
    basis: Basis


@dataclass(frozen=True, slots=True)
class Ranking:
    """What beats what in this rulebook, from the best class down."""

    decks: int
    classes: tuple[RankedClass, ...]
    basis: Basis
    card_order: Cited[str] | None
    low_ace: Cited[bool] | None
    suits_equal: Cited[bool] | None
    kickers: Cited[str] | None

    @property
    def order(self) -> tuple[HandClass, ...]:
        """The names of the classes, best first; where none is listed all cards are high cards."""
        return tuple(c.name for c in self.classes) or ("high card",)

    @property
    def evaluator(self) -> Evaluator:
        """The fast evaluator for this order."""
        return evaluator(self.order, self.decks)


@dataclass(frozen=True, slots=True)
class PassStep:
    """One wager settled in a pass, and the clause that puts it there."""

    wager: str
    basis: Basis


@dataclass(frozen=True, slots=True)
class Pass:
    """One walk of the dealer round the table in which some hands' wagers are settled."""

    name: str
    hands: tuple[str, ...]
    """Which hands: "standing", "held" (folded, cards held under trips) or "folded"."""
    steps: tuple[PassStep, ...] = field(metadata={"key": "wagers"})
    direction: Cited[str] | None
    when: Mapping[str, Any]
    """Dealer qualifying or a setting under which the pass is made at all."""
    basis: Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Cap:
    """A limit on what one hand's winnings may come to."""

    wagers: tuple[str, ...]
    limit: Cents | None
    setting: str | None
    """The house setting that holds the limit instead."""
    or_minimum_bettor: bool = False
    """Whether the most a minimum bettor could win takes its place where it is greater."""
    basis: Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """Who must approve a payment before it is made."""

    wagers: tuple[str, ...]
    above: Cents
    who: str = ""
    basis: Basis


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most one wager may be, as posted at a table."""

    low: Cents | None = field(default=None, metadata={"key": "min"})
    high: Cents | None = field(default=None, metadata={"key": "max"})


@dataclass(frozen=True, slots=True)
class Limit:
    """What the document itself fixes about a wager's amounts."""

    minima: Cited[tuple[Cents, ...]] | None
    """The minimum bets the house may choose from."""
    maximum: Cited[Cents] | None


@dataclass(frozen=True, slots=True)
class TableRule:
    """What a rulebook that extends this one may do with its pay tables."""

    no_less: Basis | None
    """A line may be raised, never lowered."""
    closed: Basis | None
    """No other table than the printed ones."""


@dataclass(frozen=True, slots=True)
class BetLimit:
    """What one customer may have at risk."""

    amount: Cents
    posted: Basis | None
    """What binds the posted limits."""
    wagered: Basis | None
    """What binds each wager."""


@dataclass(frozen=True, slots=True)
class Posting:
    """Something a table must show."""

    where: str
    """"layout", "sign", "placard" or "card"."""
    shows: str
    basis: Basis


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """A rulebook, read and checked."""

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
    """The sets of wagers of which one must be made to be dealt in."""
    tables: Mapping[str, Mapping[str, PayTable]]
    table_rules: Mapping[str, TableRule]
    limits: Mapping[str, Limit]
    posted: Mapping[str, Bounds]
    """Limits posted by the file itself; most rulebooks leave them to the table."""
    limit_basis: Basis | None = field(metadata={"key": "posted_limits"})
    """What refuses a wager outside the posted limits."""
    minimum_basis: Basis | None = field(metadata={"key": "posted_limits.minimum"})
    """What refuses one below the minimum, where that is another clause."""
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
    """Every clause any bundled document has."""
    rounds: tuple[Mapping[str, Any], ...]
    notes: str
    text: str = field(repr=False)
    """The canonical text: every value in force, extensions and shared tables written out."""

    hash: str = field(init=False)
    """SHA-256 of the canonical text."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "hash", hashlib.sha256(self.text.encode()).hexdigest())

    def option(self, name: str) -> Any:
        """The value of a parameter, or None where the rulebook does not say."""
        said = self.options.get(name)
        return None if said is None else said.value

    @property
    def modes(self) -> tuple[str, ...]:
        """The deal modes, the usual one first."""
        return tuple(self.option("modes") or ("manual",))

    @property
    def seats(self) -> int:
        """How many positions a table has at most."""
        seats = self.option("seats")
        return seats if type(seats) is int and 1 <= seats <= MOST_SEATS else MOST_SEATS

    @property
    def top_progressive(self) -> Cents | None:
        """The largest progressive wager any of its tables is played with."""
        amounts = [t.wager.value for t in self.tables.get("progressive", {}).values() if t.wager]
        wager = self.wagers.get("progressive")
        if wager is not None and wager.amount is not None:
            amounts.append(wager.amount.value)
        return max(amounts, default=None)

    @property
    def qualifier(self) -> int | None:
        """The place of the lowest class with which the dealer qualifies."""
        name = self.option("qualifier")
        return self.ranking.order.index(name) if name in self.ranking.order else None

    def domain(self, group: FactGroup) -> Domain:
        """A group's facts with this rulebook's classes, qualifier and seats."""
        return Domain(group, group.facts(self.ranking.order, self.seats + 1), self.qualifier)

    def cited(self) -> Iterator[tuple[str, str]]:
        """Every clause the rulebook cites, with the key path where."""
        for path, basis in self.bases():
            yield from ((clause, path) for clause in basis.all)

    def bases(self) -> Iterator[tuple[str, Basis]]:
        """Everything values rest on, with the key path where."""
        for part in fields(self):
            # Clauses rest on nothing, and reading them parses their file.
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
            bare = part.name in ("basis", "value") and bool(path)
            yield from _bases(getattr(value, part.name), path if bare else join(path, key_of(part)))
