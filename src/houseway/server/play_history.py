"""The rounds that people played: kept in their personal streams, across visits and devices.

When a round of a live table closes, the decisions of each person at the table are stored under that
person's handle. This happens in the background, so no command waits for it. A round has the person's own
cards, the community cards and dealer's cards that were turned up, and the person's money. It
contains nothing from other seats.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakValueDictionary

import msgspec

from houseway.audit.handles import folded
from houseway.audit.store import StoreBusyError, StoreError, UnavailableError
from houseway.live.offload import StoreDownError
from houseway.live.personal_streams import NO_TEXTS
from houseway.live.round_collector import ClosedRound, RoundCollector
from houseway.live.runner import TableRunner
from houseway.school.played_rounds import PlayedRound, played_rounds
from houseway.school.round_codec import StoredRound, store_round
from houseway.school.round_packs import RoundPack, Source, identity, import_packs, table_pack, unpacked
from houseway.server.handle_rules import is_bot
from houseway.server.progress import ProgressStore
from houseway.server.replays import Replays
from houseway.server.rulebook_library import RefusedError
from houseway.server.work_queue import WorkQueue, without_collections

if TYPE_CHECKING:
    from houseway.school.round_review import ReviewedRound

log: Final = logging.getLogger("houseway.played")

KIND: Final = "rounds"
"""The kind of an entry with played rounds in a person's progress."""
MOST_CACHED: Final = 2_000
"""The most rounds in memory, of all people; the least recently used history is dropped first."""
MOST_WAITING: Final = 10_000
"""The most closed rounds that wait for the database; the oldest is dropped first."""
OUTAGES: Final = (UnavailableError, StoreBusyError, StoreDownError)
"""Errors that say nothing about the round: the database cannot be read or written for now."""
MOST_TRIES: Final = 5
"""How often a round is tried that cannot be stored although the database answers."""


class KeptRound(NamedTuple):
    """A round in a person's history."""

    id: str
    """The number of its entry and its place in the entry, such as "12-1"."""
    source: Source
    table: str
    name: str
    """The table's name, or the name of the imported file."""
    stored: StoredRound


class PersonalHistory:
    """A person's rounds, as far as they have been read."""

    def __init__(self) -> None:
        self.rounds: list[KeptRound] = []
        self.stream = 0
        """The number of the stream that was read. It changes if the person erases their progress."""
        self.last = 0
        """The number of the last entry that was read."""
        self.reviews: dict[str, ReviewedRound | None] = {}
        """The reviews computed so far, by the round's id; None for a round that cannot be reviewed."""
        self.lock = asyncio.Lock()


@dataclass(slots=True, eq=False)
class _PendingRound:
    """A closed round that is not stored yet."""

    closed: ClosedRound
    tries: int = 0
    """How often it could not be stored although the database answered."""
    erased: set[str] = field(default_factory=set)
    """The folded handles of the people who have erased their progress since."""


