"""An exported record read where it lies, and taken into a store."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from houseway.audit.entries import Stored, read_public
from houseway.audit.export import (
    FORMAT,
    VERSION,
    EntryLine,
    Header,
    SecretLine,
    SnapshotLine,
    read_line,
)
from houseway.audit.opening import open_store
from houseway.audit.store import MANY, Batch, Head, Signed, Snapshot, Store, StoreError
from houseway.audit.verify import Progress, Report, verify


def open_record(where: str) -> Store:
    """What is at a place, for reading: an exported file, or a store; StoreError where there is neither."""
    path = Path(where)
    try:
        with path.open("rb") as file:
            exported = file.read(1) == b"{"
    except (OSError, ValueError):
        exported = False
    return Archive(path) if exported else open_store(where, read_only=True)


class Archive:
    """An exported record, read where it lies; a store that nothing can be put into."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.where = str(path)
        self.secrets: dict[str, bytes] = {}
        self._snapshots: dict[int, Snapshot] = {}
        lines = self._lines()
        try:
            first = read_line(next(lines, b""))
        except ValueError as error:
            raise StoreError(
                f"{path}: line 1 is not the first line of an exported record: {error}"
            ) from error
        if not isinstance(first, Header) or first.format != FORMAT:
            raise StoreError(f"{path}: line 1 is not the first line of an exported record")
        if first.version != VERSION:
            raise StoreError(f"{path} has version {first.version}; this houseway reads version {VERSION}")
        self.header = first
        try:
            self.signed = _signed(first)
        except ValueError as error:
            raise StoreError(f"{path}: line 1 holds a head that cannot be read: {error}") from error
        if hashlib.sha256(first.text.encode()).hexdigest() != first.hash:
            raise StoreError(f"{path}: line 1 holds a rulebook's text that is not the one of its hash")
        for raw in lines:
            self._keep(raw)

    def _keep(self, raw: bytes) -> None:
        try:
            match read_line(raw):
                case SecretLine(name=name, value=value):
                    self.secrets[name] = _unhex(value)
                case SnapshotLine() as line:
                    self._snapshots[line.events] = Snapshot(_signed(line), line.body.encode())
        except ValueError:
            # What cannot be read comes up again where its line is, among the entries.
            return

    def _lines(self) -> Iterator[bytes]:
        try:
            with self._path.open("rb") as file:
                for raw in file:
                    yield (
                        raw.removesuffix(b"\n") if raw.endswith(b"\n") else raw + b" (the line has no end)"
                    )
        except OSError as error:
            raise StoreError(f"cannot read {self._path}: {error.strerror}") from error

    def streams(self) -> list[str]:
        return [self.header.stream]

    def strays(self) -> list[str]:
        return []

    def head(self, stream: str) -> Signed | None:
        return self.signed if stream == self.header.stream else None

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        raise StoreError(f"{self._path} is an exported record; import it into a store to go on")

    def entries(self, stream: str, after: int = 0) -> Iterator[Stored]:
        if stream == self.header.stream:
            yield from (stored for _, stored in self.numbered() if stored.seq > after)

    def numbered(self) -> Iterator[tuple[int, Stored]]:
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
                elif isinstance(line, SnapshotLine):
                    _signed(line)
                elif isinstance(line, SecretLine):
                    _unhex(line.value)
            except ValueError:
                yield number, Stored(last + 1, 1, "", raw, b"", b"")

    def everything(self, stream: str) -> Iterator[Stored]:
        if stream == self.header.stream:
            yield from (stored for _, stored in self.numbered())

    def keyed(self, stream: str, key: str) -> Stored | None:
        return next((stored for stored in self.entries(stream) if stored.key == key), None)

    def text(self, digest: str) -> str | None:
        # The one there is, whichever is asked for: that it is the right one, verifying finds out.
        return self.header.text

    def secret(self, stream: str, name: str) -> bytes | None:
        return self.secrets.get(name) if stream == self.header.stream else None

    def snapshots(self, stream: str) -> list[int]:
        return sorted(self._snapshots) if stream == self.header.stream else []

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        taken = self.snapshots(stream)
        return self._snapshots.get(taken[-1] if events is None else events) if taken else None

    def line(self, seq: int) -> int:
        """The line an event stands on, or should."""
        ends, numbers = self._ends
        return numbers[min(bisect_left(ends, seq), len(ends) - 1)] if ends else 1

    @cached_property
    def _ends(self) -> tuple[list[int], list[int]]:
        """For each line with an entry, the last event told so far, and the line's number."""
        lines = [(stored.last, number) for number, stored in self.numbered()]
        return list(accumulate((last for last, _ in lines), max)), [number for _, number in lines]

    def close(self) -> None:
        """Nothing is held open."""


def _signed(line: Header | SnapshotLine) -> Signed:
    if not 0 <= line.events < MANY:
        raise ValueError(f"no record has {line.events} events")
    head = Head(line.events, _unhex(line.chain))
    return Signed(head, _unhex(line.signature), _unhex(line.key))


def _unhex(text: str) -> bytes:
    found = bytes.fromhex(text)
    if found.hex() != text:
        raise ValueError("hexadecimal digits are written small, without spaces")
    return found


def _stored(line: EntryLine) -> Stored:
    public = line.public.encode()
    chain = _unhex(line.chain)
    if not chain:
        raise ValueError("the entry has no chain")
    try:
        key = read_public(public).key
    except ValueError:
        key = ""
    return Stored(line.seq, line.count, key, public, line.sealed.encode(), chain)


def take_in(archive: Archive, store: Store, progress: Progress | None = None) -> Report:
    """Verify an exported record and put it into a store; one that is not sound, as the report then says,
    stays outside."""
    report = verify(archive, archive.header.stream, progress=progress)
    if report.sound:
        put_into(store, archive)
    return report


def put_into(store: Store, archive: Archive) -> None:
    """Put a record that has been verified into a store; StoreError where it has one of that name."""
    stream, signed = archive.header.stream, archive.signed
    if store.head(stream) is not None:
        raise StoreError(f"{stream} is on record already; import it into another store")
    texts = {archive.header.hash: archive.header.text}
    whole = Batch(
        entries=tuple(archive.entries(stream)), signed=signed, texts=texts, secrets=archive.secrets
    )
    store.append(stream, Head.first(stream), whole)
    for at in archive.snapshots(stream):
        taken = Batch(entries=(), signed=signed, snapshot=archive.snapshot(stream, at))
        store.append(stream, signed.head, taken)
