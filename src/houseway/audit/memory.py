"""A store that forgets with its process: for tests, and for play nobody wants kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from houseway.audit.entries import Stored
from houseway.audit.store import Batch, Head, Signed, Snapshot, doubled, moved


@dataclass
class _Record:
    entries: list[Stored] = field(default_factory=list)
    keys: dict[str, Stored] = field(default_factory=dict)
    secrets: dict[str, bytes] = field(default_factory=dict)
    snapshots: dict[int, Snapshot] = field(default_factory=dict)
    signed: Signed | None = None


class MemoryStore:
    """Records in memory."""

    def __init__(self) -> None:
        self.where = ":memory:"
        self._records: dict[str, _Record] = {}
        self._texts: dict[str, str] = {}
        self._kept: dict[str, bytes] = {}

    def streams(self) -> list[str]:
        return sorted(self._records)

    def strays(self) -> list[str]:
        return []

    def head(self, stream: str) -> Signed | None:
        found = self._records.get(stream)
        return found.signed if found else None

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        record = self._records.get(stream) or _Record()
        here = record.signed.head if record.signed else Head.first(stream)
        if here != after:
            raise moved(stream, here, after)
        keys = [entry.key for entry in batch.entries if entry.key]
        double = next((k for n, k in enumerate(keys) if k in record.keys or k in keys[:n]), None)
        if double is not None:
            raise doubled(stream, double)
        record.entries += batch.entries
        record.keys |= {entry.key: entry for entry in batch.entries if entry.key}
        record.secrets |= batch.secrets
        record.signed = batch.signed
        if batch.snapshot is not None:
            record.snapshots[batch.snapshot.signed.head.events] = batch.snapshot
        self._texts = {**batch.texts, **self._texts}
        self._records[stream] = record

    def entries(self, stream: str, after: int = 0) -> Iterator[Stored]:
        record = self._records.get(stream)
        return iter([entry for entry in record.entries if entry.seq > after] if record else [])

    def everything(self, stream: str) -> Iterator[Stored]:
        return self.entries(stream)

    def keyed(self, stream: str, key: str) -> Stored | None:
        record = self._records.get(stream)
        return record.keys.get(key) if record else None

    def text(self, digest: str) -> str | None:
        return self._texts.get(digest)

    def secret(self, stream: str, name: str) -> bytes | None:
        record = self._records.get(stream)
        return record.secrets.get(name) if record else None

    def keep(self, name: str, body: bytes) -> None:
        self._kept[name] = body

    def kept(self) -> dict[str, bytes]:
        return dict(sorted(self._kept.items()))

    def kept_as(self, name: str) -> bytes | None:
        return self._kept.get(name)

    def snapshots(self, stream: str) -> list[int]:
        record = self._records.get(stream)
        return sorted(record.snapshots) if record else []

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        taken = self.snapshots(stream)
        at = taken[-1] if events is None and taken else events
        return self._records[stream].snapshots.get(at) if at in taken and at is not None else None

    def close(self) -> None:
        """Nothing is held open."""
