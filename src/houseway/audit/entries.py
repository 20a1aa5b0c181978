"""An entry of a record: one command, its events, its sender and its time.

Events are numbered from 1 through the whole record; an entry has the number of its first event. The public
part of an entry is JSON. It is stored and hashed as it was written. Cards that not everyone may see are in
a separate sealed part, and the public part has the digest of the sealed part. So a record can be verified
without its sealed parts.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

import msgspec

from houseway.engine.codec import (
    AnyCommand,
    AnyEvent,
    decode_card,
    encode_card,
    hidden_fields,
    hide,
    unhide,
)
from houseway.engine.events import Cards

NONCE: Final = 16
"""The number of random bytes in a sealed part. They prevent guessing the cards from the digest."""


class RecordEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A command and its events, as they are stored in a record."""

    seq: int
    """The number of the entry's first event."""
    at: str
    """The time of the entry. It is never earlier than the time of the entry before it."""
    clock: str = ""
    """The time on the clock, if the clock was behind the entry before.

    `at` then repeats that entry's time.
    """
    by: str
    """The sender of the command."""
    key: str = ""
    """The sender's key for the command. A command that is sent twice with the same key counts once."""
    engine: str
    """The version of houseway that wrote the entry."""
    fence: int = 0
    """The fencing number of the lease under which a server wrote the entry; 0 if only one server uses the
    store. It never decreases within a record."""
    command: AnyCommand
    events: tuple[AnyEvent, ...]
    seal: str = ""
    """SHA-256 of the sealed part; empty if nothing is hidden."""
    log: int = 0
    """In the first entry, the number of the house log's event that opened the table; 0 if there was no
    house log."""


class SealedPart(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The hidden cards of an entry."""

    nonce: str
    command: dict[str, Cards] = {}
    """The hidden cards of each field of the command."""
    events: dict[int, dict[str, Cards]] = {}
    """The hidden cards of each field of each event. Events are counted from 0 within the entry."""

    def fits(self, entry: RecordEntry) -> bool:
        """True if the sealed part has cards only for fields that the entry hides."""
        return set(self.command) <= set(hidden_fields(entry.command)) and all(
            n < len(entry.events) and set(fields) <= set(hidden_fields(entry.events[n]))
            for n, fields in self.events.items()
        )


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry as it is stored: bytes that are never rewritten."""

    seq: int
    count: int
    """The number of its events."""
    key: str
    public: bytes
    sealed: bytes
    """The sealed part; empty if nothing is hidden, or if an export left the part out."""
    chain: bytes
    """SHA-256 of the previous chain and the public part."""

    @property
    def last(self) -> int:
        """The number of its last event."""
        return self.seq + self.count - 1


_encoder = msgspec.json.Encoder(enc_hook=encode_card)

read_public: Final = msgspec.json.Decoder(RecordEntry, dec_hook=decode_card).decode
"""Decode a public part into an entry without its hidden cards. Raises msgspec.DecodeError if that fails."""

read_sealed: Final = msgspec.json.Decoder(SealedPart, dec_hook=decode_card).decode
"""Decode the hidden cards of a sealed part. Raises msgspec.DecodeError if that fails."""


def start(stream: str) -> bytes:
    """Return the chain before the first entry.

    It depends on the record's name, so an entry cannot be moved to another record.
    """
    return hashlib.sha256(b"houseway record 1\0" + stream.encode()).digest()


def link(chain: bytes, public: bytes) -> bytes:
    """Return the chain after an entry."""
    return hashlib.sha256(chain + public).digest()


def digest(sealed: bytes) -> str:
    """Return the digest of a sealed part; empty for an empty part."""
    return hashlib.sha256(sealed).hexdigest() if sealed else ""


def nonce(secret: bytes, seq: int) -> str:
    """Return the nonce for the sealed part of the entry numbered `seq`."""
    return hmac.digest(secret, seq.to_bytes(8, "big"), "sha256")[:NONCE].hex()


def compose(chain: bytes, secret: bytes, entry: RecordEntry) -> StoredEntry:
    """Convert an entry with its hidden cards to stored form, linked to `chain`.

    `secret` belongs to the record; nonces are derived from it.
    """
    command, hidden = hide(entry.command)
    parts = [hide(event) for event in entry.events]
    hidden_in_events = {n: cards for n, (_, cards) in enumerate(parts) if cards}
    sealed = b""
    if hidden or hidden_in_events:
        sealed = _encoder.encode(SealedPart(nonce(secret, entry.seq), hidden, hidden_in_events))
    events = tuple(event for event, _ in parts)
    shown = msgspec.structs.replace(entry, command=command, events=events, seal=digest(sealed))
    public = _encoder.encode(shown)
    return StoredEntry(entry.seq, len(parts), entry.key, public, sealed, link(chain, public))


class _Version(msgspec.Struct, frozen=True):
    version: int = 1


def require_version(public: bytes, known: int) -> None:
    """Raise ValueError if an entry has a version above `known`: only a newer houseway can read it."""
    version = msgspec.json.decode(public, type=_Version).version
    if version > known:
        raise ValueError(f"it has version {version}; this houseway reads version {known}")


class SealError(ValueError):
    """Raised if a sealed part does not belong to its entry."""


def read_entry(stored: StoredEntry) -> RecordEntry:
    """Return the whole entry, with its hidden cards if they were stored.

    Raises SealError if the hidden cards are not those that the entry was written with, and ValueError if
    the entry cannot be read.
    """
    entry = read_public(stored.public)
    if not stored.sealed:
        return entry
    if digest(stored.sealed) != entry.seal:
        raise SealError(f"the hidden cards of event {stored.seq} are not those it was written with")
    hidden = read_sealed(stored.sealed)
    events = tuple(unhide(event, hidden.events.get(n, {})) for n, event in enumerate(entry.events))
    return msgspec.structs.replace(entry, command=unhide(entry.command, hidden.command), events=events)
