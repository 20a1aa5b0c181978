"""The auditor's metrics for Prometheus. No label contains a handle, a table or a card."""

from __future__ import annotations

from threading import Thread
from typing import get_args
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics, start_http_server

from houseway.auditor.follower import Alarm, AlarmKind, AuditCounts

# Prometheus does not need the time at which each series began.
disable_created_metrics()  # type: ignore[no-untyped-call]


class AuditMetrics:
    """The counters of one auditor."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._alarms = Counter(
            "houseway_audit_alarms", "Alarms of the auditor, by kind.", ["kind"], registry=self.registry
        )
        self._rounds = Gauge(
            "houseway_audit_rounds", "Rounds audited since the auditor started.", registry=self.registry
        )
        self._read = Gauge(
            "houseway_audit_read_timestamp_seconds",
            "The time at which the auditor had last read every record to its end.",
            registry=self.registry,
        )
        for kind in get_args(AlarmKind):
            # Each kind is listed from the start, so that an alert can compare it with 0.
            self._alarms.labels(kind)

    def alarm(self, alarm: Alarm) -> None:
        """Count an alarm."""
        self._alarms.labels(alarm.kind).inc()

    def reached_end(self, counts: AuditCounts, now: float) -> None:
        """Note that every record has been read to its end; `now` is in seconds since 1970."""
        self._rounds.set(counts.rounds)
        self._read.set(now)

    def serve(self, host: str, port: int) -> tuple[WSGIServer, Thread]:
        """Serve the metrics in a separate thread. Raises OSError if the address is in use."""
        return start_http_server(port, addr=host, registry=self.registry)
