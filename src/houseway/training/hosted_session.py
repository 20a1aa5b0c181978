"""A training session or an exam on a server: its inputs as they are stored, and their results.

A session is a function of its inputs. Applying the stored inputs again gives the same cards, entries and
judgements. It reads no clock: every input has its time.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.client.training_messages import (
    ActOption,
    ChairEvent,
    ExamView,
    IrregularityKind,
    IrregularityReport,
    Progress,
    RulingForm,
    Way,
)
from houseway.engine.refusals import Refusal
from houseway.report.exam_result import ExamResult
from houseway.rules.rulebook import Rulebook
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_codec import read_act
from houseway.training.act_list import act_options, irregularity_kinds
from houseway.training.chair_view import TABLE, chair_events
from houseway.training.exams.record import ExamWriter
from houseway.training.exams.run import ExamRun, ExamSetup
from houseway.training.perform import replay
from houseway.training.ruling_review import RulingVerdict, cited, judge_answers, report_act, ruling_form
from houseway.training.scenarios.deck import QUIET
from houseway.training.scene_words import move_words
from houseway.training.session import SessionPlan, TrainingSession
from houseway.training.session_file import SessionWriter
from houseway.training.void_rounds import void_round_end
from houseway.training.words import due_words

OPEN: Final[Progress] = "open"
OVER: Final[Progress] = "over"
ABORTED: Final[Progress] = "aborted"
PASSED, NOT_PASSED = "passed", "not passed"
WITHOUT_RULINGS: Final = 2
"""The format of the record of a session that does not record rulings."""
SEAL_DIGITS: Final = 32
"""The number of hexadecimal digits of an exam's seed and of its salt."""
MARK_DIGITS: Final = 16
REASONS: Final = {
    ch.OUT_OF_ORDER: "another act comes first",
    ch.NOT_DUE: "under the rulebook, this act is not due now",
    ch.WRONG_AMOUNT: "the rulebook settles this wager differently",
    ch.MISREAD: "the announcement is wrong",
    ch.WRONG_HAND_SET: "the house way sets the hand differently",
    ch.WRONG_KEY: "this is not the award that is due",
    ch.MISCOUNT: "the number of cards is wrong",
    ch.UNSEEN: "report the irregularity first",
    ch.WRONG_REPORT: "nothing of this kind has happened",
    ch.NEEDLESS_CALL: "nothing needs the floor now",
    ch.MISSED_CALL: "call the floor first",
    ch.WRONG_HANDLING: "respond to the player in a different way",
}
"""The reasons for which a session in the live way refuses an act, by the kind of slip that it would be."""


