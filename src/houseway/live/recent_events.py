"""What happened lately at a table, as its record tells it: a long one opens no slower than a short one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from houseway.audit.record_header import recorded_entry
from houseway.engine import events as e
from houseway.live.live_table import LiveTable

LATELY: Final = 256
"""Events read back at first; two rounds are seldom longer."""

Numbered = tuple[int, e.Event]


def recorded(live: LiveTable, after: int = 0) -> Iterator[Numbered]:
    """The events on record behind a number, each with its own."""
    for stored in live.house.store.entries(live.stream, after):
        yield from enumerate(recorded_entry(stored).events, stored.seq)


def recent(live: LiveTable, rounds: int) -> list[Numbered]:
    """The events of the last so many rounds; all there are where there were fewer."""
    back = LATELY
    while True:
        after = max(0, live.head.events - back)
        found = list(recorded(live, after))
        opened = [seq for seq, event in found if isinstance(event, e.RoundOpened)]
        if len(opened) >= rounds or not after:
            first = opened[-rounds] if len(opened) >= rounds else 0
            return [numbered for numbered in found if numbered[0] >= first]
        back *= 4
