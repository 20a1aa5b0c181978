"""What every table of a house shares: where records go, who signs them, chance and the clock."""

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
    """The time by the system's clock, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class TableServices:
    """A store, a signature, a source of chance and a clock."""

    store: Store
    signer: Signer
    entropy: Entropy = field(default_factory=Kernel)
    clock: Callable[[], str] = now
    snapshot_every: int = SNAPSHOT_EVERY
