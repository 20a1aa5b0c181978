"""Reads and writes personal streams: append progress, read it, erase it.

Every method waits for the database, so the server calls it in a thread. Several servers may write to one
stream: the database lets one of them append after each head, and the others read the stream again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, TypeVar

import msgspec

from houseway.audit.entries import StoredEntry
from houseway.audit.personal_entries import (
    KINDS,
    PersonalEntry,
    ProgressAdded,
    ProgressErased,
    SealedProgress,
    compose_personal,
    key_name,
    new_key,
    once_digest,
    read_personal_entry,
    seal,
    unseal,
)
from houseway.audit.signatures import Signer, is_genuine
from houseway.audit.store import Batch, DuplicateKeyError, Head, StaleHeadError, Store, StoreError
from houseway.audit.streams import personal_stream
from houseway.client.progress_messages import ProgressEntry
from houseway.engine.refusals import Refusal
from houseway.live.table_services import StreamLog, now

MOST_ENTRIES: Final = 50_000
"""The most entries that one person may store; erasing starts again at 0."""
MOST_BYTES: Final = 32 * 1024 * 1024
"""The most bytes that one person may store, with what encryption adds."""
MOST_RESERVED: Final = 80_000
"""The entries above `MOST_ENTRIES` that are reserved for the inputs of open exams."""
RESERVED_BYTES: Final = 32 * 1024 * 1024
"""The bytes above `MOST_BYTES` that are reserved for the inputs of open exams."""
MOST_BODY: Final = 256 * 1024
"""The most bytes in the body of one entry."""
ATTEMPTS: Final = 20
"""The most attempts to append, if other writers keep appending first."""
NO_TEXTS: Final[Mapping[str, str]] = {}

T = TypeVar("T")
Use = Literal["ordinary", "exam", "system"]
"""The limit that an entry counts against: the usual one, the reserve of exams, or none."""
Body = dict[str, Any] | bytes
"""The content of an entry: a JSON object, or the bytes of a text file."""


class PersonalState(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a personal stream."""

    head: Head
    number: int = 1
    """The number of the key for the next entry."""
    entries: int = 0
    """The entries that can be read, which are the last ones of the stream."""
    bytes: int = 0
    erased_at: str = ""
    """The time of the tombstone, if it is the last entry."""

    @property
    def first(self) -> int:
        """The number of the first entry that can be read."""
        return self.head.events - self.entries + 1


class StreamNews(msgspec.Struct, frozen=True):
    """The new entries of a personal stream."""

    stream: int
    """The number of the stream's key. It changes if the person erases their progress."""
    last: int
    """The number of the last entry, of any kind."""
    entries: list[ProgressEntry]


