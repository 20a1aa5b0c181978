"""The practice sessions in progress: positions, answers and score sheets."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, Final

import msgspec

from houseway.client import practice_messages as p
from houseway.rules.rulebook import Rulebook
from houseway.school.daily_position import daily_position
from houseway.school.decision_values import ValuedDecision
from houseway.school.game_values import GameValues, game_values
from houseway.school.position_kinds import KINDS
from houseway.school.position_links import LinkError, linked_position, read_link, write_link
from houseway.school.positions import Position
from houseway.school.practice_positions import (
    NoPositionError,
    Practice,
    PracticePosition,
    link_of,
    practice_position,
    streets_of,
)
from houseway.school.practice_progress import (
    PracticeNote,
    PracticeProgress,
    RepeatRequest,
    after_notes,
    note_of,
)
from houseway.school.rating import EXAM_DECISIONS, exam_positions
from houseway.school.reason_words import edge_words
from houseway.school.repeated_misses import due_misses
from houseway.school.themes import THEMES
from houseway.server.practice_views import (
    analysis_message,
    kind_topics,
    rating_message,
    result_message,
    spot_message,
    theme_topics,
    verdict_of,
)
from houseway.server.rulebook_library import bundled, refused
from houseway.server.session_desk import HOURS, PersonSession, ProgressKeeper, SessionDesk
from houseway.wording import several

SET: Final = 15
"""The number of positions of a session that is not endless."""
COUNTS: Final[dict[p.PracticeMode, int]] = {
    "mixed": SET, "street": SET, "leaks": SET, "timed": SET, "endless": 0, "exam": EXAM_DECISIONS,
}  # fmt: skip
"""The number of positions of a session; 0 for a session that the person ends."""
MOST_SPOTS: Final = 500
"""The most positions of an endless session."""
PROGRESS_KIND: Final = "practice"
"""The kind of progress entry in which practice stores a person's answers."""
KEEP_EVERY: Final = 15
"""Answers are stored in groups of this many, and at the end of a session."""


PlayLeaks = Callable[[str, Rulebook], Awaitable[Mapping[str, float]]]
"""Returns the leaks in a person's play under a rulebook: the cost of each kind of position."""


class PracticeEntry(msgspec.Struct, frozen=True):
    """The body of a progress entry: some answers, in order."""

    notes: tuple[PracticeNote, ...]


def read_progress(entries: Any) -> PracticeProgress:
    """Return the progress that follows from entries. An entry that cannot be read is skipped."""
    progress = PracticeProgress()
    for entry in entries:
        with suppress(msgspec.MsgspecError, ValueError):
            progress = after_notes(progress, msgspec.convert(entry.body, PracticeEntry).notes)
    return progress


