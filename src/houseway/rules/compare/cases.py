"""What a rulebook's wagers come to in the cases a reader asks for first: ties, folds, no qualifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from houseway.money import Payment
from houseway.rules.compile import compile_wager
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Basis
from houseway.rules.wagers import PayTable, Wager


@dataclass(frozen=True, slots=True)
class WagerCase:
    """What one wager comes to in a case, whatever else happens."""

    wager: str
    pays: Payment
    bases: tuple[Basis, ...]


def cases(book: Rulebook, **facts: tuple[Any, ...]) -> list[WagerCase]:
    """The wagers against the dealer whose result is sure when some facts hold."""
    found = []
    for wager in book.wagers.values():
        if not wager.group.against_dealer:
            continue
        said: dict[Payment, list[Basis]] = {}
        for at, pays, basis in _cells(book, wager.name):
            if all(at[name] in values for name, values in facts.items()):
                bases = said.setdefault(pays, [])
                if basis not in bases:
                    bases.append(basis)
        if len(said) == 1:
            found += [WagerCase(wager.name, pays, tuple(bases)) for pays, bases in said.items()]
    return found


@cache
def _cells(book: Rulebook, name: str) -> list[tuple[Mapping[str, Any], Payment, Basis]]:
    """Every cell a wager can come to, with its payment, under the first pay table of each kind."""
    first = {kind: next(iter(tables)) for kind, tables in book.tables.items() if tables}
    compiled = compile_wager(book, book.wagers[name], first, "manual")
    answered = [(at, outcome) for at, outcome in compiled.possible() if outcome is not None]
    return [(at, outcome.pays, compiled.rules[outcome.rule].basis) for at, outcome in answered]


def unqualified(book: Rulebook) -> list[WagerCase]:
    """The wagers that do not depend on the hands when the dealer does not qualify."""
    if book.qualifier is None:
        return []
    return cases(book, folded=("no",), dealer_qualifies=(False,))


def ties(book: Rulebook) -> list[WagerCase]:
    """What a tie makes of each wager against the dealer."""
    return cases(book, folded=("no",), dealer_qualifies=(True,), contest=("tie",))


def folds(book: Rulebook) -> list[WagerCase]:
    """What a fold makes of the wagers every player must make."""
    if not any(stage.fold for stage in book.stages):
        return []
    return [c for c in cases(book, folded=("racked", "held")) if not book.wagers[c.wager].optional]


def low_win(book: Rulebook, wager: Wager) -> tuple[str, WagerCase] | None:
    """The lowest winning hand that pays, and the case of a lower one that pushes, where there is one."""
    paying = None
    for hand in book.ranking.order:
        won = cases(book, folded=("no",), dealer_qualifies=(True,), contest=("win",), hand=(hand,))
        case = next((c for c in won if c.wager == wager.name), None)
        if case is not None and case.pays == "push":
            return None if paying is None else (paying, case)
        paying = hand
    return None


def tables_of(book: Rulebook, wager: Wager) -> Mapping[str, PayTable]:
    """The pay tables a wager's rows send their cases to, by name."""
    found: dict[str, PayTable] = {}
    for row in wager.pays:
        kind, _, name = (row.table or "").partition(".")
        known = book.tables.get(kind, {})
        found |= {n: table for n, table in known.items() if name in ("", n)}
    return found


def metered(book: Rulebook, wager: Wager) -> bool:
    """Whether a wager is paid from meters."""
    return any(table.meters for table in tables_of(book, wager).values())