class StoredInput(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """An input of a session, as the server stores it."""

    time: int
    """Milliseconds since the session started."""
    key: str = ""
    """The key that the client chose; an input with a known key counts once."""
    mark: str = ""
    """A digest of the session's record after the input. Only the server can compute it."""


class ActInput(StoredInput, frozen=True):
    """An act of the trainee."""

    act: dict[str, Any]


class TickInput(StoredInput, frozen=True):
    """Time passed, and something happened by itself."""


class ReportInput(StoredInput, frozen=True):
    """The trainee reported an irregularity; play stops until the ruling."""

    report: IrregularityReport


class RulingInput(StoredInput, frozen=True):
    """The trainee ruled on the reported irregularity."""

    answers: dict[str, str]


class LostInput(StoredInput, frozen=True):
    """The connection of the trainee was lost."""


class BackInput(StoredInput, frozen=True):
    """The trainee is connected again."""


class AbortInput(StoredInput, frozen=True):
    """The trainee ended the session before its last round was closed."""


AnyInput = ActInput | TickInput | ReportInput | RulingInput | LostInput | BackInput | AbortInput


class SessionStart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The beginning of a session: everything but its inputs."""

    session: str
    at: str
    """The time at which the session started."""
    plan: SessionPlan
    """The plan. The plan of an exam has no seed: the server derives the seed from its own secret."""
    way: Way = "training"
    exam: ExamSetup | None = None
    class_id: str = ""
    """The class in which the exam is taken; empty if the trainee takes it alone."""
    attempt: int = 0
    """The number of the attempt in the class."""
    rulings: bool = False
    """True if rulings are in the session's record and are judged. Older sessions have them only in their
    inputs."""
    has_text: bool = False
    """True if the session has the text of its rulebook, which is stored apart, once for each hash."""


class InputResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an input."""

    input: AnyInput
    events: tuple[ChairEvent, ...] = ()
    refusal: Refusal | None = None
    """In the live way: the reason why the act was refused."""
    ruling: RulingVerdict | None = None


class HostedSession:
    """A training session or an exam with its inputs, keys and judged rulings."""

    def __init__(
        self,
        opening: SessionStart,
        book: Rulebook,
        secret: str,
        books: Iterable[Rulebook] = (),
        date_at: Callable[[int], str] = str,
    ) -> None:
        """`secret` belongs to the server and this session, and `books` are compared in rulings. `date_at`
        turns milliseconds since the start of the session into a date and time."""
        self.opening = opening
        self.run: ExamRun | None = None
        """The exam, if the session is one."""
        if opening.exam is not None:
            seed, salt = (_digest(secret, what)[:SEAL_DIGITS] for what in ("seed", "salt"))
            self.run = ExamRun(opening.exam, seed, salt, book)
        self.session = self.run.session if self.run is not None else TrainingSession(opening.plan, book)
        tables = self.session.tables
        self._acts = {table.mode: act_options(table) for table in tables}
        self._irregularities = {table.mode: irregularity_kinds(table) for table in tables}
        self.form: RulingForm | None = None
        """The form of a report, while play is stopped for it."""
        self.results: dict[str, InputResult] = {}
        """The results of the inputs with keys."""
        self.inputs = 0
        """The number of stored inputs."""
        self.last = 0
        """The time of the last input."""
        self._aborted = False
        self._secret = secret
        self._books = tuple(books)
        self._date_at = date_at
        self._starts = [self.session.chair]
        """The chair before each round."""
        self._stubs = [self.session.stub]
        """The number of cards left to deal after each input."""
        self._writer: SessionWriter | ExamWriter
        if self.run is not None:
            writer = ExamWriter(self.run)
            self._writer, self._lines = writer, [writer.lines()]
        else:
            self._writer = SessionWriter()
            version = None if opening.rulings else WITHOUT_RULINGS
            self._lines = [self._writer.header(opening.plan, version)]

    # --- what the server asks ---

    @property
    def acts(self) -> tuple[ActOption, ...]:
        """Every act at the table."""
        return self._acts[self.session.table.mode]

    @property
    def irregularities(self) -> tuple[IrregularityKind, ...]:
        """The irregularities that can be reported at the table."""
        return self._irregularities[self.session.table.mode]

    @property
    def move_event(self) -> ChairEvent | None:
        """The move to another table, if no input has followed it; otherwise None."""
        moved, session = self.session.moved, self.session
        if moved is None or session.chair.inputs != moved.inputs:
            return None
        time = session.inputs[-1].time
        words = move_words(session.table.mode)
        return ChairEvent(number=moved.inputs, time=time, who=TABLE, words=words)

    @property
    def progress(self) -> Progress:
        """ "open", "over" if every round is closed, or "aborted" if the session ended before that."""
        if self.session.over:
            return OVER
        ended = self._aborted or (self.run is not None and self.run.over)
        return ABORTED if ended else OPEN

    @property
    def sealed(self) -> bool:
        """True while an exam runs: no judgement, answer or seed may leave the server."""
        return self.run is not None and not self.run.over

    @property
    def outcome(self) -> str:
        """The outcome of an exam that is over, in a word or two; otherwise empty."""
        if self.run is None or not self.run.over:
            return ""
        complete = self.session.over
        return (PASSED if self.result().passed else NOT_PASSED) if complete else self.run.state

    @property
    def record(self) -> bytes:
        """The session's file, in JSON lines."""
        return b"".join(self._lines)

    @property
    def full(self) -> bool:
        """True if the session has reached its largest size."""
        return self._writer.full

    @property
    def lively(self) -> bool:
        """True if something may happen by itself, or a clock runs. It does not say when, or whether."""
        return self.run is not None or self.session.plan.scenario != QUIET

    def is_due(self, time: int) -> bool:
        """True if something happens by itself by this time."""
        if self.form is not None:
            # Play is stopped. Only the time of an exam continues.
            wakes = self.run.deadline if self.run is not None else None
        else:
            wakes = self.run.wakes_at if self.run is not None else self.session.wakes_at
        return self.progress == OPEN and wakes is not None and wakes <= time

    def exam_view(self, time: int) -> ExamView | None:
        """Return what the trainee may know about a running exam; None if the session is not an exam."""
        if self.run is None:
            return None
        public = self.run.public(time)
        return ExamView(
            exam=public.exam,
            title=public.title,
            exam_hash=public.exam_hash,
            commitment=public.commitment,
            state=public.state,
            left=public.left,
            examiner=public.examiner,
        )

    def result(self) -> ExamResult:
        """Return the result of an exam that is over."""
        if self.run is None:
            raise ValueError("the session is not an exam")
        head = hashlib.sha256(self.record).hexdigest()
        return self.run.result(self._date_at(self.run.ended_at), head)

    # --- inputs ---

    def apply(self, given: AnyInput) -> InputResult:
        """Apply an input and return its result. The result's `input` has the new mark: the record's digest.

        Raises ValueError if a stored input has another mark, which means that another version of the
        program dealt the session.
        """
        time = max(given.time, self.last)
        result = self._result(given, time)
        self._note()
        mark = _digest(self._secret, self._writer.sum)[:MARK_DIGITS]
        if given.mark and given.mark != mark:
            raise ValueError(f"input {self.inputs + 1} gives a different result than before")
        result = replace(result, input=replace(given, time=time, mark=mark))
        self.inputs += 1
        self.last = time
        if given.key:
            self.results[given.key] = result
        return result

    def _result(self, given: AnyInput, time: int) -> InputResult:
        match given:
            case ActInput():
                return self._act(given, read_act(msgspec.json.encode(given.act)), time)
            case TickInput():
                return InputResult(input=given, events=self._tick(time))
            case ReportInput():
                events = self._tick(time)
                if self.progress == OPEN:
                    self.form = ruling_form(self.session.state, given.report, time)
                return InputResult(input=given, events=events)
            case RulingInput():
                return self._rule(given)
            case LostInput() if self.run is not None:
                self.run.disconnect(time)
            case BackInput() if self.run is not None:
                self.run.reconnect(time)
            case AbortInput():
                self._aborted = True
                if self.run is not None:
                    self.run.abort(time)
        return InputResult(input=given)

    def _tick(self, time: int) -> tuple[ChairEvent, ...]:
        """Apply everything that is due by a time, and return the events as the dealer sees them."""
        if self.run is None:
            return self._seen(self.session.tick(time))
        entries = self.run.tick(time)
        self.run.notice()
        if self.run.over:
            self.form = None
        return self._seen(entries)

    def _act(self, given: AnyInput, act: a.ChairAct, time: int) -> InputResult:
        """Apply everything that was due before, then the act of the trainee."""
        before = self._tick(time)
        if self.opening.way == "live":
            slip = self.session.slip_of(act, time)
            if slip is not None:
                return InputResult(input=given, events=before, refusal=self._refusal(slip))
        moved = self.session.moved
        entries = self.run.act(act, time) if self.run is not None else self.session.act(act, time)
        events = self._seen(entries)
        if self.session.moved is not moved:
            closed, *others = events
            events = (
                closed,
                replace(closed, who=TABLE, words=move_words(self.session.table.mode)),
                *others,
            )
        return InputResult(input=given, events=(*before, *events))

    def _seen(self, entries: Iterable[ch.ChairEntry]) -> tuple[ChairEvent, ...]:
        table_at, state = self.session.table_at, self.session.state
        events = (event for one in entries for event in chair_events(table_at(one.number), (one,), state))
        return tuple(map(self.without_gap, self.shown(events)))

    def shown(self, events: Iterable[ChairEvent]) -> tuple[ChairEvent, ...]:
        """Return the events that the dealer may see now.

        While an exam runs, the acts that the trainer did in the trainee's place stay hidden: they would
        show what the trainee left out.
        """
        return tuple(event for event in events if not (self.sealed and event.who == ch.TRAINER))

    def without_gap(self, event: ChairEvent) -> ChairEvent:
        """Return an event with its number among those that the dealer can see.

        A gap in the numbers would reveal a hidden event.
        """
        return replace(event, number=event.number - bisect_left(self.session.unseen, event.number))

    def _note(self) -> None:
        """Write the new inputs to the record, and note the beginning of a round."""
        new = self.session.inputs[len(self._stubs) - 1 :]
        self._stubs += [self.session.stub] * len(new)
        if isinstance(self._writer, ExamWriter):
            ended = self.run.ended_at if self.run is not None else 0
            self._lines.append(self._writer.lines(self._date_at(ended)))
        else:
            self._lines += [self._writer.line(one) for one in new]
        for judgement in self.session.judgements[len(self._starts) - 1 :]:
            number = judgement.entries[-1].number
            now = (self.session.moved, self.session.chair)
            chair = next((one for one in now if one is not None and one.inputs == number), None)
            if chair is None:
                # Something happened after the round was closed.
                *_, chair = replay(self.session.table_at(number), self._starts[-1], judgement.entries)
            self._starts.append(chair)

    def _refusal(self, slip: ch.Slip) -> Refusal:
        clause = cited(self.session.table.book, slip.clause)
        reason = REASONS.get(slip.kind, REASONS[ch.NOT_DUE])
        if slip.kind == ch.WRONG_AMOUNT and slip.due is None:
            reason = "nothing is due on this wager now"
        if slip.waits:
            reason = due_words(slip)
        says = f"{reason}. The clause says: “{clause.says}”" if clause is not None else reason
        return Refusal(slip.kind.replace(" ", "-"), slip.clause, "act", says)

    def _rule(self, given: RulingInput) -> InputResult:
        """Judge a ruling; then the report takes effect, with the right ruling.

        In an exam the judgement is sealed: it is on the score sheet, and not in the result of the input.
        """
        form = self.form
        if form is None:
            raise ValueError("there is no report to rule on")
        session = self.session
        ruling: RulingVerdict | None = None
        if self.run is None:
            ruling = judge_answers(session.table, session.chair, form, given.answers, self._books)
        self.form = None
        act = report_act(form.report, given.answers if self.opening.rulings else None)
        void = session.state.round.void
        result = self._act(given, act, form.time)
        if ruling is not None and session.state.round.void != void:
            end = void_round_end(session.table, session.chair, session.undealt, form.time)
            ruling = replace(ruling, end=end)
        return replace(result, ruling=ruling)

    def moments(self, number: int) -> list[tuple[ch.Chair, int]]:
        """Return the chair before a closed round and after each of its inputs, with the cards left."""
        chair = self._starts[number - 1]
        stub = self._stubs[chair.inputs]
        entries = self.session.judgements[number - 1].entries
        chairs = replay(self.session.table_at(entries[-1].number), chair, entries)
        return [(chair, stub), *((one, self._stubs[one.inputs]) for one in chairs)]


def _digest(secret: str, what: str) -> str:
    return hashlib.sha256(f"{secret} {what}".encode()).hexdigest()
