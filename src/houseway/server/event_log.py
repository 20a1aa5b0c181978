"""Significant events of a server: each is a line of the log, and supervisors see the latest ones."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Final

from houseway.client.messages import HouseEvent
from houseway.live.table_services import now
from houseway.server.log_lines import FIELDS

LOG: Final = logging.getLogger("houseway")
RECENT: Final = 50
"""The number of events that the server lists."""

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
        "another server continues a table of this one; viewers reconnect to it",
    ),
    "leases-expired": (
        logging.WARNING,
        "the database did not answer in time, so other servers may continue the tables of this one",
    ),
    "table-stuck": (logging.WARNING, "a table cannot continue; it tries again every few seconds"),
    "table-continues": (logging.INFO, "a table that was stuck continues"),
    "table-not-resumed": (logging.WARNING, "a table on record could not be opened"),
    "record-fault": (logging.WARNING, "a record has a fault; run houseway audit verify"),
    "record-unreadable": (logging.WARNING, "a record could not be checked, because it could not be read"),
    "key-created": (logging.WARNING, "the house has a new signing key; keep a copy of the file"),
    "key-replaced": (logging.WARNING, "the house signs with another key than before; publish the new one"),
    "role-granted": (logging.INFO, "a person has a new role"),
    "role-revoked": (logging.INFO, "a person has lost a role"),
    "invitation-created": (logging.INFO, "an invitation to a role was created"),
    "token-rotated": (logging.INFO, "a person has replaced their token"),
    "token-revoked": (logging.INFO, "a person's token was revoked"),
    "recovery-created": (logging.INFO, "a recovery link was created"),
    "recovery-used": (logging.INFO, "a person has signed in with a recovery link"),
}
"""Every event: its level, and the sentence that the floor reads."""
ACCESS: Final = frozenset(
    {
        "role-granted", "role-revoked", "invitation-created", "token-rotated", "token-revoked",
        "recovery-created", "recovery-used",
    }
)  # fmt: skip
"""Changes of a person's access, without the handles."""
ROUTINE: Final = frozenset({"server-started", "server-stopped"}) | ACCESS
"""Events that only the log has."""


class EventLog:
    """Writes events to the log, and remembers the last ones. It may be used from any thread."""

    def __init__(self, clock: Callable[[], str] = now) -> None:
        self._clock = clock
        self._recent: deque[HouseEvent] = deque(maxlen=RECENT)
        self._stuck: set[str] = set()
        self._lock = Lock()

    def write(self, event: str, *, table: str = "", **details: str) -> None:
        """Write an event. The details go to the log only, because they may name files and hosts."""
        level, message = EVENTS[event]
        if event not in ROUTINE:
            self._recent.append(HouseEvent(at=self._clock(), event=event, message=message, table=table))
        LOG.log(level, message, extra={FIELDS: {"event": event, "table": table, **details}})

    def recent(self, table: str | None = None) -> tuple[HouseEvent, ...]:
        """Return the last events, newest first; with a table, only its own and those of the whole house."""
        listed = reversed(tuple(self._recent))
        return tuple(event for event in listed if table is None or event.table in ("", table))

    def forget(self, stream: str) -> None:
        """Forget that a table is stuck, because this server does not have it any more."""
        with self._lock:
            self._stuck.discard(stream)

    def table_changed(self, stream: str, trouble: str) -> None:
        """Note whether a table is stuck; `trouble` is the reason, or empty."""
        with self._lock:
            if bool(trouble) == (stream in self._stuck):
                return
            if trouble:
                self._stuck.add(stream)
            else:
                self._stuck.discard(stream)
        if trouble:
            self.write("table-stuck", table=stream, reason=trouble)
        else:
            self.write("table-continues", table=stream)
