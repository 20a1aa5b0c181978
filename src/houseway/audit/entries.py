"""An entry of a record: one command, what it led to, who gave it and when.

Events are numbered from 1 through the whole record; an entry bears the number of its first event. Its
public part is JSON, stored and hashed as written; the cards in it that not everybody may see stand in a
sealed part of its own, of which the public part holds the digest. So a record handed over without its
sealed parts still verifies.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

import msgspec

from houseway.engine.codec import AnyCommand, AnyEvent, apart, card_in, card_out, hidden_fields, whole
from houseway.engine.events import Cards

NONCE: Final = 16
"""Bytes of chance that keep a sealed part from being guessed out of its digest."""


class RecordEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A command and its events, as a record holds them."""

    seq: int
    """The number of its first event."""
    at: str
    """When, as the caller's clock said."""
    by: str
    """Who sent the command."""
    key: str = ""
    """The sender's own name for the command: sent again under it, it counts once."""
    engine: str
    """The version of houseway that decided it."""
    command: AnyCommand
    events: tuple[AnyEvent, ...]
    seal: str = ""
    """SHA-256 of nonce and sealed part; empty where nothing is hidden."""


class SealedPart(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The cards of an entry that not everybody may see."""

    nonce: str
    command: dict[str, Cards] = {}
    """By field of the command."""
    events: dict[int, dict[str, Cards]] = {}
    """By place among the entry's events, counted from 0, and field."""

    def fits(self, entry: RecordEntry) -> bool:
        """Whether these are cards that the entry hides."""
        return set(self.command) <= set(hidden_fields(entry.command)) and all(
            n < len(entry.events) and set(fields) <= set(hidden_fields(entry.events[n]))
            for n, fields in self.events.items()
        )


class Stored(msgspec.Struct, frozen=True):
    """An entry as a store keeps it: bytes, never written anew."""

    seq: int
    count: int
    """How many events it holds."""
    key: str
    public: bytes
    sealed: bytes
    """Empty where nothing is hidden, or where it was left out."""
    chain: bytes
    """SHA-256 of the chain before it and of its public part."""

    @property
    def last(self) -> int:
        """The number of its last event."""
        return self.seq + self.count - 1


_encoder = msgspec.json.Encoder(enc_hook=card_out)

read_public: Final = msgspec.json.Decoder(RecordEntry, dec_hook=card_in).decode
"""Return the entry of a public part, hidden cards missing; raises msgspec.DecodeError."""

read_sealed: Final = msgspec.json.Decoder(SealedPart, dec_hook=card_in).decode
"""Return the cards of a sealed part; raises msgspec.DecodeError."""


def start(stream: str) -> bytes:
    """The chain before the first entry: no entry of one record fits into another."""
    return hashlib.sha256(b"houseway record 1\0" + stream.encode()).digest()


def link(chain: bytes, public: bytes) -> bytes:
    """The chain after an entry."""
    return hashlib.sha256(chain + public).digest()


def digest(sealed: bytes) -> str:
    """What the public part holds of a sealed one."""
    return hashlib.sha256(sealed).hexdigest() if sealed else ""


def nonce(secret: bytes, seq: int) -> str:
    """The nonce of the sealed part of the entry numbered `seq`."""
    return hmac.digest(secret, seq.to_bytes(8, "big"), "sha256")[:NONCE].hex()


def compose(chain: bytes, secret: bytes, entry: RecordEntry) -> Stored:
    """An entry, hidden cards included, as a store keeps it behind a chain. `secret` is the record's own;
    nonces come from it."""
    command, hidden = apart(entry.command)
    parts = [apart(event) for event in entry.events]
    hidden_in_events = {n: cards for n, (_, cards) in enumerate(parts) if cards}
    sealed = b""
    if hidden or hidden_in_events:
        sealed = _encoder.encode(SealedPart(nonce(secret, entry.seq), hidden, hidden_in_events))
    events = tuple(event for event, _ in parts)
    shown = msgspec.structs.replace(entry, command=command, events=events, seal=digest(sealed))
    public = _encoder.encode(shown)
    return Stored(entry.seq, len(parts), entry.key, public, sealed, link(chain, public))


class SealError(ValueError):
    """A sealed part that is not the one its entry was written with."""


def read_entry(stored: Stored) -> RecordEntry:
    """The whole entry, hidden cards put back where they were kept; raises SealError where they are not
    those it was written with, and ValueError where it cannot be read."""
    entry = read_public(stored.public)
    if not stored.sealed:
        return entry
    if digest(stored.sealed) != entry.seal:
        raise SealError(f"the hidden cards of event {stored.seq} are not those it was written with")
    hidden = read_sealed(stored.sealed)
    events = tuple(whole(event, hidden.events.get(n, {})) for n, event in enumerate(entry.events))
    return msgspec.structs.replace(entry, command=whole(entry.command, hidden.command), events=events)
