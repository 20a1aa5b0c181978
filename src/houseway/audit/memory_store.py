"""A store in memory, for tests and for play without a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from houseway.audit.entries import StoredEntry
from houseway.audit.store import Batch, Head, SignedHead, Snapshot, batches, key_error, moved_error

if TYPE_CHECKING:
    from houseway.audit.sql.class_rows import ClassRows
    from houseway.audit.sql.people_rows import PeopleRows
    from houseway.audit.sql.short_transactions import ShortTransactions


@dataclass
class Record:
    """A record in memory."""

    signed: SignedHead | None = None
    entries: list[StoredEntry] = field(default_factory=list)
    keys: dict[str, StoredEntry] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    snapshots: dict[int, Snapshot] = field(default_factory=dict)


class RecordReader:
    """The reading methods of a store, for records in memory."""

    def __init__(self, where: str) -> None:
        self.where = where
        self._records: dict[str, Record] = {}
        self._texts: dict[str, str] = {}

    def _record(self, stream: str) -> Record:
        """Return the record of that name, or an empty one."""
        return self._records.get(stream) or Record()

    def streams(self) -> list[str]:
        return sorted(self._records)

    def strays(self) -> list[str]:
        return []

    def head(self, stream: str) -> SignedHead | None:
        return self._record(stream).signed

    def heads(self) -> dict[str, SignedHead]:
        return {name: record.signed for name, record in sorted(self._records.items()) if record.signed}

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        return (entry for entry in self.everything(stream) if entry.seq > after)

    def everything(self, stream: str) -> Iterator[StoredEntry]:
        return iter(tuple(self._record(stream).entries))

    def keyed(self, stream: str, key: str) -> StoredEntry | None:
        return self._record(stream).keys.get(key)

    def text(self, digest: str) -> str | None:
        return self._texts.get(digest)

    def secret(self, stream: str, name: str) -> bytes | None:
        return self._record(stream).secrets.get(name)

    def snapshots(self, stream: str) -> list[int]:
        return sorted(self._record(stream).snapshots)

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        snapshots = self._record(stream).snapshots
        return snapshots.get(max(snapshots, default=0) if events is None else events)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class MemoryStore(RecordReader):
    """Records in memory."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self._kept: dict[str, bytes] = {}
        self._rows: ShortTransactions | None = None

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        together = batches(stream, after, batch)
        for name, head, part in together:
            record = self._record(name)
            if head != (record.signed.head if record.signed else Head.first(name)):
                raise moved_error(name, record.signed, head)
            if error := key_error(name, part, record.keys.get):
                raise error
        for name, _, part in together:
            self._put(name, part)

    def _put(self, stream: str, batch: Batch) -> None:
        record = self._record(stream)
        if batch.erases:
            record.entries = [replace(entry, sealed=b"") for entry in record.entries]
            record.keys = {entry.key: entry for entry in record.entries if entry.key}
            record.secrets = {}
        record.entries += batch.entries
        record.keys |= {entry.key: entry for entry in batch.entries if entry.key}
        record.secrets |= batch.secrets
        record.signed = batch.signed
        if batch.snapshot is not None:
            record.snapshots[batch.snapshot.signed.head.events] = batch.snapshot
        self._texts = {**batch.texts, **self._texts}
        self._records[stream] = record

    def keep(self, name: str, body: bytes) -> None:
        self._kept[name] = body

    def kept(self) -> dict[str, bytes]:
        return dict(sorted(self._kept.items()))

    def people_rows(self) -> PeopleRows:
        # Imported only if it is needed, so that play without a record starts faster.
        from houseway.audit.sql.people_rows import PeopleRows

        return PeopleRows(self._rows_in_memory())

    def class_rows(self) -> ClassRows:
        from houseway.audit.sql.class_rows import ClassRows

        return ClassRows(self._rows_in_memory())

    def _rows_in_memory(self) -> ShortTransactions:
        if self._rows is None:
            from houseway.audit.sql.memory_people import rows_in_memory

            self._rows = rows_in_memory()
        return self._rows

    def check(self) -> None:
        """Do nothing: a store in memory can always be written."""

    def kept_as(self, name: str) -> bytes | None:
        return self._kept.get(name)
