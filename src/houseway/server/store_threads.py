"""Threads for calls to the store, so that a slow database stops neither the page nor the other tables.

Each call has a time limit. If the database as a whole does not answer, further calls fail at once until a
check, which runs every second, finds that it answers again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, Final, TypeVar

from houseway.audit.store import HouseStore, StoreError
from houseway.live.offload import AbandonedError, StoreDownError
from houseway.server.limits import Limits

WORKERS: Final = 8
"""Threads for calls. A thread whose call was given up is in use until its call ends."""
CHECK_EVERY: Final = 1.0
"""Seconds between two checks of the database."""

T = TypeVar("T")
log: Final = logging.getLogger("houseway.store")


class StoreHealth:
    """Checks every second that the database answers and that this process may write to it."""

    def __init__(self, store: HouseStore, seconds: float) -> None:
        self.problem = ""
        """What is wrong with the database, without paths and addresses; empty if it answers."""
        self.recovered: list[Callable[[], None]] = []
        """Callbacks that run when the database answers again."""
        self._store = store
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "store check")
        self._now = asyncio.Event()
        self._since = 0.0

    def check_soon(self) -> None:
        """Check the database without waiting for the next second."""
        self._now.set()

    async def watch(self) -> None:
        """Check the database until this is cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            self._now.clear()
            check = loop.run_in_executor(self._thread, self._store.check)
            if not (await asyncio.wait((check,), timeout=self._seconds))[0]:
                sentence = f"the database did not answer within {self._seconds:g} seconds"
                self._note(sentence, sentence)
                await asyncio.wait((check,))
            error = check.exception()
            if error is None:
                self._note("", "")
            else:
                self._note("the database cannot be written", str(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(CHECK_EVERY):
                    await self._now.wait()

    def _note(self, problem: str, details: str) -> None:
        """Log the beginning and the end of a problem, one line each."""
        before, self.problem = self.problem, problem
        if problem and not before:
            self._since = monotonic()
            log.error("the record cannot be written, and tables wait: %s", details)
        elif before and not problem:
            log.warning("the record can be written again after %.0f s", monotonic() - self._since)
            for then in self.recovered:
                then()

    def close(self) -> None:
        """Start no more checks."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class StoreThreads:
    """Runs calls to the store in a few threads."""

    def __init__(self, store: HouseStore, limits: Limits) -> None:
        self._limits = limits
        self._pool = ThreadPoolExecutor(WORKERS, "store")
        self.health = StoreHealth(store, limits.store_seconds)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def call(self, work: Callable[[], T], *, long: bool = False) -> T:
        """Run a call in a thread and return its result; raise StoreError if it takes too long."""
        if self.health.problem:
            raise StoreDownError(self.health.problem)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        abandoned: list[AbandonedError] = []

        def end(finish: Callable[[asyncio.Future[T], Any], None], outcome: Any) -> None:
            finish(future, outcome)
            for error in abandoned:
                for then in error.when_ended:
                    then()

        def run() -> None:
            try:
                result = work()
            except BaseException as error:  # passed on to the caller
                outcome: tuple[Any, ...] = (_fail, error)
            else:
                outcome = (_finish, result)
            # The loop is closed if the server has stopped in the meantime.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(end, *outcome)

        seconds = self._limits.load_seconds if long else self._limits.store_seconds
        job = self._pool.submit(run)

        def give_up() -> None:
            sentence = f"the database did not answer within {seconds:g} seconds"
            if job.cancel():
                # The call has not started, and never will.
                _fail(future, StoreDownError(sentence))
            else:
                abandoned.append(AbandonedError(sentence))
                _fail(future, abandoned[0])

        timer = loop.call_later(seconds, give_up)
        try:
            return await future
        except StoreError:
            self.health.check_soon()
            raise
        finally:
            timer.cancel()

    async def whole(self, steps: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, even if the caller is cancelled."""
        task = self._task(steps)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # The caller is gone, so nobody else reads an error of the steps.
            task.add_done_callback(_report)
            raise

    def start(self, steps: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine in the background."""
        self._task(steps).add_done_callback(_report)

    def _task(self, steps: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.get_running_loop().create_task(steps)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self, seconds: float | None = None) -> None:
        """Wait until everything that was started is done, or until the time is over."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=seconds)

    async def close(self) -> None:
        """Wait for running calls, but no longer than the time limit of a call."""
        await self.finish(self._limits.store_seconds)
        for task in self._tasks:
            task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
        self.health.close()


def _finish(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[T], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


def _report(task: asyncio.Task[Any]) -> None:
    """Report the error of a background task, except a StoreError, which its table already shows."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, StoreError):
        context = {"message": "a background task failed", "exception": error, "task": task}
        task.get_loop().call_exception_handler(context)
