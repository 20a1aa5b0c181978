"""The base class of the desks for drills and practice. A desk keeps the sessions of one kind in memory.

Each session belongs to one person. Its next question is prepared while the person answers, and its answers
are stored in groups under the person.
"""

from __future__ import annotations

import asyncio
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, Final, Generic, Protocol, TypeVar

from houseway.audit.store import StoreError
from houseway.live.personal_streams import StreamNews
from houseway.server.rulebook_library import RefusedError, refused
from houseway.server.work_queue import WorkQueue

MOST: Final = 400
"""The most sessions of one desk in memory; the one that has been idle longest is dropped first."""
MOST_EACH: Final = 4
"""The most sessions of one person at one desk."""
HOURS: Final = 2
"""A session that is idle for this many hours is dropped."""

Question = TypeVar("Question")
Answer = TypeVar("Answer")
Answered = TypeVar("Answered")


class ProgressKeeper(Protocol):
    """Keeps entries about a person's progress; the server's `ProgressStore` does."""

    async def append(
        self, handle: str, kind: str, body: dict[str, Any], *, key: str = "", stream: int = 0
    ) -> int:
        """Add an entry and return its number.

        With `stream`, refuse if the person has erased their progress since.
        """

    async def news(self, handle: str, kind: str, stream: int, since: int) -> StreamNews:
        """Return the entries above a number; all entries if the person has a new stream by now."""


class PersonSession(Generic[Question, Answer, Answered]):
    """A session of one person. `Answer` is an answer as it is stored, `Answered` the reply to one."""

    def __init__(self, handle: str) -> None:
        self.id = secrets.token_urlsafe(9)
        self.handle = handle
        self.used = 0.0
        """The time at which the session was last used, on the server's clock."""
        self.step = 0
        self.asked: Question | None = None
        """The current question; None if the session is finished."""
        self.prepared: Future[Question] | None = None
        self.lock = asyncio.Lock()
        self.storing = asyncio.Lock()
        """Held while answers are stored."""
        self.last_reply: Answered | None = None
        self.unstored: list[Answer] = []
        """Answers that are not stored yet."""
        self.sending: tuple[Answer, ...] = ()
        """The answers that are being stored. If that fails, exactly these are sent again."""
        self.groups = 0
        """How many groups of answers were stored or refused."""
        self.stream = 0
        """The number of the person's stream. It changes if the person erases their progress."""
        self.forgotten = False
        """True if the person's progress was erased; then no answer of the session is stored."""

    @property
    def finished(self) -> bool:
        """True if the session has no more questions."""
        return self.asked is None

    def repeated_reply(self, step: int) -> Answered | None:
        """Return the last reply if its answer is sent again."""
        return self.last_reply if step == self.step - 1 else None

    def forget(self) -> None:
        """Forget the answers that are not stored yet, because the person's progress was erased."""
        self.forgotten = True
        self.unstored, self.sending = [], ()


Session = TypeVar("Session", bound=PersonSession[Any, Any, Any])


