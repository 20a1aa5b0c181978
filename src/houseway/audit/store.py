"""Where records are kept: what every store promises, and what it refuses.

A batch is on record as a whole or not at all, and durable before `append` returns. A store keeps bytes: it
knows nothing of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from houseway.audit.entries import Stored, start
from houseway.errors import InputError

MANY: Final = 1 << 63
"""More events than any record has: numbers are kept in eight bytes with a sign."""


class StoreError(InputError):
    """A store that cannot do what was asked; the sentence says what would help.

    From `append`, and neither of the two below: whether the batch is on record, only the record can say.
    """


class MovedError(StoreError):
    """Somebody else wrote to the record meanwhile; nothing of the batch was kept."""


class DoubleKeyError(StoreError):
    """A key stands on the record already; nothing of the batch was kept."""


class OwnedError(StoreError):
    """Another process writes to the store: it has one owner at a time."""


class DamagedError(StoreError):
    """What is kept is nothing that was ever put there."""


class Head(msgspec.Struct, frozen=True):
    """Where a record ends: how many events it holds and the chain over them."""

    events: int
    chain: bytes

    @classmethod
    def first(cls, stream: str) -> Head:
        """The head of a record with nothing on it."""
        return cls(0, start(stream))


class Signed(msgspec.Struct, frozen=True):
    """A head that the house has put its name to."""

    head: Head
    signature: bytes
    """Ed25519."""
    key: bytes
    """The house's public key."""


class Snapshot(msgspec.Struct, frozen=True):
    """A table as it stood at a head, so that a long record opens fast; it holds hidden cards."""

    signed: Signed
    """The signature covers the body's digest too."""
    body: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """What goes on record together."""

    entries: Sequence[Stored]
    signed: Signed
    """The head after them."""
    texts: Mapping[str, str] = {}
    """Texts under their SHA-256, such as rulebooks; one that is kept already stays."""
    secrets: Mapping[str, bytes] = {}
    """What only the house may know, by name: seeds of shuffled decks. One of the same name takes the
    place of the older."""
    snapshot: Snapshot | None = None
    """It may stand at any head of the record; a later one at the same head takes its place."""


def moved(stream: str, signed: Signed | None, after: Head) -> MovedError:
    """The error for a batch put behind `after` on a record whose head is another."""
    here = signed.head if signed else Head.first(stream)
    if here.events == after.events:
        return MovedError(f"{stream}: event {here.events} is another one by now; read the record again")
    return MovedError(f"{stream} holds {here.events} events, not {after.events}; read the record again")


def doubled(stream: str, batch: Batch, on_record: Callable[[str], object]) -> DoubleKeyError | None:
    """The error for a batch with a key that would stand on a record twice."""
    keys = [entry.key for entry in batch.entries if entry.key]
    for n, key in enumerate(keys):
        if key in keys[:n] or on_record(key):
            return DoubleKeyError(f"{stream}: the key {key!r} stands on record already; take a new one")
    return None


def owned(owner: str, where: str) -> OwnedError:
    """The error for a store that another process writes to."""
    return OwnedError(f"{owner} writes to {where} already; stop it first, or open the record for reading")


class Store(Protocol):
    """A place for records. One process writes to a record at a time.

    An entry without a chain stands for one that cannot be read; DamagedError is raised for anything else.
    """

    where: str
    """The place, for people to read: without a password."""

    def streams(self) -> list[str]:
        """The records kept, by name."""

    def strays(self) -> list[str]:
        """The names that something is kept under without a head."""

    def head(self, stream: str) -> Signed | None:
        """Where a record ends; None where there is none of that name."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        """Put a batch behind a head, durably; MovedError where the record ends elsewhere by now,
        DoubleKeyError where a key of the batch stands on it already."""

    def entries(self, stream: str, after: int = 0) -> Iterator[Stored]:
        """The entries whose first event is numbered above `after`, in order, as the record stands now."""

    def everything(self, stream: str) -> Iterator[Stored]:
        """All entries under a name in order of their numbers, whatever its head says: those that do not
        belong there too, and those written meanwhile."""

    def keyed(self, stream: str, key: str) -> Stored | None:
        """The entry a key stands on."""

    def text(self, digest: str) -> str | None:
        """A text by its SHA-256."""

    def secret(self, stream: str, name: str) -> bytes | None:
        """A secret of a record."""

    def snapshots(self, stream: str) -> list[int]:
        """The numbers of events at which snapshots were taken, in order."""

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        """The snapshot at a number of events; without one, the last."""

    def close(self) -> None:
        """Let go of files and connections."""


class HouseStore(Store, Protocol):
    """A store that keeps, beside its records, what a house needs to run its tables."""

    def keep(self, name: str, body: bytes) -> None:
        """Keep something of the house beside its records, durably, in place of what that name had."""

    def kept(self) -> dict[str, bytes]:
        """All that is kept beside the records, by name."""

    def kept_as(self, name: str) -> bytes | None:
        """What is kept under a name."""
