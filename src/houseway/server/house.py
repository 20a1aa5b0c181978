"""A running server: its store, people, tables, solver, work queues and record checks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec

from houseway import __version__
from houseway.audit.handles import folded
from houseway.audit.signatures import Signer
from houseway.audit.sql.leases import Leases
from houseway.audit.store import HouseStore, StoreError
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.verify import VerificationReport
from houseway.client.messages import Person
from houseway.live import TableServices
from houseway.live.background_check import BackgroundCheck
from houseway.live.clock import DEFAULT_PATIENCE, Clock, Patience, Timer
from houseway.live.house_log_writer import CHECKPOINT_EVERY, HouseLog
from houseway.live.offload import Offload
from houseway.live.runner import TableRunner
from houseway.live.table_services import no_fence, now
from houseway.live.table_shoes import ShoeSource
from houseway.server.certificate_desk import CertificateDesk
from houseway.server.drill_desk import DrillDesk
from houseway.server.event_log import EventLog
from houseway.server.exam_library import ExamLibrary, shipped_exam_library
from houseway.server.find_sessions import FindSessions
from houseway.server.front_door import FrontDoor
from houseway.server.limits import Buckets, Limits
from houseway.server.metrics import Metrics
from houseway.server.origins import HostCheck
from houseway.server.ownership import MOVING, Ownership
from houseway.server.people import EVERYWHERE, HOUSE, OPERATOR, Expiry, People, PeopleChange
from houseway.server.play_history import PlayHistory
from houseway.server.progress import ProgressStore
from houseway.server.relay import Relay
from houseway.server.replays import Replays
from houseway.server.sockets import Connection
from houseway.server.solver import Solver
from houseway.server.store_threads import StoreThreads
from houseway.server.tables import Tables
from houseway.server.training_classes import Classes
from houseway.server.training_rooms import TrainingRooms
from houseway.server.watched_store import watched
from houseway.server.work_queue import WorkQueue
from houseway.shoe import Entropy, SystemEntropy, self_test

if TYPE_CHECKING:
    from houseway.server.practice_desk import PracticeDesk
    from houseway.server.review_desk import ReviewDesk

LOOK_EVERY: Final = 0.4
"""Seconds between two checks for revocations by other processes."""
RECHECK_EVERY: Final = 20.0
"""Seconds between two checks of all sockets. It is shorter than `people.IDLE_IF_FULL`, so that the handle
of a connected person does not expire."""
ENDS_ACCESS: Final = frozenset({"role-revoked", "token-rotated", "token-revoked", "recovery-used"})
"""Changes after which open sockets may have to be closed."""
AT_ONCE: Final = 20
"""The most new handles, or new tables, that one address may request in a burst."""


class LoopClock:
    """The clock of the running event loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, then)


class RecordChecks(msgspec.Struct, frozen=True):
    """The results of checking the records since the server started."""

    records: int
    checked: int
    wrong: tuple[str, ...]
    """A sentence for each record with a fault, and for each table that could not be opened."""


