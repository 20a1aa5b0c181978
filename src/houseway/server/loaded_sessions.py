"""The training sessions in memory, and when their people were last seen."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from typing import Final
from weakref import WeakValueDictionary

from houseway.client import training_messages as t
from houseway.server.certificate_desk import StoredCertificate
from houseway.training.hosted_session import HostedSession

MOST_LOADED: Final = 100
"""The most sessions in memory besides running exams. The others are loaded when their person comes back."""
IDLE: Final = 3600.0
"""A session leaves the memory after this many seconds without a request."""
FORGOTTEN: Final = 48 * 3600.0
"""The seconds after which it does not matter when a person was last seen, because no exam lasts that
long."""


class Room:
    """A session in memory."""

    def __init__(self, handle: str, hosted: HostedSession, stream: int, used: float) -> None:
        self.handle = handle
        self.hosted = hosted
        self.stream = stream
        """The number of the person's stream: it changes if the person erases their progress."""
        self.used = used
        """The time of the last request."""
        self.started = seconds_of(hosted.opening.at)
        self.lock = asyncio.Lock()
        self.reported = False
        """True if the result of the exam is stored."""
        self.certificate: StoredCertificate | None = None
        """The signed certificate of a passed exam."""
        self.news: tuple[t.ChairEvent, ...] = ()
        """What happened by itself before the current request."""


class LoadedSessions(OrderedDict[str, Room]):
    """The sessions in memory by name, the least recently used first."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        """`seconds` returns the time in seconds since 1970."""
        super().__init__()
        self._seconds = seconds
        self._seen: OrderedDict[str, float] = OrderedDict()
        """When the person of a running exam was last seen. It stays if the session leaves the memory."""
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def loading(self, session: str) -> asyncio.Lock:
        """Return the lock that is held while a session is loaded."""
        return self._loading.setdefault(session, asyncio.Lock())

    def last_seen(self, room: Room) -> float:
        """Return when the person of a session was last seen: at a request here, or at an input anywhere."""
        last_input = room.started + room.hosted.last / 1000
        return max(last_input, self._seen.get(room.hosted.opening.session, last_input))

    def note(self, room: Room) -> None:
        """Note a request to a session."""
        now, session = self._seconds(), room.hosted.opening.session
        room.used = now
        if room.hosted.sealed:
            self._seen[session] = now
            self._seen.move_to_end(session)
        else:
            self._seen.pop(session, None)
        while self._seen and next(iter(self._seen.values())) < now - FORGOTTEN:
            self._seen.popitem(last=False)

    def keep(self, room: Room) -> Room:
        """Keep a session in memory."""
        self[room.hosted.opening.session] = room
        self.drop_idle(room)
        return room

    def drop_idle(self, room: Room) -> None:
        """Move a session to the end, and drop sessions without a request for a while.

        A running exam is not dropped to make room for others.
        """
        now, session = self._seconds(), room.hosted.opening.session
        if session in self:
            self.move_to_end(session)
        others = sum(not one.hosted.sealed for one in self.values())
        for name, other in tuple(self.items()):
            sealed = other.hosted.sealed
            crowded = others > MOST_LOADED and not sealed
            if other is room or other.lock.locked() or not (crowded or now - other.used > IDLE):
                continue
            del self[name]
            others -= not sealed

    def drop_person(self, handle: str) -> None:
        """Drop the sessions of a person."""
        for session, room in tuple(self.items()):
            if room.handle == handle:
                del self[session]


def seconds_of(at: str) -> float:
    """Return a time as seconds since 1970."""
    return datetime.fromisoformat(at).timestamp()
