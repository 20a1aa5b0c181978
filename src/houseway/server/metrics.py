"""Metrics for Prometheus. No label contains a handle, a token, a table or a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Final, Self, TypeVar
from wsgiref.simple_server import WSGIServer

import msgspec
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    start_http_server,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from houseway.client.messages import Answered, Do, Rejected
from houseway.engine import commands as c

if TYPE_CHECKING:
    from houseway.server.house import HouseServer

Answer = TypeVar("Answer", bound=Answered | Rejected)

KINDS: Final = frozenset(
    kind.__name__ for kind in c.Command.__subclasses__() + c.SeatCommand.__subclasses__()
)
"""The kinds of commands; anything else is counted as unreadable."""
COMMAND_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)
STORE_BUCKETS: Final = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 2.5)


# Prometheus does not need the time at which each series began.
disable_created_metrics()  # type: ignore[no-untyped-call]


class _CommandType(msgspec.Struct, frozen=True):
    type: str = ""


_tag: Final = msgspec.json.Decoder(_CommandType)


class CommandTimer:
    """Measures the time to answer a command, and counts it with its result."""

    __slots__ = ("_metrics", "_request", "_result", "_since")

    def __init__(self, metrics: Metrics, request: Do) -> None:
        self._metrics = metrics
        self._request = request
        self._result = "failed"

    def __enter__(self) -> Self:
        self._since = perf_counter()
        return self

    def answered(self, answer: Answer) -> Answer:
        """Note the answer to the command, and return it."""
        if isinstance(answer, Answered):
            self._result = "repeated" if answer.repeated else "accepted"
        else:
            self._result = "refused"
        return answer

    def __exit__(self, *error: object) -> None:
        self._metrics.count_command(_kind(self._request), self._result, perf_counter() - self._since)


class Metrics:
    """The counters and histograms of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._children: dict[tuple[str, ...], Counter] = {}
        """The counters of commands (two labels) and of writes (one label)."""
        ProcessCollector(registry=self.registry)
        self._commands = Counter(
            "houseway_commands", "Commands by kind and result.", ["kind", "result"], registry=self.registry
        )
        self._command_seconds = Histogram(
            "houseway_command_seconds",
            "Seconds to answer a command.",
            buckets=COMMAND_BUCKETS,
            registry=self.registry,
        )
        self._writes = Counter(
            "houseway_store_writes", "Writes to the database by result.", ["result"], registry=self.registry
        )
        self._write_seconds = Histogram(
            "houseway_store_write_seconds",
            "Seconds of a write to the database.",
            buckets=STORE_BUCKETS,
            registry=self.registry,
        )
        self._connections = Counter(
            "houseway_connections_refused",
            "Connections refused, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self._requests = Counter(
            "houseway_requests_refused", "Requests refused, by code.", ["code"], registry=self.registry
        )

        self._leases = Counter(
            "houseway_leases",
            "Tables that this server took over from a server that is gone, or lost to another.",
            ["change"],
            registry=self.registry,
        )

    def lease(self, change: str) -> None:
        """Count a table that was taken over or lost."""
        self._leases.labels(change).inc()

    def command(self, request: Do) -> CommandTimer:
        """Return a context that measures and counts a command."""
        return CommandTimer(self, request)

    def count_command(self, kind: str, result: str, seconds: float) -> None:
        """Count a command and the time to answer it."""
        self._command_seconds.observe(seconds)
        self._count(self._commands, kind, result)

    def store_write(self, result: str, seconds: float) -> None:
        """Count a write to the database."""
        self._write_seconds.observe(seconds)
        self._count(self._writes, result)

    def _count(self, counter: Counter, *labels: str) -> None:
        # Looking up the counter for its labels takes ten times as long as counting, so counters are cached.
        child = self._children.get(labels)
        if child is None:
            child = self._children[labels] = counter.labels(*labels)
        child.inc()

    def refuse_connection(self, reason: str) -> None:
        """Count a connection that was refused."""
        self._connections.labels(reason).inc()

    def refuse_request(self, code: str) -> None:
        """Count a request that was refused."""
        self._requests.labels(code).inc()

    def follow(self, house: HouseServer) -> None:
        """Add the gauges of a server, which are read when the metrics are requested."""
        self.registry.register(_Gauges(house))

    def serve(self, host: str, port: int) -> tuple[WSGIServer, Thread]:
        """Serve the metrics at every path of an address, in a separate thread.

        Players use another address, so a proxy in front of that address cannot publish the metrics by
        mistake. Raises OSError if the address is in use.
        """
        return start_http_server(port, addr=host, registry=self.registry)


class _Gauges(Collector):
    """The current state of a server."""

    def __init__(self, house: HouseServer) -> None:
        self._house = house

    def describe(self) -> Iterable[Metric]:
        # The values are not read at registration: the tables are not open yet.
        return ()

    def collect(self) -> Iterator[Metric]:
        house = self._house
        runners = tuple(house.hall.tables.values())
        running = [runner for runner in runners if runner.live.state.section != "closed"]
        tables = GaugeMetricFamily(
            "houseway_tables", "Open tables, and those that are stuck.", labels=["state"]
        )
        tables.add_metric(["open"], len(running))
        tables.add_metric(["stuck"], sum(bool(runner.stuck_reason) for runner in running))
        yield tables
        checks = house.checks()
        for name, text, value in (
            ("sockets", "Open WebSockets.", len(house.connections)),
            ("connections", "Open connections.", house.door.open),
            ("ready", "1 after the tables on record are open.", int(house.opened)),
            ("store_trouble", "1 while the database cannot be read or written.", int(house.store_trouble)),
            ("records", "Records to check since the start.", checks.records),
            ("records_checked", "Records checked since the start.", checks.checked),
            ("record_faults", "Records with a fault, or that could not be read.", len(checks.wrong)),
        ):
            yield GaugeMetricFamily(f"houseway_{name}", text, value=value)


def _kind(request: Do) -> str:
    try:
        kind = _tag.decode(bytes(request.command)).type
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return "unreadable"
    return kind if kind in KINDS else "unreadable"
