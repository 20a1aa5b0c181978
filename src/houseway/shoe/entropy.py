"""Where seeds come from: the kernel for live games, a given seed for games that must repeat."""

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
        """Whether its bytes are secret, as a game that is not practice needs them."""

    def draw(self, count: int) -> bytes:
        """So many fresh bytes, or an EntropyError."""

    def named(self, name: str) -> Entropy:
        """The source for one thing: a game that repeats draws the same for it in every process."""


class Kernel:
    """The system's own generator, asked anew for every draw: nothing is kept that a fork could copy."""

    live: Final = True

    def draw(self, count: int) -> bytes:
        """So many bytes from the kernel."""
        try:
            drawn = os.urandom(count)
        except (OSError, NotImplementedError) as error:
            raise EntropyError(f"{SYSTEM} failed ({error}); no cards are shuffled without it") from error
        if len(drawn) != count:
            got = f"{len(drawn)} bytes of {count}"
            raise EntropyError(f"{SYSTEM} gave {got}; no cards are shuffled without them")
        return drawn

    def named(self, name: str) -> Kernel:
        """The kernel itself: what it draws never repeats, whatever it is for."""
        return self


class Seeded:
    """Bytes that repeat with their seed, for practice and tests; whoever knows the seed knows every card.

    A whole number is the same seed as its text, so `--seed 7` and 7 deal the same cards. Tables that share
    a seed take a name each.
    """

    live: Final = False

    def __init__(self, seed: bytes | str | int, name: str = "") -> None:
        self._seed = seed if isinstance(seed, bytes) else str(seed).encode()
        key = HKDF(SHA256(), KEY_BYTES, salt=None, info=_LABEL + name.encode()).derive(self._seed)
        self._bytes = chain.from_iterable(keystream(key, SEEDED_DRAWS, BLOCK))

    def draw(self, count: int) -> bytes:
        """The next bytes of the seed's stream."""
        return bytes(islice(self._bytes, count))

    def named(self, name: str) -> Seeded:
        """The same seed's stream for one thing, from its beginning."""
        return Seeded(self._seed, name)
