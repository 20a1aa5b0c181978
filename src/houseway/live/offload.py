"""Run a table's reads and writes in the caller's thread or, to free the event loop, in another thread."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Final, Protocol, TypeVar

from houseway.audit.store import StoreError

T = TypeVar("T")


class AbandonedError(StoreError):
    """A call did not finish in time. Its thread may still run, so no other code may use its objects."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.when_ended: list[Callable[[], None]] = []
        """Callbacks that run in the event loop when the thread has finished after all."""


class StoreDownError(StoreError):
    """The store does not answer, so the call was not tried."""


class Offload(Protocol):
    """Runs calls that read or write the record."""

    async def call(self, work: Callable[[], T], *, long: bool = False) -> T:
        """Run a call and return its result; raise StoreError if the store does not answer in time.

        A `long` call, which reads a whole record, has more time.
        """

    async def whole(self, steps: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine to its end, even if the caller is cancelled."""

    def start(self, steps: Coroutine[Any, Any, object]) -> None:
        """Run a coroutine in the background."""


class Direct:
    """Runs every call at once in the caller's thread, for a table without an event loop."""

    async def call(self, work: Callable[[], T], *, long: bool = False) -> T:
        return work()

    async def whole(self, steps: Coroutine[Any, Any, T]) -> T:
        return await steps

    def start(self, steps: Coroutine[Any, Any, object]) -> None:
        run_now(steps)


DIRECT: Final = Direct()


def run_now(steps: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end without an event loop; raise RuntimeError if it would have to wait."""
    try:
        steps.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    steps.close()
    raise RuntimeError("this coroutine waits for something, so it needs an event loop")
