"""A trainee who takes an exam as the document says, and never looks at the acts that the chair expects.

The automatic dealer's events say what to do, as for `DocumentTrainee`. What goes wrong is reported when it
is seen, and the stub is counted card by card. Only two things come from the chair: the answer to a player who
does or says something, and the ruling on a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import fold
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.turn_order import turns
from houseway.live.exam_tables import exam_tables
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chair import WRONG_COUNT
from houseway.training.due_acts import any_cards
from houseway.training.exams.exam import Exam
from houseway.training.exams.run import ExamRun, ExamSetup
from houseway.training.ruling_form import reported_irregularity, right_ruling
from training.document_trainee import FIXED_ORDER, NAMED, DocumentTrainee, Planned, _folds

SALT = "00112233445566778899aabbccddeeff"
SECOND = 1000
DEALING = (e.CardsDealt, e.CardsBurned, e.CutCardReached, e.StepTaken)
"""The events of a deal, after which the chair may have begun the next step."""
LIMIT = 20_000
"""The number of steps after which an exam counts as stuck."""


def exam_setup(exam: Exam, rulebook: str, mode: str = "", **more: Any) -> ExamSetup:
    """The setup of an exam at a table with default terms."""
    book = load(rulebook)
    tables = exam_tables(exam, book, mode or book.modes[0])
    facts = {"trainee": "Noor Haddad", "started": "2026-11-16T14:02:00Z", **more}
    return ExamSetup(
        exam=exam,
        rulebook=book.id,
        rulebook_hash=book.hash,
        terms=tables.terms,
        backs=tables.backs,
        next_table=tables.next_table,
        **facts,
    )


class ExamTrainee(DocumentTrainee):
    """A person who takes an exam by the document."""

    def __init__(self, run: ExamRun, seed: str = "trainee") -> None:
        self.run = run
        self.table = run.session.table
        self.book = self.table.book
        self.rng = Random(seed)
        self.planned: list[Planned] = []
        self.time = 0
        self.to_report: list[a.ReportIrregularity] = []
        self.mirror: State = replace(run.session.state, dealer="machine")

    def take(self) -> ExamRun:
        """Take the exam to its end."""
        for _ in range(LIMIT):
            if self.run.over:
                return self.run
            self.step()
        raise AssertionError(f"the exam is stuck at {self.run.session.state.done!r}")

    def step(self, choose: Any = None) -> None:
        """Do one act, or wait for the players."""
        self.time += SECOND
        self.see(self.run.tick(self.time))
        act = self.next()
        if act is None:
            wakes = self.run.session.wakes_at
            assert wakes is not None, "the table waits for nobody"
            self.time = max(self.time, wakes)
        else:
            if isinstance(act, a.ReportIrregularity) and self.run.setup.rulings:
                act = replace(act, ruling=self._ruling(act))
            self.see(self.run.act(act, self.time))

    def _ruling(self, act: a.ReportIrregularity) -> dict[str, str]:
        chair = self.run.session.chair
        named = reported_irregularity(chair, act.kind, act.at, self.time)
        right = right_ruling(self.table, chair.state, named) if named is not None else None
        return {name: one.answer for name, one in right.answers.items()} if right is not None else {}

    def see(self, entries: Iterable[ch.ChairEntry]) -> None:
        """Notice what went wrong, and plan again if the deal was disturbed."""
        if self.table is not self.run.session.table:
            # The trainee has moved to another table.
            self.table = self.run.session.table
            self.planned, self.to_report = [], []
            assert self.run.session.moved is not None
            self.mirror = replace(self.run.session.moved.state, dealer="machine")
        for entry in entries:
            if self.run.session.table_at(entry.number) is not self.table:
                continue
            self._mirror_entry(entry)
            if isinstance(entry.input, ch.Happening) and entry.input.kind != WRONG_COUNT:
                self.to_report.append(self._report(entry.input))
            disturbed = isinstance(entry.input, ch.Happening | a.ReportIrregularity)
            if disturbed and all(isinstance(act, a.DealCards | a.Burn) for act, _ in self.planned):
                self.planned = []

    def _mirror_entry(self, entry: ch.ChairEntry) -> None:
        """Copy to the automatic dealer's table what it does not do itself: cards, players, reports."""
        changes = list(entry.changes)
        if isinstance(entry.input, a.DealCards | a.Burn):
            last = [n for n, change in enumerate(changes) if isinstance(change.event, DEALING)]
            changes = changes[: max(last, default=-1) + 1]
        elif isinstance(entry.input, a.ReportIrregularity):
            changes = [change for change in changes if change.origin == ch.CURE]
        elif isinstance(entry.input, a.ChairAct):
            # A player whose bet is refused bets again.
            changes = [change for change in changes if change.origin == ch.PLAYER]
        else:
            changes = [change for change in changes if change.origin in (ch.PLAYER, ch.TRAINER)]
        self.mirror = fold((change.event for change in changes), self.mirror)
        if any(isinstance(change.event, e.RoundVoided | e.HandVoided) for change in entry.changes):
            self.planned = []
            self.mirror = replace(self.run.session.state, dealer="machine")

    def _report(self, one: ch.Happening) -> a.ReportIrregularity:
        rows = (row for row in self.book.procedure.irregularities if row.kind == one.kind)
        device = "spare" if any("backup" in row.rules for row in rows) else ""
        return a.ReportIrregularity(
            kind=one.kind, at=one.at, which=one.which, count=one.count, device=device
        )

    def next(self) -> a.ChairAct | None:
        """The next act; None while the players decide."""
        chair, state = self.run.session.chair, self.mirror
        noticed = any(one.noticed for one in chair.open)
        if self.to_report and not (noticed and (self.planned or self._dealing(state))):
            return self.to_report.pop(0)
        for conduct in chair.conduct:
            if conduct.right is not None:
                return conduct.right
        if not self.planned and state.round.asked is not None:
            self._mirror(c.Approve(by="floor supervisor", name="Flo" if self.table.names_persons else ""))
            return a.CallFloor()
        if not self.planned:
            waiting = turns(self.table, state)
            unasked = [number for number in waiting if number not in chair.asked]
            if waiting:
                return a.Ask(seat=self.rng.choice(unasked)) if unasked else None
            self._plan()
        return self.planned.pop(0)[0]

    def _dealing(self, state: State) -> bool:
        act = next_act(self.table, state)
        return act is not None and act.act == "deal"

    def _plan(self) -> None:
        """Let the automatic dealer act until there is something for a person to do, and plan the same."""
        while not self.planned:
            state = self.mirror
            act = next_act(self.table, state)
            assert act is not None, state.done
            step = self.table.steps[act.step]
            events = decide(self.table, state, act.command(any_cards(self.table, state, act.cards)))
            if isinstance(events, Refusal):
                # The floor brings another deck.
                assert events.code == "deck-off", events
                off = next(deck.name for deck in state.decks if deck.stands == "off")
                self._mirror(c.ReplaceDeck(by="floor supervisor", deck=off))
                self.planned = [(a.CallFloor(), ())]
                return
            name = step.name if act.act in NAMED else act.act
            planned = list(self._acts(act.act, name, state, events))
            if act.act == "take folds":
                planned = list(_folds(planned))
            if act.act == "settle" and self.book.id not in FIXED_ORDER:
                planned = self._in_any_order(planned)
            self.planned = planned
            if act.act not in ("deal", "burn"):
                self.mirror = fold(events, state)

    def _of(self, state: State, event: e.Event) -> Iterator[Planned]:
        if isinstance(event, e.StubCounted):
            yield a.CountStub(count=self.run.session.stub), ()
            return
        yield from super()._of(state, event)
