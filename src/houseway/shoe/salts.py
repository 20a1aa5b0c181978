"""The second shuffle of the sealed cards, keyed by the salts that players add before the deal (the
players' cut)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from houseway.shoe.keystream import KEY_BYTES, PLAYERS_CUT
from houseway.shoe.shoe import ShoeError
from houseway.shoe.shuffle import order

SALT_BYTES: Final = 16
SEATS: Final = 1 << 16
"""The number of different seats that two bytes can encode."""
_LABEL: Final = b"houseway players' cut 1\0"


def players_cut(salts: Mapping[int, bytes], root: str, shoe: str, size: int) -> tuple[int, ...]:
    """Return the new order of the cards left in the shoe, by index. Without salts, it is unchanged.

    Each salt is hashed with its seat number, so the order changes if two players swap their salts.
    """
    if not salts:
        return tuple(range(size))
    material = b""
    for seat, salt in sorted(salts.items()):
        if len(salt) != SALT_BYTES:
            raise ShoeError(f"seat {seat} must add {SALT_BYTES} bytes to the players' cut, not {len(salt)}")
        if not 0 <= seat < SEATS:
            raise ShoeError(f"a seat number must be 0 to {SEATS - 1}, not {seat}")
        material += seat.to_bytes(2) + salt
    info = _LABEL + shoe.encode()
    key = HKDF(SHA256(), KEY_BYTES, salt=bytes.fromhex(root), info=info).derive(material)
    return order(key, size, PLAYERS_CUT)
