"""Sources of random bytes: the operating system for live games, a seed for repeatable games."""

from __future__ import annotations

import os
from itertools import chain, islice
from typing import Final, Protocol

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from houseway.shoe.keystream import BLOCK, KEY_BYTES, SEEDED_DRAWS, EntropyError, keystream

SYSTEM: Final = "the system's source of randomness"
_LABEL: Final = b"houseway seeded game 1\0"


class Entropy(Protocol):
    """A source of random bytes."""

    @property
    def live(self) -> bool:
        """True if its bytes are secret, as live games require."""

    def draw(self, count: int) -> bytes:
        """Return `count` fresh bytes; raise EntropyError if that fails."""

    def named(self, name: str) -> Entropy:
        """Return a source for one purpose. If seeded, it gives the same bytes in every process."""


class SystemEntropy:
    """The operating system's random generator. Each draw calls it, so a forked process gets other bytes."""

    live: Final = True

    def draw(self, count: int) -> bytes:
        """Return `count` bytes from the operating system."""
        try:
            data = os.urandom(count)
        except (OSError, NotImplementedError) as error:
            raise EntropyError(f"{SYSTEM} failed ({error}); cards cannot be shuffled without it") from error
        if len(data) != count:
            got = f"{len(data)} of {count} bytes"
            raise EntropyError(f"{SYSTEM} returned {got}; cards cannot be shuffled without them all")
        return data

    def named(self, name: str) -> SystemEntropy:
        """Return this source itself, because its bytes never repeat."""
        return self


class SeededEntropy:
    """Bytes derived from a seed, for practice and tests; anyone who knows the seed knows every card.

    A whole number and its text are the same seed, so `--seed 7` and 7 deal the same cards. Each table draws
    under its own name, so tables with the same seed deal different cards.
    """

    live: Final = False

    def __init__(self, seed: bytes | str | int, name: str = "") -> None:
        self._seed = seed if isinstance(seed, bytes) else str(seed).encode()
        key = HKDF(SHA256(), KEY_BYTES, salt=None, info=_LABEL + name.encode()).derive(self._seed)
        self._bytes = chain.from_iterable(keystream(key, SEEDED_DRAWS, BLOCK))

    def draw(self, count: int) -> bytes:
        """Return the next bytes of the seed's stream."""
        return bytes(islice(self._bytes, count))

    def named(self, name: str) -> SeededEntropy:
        """Return the stream of the same seed for this name, from its start."""
        return SeededEntropy(self._seed, name)
