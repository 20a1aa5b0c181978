"""Round reviews and "Your play": find a person's rounds, and review them outside the event loop."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec

from houseway.audit.handles import folded
from houseway.client.review_messages import (
    ImportResult,
    ImportRounds,
    Period,
    PlayedReview,
    WrongRow,
    YourPlay,
)
from houseway.rules.recorded_rulebook import installed_rulebook
from houseway.rules.rulebook import Rulebook
from houseway.school.round_packs import export_lines
from houseway.server.play_history import KeptRound, PersonalHistory, PlayHistory
from houseway.server.review_import import read_import, rulebook_hashes
from houseway.server.reviewed_games import ReviewedGames, Texts
from houseway.server.rulebook_library import refused
from houseway.server.work_queue import WorkQueue
from houseway.wording import printable

LAST: Final = "last"
"""The name of the newest round in a request."""
LAST_ROUNDS: Final = 100
DAYS: Final = 30
DATE: Final = len("2026-11-18")
MOST_TOTALS: Final = 200
"""The most totals in memory. Those of 100,000 rounds take a minute to compute."""
NAME_LETTERS: Final = 80
"""The most characters of a file's name that are kept."""
MOST_UPLOADS: Final = 4
"""The most files that are received and read at the same time."""


class ReviewDesk:
    """The reviews of all people of a house."""

    def __init__(self, history: PlayHistory, queue: WorkQueue, clock: Callable[[], str]) -> None:
        """`queue` runs the reviews."""
        self._history, self._queue, self._clock = history, queue, clock
        self._games = ReviewedGames()
        self._totals: OrderedDict[tuple[object, ...], YourPlay] = OrderedDict()
        self._erasures = 0
        """The number of calls of `forget`. Totals of rounds that were read before the last call are not
        kept."""
        self.uploads = asyncio.Semaphore(MOST_UPLOADS)

    async def review(self, handle: str, wanted: str) -> PlayedReview:
        """Return the review of a round by its ID; `last` is the newest round."""
        history = await self._history.history(handle)
        rounds = history.rounds
        place = len(rounds) - 1 if wanted == LAST else _place(rounds, lambda kept: kept.id == wanted)
        return await self._review(handle, history, place)

    async def review_of_table(self, handle: str, table: str, number: int, seat: int) -> PlayedReview:
        """Return the review of a person's round at a live table. `seat` 0 means any of their seats."""
        history = await self._history.history(handle)

        def wanted(kept: KeptRound) -> bool:
            stored = kept.stored
            return kept.table == table and stored.number == number and seat in (0, stored.seat)

        return await self._review(handle, history, _place(history.rounds, wanted))

    async def _review(self, handle: str, history: PersonalHistory, place: int) -> PlayedReview:
        if place < 0:
            sentence = "you have no such round: it is not over yet, you did not play it, or you erased it"
            raise refused(404, "no-round", "round", sentence)
        texts = await self._texts(_rulebooks([history.rounds[place]]))
        return await self._queue.do(handle, self._games.review, history, place, texts)

    async def your_play(self, handle: str, game: str, period: Period) -> YourPlay:
        """Return a person's totals in one game; an empty name is the game with the most rounds."""
        erasures = self._erasures
        history = await self._history.history(handle)
        now, since, last = self._clock(), "", LAST_ROUNDS if period == "last-100" else 0
        if period == "30-days":
            since = (datetime.fromisoformat(now) - timedelta(days=DAYS)).isoformat()
        key = (folded(handle), history.stream, history.last, game, period, now[:DATE] if since else "")
        reply = self._totals.get(key)
        if reply is None:
            texts = await self._texts(await self._queue.do(handle, _rulebooks, history.rounds))
            work = (history, game, since, last, texts)
            reply = await self._queue.do(handle, self._games.your_play, *work)
            if not reply.problem and erasures == self._erasures:
                self._totals[key] = reply
                while len(self._totals) > MOST_TOTALS:
                    self._totals.popitem(last=False)
        full = await self._history.is_full(handle)
        return msgspec.structs.replace(reply, period=period, full=full)

    async def leaks(self, handle: str, book: Rulebook) -> Mapping[str, float]:
        """Return the leaks in a person's play under a rulebook: the cost of each kind per 100 rounds."""
        play = await self.your_play(handle, book.id, "all")
        if play.game != book.id or play.totals is None:
            return {}
        return {leak.kind: leak.cost_per_100 for leak in play.totals.leaks}

    async def import_rounds(self, handle: str, order: ImportRounds) -> ImportResult:
        """Store the rounds of a file under a handle, all or none; return what is wrong with the file."""
        hashes = await self._queue.do(handle, rulebook_hashes, order.text)
        texts = {digest: text for digest in hashes if (text := await self._history.text(digest))}
        file = await self._queue.do(handle, read_import, order, handle, texts)
        if file.problems:
            problems = tuple(
                WrongRow(row=one.row, column=one.column, sentence=one.sentence)
                for one in file.problems.first
            )
            return ImportResult(imported=0, known=0, problems=problems, more_problems=file.problems.more)
        if file.players:
            return ImportResult(imported=0, known=0, players=file.players)
        name = printable(order.name[:NAME_LETTERS])
        imported, known = await self._history.add_import(handle, name, file.rounds, file.texts)
        return ImportResult(imported=imported, known=known)

    async def export(self, handle: str) -> Iterator[bytes]:
        """Return the lines of a file with all rounds of a person."""
        history = await self._history.history(handle)
        return await self._queue.do(handle, _export_lines, history.rounds)

    def forget(self, handle: str) -> None:
        """Forget the totals of a person whose progress was erased."""
        self._erasures += 1
        for key in [key for key in self._totals if key[0] == folded(handle)]:
            del self._totals[key]

    async def _texts(self, needed: Collection[tuple[str, str]]) -> Texts:
        """Return the texts of those rulebooks, by id and hash, whose version is not installed."""
        texts = {}
        for name, digest in needed:
            book = installed_rulebook(name)
            if book is None or book.hash != digest:
                text = await self._history.text(digest)
                if text is not None:
                    texts[digest] = text
        return texts


def _rulebooks(rounds: Sequence[KeptRound]) -> set[tuple[str, str]]:
    """Return the rulebooks of some rounds, by id and hash."""
    return {(kept.stored.rulebook, kept.stored.hash) for kept in rounds}


def _export_lines(rounds: Sequence[KeptRound]) -> Iterator[bytes]:
    return export_lines([kept.stored for kept in rounds])


def _place(rounds: list[KeptRound], wanted: Callable[[KeptRound], bool]) -> int:
    """Return the index of the newest round for which `wanted` is true, or -1."""
    return next((place for place in range(len(rounds) - 1, -1, -1) if wanted(rounds[place])), -1)
