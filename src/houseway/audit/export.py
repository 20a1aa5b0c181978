"""Export a record as JSON lines.

The first line describes the record and has its signed head. Each entry follows on its own line, with its
public part exactly as it was hashed. A sealed part is included only if the role may see all of it. With the
house's secrets added, the table can be continued in another store.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Annotated, Any, Final

import msgspec

from houseway.audit.record_header import NONCES, recorded_book, recorded_entry, recorded_opening, unreadable
from houseway.audit.roles import HOUSE, RAIL, visible_parts
from houseway.audit.store import MAX_EVENTS, SignedHead, Store, StoreError
from houseway.audit.streams import is_table
from houseway.engine import events as e
from houseway.shoe import shoe_id

FORMAT: Final = "houseway record"
VERSION: Final = 1


Hex = Annotated[str, msgspec.Meta(pattern=r"\A(?:[0-9a-f]{2})*\Z")]
"""Bytes as hexadecimal digits. Only lowercase is allowed, so that there is only one way to write them."""


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="line", forbid_unknown_fields=True):
    """One line of an export."""


class Header(_Line, frozen=True, tag="record"):
    """The name and rulebook of the record, and its signed head."""

    format: str
    version: int
    stream: str
    hash: str
    """SHA-256 of the rulebook's text."""
    text: str
    """The rulebook's text; empty for a ledger."""
    events: int
    chain: Hex
    signature: Hex
    key: Hex


class EntryLine(_Line, frozen=True, tag="entry", omit_defaults=True):
    """One entry of the record."""

    seq: int
    count: int
    public: str
    chain: Hex
    sealed: str = ""


class SecretLine(_Line, frozen=True, tag="secret"):
    """A value that only the house may know."""

    name: str
    value: Hex


class SnapshotLine(_Line, frozen=True, tag="snapshot"):
    """A snapshot. It contains hidden cards."""

    events: Annotated[int, msgspec.Meta(ge=0, le=MAX_EVENTS - 1)]
    chain: Hex
    signature: Hex
    key: Hex
    body: str


Line = Header | EntryLine | SecretLine | SnapshotLine

_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def export_lines(store: Store, stream: str, role: str = RAIL, *, secrets: bool = False) -> Iterator[bytes]:
    """Yield the lines of an export for a role. With `secrets`, all sealed parts, seeds and snapshots are
    included."""
    if role == HOUSE and not secrets:
        raise ValueError(f"{HOUSE!r} is not a role to export for; pass secrets=True instead")
    for line in _lines(store, stream, HOUSE if secrets else role):
        yield _encode(line) + b"\n"


def _lines(store: Store, stream: str, role: str) -> Iterator[Line]:
    signed = store.head(stream)
    if signed is None:
        known = ", ".join(store.streams()) or "no records"
        raise StoreError(f"there is no record of {stream}; the store has {known}")
    yield _header(store, stream, signed)
    # Ledgers and the house log have no cards and no shoes.
    parts = visible_parts(store, stream, role) if is_table(stream) else set()
    names = [NONCES]
    for stored in store.entries(stream):
        name = f"event {stored.seq}"
        if not stored.chain:
            raise unreadable(name, "the stored row is not an entry")
        public = _text(stored.public, name)
        sealed = _text(stored.sealed, name) if stored.seq in parts else ""
        chain = stored.chain.hex()
        yield EntryLine(seq=stored.seq, count=stored.count, public=public, chain=chain, sealed=sealed)
        shoes = role == HOUSE and is_table(stream)
        for event in recorded_entry(stored, hidden=False).events if shoes else ():
            if isinstance(event, e.DeckShuffled):
                # The list starts with NONCES, so its length is the number of this shuffle, counted from 1.
                names.append(shoe_id(stream, len(names), event.deck))
    if role == HOUSE:
        yield from _secret_lines(store, stream, names)


def _header(store: Store, stream: str, signed: SignedHead) -> Header:
    first = next(iter(store.entries(stream)), None)
    if first is None:
        raise StoreError(f"{stream} has no entries to export")
    if not is_table(stream):
        text, digest = "", hashlib.sha256(b"").hexdigest()
    else:
        opened = recorded_opening(recorded_entry(first, hidden=False))
        text, digest = recorded_book(store, opened).text, opened.hash
    return Header(
        format=FORMAT, version=VERSION, stream=stream, hash=digest, text=text, **_head_fields(signed)
    )


def _head_fields(signed: SignedHead) -> dict[str, Any]:
    """Return the fields of a signed head, for header and snapshot lines."""
    parts = {"chain": signed.head.chain, "signature": signed.signature, "key": signed.key}
    return {"events": signed.head.events} | {name: part.hex() for name, part in parts.items()}


def _secret_lines(store: Store, stream: str, names: list[str]) -> Iterator[Line]:
    for name in names:
        if (value := store.secret(stream, name)) is not None:
            yield SecretLine(name=name, value=value.hex())
    for at in store.snapshots(stream):
        if (snapshot := store.snapshot(stream, at)) is not None:
            body = _text(snapshot.body, f"the snapshot at event {at}")
            yield SnapshotLine(**_head_fields(snapshot.signed), body=body)


def _text(part: bytes, name: str) -> str:
    try:
        return part.decode()
    except UnicodeError as error:
        raise unreadable(name, str(error)) from error


def read_line(raw: bytes) -> Line:
    """Parse a line. Raises ValueError unless the line is byte for byte as an export writes it, so that no
    change goes unnoticed."""
    line = _decoder.decode(raw)
    if _encode(line) != raw:
        raise ValueError("it is not formatted as an export writes it")
    return line


def read_header(raw: bytes) -> Header:
    """Parse the first line of an export. Raises ValueError if that fails."""
    line = read_line(raw)
    if not isinstance(line, Header) or line.format != FORMAT:
        raise ValueError(f"it is not the header of a {FORMAT}")
    if line.version != VERSION:
        raise ValueError(f"it has version {line.version}; this houseway reads version {VERSION}")
    return line
