"""A store that encrypts seeds and hidden cards with a key that can be kept on another disk.

The public part of a record is not encrypted, so the chain and the signatures do not depend on the key.
Values that were stored before the key was used stay unencrypted, and can still be read.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec.structs import replace

from houseway.audit.atomic_files import atomic_file
from houseway.audit.entries import StoredEntry
from houseway.audit.store import (
    Batch,
    DamagedError,
    Head,
    HouseStore,
    SignedHead,
    Snapshot,
    StoreError,
)

if TYPE_CHECKING:
    from houseway.audit.sql.class_rows import ClassRows
    from houseway.audit.sql.people_rows import PeopleRows

MARK: Final = b"hwsecret1\0"
"""The first bytes of every encrypted value.

The probability that a random seed starts with them is 2^-80.
"""
NONCE: Final = 12
KEY_BYTES: Final = 32
CHECK: Final = "secrets-key"
"""The name under which the store keeps the fingerprint of the key."""


def read_secrets_key(path: Path) -> bytes:
    """Return the key in a file. Raises StoreError if the file has no key, or if others can read it."""
    try:
        text = path.read_text(encoding="ascii")
        mode = path.stat().st_mode
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a key file"
        raise StoreError(
            f"the secrets key cannot be read from {path}: {reason}; restore it from a copy"
        ) from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise StoreError(f"other users can read the secrets key in {path}; run chmod 600 {path}")
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        sentence = f"{path} does not contain a secrets key of {2 * KEY_BYTES} hexadecimal digits"
        raise StoreError(f"{sentence}; restore it from a copy, or name another file")
    return key


def _new_key(path: Path) -> bytes:
    """Save a new key in a file that only its owner can read, and return the key."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), atomic_file(path, 0o600, new=True) as file:
            file.write(os.urandom(KEY_BYTES).hex().encode() + b"\n")
    except OSError as error:
        raise StoreError(f"the secrets key cannot be written to {path}: {error.strerror}") from error
    return read_secrets_key(path)


def _fingerprint(key: bytes) -> bytes:
    return hashlib.sha256(b"houseway secrets key 1\0" + key).digest()


def with_secrets_key(store: HouseStore, path: Path | None, *, writes: bool) -> HouseStore:
    """Return a store that decrypts the secrets of `store`. Without a key file, return `store` itself.

    If `writes`, new secrets are encrypted from now on, and a missing key file is created unless the store
    already uses a key. Raises StoreError if the store needs a key and the file does not have it.
    """
    try:
        return _unlocked(store, path, writes=writes)
    except StoreError:
        store.close()
        raise


def _unlocked(store: HouseStore, path: Path | None, *, writes: bool) -> HouseStore:
    known = store.kept_as(CHECK)
    if path is None:
        if known is not None:
            raise StoreError(
                f"the secrets in {store.where} are encrypted; name their key with --secrets-key FILE"
            )
        return store
    if known is None and not writes:
        raise StoreError(f"{store.where} has no encrypted secrets; leave out --secrets-key")
    if known is not None and not path.exists():
        raise StoreError(
            f"there is no secrets key in {path}; {store.where} needs it, so restore it from a copy"
        )
    key = _new_key(path) if writes and not path.exists() else read_secrets_key(path)
    if known is not None and known != _fingerprint(key):
        raise StoreError(f"{path} is not the secrets key of {store.where}; name the file with its key")
    if known is None:
        store.keep(CHECK, _fingerprint(key))
    return EncryptedStore(store, key)


