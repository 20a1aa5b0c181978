"""The dealer's chair in plain mode: reads one act per line, and prints what happens and the judgement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from typing import BinaryIO, Final, TextIO

from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.narrate.player_words import decision_text
from houseway.play.chair_commands import CommandError, act_lines, check_acts, rack_by_name, read_acts
from houseway.play.chair_felt import face_up, felt, player_line, seen_felt
from houseway.play.open_game import notes
from houseway.play.ruling_prompt import RulingPrompt, verdict_lines
from houseway.play.wager_words import citation, clause_text, is_known_clause
from houseway.rules.loader import sound_rulebooks
from houseway.rules.rulebook import Rulebook
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.act_list import changes_nothing, done_text, verdict_text
from houseway.training.chair_view import speechless_words
from houseway.training.conduct import unjudged_conduct
from houseway.training.happenings import wrong_count
from houseway.training.house_rules import house_rule_lines, reading_rules
from houseway.training.impossible_acts import impossible
from houseway.training.judge import DISPUTED, Judgement
from houseway.training.ruling_review import judge_answers
from houseway.training.scene_words import display_words, trainer_words
from houseway.training.session import TrainingSession
from houseway.training.session_file import SessionWriter
from houseway.training.words import round_words, score_lines
from houseway.wording import capital, printable, several

HELP: Final = resources.files("houseway.play").joinpath("chair_help.txt").read_text("utf-8").rstrip()
LONGEST: Final = 400
"""The most characters of a typed line."""
NO_HOUSE_RULES: Final = "The document leaves no point open, so there are no house rules."
PROGRAM_ACTS: Final = " It does so only if play cannot continue without an act that you left out."
NO_STUB: Final = "You can count the stub only while it lies on the table."
WRONG_COUNT_REPORT: Final = a.ReportIrregularity(kind=ch.WRONG_COUNT)
Clock = Callable[[], int]
"""Returns the milliseconds since the session started."""


class ChairScreen:
    """A training session in the terminal."""

    NAMES_REASONS = True
    """Whether void hands are explained by an irregularity that the trainee has not reported."""

    def __init__(
        self, session: TrainingSession, out: TextIO, clock: Clock, file: BinaryIO | None = None
    ) -> None:
        self._session = session
        self._out = out
        self._clock = clock
        self._file = file
        self._writer = SessionWriter()
        self._written = 0
        self._reviewed = 0
        self._clause = ""
        self._skipped = 0
        self._explained = False
        """True if the trainee was told why the program acts in the trainee's place."""
        self._interrupted = False
        """True if, after the last act, the dealer saw a player do something, or saw that something went
        wrong."""
        self._ruling: RulingPrompt | None = None
        """The ruling that the trainee makes now; None while play continues."""

    def run(self, lines: TextIO, prompt: str = "") -> int:
        """Read lines until the last round is closed, the input ends or the trainee quits."""
        self._begin()
        self._print(*self._greeting(), *felt(self._session))
        while not self._over and not self._writer.full:
            self._out.write(prompt)
            self._out.flush()
            line = lines.readline(LONGEST + 2)
            if not line or line.strip().lower() in ("quit", "q", "exit"):
                break
            if len(line) > LONGEST:
                while line and not line.endswith("\n"):
                    line = lines.readline(LONGEST)
                self._print(f"The line is longer than {LONGEST} characters. Type one act on a line.")
                continue
            self._print(*self._answer(line.strip()))
        self._print(*self._farewell())
        return 0

    def _answer(self, line: str) -> Iterator[str]:
        """Run a typed line, and yield what to print."""
        word, _, rest = line.lower().partition(" ")
        if self._ruling is None:
            yield from self._pass_time(0)
        if word in ("help", "h", "?"):
            yield HELP
        elif word == "acts":
            yield from act_lines(self._session.table)
        elif word == "rules" and not rest:
            yield from house_rule_lines(self._session.table) or [NO_HOUSE_RULES]
        elif word == "wait" and not rest and self._ruling is None:
            yield from self._wait()
        elif word in ("table", "t") and not rest:
            yield from felt(self._session)
        elif word == "clause":
            yield from self._read_clause(line.partition(" ")[2].strip())
        elif self._ruling is not None:
            yield from self._rule(self._ruling, line)
        elif line.lower() in ("count", "count stub", "count the stub"):
            yield self._counted()
        else:
            try:
                acts = read_acts(self._session.table, line)
                check_acts(self._session.table, self._session.chair, acts)
            except CommandError as error:
                yield printable(str(error))
                return
            for number, given in enumerate(acts, 1):
                if self._over:
                    break
                act = rack_by_name(self._session.state, given)
                reason = impossible(self._session.table, self._session.chair, act)
                if reason:
                    yield reason
                elif isinstance(act, a.ReportIrregularity) or self._counts_wrong(act):
                    report = act if isinstance(act, a.ReportIrregularity) else WRONG_COUNT_REPORT
                    self._ruling = RulingPrompt(self._session.state, report, self._now())
                    yield from (self._ruling.begin(), self._ruling.ask())
                else:
                    yield from self._act(act, self._now())
                if number < len(acts) and (reason or self._interrupted):
                    left = len(acts) - number
                    rest = "last act" if left == 1 else f"other {left} acts"
                    yield f"The {rest} of this line {'was' if left == 1 else 'were'} not done."
                    break

    @property
    def _book(self) -> Rulebook:
        return self._session.table.book

    @property
    def _over(self) -> bool:
        """True if no more acts are taken."""
        return self._session.over

    def _begin(self) -> None:
        """Write the beginning of the file."""
        self._save(self._writer.header(self._session.plan))

    def _greeting(self) -> list[str]:
        """Return the first lines."""
        return _greeting(self._session)

    def _do(self, act: a.ChairAct, time: int) -> tuple[ch.ChairEntry, ...]:
        """Let the trainee act at a time."""
        return self._session.act(act, time)

    def _tick(self) -> tuple[ch.ChairEntry, ...]:
        """Apply everything that has become due."""
        return self._session.tick(self._now())

    def _write_inputs(self) -> None:
        """Write the latest inputs to the file."""
        for one in self._session.inputs[self._written :]:
            self._save(self._writer.line(one))
        self._written = len(self._session.inputs)

    def _read_clause(self, clause: str) -> Iterator[str]:
        """Yield a clause; if none is named, the last one that was shown."""
        wanted = clause or self._clause
        paragraphs = clause_text(self._book, wanted)
        if is_known_clause(self._book, wanted):
            self._clause = wanted
            paragraphs = (wanted, *paragraphs)
        yield printable("\n".join(paragraphs))

    def _counted(self) -> str:
        """Return the number of cards in the stub, if the felt shows it.

        Before the stub is out, its number would show that a card is missing, or that two stick together.
        """
        shown = (deck.left for deck in seen_felt(self._session).decks if deck.left is not None)
        left = next(shown, None)
        if left is None:
            return NO_STUB
        return f'You count {several(left, "card")} in the stub. Type "count {left}" to announce it.'

    def _counts_wrong(self, act: a.ChairAct) -> bool:
        """True if an act announces the number of cards in the stub, and that number is wrong.

        It is a report of a wrong count, and the dealer rules on it.
        """
        shown = wrong_count(self._session.chair, self._now()) if isinstance(act, a.CountStub) else None
        return shown is not None and isinstance(act, a.CountStub) and act.count == shown.count

    def _rule(self, ruling: RulingPrompt, line: str) -> Iterator[str]:
        """Read the answer to a question of the ruling. After the last one, the report takes effect.

        The report counts from the moment it was made, and the rulebook's ruling takes effect.
        """
        wrong = ruling.read(line)
        if wrong or ruling.question is not None:
            yield wrong or ruling.ask()
            return
        judgement = self._judged_ruling(ruling)
        self._ruling = None
        yield from self._act(ruling.act, ruling.form.time)
        yield from judgement

    def _judged_ruling(self, ruling: RulingPrompt) -> list[str]:
        """Return the judgement of a ruling, before the report takes effect."""
        session = self._session
        books = sound_rulebooks()[0]
        judged = judge_answers(session.table, session.chair, ruling.form, ruling.answers, books)
        return [*map(printable, verdict_lines(judged))]

    def _act(self, act: a.ChairAct, time: int) -> Iterator[str]:
        """Let the trainee act, and yield what the dealer sees."""
        session, before = self._session, face_up(seen_felt(self._session))
        table, lines = session.table, felt(session)
        entries = self._do(act, time)
        if not entries:
            return
        done, *others = entries
        yield f"You {done_text(table, act, done)}."
        if changes_nothing(table, act, done):
            yield from self._slip_without_effect()
        yield from self._trainer(done)
        yield from display_words(done, reasons=self.NAMES_REASONS)
        for change in done.changes:
            if isinstance(act, a.Refuse | a.Warn) and isinstance(change.event, e.WagersPlaced):
                yield f"{decision_text(change.event)}."
        if any(one.noticed for one in session.chair.open) and isinstance(act, a.ReportIrregularity):
            yield "Your report takes effect when the hands are dealt."
        yield from self._entries(others)
        yield from self._turned_up(before)
        void = any(isinstance(change.event, e.RoundVoided) for one in entries for change in one.changes)
        if void or any(isinstance(entry.input, a.ReportIrregularity) for entry in entries):
            # The rulebook's rule takes effect: hands may be void, and wagers returned.
            yield from (line for line in felt(session) if line not in lines)
        for number, words in speechless_words(session.state, session.speechless()).items():
            yield f'Seat {number}: "{words}"'
        while self._reviewed < len(session.judgements):
            judgement = session.judgements[self._reviewed]
            self._reviewed += 1
            yield from self._review(judgement)

    def _turned_up(self, before: Mapping[str, str]) -> Iterator[str]:
        """Yield the cards that are face up now and were not before, by place."""
        for place, faces in face_up(seen_felt(self._session)).items():
            if before.get(place) != faces:
                yield f"{capital(place)}: {faces}."

    def _slip_without_effect(self) -> Iterator[str]:
        """Yield that an act that changed nothing is a slip."""
        yield "It was not due, so it counts as a slip."

    def _trainer(self, done: ch.ChairEntry) -> Iterator[str]:
        """Yield what the program did in the trainee's place; the first time, with the reason."""
        for words in trainer_words(done):
            yield f"The program {words}.{'' if self._explained else PROGRAM_ACTS}"
            self._explained = True

    def _entries(self, entries: Sequence[ch.ChairEntry]) -> Iterator[str]:
        """Write the latest inputs to the file, and yield what people did and what went wrong.

        If something goes wrong that the dealer cannot see, the typed line is not interrupted.
        """
        self._write_inputs()
        self._interrupted = False
        for entry in entries:
            line = player_line(entry, self._session.state)
            self._interrupted |= bool(line) and isinstance(entry.input, ch.Happening | ch.Conduct)
            yield line
            # A report that waited for the deal may have made hands void.
            yield from display_words(entry, reasons=self.NAMES_REASONS)

    # --- time ---

    def _now(self) -> int:
        """Return the session's time: the clock's, and the time that the trainee skipped by waiting."""
        return self._clock() + self._skipped

    def _pass_time(self, more: int) -> Iterator[str]:
        """Let `more` milliseconds pass, and yield what happens by then."""
        self._skipped += more
        before = face_up(seen_felt(self._session))
        entries = self._tick()
        yield from self._entries(entries)
        if entries:
            yield from self._turned_up(before)

    def _wait(self) -> Iterator[str]:
        """Wait until the next thing happens by itself."""
        until = self._session.wakes_at
        if until is None:
            yield "You wait. Nothing happens: the table waits for you."
            return
        more = max(0, until - self._now())
        yield f"You wait for {more / 1000:.0f} seconds."
        yield from self._pass_time(more)

    def _review(self, judgement: Judgement) -> Iterator[str]:
        """Yield the slips of a closed round, each with its clause."""
        yield f"Round {self._reviewed} of {self._session.plan.rounds} is over: {round_words(judgement)}."
        for number, slip in enumerate(judgement.slips, 1):
            cured = " You repaired it." if slip.cured else ""
            words = verdict_text(self._session.table, slip)
            yield f"{number}. {words}{cured}{citation(slip.clause, self._book.borrowed())}"
            if slip.clause:
                self._clause = slip.clause
                yield f"   {clause_line(self._session.table, slip.clause)}"
            else:
                yield "   No clause is cited for this."
        for verdict in judgement.verdicts:
            if verdict.kind == DISPUTED:
                yield verdict_text(self._session.table, verdict)
        for conduct in unjudged_conduct(self._session.table, judgement.entries):
            yield f"Not judged, because the document does not say: {conduct.kind}, seat {conduct.seat}."

    def _farewell(self) -> Iterator[str]:
        session = self._session
        if self._writer.full:
            yield "The session has reached its largest size and ends here."
        left = session.plan.rounds - len(session.judgements)
        if left:
            yield f"{several(left, 'round was', 'rounds were')} not finished and not scored."
        yield from score_lines(session.score)

    def _save(self, line: bytes) -> None:
        if self._file is not None:
            self._file.write(line)
            self._file.flush()

    def _print(self, *texts: str) -> None:
        for text in filter(None, texts):
            self._out.write(f"{text}\n")
        self._out.flush()


def _greeting(session: TrainingSession) -> list[str]:
    table, plan = session.table, session.plan
    title = f"{table.book.title}, {table.mode} deal. You are the dealer. Play chips only."
    rounds = (
        f"{several(plan.rounds, 'round')}, {several(plan.seats, 'player')}, seed {printable(plan.seed)}."
    )
    backs = tuple(deck.back for deck in session.state.decks)
    if plan.scenario.cards:
        rounds += f" Scenario: {printable(plan.scenario.name)}."
    return [title, rounds, *notes(table, backs), 'Type an act, "acts" for all acts, or "help".']


def clause_line(table: Table, clause: str) -> str:
    """Return a clause with its sentence, and with a note if it is borrowed.

    If the house rules have a reading of the clause, the dealer is judged by that reading.
    """
    book = table.book
    paragraphs = clause_text(book, clause)
    if clause in book.borrowed():
        return f"{clause} (borrowed, because {book.id} does not cover this): {paragraphs[1]}"
    read = next((rule.rule for rule in reading_rules(table) if rule.clause == clause), "")
    return f"{clause}: {read or paragraphs[0]}"
