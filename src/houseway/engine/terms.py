"""The terms of a table: a rulebook with the chosen deal mode, pay tables, limits and house settings.

Terms are built once per table, with everything that settlement looks up.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from houseway.engine.refusals import Refusal, Refusals
from houseway.engine.settlement_plan import SettlementPlan
from houseway.money import Cents, MoneyError, cents, dollars
from houseway.rules.compile import chosen_table, tables_in_use
from houseway.rules.fact_groups.own_hand import ROYAL
from houseway.rules.options import SHOOTOUT
from houseway.rules.posted_limits import (
    ABOVE_BET_LIMIT,
    Finding,
    Limits,
    bounds,
    findings,
    without_maximum,
    without_minimum,
)
from houseway.rules.problems import suggest
from houseway.rules.rulebook import Bounds, Rulebook
from houseway.rules.toml_reader import Basis, Cited
from houseway.rules.wagers import PayTable, Wager

SEAT_KEYS: Final = frozenset({"seat", "player", "hole", "play", "tips", "match_play"})
"""The keys of an Ultimate Texas Hold'em seat in JSON, other than its stakes."""


class StakeRule(NamedTuple):
    """The rules for one wager's stake, prepared for checking many hands."""

    wager: str
    twin: str | None
    """The other wager that this one must equal."""
    beside: tuple[str, ...] | None
    """Other wagers; the player must also make at least one of them."""
    offered: bool
    """True if the deal mode offers the wager."""
    exact: int | None
    bounds: Bounds

    @property
    def binds(self) -> bool:
        """True if a stake can break the rule."""
        parts = (self.twin, self.beside, self.exact, self.bounds.low, self.bounds.high)
        return not self.offered or any(part is not None for part in parts)


