"""Check a rulebook's meaning: its pay rows, names, procedure, clauses and limits."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from houseway.money import Odds, Payment
from houseway.ranking import CLASSES
from houseway.ranking.classes import CARD_ORDER, KICKERS
from houseway.rules import check_cells, check_names, check_options, check_procedure, check_size
from houseway.rules.compile import compile_wager, rules_of, tables_in_use
from houseway.rules.fact_groups.base import HAND
from houseway.rules.posted_limits import findings
from houseway.rules.problems import Problem, unknown
from houseway.rules.rulebook import Pass, Ranking, Rulebook
from houseway.rules.toml_reader import Cited
from houseway.rules.wagers import PayTable


def check(
    rulebook: Rulebook,
    base: Rulebook | None = None,
    *,
    procedure: bool = True,
    options: bool = True,
    passes: Sequence[Pass] = (),
) -> list[Problem]:
    """Return every problem with the rulebook's meaning; format problems were collected when it was read.

    `procedure` and `options` are False if format problems make these two checks pointless. `passes` are the
    passes of the base if the rulebook replaces all of them, otherwise empty.
    """
    problems = [*check_size.check(rulebook)]
    if problems:
        # The other checks could take too long.
        return problems
    problems += _ranking(rulebook)
    if any(p.path.startswith("ranking.classes[") for p in problems):
        # Every table depends on the ranking, so an unknown class would cause misleading problems.
        return problems
    problems += check_cells.check(rulebook)
    problems += check_names.check(rulebook, passes)
    if procedure:
        problems += check_procedure.check(rulebook)
    if options and rulebook.procedure.round:
        problems += check_options.check(rulebook)
    problems += _clauses(rulebook, base)
    problems += _limits(rulebook)
    if base is not None:
        problems += _extension(rulebook, base)
    return list(dict.fromkeys(problems))


def _ranking(rulebook: Rulebook) -> Iterator[Problem]:
    order = rulebook.ranking.order
    for n, ranked in enumerate(rulebook.ranking.classes):
        path = f"ranking.classes[{n}]"
        yield from unknown(f"{path}.name", ranked.name, CLASSES, "class of hands")
        if ranked.within is not None:
            yield from unknown(f"{path}.within", ranked.within, order, "class of this ranking")
    if not rulebook.ranking.classes or order[-1] != "high card":
        yield Problem("ranking.classes", "does not end with high card", "add high card as the last class")
    if len(set(order)) != len(order):
        yield Problem("ranking.classes", "lists a class twice", "list each class once")
    if rulebook.ranking.decks < 1:
        yield Problem("ranking.decks", f"is {rulebook.ranking.decks}", "write 1 or more")
    for key, (cited, implemented) in _evaluated(rulebook.ranking).items():
        if cited is not None and cited.value != implemented:
            wrong = f"{json.dumps(cited.value)} is not supported"
            yield Problem(f"ranking.{key}.value", wrong, f"write {json.dumps(implemented)}")
    qualifier = rulebook.option("qualifier")
    if qualifier is not None:
        yield from unknown("options.qualifier.value", qualifier, order, "class of hands")


def _evaluated(ranking: Ranking) -> dict[str, tuple[Cited[Any] | None, str | bool]]:
    """Return each rule for comparing hands, as the ranking states it and as the evaluators implement it."""
    return {
        "card_order": (ranking.card_order, CARD_ORDER),
        "low_ace": (ranking.low_ace, True),
        "suits_equal": (ranking.suits_equal, True),
        "kickers": (ranking.kickers, KICKERS),
    }


def _clauses(rulebook: Rulebook, base: Rulebook | None) -> Iterator[Problem]:
    bases = list(rulebook.bases())
    for path, basis in bases:
        for clause in basis.all:
            yield from unknown(path, clause, rulebook.known, "clause of any document")
    own = {*rulebook.clauses, *(base.clauses if base else ())}
    for path, basis in bases:
        foreign = [c for c in basis.deciding if c in rulebook.known and c not in own]
        if own and foreign and not basis.filled:
            wrong = f"{foreign[0]} belongs to another document"
            yield Problem(path, wrong, 'write filled = "…" instead of clause = "…"')
        if basis.house is not None:
            yield from unknown(path, basis.house, rulebook.house, "house setting")


def _limits(rulebook: Rulebook) -> Iterator[Problem]:
    if not rulebook.posted:
        return
    tables = tables_in_use(rulebook, {}, {})
    for finding in findings(rulebook, rulebook.posted, tables, progressive=rulebook.top_progressive):
        right = f"change the limits ({finding.clause})" if finding.clause else "change the limits"
        yield Problem(f"posted.{finding.wager}", finding.sentence, right, finding.weight)


def _extension(rulebook: Rulebook, base: Rulebook) -> Iterator[Problem]:
    """Yield a problem for each change to a pay table that the base's document forbids."""
    for kind, rule in base.table_rules.items():
        old, new = base.tables.get(kind, {}), rulebook.tables.get(kind, {})
        for name, table in new.items():
            if name not in old or (rule.closed and not _as_printed(rulebook, base, table, old[name])):
                right = f"use a printed table: {', '.join(old)} ({rule.closed or rule.no_less})"
                yield Problem(f"tables.{kind}.{name}", "is not a table that the document prints", right)
            elif rule.no_less:
                yield from _lowered(rulebook, base, table, str(rule.no_less))


def _as_printed(rulebook: Rulebook, base: Rulebook, table: PayTable, old: PayTable) -> bool:
    parts = ("seeds", "wager", "cards", "base", "meters")
    same = all(getattr(table, p) == getattr(old, p) for p in parts)
    return same and all(now == then for _, now, then in _cells(rulebook, base, table))


def _cells(
    rulebook: Rulebook, base: Rulebook, table: PayTable
) -> Iterator[tuple[str, Payment | None, Payment | None]]:
    """Yield the hand, its payment and the base's payment, for every possible case that uses a pay table."""
    chosen = {table.kind: table.name}
    for name, wager in base.wagers.items():
        uses = any(row.table_kind == table.kind for row in wager.pays)
        if not uses or name not in rulebook.wagers or rulebook.wagers[name].looks != wager.looks:
            continue
        then = compile_wager(base, wager, chosen, "manual")
        now = compile_wager(rulebook, rulebook.wagers[name], chosen, "manual")
        rules = rules_of(rulebook, rulebook.wagers[name], chosen)
        sure = all(row.sure for rule in rules for row in (rule, *(rule.table_rows or ())))
        if then.domain != now.domain or not rules or not sure:
            # Rows that cannot be read are reported elsewhere; their payments are unknown.
            continue
        for (at, new), (_, old) in zip(now.possible(), then.possible(), strict=True):
            yield str(at[HAND]), new.pays if new else None, old.pays if old else None


def _lowered(rulebook: Rulebook, base: Rulebook, table: PayTable, clause: str) -> Iterator[Problem]:
    for hand, now, then in _cells(rulebook, base, table):
        if _worth(now) < _worth(then):
            wrong = f"pays {hand} {now}, less than the printed {then}"
            path = f"tables.{table.kind}.{table.name}.rows.{hand}"
            yield Problem(path, wrong, f"pay at least {then} ({clause})")


def _worth(pays: Payment | None) -> Fraction:
    """Return a payment per unit staked; a push, a flat amount and a share of a meter count as 0."""
    if isinstance(pays, Odds):
        return pays.ratio - pays.house_keeps_stake
    return Fraction(-1 if pays in ("lose", None) else 0)
