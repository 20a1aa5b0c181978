"""An event loop with a simulated clock, and threads that run in it. Nothing here does real input or output."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Executor, Future
from contextvars import Context, ContextVar, copy_context
from inspect import CORO_CREATED, getcoroutinestate
from itertools import count
from typing import Any, NoReturn, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

PROCESS: ContextVar[int] = ContextVar("process", default=0)
"""The number of the server process that a task or a timer belongs to; 0 for the world outside."""


ENDINGS = 20
"""The most times that `end_process` cancels the tasks of a process. Once is not enough: a cancelled task may
start another."""


def in_process(number: int) -> Context:
    """Return a context in which everything belongs to a server process."""
    context = copy_context()
    context.run(PROCESS.set, number)
    return context


class DeadlockError(AssertionError):
    """No task can continue and no timer is set, so the simulation would wait forever."""


class _Idle:
    """Stands for the selector: instead of waiting for input, it moves the clock to the next timer."""

    def __init__(self, loop: SimulatedLoop) -> None:
        self._loop = loop

    def select(self, timeout: float | None) -> tuple[()]:
        if timeout is None:
            raise DeadlockError("every task waits, and no timer is set")
        if timeout > 0:
            self._loop.jump(timeout)
        return ()


class SimulatedLoop(asyncio.BaseEventLoop):
    """An event loop whose clock moves only when every task waits; it then jumps to the next timer."""

    _scheduled: list[Any]

    def __init__(self) -> None:
        super().__init__()
        self._selector = _Idle(self)
        self._time = 0.0
        self._tasks: dict[int, tuple[int, asyncio.Task[Any]]] = {}
        """The unfinished tasks, each with its process."""
        self._numbers = count()
        self._ended: set[int] = set()
        """The processes that have ended."""
        self.reply_delay = 0.0
        """Seconds until the loop runs a callback that a simulated thread schedules now."""
        self.set_task_factory(self._make_task)  # type: ignore[arg-type]

    def time(self) -> float:
        return self._time

    def jump(self, seconds: float) -> None:
        """Move the clock without running the timers in between, as if the machine had stopped."""
        self._time += seconds

    # --- tasks of a process ---

    def _make_task(
        self, _: asyncio.AbstractEventLoop, steps: Coroutine[Any, Any, T], **options: Any
    ) -> asyncio.Task[T]:
        task = asyncio.Task(steps, loop=self, **options)
        number = next(self._numbers)
        context: Context | None = options.get("context")
        process = PROCESS.get() if context is None else context.get(PROCESS, 0)
        self._tasks[number] = (process, task)
        task.add_done_callback(lambda _: self._tasks.pop(number, None), context=Context())
        return task

    def tasks_of(self, process: int) -> list[asyncio.Task[Any]]:
        """Return the unfinished tasks of a process, in the order in which they were created."""
        return [task for owner, task in self._tasks.values() if owner == process]

    def silence(self, process: int) -> None:
        """Ignore all further callbacks from the threads of a process."""
        self._ended.add(process)

    async def end_process(self, process: int) -> bool:
        """Cancel every task and timer of a process; return False if some tasks cannot be cancelled."""
        self.silence(process)
        for _ in range(ENDINGS):
            await asyncio.sleep(0)
            tasks = self.tasks_of(process)
            for handle in self._scheduled:
                if handle._context.get(PROCESS, 0) == process:
                    handle.cancel()
            if not tasks:
                return True
            # A task that is cancelled before it starts leaves coroutines that nobody awaits.
            started = [task for task in tasks if getcoroutinestate(_coroutine(task)) != CORO_CREATED]
            for task in started:
                task.cancel()
            for task in (await asyncio.wait(started))[0] if started else ():
                if not task.cancelled():
                    # Nobody reads the errors of a process that was killed.
                    task.exception()
        return False

    # --- methods that a simulation replaces or forbids ---

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if PROCESS.get() in self._ended:
            # Callbacks from threads of a process that has ended are ignored.
            return asyncio.Handle(callback, args, self, context)
        if self.reply_delay:
            return self.call_later(self.reply_delay, callback, *args, context=context)
        return self.call_soon(callback, *args, context=context)

    def _process_events(self, events: tuple[()]) -> None:
        """Do nothing: there is no input."""

    def _write_to_self(self) -> None:
        """Do nothing: there is no other thread to wake this one."""

    async def getaddrinfo(self, *args: Any, **options: Any) -> NoReturn:
        raise OSError("the simulated world has no real network")


def _coroutine(task: asyncio.Task[Any]) -> Coroutine[Any, Any, Any]:
    coroutine = task.get_coro()
    assert isinstance(coroutine, Coroutine)
    return coroutine


class SimulatedThreads(Executor):
    """Threads of a server process. Each call takes simulated time, but all its work happens at one moment.

    `delays` returns the seconds before that moment, and the seconds from it until the caller gets the
    result.
    """

    def __init__(self, loop: SimulatedLoop, workers: int, delays: Iterator[tuple[float, float]]) -> None:
        self._loop = loop
        self._free = workers
        self._delays = delays
        self._waiting: deque[tuple[Future[Any], Callable[[], Any], Context]] = deque()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        self._waiting.append((future, lambda: fn(*args, **kwargs), copy_context()))
        self._start()
        return future

    def _start(self) -> None:
        while self._free and self._waiting:
            future, work, context = self._waiting.popleft()
            if future.set_running_or_notify_cancel():
                self._free -= 1
                before, after = next(self._delays)
                self._loop.call_later(before, self._run, future, work, after, context=context)

    def _run(self, future: Future[Any], work: Callable[[], Any], after: float) -> None:
        loop = self._loop
        loop.reply_delay = after
        try:
            result = work()
        except Exception as error:
            future.set_exception(error)
        except ProcessKilled:
            # The process died in the middle of this call, so nobody gets its result.
            return
        else:
            future.set_result(result)
        finally:
            loop.reply_delay = 0.0
        loop.call_later(after, self._end)

    def _end(self) -> None:
        self._free += 1
        self._start()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Start no more calls."""
        for future, _, _ in self._waiting:
            future.cancel()
        self._waiting.clear()


class ProcessKilled(BaseException):
    """The server process was killed while it used the disk."""
