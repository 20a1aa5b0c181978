"""Store training sessions: the opening and each input are entries in the person's progress."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from houseway.client.training_messages import Progress
from houseway.live.personal_streams import NO_TEXTS, StreamNews, Use
from houseway.report.exam_result import ErasedAttempts
from houseway.server.rulebook_library import refused
from houseway.training.hosted_session import AnyInput, SessionStart

KIND: Final = "training"
"""The kind of a stored input in a person's progress."""
MOST_PEOPLE: Final = 1000
"""The most people whose lists of sessions are in memory."""


class ProgressLog(Protocol):
    """The progress of people, entry by entry."""

    async def append(
        self,
        handle: str,
        kind: str,
        body: dict[str, Any],
        *,
        key: str = "",
        stream: int = 0,
        use: Use = "ordinary",
        texts: Mapping[str, str] = NO_TEXTS,
    ) -> int:
        """Store a body durably and return the number of its entry, or of an earlier one with this key.

        With `stream`, refuse if the person has erased their progress since. `texts` are shared texts by
        their SHA-256; each is stored once.
        """

    async def text(self, digest: str) -> str | None:
        """Return the shared text with this SHA-256, or None."""

    async def check_space(self, handle: str) -> None:
        """Refuse if a person's progress is full."""

    async def news(self, handle: str, kind: str, stream: int, since: int) -> StreamNews:
        """Return the entries above a number; all entries if the person has a new stream by now."""

    async def entries(self, handle: str, kind: str | None = None, since: int = 0) -> list[Any]:
        """Return the entries above a number, in order."""

    async def erased_attempts(self, handle: str) -> ErasedAttempts | None:
        """Return how many exams a person started and erased, and when."""


class StoredLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of an entry: the opening of a session, or one of its inputs."""

    session: str
    opening: SessionStart | None = None
    input: AnyInput | None = None
    judged: int = 0
    """The number of closed rounds after the input."""
    progress: Progress = "open"
    outcome: str = ""
    """The outcome of an exam that is over."""


class ListedSession(msgspec.Struct):
    """A session in a person's list."""

    opening: SessionStart
    first: int = 0
    """The number of the entry with the opening."""
    inputs: int = 0
    """The number of stored inputs."""
    judged: int = 0
    progress: Progress = "open"
    outcome: str = ""

    def follow(self, line: StoredLine) -> None:
        """Note what a stored input changed."""
        self.inputs += 1
        self.judged, self.progress, self.outcome = line.judged, line.progress, line.outcome


class _Person:
    """The sessions of a person, as far as they are read."""

    def __init__(self) -> None:
        self.sessions: dict[str, ListedSession] = {}
        self.stream = 0
        """The number of the stream that was read. It changes if the person erases their progress."""
        self.read = 0
        """The number of the last entry that was read."""
        self.lock = asyncio.Lock()


class TrainingStore:
    """The stored training sessions of all people."""

    def __init__(self, progress: ProgressLog) -> None:
        self._progress = progress
        self._people: OrderedDict[str, _Person] = OrderedDict()

    async def sessions(self, handle: str) -> dict[str, ListedSession]:
        """Return a person's sessions, oldest first."""
        person = self._people.setdefault(handle, _Person())
        self._people.move_to_end(handle)
        while len(self._people) > MOST_PEOPLE:
            self._people.popitem(last=False)
        async with person.lock:
            news = await self._progress.news(handle, KIND, person.stream, person.read)
            if news.stream != person.stream:
                person.sessions, person.stream = {}, news.stream
            person.read = news.last
            for entry in news.entries:
                line = _line(entry.body)
                if line.opening is not None:
                    person.sessions[line.session] = ListedSession(line.opening, entry.seq)
                elif line.session in person.sessions:
                    person.sessions[line.session].follow(line)
        return person.sessions

    def stream(self, handle: str) -> int:
        """Return the number of a person's stream, as `sessions` last read it."""
        person = self._people.get(handle)
        return person.stream if person is not None else 0

    async def inputs(self, handle: str, session: str, first: int) -> list[AnyInput]:
        """Return the stored inputs of a session, in order. `first` is the entry with its opening."""
        lines = (_line(entry.body) for entry in await self._progress.entries(handle, KIND, first))
        return [line.input for line in lines if line.session == session and line.input is not None]

    async def opening(self, listed: ListedSession) -> SessionStart:
        """Return the opening of a session with the text of its rulebook, which is stored once per hash."""
        opening = listed.opening
        if not opening.has_text:
            return opening
        text = await self._progress.text(opening.plan.hash)
        if text is None:
            sentence = f"the text of {opening.plan.rulebook} is missing; open a new session"
            raise refused(409, "bad-session", "session", sentence)
        if opening.exam is not None:
            return replace(opening, exam=replace(opening.exam, rulebook_text=text))
        return replace(opening, plan=replace(opening.plan, text=text))

    async def append(
        self, handle: str, line: StoredLine, number: int, stream: int, use: Use = "ordinary"
    ) -> None:
        """Store the opening of a session, which has number 0, or one of its inputs.

        Raises RefusedError if another server has stored another input with this number, or if the person
        has erased their progress since `stream` was read.
        """
        texts = NO_TEXTS
        if line.opening is not None:
            opening, text = _apart(line.opening)
            line = replace(line, opening=opening)
            texts = {opening.plan.hash: text} if text else NO_TEXTS
        body = msgspec.to_builtins(line, str_keys=True)
        seq = await self._progress.append(
            handle, KIND, body, key=f"{line.session} {number}", stream=stream, use=use, texts=texts
        )
        stored = await self._progress.entries(handle, KIND, seq - 1)
        if not stored or stored[0].seq != seq or _line(stored[0].body) != line:
            sentence = "another server has this session; send the act again with the same key"
            raise refused(503, "moving", "session", sentence)

    def forget(self, handle: str) -> None:
        """Forget the list of a person whose progress was erased."""
        self._people.pop(handle, None)


def _apart(opening: SessionStart) -> tuple[SessionStart, str]:
    """Return an opening without the text of its rulebook, and the text."""
    text, exam = opening.plan.text, opening.exam
    if exam is not None:
        text, exam = exam.rulebook_text, replace(exam, rulebook_text="")
    return replace(opening, plan=replace(opening.plan, text=""), exam=exam, has_text=bool(text)), text


def _line(body: Any) -> StoredLine:
    return msgspec.convert(body, StoredLine, str_keys=True)
