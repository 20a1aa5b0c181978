"""The keystream behind every shuffle: ChaCha20 with a 256-bit key and a nonce for each purpose."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher, CipherContext
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

KEY_BYTES: Final = 32
BLOCK: Final = 64

# One key has several purposes. Each has its own ChaCha20 nonce, so no byte is used twice.
CARD_ORDER: Final = b"card order 1"
LEAF_NONCES: Final = b"leaf nonce 1"
PLAYERS_CUT: Final = b"player cut 1"
SEEDED_DRAWS: Final = b"seed draws 1"

# RFC 8439, 2.4.2: the first keystream block (counter 1) of the published encryption example.
_KNOWN_KEY: Final = bytes(range(32))
_KNOWN_NONCE: Final = bytes.fromhex("000000000000004a00000000")
_KNOWN_BLOCK: Final = bytes.fromhex(
    "224f51f3401bd9e12fde276fb8631ded8c131f823d2c06e27e4fcaec9ef3cf78"
    "8a3b0aa372600a92b57974cded2b9334794cba40c63e34cdea212c4cf07d41b7"
)


class EntropyError(RuntimeError):
    """The source of randomness cannot be trusted, so no table may open."""


def _cipher(key: bytes, nonce: bytes, block: int) -> CipherContext:
    return Cipher(ChaCha20(key, block.to_bytes(4, "little") + nonce), mode=None).encryptor()


@cache
def self_test() -> None:
    """Check the keystream against its published example, once per process, before the first shuffle."""
    if _cipher(_KNOWN_KEY, _KNOWN_NONCE, 1).update(bytes(BLOCK)) != _KNOWN_BLOCK:
        wrong = "ChaCha20 does not produce the keystream published in RFC 8439"
        help_ = "no cards can be shuffled; reinstall the cryptography package"
        raise EntropyError(f"{wrong}; {help_}")


def keystream(key: bytes, purpose: bytes, chunk: int) -> Iterator[bytes]:
    """Yield the endless keystream of a key and a purpose, in chunks of `chunk` bytes."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"the seed of a shuffle must have {KEY_BYTES} bytes, not {len(key)}")
    self_test()
    cipher = _cipher(key, purpose, 0)
    zeros = bytes(chunk)
    while True:
        yield cipher.update(zeros)
