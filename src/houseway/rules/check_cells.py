"""Check every case (cell) of every wager's pay rows: none may lack a row, and each row must apply to some
case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from houseway.money import Share
from houseway.rules.check_groups import group_fault
from houseway.rules.compile import SETTING, Rule, decide_cells, rules_of
from houseway.rules.fact_groups import GROUPS, Domain, Fact
from houseway.rules.fact_groups.base import HAND, CardGroup, matching
from houseway.rules.problems import Problem, closest, split_problem, suggest, unknown
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import PayTable, Row, Wager

CARDS = ("seven", "first five")


def check(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield every problem in the wagers' decision tables and their pay tables."""
    for wager in rulebook.wagers.values():
        yield from _wager(rulebook, wager)
    refs = {row.table for wager in rulebook.wagers.values() for row in wager.pays if row.table}
    used = {ref.partition(".")[0] for ref in refs}
    # A misspelt table name, or a wager without readable rows, is reported elsewhere. No table is called
    # unused then, because that wager may have meant it.
    unclear = not refs.issubset(_table_names(rulebook)) or not all(w.pays for w in rulebook.wagers.values())
    for kind, tables in rulebook.tables.items():
        if kind not in used and not unclear:
            known = f"delete it, or name it in a wager (wagers use {', '.join(sorted(used))})"
            yield Problem(
                f"tables.{kind}", "no wager uses this kind of pay table", closest(kind, used) or known
            )
        for table in tables.values():
            yield from _table(rulebook, table)


def _table_names(rulebook: Rulebook) -> list[str]:
    """Return the names that a row can use for pay tables: "trips" or "trips.A"."""
    filled = {kind: tables for kind, tables in rulebook.tables.items() if tables}
    return [*filled, *(f"{kind}.{name}" for kind, tables in filled.items() for name in tables)]


def _wager(rulebook: Rulebook, wager: Wager) -> Iterator[Problem]:
    path = f"wager.{wager.name}"
    if wager.looks not in GROUPS:
        yield from unknown(f"{path}.looks", wager.looks, GROUPS, "fact group")
        return
    group = wager.group
    if rulebook.game not in group.games:
        known = [name for name, other in GROUPS.items() if rulebook.game in other.games]
        wrong = f"{group.name!r} is not for this game, only for {' and '.join(group.games)}"
        yield Problem(f"{path}.looks", wrong, f"use one of {', '.join(sorted(known))}")
    if isinstance(group, CardGroup) and (fault := group_fault(group)) is not None:
        yield split_problem(f"{path}.looks", fault)
    domain = rulebook.domain(group)
    yield from _conditions(wager.pays, domain)
    tables = [t.rows for row in wager.pays for t in rulebook.tables.get(row.table_kind, {}).values()]
    if wager.looks_assumed and any(any(_conditions(part, domain)) for part in (wager.pays, *tables)):
        right = "name the fact group that the wager depends on"
        yield Problem(f"{path}.looks", f"is missing, so {wager.looks!r} was assumed", right)
    yield from _rows(rulebook, wager.pays)
    yield from _settings(rulebook, wager.pays)
    if not wager.pays:
        yield Problem(f"{path}.pays", "is empty", "add rows that cover every case")
        return
    for row in wager.pays:
        if row.table:
            known = _table_names(rulebook)
            yield from unknown(f"{row.path}.table", row.table, known, "pay table of this rulebook")
        if isinstance(row.pays, Share):
            right = "move it to a progressive pay table"
            yield Problem(row.path, "pays a share of a meter outside a progressive pay table", right)
    kinds = sorted({row.table for row in wager.pays if row.table and row.table in rulebook.tables})
    choices: list[list[tuple[str, Any]]]
    choices = [[(kind, name) for name in rulebook.tables[kind]] for kind in kinds]
    for name in wager.settings:
        choices.append([(f"{SETTING}{name}", value) for value in _values(rulebook, name) or (None,)])
    applied = dict.fromkeys((row.path for row in wager.pays), False)
    for chosen in product(*choices):
        yield from _cells(rulebook, wager, dict(chosen), domain, applied)
    for row in wager.pays:
        # A row with an impossible setting is already reported.
        if not applied[row.path] and not any(_settings(rulebook, [row])):
            right = "earlier rows already cover all its cases: move it up or remove it"
            yield Problem(row.path, "can never apply", right)


def _values(rulebook: Rulebook, name: str) -> Sequence[Any]:
    """Return the values of a house setting that a row's condition may name."""
    setting = rulebook.house.get(name)
    if setting is None:
        return ()
    return setting.choices if setting.kind == "choice" else (False, True)


def _settings(rulebook: Rulebook, rows: Iterable[Row]) -> Iterator[Problem]:
    """Yield a problem for each setting in a row that does not exist, or that cannot have that value."""
    for row in rows:
        for name, value in row.setting.items():
            path = f"{row.path}.setting.{name}"
            if name not in rulebook.house:
                yield from unknown(path, name, rulebook.house, "house setting")
            elif value not in (allowed := _values(rulebook, name)):
                right = suggest(str(value), map(str, allowed))
                yield Problem(path, f"{value!r} is not allowed", right)


