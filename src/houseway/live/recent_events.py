"""The most recent events of a table, read from the end of its record, so that long records open fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.audit.record_header import recorded_entry
from houseway.engine import events as e
from houseway.live.live_table import LiveTable

LATELY: Final = 256
"""The number of events that are read first. Two rounds rarely have more."""

Numbered = tuple[int, e.Event]


def recorded_events(live: LiveTable, after: int = 0) -> Iterator[Numbered]:
    """Yield the recorded events after a sequence number, with their own numbers."""
    for stored in live.house.store.entries(live.stream, after):
        yield from enumerate(recorded_entry(stored).events, stored.seq)


def recent(live: LiveTable, rounds: int) -> list[Numbered]:
    """Return the events of the last `rounds` rounds, or of all rounds if there are fewer."""
    back = LATELY
    while True:
        after = max(0, live.head.events - back)
        events = list(recorded_events(live, after))
        opened = [seq for seq, event in events if isinstance(event, e.RoundOpened)]
        if len(opened) >= rounds or not after:
            first = opened[-rounds] if len(opened) >= rounds else 0
            return [numbered for numbered in events if numbered[0] >= first]
        back *= 4
