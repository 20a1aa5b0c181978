"""Read a record: its entries, its table, and the rulebook that the table was opened under."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Final

from houseway.audit.entries import RecordEntry, StoredEntry, read_entry, read_public
from houseway.audit.store import Store, StoreError
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.recorded_rulebook import installed_rulebook, recorded_rulebook
from houseway.rules.rulebook import Rulebook

NONCES: Final = "nonces"
"""The name of the secret from which the nonces of a record's sealed parts are derived."""


def recorded_entry(stored: StoredEntry, *, hidden: bool = True) -> RecordEntry:
    """Read an entry of a record, with or without hidden cards. Raises StoreError if that fails."""
    if not stored.chain:
        raise unreadable(f"event {stored.seq}", "the stored row is not an entry")
    try:
        return read_entry(stored) if hidden else read_public(stored.public)
    except (ValueError, TypeError) as error:
        raise unreadable(f"event {stored.seq}", str(error)) from error


def read_record(store: Store, stream: str) -> tuple[Table, Iterator[tuple[StoredEntry, RecordEntry]]]:
    """Return the table of a record, and its entries, each in its stored and in its decoded form.

    Raises StoreError if there is no such record.
    """
    entries = ((stored, recorded_entry(stored)) for stored in store.entries(stream))
    first = next(entries, None)
    if first is None:
        raise StoreError(f"there is no record of {stream}")
    return recorded_table(store, first[1]), chain([first], entries)


def apply_recorded(state: State, event: e.Event, seq: int) -> State:
    """Return the state after event `seq`; raises StoreError if the event is impossible in this state."""
    try:
        return evolve(state, event)
    except Exception as error:  # a forged record can break the engine in any way
        raise unreadable(f"event {seq}", f"it is impossible at this table: {error!r}") from error


def unreadable(name: str, why: str) -> StoreError:
    """Return the error for a part of a record that cannot be read."""
    return StoreError(f"{name} cannot be read ({why}); run `houseway audit verify` to see what is wrong")


def recorded_opening(entry: RecordEntry) -> e.TableOpened:
    """Return the event that opened the table; raises StoreError if the record starts with another event."""
    opened = next((event for event in entry.events if isinstance(event, e.TableOpened)), None)
    if opened is None:
        raise StoreError("the record does not start with the opening of a table")
    return opened


def recorded_table(store: Store, entry: RecordEntry) -> Table:
    """Return the table of a record, under the rulebook text and the settings it was opened with."""
    opened = recorded_opening(entry)
    terms, refused = read_terms(recorded_book(store, opened), opened.chosen)
    if refused:
        raise StoreError(f"the settings on record do not fit the rulebook: {refused[0].message}")
    return Table(terms)


def recorded_book(store: Store, opened: e.TableOpened) -> Rulebook:
    """Return the rulebook that a table was opened under: the bundled one if it has not changed since,
    otherwise the text on record."""
    installed = installed_rulebook(opened.rulebook)
    if installed is not None and installed.hash == opened.hash:
        # The text need not be read from the store.
        return installed
    return recorded_rulebook(opened.rulebook, opened.hash, store.text(opened.hash), StoreError)
