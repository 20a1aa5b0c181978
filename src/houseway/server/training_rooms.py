"""The training sessions on a server: their owners, their clocks and their storage.

Every input is stored before its answer. A session that is not in memory is played again from its stored
inputs, with the same cards.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from houseway.client import training_messages as t
from houseway.live.exam_tables import exam_tables
from houseway.live.offload import Offload
from houseway.live.personal_streams import MOST_RESERVED, Use
from houseway.report.exam_result import EarlierAttempt, ErasedAttempts
from houseway.rules.loader import sound_rulebooks
from houseway.rules.recorded_rulebook import installed_rulebook
from houseway.server.certificate_desk import (
    CertificateDesk,
)
from houseway.server.exam_library import ExamLibrary
from houseway.server.exam_results import ExamAttempts, ExamResults
from houseway.server.loaded_sessions import LoadedSessions, Room, seconds_of
from houseway.server.rulebook_library import RefusedError, bundled, refused
from houseway.server.training_plans import session_plan
from houseway.server.training_store import ListedSession, ProgressLog, StoredLine, TrainingStore
from houseway.server.training_views import ExamSheet, chair_view, exam_sheet
from houseway.server.work_queue import WorkQueue
from houseway.training import acts as a
from houseway.training.act_checks import act_problem
from houseway.training.act_codec import read_act
from houseway.training.exams.run import ExamSetup
from houseway.training.hosted_session import (
    AbortInput,
    ActInput,
    AnyInput,
    BackInput,
    HostedSession,
    InputResult,
    LostInput,
    ReportInput,
    RulingInput,
    SessionStart,
    TickInput,
)
from houseway.training.impossible_acts import obstacle
from houseway.training.ruling_review import answers_problem, report_act, ruling_form
from houseway.training.session import SessionError
from houseway.training.stored_rulebook import stored_rulebook

MOST_OPEN: Final = 10
"""The most sessions that a person may have open."""
AWAY: Final = 15_000
"""The milliseconds without a request after which the connection of an exam counts as lost."""
MOST_IN_ROUND: Final = 400
"""The most inputs of one round: acts, and what players do. A usual round has up to 120."""
LONGEST_KEY: Final = 100
T = TypeVar("T")


class TrainingRooms:
    """The training sessions of all people."""

    def __init__(
        self,
        progress: ProgressLog,
        offload: Offload,
        wall_clock: Callable[[], str],
        seconds: Callable[[], float],
        secret: Callable[[str], str],
        attempts: ExamAttempts,
        library: ExamLibrary,
        certificates: CertificateDesk | None = None,
    ) -> None:
        """`wall_clock` returns the time as text, and `seconds` as seconds since 1970. `secret` returns the
        server's own secret for a session. `attempts` are the exams that classes set. `library` has the
        exams and scenarios. `certificates` signs certificates, if the server has a key for them."""
        self._store = TrainingStore(progress)
        self._progress = progress
        self._attempts = attempts
        self._library = library
        self._offload = offload
        self._wall_clock = wall_clock
        self._seconds = seconds
        self._secret = secret
        self._since = seconds()
        """The time at which the server started."""
        self._queue = WorkQueue("training", 2)
        self.results = ExamResults(progress, attempts, self._queue, certificates)
        self._rooms = LoadedSessions(seconds)

    def close(self) -> None:
        """Cancel waiting work. Every answered input is stored."""
        self._queue.close()

    # --- sessions ---

    async def open(self, handle: str, request: t.TrainingRequest, examiner: str = "") -> t.ChairView:
        """Open a session for a person. `examiner` is the instructor of the class in the request."""
        sessions = await self._store.sessions(handle)
        if sum(one.progress == "open" for one in sessions.values()) >= MOST_OPEN:
            sentence = f"you have {MOST_OPEN} open training sessions; end one of them first"
            raise refused(409, "too-many-sessions", "session", sentence)
        earlier = tuple(_attempt(one) for one in sessions.values() if _is_exam(one, request.exam))
        stream = self._store.stream(handle)
        erased = await self._progress.erased_attempts(handle) if request.exam else None
        hosted = await self._queue.do(handle, self._new, handle, request, earlier, erased, examiner)
        if hosted.opening.exam is not None:
            await self._check_space(handle, (*sessions.values(), ListedSession(hosted.opening)))
        if request.class_id:
            session = hosted.opening.session
            attempt = await self._attempts.start_attempt(request.class_id, handle, session)
            hosted.opening = replace(hosted.opening, class_id=request.class_id, attempt=attempt.attempt)
        opening = hosted.opening
        line = StoredLine(session=opening.session, opening=opening)
        await self._offload.whole(self._store.append(handle, line, 0, stream))
        room = self._rooms.keep(Room(handle, hosted, stream, self._seconds()))
        self._rooms.note(room)
        return await self._view(room)

    async def _check_space(self, handle: str, sessions: Iterable[ListedSession]) -> None:
        """Refuse an exam if its inputs may not fit into the person's progress."""
        exams = (one.opening.exam for one in sessions if one.progress == "open")
        rounds = sum(one.exam.rounds for one in exams if one is not None)
        if rounds * MOST_IN_ROUND > MOST_RESERVED:
            sentence = "your open exams have too many rounds together; end one of them first"
            raise refused(409, "too-many-exams", "session", sentence)
        await self._progress.check_space(handle)

    async def _view(self, room: Room) -> t.ChairView:
        """Return a session as the dealer sees it now. It is built outside the event loop."""
        return await self._queue.do(room.handle, chair_view, room.hosted, self._time(room))

    def _new(
        self,
        handle: str,
        request: t.TrainingRequest,
        earlier: tuple[EarlierAttempt, ...],
        erased: ErasedAttempts | None,
        examiner: str,
    ) -> HostedSession:
        """Return a new session; raise RefusedError if it cannot be opened."""
        session, at = secrets.token_hex(8), self._wall_clock()
        plan = session_plan(request, self._library)
        setup = None
        if request.exam:
            exam = self._library.exam(request.exam)
            tables = exam_tables(exam, bundled(plan.rulebook), request.mode)
            setup = ExamSetup(
                exam=exam,
                rulebook=plan.rulebook,
                rulebook_hash=plan.hash,
                terms=tables.terms,
                backs=tables.backs,
                trainee=handle,
                examiner=examiner,
                started=at,
                earlier=earlier,
                erased=erased,
                rulings=True,
                next_table=tables.next_table,
                rulebook_text=plan.text,
            )
            # The seed is sealed: the server derives it from its own secret, so the plan contains no seed.
            # The rulebook's text is in the setup.
            plan = replace(plan, terms=setup.terms, backs=setup.backs, seed="", rounds=exam.rounds, text="")
        # In the live way, the table refuses wrong acts. That would give away the right ones, so an exam
        # always uses the training way.
        way: t.Way = "training" if setup is not None else request.way
        opening = SessionStart(session=session, at=at, plan=plan, way=way, exam=setup, rulings=True)
        return self._hosted(opening)

    def _hosted(self, opening: SessionStart) -> HostedSession:
        books = sound_rulebooks()[0]
        start = seconds_of(opening.at)
        plan, secret = opening.plan, self._secret(f"training {opening.session}")
        text = opening.exam.rulebook_text if opening.exam is not None else plan.text
        try:
            book = stored_rulebook(plan.rulebook, plan.hash, text)
            return HostedSession(opening, book, secret, books, lambda ms: _date(start + ms / 1000))
        except SessionError as error:
            raise refused(400, "bad-session", "session", str(error)) from error

    async def mine(self, handle: str) -> t.TrainingCards:
        """Return a person's sessions, newest first."""
        sessions = await self._store.sessions(handle)
        return t.TrainingCards(sessions=tuple(_card(one) for one in reversed(sessions.values())))

    def forget(self, handle: str) -> None:
        """Forget the sessions of a person whose progress was erased."""
        self._store.forget(handle)
        self._rooms.drop_person(handle)

    async def view(self, handle: str, session: str) -> t.ChairView:
        """Return a session as the dealer sees it."""
        async with self._entered(handle, session) as room:
            return await self._view(room)

    async def watchable(self, handle: str, class_id: str) -> tuple[t.TrainingCard, ...]:
        """Return the open sessions of a trainee that the instructor of a class may watch."""
        sessions = (await self._store.sessions(handle)).values()
        return tuple(
            _card(one) for one in sessions if one.progress == "open" and _is_watchable(one, class_id)
        )

    async def watch(self, handle: str, session: str, class_id: str) -> t.ChairView:
        """Return a trainee's session as the dealer sees it, for the instructor of a class.

        Nothing happens in the session, and the trainee does not count as present.
        """
        listed = (await self._store.sessions(handle)).get(session)
        if listed is None or not _is_watchable(listed, class_id):
            sentence = "this trainee has no session for you to watch; choose another one"
            raise refused(404, "no-session", "session", sentence)
        while True:
            room = await self._room(handle, session)
            async with room.lock:
                if self._rooms.get(session) is room and await self._is_current(room):
                    return await self._view(room)

    async def read(self, handle: str, session: str, work: Callable[[HostedSession], T]) -> T:
        """Return the result of work that reads a session and takes a while.

        Refused while an exam runs: its judgements are sealed.
        """
        async with self._entered(handle, session) as room:
            _check_seal(room.hosted)
            return await self._queue.do(handle, work, room.hosted)

    async def result(self, handle: str, session: str) -> ExamSheet:
        """Return the result of an exam that is over."""
        async with self._entered(handle, session) as room:
            _check_exam(room.hosted)
            sheet = await self._queue.do(handle, exam_sheet, room.hosted)
            return replace(sheet, signed=await self.results.is_signed(room))

    async def certificate(self, handle: str, session: str) -> str:
        """Return the signed certificate of an exam; raise RefusedError with the reason if it has none."""
        async with self._entered(handle, session) as room:
            _check_exam(room.hosted)
            return await self.results.certificate(room)

    async def end(self, handle: str, session: str) -> t.ChairView:
        """End a session. If rounds are left, it is recorded as aborted."""
        async with self._entered(handle, session) as room:
            if room.hosted.progress == "open":
                await self._apply(room, AbortInput(time=self._time(room)))
            return await self._view(room)

    # --- inputs ---

    async def act(self, handle: str, session: str, request: t.ActRequest) -> t.ActAnswer:
        """Let the trainee act."""
        act = _read_act(request.act)
        async with self._entered(handle, session) as room:
            problem = act_problem(room.hosted.session.table, act) or _ruling_problem(room.hosted, act)
            if problem:
                raise refused(400, "bad-act", "act", problem)
            known = self._known(room, request.key, ActInput, lambda one: one.act == request.act)
            if known is None:
                self._check_open(room, stopped=False)
                reason = obstacle(room.hosted.session.table, room.hosted.session.chair, act)
                if reason:
                    raise refused(409, "impossible-act", "act", reason)
                given = ActInput(time=self._time(room), key=request.key, act=request.act)
                result = await self._apply(room, given)
            else:
                result = known
            if result.refusal is not None:
                raise RefusedError(409, result.refusal)
            view = await self._view(room)
            entries = (*room.news, *result.events)
            return t.ActAnswer(view=view, entries=entries, repeated=known is not None)

    async def tick(self, handle: str, session: str) -> t.ActAnswer:
        """Apply everything that has become due without an act of the trainee, and return the view."""
        async with self._entered(handle, session) as room:
            return t.ActAnswer(view=await self._view(room), entries=room.news)

    async def rule(self, handle: str, session: str, request: t.RulingRequest) -> t.RulingAnswer:
        """Report an irregularity, or rule on the one that is reported."""
        async with self._entered(handle, session) as room:
            hosted = room.hosted
            known = hosted.results.get(request.key)
            if known is not None:
                _check_same(known, request)
                return await self._ruling(room, known, repeated=True)
            self._check_key(request.key)
            if hosted.form is not None and request.answers is not None:
                # The server stopped after it had stored the report, and the request was sent again.
                same = request.irregularity == hosted.form.report
                request = replace(request, irregularity=None) if same else request
            self._check_open(room, stopped=request.irregularity is None)
            if request.irregularity is None and request.answers is None:
                raise refused(400, "no-report", "irregularity", "name the irregularity that you report")
            result: InputResult | None = None
            if request.irregularity is not None:
                report = request.irregularity
                problem = act_problem(hosted.session.table, report_act(report))
                if problem:
                    raise refused(400, "bad-act", "irregularity", problem)
                # A request with answers has one key for both inputs. It belongs to the ruling.
                key = request.key if request.answers is None else ""
                self._check_answers(ruling_form(hosted.session.state, report, 0), request)
                result = await self._apply(room, ReportInput(time=self._time(room), key=key, report=report))
            if request.answers is not None and (result is None or hosted.form is not None):
                # If the exam ended with the report, there is nothing to rule on.
                self._check_answers(hosted.form, request)
                given = RulingInput(time=self._time(room), key=request.key, answers=request.answers)
                result = await self._apply(room, given)
            assert result is not None
            if result.refusal is not None:
                raise RefusedError(409, result.refusal)
            return await self._ruling(room, result)

    async def _ruling(self, room: Room, result: InputResult, *, repeated: bool = False) -> t.RulingAnswer:
        view = await self._view(room)
        judged = result.ruling
        if judged is None or room.hosted.sealed:
            return t.RulingAnswer(view=view, repeated=repeated)
        return t.RulingAnswer(
            view=view,
            rows=judged.rows,
            happened=judged.happened,
            noticed=judged.noticed,
            returned=judged.returned,
            returned_yours=judged.returned_yours,
            board=tuple(map(str, judged.end.board)),
            settled=judged.end.wagers,
            others=judged.others,
            repeated=repeated,
        )

    def _check_answers(self, form: t.RulingForm | None, request: t.RulingRequest) -> None:
        problem = answers_problem(form, request.answers or {}) if form is not None else ""
        if problem:
            raise refused(400, "bad-answer", "answers", problem)

    @asynccontextmanager
    async def _entered(self, handle: str, session: str) -> AsyncIterator[Room]:
        """Enter a session: one request at a time, after everything that was due before it."""
        while True:
            room = await self._room(handle, session)
            async with room.lock:
                # The session may have been dropped while this request waited for it.
                if self._rooms.get(session) is room and await self._is_current(room):
                    await self._catch_up(room)
                    yield room
                    return

    async def _is_current(self, room: Room) -> bool:
        """True if a session has every stored input. Otherwise drop it, so that it is loaded again.

        Another server may have stored inputs, or the person may have erased their progress there.
        """
        session = room.hosted.opening.session
        listed = (await self._store.sessions(room.handle)).get(session)
        same = room.stream == self._store.stream(room.handle)
        if listed is not None and same and listed.inputs == room.hosted.inputs:
            return True
        if self._rooms.get(session) is room:
            del self._rooms[session]
        return False

    async def _catch_up(self, room: Room) -> None:
        """Apply everything that has become due, and record a connection that was lost during an exam."""
        hosted, now = room.hosted, self._time(room)
        seen = int((max(self._rooms.last_seen(room), self._since) - room.started) * 1000)
        self._rooms.note(room)
        room.news = ()
        if hosted.sealed and now - seen > AWAY:
            await self._apply(room, LostInput(time=min(now, seen + AWAY)))
            await self._apply(room, BackInput(time=now))
        if hosted.is_due(now):
            room.news = (await self._apply(room, TickInput(time=now))).events
        await self.results.report(room)

    def _known(self, room: Room, key: str, kind: type[T], same: Callable[[T], bool]) -> InputResult | None:
        """Return the result of an earlier input with this key; refuse a key of another input."""
        self._check_key(key)
        known = room.hosted.results.get(key)
        if known is not None and not (isinstance(known.input, kind) and same(known.input)):
            raise refused(409, "key-used", "key", "this key belongs to another act; choose a new key")
        return known

    def _check_key(self, key: str) -> None:
        if not 1 <= len(key) <= LONGEST_KEY or not key.isprintable():
            sentence = f"the key must be printable text of 1 to {LONGEST_KEY} characters"
            raise refused(400, "bad-key", "key", sentence)

    def _check_open(self, room: Room, *, stopped: bool) -> None:
        """Refuse an input if the session is over, or if the session or its round is full.

        With `stopped`, also refuse it unless play is stopped for a report; without it, refuse it if play is
        stopped.
        """
        hosted = room.hosted
        if hosted.progress != "open":
            raise refused(409, "session-over", "session", "this session is over; open a new one")
        if hosted.full:
            sentence = "the session has reached its largest size; open a new one"
            raise refused(409, "session-full", "session", sentence)
        if len(hosted.session.chair.entries) >= MOST_IN_ROUND:
            sentence = f"a round has at most {MOST_IN_ROUND} acts; end this session and open a new one"
            raise refused(409, "round-full", "session", sentence)
        if stopped and hosted.form is None:
            raise refused(
                409, "no-report", "irregularity", "play is not stopped; report an irregularity first"
            )
        if not stopped and hosted.form is not None:
            raise refused(409, "play-stopped", "act", "play is stopped; rule on the irregularity first")

    async def _apply(self, room: Room, given: AnyInput) -> InputResult:
        """Apply an input and store it. If that fails, the session is loaded again for the next request."""
        return await self._offload.whole(self._applied(room, given))

    async def _applied(self, room: Room, given: AnyInput) -> InputResult:
        hosted = room.hosted
        session = hosted.opening.session
        number = hosted.inputs + 1
        try:
            result = await self._queue.do(room.handle, hosted.apply, given)
            line = StoredLine(
                session=session,
                input=result.input,
                judged=len(hosted.session.judgements),
                progress=hosted.progress,
                outcome=hosted.outcome,
            )
            await self._store.append(room.handle, line, number, room.stream, _use(hosted, given))
        except BaseException as error:
            # If the queue was full, nothing was done, and the session can stay.
            if hosted.inputs >= number or not isinstance(error, RefusedError):
                self._rooms.pop(session, None)
            raise
        if line.outcome:
            await self.results.report(room)
        return result

    # --- sessions in memory ---

    async def _room(self, handle: str, session: str) -> Room:
        """Return a session of a person; load it if it is not in memory."""
        room = self._rooms.get(session)
        if room is not None and room.handle == handle:
            self._rooms.drop_idle(room)
            return room
        listed = (await self._store.sessions(handle)).get(session)
        if listed is None:
            raise refused(404, "no-session", "session", f"you have no training session {session[:40]!r}")
        async with self._rooms.loading(session):
            room = self._rooms.get(session)
            if room is None:
                stream = self._store.stream(handle)
                inputs = await self._store.inputs(handle, session, listed.first)
                opening = await self._store.opening(listed)
                hosted = await self._queue.do(handle, self._resumed, opening, inputs)
                room = self._rooms.keep(Room(handle, hosted, stream, self._seconds()))
        return room

    def _resumed(self, opening: SessionStart, inputs: list[AnyInput]) -> HostedSession:
        """Return a session, played again from its inputs."""
        hosted = self._hosted(opening)
        try:
            for one in inputs:
                hosted.apply(one)
        except (ValueError, msgspec.MsgspecError) as error:
            sentence = "the session was dealt by another version of the program and cannot continue"
            raise refused(409, "other-version", "session", f"{sentence}; open a new one") from error
        return hosted

    def _time(self, room: Room) -> int:
        """Return the milliseconds since a session started, by the server's clock. It never goes back."""
        return max(room.hosted.last, int((self._seconds() - room.started) * 1000))