class Terms:
    """Everything that determines how a round is settled."""

    def __init__(
        self,
        rulebook: Rulebook,
        mode: str,
        tables: Mapping[str, str],
        limits: Limits,
        house: Mapping[str, Any],
    ) -> None:
        self.rulebook = rulebook
        self.hash = rulebook.hash
        self.mode = mode
        self.given = house
        self.tables = tables_in_use(rulebook, tables, house)
        self.named_tables = tables
        self.in_use = {
            kind: table for kind in rulebook.tables if (table := chosen_table(rulebook, kind, self.tables))
        }
        self.on_five = {
            kind for kind, t in self.in_use.items() if t.cards and t.cards.value == "first five"
        }
        """The kinds of pay table that read only the hole cards and the flop."""
        self.limits = limits
        self.evaluator = rulebook.ranking.evaluator
        self.order = rulebook.ranking.order
        self.qualifier = rulebook.qualifier
        self.royal = self.order.index(ROYAL) if ROYAL in self.order else -1
        """The place of a royal flush in the order, or -1."""
        self.groups = {name: wager.group for name, wager in rulebook.wagers.items()}
        first_five = {name for name in self.groups if self.reads_first_five(name)}
        self.plan = SettlementPlan(rulebook, mode, self.tables, limits, self.house, first_five)
        self.outcomes = self.plan.outcomes
        self.wagers: tuple[Wager, ...] = tuple(rulebook.wagers.values())
        self.progressive_amount = self._progressive_amount()
        # A wager that must equal another, such as the blind, has the other's limits.
        self.bounds = {
            w.name: bounds(rulebook, limits, w.equals.value if w.equals else w.name) for w in self.wagers
        }
        self.stakeable = stakeable(rulebook)
        self.tip_wagers = self._tip_wagers()
        """The wagers on which players may bet a tip for the dealer."""
        self.seat_keys = frozenset({*SEAT_KEYS, *self.stakeable})
        rules = [self._stake_rule(w) for w in self.wagers if w.name != "envy"]
        self.stake_rules = tuple(rule for rule in rules if rule.binds)
        self.twins = tuple((rule.wager, rule.twin) for rule in rules if rule.twin is not None)
        self.ways_in = tuple(frozenset(way) for way in rulebook.entry.value) if rulebook.entry else ()
        """The sets of wagers that get a player dealt in."""
        envy = rulebook.wagers.get("envy") if "envy" in self.tables else None
        self.envy_beside = envy.beside.value if envy and envy.beside else ()
        """The wagers that envy comes with."""
        self._envy_least = envy.least.value if envy and envy.least else 0
        self.sizes = {n for s in rulebook.stages if s.sizes for n in s.sizes.value}
        self.may_fold = any(s.fold for s in rulebook.stages)
        self.recorded = self._recorded()
        self.chosen: dict[str, Any] = {}
        """The house's own choices of mode, tables, limits and settings, as it wrote them."""
        warned = [f for f in findings(rulebook, limits, self.tables) if f.weight == "warning"]
        self.warnings = tuple(f"{f.sentence} ({f.clause})" for f in warned)
        """Warnings to the house about its posted limits."""

    def house(self, name: str) -> Any:
        """Return the value of a house setting: the house's own, else the assumed one, else None."""
        if name in self.given:
            return self.given[name]
        setting = self.rulebook.house.get(name)
        return None if setting is None else setting.assumed_in(self.mode)

    def table(self, kind: str) -> PayTable | None:
        """Return the pay table of a kind that is in use, or None."""
        return self.in_use.get(kind)

    def cite(self, source: Cited[Any] | Basis | None) -> str | None:
        """Return the clause of an item of the rulebook in this deal mode, or None."""
        return None if source is None else source.clause(self.mode)

    def clause(self, option: str) -> str | None:
        """Return the clause of an option of the rulebook, or None."""
        return self.cite(self.rulebook.options.get(option))

    def chooses(self, name: str) -> bool:
        """True if the house has chosen a setting itself, instead of using a default or an example."""
        setting = self.rulebook.house[name]
        if setting.kind == "limits":
            return bool(self.limits)
        return name in self.given or name.removesuffix("_table") in self.named_tables

    def offers(self, wager: str) -> bool:
        """True if a wager is offered; some are offered only once the house has chosen their pay table."""
        table = self.rulebook.house.get(f"{wager}_table")
        return table is None or table.wager != wager or self.chooses(table.name)

    def envious(self, stakes: Mapping[str, int]) -> bool:
        """True if these stakes include a wager that comes with envy and is large enough for it."""
        return any(name in stakes and stakes[name] >= self._envy_least for name in self.envy_beside)

    def folds_alone(self, stakes: Collection[str]) -> bool:
        """True if these stakes include trips but no ante, and the house lets the player fold."""
        return "ante" not in stakes and "trips" in stakes and self.house("trips_alone") == "may fold"

    def reads_first_five(self, wager: str) -> bool:
        """True if a wager's pay table uses only the hole cards and the flop.

        Envy reads the same cards as the wager that it comes with.
        """
        beside = self.rulebook.wagers[wager].beside
        reads = beside.value if beside and self.groups[wager].on_other_hands else (wager,)
        return any(name in self.on_five for name in reads)

    def _progressive_amount(self) -> tuple[Cents | None, str | None]:
        """Return the exact amount of the progressive wager, or None if any is allowed, and its clause."""
        wager = self.rulebook.wagers.get("progressive")
        if wager is None:
            return None, None
        by_house = self.house("progressive_wager")
        if wager.amount is None and by_house is not None:
            return by_house, self.cite(self.rulebook.house["progressive_wager"].basis)
        table = self.table("progressive")
        amount = wager.amount or (table.wager if table else None)
        return amount.value if amount else None, self.cite(amount)

    def exact_amount(self, name: str) -> tuple[Cents | None, str | None]:
        """Return the exact amount of a wager, or None if any is allowed, and its clause."""
        amount = self.rulebook.wagers[name].amount
        if name == "progressive":
            return self.progressive_amount
        return amount.value if amount else None, self.cite(amount)

    def _recorded(self) -> dict[str, Any]:
        """Return the chosen and assumed settings, as the settlement and the record show them."""
        named = {n: self.house(n) for n in self.rulebook.house if not n.endswith(("_table", "_limits"))}
        house = {n: self._as_given(n, v) for n, v in named.items() if v is not None and v != {}}
        limits = {
            n: {k: dollars(v) for k, v in (("min", b.low), ("max", b.high)) if v is not None}
            for n, b in self.limits.items()
        }
        return {"mode": self.mode, "tables": dict(self.tables), "limits": limits, "house": house}

    def _as_given(self, name: str, value: Any) -> Any:
        """Return a setting's value as a person writes it, with money in dollars."""
        kind = self.rulebook.house[name].kind
        if kind == "amounts":
            return {key: dollars(amount) for key, amount in value.items()}
        return dollars(value) if kind == "money" else value

    def refusals(self) -> list[Refusal]:
        """Return the reasons why the rulebook refuses these terms."""
        refusals = Refusals()
        for name, setting in self.rulebook.house.items():
            value = self.given.get(name)
            for need in setting.needs:
                applies = value is True or (type(value) is int and value > need.above)
                if applies and self.house(need.setting) != need.value:
                    what = name if value is True else f"{name} above {need.above}"
                    sentence = f"{what} is allowed only if {need.setting} is {need.value}"
                    refusals.add("setting-needs", sentence, f"house.{name}", self.cite(need.basis))
        fed = (self.house("feed") or 0) + (self.house("reserve_feed") or 0)
        if fed > 100:
            sentence = f"feed and reserve_feed together can be at most 100 percent of a wager, not {fed}"
            refusals.add("feeds-too-much", sentence, "house.feed", "house.feed")
        for kind, name in self.named_tables.items():
            other = self.given.get(f"{kind}_table")
            if other is not None and other != name:
                both = f"tables.{kind} is {name}, but house.{kind}_table is {other}"
                sentence = f"{both}; name the same table in both"
                refusals.add("tables-differ", sentence, f"tables.{kind}", f"house.{kind}_table")
        offered = "progressive" in self.named_tables or "progressive" in self.limits
        for f in self._findings(self.progressive_amount[0] if offered else None):
            if f.weight == "error":
                refusals.add(f.code, _with_remedy(f), f"limits.{f.wager}", f.clause)
        return refusals

    def open_limits(self, *, examples: bool) -> Refusals:
        """Return the reasons why a table cannot open with these limits.

        A player who makes every wager on offer must not be able to exceed the bet limit. With
        `examples`, the table offers every wager of its deal mode.
        """
        refusals = Refusals()
        limit = self.rulebook.bet_limit
        if limit is None or limit.maxima is None:
            return refusals
        offered = [n for n in self.stakeable if self._in_mode(n) and (examples or self.offers(n))]
        free = [n for n in offered if self.rulebook.wagers[n].equals is None]
        amount = self.progressive_amount[0] if "progressive" in offered else None
        findings = [*without_maximum(self.rulebook, self.limits, free, amount, self.mode)]
        for f in findings or self._findings(amount):
            if f.weight == "error":
                refusals.add(f.code, _with_remedy(f), f"limits.{f.wager}", f.clause)
        return refusals

    def open_minima(self, *, examples: bool) -> Refusals:
        """Return a refusal for each initial wager without a posted minimum; a live table needs one.

        The document requires the house to state the amount of an initial wager at the table. With
        `examples`, the table offers every wager of its deal mode.
        """
        refusals = Refusals()
        initial = {name for way in self.ways_in for name in way}
        offered = [n for n in self.stakeable if self._in_mode(n) and (examples or self.offers(n))]
        free = [
            n
            for n in offered
            if n in initial and not self.rulebook.wagers[n].equals and self.exact_amount(n)[0] is None
        ]
        for f in without_minimum(self.rulebook, self.limits, free, self.mode):
            refusals.add(f.code, f.sentence, f"limits.{f.wager}", f.clause)
        return refusals

    def open_modes(self) -> Refusals:
        """Return a refusal for each wager with limits from the house that the deal mode does not offer.

        Older records have such limits, so a recorded table is not refused.
        """
        refusals = Refusals()
        for name in self.chosen.get("limits", {}):
            modes = self.rulebook.wagers[name].modes
            if modes is not None and self.mode not in modes.value:
                offered = " or ".join(modes.value)
                sentence = f"{name} is offered only in {offered} mode; leave its limits out or set the mode"
                refusals.add("wrong-mode", sentence, f"limits.{name}", self.cite(modes))
        return refusals

    @property
    def one_position(self) -> Cited[Any] | None:
        """The rule that limits a player to one position; None if a player may take more."""
        rule = self.rulebook.options.get("more_positions")
        return None if rule is None or rule.value or self.house("more_positions") else rule

    def _tip_wagers(self) -> tuple[str, ...]:
        by_house = "tips" in self.rulebook.house
        # Old Texas Shootout rulebooks do not have the setting `tips`; under them, tips were not checked.
        takes = self.house("tips") if by_house else self.rulebook.game == SHOOTOUT
        return tuple(self.rulebook.option("tips") or (self.stakeable if takes else ()))

    def _findings(self, progressive: Cents | None) -> Iterator[Finding]:
        """Return the problems with the posted limits, given the amount of the progressive wager, if any."""
        scope = self.house("bet_limit_scope") or "round"
        several = self.rulebook.option("more_positions") or self.house("more_positions")
        positions = (self.house("seats") or self.rulebook.seats) if several else 1
        return findings(self.rulebook, self.limits, self.tables, scope, progressive, self.mode, positions)

    def _in_mode(self, name: str) -> bool:
        """True if the deal mode offers a wager."""
        modes = self.rulebook.wagers[name].modes
        return modes is None or self.mode in modes.value

    def _stake_rule(self, wager: Wager) -> StakeRule:
        return StakeRule(
            wager.name,
            wager.equals.value if wager.equals else None,
            wager.beside.value if wager.beside else None,
            self._in_mode(wager.name),
            self.exact_amount(wager.name)[0],
            Bounds() if wager.name == "play" else self.bounds[wager.name],
        )