class EncryptedStore:
    """Wraps a store, and encrypts secrets, sealed parts and snapshots with ChaCha20-Poly1305."""

    def __init__(self, inner: HouseStore, key: bytes) -> None:
        self._inner = inner
        self._cipher = ChaCha20Poly1305(key)
        self.where = inner.where

    def _encrypt(self, body: bytes, *place: str) -> bytes:
        """Return a value encrypted for its place, so that it cannot be moved to another place."""
        nonce = os.urandom(NONCE)
        return MARK + nonce + self._cipher.encrypt(nonce, body, _place(place))

    def _decrypt(self, body: bytes, *place: str) -> bytes:
        """Return a decrypted value. Raises DamagedError if it was changed. An unencrypted value is returned
        unchanged."""
        if not body.startswith(MARK):
            return body
        nonce, rest = body[len(MARK) :][:NONCE], body[len(MARK) + NONCE :]
        try:
            return self._cipher.decrypt(nonce, rest, _place(place))
        except (InvalidTag, ValueError) as error:
            name = " ".join(place)
            raise DamagedError(f"the encrypted value of {name} cannot be read with this key") from error

    # --- writing ---

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        """Encrypt the hidden parts of a batch, and append it durably."""
        self._inner.append(stream, after, self._hidden(stream, batch))

    def _hidden(self, stream: str, batch: Batch) -> Batch:
        entries = [
            replace(entry, sealed=self._encrypt(entry.sealed, stream, "sealed", str(entry.seq)))
            if entry.sealed
            else entry
            for entry in batch.entries
        ]
        secrets = {
            name: self._encrypt(body, stream, "secret", name) for name, body in batch.secrets.items()
        }
        snapshot = batch.snapshot
        if snapshot is not None:
            at = str(snapshot.signed.head.events)
            snapshot = replace(snapshot, body=self._encrypt(snapshot.body, stream, "snapshot", at))
        also = [(other, head, self._hidden(other, moved)) for other, head, moved in batch.also]
        return replace(batch, entries=entries, secrets=secrets, snapshot=snapshot, also=also)

    # --- reading ---

    def _shown(self, stream: str, entry: StoredEntry) -> StoredEntry:
        """Return an entry with its sealed part decrypted.

        A sealed part that was changed is returned as it is, so verification finds it.
        """
        try:
            return replace(entry, sealed=self._decrypt(entry.sealed, stream, "sealed", str(entry.seq)))
        except DamagedError:
            return entry

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        """Return the entries whose first event is numbered above `after`, in order, up to the head."""
        return (self._shown(stream, entry) for entry in self._inner.entries(stream, after))

    def everything(self, stream: str) -> Iterator[StoredEntry]:
        """Return all stored entries of a record in the order of their numbers, including any after the
        head."""
        return (self._shown(stream, entry) for entry in self._inner.everything(stream))

    def keyed(self, stream: str, key: str) -> StoredEntry | None:
        """Return the entry with this key, or None."""
        entry = self._inner.keyed(stream, key)
        return None if entry is None else self._shown(stream, entry)

    def secret(self, stream: str, name: str) -> bytes | None:
        """Return the secret of a record with this name, or None."""
        body = self._inner.secret(stream, name)
        return None if body is None else self._decrypt(body, stream, "secret", name)

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        """Return the snapshot at event `events`, by default the last snapshot, or None."""
        snapshot = self._inner.snapshot(stream, events)
        if snapshot is None:
            return None
        at = str(snapshot.signed.head.events)
        return replace(snapshot, body=self._decrypt(snapshot.body, stream, "snapshot", at))

    # --- unencrypted values ---

    def streams(self) -> list[str]:
        """Return the names of the records, sorted."""
        return self._inner.streams()

    def strays(self) -> list[str]:
        """Return the names that have stored data but no head."""
        return self._inner.strays()

    def head(self, stream: str) -> SignedHead | None:
        """Return the end of a record, or None if the store does not have it."""
        return self._inner.head(stream)

    def heads(self) -> dict[str, SignedHead]:
        """Return the end of every record by name. Records whose head cannot be read are left out."""
        return self._inner.heads()

    def text(self, digest: str) -> str | None:
        """Return the text with this SHA-256, or None."""
        return self._inner.text(digest)

    def snapshots(self, stream: str) -> list[int]:
        """Return the event numbers at which snapshots were taken, in order."""
        return self._inner.snapshots(stream)

    def keep(self, name: str, body: bytes) -> None:
        """Durably store one of the house's own values under a name, replacing any earlier value."""
        self._inner.keep(name, body)

    def kept(self) -> dict[str, bytes]:
        """Return all of the house's own values, by name."""
        return self._inner.kept()

    def people_rows(self) -> PeopleRows:
        """Return the rows for people. They have digests instead of tokens, so they need no encryption."""
        return self._inner.people_rows()

    def class_rows(self) -> ClassRows:
        """Return the rows for classes. The results of exams are not in them."""
        return self._inner.class_rows()

    def check(self) -> None:
        """Raise StoreError if this process cannot write now."""
        self._inner.check()

    def kept_as(self, name: str) -> bytes | None:
        """Return the house's own value with this name, or None."""
        return self._inner.kept_as(name)

    def close(self) -> None:
        """Close files and connections."""
        self._inner.close()


def _place(parts: tuple[str, ...]) -> bytes:
    """Return the associated data for a value: each part with its length, so that all places differ."""
    encoded = [part.encode() for part in parts]
    return b"".join(len(part).to_bytes(4) + part for part in encoded)
