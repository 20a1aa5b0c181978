"""An exported record read where it lies, and taken into a store."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from houseway.audit.entries import Stored, read_public
from houseway.audit.export import EntryLine, Header, SecretLine, SnapshotLine, read_header, read_line
from houseway.audit.memory_store import Record, RecordReader
from houseway.audit.store import MANY, Batch, Head, Signed, Snapshot, Store, StoreError
from houseway.audit.store_factory import open_store


def open_record(where: str) -> Store:
    """What is at a place, for reading: an exported file, or a store; StoreError where there is neither."""
    path = Path(where)
    try:
        with path.open("rb") as file:
            exported = file.read(1) == b"{"
    except (OSError, ValueError):
        exported = False
    return Archive(path) if exported else open_store(where, read_only=True)


class Archive(RecordReader):
    """An exported record, read where it lies; a store that nothing can be put into."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path = path
        lines = self._lines()
        try:
            self.header = first = read_header(next(lines, b""))
        except ValueError as error:
            sentence = f"line 1 is not the first line of an exported record: {error}"
            raise StoreError(f"{path}: {sentence}") from error
        if not 0 <= first.events < MANY:
            wrong = f"no record has {first.events} events"
            raise StoreError(f"{path}: line 1 holds a head that cannot be read: {wrong}")
        if hashlib.sha256(first.text.encode()).hexdigest() != first.hash:
            raise StoreError(f"{path}: line 1 holds a rulebook's text that is not the one of its hash")
        self.signed = _signed(first)
        record = self._records[first.stream] = Record(self.signed)
        self.secrets = record.secrets
        for raw in lines:
            # What cannot be read comes up again where its line is, among the entries.
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
                    whole = raw.endswith(b"\n")
                    yield raw[:-1] if whole else raw + b" (the line has no end)"
        except OSError as error:
            raise StoreError(f"cannot read {self._path}: {error.strerror}") from error

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        raise StoreError(f"{self._path} is an exported record; import it into a store to go on")

    def everything(self, stream: str) -> Iterator[Stored]:
        if stream == self.header.stream:
            yield from (stored for _, stored in self._numbered())

    def _numbered(self) -> Iterator[tuple[int, Stored]]:
        """Every entry with its line; one without a chain stands for a line that cannot be read."""
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
                yield number, Stored(last + 1, 1, "", raw, b"", b"")

    def keyed(self, stream: str, key: str) -> Stored | None:
        return next((stored for stored in self.entries(stream) if stored.key == key), None)

    def text(self, digest: str) -> str | None:
        # The one there is, whichever is asked for: that it is the right one, verifying finds out.
        return self.header.text

    def line(self, seq: int) -> int:
        """The line an event stands on, or should."""
        ends, numbers = self._ends
        return numbers[min(bisect_left(ends, seq), len(ends) - 1)] if ends else 1

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        """For each line with an entry, the last event told so far, and the line's number."""
        lines = [(stored.last, number) for number, stored in self._numbered()]
        return list(accumulate((last for last, _ in lines), max)), [number for _, number in lines]


def _signed(line: Header | SnapshotLine) -> Signed:
    head = Head(line.events, bytes.fromhex(line.chain))
    return Signed(head, bytes.fromhex(line.signature), bytes.fromhex(line.key))


def _stored(line: EntryLine) -> Stored:
    if not line.chain:
        raise ValueError("the entry has no chain")
    public = line.public.encode()
    try:
        key = read_public(public).key
    except ValueError:
        key = ""
    return Stored(line.seq, line.count, key, public, line.sealed.encode(), bytes.fromhex(line.chain))


def put_into(store: Store, archive: Archive) -> None:
    """Put a record that has been verified into a store; StoreError where it has one of that name."""
    stream, signed = archive.header.stream, archive.signed
    if store.head(stream) is not None:
        raise StoreError(f"{stream} is on record already; import it into another store")
    texts = {archive.header.hash: archive.header.text}
    entries = tuple(archive.entries(stream))
    whole = Batch(entries=entries, signed=signed, texts=texts, secrets=archive.secrets)
    store.append(stream, Head.first(stream), whole)
    for at in archive.snapshots(stream):
        taken = Batch(entries=(), signed=signed, snapshot=archive.snapshot(stream, at))
        store.append(stream, signed.head, taken)
