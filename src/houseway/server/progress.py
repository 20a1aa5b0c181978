"""The progress of people: what they practised, which exams they took, and what is due for review.

This is the server's interface to personal streams. Its methods are coroutines that wait for the database in
another thread. A refusal is raised as `RefusedError`, so that a route can pass it on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from houseway.audit.handles import folded
from houseway.audit.signatures import Signer
from houseway.audit.sql.class_rows import AttemptRow, ClassRow
from houseway.audit.store import HouseStore
from houseway.audit.streams import personal_stream
from houseway.audit.times import milliseconds, time_text
from houseway.client.progress_messages import (
    FORMAT,
    VERSION,
    OwnAttempt,
    OwnClass,
    ProgressEntry,
    ProgressExport,
    ProgressGone,
    ProgressSummary,
)
from houseway.engine.refusals import Refusal
from houseway.live.offload import DIRECT, Offload
from houseway.live.personal_streams import (
    MOST_BYTES,
    MOST_ENTRIES,
    NO_TEXTS,
    Body,
    PersonalReader,
    PersonalStreams,
    StreamNews,
    Use,
)
from houseway.live.table_services import StreamLog, now
from houseway.report.exam_result import ErasedAttempts
from houseway.server.handle_rules import is_bot
from houseway.server.rulebook_library import RefusedError, refused

T = TypeVar("T")


class ProgressStore:
    """The progress of all people of a house."""

    def __init__(
        self,
        store: HouseStore,
        signer: Signer,
        log: StreamLog | None = None,
        clock: Callable[[], str] = now,
        offload: Offload = DIRECT,
        mark_recorded: Callable[[str], None] = lambda handle: None,
    ) -> None:
        """`mark_recorded` is called with a handle before its first entry, so that the handle never expires:
        otherwise another person could register it and read the stream."""
        self._store = store
        self._streams = PersonalStreams(store, signer, log, clock)
        self._clock = clock
        self._offload = offload
        self._mark_recorded = mark_recorded

    async def append(
        self,
        handle: str,
        kind: str,
        body: Body,
        *,
        key: str = "",
        stream: int = 0,
        use: Use = "ordinary",
        texts: Mapping[str, str] = NO_TEXTS,
    ) -> int:
        """Append progress durably and return the number of its entry.

        `kind` is one of `KINDS` in `houseway.audit.personal_entries`. `body` is a JSON object, or the UTF-8
        bytes of a text file. If the person has an entry with the same `key`, nothing is appended, and the
        number is that of the earlier entry. Raises RefusedError if the kind is unknown, if the limit of
        `use` is exceeded, or if the person has erased their progress since `stream` was read. `texts` are
        shared texts such as rulebooks, by their SHA-256; each is stored once.
        """
        return await self.append_all(
            handle, kind, (body,), key=key, stream=stream, use=use, texts=texts, long=False
        )

    async def append_all(
        self,
        handle: str,
        kind: str,
        bodies: Sequence[Body],
        *,
        key: str = "",
        stream: int = 0,
        use: Use = "ordinary",
        texts: Mapping[str, str] = NO_TEXTS,
        long: bool = True,
    ) -> int:
        """Append several entries of one kind, all or none, and return the number of the first one.

        `key` belongs to the first entry. Otherwise this works like `append`. A `long`
        call has a longer timeout.
        """
        if is_bot(handle):
            raise refused(403, "no-progress", "handle", "a bot has no progress; use a person's handle")

        def append() -> int | Refusal:
            self._mark_recorded(handle)
            return self._streams.append_all(
                handle, kind, bodies, key=key, number=stream, use=use, texts=texts
            )

        added = await self._offload.call(append, long=long)
        if isinstance(added, Refusal):
            raise RefusedError(409 if added.code in ("progress-full", "progress-erased") else 400, added)
        return added

    async def read(self, work: Callable[[], T]) -> T:
        """Run a call that reads records, in the thread of the database."""
        return await self._offload.call(work, long=True)

    async def text(self, digest: str) -> str | None:
        """Return the shared text with this SHA-256, or None."""
        return await self._offload.call(lambda: self._store.text(digest))

    async def check_space(self, handle: str) -> None:
        """Refuse if a person's progress is full."""
        refusal = await self._offload.call(lambda: self._streams.space_refusal(handle))
        if refusal is not None:
            raise RefusedError(409, refusal)

    async def news(self, handle: str, kind: str, stream: int, since: int) -> StreamNews:
        """Return a person's entries above `since`, or all entries if the person has a new stream by now."""
        return await self._offload.call(lambda: self._streams.news(handle, kind, stream, since), long=True)

    async def entries(self, handle: str, kind: str | None = None, since: int = 0) -> list[ProgressEntry]:
        """Return a person's entries above the number `since` in order, of one kind or of all kinds."""
        return await self._offload.call(lambda: self._streams.entries(handle, kind, since), long=True)

    async def erase(self, handle: str, by: str = "person") -> ProgressGone:
        """Erase a person's progress: delete the key, append a tombstone, and delete the person's attempts
        in classes."""

        def erase() -> ProgressGone:
            # The attempts first: if the server stops in between, the person still sees their progress, and
            # erases again.
            rows = self._store.class_rows()
            classes = rows.erase_person(folded(handle), milliseconds(self._clock()))
            return ProgressGone(erased=self._streams.erase(handle, by, exam_attempts), classes=classes)

        return await self._offload.call(erase, long=True)

    async def erased_attempts(self, handle: str) -> ErasedAttempts | None:
        """Return how many exams a person started and erased, and when; None if nothing was ever erased."""

        def read() -> ErasedAttempts | None:
            tombstones = self._streams.tombstones(handle)
            if not tombstones:
                return None
            return ErasedAttempts(count=sum(one.attempts for one in tombstones), at=tombstones[-1].at)

        return await self._offload.call(read, long=True)

    async def last_erasure(self, handle: str) -> tuple[int, str]:
        """Return the number of a person's stream, and when the one before was erased; empty if never."""
        return await self._offload.call(lambda: self._streams.last_erasure(handle))

    async def export(self, handle: str) -> ProgressExport:
        """Return everything that the server stores about a person's progress."""

        def export() -> ProgressExport:
            return export_progress(self._store, self._streams, handle, self._clock())

        return await self._offload.call(export, long=True)

    async def summary(self, handle: str) -> ProgressSummary:
        """Return how much progress a person has stored."""

        def summary() -> ProgressSummary:
            state = self._streams.state(personal_stream(handle))
            entries = self._streams.entries(handle)
            return ProgressSummary(
                handle=handle,
                entries=len(entries),
                bytes=state.bytes,
                most_entries=MOST_ENTRIES,
                most_bytes=MOST_BYTES,
                kinds=dict(sorted(Counter(entry.kind for entry in entries).items())),
                classes=len(self._store.class_rows().of_member(folded(handle))),
                first_at=entries[0].at if entries else "",
                last_at=entries[-1].at if entries else "",
                erased_at=state.erased_at,
            )

        return await self._offload.call(summary, long=True)


