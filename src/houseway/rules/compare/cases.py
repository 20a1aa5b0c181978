"""The results of wagers in the cases that readers look up first: ties, folds, and a dealer who does not
qualify."""

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
    """The only result that a wager can have in a case."""

    wager: str
    pays: Payment
    bases: tuple[Basis, ...]


def cases(book: Rulebook, **facts: tuple[Any, ...]) -> list[WagerCase]:
    """Return the wagers against the dealer that have only one possible result under these facts."""
    decided = []
    for wager in book.wagers.values():
        if not wager.group.against_dealer:
            continue
        by_payment: dict[Payment, list[Basis]] = {}
        for at, pays, basis in _cells(book, wager.name):
            if all(at[name] in values for name, values in facts.items()):
                bases = by_payment.setdefault(pays, [])
                if basis not in bases:
                    bases.append(basis)
        if len(by_payment) == 1:
            decided += [WagerCase(wager.name, pays, tuple(bases)) for pays, bases in by_payment.items()]
    return decided


@cache
def _cells(book: Rulebook, name: str) -> list[tuple[Mapping[str, Any], Payment, Basis]]:
    """Return every possible cell of a wager with its payment, under the first pay table of each kind."""
    first = {kind: next(iter(tables)) for kind, tables in book.tables.items() if tables}
    compiled = compile_wager(book, book.wagers[name], first, "manual")
    answered = [(at, outcome) for at, outcome in compiled.possible() if outcome is not None]
    return [(at, outcome.pays, compiled.rules[outcome.rule].basis) for at, outcome in answered]


def unqualified(book: Rulebook) -> list[WagerCase]:
    """Return the wagers that have only one result if the dealer does not qualify."""
    return cases(book, folded=("no",), dealer_qualifies=(False,)) if book.qualifier is not None else []


def ties(book: Rulebook) -> list[WagerCase]:
    """Return the wagers that have only one result on a tie."""
    return cases(book, folded=("no",), dealer_qualifies=(True,), contest=("tie",))


def folds(book: Rulebook) -> list[WagerCase]:
    """Return the mandatory wagers that have only one result on a fold."""
    if not any(stage.fold for stage in book.stages):
        return []
    return [c for c in cases(book, folded=("racked", "held")) if not book.wagers[c.wager].optional]


def low_win(book: Rulebook, wager: Wager) -> tuple[str, WagerCase] | None:
    """Return the lowest winning hand that a wager such as the blind pays, and the push below it.

    None if no winning hand pushes, or none is paid.
    """
    paying = None
    for hand in book.ranking.order:
        won = cases(book, folded=("no",), dealer_qualifies=(True,), contest=("win",), hand=(hand,))
        case = next((c for c in won if c.wager == wager.name), None)
        if case is not None and case.pays == "push":
            return None if paying is None else (paying, case)
        paying = hand
    return None


def tables_of(book: Rulebook, wager: Wager) -> Mapping[str, PayTable]:
    """Return the pay tables that a wager's rows use, by name."""
    tables: dict[str, PayTable] = {}
    for row in wager.pays:
        kind, _, name = (row.table or "").partition(".")
        known = book.tables.get(kind, {})
        tables |= {n: table for n, table in known.items() if name in ("", n)}
    return tables


def metered(book: Rulebook, wager: Wager) -> bool:
    """True if a wager is paid from meters."""
    return any(table.meters for table in tables_of(book, wager).values())