class PersonalReader:
    """Reads the personal streams of a house that signs with this public key."""

    def __init__(self, store: Store, public: bytes) -> None:
        self._store = store
        self._public = public

    def state(self, stream: str) -> PersonalState:
        """Return the end of a stream. Raises StoreError if the house did not sign it, or if it cannot be
        read."""
        signed = self._store.head(stream)
        if signed is None:
            return PersonalState(head=Head.first(stream))
        if signed.key != self._public or not is_genuine(stream, signed):
            raise StoreError(f"{stream} is not signed by this house; run `houseway audit verify`")
        last = None
        for last in self._store.entries(stream, signed.head.events - 1):
            if last.seq == signed.head.events:
                break
        if last is None or last.chain != signed.head.chain:
            raise StoreError(f"{stream} has been changed; run `houseway audit verify` to see what is wrong")
        entry = _read(stream, last.seq, last.public)
        if isinstance(entry.events[0], ProgressErased):
            at = entry.events[0].at
            return PersonalState(head=signed.head, number=entry.number + 1, erased_at=at)
        return PersonalState(
            head=signed.head, number=entry.number, entries=entry.entries, bytes=entry.bytes
        )

    def entries(self, handle: str, kind: str | None = None, since: int = 0) -> list[ProgressEntry]:
        """Return a person's entries above the number `since` in order, of one kind or of all kinds."""
        return self._news(handle, kind, since).entries

    def news(self, handle: str, kind: str, number: int, since: int) -> StreamNews:
        """Return a person's entries above `since`; all entries if `number` is not the current key's."""
        news = self._news(handle, kind, since)
        return news if news.stream == number or not since else self._news(handle, kind, 0)

    def _news(self, handle: str, kind: str | None, since: int) -> StreamNews:
        stream = personal_stream(handle)
        for attempt in range(ATTEMPTS):
            state = self.state(stream)
            try:
                read = [*self._entries(stream, state, kind, since)]
                return StreamNews(state.number, state.head.events, read)
            except StoreError:
                # The stream may have been erased since its end was read.
                if attempt == ATTEMPTS - 1 or self.state(stream).number == state.number:
                    raise
        raise AssertionError("not reached")

    def _entries(
        self, stream: str, state: PersonalState, kind: str | None, since: int
    ) -> Iterator[ProgressEntry]:
        after = max(since, state.first - 1)
        if after >= state.head.events:
            return
        key = self._store.secret(stream, key_name(state.number))
        if key is None:
            raise StoreError(f"{stream}: the key is missing; run `houseway audit verify`")
        for stored in self._store.entries(stream, after):
            if stored.seq > state.head.events:
                return
            try:
                progress = unseal(stream, key, state.number, stored.seq, stored.sealed)
            except ValueError as error:
                raise StoreError(f"event {stored.seq} of {stream} cannot be read: {error}") from error
            if kind in (None, progress.kind):
                yield ProgressEntry(
                    seq=stored.seq,
                    at=progress.at,
                    kind=progress.kind,
                    format=progress.format,
                    body=progress.body,
                )

    def tombstones(self, handle: str) -> list[ProgressErased]:
        """Return the tombstones of a person's stream, in order."""
        stream = personal_stream(handle)
        events = [_read(stream, one.seq, one.public).events[0] for one in self._store.entries(stream)]
        return [event for event in events if isinstance(event, ProgressErased)]

    def last_erasure(self, handle: str) -> tuple[int, str]:
        """Return the number of a person's key, and the time of the last tombstone (empty if there is none).

        It reads only two entries.
        """
        stream = personal_stream(handle)
        state = self.state(stream)
        if state.number == 1:
            return 1, ""
        # The tombstone is before the first entry that can be read.
        stored = next(iter(self._store.entries(stream, state.first - 2)))
        event = _read(stream, stored.seq, stored.public).events[0]
        return state.number, event.at if isinstance(event, ProgressErased) else ""

    def erasures(self, handle: str) -> list[str]:
        """Return the times at which a person's stream was erased, in order."""
        return [one.at for one in self.tombstones(handle)]


