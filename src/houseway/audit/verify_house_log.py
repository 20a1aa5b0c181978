"""Verify the house log on its own: its chain, its times, its keys and its roles."""

from __future__ import annotations

import msgspec

from houseway.audit.entries import StoredEntry
from houseway.audit.house_log import (
    FORMAT,
    AnyHouseLogEvent,
    Checkpoint,
    HouseLogEntry,
    HouseLogState,
    HouseOpened,
    KeyChanged,
    RoleRevoked,
    StreamsFound,
    StreamsOpened,
    encode_log_entry,
    read_head_text,
    read_log_entry,
    roles_digest,
)
from houseway.audit.kept_heads import KeptHead
from houseway.audit.signatures import is_genuine, is_key_change
from houseway.audit.store import DamagedError, Head, Store
from houseway.audit.stream_replay import StreamReplay
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.times import TimeCheck

IN_LOG = "the head in the house log"


class HouseLogReplay(StreamReplay[HouseLogEntry]):
    """Replays the house log entry by entry, and collects its faults."""

    def __init__(self, store: Store) -> None:
        super().__init__(HOUSE_LOG, read_log_entry, encode_log_entry)
        self._store = store
        self.state = HouseLogState()
        self.opened: dict[str, int] = {}
        """The number of the event that first named each record."""
        self._heads: dict[str, dict[int, bytes]] = {}
        """The heads in the log: for each record, the chain after each number of events."""
        self._times = TimeCheck()
        self._digest: str | None = None
        """The digest of the roles, or None if the roles have changed since it was computed."""
        self._snapshots = set(store.snapshots(HOUSE_LOG))

    def heads(self, stream: str) -> list[KeptHead]:
        """Return the heads that the log has of a record."""
        return [KeptHead(Head(*head), IN_LOG) for head in self._heads.get(stream, {}).items()]

    def take(self, stored: StoredEntry, following: StoredEntry | None) -> None:
        """Check the next entry."""
        entry = self._next_entry(stored, following)
        if entry is None:
            return
        self.faults += self._times.take(entry.seq, entry.at)
        event = entry.events[0]
        self._check(entry.seq, event)
        self.state.follow(entry)
        if not isinstance(event, Checkpoint):
            self._digest = None
        self._compare_snapshot()

    def _check(self, seq: int, event: AnyHouseLogEvent) -> None:
        """Check an event against the state before it."""
        state = self.state
        match event:
            case HouseOpened(key=key) if state.key and key != state.key:
                self._fault(seq, "key", f"the house opened with {key}, but its key is {state.key}")
            case KeyChanged():
                self._check_key(seq, event)
            case RoleRevoked():
                had = state.roles.get(event.person, {}).get(event.table, ())
                if not set(event.roles) <= set(had):
                    self._fault(seq, "roles", f"{event.person} lost roles that {event.person} did not have")
            case StreamsOpened(heads=heads) | StreamsFound(heads=heads) | Checkpoint(heads=heads):
                for stream, text in heads.items():
                    self._note(seq, stream, text)
        if isinstance(event, Checkpoint):
            self._digest = self._digest or roles_digest(state.roles)
            if event.roles != self._digest:
                sentence = "the roles at this checkpoint do not follow from the grants and revocations"
                self._fault(seq, "roles", sentence)

    def _check_key(self, seq: int, event: KeyChanged) -> None:
        try:
            old, new = bytes.fromhex(event.old), bytes.fromhex(event.new)
            signatures = [(new, bytes.fromhex(event.by_new))]
            signatures += [(old, bytes.fromhex(event.by_old))] if event.by_old else []
            genuine = all(is_key_change(key, old, new, signature) for key, signature in signatures)
        except ValueError:
            genuine = False
        if not genuine or event.old != self.state.key:
            self._fault(seq, "key", "the change of the house's key is not signed by the keys that it names")

    def _note(self, seq: int, stream: str, text: str) -> None:
        self.opened.setdefault(stream, seq)
        try:
            head = read_head_text(text)
        except ValueError:
            self._fault(seq, "events", f"the head of {stream} cannot be read: {text}")
            return
        chains = self._heads.setdefault(stream, {})
        if chains.setdefault(head.events, head.chain) != head.chain:
            sentence = f"{stream} has another head at its event {head.events} than earlier in this log"
            self._fault(seq, "rollback", sentence)

    def _compare_snapshot(self) -> None:
        head = self.chain.head
        if head.events not in self._snapshots:
            return
        name = f"the snapshot at event {head.events}"
        try:
            snapshot = self._store.snapshot(HOUSE_LOG, head.events)
        except DamagedError as error:
            self._fault(head.events, "snapshot", str(error))
            return
        genuine = snapshot is not None and is_genuine(HOUSE_LOG, snapshot.signed, snapshot.body)
        if snapshot is None or not genuine or snapshot.signed.head != head:
            self._fault(head.events, "snapshot", f"the signature of {name} is invalid")
            return
        try:
            saved = msgspec.json.decode(snapshot.body, type=HouseLogState)
        except msgspec.MsgspecError:
            self._fault(head.events, "snapshot", f"{name} cannot be read")
            return
        if saved.format == FORMAT and saved != self.state:
            self._fault(head.events, "snapshot", f"{name} has a different state than the log")