class RunningPractice(PersonSession[PracticePosition, PracticeNote, p.PracticeReply]):
    """A practice session of one person."""

    def __init__(
        self,
        handle: str,
        order: p.StartPractice,
        game: GameValues,
        progress: PracticeProgress,
        leaks: Mapping[str, float],
    ) -> None:
        """`leaks` are those of the person's play. If there are none, the errors in practice are used."""
        super().__init__(handle)
        self.order, self.game, self.progress = order, game, progress
        seed = order.seed or secrets.token_hex(8)
        self.exam = exam_positions(game, seed) if order.mode == "exam" else ()
        self.practice = _practice(order, seed, leaks or progress.weak_kinds())
        self.count = COUNTS[order.mode]
        self.positions: list[PracticePosition] = []
        """The answered positions."""
        self.choices: list[str] = []
        self.times: list[int] = []
        self.marks: list[p.SpotMark] = []
        self.repeats: set[int] = set()
        """The numbers of the positions that the person wants to see again."""
        self.result: p.PracticeResult | None = None
        """The score sheet, once the session is finished."""

    def draw(self, number: int, last: str, now: str) -> PracticePosition:
        """Return the position with this number, counted from 0.

        The position with the link `last` is not repeated immediately.
        """
        if self.exam:
            return self.exam[number]
        due = [link for link in due_misses(self.progress.misses, now) if link != last]
        return practice_position(self.game, self.practice, number, due)

    @property
    def shown(self) -> p.PracticeSpot | None:
        """The current position, without its answer."""
        if self.asked is None:
            return None
        decision, place = self.asked.position.decision, len(self.positions) + 1
        return spot_message(self.game, decision, badge=self.asked.badge, place=place)

    @property
    def shown_marks(self) -> tuple[p.SpotMark, ...]:
        """The marks so far; an exam hides them until it is over."""
        if self.exam and not self.finished:
            return tuple("answered" for _ in self.marks)
        return tuple(self.marks)

    @property
    def last_number(self) -> int:
        """The number of the last position."""
        return self.count or MOST_SPOTS

    def take(self, asked: PracticePosition, valued: ValuedDecision, time: int, now: str) -> None:
        """Add an answer."""
        self.positions.append(asked)
        self.choices.append(valued.decision.choice)
        self.times.append(time)
        self.marks.append(verdict_of(valued))
        self.note(note_of(asked, valued, link_of(self.game, asked), now))

    def note(self, note: PracticeNote) -> None:
        """Add a note to the progress, to be stored."""
        self.unstored.append(note)
        self.progress = after_notes(self.progress, (note,))

    def score(self) -> p.PracticeResult:
        """Return the score sheet of the answers so far."""
        ratings = self.progress.ratings()
        return result_message(self.game, self.positions, self.choices, self.times, ratings)


def _practice(order: p.StartPractice, seed: str, weak: Mapping[str, float]) -> Practice:
    if order.mode == "exam":
        return Practice(seed)
    try:
        return Practice(
            seed=seed,
            mode=order.mode,
            street=order.street or None,  # type: ignore[arg-type]
            kind=order.kind,
            theme=order.theme,
            weak=weak if order.mode == "leaks" else {},
        )
    except ValueError as error:
        raise refused(400, "bad-practice", order.mode, str(error)) from error


