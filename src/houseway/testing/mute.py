"""Muting a clause: every row, table, option and setting that cites it vanishes from the rulebooks.

All rules are data and every datum names its clause, so a rulebook without a clause is the same data with
some of it left out. A test that claims to show a clause must fail when it is muted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from houseway.rules import loader
from houseway.rules.problems import Problem, meant

CITES = ("clause", "filled", "also")


def without(raw: Any, clause: str) -> Any:
    """A copy of rulebook tables in which nothing cites the clause."""
    if isinstance(raw, dict):
        return {key: without(value, clause) for key, value in raw.items() if not cites(value, clause)}
    if isinstance(raw, list):
        return [without(value, clause) for value in raw if not cites(value, clause)]
    return raw


def cites(value: Any, clause: str) -> bool:
    """Whether a table itself, not one below it, names the clause."""
    if not isinstance(value, dict):
        return False
    for key in CITES:
        named = value.get(key)
        if named == clause or (isinstance(named, list) and clause in named):
            return True
        if isinstance(named, dict) and clause in named.values():
            return True
    return False


@cache
def _bundled(resolve: Callable[[str], Any], ref: str) -> Any:
    """The tables of a bundled rulebook, read once; `without` copies them."""
    return resolve(ref)


@contextmanager
def mute(clause: str) -> Iterator[None]:
    """Within this context rulebooks load without the clause, and load whatever is then missing."""
    if clause not in loader.all_clauses():
        raise ValueError(f"{clause!r} is no clause of any document; {meant(clause, loader.all_clauses())}")
    resolve, insist = loader.resolve, loader.insist

    def resolve_muted(ref: str) -> Any:
        raw, folder = _bundled(resolve, ref) if ref in loader.rulebook_ids() else resolve(ref)
        return without(raw, clause), folder

    def accept(ref: str, problems: list[Problem]) -> None:
        pass

    loader.resolve, loader.insist = resolve_muted, accept
    loader.load.cache_clear()
    try:
        yield
    finally:
        loader.resolve, loader.insist = resolve, insist
        loader.load.cache_clear()
