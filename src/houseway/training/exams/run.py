"""A running exam: a training session with clocks, a sealed seed and a record of everything that happens.

The caller passes in all times, in milliseconds since the exam started; no clock is read here. During the
exam, `public` is all that may be sent to the trainee besides the table itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from houseway.report import exam_result as r
from houseway.rules.loader import load
from houseway.rules.procedure import CONSEQUENCES
from houseway.rules.rulebook import Rulebook
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.exams.categories import categories
from houseway.training.exams.exam import EVERY, SECOND, Exam
from houseway.training.exams.measures import BACK, LEFT, LOST, automatic_failures, measure, round_times
from houseway.training.exams.slips import slip_lines
from houseway.training.judge import RIGHT, JudgeLimits
from houseway.training.ruling_verdicts import ruling_verdicts
from houseway.training.scenarios.rows import impossible_rows
from houseway.training.scenarios.rulebook_comparison import situation_words
from houseway.training.session import NextTable, SessionError, SessionInput, SessionPlan, TrainingSession
from houseway.wording import several

LAST_MINUTE: Final = 60 * SECOND
SALT_BYTES: Final = 16


class ExamSetup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that decides an exam, except the trainee's acts and the seed."""

    exam: Exam
    rulebook: str
    rulebook_hash: str
    terms: dict[str, Any]
    """The table's mode, pay tables, limits and house settings."""
    backs: tuple[str, ...] = ("red",)
    trainee: str
    examiner: str = ""
    """The name of the examiner; empty if the exam is self-administered."""
    started: str
    """The date and time of the start, such as 2026-11-16T14:02:00Z."""
    earlier: tuple[r.EarlierAttempt, ...] | None = None
    """The earlier attempts of the same person at this exam; None if they were not counted."""
    seed_known: bool = False
    """True if the trainee chose the seed, to rehearse."""
    erased: r.ErasedAttempts | None = None
    """The attempts that the trainee erased; None if the trainee never erased anything."""
    rulings: bool = False
    """True if each report needs a ruling, and the rulings are judged."""
    next_table: NextTable | None = None
    """The table for the second part of the exam; None if the exam has one part."""
    rulebook_text: str = ""
    """The canonical text of the rulebook; empty in older records."""


class PublicView(msgspec.Struct, frozen=True, kw_only=True):
    """The part of an exam that the trainee may see while it runs. It has no seed and no answer."""

    exam: str
    title: str
    exam_hash: str
    rulebook: str
    rulebook_hash: str
    commitment: str
    rounds: int
    closed: int
    state: str
    left: int | None
    """The milliseconds that are left; None if the exam has no time limit."""
    examiner: str