class PracticeDesk(SessionDesk[RunningPractice]):
    """All running practice sessions."""

    noun = "practice"
    missing = "no-practice"
    progress_kind = PROGRESS_KIND

    def __init__(
        self,
        keeper: ProgressKeeper,
        start: Callable[[Coroutine[Any, Any, None]], None],
        wall_clock: Callable[[], str],
        ticks: Callable[[], float] = monotonic,
        *,
        daily_secret: str = "",
    ) -> None:
        """`daily_secret` decides the daily positions."""
        super().__init__(keeper, start, wall_clock, ticks)
        self._daily_secret = daily_secret
        self.preparation: Callable[[Rulebook], str] = lambda book: ""
        """Returns why a rulebook cannot be practised now; empty if it can. The server sets it."""
        self.play_leaks: PlayLeaks = _no_leaks
        """Finds the leaks in a person's play, for the mode "leaks"."""

    def _next_question(self, session: RunningPractice) -> Callable[[], PracticePosition]:
        asked = session.asked
        last = link_of(session.game, asked) if asked else ""
        number = len(session.positions) + (1 if asked else 0)
        return partial(session.draw, number, last, self._now())

    def _entry(self, answers: tuple[PracticeNote, ...]) -> dict[str, Any]:
        entry: dict[str, Any] = msgspec.to_builtins(PracticeEntry(answers))
        return entry

    def _ended(self) -> str:
        return f"this session has ended: a session is kept for {several(HOURS, 'hour')}; start a new one"

    # --- sessions ---

    async def menu(self, handle: str, rulebook: str) -> p.PracticeMenu:
        """Return what a rulebook offers, with a person's rating."""
        book = bundled(rulebook)
        sentence = self.preparation(book)
        common: Mapping[str, Any] = {"rulebook": book.id, "title": book.title, "counts": COUNTS}
        if sentence:
            return p.PracticeMenu(**common, ready=False, sentence=sentence)
        read = await self._stored_entries(handle)
        game, progress = await self._queue.do(handle, _game_and_progress, book, read.entries)
        ratings = await self._queue.do(handle, progress.ratings)
        due = due_misses(progress.misses, self._now())
        return p.PracticeMenu(
            **common,
            ready=True,
            sentence="",
            streets=streets_of(game),
            kinds=kind_topics(game),
            themes=theme_topics(game),
            answered=len(progress.answers),
            due=sum(read_link(link).is_of(game) for link in due),
            weak=bool(progress.weak_kinds()),
            ratings=tuple(map(rating_message, ratings)),
            edge=edge_words(game.value, game.unit),
        )

    async def start(self, handle: str, order: p.StartPractice) -> p.PracticeState:
        """Start a session and return its first position."""
        book = self.check_ready(order.rulebook)
        read = await self._stored_entries(handle)
        game, progress = await self._queue.do(handle, _game_and_progress, book, read.entries)
        leaks = await self.play_leaks(handle, book) if order.mode == "leaks" else {}
        session = await self._queue.do(handle, RunningPractice, handle, order, game, progress, leaks)
        session.asked = await self._draw(session)
        await self._add(session, read)
        self._prepare(session)
        return self._state(session)

    def state(self, handle: str, name: str) -> p.PracticeState:
        """Return a session of a person with its current position."""
        return self._state(self._find(handle, name))

    async def answer(self, handle: str, name: str, answer: p.AnswerSpot) -> p.PracticeReply:
        """Grade an answer, and return its analysis with the next position."""
        session = self._find(handle, name)
        async with session.lock:
            if (sent_again := session.repeated_reply(answer.step)) is not None:
                return sent_again
            asked: PracticePosition = self._expected(session, answer.step)
            try:
                valued = asked.position.answer(answer.choice)
            except ValueError as error:
                raise refused(400, "unknown-choice", "choice", str(error)) from error
            analysis = None
            if not session.exam:
                analysis = await self._analyse(handle, session.game, asked.position, answer.choice)
            # The answer counts only if there is a next position, so that it can be sent again.
            following = None
            if len(session.positions) + 1 < session.last_number:
                following = await self._draw(session)
            session.take(asked, valued, answer.time, self._now())
            session.step += 1
            session.asked = following
            if following is None:
                await self._finish(session)
            else:
                if len(session.unstored) >= KEEP_EVERY:
                    self._keep_later(session)
                if len(session.positions) + 1 < session.last_number:
                    self._prepare(session)
            session.last_reply = p.PracticeReply(
                step=session.step,
                mark=session.shown_marks[-1],
                marks=session.shown_marks,
                analysis=analysis,
                next=session.shown,
                result=session.result,
            )
            return session.last_reply

    async def repeat(self, handle: str, name: str, wanted: p.RepeatSpot) -> p.PracticeState:
        """Note that a person wants to see an answered position again."""
        session = self._find(handle, name)
        if session.exam and not session.finished:
            raise refused(409, "exam", "number", "finish the exam first")
        if wanted.number > len(session.positions):
            sentence = f"position {wanted.number} has no answer yet"
            raise refused(400, "unknown-position", "number", sentence)
        async with session.lock:
            if wanted.number not in session.repeats:
                session.repeats.add(wanted.number)
                link = link_of(session.game, session.positions[wanted.number - 1])
                session.note(RepeatRequest(link=link, at=self._now()))
                if session.finished or len(session.unstored) >= KEEP_EVERY:
                    self._keep_later(session)
        return self._state(session)

    async def end(self, handle: str, name: str) -> p.PracticeState:
        """End a session early and return its score sheet."""
        session = self._find(handle, name)
        async with session.lock:
            if not session.finished:
                session.asked = session.last_reply = None
                session.step += 1
                await self._finish(session)
        return self._state(session)

    async def _finish(self, session: RunningPractice) -> None:
        session.result = await self._queue.do(session.handle, session.score)
        if session.prepared is not None:
            session.prepared.cancel()
        self._keep_later(session)

    async def _draw(self, session: RunningPractice) -> PracticePosition:
        """Return the next position; refuse a kind or theme that the rulebook cannot have."""
        try:
            return await self._question(session)  # type: ignore[no-any-return]
        except NoPositionError as error:
            raise refused(400, "no-position", session.order.mode, str(error)) from error

    def _state(self, session: RunningPractice) -> p.PracticeState:
        order = session.order
        return p.PracticeState(
            session=session.id,
            rulebook=session.game.terms.rulebook.id,
            title=session.game.terms.rulebook.title,
            mode=order.mode,
            topic=topic_words(order),
            street=order.street,
            kind=order.kind,
            theme=order.theme,
            count=session.count,
            step=session.step,
            marks=session.shown_marks,
            spot=session.shown,
            result=session.result,
        )

    # --- games ---

    def check_ready(self, rulebook: str) -> Rulebook:
        """Return a rulebook; refuse it while it is being solved for the first time."""
        book = bundled(rulebook)
        if sentence := self.preparation(book):
            raise refused(409, "not-solved", "rulebook", sentence)
        return book

    async def _analyse(self, who: str, game: GameValues, spot: Position, choice: str) -> p.SpotAnalysis:
        return await self._queue.do(who, analysis_message, game, spot, choice)

    # --- single positions ---

    async def daily(self, address: str, rulebook: str) -> p.SharedPosition:
        """Return the position of the day, which is the same for everyone on the server."""
        book, date = self.check_ready(rulebook), self._now()[:10]

        def draw() -> p.SharedPosition:
            game = game_values(book)
            shown = daily_position(game, date, self._daily_secret)
            return _shared(game, shown.position, badge=shown.badge, date=date)

        return await self._queue.do(address, draw)

    async def shared(self, address: str, link: str) -> p.SharedPosition:
        """Return the position of a link, without its answer."""

        def read() -> p.SharedPosition:
            game, spot = self._linked(link)
            return _shared(game, spot)

        return await self._queue.do(address, read)

    async def shared_analysis(self, address: str, link: str, choice: str) -> p.SpotAnalysis:
        """Return the analysis of the position of a link, for a choice or, without one, for the best."""

        def analyse() -> p.SpotAnalysis:
            game, spot = self._linked(link)
            if choice and choice not in spot.values:
                sentence = f"{choice[:40]!r} is not a choice here; the choices: {', '.join(spot.values)}"
                raise refused(400, "unknown-choice", "choice", sentence)
            return analysis_message(game, spot, choice)

        return await self._queue.do(address, analyse)

    def _linked(self, text: str) -> tuple[GameValues, Position]:
        """Return the game and the position of a link."""
        try:
            link = read_link(text)
            game = game_values(self.check_ready(link.rulebook))
            return game, linked_position(game, link)
        except LinkError as error:
            raise refused(404, "bad-link", "link", str(error)) from error


def _game_and_progress(book: Rulebook, entries: Iterable[Any]) -> tuple[GameValues, PracticeProgress]:
    return game_values(book), read_progress(entries)


async def _no_leaks(handle: str, book: Rulebook) -> Mapping[str, float]:
    return {}


def topic_words(order: p.StartPractice) -> str:
    """Return what a session practises, in words."""
    if order.mode == "endless":
        return KINDS[order.kind].words if order.kind else THEMES[order.theme].words
    return order.street if order.mode == "street" else ""


def _shared(game: GameValues, spot: Position, *, badge: str = "", date: str = "") -> p.SharedPosition:
    book = game.terms.rulebook
    return p.SharedPosition(
        link=write_link(game, spot.decision.hole, spot.decision.board),
        rulebook=book.id,
        title=book.title,
        date=date,
        spot=spot_message(game, spot.decision, badge=badge),
    )
