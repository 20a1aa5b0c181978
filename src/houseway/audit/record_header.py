"""The table a record was opened with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import Final

from houseway.audit.entries import RecordEntry, Stored, read_entry, read_public
from houseway.audit.store import Store, StoreError
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import RulebookError, load, restored, rulebook_ids
from houseway.rules.rulebook import Rulebook

NONCES: Final = "nonces"
"""The secret of a record that the nonces of its sealed parts come from."""


def recorded_entry(stored: Stored, *, hidden: bool = True) -> RecordEntry:
    """An entry of a record, with its hidden cards or without; StoreError where it cannot be read."""
    if not stored.chain:
        raise unreadable(f"event {stored.seq}", "what is kept is no entry")
    try:
        return read_entry(stored) if hidden else read_public(stored.public)
    except (ValueError, TypeError) as error:
        raise unreadable(f"event {stored.seq}", str(error)) from error


def recorded(store: Store, stream: str) -> tuple[Table, Iterator[tuple[Stored, RecordEntry]]]:
    """The table a record was opened with, and its entries with their hidden cards, as kept and as read;
    StoreError where there is no such record."""
    entries = ((stored, recorded_entry(stored)) for stored in store.entries(stream))
    first = next(entries, None)
    if first is None:
        raise StoreError(f"there is no record of {stream}")
    return recorded_table(store, first[1]), chain([first], entries)


def happened(state: State, event: e.Event, seq: int) -> State:
    """The table after event `seq`; StoreError where a table as it stands cannot have seen it."""
    try:
        return evolve(state, event)
    except Exception as error:  # whatever a forged record makes the engine stumble over
        raise unreadable(f"event {seq}", f"it cannot have happened there: {error!r}") from error


def unreadable(name: str, why: str) -> StoreError:
    """The error for a part of a record that cannot be read."""
    return StoreError(f"{name} cannot be read ({why}); `houseway audit verify` says what is wrong")


def recorded_opening(entry: RecordEntry) -> e.TableOpened:
    """The opening a record begins with; StoreError where it begins with anything else."""
    opened = next((event for event in entry.events if isinstance(event, e.TableOpened)), None)
    if opened is None:
        raise StoreError("the record does not begin with the opening of a table")
    return opened


def recorded_table(store: Store, entry: RecordEntry) -> Table:
    """The table a record was opened with: its rulebook's own text, its settings."""
    opened = recorded_opening(entry)
    terms, refused = read_terms(recorded_book(store, opened), opened.chosen)
    if refused:
        raise StoreError(f"the settings on record do not fit: {refused[0].message}")
    return Table(terms)


def recorded_book(store: Store, opened: e.TableOpened) -> Rulebook:
    """The rulebook a table was opened under: the bundled one where it is still the same."""
    if opened.rulebook in rulebook_ids() and load(opened.rulebook).hash == opened.hash:
        return load(opened.rulebook)
    text = store.text(opened.hash)
    if text is None:
        raise StoreError(f"the text of {opened.rulebook} ({opened.hash[:12]}…) is not kept with the record")
    if hashlib.sha256(text.encode()).hexdigest() != opened.hash:
        raise StoreError(f"the text kept for {opened.rulebook} is that of another rulebook")
    try:
        return restored(text)
    except RulebookError as error:
        raise StoreError(f"the text kept for {opened.rulebook} cannot be read: {error}") from error
