"""Ledgers: one signed chain of entries for each player's account and for each meter that several tables
share.

A ledger is a signed hash chain like the record of a table. Each entry has one event and the balances after
it, so the last entry is enough to know the balances. An entry names the table's event that caused it, and
is stored in the same transaction as that event.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from houseway import __version__
from houseway.audit.entries import StoredEntry, link, require_version
from houseway.audit.signatures import Signer, is_genuine
from houseway.audit.store import Batch, Head, Store, StoreError
from houseway.audit.times import entry_time

VERSION: Final = 1
"""The version of the names and fields of ledger entries."""


class LedgerEvent(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """An event that changes a ledger."""

    balances: dict[str, int]
    """The balances after the event: in cents for an account, in millionths of a cent for a meter."""


class LedgerOpened(LedgerEvent, frozen=True):
    """A meter or an account was opened."""

    terms: dict[str, Any] = {}
    """The terms that must be the same at all tables of a linked meter: pay table, wager in cents, number of
    decks, and each meter's seed and starting reserve in cents.

    Older meters have no seeds and no reserve."""


class LedgerFunded(LedgerEvent, frozen=True):
    """The house put new play chips into an account."""

    changes: dict[str, int]


class LedgerMoved(LedgerEvent, frozen=True):
    """An event of a table moved money into the ledger or out of it."""

    changes: dict[str, int]


AnyLedgerEvent = LedgerOpened | LedgerFunded | LedgerMoved


class LedgerEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """One event of a ledger, as it is stored."""

    version: int = 1
    seq: int
    at: str
    clock: str = ""
    """The time on the clock, if the clock was behind the entry before.

    `at` then repeats that entry's time.
    """
    table: str
    """The stream of the table that caused the event."""
    event: int
    """The number of the table's event that caused this event."""
    key: str
    """A key built from the table and its event, so that the event counts only once."""
    engine: str
    events: tuple[AnyLedgerEvent]


encode_ledger_entry: Final = msgspec.json.Encoder().encode
"""Return a ledger entry as it is stored."""
_decode = msgspec.json.Decoder(LedgerEntry).decode


def read_ledger_entry(public: bytes) -> LedgerEntry:
    """Return a ledger entry. Raises ValueError if it cannot be read, or if it is from a newer houseway."""
    require_version(public, VERSION)
    return _decode(public)


class LedgerState(msgspec.Struct, frozen=True):
    """A ledger at one moment."""

    head: Head
    balances: dict[str, int]
    at: str = ""
    """The time of the last entry."""


def read_ledger(
    store: Store, signer: Signer, stream: str, known: LedgerState | None = None
) -> LedgerState | None:
    """Return the ledger as it is stored now, or None if there is none.

    `known` is the ledger as it was read before. If the head has not changed since, the last entry is not
    read again. Raises StoreError if the house has not signed the head, or if the last entry cannot be read.
    """
    signed = store.head(stream)
    if signed is None or (known is not None and known.head == signed.head):
        return known if signed else None
    last = None
    for last in store.entries(stream, signed.head.events - 1):
        if last.seq == signed.head.events:
            break
    if last is None or signed.key != signer.public or not is_genuine(stream, signed):
        raise StoreError(f"{stream} is not signed by this house; run `houseway audit verify`")
    if last.chain != signed.head.chain:
        raise StoreError(f"{stream} has been changed; run `houseway audit verify` to see what is wrong")
    try:
        entry = read_ledger_entry(last.public)
    except ValueError as error:
        raise StoreError(f"event {last.seq} of {stream} cannot be read: {error}") from error
    return LedgerState(signed.head, entry.events[0].balances, entry.at)


def ledger_terms(store: Store, stream: str) -> dict[str, Any]:
    """Return the terms that a ledger was opened with."""
    first = next(iter(store.entries(stream)), None)
    if first is None:
        raise StoreError(f"there is no {stream}")
    try:
        opened = read_ledger_entry(first.public).events[0]
    except ValueError as error:
        raise StoreError(f"event 1 of {stream} cannot be read: {error}") from error
    return opened.terms if isinstance(opened, LedgerOpened) else {}


def ledger_key(table: str, event: int, change: AnyLedgerEvent) -> str:
    """Return the key of the ledger entry that an event of a table causes."""
    match change:
        case LedgerOpened():
            return f"{table}/{event}/open"
        case LedgerFunded():
            return f"{table}/{event}/fund"
    return f"{table}/{event}"


class PendingLedger:
    """The entries to append to one ledger with a table's next batch."""

    def __init__(self, stream: str, reading: LedgerState | None) -> None:
        self.stream = stream
        self.after = reading.head if reading else Head.first(stream)
        self.balances = reading.balances if reading else {}
        self._head = self.after
        self._at = reading.at if reading else ""
        self._entries: list[StoredEntry] = []

    def reading(self) -> LedgerState:
        """Return the ledger as it will be when the entries are stored."""
        return LedgerState(self._head, self.balances, self._at)

    def open(
        self, table: str, event: int, at: str, balances: Mapping[str, int], terms: Mapping[str, Any]
    ) -> None:
        """Open the ledger."""
        self._add(table, event, at, LedgerOpened(balances=dict(balances), terms=dict(terms)))

    def fund(self, table: str, event: int, at: str, changes: Mapping[str, int]) -> None:
        """Add new play chips."""
        self._add(table, event, at, LedgerFunded(balances=self._moved(changes), changes=dict(changes)))

    def move(self, table: str, event: int, at: str, changes: Mapping[str, int]) -> None:
        """Move money for an event of a table."""
        self._add(table, event, at, LedgerMoved(balances=self._moved(changes), changes=dict(changes)))

    def _moved(self, changes: Mapping[str, int]) -> dict[str, int]:
        return {name: amount + changes.get(name, 0) for name, amount in self.balances.items()}

    def _add(self, table: str, event: int, at: str, change: AnyLedgerEvent) -> None:
        if any(amount < 0 for amount in change.balances.values()):
            raise StoreError(f"{self.stream} would be overdrawn, so nothing was recorded")
        seq, key = self._head.events + 1, ledger_key(table, event, change)
        self._at, clock = entry_time(at, self._at)
        entry = LedgerEntry(
            seq=seq,
            at=self._at,
            clock=clock,
            table=table,
            event=event,
            key=key,
            engine=__version__,
            events=(change,),
        )
        public = encode_ledger_entry(entry)
        chain = link(self._head.chain, public)
        self._entries.append(StoredEntry(seq, 1, key, public, b"", chain))
        self._head, self.balances = Head(seq, chain), change.balances

    def batch(self, signer: Signer) -> tuple[str, Head, Batch]:
        """Return the batch to store after the ledger's head."""
        return (
            self.stream,
            self.after,
            Batch(entries=self._entries, signed=signer.head(self.stream, self._head)),
        )