def _check_seal(hosted: HostedSession) -> None:
    """Refuse to open the judgements of a running exam."""
    if hosted.sealed:
        sentence = "judgements are sealed until the exam is over; finish or end it first"
        raise refused(403, "exam-running", "session", sentence)


def _check_exam(hosted: HostedSession) -> None:
    """Refuse a session that is not an exam, or whose exam still runs."""
    if hosted.run is None:
        raise refused(404, "no-exam", "session", "this session is not an exam; get its score")
    _check_seal(hosted)


def _use(hosted: HostedSession, given: AnyInput) -> Use:
    """Return the limit that an input counts against. The end of a session can always be stored."""
    if isinstance(given, AbortInput) or (isinstance(given, TickInput) and hosted.run is not None):
        return "system"
    return "exam" if hosted.run is not None else "ordinary"


def _is_exam(listed: ListedSession, name: str) -> bool:
    setup = listed.opening.exam
    return bool(name) and setup is not None and setup.exam.id == name


def _is_watchable(listed: ListedSession, class_id: str) -> bool:
    """True if a session is an exam of a class, or an open session that is not an exam."""
    opening = listed.opening
    if opening.exam is not None:
        return opening.class_id == class_id
    return listed.progress == "open"


def _attempt(listed: ListedSession) -> EarlierAttempt:
    return EarlierAttempt(
        started=listed.opening.at,
        outcome=listed.outcome or "not finished",
        record=listed.opening.session,
    )


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _read_act(given: dict[str, Any]) -> a.ChairAct:
    try:
        return read_act(msgspec.json.encode(given))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise refused(400, "bad-act", "act", f"the act cannot be read: {error}") from error


