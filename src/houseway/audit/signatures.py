"""The house's signatures of heads, of snapshots, and of changes of its key."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from houseway.audit.atomic_files import atomic_file
from houseway.audit.store import Head, SignedHead, Snapshot, StoreError

OTHERS: Final = 0o077
"""The permissions of users other than the owner of a file."""


class Signer:
    """Signs heads with the house's key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def kept(cls, path: Path) -> Signer:
        """Return the signer with the key in a file.

        If the file does not exist, a new key is generated and saved there, readable only by its owner.
        Raises StoreError if the file contains no key, or if other users may read it.
        """
        if not path.exists():
            with suppress(FileExistsError), atomic_file(path, 0o600, new=True) as file:
                file.write(os.urandom(32).hex().encode() + b"\n")
        if os.name == "posix" and path.stat().st_mode & OTHERS:
            raise StoreError(
                f"other users of this machine may use the key in {path}; run: chmod 600 {path}"
            )
        try:
            return cls(bytes.fromhex(path.read_text(encoding="ascii")))
        except ValueError as error:
            help_ = (
                "restore the key from a copy, or move the file away to start new records under a new key"
            )
            raise StoreError(f"{path} does not contain a key of 64 hexadecimal digits; {help_}") from error

    def head(self, stream: str, head: Head) -> SignedHead:
        """Sign a head."""
        return SignedHead(head, self._key.sign(_message(stream, head)), self.public)

    def snapshot(self, stream: str, head: Head, body: bytes) -> Snapshot:
        """Sign a snapshot together with its head."""
        return Snapshot(SignedHead(head, self._key.sign(_message(stream, head, body)), self.public), body)

    def secret(self, purpose: str) -> str:
        """Return a secret of 64 hexadecimal digits that depends only on the key and the purpose."""
        return hashlib.sha256(self._key.sign(b"houseway secret\0" + purpose.encode())).hexdigest()

    def key_change(self, old: bytes, new: bytes) -> bytes:
        """Sign the change from one key of the house to another."""
        return self._key.sign(_key_change(old, new))


def is_key_change(key: bytes, old: bytes, new: bytes, signature: bytes) -> bool:
    """True if `signature` is a valid signature of the change from `old` to `new`, made with `key`."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _key_change(old, new))
    except (InvalidSignature, ValueError):
        return False
    return True


def is_genuine(stream: str, signed: SignedHead, body: bytes = b"") -> bool:
    """True if the signature of a head, or of a snapshot with this body, is valid."""
    try:
        key = Ed25519PublicKey.from_public_bytes(signed.key)
        key.verify(signed.signature, _message(stream, signed.head, body))
    except (InvalidSignature, ValueError, OverflowError, TypeError):
        return False
    return True


def _key_change(old: bytes, new: bytes) -> bytes:
    return b"\0".join((b"houseway key 1", old, new))


def _message(stream: str, head: Head, body: bytes = b"") -> bytes:
    """Return the bytes to sign: the record's name, number of events, chain, and the snapshot's digest."""
    of_body = hashlib.sha256(body).digest() if body else b""
    of_head = head.events.to_bytes(8, "big") + head.chain
    return b"\0".join((b"houseway head 1", stream.encode(), of_head + of_body))
