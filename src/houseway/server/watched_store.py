"""A store whose writes are counted and timed, and whose failures are reported as events."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import perf_counter
from typing import Any, Final, TypeVar, cast

from houseway.audit.store import (
    Batch,
    DamagedError,
    DuplicateKeyError,
    Head,
    HouseStore,
    LeaseLostError,
    StaleHeadError,
    StoreBusyError,
    StoreError,
)
from houseway.server.event_log import EventLog
from houseway.server.metrics import Metrics

T = TypeVar("T")

READS: Final = frozenset({"streams", "head", "keyed", "text", "secret", "kept", "kept_as", "snapshot"})
"""The methods that read at once; a failure is reported."""
HARMLESS: Final = (StaleHeadError, DuplicateKeyError, LeaseLostError, DamagedError)
"""Errors that say something about the data, not about the database."""


class WatchedStore:
    """Passes everything on to a store, and watches writes and failures."""

    def __init__(self, store: HouseStore, metrics: Metrics, log: EventLog) -> None:
        self._store = store
        self._metrics = metrics
        self._log = log
        self._lock = Lock()
        self._troubles: dict[str, str] = {}
        """The error of the last read, and of the last write, if it failed."""

    @property
    def trouble(self) -> str:
        """The error of the last read or write, or empty if both succeeded."""
        return next(iter(tuple(self._troubles.values())), "")

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        self._timed(self._store.append, stream, after, batch)

    def keep(self, name: str, body: bytes) -> None:
        self._timed(self._store.keep, name, body)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._store, name)
        if name not in READS:
            return attribute

        def read(*args: Any) -> Any:
            return self._watched("read", attribute, *args)

        return read

    def _timed(self, write: Callable[..., None], *args: Any) -> None:
        since = perf_counter()
        try:
            self._watched("write", write, *args)
        except StoreError as error:
            self._metrics.store_write(_result(error), perf_counter() - since)
            raise
        self._metrics.store_write("written", perf_counter() - since)

    def _watched(self, kind: str, call: Callable[..., T], *args: Any) -> T:
        try:
            value = call(*args)
        except HARMLESS:
            raise
        except StoreError as error:
            self._failed(kind, error)
            raise
        if kind in self._troubles:
            self._succeeded(kind)
        return value

    def _failed(self, kind: str, error: StoreError) -> None:
        with self._lock:
            before, self._troubles[kind] = self.trouble, str(error)
        if not before:
            event = "lock-lost" if isinstance(error, StoreBusyError) else "store-trouble"
            self._log.write(event, reason=str(error))

    def _succeeded(self, kind: str) -> None:
        with self._lock:
            before = self._troubles.pop(kind, "")
            after = self.trouble
        if before and not after:
            self._log.write("store-recovered")


def watched(store: HouseStore, metrics: Metrics, log: EventLog) -> HouseStore:
    """Return a store that passes everything on and is watched."""
    return cast("HouseStore", WatchedStore(store, metrics, log))


def _result(error: StoreError) -> str:
    return "moved" if isinstance(error, StaleHeadError | DuplicateKeyError | LeaseLostError) else "failed"
