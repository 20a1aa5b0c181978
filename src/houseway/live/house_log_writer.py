"""Writes the house log: role changes and new records at once, heads of changed records every few seconds.

Every method that writes blocks until the entry is durable, so the server calls it in a thread. Another
server may append to the same log. Its entries are read first. If it appends at the same moment, the write
is repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock, RLock
from typing import Final

import msgspec

from houseway.audit.atomic_files import atomic_file
from houseway.audit.entries import link
from houseway.audit.house_log import (
    FORMAT,
    AnyHouseLogEvent,
    Checkpoint,
    Heads,
    HouseClosed,
    HouseLogEntry,
    HouseLogState,
    HouseOpened,
    KeyChanged,
    RoleGranted,
    RoleRevoked,
    RolesFound,
    StreamsFound,
    StreamsOpened,
    head_text,
    log_batch,
    read_head_text,
    read_log_entry,
    roles_digest,
)
from houseway.audit.kept_heads import HeadDocument, chain_at, read_heads
from houseway.audit.record_header import NONCES, recorded_entry
from houseway.audit.signatures import Signer, is_genuine
from houseway.audit.sql.people_rows import LoggedRole
from houseway.audit.store import Batch, Head, HouseStore, SignedHead, Snapshot, StaleHeadError, StoreError
from houseway.audit.streams import HOUSE_LOG, is_table
from houseway.audit.verify_house import stored_roles
from houseway.live.table_services import now

CHECKPOINT_EVERY: Final = 5.0
"""Seconds between two checkpoints while records change."""
SNAPSHOT_EVERY: Final = 1000
"""Heads in the log between two snapshots of its state; more if the house has more records than that."""
MOST_HEADS: Final = 2000
"""The most heads in one entry."""
ATTEMPTS: Final = 20
"""The most attempts to append, if other servers keep appending first."""
ASK: Final = "run `houseway audit verify` to see what is wrong"
HEAD_FILE: Final = "house-head.json"
"""The file with the newest head of the log, outside the database."""


class HouseLog:
    """The log of one house, as one server writes it."""

    def __init__(
        self, store: HouseStore, signer: Signer, clock: Callable[[], str] = now, heads: Path | None = None
    ) -> None:
        """`heads` is a folder for the file with the newest head."""
        self._store = store
        self._signer = signer
        self._clock = clock
        self._folder = heads
        self._state = HouseLogState()
        self._head = Head.first(HOUSE_LOG)
        self._lock = RLock()
        """Held while the log is read or written."""
        self._changed: dict[str, Head] = {}
        """The heads of the records that have changed since the last checkpoint."""
        self._closed: set[str] = set()
        self._noting = Lock()
        self._digest: str | None = None
        """The digest of the roles; None if they have changed since it was computed."""
        self._unsaved = 0
        """The number of heads in the log since its last snapshot."""

    # --- start and stop ---

    def open(self) -> list[str]:
        """Record that the server started; return a sentence for each difference between store and log.

        If the store has no log yet, a new log begins with the records and roles in the store.
        """
        with self._lock:
            self.check()
            problems = [*self._problems()] if self._head.events else [*self._missing_log()]
            self._append(lambda: [*self._start()])
            self.log_revocations()
            self._write_file()
            return problems

    def check(self) -> None:
        """Raise StoreError if the log cannot be read, or if the file with the newest head shows that the
        database is an older copy."""
        with self._lock:
            self._check_file()
            self._catch_up()

    def _start(self) -> Iterator[AnyHouseLogEvent]:
        """Yield the events of a start: the key, and the heads and roles that the log does not have."""
        yield HouseOpened(key=self._signer.public.hex())
        if not self._head.events:
            self._state.roles = stored_roles(self._store).in_force
            yield RolesFound(roles=self._state.roles)
        heads, known = self._store.heads(), self._state.heads
        texts = {name: head_text(one.head) for name, one in heads.items() if name != HOUSE_LOG}
        new = {name: text for name, text in texts.items() if name not in known}
        for part in _parts(new):
            bare = [s for s in part if is_table(s) and self._store.secret(s, NONCES) is None]
            yield StreamsFound(heads=part, without_secrets=tuple(bare))
        yield from self._checkpoints(
            {name: text for name, text in texts.items() if known.get(name, text) != text}
        )

    def close(self) -> None:
        """Write the last checkpoint, and record that the server stopped."""
        self.checkpoint()
        self._append(lambda: [HouseClosed()])
        self._write_file()

    def _missing_log(self) -> Iterator[str]:
        """Yield a sentence if a table's record refers to a house log, but the store has none."""
        for stream in filter(is_table, self._store.streams()):
            first = next(iter(self._store.entries(stream)), None)
            with suppress(StoreError):
                if first is not None and recorded_entry(first, hidden=False).log:
                    yield "the house log is missing; run `houseway audit verify` to see what is wrong"
                    return

    def _problems(self) -> Iterator[str]:
        """Yield a sentence for each difference from the log: a record that is missing, shorter or changed,
        and different roles."""
        heads = self._store.heads()
        for stream, text in self._state.heads.items():
            logged, signed = read_head_text(text), heads.get(stream)
            if signed is None:
                yield f"{stream} is missing, but the house log lists it"
            elif signed.head.events < logged.events:
                yield f"{stream} has {signed.head.events} events, but the house log lists {logged.events}"
            elif signed.head != logged and chain_at(self._store, stream, logged.events) != logged.chain:
                yield f"{stream} does not match the house log up to event {logged.events}"
        with suppress(ValueError):
            # Another server may give roles meanwhile, so the log is read before and after.
            earlier, stored = dict(self._state.roles), stored_roles(self._store)
            self._catch_up()
            if stored.problems(self._state.roles, earlier):
                yield "the roles in the database do not match the house log"

    # --- role changes and new records ---

    def role_granted(self, person: str, table: str, roles: Sequence[str], by: str) -> None:
        """Record that a person is given roles at a table. `person` is the handle that `folded` returns.

        The roles come into force afterwards, so a role in force that the log does not have was forged.
        """
        event = RoleGranted(person=person, table=table, roles=tuple(roles), by=by)
        self._append(lambda: [event])

    def role_in_force(self, person: str, table: str, roles: Sequence[str], by: str) -> None:
        """Record again the roles that are in force but missing from the log.

        Another server may have logged a revocation because the roles were not in force yet.
        """

        def lacking() -> list[RoleGranted]:
            logged = self._state.roles.get(person, {}).get(table, ())
            new = tuple(role for role in roles if role not in logged)
            return [RoleGranted(person=person, table=table, roles=new, by=by)] if new else []

        self._append(lacking)

    def log_revocations(self) -> None:
        """Record the roles that were revoked since the last call, on any server or on the command line."""
        with self._lock:
            self._catch_up()
            rows = self._store.people_rows()
            revoked = {_key(row): row for row in rows.logged_roles() if row.revoked_by is not None}
            self._append(
                lambda: [
                    RoleRevoked(person=person, table=table, roles=(role,), by=row.revoked_by or "")
                    for (person, table, role), row in sorted(revoked.items())
                    if role in self._logged(row)
                ]
            )
            # Another server may have given a role back before the log had its revocation.
            for row in rows.logged_roles():
                if _key(row) in revoked and row.revoked_by is None and row.role not in self._logged(row):
                    self.role_granted(row.person, row.place, (row.role,), row.granted_by)

    def _logged(self, row: LoggedRole) -> tuple[str, ...]:
        """Return the roles that the log has for a person at a place."""
        return self._state.roles.get(row.person, {}).get(row.place, ())

    def next_event(self) -> int:
        """Return the number of the next event. Another writer may take it first."""
        with self._lock:
            self._catch_up()
            return self._head.events + 1

    def opening(self, heads: Mapping[str, Head], number: int = 0) -> tuple[str, Head, Batch]:
        """Return the batch that adds new records to the log. Store it in one transaction with the records.

        Raises StaleHeadError if the next event does not have this number; 0 stands for any number.
        """
        texts = {stream: head_text(head) for stream, head in heads.items()}
        with self._lock:
            self._catch_up()
            if number not in (0, self._head.events + 1):
                raise StaleHeadError("the house log has new entries; try again", HOUSE_LOG)
            batch, _ = self._batch([StreamsOpened(heads=texts)])
            return HOUSE_LOG, self._head, batch

    # --- checkpoints ---

    def note(self, stream: str, head: Head, *, closed: bool = False) -> None:
        """Note the head of a record that has just been stored, for the next checkpoint."""
        with self._noting:
            self._changed[stream] = head
            if closed:
                self._closed.add(stream)

    @property
    def behind(self) -> bool:
        """True if a record has changed since the last checkpoint."""
        return bool(self._changed)

    def checkpoint(self) -> None:
        """Record the heads of all changed records, and write the newest head of the log to its file."""
        with self._noting:
            changed, self._changed = self._changed, {}
            closed, self._closed = self._closed, set()
        if not changed:
            return
        texts = {stream: head_text(head) for stream, head in sorted(changed.items())}
        try:
            self._append(lambda: [*self._checkpoints(self._not_older(texts), closed)])
        except BaseException:
            with self._noting:
                self._changed = changed | self._changed
                self._closed |= closed
            raise
        self._write_file()

    def _not_older(self, heads: Heads) -> Heads:
        """Return the heads, except those of tables that another server has continued since."""
        known = self._state.heads
        return {
            stream: text
            for stream, text in heads.items()
            if stream not in known or read_head_text(text).events >= read_head_text(known[stream]).events
        }

    def _checkpoints(self, heads: Heads, closed: Collection[str] = ()) -> Iterator[Checkpoint]:
        self._digest = self._digest or roles_digest(self._state.roles)
        for part in _parts(heads):
            ended = tuple(sorted(set(part) & set(closed)))
            yield Checkpoint(heads=part, roles=self._digest, closed=ended)

    # --- reading and writing ---

    def _append(self, events: Callable[[], Sequence[AnyHouseLogEvent]]) -> None:
        """Append events, which are computed again if another writer appends first."""
        with self._lock:
            for attempt in range(ATTEMPTS):
                self._catch_up()
                new = events()
                if not new:
                    return
                batch, entries = self._batch(new)
                try:
                    self._store.append(HOUSE_LOG, self._head, batch)
                except StaleHeadError:
                    if attempt == ATTEMPTS - 1:
                        raise
                    continue
                if batch.snapshot is not None:
                    self._unsaved = 0
                self._follow(entries)
                self._head = batch.signed.head
                return

    def _batch(self, events: Sequence[AnyHouseLogEvent]) -> tuple[Batch, list[HouseLogEntry]]:
        snapshot = None
        if self._unsaved >= max(SNAPSHOT_EVERY, len(self._state.heads)):
            snapshot = self._signer.snapshot(HOUSE_LOG, self._head, msgspec.json.encode(self._state))
        return log_batch(self._signer, self._head, self._state.at, self._clock(), events, snapshot)

    def _follow(self, entries: Iterable[HouseLogEntry]) -> None:
        for entry in entries:
            self._state.follow(entry)
            event = entry.events[0]
            self._unsaved += len(getattr(event, "heads", ()))
            if isinstance(event, RolesFound | RoleGranted | RoleRevoked):
                self._digest = None

    def _catch_up(self) -> None:
        """Read the entries that other writers have appended since the last reading."""
        signed = self._store.head(HOUSE_LOG)
        if signed is None or signed.head == self._head:
            return
        if signed.key != self._signer.public or not is_genuine(HOUSE_LOG, signed):
            raise StoreError(f"the house log is not signed by this house; {ASK}")
        if not self._head.events:
            self._restore()
        head, entries = self._head, []
        for stored in self._store.entries(HOUSE_LOG, head.events):
            head = Head(stored.last, link(head.chain, stored.public))
            try:
                entries.append(read_log_entry(stored.public))
            except ValueError as error:
                sentence = f"event {stored.seq} of the house log cannot be read: {error}"
                raise StoreError(f"{sentence}; restore the newest backup") from error
            if head == signed.head:
                break
        if head != signed.head:
            raise StoreError(f"the house log has been changed; {ASK}")
        self._follow(entries)
        self._head = head

    def _restore(self) -> None:
        """Start from the last snapshot, if this house signed it and its format is current."""
        snapshot: Snapshot | None = self._store.snapshot(HOUSE_LOG)
        if snapshot is None or snapshot.signed.key != self._signer.public:
            return
        if is_genuine(HOUSE_LOG, snapshot.signed, snapshot.body):
            with suppress(msgspec.MsgspecError):
                state = msgspec.json.decode(snapshot.body, type=HouseLogState)
                if state.format == FORMAT:
                    self._state, self._head = state, snapshot.signed.head

    # --- the file with the newest head ---

    def _write_file(self) -> None:
        if self._folder is None:
            return
        signed = self._store.head(HOUSE_LOG)
        if signed is None:
            return
        try:
            with atomic_file(self._folder / HEAD_FILE, 0o644) as file:
                file.write(msgspec.json.encode(HeadDocument.of(HOUSE_LOG, signed)) + b"\n")
        except OSError as error:
            reason = f"{error.strerror}; the house log continues without it"
            raise StoreError(f"{self._folder / HEAD_FILE} cannot be written: {reason}") from error

    def _check_file(self) -> None:
        """Raise StoreError if the database does not contain the head in the file."""
        if self._folder is None or not (self._folder / HEAD_FILE).exists():
            return
        file = self._folder / HEAD_FILE
        for kept in read_heads(file):
            if chain_at(self._store, kept.stream, kept.events) != kept.signed.head.chain:
                sentence = f"{self._store.where} is an older copy: it does not contain the head in {file}"
                help_ = "restore the newest copy, or move the file away to continue from this copy"
                raise StoreError(f"{sentence}; {help_}")


def change_key(store: HouseStore, signed: SignedHead, signer: Signer, old: Signer | None) -> None:
    """Append a change of the house's key to the log, signed by both keys unless the old key is lost."""
    last = None
    for last in store.entries(HOUSE_LOG, signed.head.events - 1):
        if last.last == signed.head.events:
            break
    if last is None or last.chain != signed.head.chain:
        raise StoreError(f"the house log has been changed; {ASK}")
    before, new = signed.key, signer.public
    by_old = old.key_change(before, new).hex() if old is not None else ""
    event = KeyChanged(
        old=before.hex(), new=new.hex(), by_new=signer.key_change(before, new).hex(), by_old=by_old
    )
    batch, _ = log_batch(signer, signed.head, read_log_entry(last.public).at, now(), [event])
    store.append(HOUSE_LOG, signed.head, batch)


def _key(row: LoggedRole) -> tuple[str, str, str]:
    return row.person, row.place, row.role


def _parts(heads: Heads) -> Iterator[Heads]:
    """Yield heads in parts of a size that fits one entry."""
    names = list(heads)
    for start in range(0, len(names), MOST_HEADS):
        yield {name: heads[name] for name in names[start : start + MOST_HEADS]}
