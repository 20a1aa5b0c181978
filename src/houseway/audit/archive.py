"""Read exported records from files, and import them into stores."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from pathlib import Path

import msgspec

from houseway.audit.encrypted_store import with_secrets_key
from houseway.audit.entries import StoredEntry
from houseway.audit.export import EntryLine, Header, SecretLine, SnapshotLine, read_header, read_line
from houseway.audit.memory_store import Record, RecordReader
from houseway.audit.store import MAX_EVENTS, Batch, Head, SignedHead, Snapshot, Store, StoreError
from houseway.audit.store_factory import open_store


def open_record(where: str, secrets_key: Path | None = None) -> Store:
    """Open an exported file or a store for reading. Raises StoreError if there is neither.

    `secrets_key` is the file with the key of a store whose secrets are encrypted.
    """
    path = Path(where)
    try:
        with path.open("rb") as file:
            exported = file.read(1) == b"{"
    except (OSError, ValueError):
        exported = False
    if exported:
        return Archive(path)
    return with_secrets_key(open_store(where, read_only=True), secrets_key, writes=False)


class Archive(RecordReader):
    """A read-only store with one record, read from an exported file."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path
        lines = self._lines()
        try:
            self.header = first = read_header(next(lines, b""))
        except ValueError as error:
            raise StoreError(f"{path} is not an exported record: line 1 cannot be read: {error}") from error
        if not 0 <= first.events < MAX_EVENTS:
            wrong = f"no record can have {first.events} events"
            raise StoreError(f"{path}: the head in line 1 cannot be read: {wrong}")
        if hashlib.sha256(first.text.encode()).hexdigest() != first.hash:
            raise StoreError(f"{path}: the rulebook text in line 1 does not match its hash")
        self.signed = _signed(first)
        record = self._records[first.stream] = Record(self.signed)
        self.secrets = record.secrets
        for raw in lines:
            # Unreadable lines are ignored here; `_numbered` returns them as entries without a chain.
            with suppress(ValueError):
                match read_line(raw):
                    case SecretLine(name=name, value=value):
                        record.secrets[name] = bytes.fromhex(value)
                    case SnapshotLine() as line:
                        record.snapshots[line.events] = Snapshot(_signed(line), line.body.encode())

    def _lines(self) -> Iterator[bytes]:
        try:
            with self._path.open("rb") as file:
                for raw in file:
                    # A last line without a newline may be cut off. This text makes it unreadable, so that
                    # it is reported even if the part that is there is valid JSON.
                    yield raw[:-1] if raw.endswith(b"\n") else raw + b" (no newline)"
        except OSError as error:
            raise StoreError(f"cannot read {self._path}: {error.strerror}") from error

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        raise StoreError(f"{self._path} is an exported record; import it into a store to continue it")

    def everything(self, stream: str) -> Iterator[StoredEntry]:
        if stream == self.header.stream:
            yield from (stored for _, stored in self._numbered())

    def _numbered(self) -> Iterator[tuple[int, StoredEntry]]:
        """Yield every entry with its line number. An unreadable line becomes an entry without a chain."""
        last = 0
        for number, raw in enumerate(self._lines(), 1):
            try:
                line = read_line(raw)
                if isinstance(line, EntryLine):
                    last = line.seq + line.count - 1
                    yield number, _stored(line)
                elif isinstance(line, Header) and number > 1:
                    raise ValueError("a second record begins here")
            except ValueError:
                yield number, StoredEntry(last + 1, 1, "", raw, b"", b"")

    def keyed(self, stream: str, key: str) -> StoredEntry | None:
        return next((stored for stored in self.entries(stream) if stored.key == key), None)

    def text(self, digest: str) -> str | None:
        # An export has only one rulebook text. Verification checks that it has the right digest.
        return self.header.text

    def line(self, seq: int) -> int:
        """Return the line number of an event. For a missing event, return the line where it should be."""
        ends, numbers = self._ends
        return numbers[min(bisect_left(ends, seq), len(ends) - 1)] if ends else 1

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        """The highest event number up to each entry, and the line number of each entry."""
        lines = [(stored.last, number) for number, stored in self._numbered()]
        return list(accumulate((last for last, _ in lines), max)), [number for _, number in lines]


class _EntryKey(msgspec.Struct, frozen=True):
    """The `key` field of an entry of a table's record or of a ledger."""

    key: str = ""


def _signed(line: Header | SnapshotLine) -> SignedHead:
    head = Head(line.events, bytes.fromhex(line.chain))
    return SignedHead(head, bytes.fromhex(line.signature), bytes.fromhex(line.key))


def _stored(line: EntryLine) -> StoredEntry:
    if not line.chain:
        raise ValueError("the entry has no chain")
    public = line.public.encode()
    try:
        key = msgspec.json.decode(public, type=_EntryKey).key
    except ValueError:
        key = ""
    return StoredEntry(line.seq, line.count, key, public, line.sealed.encode(), bytes.fromhex(line.chain))


def import_record(store: Store, archive: Archive) -> None:
    """Copy a verified record into a store.

    Raises StoreError if the store already has a record of that name.
    """
    stream, signed = archive.header.stream, archive.signed
    if store.head(stream) is not None:
        raise StoreError(f"{stream} is already in the store; import it into another store")
    text = archive.header.text
    texts = {archive.header.hash: text} if text else {}
    entries = tuple(archive.entries(stream))
    record = Batch(entries=entries, signed=signed, texts=texts, secrets=archive.secrets)
    store.append(stream, Head.first(stream), record)
    for at in archive.snapshots(stream):
        batch = Batch(entries=(), signed=signed, snapshot=archive.snapshot(stream, at))
        store.append(stream, signed.head, batch)
