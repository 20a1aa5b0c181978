"""The services that all tables of a server share (store, signer, source of random bytes, clock), and the
number of events between two snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

from houseway.audit.signatures import Signer
from houseway.audit.store import Batch, Head, Store
from houseway.shoe import Entropy, SystemEntropy

SNAPSHOT_EVERY = 1000
"""Events between two snapshots of a table."""


def now() -> str:
    """Return the system time, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def no_fence(stream: str) -> int:
    """Return 0, which stands for no lease: only one server uses the store."""
    return 0


class StreamLog(Protocol):
    """The house log, as far as tables write to it."""

    def next_event(self) -> int:
        """Return the number of the next event. Another writer may take it first."""

    def opening(self, heads: Mapping[str, Head], number: int = 0) -> tuple[str, Head, Batch]:
        """Return the batch that adds new records to the log. Store it in one transaction with the records.

        Raises StaleHeadError if the next event does not have this number; 0 stands for any number.
        """

    def note(self, stream: str, head: Head, *, closed: bool = False) -> None:
        """Note the head of a record that has just been stored, for the next checkpoint."""


@dataclass(frozen=True)
class TableServices:
    """The store, signer, entropy and clock of a house."""

    store: Store
    signer: Signer
    entropy: Entropy = field(default_factory=SystemEntropy)
    clock: Callable[[], str] = now
    snapshot_every: int = SNAPSHOT_EVERY
    log: StreamLog | None = None
    """The house log; None for tables outside a server."""
    fence: Callable[[str], int] = no_fence
    """Returns the fencing number of this server's lease of a table; 0 without leases."""
