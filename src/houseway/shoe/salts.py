"""The players' cut: bytes the players add after the seal and before the deal decide how the shoe is cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from houseway.shoe.interface import ShoeError
from houseway.shoe.keystream import KEY_BYTES, PLAYERS_CUT
from houseway.shoe.shuffle import order

SALT_BYTES: Final = 16
SEATS: Final = 1 << 16
"""The numbers that two bytes tell apart."""
_LABEL: Final = b"houseway players' cut 1\0"


def players_cut(salts: Mapping[int, bytes], root: str, shoe: str, size: int) -> tuple[int, ...]:
    """Which of the cards left in the shoe comes first, which second and so on; as they lie without salts.

    Seat numbers go with their salts, so no two seats can exchange theirs.
    """
    if not salts:
        return tuple(range(size))
    given = b""
    for seat, salt in sorted(salts.items()):
        if len(salt) != SALT_BYTES:
            raise ShoeError(f"seat {seat} adds {SALT_BYTES} bytes to the players' cut, not {len(salt)}")
        if not 0 <= seat < SEATS:
            raise ShoeError(f"a seat is numbered 0 to {SEATS - 1}, not {seat}")
        given += seat.to_bytes(2) + salt
    info = _LABEL + shoe.encode()
    key = HKDF(SHA256(), KEY_BYTES, salt=bytes.fromhex(root), info=info).derive(given)
    return order(key, size, PLAYERS_CUT)