def _with_remedy(finding: Finding) -> str:
    """Return the sentence of a problem with the limits; for an exceeded bet limit, add what to do."""
    lower = "; lower the maximums" if finding.code == ABOVE_BET_LIMIT else ""
    return f"{finding.sentence}{lower}"


def stakeable(rulebook: Rulebook) -> tuple[str, ...]:
    """Return the wagers that a player stakes directly: all but play (a multiple of the ante) and envy."""
    return tuple(name for name in rulebook.wagers if name not in ("play", "envy"))


def read_terms(
    rulebook: Rulebook, data: Mapping[str, Any], wagered: Sequence[str] = ()
) -> tuple[Terms, list[Refusal]]:
    """Return the terms from the `mode`, `tables`, `limits` and `house` of a round, and their refusals.

    `wagered` names the wagers that were made. If the mode is left out, a wager that only some modes offer
    decides it.
    """
    refusals = Refusals()
    tables = _read_tables(rulebook, _part(data, "tables", 'kind, as in {"trips": "B"}', refusals), refusals)
    example = 'wager, as in {"ante": {"min": "5", "max": "100"}}'
    limits = _read_limits(rulebook, _part(data, "limits", example, refusals), refusals)
    house = _read_house(
        rulebook, _part(data, "house", 'name, as in {"rounding": "down"}', refusals), refusals
    )
    for kind, known in rulebook.tables.items():
        name = house.get(f"{kind}_table")
        if name is not None and name not in known:
            sentence = f"{rulebook.id} has no {kind} table {name!r}; {suggest(name, known)}"
            refusals.add("unknown-table", sentence, f"house.{kind}_table")
    mode = _read_mode(rulebook, data.get("mode"), wagered, refusals)
    terms = Terms(rulebook, mode, tables, limits, house)
    terms.chosen = {part: data[part] for part in ("mode", "tables", "limits", "house") if part in data}
    return terms, refusals or terms.refusals()


