"""Compile a rulebook: for each wager, a dense table with one outcome for each possible case (cell).

Settlement, analysis, page and reports all read these tables; there are no odds anywhere else in the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal

from houseway.money import Odds, Payment, Share
from houseway.rules.fact_groups import Cell, Domain
from houseway.rules.fact_groups.base import matching
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Basis
from houseway.rules.wagers import PayTable, Row, Wager

Result = Literal["win", "lose", "push"]
SETTING: Final = "house."
"""The prefix of house settings in `choices`, such as "house.ante_return"; other keys are pay tables."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a wager, with the values that meet its conditions, and its pay table if it has one."""

    when: Mapping[str, frozenset[object]]
    pays: Payment
    basis: Basis
    path: str
    sure: bool
    """False if a condition could not be read, so that it is unknown which cells the row admits."""
    pay_table: PayTable | None = None
    """The pay table that decides the row's cases."""
    table_rows: tuple[Rule, ...] | None = None
    """The rows of that table; empty if the rulebook does not have it, None if the row pays directly."""

    def admits(self, at: Mapping[str, object]) -> bool:
        """True if the cell meets every condition."""
        return all(at[name] in values for name, values in self.when.items())


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a wager in one cell."""

    result: Result
    pays: Payment
    odds: str | None
    clause: str | None
    keeps: bool
    """True if the house keeps the stake even on a win."""
    rule: int
    """The number of the row that decided."""


@dataclass(frozen=True, slots=True)
class WagerTable:
    """The outcome of a wager in every cell, under the chosen pay tables."""

    domain: Domain
    rules: tuple[Rule, ...]
    outcomes: tuple[Outcome | None, ...]
    """In the order of the domain's cells; None if no row covers the cell."""

    def possible(self) -> Iterator[tuple[dict[str, Any], Outcome | None]]:
        """Yield the facts and the outcome of every cell that can occur."""
        for cell, outcome in zip(self.domain.cells(), self.outcomes, strict=True):
            if self.domain.possible(cell):
                yield dict(zip(self.domain.names, cell, strict=True)), outcome


def chosen_table(rulebook: Rulebook, ref: str, chosen: Mapping[str, str]) -> PayTable | None:
    """Return the pay table that a row names; "cover_all.7" is one table, "trips" the chosen trips table."""
    kind, _, name = ref.partition(".")
    tables = rulebook.tables.get(kind, {})
    name = name or chosen.get(kind) or (next(iter(tables)) if len(tables) == 1 else "")
    return tables.get(name)


def tables_in_use(rulebook: Rulebook, named: Mapping[str, str], house: Mapping[str, Any]) -> dict[str, str]:
    """Return the pay table of each kind: the one in `named`, else the house's choice, else the only one."""
    chosen: dict[str, str] = {}
    for kind, known in rulebook.tables.items():
        setting = rulebook.house.get(f"{kind}_table")
        assumed = house.get(f"{kind}_table") or (setting.assumed if setting else None)
        name = named.get(kind) or assumed or (next(iter(known)) if len(known) == 1 else None)
        if name is not None and name in known:
            chosen[kind] = name
    # The envy table in use is the one with the same name as the progressive table.
    if "envy" in rulebook.tables and "progressive" in chosen:
        chosen.pop("envy", None)
        if chosen["progressive"] in rulebook.tables["envy"]:
            chosen["envy"] = chosen["progressive"]
    return chosen


def choices(wager: Wager, tables: Mapping[str, str], house: Callable[[str], Any]) -> dict[str, Any]:
    """Return the choices that decide a wager's payments: pay tables, and the settings in its rows."""
    return {**tables, **{f"{SETTING}{name}": house(name) for name in wager.settings}}