class PlayHistory:
    """The played rounds of all people of a house."""

    def __init__(
        self,
        progress: ProgressStore,
        replays: Replays,
        start: Callable[[Coroutine[Any, Any, None]], None],
        clock: Callable[[], str],
        queue: WorkQueue,
    ) -> None:
        """`start` runs a coroutine in the background. `queue` is for work that takes long."""
        self._progress, self._replays = progress, replays
        self._start, self._clock, self._queue = start, clock, queue
        self._waiting: deque[_PendingRound] = deque(maxlen=MOST_WAITING)
        self._storing = asyncio.Lock()
        self._importing: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """A lock for each person who imports rounds."""
        self._histories: OrderedDict[str, PersonalHistory] = OrderedDict()

    # --- keeping ---

    def watch(self, runner: TableRunner) -> None:
        """Keep the rounds of a table from now on, and its last round if it was closed before."""
        RoundCollector(runner, self._clock, self._closed)
        view = runner.audience.follower.view
        if view.closed:
            # The server may have stopped between the end of the round and the storing.
            self._closed(ClosedRound(runner, view.round, None))

    def _closed(self, closed: ClosedRound) -> None:
        if any(not is_bot(seat.player) for seat in closed.runner.state.seats.values()):
            self._waiting.append(_PendingRound(closed))
            self._start(self.store_waiting())

    async def store_waiting(self) -> None:
        """Store the rounds that have closed. If the database does not answer, they are stored later.

        A round that cannot be stored for another reason does not hold up the others.
        """
        async with self._storing:
            for waiting in tuple(self._waiting):
                try:
                    await self._store(waiting)
                except StoreError as error:
                    if isinstance(error, OUTAGES) or not await self._database_answers():
                        return
                    waiting.tries += 1
                    if waiting.tries < MOST_TRIES:
                        continue
                    _log_dropped(waiting.closed, error)
                except Exception as error:  # one bad record must not block the rounds of the whole house
                    _log_dropped(waiting.closed, error)
                if waiting in self._waiting:
                    self._waiting.remove(waiting)

    async def _database_answers(self) -> bool:
        try:
            await self._progress.text("")
        except StoreError:
            return False
        return True

    async def _store(self, waiting: _PendingRound) -> None:
        closed = waiting.closed
        failed: StoreError | None = None
        for played, stored in await self._progress.read(lambda: self._played(closed)):
            try:
                if folded(played.player) not in waiting.erased:
                    await self._store_of_person(closed.runner, played, stored)
            except StoreError as error:
                # The rounds of the other people are stored in any case.
                failed = error
        if failed is not None:
            raise failed

    async def _store_of_person(self, runner: TableRunner, played: PlayedRound, stored: StoredRound) -> None:
        stream, erased_at = await self._progress.last_erasure(played.player)
        if erased_at and erased_at >= played.at:
            return
        pack = table_pack(runner.stream, runner.plan.name, stored)
        key = f"round {runner.stream} {played.number} {played.seat}"
        try:
            # The table's record has stored the text of the rulebook.
            await self._progress.append(played.player, KIND, _body(pack), key=key, stream=stream)
        except RefusedError:
            # The person's progress is full, and the page says so; or the person has erased it just now.
            return

    def _played(self, closed: ClosedRound) -> list[tuple[PlayedRound, StoredRound]]:
        """Return the round of each person at the table."""
        table, before, events = closed.runner.table, closed.before, closed.events
        if before is None:
            before, listed = self._replays.events(closed.runner.stream, closed.number)
            events = tuple(listed)
        terms = table.terms
        return [
            (played, store_round(played, terms.rulebook.id, terms.hash, terms.chosen))
            for played in played_rounds(table, events, before)
            if played.player and not is_bot(played.player) and (played.decisions or played.stake)
        ]

    # --- reading ---

    async def history(self, handle: str) -> PersonalHistory:
        """Return a person's rounds, in the order in which they were stored."""
        await self.store_waiting()
        name = folded(handle)
        history = self._histories.setdefault(name, PersonalHistory())
        self._histories.move_to_end(name)
        async with history.lock:
            news = await self._progress.news(handle, KIND, history.stream, history.last)
            if news.stream != history.stream:
                history.rounds, history.reviews, history.stream = [], {}, news.stream
            if news.entries:
                packs = [(entry.seq, entry.body) for entry in news.entries]
                # A new list: another request may be reading the old one.
                history.rounds = history.rounds + await self._queue.do(handle, _kept_rounds, packs)
            history.last = news.last
        self._make_room(name)
        return history

    def _make_room(self, name: str) -> None:
        total = sum(len(history.rounds) for history in self._histories.values())
        for other in list(self._histories):
            if total <= MOST_CACHED:
                return
            if other != name:
                total -= len(self._histories.pop(other).rounds)
        if total > MOST_CACHED:
            # This history alone is too large. It is read again for each request.
            self._histories.pop(name, None)

    async def add_import(
        self, handle: str, name: str, rounds: Sequence[StoredRound], texts: Mapping[str, str] = NO_TEXTS
    ) -> tuple[int, int]:
        """Store imported rounds, all or none. Return the number stored, and the number already there."""
        # Two imports at the same time would not see each other's rounds.
        async with self._importing.setdefault(folded(handle), asyncio.Lock()):
            history = await self.history(handle)
            bodies, new = await self._queue.do(handle, _new_bodies, name, rounds, history.rounds)
            if new:
                await self._progress.append_all(handle, KIND, bodies, stream=history.stream, texts=texts)
        return new, len(rounds) - new

    async def is_full(self, handle: str) -> bool:
        """True if the person's progress is full, so that new rounds are not stored."""
        try:
            await self._progress.check_space(handle)
        except RefusedError:
            return True
        return False

    async def text(self, digest: str) -> str | None:
        """Return the text of a rulebook by its hash, or None."""
        return await self._progress.text(digest)

    async def forget(self, handle: str) -> None:
        """Forget the rounds of a person whose progress is about to be erased."""
        await self.store_waiting()
        name = folded(handle)
        for waiting in self._waiting:
            waiting.erased.add(name)
        self._histories.pop(name, None)


def _body(pack: RoundPack) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(pack)
    return body


def _new_bodies(
    name: str, rounds: Sequence[StoredRound], kept: Sequence[KeptRound]
) -> tuple[list[dict[str, Any]], int]:
    """Return the entries with those of an imported file's rounds that are new, and the number of these."""
    with without_collections():
        known = {identity(one.stored) for one in kept}
        new = []
        for stored in rounds:
            key = identity(stored)
            if key not in known:
                known.add(key)
                new.append(stored)
        return [_body(pack) for pack in import_packs(name, new)], len(new)


def _log_dropped(closed: ClosedRound, error: Exception) -> None:
    # The message of a StoreError may have a person's name, which the log must not have.
    shown = None if isinstance(error, StoreError) else error
    sentence = "round %d of table %s cannot be stored for its players, and is left out (%s)"
    log.warning(sentence, closed.number, closed.runner.stream, type(error).__name__, exc_info=shown)


def _kept_rounds(packs: Sequence[tuple[int, Any]]) -> list[KeptRound]:
    """Return the rounds of some entries, each entry with its number."""
    kept = []
    with without_collections():
        for seq, body in packs:
            pack = msgspec.convert(body, RoundPack)
            for number, stored in enumerate(unpacked(pack), 1):
                kept.append(KeptRound(f"{seq}-{number}", pack.source, pack.table, pack.name, stored))
    return kept
