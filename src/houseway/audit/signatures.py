"""The house's signature under the head of a record."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from houseway.audit.atomic_files import whole_file
from houseway.audit.store import Head, Signed, Snapshot, StoreError


class Signer:
    """Signs heads with the house's key."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    @classmethod
    def kept(cls, path: Path) -> Signer:
        """The signer whose key a file holds; the first time the key is drawn and the file written, for
        its owner alone. StoreError where the file holds no key."""
        if not path.exists():
            with suppress(FileExistsError), whole_file(path, 0o600, new=True) as file:
                file.write(os.urandom(32).hex().encode() + b"\n")
        try:
            return cls(bytes.fromhex(path.read_text(encoding="ascii")))
        except ValueError as error:
            help_ = (
                "put a copy of the key back, or move the file away and begin new records under a new key"
            )
            raise StoreError(f"{path} does not hold a key of 64 hexadecimal digits; {help_}") from error

    def head(self, stream: str, head: Head) -> Signed:
        """A head, signed."""
        return Signed(head, self._key.sign(_words(stream, head)), self.public)

    def snapshot(self, stream: str, head: Head, body: bytes) -> Snapshot:
        """A snapshot, signed together with its head."""
        return Snapshot(Signed(head, self._key.sign(_words(stream, head, body)), self.public), body)


def genuine(stream: str, signed: Signed, body: bytes = b"") -> bool:
    """Whether a signature is that of its key, over this head and, for a snapshot, this body."""
    try:
        key = Ed25519PublicKey.from_public_bytes(signed.key)
        key.verify(signed.signature, _words(stream, signed.head, body))
    except (InvalidSignature, ValueError, OverflowError, TypeError):
        return False
    return True


def _words(stream: str, head: Head, body: bytes = b"") -> bytes:
    """What is signed: of which record, how many events, the chain over them, the snapshot's digest."""
    of_body = hashlib.sha256(body).digest() if body else b""
    of_head = head.events.to_bytes(8, "big") + head.chain
    return b"\0".join((b"houseway head 1", stream.encode(), of_head + of_body))