def _ruling_problem(hosted: HostedSession, act: a.ChairAct) -> str:
    """Return what is wrong with the ruling in a report; empty if nothing is."""
    if not isinstance(act, a.ReportIrregularity) or act.ruling is None:
        return ""
    report = t.IrregularityReport(kind=act.kind, at=act.at)
    return answers_problem(ruling_form(hosted.session.state, report, 0), act.ruling)


def _check_same(known: InputResult, request: t.RulingRequest) -> None:
    """Refuse a key that belongs to another input."""
    match known.input:
        case ReportInput(report=report):
            same = request.answers is None and report == request.irregularity
        case RulingInput(answers=answers):
            same = answers == request.answers
        case _:
            same = False
    if not same:
        raise refused(409, "key-used", "key", "this key belongs to another act; choose a new key")


def _card(listed: ListedSession) -> t.TrainingCard:
    opening = listed.opening
    name = opening.plan.rulebook
    # The rulebook may have been removed since.
    book = installed_rulebook(name)
    return t.TrainingCard(
        session=opening.session,
        rulebook=name,
        title=book.title if book is not None else name,
        mode=opening.plan.terms["mode"],
        way=opening.way,
        progress=listed.progress,
        rounds=opening.plan.rounds,
        judged=listed.judged,
        opened_at=opening.at,
        exam=opening.exam.exam.id if opening.exam is not None else "",
        class_id=opening.class_id,
        outcome=listed.outcome,
    )