def commit(seed: str, salt: str) -> str:
    """Return the commitment to a seed: SHA-256 of the seed followed by the salt, in hexadecimal.

    >>> commit("", "")[:16]
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(seed.encode() + salt.encode()).hexdigest()


class ExamRun:
    """An exam that one person takes."""

    def __init__(self, setup: ExamSetup, seed: str, salt: str, book: Rulebook | None = None) -> None:
        self.setup = setup
        book = book if book is not None else load(setup.rulebook)
        plan = SessionPlan(
            rulebook=setup.rulebook,
            hash=setup.rulebook_hash,
            terms=setup.terms,
            seats=min(setup.exam.players, book.seats),
            rounds=setup.exam.rounds,
            seed=seed,
            backs=setup.backs,
            scenario=setup.exam.scenario,
            next_table=setup.next_table,
        )
        limits = JudgeLimits(notice=setup.exam.time.notice, rulings=setup.rulings)
        self.session = TrainingSession(plan, book, limits)
        self.commitment = commit(seed, salt)
        self.state = r.RUNNING
        self.incidents: list[r.Incident] = []
        self._salt = salt
        self._time = 0
        """The latest time passed in."""
        self._lost: int | None = None
        """The time at which the connection was lost; None while the trainee is connected."""
        self._announced = False
        self.ended_at = 0
        """The time at which the exam ended."""

    # --- what the caller asks ---

    @property
    def exam(self) -> Exam:
        """The exam."""
        return self.setup.exam

    @property
    def over(self) -> bool:
        """True if the exam has ended."""
        return self.state != r.RUNNING

    @property
    def deadline(self) -> int | None:
        """The time at which the exam ends; None if it has no time limit."""
        return self.exam.time.exam or None

    @property
    def wakes_at(self) -> int | None:
        """The next time at which `tick` has something to do; None if there is none."""
        if self.over:
            return None
        times = [self.deadline, self.session.wakes_at]
        if self.deadline is not None and not self._announced:
            times.append(self.deadline - LAST_MINUTE)
        if self._lost is not None and self.exam.time.away:
            times.append(self._lost + self.exam.time.away)
        known = [time for time in times if time is not None]
        return min(known) if known else None

    def public(self, time: int) -> PublicView:
        """Return what the trainee may know now."""
        left = None if self.deadline is None else max(0, self.deadline - max(time, self._time))
        exam, setup = self.exam, self.setup
        return PublicView(
            exam=exam.id,
            title=exam.title,
            exam_hash=exam.hash,
            rulebook=setup.rulebook,
            rulebook_hash=setup.rulebook_hash,
            commitment=self.commitment,
            rounds=exam.rounds,
            closed=len(self.session.judgements),
            state=self.state,
            left=left,
            examiner=setup.examiner or r.SELF_ADMINISTERED,
        )

    def opened(self) -> tuple[str, str]:
        """Return the seed and the salt; raise SessionError while the exam is running."""
        if not self.over:
            raise SessionError("the seed stays secret until the exam is over; finish or abort it first")
        return self.session.plan.seed, self._salt

    # --- what happens ---

    def act(self, act: a.ChairAct, time: int) -> tuple[ch.ChairEntry, ...]:
        """Let the trainee act, then the players. Return the entries of all inputs.

        Call `tick` first, so that whatever was due before this act has happened. An act after the end
        changes nothing and returns no entries. A report takes effect after its ruling, with the time at
        which it was made, even if the connection was lost in between.
        """
        self._pass_time(time)
        if self.over:
            return ()
        if self._lost is not None:
            self.reconnect(time)
        entries = self.session.act(act, self._input_time(time))
        if self.session.over:
            self._end(r.FINISHED, self._time)
        return entries

    def tick(self, time: int) -> tuple[ch.ChairEntry, ...]:
        """Let time pass: end the exam if its time is over, and let happen what has become due."""
        self._pass_time(time)
        if self.over:
            return ()
        return self.session.tick(self._input_time(time))

    def _input_time(self, time: int) -> int:
        """Return the time of the next input: the given one, but never before the last input."""
        inputs = self.session.inputs
        return max(time, inputs[-1].time) if inputs else time

    def notice(self) -> str:
        """Return the notice that one minute is left, once; otherwise an empty text."""
        deadline = self.deadline
        if self.over or self._announced or deadline is None or self._time < deadline - LAST_MINUTE:
            return ""
        self._announced = True
        return "One minute is left."

    def _pass_time(self, time: int) -> None:
        """End the exam if its time is over, or if the trainee was away for too long."""
        if self.over:
            return
        self._time = max(self._time, time)
        gone = None if self._lost is None else self._lost + self.exam.time.away
        if self.exam.time.away and gone is not None and self._time > gone:
            self._incident(gone, LEFT, "the connection was lost for too long")
            self._end(r.ABORTED, gone)
        elif self.deadline is not None and self._time > self.deadline:
            self._end(r.OUT_OF_TIME, self.deadline)

    def disconnect(self, time: int) -> None:
        """Record that the connection was lost. The clocks continue."""
        self._pass_time(time)
        if not self.over and self._lost is None:
            self._lost = self._time
            self._incident(self._time, LOST)

    def reconnect(self, time: int) -> None:
        """Record that the trainee is back."""
        self._pass_time(time)
        if not self.over and self._lost is not None:
            self._lost = None
            self._incident(self._time, BACK)

    def abort(self, time: int, why: str = "the trainee left") -> None:
        """End the exam before its last round."""
        self._pass_time(time)
        if not self.over:
            self._incident(self._time, LEFT, why)
            self._end(r.ABORTED, self._time)

    def replay(self, items: Iterable[SessionInput | r.Incident]) -> None:
        """Repeat the recorded inputs and incidents of an exam. Raise ValueError if one is impossible."""
        for one in items:
            if self.over:
                raise ValueError("an entry follows the end of the exam")
            if isinstance(one, r.Incident):
                self._replay_incident(one)
                continue
            self._pass_time(one.time)
            if self.over:
                raise ValueError("an input comes after the time limit")
            self.session.replay((one,))
            if self.session.over:
                self._end(r.FINISHED, self._time)

    def _replay_incident(self, one: r.Incident) -> None:
        match one.kind:
            case kind if kind == LOST:
                self.disconnect(one.time)
            case kind if kind == BACK:
                self.reconnect(one.time)
            case kind if kind == LEFT:
                self.abort(one.time, one.why)
            case _:
                raise ValueError(f"there is no incident {one.kind!r}")

    def _incident(self, time: int, kind: str, why: str = "") -> None:
        self.incidents.append(r.Incident(time, kind, why))

    def _end(self, state: str, time: int) -> None:
        self.state, self.ended_at = state, time

    # --- the result ---

    def _ruled(self) -> tuple[int, int] | None:
        """Return how many rows of rulings were right, and how many were judged; None if none was asked."""
        if not self.setup.rulings:
            return None
        rows = ruling_verdicts(self.session.judgements)
        return sum(one.kind == RIGHT for one in rows), len(rows)

    def result(self, ended: str = "", record: str = "") -> r.ExamResult:
        """Return the result; raise SessionError while the exam is running.

        `ended` is the date and time of the end, and `record` the head of the record.
        """
        seed, salt = self.opened()
        session, exam, setup = self.session, self.exam, self.setup
        book, judgements = session.table.book, session.judgements
        rounds = round_times(exam, judgements)
        measures = measure(exam, session.score, rounds, session.plan.seats, self._ruled())
        failures = tuple(automatic_failures(exam, judgements, self.incidents, len(judgements)))
        every = exam.irregularities == EVERY
        complete = self.state == r.FINISHED
        passed = complete and not failures and all(one.passed for one in measures)
        rows, happened = range(len(book.procedure.irregularities)), set(session.rows)
        never = impossible_rows(session.tables) if every else {}
        terms = (setup.terms, *((setup.next_table.terms,) if setup.next_table is not None else ()))
        return r.ExamResult(
            exam=exam.id,
            title=exam.title,
            exam_hash=exam.hash,
            rulebook=book.id,
            rulebook_title=book.title,
            rulebook_hash=book.hash,
            game=book.game,
            mode=" and ".join(table.mode for table in session.tables),
            players=session.plan.seats,
            rounds=exam.rounds,
            finished=len(judgements),
            trainee=setup.trainee,
            examiner=setup.examiner or r.SELF_ADMINISTERED,
            started=setup.started,
            ended=ended,
            outcome=self.state,
            passed=passed,
            certificate=passed and exam.certificate and bool(setup.examiner) and not setup.seed_known,
            measures=measures,
            failures=failures,
            slips=tuple(slip_lines(session.table_at, judgements)),
            categories=categories(book, judgements),
            round_times=rounds,
            irregularities=tuple(row_name(book, n) for n in rows if n in happened),
            absent=tuple(row_name(book, n, ruled=complete) for n in rows if every and n not in happened),
            impossible=tuple(f"{row_name(book, n, ruled=complete)}: {why}" for n, why in never.items()),
            incidents=tuple(self.incidents),
            earlier=setup.earlier,
            erased=setup.erased,
            seed_known=setup.seed_known,
            commitment=self.commitment,
            seed=seed,
            salt=salt,
            record=record,
            terms=tuple(words for one in terms for words in terms_words(one)),
            terms_hash=terms_hash(*terms),
        )


def terms_hash(terms: Mapping[str, Any], *others: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a table's terms, as JSON with sorted keys; of several tables, of their list.

    >>> terms_hash({"mode": "manual"})[:16]
    'c781f0ac2832671e'
    """
    hashed = [terms, *others] if others else terms
    return hashlib.sha256(json.dumps(hashed, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def terms_words(terms: Mapping[str, Any]) -> tuple[str, ...]:
    """Return a table's terms in words.

    >>> terms_words({"mode": "manual", "limits": {"ante": {"min": "5", "max": "100"}}})
    ('manual deal', 'ante $5 to $100')
    """
    return (
        f"{terms.get('mode', '')} deal",
        *(f"{wager} pay table {name}" for wager, name in terms.get("tables", {}).items()),
        *(f"{wager} {_limit(limit)}" for wager, limit in terms.get("limits", {}).items()),
        *(f"{name} {json.dumps(value)}" for name, value in terms.get("house", {}).items()),
    )


def _limit(limit: Mapping[str, Any]) -> str:
    low, high = limit.get("min"), limit.get("max")
    words = [f"${low}" if low is not None else "any amount", *([f"${high}"] if high is not None else [])]
    return " to ".join(words)


def row_name(book: Rulebook, number: int, *, ruled: bool = True) -> str:
    """Return a row of the rulebook's irregularities: its number, kind, situation, consequence and clause.

    If not `ruled`, the consequence and the clause are left out: they would be the answers of an exam that
    the trainee has not completed.
    """
    row = book.procedure.irregularities[number]
    clause = next(iter(row.basis.deciding), "no clause")
    kind = "wrong number of cards" if row.kind == "wrong number" else row.kind
    name = ", ".join(filter(None, (f"{number + 1}. {kind}", situation_words(row.when))))
    return f"{name}: {CONSEQUENCES[row.then]} ({clause})" if ruled else name


def time_left(milliseconds: int) -> str:
    """Return a time in words.

    >>> time_left(5_400_000), time_left(61_000)
    ('1 hour, 30 minutes', '1 minute, 1 second')
    """
    seconds = milliseconds // SECOND
    parts = ((seconds // 3600, "hour"), (seconds // 60 % 60, "minute"), (seconds % 60, "second"))
    return ", ".join(several(count, unit) for count, unit in parts if count) or "0 seconds"
