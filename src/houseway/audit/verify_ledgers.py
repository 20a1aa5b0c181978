"""Verify ledgers, and compare them with the tables that move money into and out of them."""

from __future__ import annotations

import msgspec

from houseway.audit.chain import Fault
from houseway.audit.entries import StoredEntry
from houseway.audit.ledgers import (
    AnyLedgerEvent,
    LedgerEntry,
    LedgerMoved,
    LedgerOpened,
    encode_ledger_entry,
    ledger_key,
    read_ledger_entry,
)
from houseway.audit.record_header import recorded_entry, recorded_opening
from houseway.audit.store import Store, StoreError
from houseway.audit.stream_replay import StreamReplay
from houseway.engine import events as e
from houseway.engine.ledger_moves import ACCOUNT, CHIPS, METER, ledger_move, meter_balances
from houseway.engine.state import State
from houseway.engine.table import LINK_AMOUNTS, Table


class LedgerReplay(StreamReplay[LedgerEntry]):
    """Replays a ledger entry by entry, and collects its faults."""

    def __init__(self, store: Store, stream: str) -> None:
        super().__init__(stream, read_ledger_entry, encode_ledger_entry, lambda entry: entry.key)
        self._store = store
        self._stream = stream
        self._balances: dict[str, int] | None = None
        self._keys: dict[str, int] = {}
        self._links: dict[str, str | None] = {}
        """The linked meter of each table; None if the table is not in the store."""

    def take(self, stored: StoredEntry, following: StoredEntry | None) -> None:
        """Check the next entry."""
        entry = self._next_entry(stored, following)
        if entry is None:
            self._balances = None
            return
        if self._keys.setdefault(entry.key, entry.seq) != entry.seq:
            first = self._keys[entry.key]
            sentence = f"the key {entry.key!r} is used twice: event {first} has it too"
            self._fault(entry.seq, "double-key", sentence)
        self._replay(entry, entry.events[0])
        self._compare(entry, entry.events[0])

    def _replay(self, entry: LedgerEntry, event: AnyLedgerEvent) -> None:
        """Check that the balances are the previous balances plus the changes."""
        before, self._balances = self._balances, event.balances
        if isinstance(event, LedgerOpened) != (entry.seq == 1):
            self._fault(entry.seq, "events", "the first event of a ledger must open it, and no other may")
        elif not isinstance(event, LedgerOpened) and before is not None:
            due = {name: amount + event.changes.get(name, 0) for name, amount in before.items()}
            if due != event.balances or not set(event.changes) <= set(before):
                sentence = f"the balances are {event.balances}; the changes lead to {due}"
                self._fault(entry.seq, "money", sentence)
        if any(amount < 0 for amount in event.balances.values()):
            self._fault(entry.seq, "money", f"a balance is below zero: {event.balances}")

    def _compare(self, entry: LedgerEntry, event: AnyLedgerEvent) -> None:
        """Check that the table has the event that this ledger entry names."""
        if entry.key != ledger_key(entry.table, entry.event, event):
            self._fault(
                entry.seq, "key", f"the key {entry.key!r} is not for event {entry.event} of {entry.table}"
            )
        if entry.table not in self._links:
            self._links[entry.table] = self._link(entry.table)
        link = self._links[entry.table]
        if link is None:
            return
        if self._stream.startswith(METER):
            signed = self._store.head(entry.table)
            there = link == self._stream.removeprefix(METER)
            there = there and signed is not None and 1 <= entry.event <= signed.head.events
        else:
            there = not isinstance(event, LedgerMoved) or self._has_chips(entry, event)
        if not there:
            sentence = f"{entry.table} has no event {entry.event} that moves {self._stream}"
            self._fault(entry.seq, "ledger", sentence)

    def _link(self, table: str) -> str | None:
        first = next(iter(self._store.entries(table)), None)
        if first is None:
            self.missing.append(table)
            return None
        try:
            return recorded_opening(recorded_entry(first, hidden=False)).link
        except StoreError:
            return ""

    def _has_chips(self, entry: LedgerEntry, event: LedgerMoved) -> bool:
        """True if, in the table's event, the account's player sat down or left with these chips."""
        # The entry that contains the event may begin with an earlier event.
        try:
            recorded = {
                seq: found
                for stored in self._entries_around(entry)
                for seq, found in enumerate(recorded_entry(stored, hidden=False).events, stored.seq)
            }
        except StoreError:
            return False
        chips, handle = event.changes.get(CHIPS), self._stream.removeprefix(ACCOUNT)
        match recorded.get(entry.event):
            case e.PlayerSeated() as seated:
                return (seated.account, -seated.chips) == (handle, chips)
            case e.PlayerLeft() as left:
                return left.chips == chips
        return False

    def _entries_around(self, entry: LedgerEntry) -> list[StoredEntry]:
        for back in (1, 64, entry.event):
            around = []
            for stored in self._store.entries(entry.table, max(0, entry.event - back)):
                if stored.seq > entry.event:
                    break
                around.append(stored)
            if any(stored.seq <= entry.event <= stored.last for stored in around):
                return around
        return []