class HouseServer:
    """A running server."""

    version = __version__

    def __init__(
        self,
        store: HouseStore,
        signer: Signer,
        *,
        host: str = "127.0.0.1",
        origins: tuple[str, ...] = (),
        proxies: tuple[str, ...] = (),
        limits: Limits | None = None,
        entropy: Entropy | None = None,
        clock: Clock | None = None,
        wall_clock: Callable[[], str] = now,
        maker: Callable[[], ShoeSource | None] = lambda: None,
        where: str = "",
        offload: Offload | None = None,
        expiry: Expiry | None = None,
        heads: Path | None = None,
        leases: Leases | None = None,
        patience: Patience = DEFAULT_PATIENCE,
        certificates: CertificateDesk | None = None,
        exam_library: ExamLibrary | None = None,
    ) -> None:
        """`heads` is a folder for the file with the newest head of the house log. `certificates` signs the
        certificates of exams. `exam_library` has the exams and scenarios; by default, it has those of the
        program."""
        self_test()
        self.limits = limits or Limits()
        self.log, self.metrics = EventLog(wall_clock), Metrics()
        ticks = clock.now if clock is not None else monotonic
        self.store = store = watched(store, self.metrics, self.log)
        networks = tuple(map(ip_network, proxies))
        self.door = FrontDoor(self.limits, proxies=networks, on_refused=self.metrics.refuse_connection)
        self.solver = Solver()
        self.threads = StoreThreads(store, self.limits)
        self._offload = offload or self.threads
        self.health = self.threads.health
        """Shows whether the database answers."""
        self.house_log = HouseLog(store, signer, wall_clock, heads)
        # The store's threads read this clock too, and only a loop's own thread may read the loop's clock.
        people_ticks = monotonic if wall_clock is now else ticks
        self.people = People(
            store, partial(_seconds, wall_clock), self._offload, expiry, self.house_log, people_ticks
        )
        self.people.on_change.append(self._people_changed)
        self.progress = ProgressStore(
            store, signer, self.house_log, wall_clock, self._offload, self.people.mark_recorded
        )
        self.exam_library = exam_library or shipped_exam_library()
        self.classes = Classes(
            store,
            signer.public,
            self.progress,
            self.exam_library,
            self.people.current,
            self._revoked_certificates,
            wall_clock,
            self._offload,
        )
        self.gate = HostCheck(self.people, host, origins)
        self.replays = Replays(store)
        self.owned = Ownership(leases, self.log, self.metrics, self._offload) if leases else None
        """The leases of this server, if it shares the database with others."""
        self.relay = Relay(self.owned, self.limits.reply_seconds) if self.owned else None
        fence = self.owned.fence if self.owned else no_fence
        self.house = TableServices(
            store, signer, entropy or SystemEntropy(), wall_clock, log=self.house_log, fence=fence
        )
        clock, most = clock or LoopClock(), self.limits.tables
        self.log.later = clock.later
        self.hall = Tables(
            self.house, store, self.people, clock, self.solver, maker, most, self._offload, patience
        )
        if self.owned is not None:
            self.hall.owned = self.owned
            self.owned.adopt, self.owned.running = self.hall.adopt, self.hall.running
            self.owned.give_away = self._give_away
            self.owned.on_owners.append(self.hall.show_meters)
        self.hall.on_change = self._table_changed
        self.handshakes = Buckets(self.limits.handshakes, 2 * self.limits.handshakes, ticks)
        self.introductions = Buckets(self.limits.openings, AT_ONCE, ticks)
        self.openings = Buckets(self.limits.openings, AT_ONCE, ticks)
        self.commands = Buckets(self.limits.commands, self.limits.burst, ticks)
        self.requests = Buckets(self.limits.requests, 2 * self.limits.requests, ticks)
        """Limits all requests, by address."""
        self.expensive_requests = Buckets(self.limits.expensive_requests, self.limits.burst, ticks)
        """Limits expensive requests, by address."""
        self.solving, self.proving = WorkQueue("solving"), WorkQueue("proving")
        self.replaying, self.reviewing = WorkQueue("replaying", 2), WorkQueue("reviewing", 2)
        seconds = partial(_seconds, wall_clock)
        self.certificates = certificates
        self.training = TrainingRooms(
            self.progress,
            self._offload,
            wall_clock,
            seconds,
            signer.secret,
            self.classes,
            self.exam_library,
            certificates,
        )
        self.drills = DrillDesk(self.progress, self._offload.start, wall_clock, ticks)
        self._practices: PracticeDesk | None = None
        self._desk_clocks = wall_clock, ticks
        self.finding = FindSessions(ticks)
        self.played = PlayHistory(
            self.progress, self.replays, self._offload.start, wall_clock, self.reviewing
        )
        self._reviews: ReviewDesk | None = None
        self.hall.on_host = self.played.watch
        self.connections: set[Connection] = set()
        self._where = where
        self._signer = signer
        self._checks: list[BackgroundCheck] = []
        self.opened = False
        """True after the tables on record have been resumed, until the server closes."""
        self._closed = False
        self._watches: list[asyncio.Task[None]] = []
        self._log_problems: list[str] = []
        """Differences between the house log and the records or roles, found at the start."""
        self.metrics.follow(self)

    async def open(self) -> None:
        """Resume the tables on record, and verify their records in the background."""
        self._log_problems = await self._offload.call(self.house_log.open, long=True)
        for problem in self._log_problems:
            self.log.write("record-fault", table=HOUSE_LOG, reason=problem)
        if self.owned is not None:
            await self.owned.start()
        await self.hall.resume()
        for stream, problem in self.hall.problems.items():
            self.log.write("table-not-resumed", table=stream, reason=problem)
        for runner in tuple(self.hall.tables.values()):
            await runner.go_on()
        self.opened = True
        self.log.write("server-started", version=self.version, tables=str(len(self.hall.tables)))
        if self._offload is self.threads:
            self.health.recovered.append(self.hall.retry)
            self.health.recovered.append(lambda: self._offload.start(self.played.store_waiting()))
            self._watches = [
                asyncio.create_task(self.health.watch()),
                asyncio.create_task(self._watch_revocations()),
                asyncio.create_task(self._write_checkpoints()),
            ]
        if self._where:
            key = self._signer.public
            streams = await self._offload.call(self.store.streams)
            self._checks = [BackgroundCheck(self._where, stream, key) for stream in streams]
            Thread(target=self._check, name="checks", daemon=True).start()

    def _table_changed(self, table: TableRunner) -> None:
        self.log.table_changed(table.stream, table.stuck_reason, unavailable=table.unavailable)

    async def _write_checkpoints(self) -> None:
        """Write the heads of changed records to the house log every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(CHECKPOINT_EVERY)
            if self.house_log.behind:
                # If this fails, the tables report it, and the next checkpoint includes these heads.
                with suppress(StoreError):
                    await self._offload.call(self.house_log.checkpoint)

    def _check(self) -> None:
        """Check one record after another."""
        for check in self._checks:
            if not self._closed:
                check.start().wait()
                if check.error:
                    self.log.write("record-unreadable", table=check.stream, reason=check.error)
                elif fault := _first_fault(check.report):
                    self.log.write("record-fault", table=check.stream, reason=fault)

    def checks(self, *, details: bool = False) -> RecordChecks:
        """Return the number of records, how many of them have been checked, and their faults.

        `details` adds the reasons, which may name the database, so only the owner may see them.
        """
        done = [check for check in self._checks if check.done]
        faults = {check.stream: check.error or _first_fault(check.report) for check in done}
        wrong = {stream: reason for stream, reason in faults.items() if reason} | self.hall.problems
        if self._log_problems:
            wrong.setdefault(HOUSE_LOG, self._log_problems[0])
        listed = wrong.values() if details else (f"{stream}: ask the operator" for stream in wrong)
        return RecordChecks(len(self._checks), len(done), tuple(listed))

    def is_owner(self, person: Person | None) -> bool:
        """True if a person is the floor supervisor of every table."""
        return person is not None and self.people.may(person, EVERYWHERE, "floor")

    @property
    def reviews(self) -> ReviewDesk:
        """Round reviews and totals. The first use imports the exact solver."""
        if self._reviews is None:
            from houseway.server.review_desk import ReviewDesk

            self._reviews = ReviewDesk(self.played, self.reviewing, self._desk_clocks[0])
        return self._reviews

    @property
    def practices(self) -> PracticeDesk:
        """The practice sessions. The first use imports the exact solver, which takes a second."""
        if self._practices is None:
            from houseway.server.practice_desk import PracticeDesk

            secret = self._signer.secret("daily position")
            desk = PracticeDesk(self.progress, self._offload.start, *self._desk_clocks, daily_secret=secret)
            desk.preparation = lambda book: self.solver.shootout_preparation(book)
            desk.play_leaks = lambda handle, book: self.reviews.leaks(handle, book)
            self._practices = desk
        return self._practices

    @property
    def store_trouble(self) -> bool:
        """True while the database cannot be read or written."""
        return bool(getattr(self.store, "trouble", ""))

    def sockets(self, handle: str) -> int:
        """Return how many sockets a person has open."""
        return sum(connection.handle == handle for connection in self.connections)

    def _people_changed(self, change: PeopleChange) -> None:
        """Log a change of a person's access, and close the sockets that have lost it."""
        # The log contains no handles. Only the callbacks in `People.on_change` get them.
        who = change.who if change.who in (HOUSE, OPERATOR) else "a person"
        details = {"who": who, "role": change.role} if change.role else {"who": who}
        self.log.write(change.kind, table=change.table, **details)
        if change.kind in ENDS_ACCESS and any(c.handle for c in self.connections):
            self._offload.start(self._recheck(folded(change.whom)))

    async def _recheck(self, name: str = "") -> None:
        """Close the sockets whose session or role has ended: those of one person or, if the name is empty,
        of everyone."""
        open_ = [c for c in self.connections if c.handle and name in ("", folded(c.handle))]
        with suppress(StoreError):
            sessions = await self.people.sessions(*{connection.handle for connection in open_})
            for connection in open_:
                connection.recheck(sessions[connection.handle])

    async def _watch_revocations(self) -> None:
        """Recheck all sockets soon after another process revokes a role or a token.

        Roles also expire, so all sockets are rechecked now and then. While the database does not answer,
        nothing can be revoked.
        """
        seen, checked = -1, monotonic()
        while True:
            await asyncio.sleep(LOOK_EVERY)
            with suppress(StoreError):
                number = await self.people.revocations()
                if number != seen:
                    await self._offload.call(self.house_log.log_revocations)
                if number != seen or monotonic() - checked > RECHECK_EVERY:
                    self.people.forget()
                    seen, checked = number, monotonic()
                    await self._recheck()

    def _revoked_certificates(self) -> frozenset[str]:
        """Return the ids of the certificates that the house has revoked. It may read files."""
        return self.certificates.revoked_ids() if self.certificates is not None else frozenset()

    def _give_away(self, table: str) -> None:
        """Drop a table that another server owns now, and make its viewers reconnect."""
        self.hall.give_away(table)
        self.log.forget(table)
        for connection in tuple(self.connections):
            if connection.table == table:
                connection.drop(MOVING.code, MOVING.message)

    async def close(self) -> None:
        """Close everything. Every acknowledged command is already on record."""
        self._closed, self.opened = True, False
        self.hall.close()
        await self.drills.finish()
        await self.played.store_waiting()
        if self._practices is not None:
            await self._practices.finish()
            self._practices.close()
        for watch in self._watches:
            watch.cancel()
        await self.threads.finish(self.limits.store_seconds)
        with suppress(StoreError):
            await self._offload.call(self.house_log.close)
        await self.threads.close()
        if self.owned is not None:
            await self.owned.leave()
        for check in self._checks:
            check.stop()
        self.training.close()
        for queue in (self.solving, self.proving, self.replaying, self.reviewing, self.drills):
            queue.close()
        self.store.close()
        self.log.write("server-stopped")


def _seconds(clock: Callable[[], str]) -> float:
    """Return the time of a clock in seconds since 1970."""
    return datetime.fromisoformat(clock()).timestamp()


def _first_fault(report: VerificationReport | None) -> str:
    """Describe the first fault of a record, or return an empty string."""
    return f"{report.stream}: {report.faults[0]}" if report is not None and report.faults else ""
