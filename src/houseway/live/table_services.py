"""The services that all tables of a house share: store, signer, entropy and clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from houseway.audit.signatures import Signer
from houseway.audit.store import Store
from houseway.shoe import Entropy, Kernel

SNAPSHOT_EVERY = 1000
"""Events between two snapshots of a table."""


def now() -> str:
    """Return the system time, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def no_fence(stream: str) -> int:
    """Return 0: one server has the store alone."""
    return 0


@dataclass(frozen=True)
class TableServices:
    """The store, signer, entropy and clock of a house."""

    store: Store
    signer: Signer
    entropy: Entropy = field(default_factory=Kernel)
    clock: Callable[[], str] = now
    snapshot_every: int = SNAPSHOT_EVERY
    fence: Callable[[str], int] = no_fence
    """Returns the fencing number of this server's lease of a table; 0 without leases."""
