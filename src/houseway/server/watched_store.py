"""A store that counts and times its writes, and reports failures as events."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock
from time import perf_counter
from typing import Any, Final, TypeVar, cast

from houseway.audit.sql.class_rows import ClassRows
from houseway.audit.sql.people_rows import PeopleRows
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

READS: Final = frozenset(
    {"streams", "head", "heads", "keyed", "text", "secret", "kept", "kept_as", "snapshot"}
)
"""The methods that only read and are watched: if one fails, the failure is reported."""
ROW_READS: Final = frozenset(
    {"by_token", "by_name", "everyone", "grants", "revocations"}
    | {"one", "of_instructor", "of_member", "members", "attempts", "invited", "is_instructor_of"}
)
"""The methods of `PeopleRows` and `ClassRows` that only read."""
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
        """The errors of the last read and of the last write, if they failed."""

    @property
    def trouble(self) -> str:
        """The error of the last read or write, or empty if both succeeded."""
        return next(iter(tuple(self._troubles.values())), "")

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        self._timed(self._store.append, stream, after, batch)

    def keep(self, name: str, body: bytes) -> None:
        self._timed(self._store.keep, name, body)

    def people_rows(self) -> PeopleRows:
        return cast("PeopleRows", _WatchedRows(self._store.people_rows(), self._watched, self._timed))

    def class_rows(self) -> ClassRows:
        return cast("ClassRows", _WatchedRows(self._store.class_rows(), self._watched, self._timed))

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._store, name)
        if name not in READS:
            return attribute

        def read(*args: Any) -> Any:
            return self._watched("read", attribute, *args)

        return read

    def _timed(self, write: Callable[..., T], *args: Any) -> T:
        since = perf_counter()
        try:
            result = self._watched("write", write, *args)
        except StoreError as error:
            self._metrics.store_write(_result(error), perf_counter() - since)
            raise
        self._metrics.store_write("written", perf_counter() - since)
        return result

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


class _WatchedRows:
    """Passes every call on to `PeopleRows` or `ClassRows`, and watches writes and failures."""

    def __init__(
        self, rows: PeopleRows | ClassRows, watched: Callable[..., Any], timed: Callable[..., Any]
    ) -> None:
        self._rows = rows
        self._watched = watched
        self._timed = timed

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._rows, name)
        watch = partial(self._watched, "read") if name in ROW_READS else self._timed
        return lambda *args, **options: watch(partial(method, *args, **options))


def watched(store: HouseStore, metrics: Metrics, log: EventLog) -> HouseStore:
    """Return a store that counts and times the writes of another store, and reports its failures."""
    return cast("HouseStore", WatchedStore(store, metrics, log))


def _result(error: StoreError) -> str:
    return "moved" if isinstance(error, StaleHeadError | DuplicateKeyError | LeaseLostError) else "failed"
