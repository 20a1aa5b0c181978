"""A table as last recorded, which viewers and timers read while another thread works on the next change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from houseway.audit.store import Head
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

    @classmethod
    def of(cls, live: LiveTable) -> RecordedTable:
        """Return the state of a live table that is not in the middle of a change."""
        return cls(live.stream, live.table, live.house.entropy.live, live.state, live.head, live.acted)

    def publish(self, live: LiveTable) -> None:
        """Take over the state of a live table, once it is on record."""
        self.state, self.head, self.acted = live.state, live.head, live.acted
