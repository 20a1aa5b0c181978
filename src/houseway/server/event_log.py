"""Significant events of a server: each is a line of the log, and supervisors see the latest ones."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from threading import RLock
from typing import Any, Final

from houseway.client.messages import HouseEvent
from houseway.live.table_services import now
from houseway.server.log_lines import FIELDS

LOG: Final = logging.getLogger("houseway")
RECENT: Final = 50
"""The number of events that supervisors can see."""
GATHER: Final = 2.0
"""Seconds to wait for more tables before the line about an outage of the database is written."""
NAMED: Final = 5
"""The number of tables that the lines about an outage name."""

EVENTS: Final[dict[str, tuple[int, str]]] = {
    "server-started": (logging.INFO, "the server is ready"),
    "server-stopped": (logging.INFO, "the server has stopped; every acknowledged command is on record"),
    "store-trouble": (
        logging.WARNING,
        "the database cannot be read or written; tables wait and try again, and nothing is lost",
    ),
    "store-recovered": (logging.INFO, "the database answers again"),
    "lock-lost": (
        logging.WARNING,
        "another process writes to the database; stop it, or stop this server",
    ),
    "table-taken-over": (
        logging.INFO,
        "the server of a table has stopped; this server continues the table with the same cards",
    ),
    "table-given-away": (
        logging.WARNING,
        "another server has taken over a table of this server; viewers reconnect",
    ),
    "leases-expired": (
        logging.WARNING,
        "the database did not answer in time, so other servers may take over the tables of this server",
    ),
    "table-stuck": (logging.WARNING, "a table cannot continue; it tries again every few seconds"),
    "table-continues": (logging.INFO, "a table that was stuck continues"),
    "table-not-resumed": (logging.WARNING, "a table on record could not be opened"),
    "record-fault": (logging.WARNING, "a record has a fault; run houseway audit verify"),
    "record-unreadable": (logging.WARNING, "a record could not be checked, because it could not be read"),
    "key-created": (logging.WARNING, "the house has a new signing key; keep a copy of the file"),
    "key-replaced": (logging.WARNING, "the house has replaced its signing key; publish the new key"),
    "role-granted": (logging.INFO, "a person has a new role"),
    "role-revoked": (logging.INFO, "a person has lost a role"),
    "invitation-created": (logging.INFO, "an invitation to a role was created"),
    "token-rotated": (logging.INFO, "a person has replaced their token"),
    "token-revoked": (logging.INFO, "a person's token was revoked"),
    "recovery-created": (logging.INFO, "a recovery link was created"),
    "recovery-used": (logging.INFO, "a person has signed in with a recovery link"),
    "audit-alarm": (
        logging.WARNING,
        "the auditor has found a wrong payment, a changed record, or results that chance does not explain",
    ),
    "auditor-waits": (logging.WARNING, "the auditor cannot read the database; it tries again"),
    "auditor-continues": (logging.INFO, "the auditor can read the database again"),
    "auditor-started": (logging.INFO, "the auditor reads the records from their beginning"),
    "auditor-stopped": (logging.INFO, "the auditor has stopped"),
}
"""The log level and the message of each event."""
PLURALS: Final = {
    "table-stuck": "tables cannot continue; they try again every few seconds",
    "table-continues": "the tables that were stuck continue",
}
"""The messages for several tables at once."""
ACCESS: Final = frozenset(
    {
        "role-granted", "role-revoked", "invitation-created", "token-rotated", "token-revoked",
        "recovery-created", "recovery-used",
    }
)  # fmt: skip
"""Events about a person's access. They do not contain the person's handle."""
ROUTINE: Final = frozenset({"server-started", "server-stopped"}) | ACCESS
"""Events that are only in the log. Supervisors do not see them."""


class EventLog:
    """Writes events to the log, and remembers the last ones. It may be used from any thread."""

    def __init__(self, clock: Callable[[], str] = now) -> None:
        self._clock = clock
        self._recent: deque[HouseEvent] = deque(maxlen=RECENT)
        self._stuck: set[str] = set()
        self._waiting: set[str] = set()
        """The tables that wait for the database."""
        self._outage: dict[str, str] = {}
        """All tables that waited since the outage began, in order, each with its reason."""
        self._reported = False
        """True if the log has the line about the outage."""
        self._lock = RLock()
        self.later: Callable[[float, Callable[[], None]], Any] = _at_once
        """Runs a callback after a number of seconds."""

    def write(self, event: str, *, table: str = "", **details: str) -> None:
        """Write an event. The details are only in the log, because they may name files and hosts."""
        if event not in ROUTINE:
            self._remember(event, table)
        _log(event, EVENTS[event][1], table=table, **details)

    def _remember(self, event: str, table: str) -> None:
        message = EVENTS[event][1]
        self._recent.append(HouseEvent(at=self._clock(), event=event, message=message, table=table))

    def recent(self, table: str | None = None) -> tuple[HouseEvent, ...]:
        """Return the last events, newest first. With a table, leave out the events of other tables."""
        listed = reversed(tuple(self._recent))
        return tuple(event for event in listed if table is None or event.table in ("", table))

    def forget(self, stream: str) -> None:
        """Forget that a table is stuck, because this server no longer runs it."""
        with self._lock:
            self._stuck.discard(stream)
            self._waiting.discard(stream)
            self._outage.pop(stream, None)
            self._end_outage()

    def table_changed(self, stream: str, trouble: str, *, unavailable: bool = False) -> None:
        """Note whether a table is stuck; `trouble` is the reason, or empty.

        If it is stuck because the database is `unavailable`, other tables are too. The log then has one
        line when the outage begins, and one when the last of these tables continues.
        """
        with self._lock:
            if bool(trouble) == (stream in self._stuck):
                return
            event = "table-stuck" if trouble else "table-continues"
            self._remember(event, stream)
            if not trouble:
                self._stuck.discard(stream)
            else:
                self._stuck.add(stream)
            if trouble and unavailable:
                self._waiting.add(stream)
                self._outage[stream] = trouble
                if len(self._outage) == 1:
                    self.later(GATHER, partial(self._report_outage, self._outage))
            elif stream in self._waiting:
                self._waiting.discard(stream)
                self._end_outage()
            else:
                _log(event, EVENTS[event][1], table=stream, reason=trouble)

    def _report_outage(self, outage: dict[str, str]) -> None:
        """Write the line about an outage, unless it is written already or the outage is over."""
        with self._lock:
            if outage and outage is self._outage and not self._reported:
                self._reported = True
                self._log_tables("table-stuck", reason=next(iter(outage.values())))

    def _end_outage(self) -> None:
        if self._waiting:
            return
        if self._outage:
            self._report_outage(self._outage)
            self._log_tables("table-continues")
        self._outage, self._reported = {}, False

    def _log_tables(self, event: str, reason: str = "") -> None:
        """Write one line about all tables of the outage."""
        tables = list(self._outage)
        if len(tables) == 1:
            _log(event, EVENTS[event][1], table=tables[0], reason=reason)
            return
        named = ", ".join(tables[:NAMED]) + (", …" if len(tables) > NAMED else "")
        _log(event, PLURALS[event], count=str(len(tables)), tables=named, reason=reason)


def _log(event: str, message: str, **details: str) -> None:
    LOG.log(EVENTS[event][0], message, extra={FIELDS: {"event": event, **details}})


def _at_once(seconds: float, then: Callable[[], None]) -> None:
    then()