def rules_of(rulebook: Rulebook, wager: Wager, chosen: Mapping[str, Any]) -> list[Rule]:
    """Return the rows of a wager that apply, each with its pay table and its conditions as sets of values.

    A house setting that is not in `chosen` has its default.
    """
    domain = rulebook.domain(wager.group)
    rules = []

    def house(name: str) -> Any:
        setting = rulebook.house.get(name)
        return chosen.get(f"{SETTING}{name}", setting.assumed if setting else None)

    for row in wager.rows(house):
        rule = _rule(row, row.basis, domain)
        if row.table is not None:
            table = chosen_table(rulebook, row.table, chosen)
            rows = table.rows if table else ()
            table_rows = tuple(_rule(r, _deciding(r, table, row), domain) for r in rows)
            # If the table does not exist, the row's payments are unknown.
            sure = rule.sure and table is not None
            rule = replace(rule, sure=sure, pay_table=table, table_rows=table_rows)
        rules.append(rule)
    return rules


def _deciding(row: Row, table: PayTable | None, sent_by: Row) -> Basis:
    """Return the basis of a pay table's line: its own, else the table's, else that of the wager's row.

    The table's basis is skipped if it is filled from another document.
    """
    if row.basis.clauses or row.basis.own:
        return row.basis
    if table is not None and (table.basis.own or (table.basis.clauses and not table.basis.filled)):
        return table.basis
    return sent_by.basis


def _rule(row: Row, basis: Basis, domain: Domain) -> Rule:
    facts = {f.name: f for f in domain.facts}
    when: dict[str, frozenset[object]] = {}
    sure = True
    for name, condition in row.when.items():
        try:
            when[name] = matching(facts[name], condition)
        except (KeyError, ValueError):
            sure = False
    return Rule(when, row.pays or "lose", basis, row.path, sure)


def decide_cells(rules: list[Rule], domain: Domain) -> Iterator[tuple[Cell, list[Rule], bool]]:
    """Yield each cell, the rules that apply to it (the deciding one last), and True if one decides."""
    for cell in domain.cells():
        at = dict(zip(domain.names, cell, strict=True))
        met: list[Rule] = []
        decided = False
        for rule in rules:
            if not rule.admits(at):
                continue
            met.append(rule)
            decided = rule.sure and rule.table_rows is None
            for line in rule.table_rows or ():
                if line.admits(at):
                    met.append(line)
                    if line.sure:
                        decided = rule.sure
                        break
            if rule.sure:
                break
        yield cell, met, decided


def compile_wager(rulebook: Rulebook, wager: Wager, chosen: Mapping[str, Any], mode: str) -> WagerTable:
    """Compile a wager's decision table under the chosen pay tables and settings (see `choices`)."""
    named = {row.table_kind for row in wager.pays} | {f"{SETTING}{name}" for name in wager.settings}
    used = sorted(named & chosen.keys())
    return _compiled(rulebook, wager.name, tuple((kind, chosen[kind]) for kind in used), mode)


@cache
def _compiled(rulebook: Rulebook, name: str, chosen: tuple[tuple[str, Any], ...], mode: str) -> WagerTable:
    wager = rulebook.wagers[name]
    domain = rulebook.domain(wager.group)
    rules: list[Rule] = []
    outcomes: list[Outcome | None] = []
    for _, met, decided in decide_cells(rules_of(rulebook, wager, dict(chosen)), domain):
        if not decided:
            outcomes.append(None)
            continue
        rule = met[-1]
        if rule not in rules:
            rules.append(rule)
        outcomes.append(_outcome(rule, rules.index(rule), wager, mode))
    return WagerTable(domain, tuple(rules), tuple(outcomes))


def _outcome(rule: Rule, number: int, wager: Wager, mode: str) -> Outcome:
    pays = rule.pays
    odds = str(pays) if isinstance(pays, (Odds, Share)) else None
    result: Result = "win" if not isinstance(pays, str) else pays
    never_returned = wager.kept is not None and wager.kept.value
    keeps = never_returned or (isinstance(pays, Odds) and pays.house_keeps_stake)
    return Outcome(result, pays, odds, rule.basis.clause(mode), keeps, number)