def _part(data: Mapping[str, Any], part: str, example: str, refusals: Refusals) -> dict[str, Any]:
    """Return a part of a round that must be an object; empty if it is missing or is not an object."""
    value = data.get(part)
    if value is None or isinstance(value, dict):
        return value or {}
    named = "house settings" if part == "house" else part
    refusals.add(f"bad-{part}", f"write {named} by {example}", part)
    return {}


def _read_mode(rulebook: Rulebook, mode: Any, wagered: Sequence[str], refusals: Refusals) -> str:
    modes = rulebook.modes
    if mode is None:
        for name in wagered:
            offered = rulebook.wagers[name].modes
            if offered and offered.value and offered.value[0] in modes:
                return offered.value[0]
        return modes[0]
    if mode not in modes:
        rule = rulebook.options.get("modes")
        sentence = f"{rulebook.id} has no deal mode {mode!r}; {suggest(str(mode), modes)}"
        clause = rule.clause(modes[0]) if rule and mode in ("manual", "device") else None
        refusals.add("unknown-mode", sentence, "mode", clause)
        return modes[0]
    return str(mode)


def _read_tables(rulebook: Rulebook, tables: dict[str, Any], refusals: Refusals) -> dict[str, str]:
    chosen = {}
    open_kinds = [k for k, t in rulebook.tables.items() if len(t) == 1 or f"{k}_table" in rulebook.house]
    for kind, name in tables.items():
        where = f"tables.{kind}"
        if kind not in open_kinds:
            sentence = f"{rulebook.id} has no choice of {kind} tables; {suggest(str(kind), open_kinds)}"
            refusals.add("unknown-table-kind", sentence, where)
        elif not isinstance(name, str) or name not in rulebook.tables[kind]:
            known = rulebook.tables[kind]
            sentence = f"{rulebook.id} has no {kind} table {name!r}; choose from {', '.join(known)}"
            rule = rulebook.table_rules.get(kind)
            closed = (rule.closed or rule.no_less) if rule else None
            clause = closed.clause(rulebook.modes[0]) if closed else None
            refusals.add("unknown-table", sentence, where, clause)
        else:
            chosen[kind] = name
    return chosen


