"""Server helpers for page tests: scripted cards, table states, recorded settlements and a manual clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from houseway.audit.entries import read_entry
from houseway.cards import DECK
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.live.clock import Timer
from houseway.server.house import LoopClock
from scripted import Scripted
from server.houses import Running


def settled(house: Running, table: str, seat: int) -> list[e.WagerSettled]:
    """Return a seat's settled wagers from the record."""
    events = (event for stored in house.serving.store.entries(table) for event in read_entry(stored).events)
    return [event for event in events if isinstance(event, e.WagerSettled) and event.seat == seat]


def state_of(house: Running, table: str) -> State:
    """Return a table's full state."""
    return house.serving.hall.tables[table].state


def scripted(*rounds: Sequence[str]) -> Scripted:
    """Return shoes that start with the given cards, followed by the rest of the deck."""
    orders = []
    for first in rounds:
        begun = " ".join(first).split()
        orders.append(" ".join([*begun, *(str(card) for card in DECK if str(card) not in begun)]))
    return Scripted(orders)


def dollars(cents: int) -> str:
    """Format a result as the page does."""
    return f"{'−' if cents < 0 else '+' if cents else ''}${abs(cents) / 100:,.2f}"


class HeldClock(LoopClock):
    """A server clock whose deadlines of one length expire only when a test calls `strike`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        self._held: list[Held] = []

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        if seconds != self.seconds:
            return super().later(seconds, then)
        self._held.append(Held(asyncio.get_running_loop(), then))
        return self._held[-1]

    def strike(self) -> None:
        """Let the latest deadline expire."""
        held = self._held[-1]
        held.loop.call_soon_threadsafe(held.strike)


class Held:
    """A deadline that expires on demand."""

    def __init__(self, loop: asyncio.AbstractEventLoop, then: Callable[[], None]) -> None:
        self.loop = loop
        self._then: Callable[[], None] | None = then

    def cancel(self) -> None:
        self._then = None

    def strike(self) -> None:
        if self._then is not None:
            self._then()