def _rows(rulebook: Rulebook, rows: Iterable[Row]) -> Iterator[Problem]:
    """Yield a problem for each row that does not name a deciding clause for every deal mode."""
    for row in rows:
        basis = row.basis
        if basis.also and not basis.clauses and basis.elsewhere is None:
            right = 'name the deciding clause with clause = "…" or filled = "…"'
            yield Problem(row.path, "cites clauses only with the key also", right)
        lacking = [m for m in rulebook.modes if basis.clauses and m not in basis.clauses]
        if lacking and basis.elsewhere is None:
            wrong = f"names no clause for {lacking[0]} dealing"
            right = 'write clause = { manual = "…", device = "…" }'
            yield Problem(f"{row.path}.clause", wrong, right)


def _conditions(rows: Iterable[Row], domain: Domain) -> Iterator[Problem]:
    facts = {f.name: f for f in domain.facts}
    for row in rows:
        for name, condition in row.when.items():
            path = f"{row.path}.when.{name}"
            try:
                matching(facts[name], condition)
            except KeyError:
                yield from unknown(path, name, facts, "fact that this wager depends on")
            except ValueError as error:
                yield split_problem(path, str(error))


def _cells(
    rulebook: Rulebook, wager: Wager, chosen: Mapping[str, Any], domain: Domain, applied: dict[str, bool]
) -> Iterator[Problem]:
    """Yield a problem for possible cells that no row covers, and for pay table rows that never apply.

    Sets `applied` to True for each of the wager's own rows that applies to some cell.
    """
    rules = rules_of(rulebook, wager, chosen)
    missing: dict[str, list[tuple[Any, ...]]] = {}
    table_applied = {line.path: not line.sure for rule in rules for line in rule.table_rows or ()}
    for cell, met, decided in decide_cells(rules, domain):
        if not domain.possible(cell):
            continue
        for rule in met:
            (applied if rule.path in applied else table_applied)[rule.path] = True
        if not decided and all(rule.sure for rule in met):
            missing.setdefault(_incomplete(wager, met), []).append(cell)
    for path, cells in missing.items():
        yield Problem(path, f"no row covers {_described(cells, domain)}", "add a row for it")
    for rule_path, applies in table_applied.items():
        if not applies:
            right = "the wager's rows never use the table for this case: change them or remove this row"
            yield Problem(rule_path, "can never apply", right)


def _incomplete(wager: Wager, met: list[Rule]) -> str:
    """Return the key of the rows that should cover a case: those of its pay table, or of the wager."""
    table = met[-1].pay_table if met else None
    return f"tables.{table.kind}.{table.name}.rows" if table else f"wager.{wager.name}.pays"


def _described(cells: list[tuple[Any, ...]], domain: Domain) -> str:
    """Describe cells as a rulebook writes the conditions of a row.

    A fact that has all its values among the cells is left out.
    """
    columns = list(zip(*cells, strict=True))
    parts = []
    for fact, column in zip(domain.facts, columns, strict=True):
        values = [v for v in fact.domain if v in column]
        if len(values) < len(fact.domain):
            parts.append(f"{fact.name} = {_condition(fact, values)}")
    return f"the case {', '.join(parts)}" if parts else "any case"


def _condition(fact: Fact, values: list[Any]) -> str:
    """Return a condition that admits exactly these values, as a rulebook writes it."""
    if len(values) == 1:
        return json.dumps(values[0])
    if fact.name == HAND and values == list(fact.domain[: len(values)]):
        return json.dumps(f"{values[-1]} or better")
    if fact.name == HAND and values == list(fact.domain[-len(values) :]):
        return json.dumps(f"below {fact.domain[-len(values) - 1]}")
    return json.dumps(values)


def _table(rulebook: Rulebook, table: PayTable) -> Iterator[Problem]:
    path = f"tables.{table.kind}.{table.name}"
    if not table.rows:
        yield Problem(f"{path}.rows", "is empty", "name a shared pay table or write the rows")
    for wager in rulebook.wagers.values():
        if wager.looks in GROUPS and any(row.table_kind == table.kind for row in wager.pays):
            yield from _conditions(table.rows, rulebook.domain(wager.group))
    yield from _rows(rulebook, table.rows)
    if table.cards and table.cards.value not in CARDS:
        cards = table.cards.value
        yield Problem(f"{path}.cards", f"{cards!r} is not allowed", suggest(cards, CARDS))
    shares = {r.pays.meter for r in table.rows if isinstance(r.pays, Share)}
    if shares and table.kind != "progressive":
        right = "move the row to a progressive pay table: other tables have no meters"
        yield Problem(f"{path}.rows", "pays a share of a meter", right)
        return
    for meter in sorted({*shares, *table.seeds} - {*table.meters}):
        wrong = f"names the meter {meter!r}, which the table does not have"
        yield Problem(f"{path}.meters", wrong, suggest(meter, table.meters))
