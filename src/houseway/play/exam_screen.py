"""An exam in the terminal: the dealer's chair, with the slips, the clauses and the seed hidden until the
end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, TextIO

from houseway.play.chair_felt import felt
from houseway.play.chair_screen import ChairScreen, Clock
from houseway.play.open_game import notes
from houseway.play.ruling_prompt import RulingPrompt
from houseway.report.exam_result import OUT_OF_TIME, SELF_ADMINISTERED, ExamResult
from houseway.report.score_sheet import certificate_note, score_text
from houseway.training import acts as a
from houseway.training.chair import ChairEntry
from houseway.training.exams.record import ExamWriter
from houseway.training.exams.run import ExamRun, time_left
from houseway.training.house_rules import house_rules, rule_lines
from houseway.training.judge import Judgement
from houseway.training.scene_words import move_words
from houseway.wording import printable, several

CLOSED: Final = "The rulebook is closed during an exam."
SEALED: Final = (
    "The cards are fixed now: they follow from a secret seed. To check this after the exam, write down the"
    " fingerprint of the seed"
)
RULED: Final = "Your ruling is recorded."
WallClock = Callable[[], str]
"""Returns the date and time, such as 2026-11-16T14:02:00Z."""


class ExamScreen(ChairScreen):
    """An exam that a person takes in the terminal."""

    NAMES_REASONS = False

    def __init__(
        self, run: ExamRun, out: TextIO, clock: Clock, wall: WallClock, file: BinaryIO | None = None
    ) -> None:
        super().__init__(run.session, out, clock, file)
        self._run = run
        self._wall = wall
        self._record = ExamWriter(run)
        self._ended = ""

    def result(self) -> ExamResult:
        """Return the result of the exam, once it is over."""
        return self._run.result(self._ended, self._record.head)

    def abort(self) -> None:
        """End the exam because the trainee left."""
        self._run.abort(self._now())
        self._write_inputs()

    @property
    def _over(self) -> bool:
        return self._run.over

    def _begin(self) -> None:
        self._save(self._record.lines())

    def _greeting(self) -> list[str]:
        run, table = self._run, self._session.table
        exam, plan = run.exam, self._session.plan
        dealt = ", then ".join(f"{one.mode} deal" for one in self._session.tables)
        title = f"{exam.title}: {table.book.title}, {dealt}. You are the dealer. Play chips only."
        given = run.setup.examiner
        who = f"Examiner: {printable(given)}." if given else f"{SELF_ADMINISTERED.capitalize()}."
        limit = f", {time_left(run.deadline)}" if run.deadline is not None else ""
        rounds = f"{several(plan.rounds, 'round')}, {several(plan.seats, 'player')}{limit}. {who}"
        sealed = f"{SEALED} (SHA-256 of seed and salt): {run.commitment}."
        backs = tuple(deck.back for deck in self._session.state.decks)
        rest = 'You see your slips at the end. Type an act, "acts" for all acts, or "help".'
        return [title, rounds, sealed, *notes(table, backs), *self._house_rules(), rest]

    def _house_rules(self) -> list[str]:
        """Return the house rules of the table, and those that differ at the next one."""
        first, *others = map(house_rules, self._session.tables)
        lines = rule_lines(first)
        for table, rules in zip(self._session.tables[1:], others, strict=True):
            fresh = rule_lines(rule for rule in rules if rule not in first)
            coming = self._session.plan.next_table
            after = f", after round {coming.after}" if coming is not None else ""
            differ = f"At the second table ({table.mode} deal{after}), these house rules differ."
            lines += [differ, *fresh] if fresh else []
        return lines

    def _answer(self, line: str) -> Iterator[str]:
        deadline = self._run.deadline
        if self._ruling is not None and deadline is not None and self._now() > deadline:
            # Play is stopped for a ruling, but the time of the exam continues.
            self._ruling = None
            yield from self._pass_time(0)
            return
        yield from super()._answer(line)

    def _do(self, act: a.ChairAct, time: int) -> tuple[ChairEntry, ...]:
        return self._run.act(act, time)

    def _tick(self) -> tuple[ChairEntry, ...]:
        return self._run.tick(self._now())

    def _pass_time(self, more: int) -> Iterator[str]:
        yield from super()._pass_time(more)
        yield self._run.notice()

    def _write_inputs(self) -> None:
        if self._run.over and not self._ended:
            self._ended = self._wall()
        self._save(self._record.lines(self._ended))

    def _read_clause(self, clause: str) -> Iterator[str]:
        yield CLOSED

    def _slip_without_effect(self) -> Iterator[str]:
        """Yield nothing: slips are shown at the end."""
        yield from ()

    def _trainer(self, done: ChairEntry) -> Iterator[str]:
        # These lines would reveal that the trainee left something out.
        yield from ()

    def _judged_ruling(self, ruling: RulingPrompt) -> list[str]:
        # The judgement would be an answer.
        return [RULED]

    def _review(self, judgement: Judgement) -> Iterator[str]:
        session = self._session
        coming, moved = session.plan.next_table, session.moved
        yield f"Round {self._reviewed} of {session.plan.rounds} is over."
        if moved is not None and coming is not None and self._reviewed == coming.after:
            yield move_words(session.table.mode)
            yield from notes(session.table, tuple(deck.back for deck in session.state.decks))
            yield from felt(session)

    def _farewell(self) -> Iterator[str]:
        if not self._run.over:
            self.abort()
        self._write_inputs()
        if self._run.state == OUT_OF_TIME:
            yield "Time is up."
        result = self.result()
        yield from score_text(result)
        if not result.certificate:
            yield certificate_note(result)
