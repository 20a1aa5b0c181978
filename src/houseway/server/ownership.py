"""The leases of this server's tables, if several servers share a database.

A thread renews the leases every second and listens for notifications. Everything else happens in the event
loop. A table whose server is gone is continued by the first server that takes its lease.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import Final

import msgspec

from houseway.audit.sql.leases import LEASES_CHANGED, Lease, Leases
from houseway.audit.store import StoreError
from houseway.client.messages import TableCard
from houseway.engine.refusals import Refusal
from houseway.live.offload import Offload
from houseway.server.event_log import EventLog
from houseway.server.metrics import Metrics

EVERY: Final = 1.0
"""Seconds between two renewals."""
AGAIN: Final = 0.3
"""Seconds between two attempts to renew, if the database does not answer."""
HANGS: Final = 10.0
"""If the event loop does not answer for this many seconds, the leases of its tables are not renewed."""
SPREAD: Final = 0.2
"""The longest wait, in seconds, before a server takes over tables. The wait is random, so that several
servers share the tables."""
MOVING: Final = Refusal(
    "moving", None, "table", "this table is moving to another server; reconnect in a second"
)


class Held(msgspec.Struct, frozen=True):
    """A lease of this server."""

    fence: int
    since: float
    """The monotonic time at which this server learned that it has the lease."""


class Ownership:
    """The leases of this server, and the owners of all other tables."""

    def __init__(self, leases: Leases, log: EventLog, metrics: Metrics, offload: Offload) -> None:
        self._leases = leases
        self._log = log
        self._metrics = metrics
        self._offload = offload
        self._held: dict[str, Held] = {}
        self._owners: dict[str, Lease] = {}
        """The leases of all tables, as last read."""
        self._opening: set[str] = set()
        self._cards: dict[str, bytes] = {}
        """Lobby cards that have changed since the last renewal."""
        self._shown: dict[str, TableCard] = {}
        self._until = 0.0
        """The monotonic time at which the leases of this server expire, if they are not renewed."""
        self._answered = monotonic()
        """The monotonic time at which the event loop last answered the thread."""
        self._expired = True
        self._renewed = asyncio.Event()
        self._stop = Event()
        self._thread: Thread | None = None
        self._taking: asyncio.Task[None] | None = None
        self.adopt: Callable[[str], Awaitable[None]]
        """Continues a table that this server owns now."""
        self.give_away: Callable[[str], None]
        """Drops a table that this server no longer owns."""
        self.running: Callable[[], Mapping[str, TableCard]] = dict
        """Returns the lobby cards of the tables that run here."""
        self.on_owners: list[Callable[[], None]] = []
        """Callbacks that run after the owners were read."""

    # --- the owner of a table ---

    @property
    def valid(self) -> bool:
        """True while the leases of this server have not expired by its own clock."""
        return monotonic() < self._until

    @property
    def held(self) -> int:
        """The number of tables that this server owns."""
        return len(self._held)

    def fence(self, stream: str) -> int:
        """Return the fencing number under which this server may write to a table; 0 if it may not."""
        held = self._held.get(stream)
        return held.fence if held else 0

    def owner(self, stream: str) -> Lease | None:
        """Return the lease of another server's table, as last read."""
        lease = self._owners.get(stream)
        return lease if lease is not None and lease.server != self._leases.server else None

    async def locate(self, stream: str) -> Lease | Refusal | None:
        """Return the lease of a table that another server owns; None if this server owns the table.

        Returns None for a closed table too, and a refusal while a table moves to another server.
        """
        if stream in self._held:
            return None if self.valid else MOVING
        lease = self._owners.get(stream)
        if lease is None:
            # Another server may have opened the table a moment ago.
            lease = await self._offload.call(partial(self._leases.lease, stream))
        if lease is None:
            return None
        return lease if lease.alive and lease.server != self._leases.server else MOVING

    # --- leases of this server ---

    def open(self, stream: str) -> None:
        """Take the lease of a table that is about to be opened. This waits for the database.

        Call `opened` afterwards.
        """
        self._opening.add(stream)
        fence = self._leases.add(stream)
        self._held[stream] = Held(fence, monotonic())
        self._leases.notify(LEASES_CHANGED)

    def opened(self, stream: str) -> None:
        """Note that a table runs here now, or that it could not be opened."""
        self._opening.discard(stream)

    def end(self, stream: str, card: TableCard | None = None) -> None:
        """Give up a table that is closed or was never opened. This waits for the database."""
        self._leases.end(stream, None if card is None else msgspec.json.encode(card))
        self._held.pop(stream, None)
        self._owners.pop(stream, None)
        self._shown.pop(stream, None)
        self._leases.notify(LEASES_CHANGED)

    async def cards(self, closed: int) -> dict[str, TableCard]:
        """Return the lobby cards of all servers' open tables and of the tables that were closed last."""
        bodies = await self._offload.call(partial(self._leases.cards, closed))
        return {stream: msgspec.json.decode(body, type=TableCard) for stream, body in bodies.items()}

    async def add_missing(self, streams: Iterable[str]) -> None:
        """Add leases for tables from the time when the house had one server."""
        await self._offload.call(partial(self._leases.add_missing, list(streams)), long=True)

    # --- renewals ---

    async def start(self) -> None:
        """Join the servers of the house; return when the first renewal is done."""
        loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._run, args=[loop], name="leases", daemon=True)
        self._thread.start()
        await self._renewed.wait()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        def post(callback: Callable[..., None], *args: object) -> None:
            # The loop is closed if the server has stopped in the meantime.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(callback, *args)

        while not self._stop.is_set():
            post(self._answer)
            if monotonic() - self._answered > HANGS:
                # The event loop hangs. Without renewals, its tables move to another server.
                self._stop.wait(AGAIN)
                continue
            cards, self._cards = self._cards, {}
            sent = monotonic()
            try:
                owners = self._leases.renew(cards)
                post(self._note, sent, owners)
                self._leases.wait(EVERY)
            except StoreError:
                self._cards = {**cards, **self._cards}
                post(self._check_expiry)
                self._stop.wait(AGAIN)

    def _answer(self) -> None:
        """Show the thread that the event loop runs."""
        self._answered = monotonic()

    def _note(self, sent: float, owners: list[Lease]) -> None:
        """Note the owners of all tables, read by a renewal that began at `sent`."""
        self._until, self._expired = sent + self._leases.seconds, False
        self._owners = {lease.stream: lease for lease in owners}
        for stream, held in tuple(self._held.items()):
            lease = self._owners.get(stream)
            ours = lease is not None and lease.server == self._leases.server and lease.fence == held.fence
            if not ours and held.since < sent:
                self._lose(stream)
        self._renewed.set()
        for callback in self.on_owners:
            callback()
        self._show_cards()
        if self._taking is None or self._taking.done():
            self._taking = asyncio.get_running_loop().create_task(self._take_over())

    def _show_cards(self) -> None:
        for stream, card in self.running().items():
            if self._shown.get(stream) is not card and stream in self._held:
                self._shown[stream] = card
                self._cards[stream] = msgspec.json.encode(card)

    def _lose(self, stream: str) -> None:
        fence = self._held.pop(stream).fence
        self._shown.pop(stream, None)
        self._metrics.lease("lost")
        self._log.write("table-given-away", table=stream, fence=str(fence))
        self.give_away(stream)

    def _check_expiry(self) -> None:
        """Give all tables away if the leases have expired by this server's own clock."""
        if self.valid or self._expired:
            return
        self._expired = True
        self._log.write("leases-expired", tables=str(len(self._held)))
        for stream in tuple(self._held):
            self._lose(stream)
        self._owners = {}
        for callback in self.on_owners:
            callback()

    async def _take_over(self) -> None:
        """Take the tables whose server is gone, and continue all tables of this server that do not run."""
        gone = [lease for lease in self._owners.values() if not lease.alive]
        if gone:
            await asyncio.sleep(random.uniform(0, SPREAD))
        # Each server takes the tables in its own order, so that two servers rarely try the same one.
        random.shuffle(gone)
        for lease in gone:
            try:
                fence = await self._offload.call(partial(self._leases.take, lease.stream))
            except StoreError:
                # The next renewal tries again.
                return
            if fence:
                self._held[lease.stream] = Held(fence, monotonic())
                self._metrics.lease("taken over")
                if lease.server:
                    self._log.write("table-taken-over", table=lease.stream, fence=str(fence))
                await self.adopt(lease.stream)
        own = [lease for lease in self._owners.values() if lease.server == self._leases.server]
        for lease in own:
            if lease.stream in self._opening:
                continue
            if lease.stream not in self._held:
                # This server gave the table away when its leases expired, but no other server has taken it.
                self._held[lease.stream] = Held(lease.fence, monotonic())
            if lease.stream not in self.running():
                await self.adopt(lease.stream)

    async def take_over_now(self) -> None:
        """Take the tables that have no owner now, and wait until they continue."""
        self._renewed.clear()
        await self._offload.call(partial(self._leases.notify, LEASES_CHANGED))
        await self._renewed.wait()
        while self._taking is not None and not self._taking.done():
            await asyncio.wait((self._taking,))

    # --- the end ---

    async def leave(self) -> None:
        """Give up all tables, so that other servers continue them at once."""
        self._stop.set()
        if self._taking is not None:
            self._taking.cancel()
        # If the database does not answer, the leases expire.
        with suppress(StoreError):
            await asyncio.to_thread(self._leases.leave)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, EVERY + 2)
        self._leases.close()