class SessionDesk(ABC, Generic[Session]):
    """All running sessions of one kind."""

    noun: str
    """The word for a session in messages, such as "drill"."""
    missing: str
    """The code of the refusal if a session is not in memory."""
    progress_kind: str
    """The kind of progress entry that the sessions store."""

    def __init__(
        self,
        keeper: ProgressKeeper,
        start: Callable[[Coroutine[Any, Any, None]], None],
        wall_clock: Callable[[], str],
        ticks: Callable[[], float] = monotonic,
    ) -> None:
        """`start` runs a coroutine in the background."""
        self.keeper = keeper
        self._start, self._now, self._ticks = start, wall_clock, ticks
        self._queue = WorkQueue(f"{self.noun}s")
        self._ahead = ThreadPoolExecutor(1, f"{self.noun}s ahead")
        """Prepares questions. Each session has at most one in preparation, so the pool needs no limit."""
        self.sessions: dict[str, Session] = {}

    @abstractmethod
    def _next_question(self, session: Session) -> Callable[[], Any]:
        """Return the work that makes a session's next question. It runs in a thread."""

    @abstractmethod
    def _entry(self, answers: tuple[Any, ...]) -> dict[str, Any]:
        """Return the body of the progress entry with some answers."""

    @abstractmethod
    def _ended(self) -> str:
        """Return the sentence about a session that is not in memory."""

    async def finish(self) -> None:
        """Store every answer that is not stored yet."""
        for session in tuple(self.sessions.values()):
            await self._keep(session)

    def close(self) -> None:
        """Stop preparing questions."""
        for session in self.sessions.values():
            if session.prepared is not None:
                session.prepared.cancel()
        self._queue.close()
        self._ahead.shutdown(wait=False, cancel_futures=True)

    async def forget(self, handle: str) -> None:
        """Drop the sessions of a person, with the answers that are not stored yet.

        Afterwards, none of these sessions is storing an answer.
        """
        for session in self._sessions_of(handle):
            session.forget()
            self._drop(session)
            async with session.storing:
                session.forget()

    # --- questions ---

    def _expected(self, session: Session, step: int) -> Any:
        """Return the current question; refuse an answer to another step."""
        asked = session.asked
        if asked is None or step != session.step:
            sentence = f"the answer is for step {step}, but the {self.noun} is at step {session.step}"
            raise refused(409, "other-step", "step", f"{sentence}; get the {self.noun} again")
        return asked

    async def _question(self, session: Session) -> Any:
        """Return the prepared question, or make one if none is prepared."""
        if session.prepared is not None:
            prepared, session.prepared = session.prepared, None
            # If preparing failed, make the question now.
            with suppress(Exception):
                return await asyncio.wrap_future(prepared)
        return await self._queue.do(session.handle, self._next_question(session))

    def _prepare(self, session: Session) -> None:
        """Start to prepare the question after the current one."""
        session.prepared = self._ahead.submit(self._next_question(session))

    # --- progress ---

    async def _stored_entries(self, handle: str) -> StreamNews:
        """Return a person's progress entries, with the answers of sessions that are still running."""
        for session in self._sessions_of(handle):
            await self._keep(session)
        return await self.keeper.news(handle, self.progress_kind, 0, 0)

    def _keep_later(self, session: Session) -> None:
        """Store the answers of a session, without making the person wait."""
        if session.sending or session.unstored:
            self._start(self._keep(session))

    async def _keep(self, session: Session) -> None:
        async with session.storing:
            await self._store(session)

    async def _store(self, session: Session) -> None:
        while (session.sending or session.unstored) and not session.forgotten:
            if not session.sending:
                session.sending, session.unstored = tuple(session.unstored), []
            body = self._entry(session.sending)
            # The key makes the entry count once, even if it is sent again.
            key = f"{session.id}/{session.groups}"
            try:
                await self.keeper.append(
                    session.handle, self.progress_kind, body, key=key, stream=session.stream
                )
            except StoreError:
                # The database does not answer, but it may have the entry. The session continues, and the
                # same answers are sent again later.
                return
            except RefusedError as error:
                if error.refused[0].code == "progress-erased":
                    session.forget()
                    self._drop(session)
                # Otherwise the progress is full: the session continues, but its answers are not stored.
            session.sending = ()
            session.groups += 1

    # --- memory ---

    def _sessions_of(self, handle: str) -> list[Session]:
        return [one for one in self.sessions.values() if one.handle == handle]

    async def _add(self, session: Session, read: StreamNews) -> None:
        """Keep a new session; if there are too many, drop the ones that have been idle longest.

        Refuse it if the person has erased their progress since it was read for the session.
        """
        news = await self.keeper.news(session.handle, self.progress_kind, read.stream, read.last)
        if news.stream != read.stream:
            raise refused(409, "progress-erased", "progress", "this progress was erased; start again")
        session.stream = read.stream
        self._make_room(session.handle)
        self.sessions[session.id] = session
        self._use(session)

    def _find(self, handle: str, name: str) -> Session:
        """Return a session of a person; raise RefusedError if there is none."""
        self._drop_idle()
        session = self.sessions.get(name)
        if session is None or session.handle != handle:
            raise refused(404, self.missing, "session", self._ended())
        self._use(session)
        return session

    def _use(self, session: Session) -> None:
        session.used = self._ticks()

    def _drop_idle(self) -> None:
        limit = self._ticks() - HOURS * 3600
        for one in [one for one in self.sessions.values() if one.used < limit]:
            self._drop(one)

    def _make_room(self, handle: str) -> None:
        """Drop idle sessions, and the oldest ones if there are too many."""
        self._drop_idle()
        own = self._sessions_of(handle)
        for listed, most in ((own, MOST_EACH), (list(self.sessions.values()), MOST)):
            for one in sorted(listed, key=lambda session: session.used)[: max(0, len(listed) - most + 1)]:
                self._drop(one)

    def _drop(self, session: Session) -> None:
        self.sessions.pop(session.id, None)
        self._keep_later(session)
        if session.prepared is not None:
            session.prepared.cancel()