class PersonalStreams(PersonalReader):
    """The personal streams of a house."""

    def __init__(
        self, store: Store, signer: Signer, log: StreamLog | None = None, clock: Callable[[], str] = now
    ) -> None:
        super().__init__(store, signer.public)
        self._signer = signer
        self._log = log
        self._clock = clock

    def append(
        self,
        handle: str,
        kind: str,
        body: Body,
        *,
        key: str = "",
        number: int = 0,
        use: Use = "ordinary",
        texts: Mapping[str, str] = NO_TEXTS,
    ) -> int | Refusal:
        """Append progress durably and return the number of its entry, or a refusal.

        If `key` was used before, nothing is appended, and the number is that of the earlier entry. With
        `number`, the entry is refused if the stream has another key now, because the person erased it.
        `texts` are texts that many people share, such as rulebooks, by their SHA-256; each is stored once.
        """
        return self.append_all(handle, kind, (body,), key=key, number=number, use=use, texts=texts)

    def append_all(
        self,
        handle: str,
        kind: str,
        bodies: Sequence[Body],
        *,
        key: str = "",
        number: int = 0,
        use: Use = "ordinary",
        texts: Mapping[str, str] = NO_TEXTS,
    ) -> int | Refusal:
        """Append several entries of one kind, all or none, and return the number of the first one.

        `key` belongs to the first entry. Otherwise this works like `append`.
        """
        stream = personal_stream(handle)
        listed: list[SealedProgress] = []
        for body in bodies:
            checked = _checked(kind, body)
            if isinstance(checked, Refusal):
                return checked
            listed.append(checked)

        def add(state: PersonalState) -> int | Refusal:
            if number not in (0, state.number):
                sentence = "this progress was erased; start again"
                return Refusal("progress-erased", None, "progress", sentence)
            return self._add(stream, state, listed, key, use, texts)

        return self._retry(stream, add)

    def space_refusal(self, handle: str) -> Refusal | None:
        """Return a refusal if a person's stream is full, or None."""
        state = self.state(personal_stream(handle))
        return _full(state.entries + 1, state.bytes)

    def erase(
        self,
        handle: str,
        by: str = "person",
        attempts: Callable[[Iterable[ProgressEntry]], int] = lambda entries: 0,
    ) -> bool:
        """Delete the key and the sealed parts of a stream, and append a tombstone.

        `attempts` counts the exams among the entries; the tombstone has the number. Return False if the
        stream has nothing to erase. The entries cannot be read afterwards.
        """
        stream = personal_stream(handle)

        def end(state: PersonalState) -> bool:
            if not state.entries:
                return False
            count = attempts(self._entries(stream, state, None, 0))
            tombstone = ProgressErased(at=self._clock(), by=by, attempts=count)
            entry = compose_personal(state.head, state.number, tombstone)
            signed = self._signer.head(stream, Head(entry.seq, entry.chain))
            self._store.append(stream, state.head, Batch(entries=(entry,), signed=signed, erases=True))
            self._note(stream, signed.head)
            return True

        return self._retry(stream, end)

    def _add(
        self,
        stream: str,
        state: PersonalState,
        listed: Sequence[SealedProgress],
        once: str,
        use: Use,
        texts: Mapping[str, str],
    ) -> int | Refusal:
        secret, secrets = self._store.secret(stream, key_name(state.number)), {}
        if secret is None:
            if state.entries:
                raise StoreError(f"{stream}: the key is missing; run `houseway audit verify`")
            secret = new_key()
            secrets = {key_name(state.number): secret}
        once = once_digest(secret, once) if once else ""
        if once and (earlier := self._store.keyed(stream, once)) is not None:
            return earlier.seq
        at, head, entries, size = self._clock(), state.head, state.entries, state.bytes
        added: list[StoredEntry] = []
        for progress in listed:
            dated = msgspec.structs.replace(progress, at=at)
            sealed = seal(stream, secret, state.number, head.events + 1, dated)
            entries, size = entries + 1, size + len(sealed)
            entry = compose_personal(
                head,
                state.number,
                ProgressAdded(),
                entries=entries,
                size=size,
                sealed=sealed,
                key="" if added else once,
            )
            added.append(entry)
            head = Head(entry.seq, entry.chain)
        if refused := _full(entries, size, use):
            return refused
        also = []
        if not state.head.events and self._log is not None:
            also = [self._log.opening({stream: head})]
        signed = self._signer.head(stream, head)
        batch = Batch(entries=added, signed=signed, texts=texts, secrets=secrets, also=also)
        self._store.append(stream, state.head, batch)
        self._note(stream, head)
        return added[0].seq

    def _retry(self, stream: str, work: Callable[[PersonalState], T]) -> T:
        """Run `work` with the end of a stream, again if another writer appends first."""
        for attempt in range(ATTEMPTS):
            try:
                return work(self.state(stream))
            except (StaleHeadError, DuplicateKeyError):
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("not reached")

    def _note(self, stream: str, head: Head) -> None:
        if self._log is not None:
            self._log.note(stream, head)


def _read(stream: str, seq: int, public: bytes) -> PersonalEntry:
    try:
        return read_personal_entry(public)
    except ValueError as error:
        raise StoreError(f"event {seq} of {stream} cannot be read: {error}") from error


def _checked(kind: str, body: Body) -> SealedProgress | Refusal:
    """Return progress without its time, or a refusal if its kind or its body is not allowed."""
    if kind not in KINDS:
        known = ", ".join(KINDS)
        return Refusal("unknown-kind", None, "kind", f"there is no kind {kind[:20]!r}; use one of {known}")
    try:
        content = body.decode() if isinstance(body, bytes) else body
        size = len(msgspec.json.encode(content))
    except UnicodeDecodeError:
        return Refusal("bad-progress", None, "body", "the body is not UTF-8 text; send text or JSON")
    except (TypeError, ValueError, msgspec.MsgspecError, RecursionError) as error:
        return Refusal("bad-progress", None, "body", f"the body cannot be written as JSON: {error}")
    if size > MOST_BODY:
        sentence = f"the entry has {size:,} bytes; the limit is {MOST_BODY:,}"
        return Refusal("progress-too-long", None, "body", sentence)
    return SealedProgress(at="", kind=kind, format=KINDS[kind], body=content)


def _full(entries: int, size: int, use: Use = "ordinary") -> Refusal | None:
    if use == "system":
        return None
    if use == "exam":
        entries, size = entries - MOST_RESERVED, size - RESERVED_BYTES
    advice = "export your progress, then erase it to start again"
    if entries > MOST_ENTRIES:
        sentence = f"you have {MOST_ENTRIES:,} entries, the most that the server stores; {advice}"
        return Refusal("progress-full", None, "progress", sentence)
    if size > MOST_BYTES:
        sentence = f"your progress would exceed {MOST_BYTES:,} bytes, the most that is stored; {advice}"
        return Refusal("progress-full", None, "progress", sentence)
    return None
