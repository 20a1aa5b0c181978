"""`audit follow`: recompute every payment of a running server, and report each alarm to its operators."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep, time
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import msgspec
from cyclopts import Parameter

from houseway.audit.archive import open_record
from houseway.audit.store import UnavailableError
from houseway.auditor.follower import Alarm, AuditCounts, Auditor
from houseway.cli.output import BadInputError, complain, write
from houseway.wording import several

if TYPE_CHECKING:
    from houseway.auditor.audit_metrics import AuditMetrics

SHORTEST_WAIT, LONGEST_WAIT = 0.05, 3600.0
"""The limits of `--every`, in seconds."""
PORTS = range(1, 65536)


def follow(
    where: str,
    /,
    *,
    once: Annotated[bool, Parameter(negative="")] = False,
    every: float = 1.0,
    secrets_key: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    log_format: Literal["text", "json"] | None = None,
    metrics_host: str = "127.0.0.1",
    metrics_port: int = 0,
) -> int:
    """Follow the records of a running server. Report wrong payments, and cards or results that come up too
    often or too rarely.

    A second settlement program, written from the documents alone, recomputes each payment. The
    frequencies of ranks, suits and hands, and the returns of side bets, are compared with their exact
    values; a difference is reported if chance does not explain it. Run this command beside the server,
    under a separate system or database user that can only read. If the database does not answer, the
    command tries again. Stop it with Ctrl-C. Exit code 1 means that there was an alarm.

    Parameters
    ----------
    where
        The server's own record: a SQLite file or postgresql://….
    once
        Stop at the end of the records instead of waiting for more.
    every
        The number of seconds between two readings.
    secrets_key
        The file with the key of a record whose secrets are encrypted (serve --secrets-key).
    json
        Print each alarm as one line of JSON.
    log_format
        Write each alarm to stderr as an event of the log (audit-alarm), in the format of serve
        --log-format; default: print alarms to stdout.
    metrics_host
        The address to serve metrics on. Never choose an address that strangers can reach.
    metrics_port
        Serve metrics for Prometheus on this port; default: no metrics.
    """
    if not SHORTEST_WAIT <= every <= LONGEST_WAIT:
        limits = f"{SHORTEST_WAIT:g} to {LONGEST_WAIT:g} seconds"
        raise BadInputError(f"--every must be {limits} (got {every:g})")
    if metrics_port and metrics_port not in PORTS:
        raise BadInputError(f"--metrics-port must be 1 to {PORTS[-1]} (got {metrics_port})")
    if json and log_format:
        raise BadInputError("--json prints alarms, and --log-format writes them to the log; choose one")
    output: PrintedAlarms | LoggedAlarms
    output = LoggedAlarms(log_format) if log_format else PrintedAlarms(json=json)
    metrics = _serve_metrics(metrics_host, metrics_port) if metrics_port else None
    alarms = 0
    with closing(open_record(where, secrets_key)) as store, _stopped_by_sigterm():
        auditor, trouble = Auditor(store), ""
        output.started()
        try:
            while True:
                try:
                    for alarm in auditor.poll():
                        alarms += 1
                        output.alarm(alarm)
                        if metrics:
                            metrics.alarm(alarm)
                except UnavailableError as error:
                    if once:
                        raise
                    if not trouble:
                        output.trouble(str(error))
                    trouble = str(error)
                else:
                    if trouble:
                        output.recovered()
                    trouble = ""
                    if metrics:
                        metrics.reached_end(auditor.counts, time())
                if once:
                    break
                sleep(every)
        except KeyboardInterrupt:
            pass
        output.stopped(auditor.counts, alarms)
    return 1 if alarms else 0


@contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    """Let SIGTERM stop the command as Ctrl-C does, so that a service manager gets the exit code."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _serve_metrics(host: str, port: int) -> AuditMetrics:
    from houseway.auditor.audit_metrics import AuditMetrics

    metrics = AuditMetrics()
    try:
        metrics.serve(host, port)
    except OSError as error:
        advice = "stop the program that uses it, or choose another --metrics-port"
        raise BadInputError(f"cannot serve metrics on {host}:{port}: {error.strerror}; {advice}") from error
    return metrics


class PrintedAlarms:
    """Prints alarms to stdout, as sentences or as JSON."""

    def __init__(self, *, json: bool) -> None:
        self._json = json

    def started(self) -> None:
        pass

    def alarm(self, alarm: Alarm) -> None:
        if self._json:
            write(msgspec.json.encode(alarm).decode())
        else:
            place = f", round {alarm.round}" if alarm.round else ""
            write(f"{alarm.stream}{place}: {alarm.message}")
        sys.stdout.flush()

    def trouble(self, reason: str) -> None:
        complain([f"the database does not answer; trying again: {reason}"])

    def recovered(self) -> None:
        complain(["the database answers again"])

    def stopped(self, counts: AuditCounts, alarms: int) -> None:
        if not self._json:
            write(_audited(counts, alarms))


class LoggedAlarms:
    """Writes alarms to the log, as the server writes its events."""

    def __init__(self, kind: Literal["text", "json"]) -> None:
        from houseway.server.event_log import EventLog
        from houseway.server.log_lines import configure_logs

        configure_logs(kind)
        self._log = EventLog()

    def started(self) -> None:
        self._log.write("auditor-started")

    def alarm(self, alarm: Alarm) -> None:
        number = str(alarm.round) if alarm.round else ""
        self._log.write(
            "audit-alarm", table=alarm.stream, kind=alarm.kind, round=number, reason=alarm.message
        )

    def trouble(self, reason: str) -> None:
        self._log.write("auditor-waits", reason=reason)

    def recovered(self) -> None:
        self._log.write("auditor-continues")

    def stopped(self, counts: AuditCounts, alarms: int) -> None:
        self._log.write("auditor-stopped", reason=_audited(counts, alarms))


def _audited(counts: AuditCounts, alarms: int) -> str:
    """Summarize the auditor's work."""
    rounds = several(counts.rounds, "round")
    parts = [f"{several(counts.settled, 'round')} settled again by the second settler"]
    if counts.by_engine:
        parts.append(f"{counts.by_engine} by houseway itself, because their rulebook is the house's own")
    if counts.skipped:
        parts.append(f"{counts.skipped} not settled again: void, or with cards that were never shown")
    return f"{rounds} audited ({'; '.join(parts)}): {several(alarms, 'alarm') if alarms else 'no alarm'}"
