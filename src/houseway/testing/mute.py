"""Mute (disable) a clause: remove every row, table, option and setting that cites it from the rulebooks.

All rules are data, and every value names its clause. A rulebook without a clause is therefore the same data
with some values left out. A test that claims to show a clause must fail when the clause is muted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from houseway.rules import loader
from houseway.rules.problems import Problem, suggest
from houseway.rules.rulebook import Rulebook

CITES = ("clause", "filled", "also")


def without(raw: Any, clause: str) -> Any:
    """Return a copy of rulebook tables without everything that cites the clause."""
    if isinstance(raw, dict):
        return {key: without(value, clause) for key, value in raw.items() if not cites(value, clause)}
    if isinstance(raw, list):
        return [without(value, clause) for value in raw if not cites(value, clause)]
    return raw


def cites(value: Any, clause: str) -> bool:
    """True if a table itself, not a nested one, cites the clause."""
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
    """Return the tables of a bundled rulebook. They are cached: copy them with `without`."""
    return resolve(ref)


@contextmanager
def mute(clause: str) -> Iterator[None]:
    """Within this context, load rulebooks without the clause, even if that leaves problems in them."""
    if clause not in (known := loader.all_clauses()):
        raise ValueError(f"{clause!r} is not a clause of any document; {suggest(clause, known)}")
    unmuted = {book.id: book for book in loader.sound_rulebooks()[0]}
    resolve, read_rulebook = loader.resolve, loader.read_rulebook

    def resolve_muted(ref: str, problems: list[Problem] | None = None) -> Any:
        raw, folder = _bundled(resolve, ref) if ref in loader.rulebook_ids() else resolve(ref)
        return without(raw, clause), folder

    def read_muted(ref: str) -> Rulebook:
        return loader.assemble(*resolve_muted(ref))[0]

    def read_unmuted(ref: str) -> Rulebook:
        return unmuted[ref]

    loader.resolve, loader.read_rulebook = resolve_muted, read_muted
    loader.load.cache_clear()
    try:
        yield
    finally:
        # Put the rulebooks back into the cache: building and checking them takes longer than most tests.
        loader.resolve, loader.read_rulebook = resolve, read_unmuted
        loader.load.cache_clear()
        for ref in unmuted:
            loader.load(ref)
        loader.read_rulebook = read_rulebook