def _read_limits(rulebook: Rulebook, posted: dict[str, Any], refusals: Refusals) -> dict[str, Bounds]:
    limits = dict(rulebook.posted)
    bounded = [n for n in stakeable(rulebook) if not rulebook.wagers[n].equals]
    for name, pair in posted.items():
        if name not in bounded:
            sentence = f"{name!r} cannot have limits; choose from {', '.join(bounded)}"
            refusals.add("unknown-wager", sentence, f"limits.{name}")
            continue
        if not isinstance(pair, dict) or not set(pair) <= {"min", "max"}:
            sentence = 'write the limits of a wager as {"min": "5", "max": "100"}'
            refusals.add("bad-limits", sentence, f"limits.{name}")
            continue
        known = limits.get(name, Bounds())
        read = {"min": known.low, "max": known.high}
        for key, text in pair.items():
            try:
                read[key] = cents(str(text) if type(text) is int else text)
            except (MoneyError, TypeError):
                sentence = f'{text!r} is not an amount; write dollars as text, as in "100"'
                refusals.add("bad-amount", sentence, f"limits.{name}.{key}")
        limits[name] = Bounds(read["min"], read["max"])
    return limits


def _read_house(rulebook: Rulebook, settings: dict[str, Any], refusals: Refusals) -> dict[str, Any]:
    house = {}
    for name, value in settings.items():
        setting = rulebook.house.get(name)
        if setting is None:
            sentence = f"{rulebook.id} has no house setting {name!r}; {suggest(str(name), rulebook.house)}"
            refusals.add("unknown-setting", sentence, f"house.{name}")
            continue
        house[name], wrong = setting.read(value)
        if wrong:
            clause = setting.basis.clause(rulebook.modes[0])
            refusals.add("bad-setting", wrong, f"house.{name}", clause)
    return house
