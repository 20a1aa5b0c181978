"""Entries of personal streams: the training results of one person, encrypted with that person's key.

A personal stream is a signed hash chain like the record of a table. The public part of an entry has only
its number, the number of its key, and how much the person has stored. Its kind, time and body are in the
sealed part, which is encrypted with ChaCha20-Poly1305. The chain covers the digest of the sealed part.

To erase a stream, the house deletes the key and the sealed parts, and appends a tombstone. The public parts
stay as they are, so the chain and its signed heads still verify. Entries after a tombstone have a new key.
"""

from __future__ import annotations

import hmac
import os
from typing import Any, Final

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from houseway import __version__
from houseway.audit.entries import StoredEntry, digest, link, require_version
from houseway.audit.store import Head

VERSION: Final = 1
"""The version of the names and fields of entries."""
KEY_BYTES: Final = 32
NONCE: Final = 12
KINDS: Final = {
    "drill": 1,
    "training": 1,
    "exam": 1,
    "certificate": 1,
    "find": 1,
    "practice": 1,
    "review": 1,
    "rating": 1,
    "lesson": 1,
    "rounds": 1,
}
"""The kinds of progress, each with the newest format of its body."""


class ProgressAdded(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Progress was added. Its content is in the sealed part."""


class ProgressErased(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A tombstone: the key and the sealed parts of all earlier entries were deleted."""

    at: str
    by: str
    """The sender of the request: "person" or "operator"."""
    attempts: int = 0
    """The number of exams that were started and are erased."""


class PersonalEntry(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The public part of an entry, as it is stored."""

    version: int = 1
    seq: int
    engine: str
    number: int
    """The number of the person's key; 1 until the first tombstone. A tombstone has the number of the key
    that was deleted."""
    entries: int = 0
    """The entries since the last tombstone, with this one."""
    bytes: int = 0
    """The bytes in the sealed parts of these entries."""
    key: str = ""
    """A digest of the sender's key for the entry. Progress that is sent twice with the same key counts
    once."""
    seal: str = ""
    """SHA-256 of the sealed part."""
    events: tuple[ProgressAdded | ProgressErased]


class SealedProgress(msgspec.Struct, frozen=True, kw_only=True):
    """The sealed part of an entry."""

    at: str
    kind: str
    format: int
    """The format of the body."""
    body: Any
    """A JSON object, or the text of a file."""


encode_personal_entry: Final = msgspec.json.Encoder().encode
"""Return the public part of an entry as it is stored."""
_decode = msgspec.json.Decoder(PersonalEntry).decode
_encode_progress = msgspec.json.Encoder().encode
_decode_progress = msgspec.json.Decoder(SealedProgress).decode


def read_personal_entry(public: bytes) -> PersonalEntry:
    """Return the public part of an entry. Raises ValueError if it cannot be read, or if it is from a newer
    houseway."""
    require_version(public, VERSION)
    return _decode(public)


def key_name(number: int) -> str:
    """Return the name under which the store has a person's key."""
    return f"key {number}"


def new_key() -> bytes:
    """Return a new random key."""
    return os.urandom(KEY_BYTES)


def once_digest(key: bytes, text: str) -> str:
    """Return the digest of a sender's key, as it is stored.

    It needs the person's key, so it reveals nothing after the key is deleted.
    """
    return hmac.digest(key, b"houseway progress key 1\0" + text.encode(), "sha256").hex()


def _place(stream: str, number: int, seq: int) -> bytes:
    """Return the associated data of a sealed part, so that it cannot be moved to another place."""
    return b"houseway progress 1\0" + number.to_bytes(8, "big") + seq.to_bytes(8, "big") + stream.encode()


def seal(stream: str, key: bytes, number: int, seq: int, progress: SealedProgress) -> bytes:
    """Return the sealed part of an entry."""
    nonce = os.urandom(NONCE)
    text = _encode_progress(progress)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, text, _place(stream, number, seq))


def unseal(stream: str, key: bytes, number: int, seq: int, sealed: bytes) -> SealedProgress:
    """Return the content of a sealed part. Raises ValueError if it was changed or cannot be read."""
    try:
        text = ChaCha20Poly1305(key).decrypt(sealed[:NONCE], sealed[NONCE:], _place(stream, number, seq))
    except InvalidTag as error:
        raise ValueError("its sealed part was changed, or is from another entry") from error
    progress = _decode_progress(text)
    known = KINDS.get(progress.kind)
    if known is None or progress.format > known:
        what = f"{progress.kind!r} with format {progress.format}"
        raise ValueError(f"it is {what}, which this houseway does not know; update houseway")
    return progress


def compose_personal(
    after: Head,
    number: int,
    event: ProgressAdded | ProgressErased,
    *,
    entries: int = 0,
    size: int = 0,
    sealed: bytes = b"",
    key: str = "",
) -> StoredEntry:
    """Return an entry in stored form, linked to a head."""
    entry = PersonalEntry(
        seq=after.events + 1,
        engine=__version__,
        number=number,
        entries=entries,
        bytes=size,
        key=key,
        seal=digest(sealed),
        events=(event,),
    )
    public = encode_personal_entry(entry)
    return StoredEntry(entry.seq, 1, key, public, sealed, link(after.chain, public))
