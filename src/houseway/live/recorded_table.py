"""A table as last recorded, which viewers and timers read while another thread works on the next change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import msgspec

from houseway.audit.kept_heads import HeadDocument
from houseway.audit.store import Head, SignedHead
from houseway.client.messages import RecordHead
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.live.live_table import LiveTable


class TableNow(Protocol):
    """A table's rules and its current state."""

    table: Table
    state: State


@dataclass
class RecordedTable:
    """The state of a table at the end of its record."""

    stream: str
    table: Table
    salts: bool
    """True if players may add salts to the cut."""
    state: State
    head: Head
    acted: int
    """The number of the last event on record that does not come from the linked meter."""
    signed: SignedHead | None = None
    """The head with the house's signature."""

    @classmethod
    def of(cls, live: LiveTable) -> RecordedTable:
        """Return the state of a live table that is not in the middle of a change."""
        salts, state = live.house.entropy.live, live.state
        return cls(live.stream, live.table, salts, state, live.head, live.acted, live.signed)

    def publish(self, live: LiveTable) -> None:
        """Take over the state of a live table, once it is on record."""
        self.state, self.head, self.acted, self.signed = live.state, live.head, live.acted, live.signed

    def record_head(self) -> RecordHead | None:
        """Return the signed head as viewers get it; None while the head is not signed yet."""
        signed = self.signed
        if signed is None or signed.head != self.head:
            return None
        return RecordHead(**msgspec.structs.asdict(HeadDocument.of(self.stream, signed)))
