"""The interface of a store for records, and its errors.

A batch is stored as a whole or not at all, and it is durable before `append` returns. A store contains only
bytes; it knows nothing about the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from houseway.audit.entries import StoredEntry, start
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.audit.sql.class_rows import ClassRows
    from houseway.audit.sql.people_rows import PeopleRows

MAX_EVENTS: Final = 1 << 63
"""An upper limit: a record has fewer events, because event numbers are stored as signed 64-bit integers."""


class StoreError(InputError):
    """Raised if a store cannot do what was requested. The message says what to do.

    If `append` raises StaleHeadError, DuplicateKeyError or LeaseLostError, nothing was stored. After any
    other StoreError from `append`, read the record to see whether the batch was stored.
    """


class StaleHeadError(StoreError):
    """Another writer has extended a stream of the batch, so nothing was stored."""

    def __init__(self, message: str, stream: str = "") -> None:
        super().__init__(message)
        self.stream = stream
        """The stream that was extended."""


class DuplicateKeyError(StoreError):
    """A key is already on record, so nothing was stored."""


class LeaseLostError(StoreError):
    """This server does not own the table, so nothing was stored."""


class StoreBusyError(StoreError):
    """Another process is writing to the store, which allows one writer at a time."""


class UnavailableError(StoreError):
    """The database did not answer, or could not complete the request. A later attempt may succeed."""


class DamagedError(StoreError):
    """The store contains a value that houseway did not write."""


class Head(msgspec.Struct, frozen=True):
    """The end of a record: its number of events, and the chain hash after the last entry."""

    events: int
    chain: bytes

    @classmethod
    def first(cls, stream: str) -> Head:
        """Return the head of an empty record."""
        return cls(0, start(stream))


class SignedHead(msgspec.Struct, frozen=True):
    """A head signed by the house."""

    head: Head
    signature: bytes
    """An Ed25519 signature."""
    key: bytes
    """The house's public key."""


class Snapshot(msgspec.Struct, frozen=True):
    """The state of a table at a head, so that a long record opens fast. It contains hidden cards."""

    signed: SignedHead
    """The head. The signature also covers the digest of the body."""
    body: bytes


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored together."""

    entries: Sequence[StoredEntry]
    signed: SignedHead
    """The signed head after the last entry."""
    texts: Mapping[str, str] = {}
    """Texts such as rulebooks.

    The keys are their SHA-256. A text that is already stored is not replaced.
    """
    secrets: Mapping[str, bytes] = {}
    """Values that only the house may know, such as the seeds of shuffled decks, by name. A stored value of
    the same name is replaced."""
    snapshot: Snapshot | None = None
    """A snapshot at any head of the record. An earlier snapshot at the same head is replaced."""
    erases: bool = False
    """True if all earlier secrets and sealed parts of the stream are deleted with this batch. The chain
    stays valid, because it covers only the public parts."""
    fence: int = 0
    """The fencing number of the lease under which the batch is written, if servers share the store. If the
    number is not the current one, the batch is refused."""
    also: Sequence[tuple[str, Head, Batch]] = ()
    """Batches of other streams, each with the head it follows, to store in the same transaction."""


def moved_error(stream: str, signed: SignedHead | None, after: Head) -> StaleHeadError:
    """Return the error for a batch that should follow `after` if the record now has another head."""
    here = signed.head if signed else Head.first(stream)
    if here.events == after.events:
        message = f"{stream}: event {here.events} has changed since you read it; read the record again"
    else:
        message = f"{stream} has {here.events} events, not {after.events}; read the record again"
    return StaleHeadError(message, stream)


def batches(stream: str, after: Head, batch: Batch) -> list[tuple[str, Head, Batch]]:
    """Return a batch and the batches to store with it, each with its stream and the head it follows."""
    return [(stream, after, batch), *batch.also]


def key_error(stream: str, batch: Batch, on_record: Callable[[str], object]) -> DuplicateKeyError | None:
    """Return the error for a batch that repeats a key or has a key that is on record, or None."""
    keys = [entry.key for entry in batch.entries if entry.key]
    for n, key in enumerate(keys):
        if key in keys[:n] or on_record(key):
            return DuplicateKeyError(f"{stream}: the key {key!r} is already on record; use a new one")
    return None


def owned_error(owner: str, where: str) -> StoreBusyError:
    """Return the error for a store that another process is writing to."""
    return StoreBusyError(f"{owner} is already writing to {where}; stop it, or open the record for reading")


class Store(Protocol):
    """A store for records. One process writes to a record at a time.

    If an entry cannot be read, it is returned without a chain. Other unreadable values raise DamagedError.
    """

    where: str
    """The location as shown to people, without a password."""

    def streams(self) -> list[str]:
        """Return the names of the records, sorted."""

    def strays(self) -> list[str]:
        """Return the names that have stored data but no head."""

    def head(self, stream: str) -> SignedHead | None:
        """Return the end of a record, or None if the store does not have it."""

    def heads(self) -> dict[str, SignedHead]:
        """Return the end of every record by name. Records whose head cannot be read are left out."""

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        """Durably append a batch after a head, together with the batches of other streams in `also`.

        Raises StaleHeadError if the record's head has changed, DuplicateKeyError if a key is already used,
        LeaseLostError if servers share the store and the batch does not have the current fencing number.
        """

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        """Return the entries whose first event is numbered above `after`, in order, up to the head."""

    def everything(self, stream: str) -> Iterator[StoredEntry]:
        """Return all stored entries of a record in the order of their numbers, including any after the
        head.

        Entries after the head may not belong to the record, or may have been written since the head was
        read.
        """

    def keyed(self, stream: str, key: str) -> StoredEntry | None:
        """Return the entry with this key, or None."""

    def text(self, digest: str) -> str | None:
        """Return the text with this SHA-256, or None."""

    def secret(self, stream: str, name: str) -> bytes | None:
        """Return the secret of a record with this name, or None."""

    def snapshots(self, stream: str) -> list[int]:
        """Return the event numbers at which snapshots were taken, in order."""

    def snapshot(self, stream: str, events: int | None = None) -> Snapshot | None:
        """Return the snapshot at event `events`, by default the last snapshot, or None."""

    def close(self) -> None:
        """Close files and connections."""


class HouseStore(Store, Protocol):
    """A store that also holds the house's own values, such as its list of tables."""

    def keep(self, name: str, body: bytes) -> None:
        """Durably store one of the house's own values under a name, replacing any earlier value."""

    def kept(self) -> dict[str, bytes]:
        """Return all of the house's own values, by name."""

    def kept_as(self, name: str) -> bytes | None:
        """Return the house's own value with this name, or None."""

    def people_rows(self) -> PeopleRows:
        """Return the rows for people, roles, invitations and tickets, which several servers may share."""

    def class_rows(self) -> ClassRows:
        """Return the rows for classes, which several servers may share."""

    def check(self) -> None:
        """Raise StoreError if this process cannot write now. A lost connection is opened again."""
