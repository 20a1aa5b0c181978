"""A change that takes too long is given up; if it is still recorded later, it counts once."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from houseway.audit.entries import StoredEntry
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.store import Batch, Head, StoreError
from houseway.client.messages import Answered, Do, OpenTable, Person
from houseway.engine import commands as c
from houseway.live.offload import DIRECT, AbandonedError, StoreDownError, run_now
from houseway.live.runner import TableRunner
from houseway.live.viewer_messages import encoder
from houseway.server.house import HouseServer
from houseway.server.limits import Limits
from houseway.server.store_threads import WORKERS, StoreThreads
from server.hosted_rounds import RecordingViewer

SHORT = Limits(store_seconds=0.3)
PATIENCE = 10.0
BET = c.Bet(seat=1, wagers={"ante": 1000})


class SlowStore(MemoryStore):
    """A store that can delay one append, with events for its start and its end."""

    def __init__(self) -> None:
        super().__init__()
        self.holds = False
        self.begun, self.go, self.done = threading.Event(), threading.Event(), threading.Event()
        self.before_append: Any = None
        self.errors: list[StoreError] = []
        self.unreadable = False
        self.full = False

    def entries(self, stream: str, after: int = 0) -> Iterator[StoredEntry]:
        if self.unreadable:
            raise StoreError("the disk cannot be read")
        return super().entries(stream, after)

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        if self.holds:
            self.holds = False
            self.begun.set()
            assert self.go.wait(PATIENCE)
            try:
                if self.full:
                    raise StoreError("the disk is full")
                super().append(stream, after, batch)
            except StoreError as error:
                self.errors.append(error)
                raise
            finally:
                self.done.set()
            return
        if self.before_append is not None:
            before, self.before_append = self.before_append, None
            before()
        super().append(stream, after, batch)

    def release(self) -> None:
        """Let the delayed append continue, and wait until it is done."""
        self.go.set()
        assert self.done.wait(PATIENCE)


class Table:
    """A table with one player, on a slow store."""

    def __init__(self) -> None:
        self.store = SlowStore()
        self.house = HouseServer(self.store, Signer(os.urandom(32)), limits=SHORT)
        self.old: object = None
        """The live table that the given-up change was using."""

    async def open(self) -> None:
        introduced = await self.house.people.introduce("Ann")
        assert isinstance(introduced, tuple)
        self.person: Person = introduced[0]
        runner = await self.house.hall.open(OpenTable(rulebook="uth-ma", clock=0), self.person)
        assert isinstance(runner, TableRunner)
        self.runner = runner
        assert isinstance(await self.do(c.Sit(seat=1), "sit"), Answered)
        self.viewer = RecordingViewer("seat 1", "Ann")
        runner.enter(self.viewer)

    async def do(self, command: c.Command, key: str) -> Any:
        return await self.runner.do(self.person, Do(key=key, command=msgspec.Raw(encoder.encode(command))))

    def recorded(self, key: str) -> int:
        return sum(entry.key == f"Ann/{key}" for entry in self.store.entries(self.runner.stream))

    async def check(self) -> None:
        """Check that the wager counted once, that viewers see it, and that the table continues."""
        assert self.recorded("bet") == 1
        assert self.runner.live is not self.old, "a thread that was given up may still use this object"
        signed = self.store.head(self.runner.stream)
        assert signed is not None
        assert self.runner.seq == signed.head.events
        assert isinstance(await self.do(c.Bet(seat=1, wagers={"ante": 1500}), "more"), Answered)
        assert self.viewer.view.table.seats[1].bets["ante"] == 1500
        assert not self.viewer.view.waits.unavailable
        await self.house.close()


async def given_up(*, unreadable: bool = False) -> Table:
    """Return a table whose wager is still being recorded when the table gives it up."""
    table = Table()
    await table.open()
    table.store.holds, table.store.unreadable = True, unreadable
    table.old = table.runner.live
    with pytest.raises(AbandonedError):
        await table.do(BET, "bet")
    assert table.store.begun.is_set()
    assert table.viewer.view.waits.unavailable
    # Viewers do not see the wager.
    assert "ante" not in table.viewer.view.table.seats[1].bets
    return table


def test_a_late_commit_counts_once_when_the_command_is_sent_again() -> None:
    async def run() -> None:
        table = await given_up()
        table.store.release()
        answer = await table.do(BET, "bet")
        assert isinstance(answer, Answered)
        assert answer.repeated
        await table.check()

    asyncio.run(run())


def test_a_commit_after_the_command_was_sent_again_is_refused() -> None:
    async def run() -> None:
        table = await given_up()
        answer = await table.do(BET, "bet")
        assert isinstance(answer, Answered)
        assert not answer.repeated
        table.store.release()
        assert len(table.store.errors) == 1
        await table.check()

    asyncio.run(run())


def test_a_late_commit_between_reading_and_writing_counts_once() -> None:
    async def run() -> None:
        table = await given_up()
        table.store.before_append = table.store.release
        answer = await table.do(BET, "bet")
        assert isinstance(answer, Answered)
        assert answer.repeated
        await table.check()

    asyncio.run(run())


def test_a_change_is_completed_even_if_its_sender_disconnects() -> None:
    async def run() -> None:
        table = Table()
        await table.open()
        table.store.holds = True
        sender = asyncio.create_task(table.do(BET, "bet"))
        while not table.store.begun.is_set():
            await asyncio.sleep(0.01)
        sender.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sender
        waiting = asyncio.create_task(table.do(BET, "again"))
        await asyncio.sleep(0.05)
        table.store.release()
        assert isinstance(await waiting, Answered)
        await table.check()

    asyncio.run(run())


def test_a_table_whose_reload_failed_is_reloaded_before_its_next_use() -> None:
    async def run() -> None:
        table = Table()
        await table.open()
        table.store.unreadable = True
        with pytest.raises(StoreError):
            table.runner.live.reload()
        table.store.unreadable = False
        assert isinstance(await table.do(BET, "bet"), Answered)
        await table.check()

    asyncio.run(run())


def test_a_given_up_table_is_replaced_only_once_its_record_can_be_read() -> None:
    async def run() -> None:
        table = await given_up(unreadable=True)
        with pytest.raises(StoreError, match="cannot be read"):
            await table.do(BET, "bet")
        table.store.unreadable = False
        assert isinstance(await table.do(BET, "bet"), Answered)
        table.store.release()
        await table.check()

    asyncio.run(run())


def test_a_failed_write_after_its_sender_disconnected_causes_no_unhandled_error() -> None:
    unhandled: list[dict[str, Any]] = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(context))
        table = Table()
        await table.open()
        table.store.holds = table.store.full = True
        sender = asyncio.create_task(table.do(BET, "bet"))
        while not table.store.begun.is_set():
            await asyncio.sleep(0.01)
        sender.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sender
        table.store.release()
        table.store.full = False
        assert isinstance(await table.do(BET, "bet"), Answered)
        await table.check()
        gc.collect()

    asyncio.run(run())
    assert unhandled == []


def test_a_change_that_is_cancelled_before_it_starts_leaves_nothing_behind() -> None:
    """A server that closes cancels the changes that it has not started."""

    async def run() -> None:
        table = Table()
        await table.open()
        sender = asyncio.create_task(table.runner.go_on())
        # The sender has started its change as a task, but the task has not run yet.
        await asyncio.sleep(0)
        for task in tuple(table.house.threads._tasks):
            task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sender
        gc.collect()
        await table.house.close()

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        asyncio.run(run())
    assert [str(warning.message) for warning in caught if "never awaited" in str(warning.message)] == []


def test_a_hanging_store_occupies_a_fixed_number_of_threads() -> None:
    async def run() -> None:
        threads, ran, go = StoreThreads(MemoryStore(), SHORT), list[int](), threading.Event()

        def hang(number: int) -> None:
            ran.append(number)
            go.wait(PATIENCE)

        calls = (threads.call(partial(hang, number)) for number in range(3 * WORKERS))
        errors = await asyncio.gather(*calls, return_exceptions=True)
        assert len(ran) == WORKERS
        kinds = [type(error) for error in errors]
        # A call that never started has changed nothing, so its table can continue with the same objects.
        assert kinds.count(AbandonedError) == WORKERS
        assert kinds.count(StoreDownError) == 2 * WORKERS
        go.set()
        assert await threads.call(lambda: 7) == 7
        await threads.close()

    asyncio.run(run())


def test_a_table_without_an_event_loop_never_waits() -> None:
    async def answers() -> int:
        return await DIRECT.call(lambda: 7)

    async def waits() -> None:
        await asyncio.sleep(0)

    assert run_now(answers()) == 7
    with pytest.raises(RuntimeError, match="needs an event loop"):
        run_now(waits())