def exam_attempts(entries: Iterable[ProgressEntry]) -> int:
    """Return how many exams were started in some entries of a stream."""
    openings = (one.body.get("opening") for one in entries if one.kind == "training")
    return sum(opening is not None and opening.get("exam") is not None for opening in openings)


def export_progress(store: HouseStore, streams: PersonalReader, handle: str, at: str) -> ProgressExport:
    """Return everything that a store has about a person's progress. It waits for the database."""
    rows, name = store.class_rows(), folded(handle)
    attempts = rows.attempts(person=name)
    return ProgressExport(
        format=FORMAT,
        version=VERSION,
        handle=handle,
        exported_at=at,
        erased_at=tuple(streams.erasures(handle)),
        entries=tuple(streams.entries(handle)),
        classes=tuple(_own_class(row, attempts) for row in rows.of_member(name, former=True)),
    )


def _own_class(row: ClassRow, attempts: Iterable[AttemptRow]) -> OwnClass:
    own = tuple(
        OwnAttempt(
            attempt=one.attempt,
            exam=one.exam,
            rulebook=one.rulebook,
            status=one.status,
            started_at=time_text(one.started_at),
            ended_at=time_text(one.ended_at) if one.ended_at else "",
        )
        for one in attempts
        if one.class_id == row.id
    )
    return OwnClass(id=row.id, name=row.name, instructor=row.instructor, attempts=own)