class _LedgerIndex(msgspec.Struct):
    """The events of one ledger."""

    balances: dict[int, dict[str, int]] = {}
    """The balances after each event of the ledger."""
    opened: dict[int, LedgerOpened] = {}
    moved: dict[int, LedgerMoved] = {}
    """The events caused by one table. The keys are the numbers of the table's events."""


class RecordedLedgers:
    """Compares the money that a table's events move with the ledgers in the same store."""

    def __init__(self, store: Store, table: str) -> None:
        self._store = store
        self._table = table
        self._ledgers: dict[str, _LedgerIndex] = {}
        self._matched: set[tuple[str, int]] = set()
        self.missing: set[str] = set()
        """The ledgers that are not in the store."""

    def follow(self, table: Table, seq: int, event: e.Event, before: State, after: State) -> str | None:
        """Return a sentence that says how a ledger disagrees with an event of the table, or None."""
        match event:
            case e.TableOpened() if event.link:
                ledger, meters = METER + event.link, meter_balances(event.meters, event.reserves)
                if event.link_at:
                    return self._shows(ledger, event.link_at, meters)
                opened = self._entries(ledger, seq).opened.get(seq)
                # Older meters have no seeds and no reserve.
                older = opened is not None and LINK_AMOUNTS.keys().isdisjoint(opened.terms)
                terms = {k: v for k, v in table.link_terms.items() if not (older and k in LINK_AMOUNTS)}
                if ledger in self.missing or opened == LedgerOpened(balances=meters, terms=terms):
                    return None
                return f"{ledger} was not opened by this table with {meters}"
            case e.MetersSynced():
                meters = meter_balances(event.meters, event.reserves)
                return self._shows(METER + before.link, event.at, meters)
        move = ledger_move(event, before, after)
        return self._moves(*move, seq, after) if move is not None else None

    def _shows(self, ledger: str, at: int, balances: dict[str, int]) -> str | None:
        there = self._entries(ledger, at=at).balances.get(at)
        if ledger in self.missing or there == balances:
            return None
        return f"{ledger} has {there} after its event {at}; this table read {balances}"

    def _moves(self, ledger: str, changes: dict[str, int], seq: int, after: State) -> str | None:
        there = self._entries(ledger, seq).moved.get(seq)
        self._matched.add((ledger, seq))
        if ledger in self.missing:
            return None
        if there is None or there.changes != changes:
            has = there.changes if there else "no entry for it"
            return f"this event moves {changes} in {ledger}, which has {has}"
        shows = meter_balances(after.meters, after.reserves)
        if ledger.startswith(METER) and there.balances != shows:
            return f"{ledger} has {there.balances} after this event; the table has {shows}"
        return None

    def _entries(self, ledger: str, seq: int = 0, at: int = 0) -> _LedgerIndex:
        """Return the events of a ledger.

        If event `seq` of the table or event `at` of the ledger is not among them, read the rest of the
        ledger: a table in play may have added the event since.
        """
        index = self._ledgers.get(ledger)
        if index is None or not (seq in index.moved or seq in index.opened or at in index.balances):
            index = self._ledgers[ledger] = self._read(ledger, index)
        return index

    def _read(self, ledger: str, index: _LedgerIndex | None) -> _LedgerIndex:
        index = index or _LedgerIndex({}, {}, {})
        if self._store.head(ledger) is None:
            self.missing.add(ledger)
            return index
        for stored in self._store.entries(ledger, max(index.balances, default=0)):
            try:
                entry = read_ledger_entry(stored.public)
            except ValueError:
                continue
            event = entry.events[0]
            index.balances[entry.seq] = event.balances
            if entry.table == self._table and isinstance(event, LedgerOpened):
                index.opened[entry.event] = event
            elif entry.table == self._table and isinstance(event, LedgerMoved):
                index.moved[entry.event] = event
        return index

    def unmatched(self, last: int) -> list[Fault]:
        """Return a fault for each ledger entry that names an event of this table, if the event does not
        move the ledger. Events after `last` are ignored."""
        return [
            Fault(seq, "ledger", f"{ledger} has {event.changes} for this event, which moves nothing there")
            for ledger, index in sorted(self._ledgers.items())
            for seq, event in index.moved.items()
            if (ledger, seq) not in self._matched and seq <= last
        ]
