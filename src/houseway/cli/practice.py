"""`practice`: single decisions without whole rounds, line by line in the terminal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from houseway.cli.line_session import EndError, next_line, read_progress_file, write_progress_file
from houseway.cli.output import BadInputError, complain, write, write_json
from houseway.cli.practice_output import (
    answer_lines,
    choice_keys,
    position_data,
    position_lines,
    sheet_lines,
)
from houseway.rules.loader import load
from houseway.rules.problems import suggest
from houseway.school.daily_position import daily_position
from houseway.school.game_values import GameValues, game_values, is_counted
from houseway.school.player_decisions import BEFORE, FLOP, RIVER, Street
from houseway.school.position_kinds import KINDS
from houseway.school.position_links import LinkError, linked_position, read_link
from houseway.school.practice_positions import (
    Mode,
    NoPositionError,
    Practice,
    PracticePosition,
    explained_position,
    link_of,
    practice_position,
)
from houseway.school.practice_progress import (
    LARGEST_FILE,
    PracticeFileError,
    PracticeNote,
    PracticeProgress,
    after_notes,
    note_of,
    read_notes,
    write_notes,
)
from houseway.school.rating import EXAM_DECISIONS, exam_positions, score_sheet
from houseway.school.reason_words import edge_words
from houseway.school.repeated_misses import due_misses
from houseway.school.themes import THEMES
from houseway.wording import alternatives, several

BOOK = "uth-ma"
COUNT = 15
MOST_POSITIONS = 1000
KEYS = "Type the key of a choice. Type s to repeat the position, q to end."
STREETS: dict[str, Street] = {"before": BEFORE, "flop": FLOP, "river": RIVER}
HOUSE = "houseway"
"""The name from which the terminal's daily position is drawn, in place of a house's secret."""
Draw = Callable[[int, PracticeProgress, str], PracticePosition]
"""Returns the position with a number, counted from 0. The text is the link of the previous position."""


def practice(
    rulebook: str = BOOK,
    /,
    *,
    count: Annotated[int, Parameter(name=["--count", "-n"])] = COUNT,
    street: Literal["before", "flop", "river"] | None = None,
    kind: str = "",
    theme: str = "",
    leaks: Annotated[bool, Parameter(negative="")] = False,
    timed: Annotated[bool, Parameter(negative="")] = False,
    exam: Annotated[bool, Parameter(negative="")] = False,
    daily: Annotated[bool, Parameter(negative="")] = False,
    position: str = "",
    seed: str = "",
    progress: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Practise decisions: answer a position, then see the exact value of each choice and the reason.

    Positions are chosen by how often they occur and how much they cost; without other options,
    they come from all streets. Try houseway practice uth-ma --theme kicker-fight --count 5.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-sd, or a TOML file.
    count
        The number of positions, up to 1000.
    street
        Practise one street: before (the flop), flop or river.
    kind
        Practise one kind of position, such as flop-hidden-pair.
    theme
        Practise one theme, such as kicker-fight.
    leaks
        Practise the kinds of position in which you made mistakes, mixed with others. It needs --progress.
    timed
        Show how long each answer took.
    exam
        Take an exam: 50 dealt decisions, no grades until the end, then a score sheet.
    daily
        Answer today's position. It is the same in every terminal; a server has its own.
    position
        Show the position that a link names, such as uth-ma~2af22e6344a0~9d7c~6h4hQsAd4c.
    seed
        Any text. With the same seed, you get the same positions, except for missed ones that return.
    progress
        A file that keeps your answers, for the rating and for missed positions, which come back later. The
        file is created if it does not exist.
    json
        Print the positions with their values as one JSON document, without asking.
    """
    if not 1 <= count <= MOST_POSITIONS:
        raise BadInputError(f"--count must be from 1 to {MOST_POSITIONS} (got {count})")
    ways = {
        "--street": street, "--kind": kind, "--theme": theme, "--leaks": leaks, "--timed": timed,
        "--exam": exam, "--daily": daily, "--position": position,
    }  # fmt: skip
    named = [option for option, given in ways.items() if given]
    if len(named) > 1:
        raise BadInputError(f"{' and '.join(named)} cannot be used together; choose one")
    if leaks and progress is None:
        raise BadInputError("--leaks needs --progress FILE with your earlier answers")
    _check_topic(kind, theme)
    notes = _read(progress)
    game = _game(position, rulebook)
    kept = after_notes(PracticeProgress(), notes)
    secret = seed or secrets.token_hex(8)
    if position:
        count, draw = 1, _single(lambda: _linked(game, position))
    elif daily:
        count, draw = 1, _single(lambda: daily_position(game, _now()[:10], HOUSE))
    elif exam:
        count, draw = EXAM_DECISIONS, _exam(game, secret)
    else:
        mode: Mode = "street" if street else "endless" if kind or theme else "leaks" if leaks else "mixed"
        plan = Practice(
            seed=secret,
            mode="timed" if timed else mode,
            street=STREETS[street] if street else None,
            kind=kind,
            theme=theme,
            weak=kept.weak_kinds() if leaks else {},
        )
        draw = _chosen(game, plan)
    title = "Exam" if exam else "Daily position" if daily else "Position" if position else "Practice"
    form = SessionForm(title, count, exam=exam, timed=timed, single=bool(daily or position))
    session = PracticeTerminal(game, draw, form, kept, notes, progress)
    try:
        if json:
            write_json(session.listed())
        else:
            session.run()
    except NoPositionError as error:
        raise BadInputError(str(error)) from error
    return 0


def _check_topic(kind: str, theme: str) -> None:
    """Refuse an unknown kind or theme."""
    for option, name, known in (("--kind", kind, KINDS), ("--theme", theme, THEMES)):
        if name and name not in known:
            raise BadInputError(f"{option}: there is no {option[2:]} {name!r}; {suggest(name, known)}")


def _game(link: str, rulebook: str) -> GameValues:
    """Return the game of a link or, without one, of a rulebook."""
    try:
        book = load(read_link(link).rulebook if link else rulebook)
    except LinkError as error:
        raise BadInputError(f"--position: {error}") from error
    game = game_values(book)
    if game.shootout and not is_counted(game.terms):
        how = "run houseway solve shootout-sd once to make it fast"
        complain([f"the hands of Texas Shootout are not counted yet, so each takes seconds; {how}"])
    return game


def _linked(game: GameValues, link: str) -> PracticePosition:
    try:
        return explained_position(game, linked_position(game, read_link(link)), "dealt")
    except LinkError as error:
        raise BadInputError(f"--position: {error}") from error


def _single(make: Callable[[], PracticePosition]) -> Draw:
    """Return a draw of one position that others may have discussed, so it does not affect the rating."""
    return lambda number, progress, last: replace(make(), origin="repeated")


def _exam(game: GameValues, seed: str) -> Draw:
    positions = exam_positions(game, seed)
    return lambda number, progress, last: positions[number]


def _chosen(game: GameValues, plan: Practice) -> Draw:
    def draw(number: int, progress: PracticeProgress, last: str) -> PracticePosition:
        due = [link for link in due_misses(progress.misses, _now()) if link != last]
        return practice_position(game, plan, number, due)

    return draw


def _read(file: Path | None) -> tuple[PracticeNote, ...]:
    """Return the notes in a progress file; none if the file does not exist."""
    data = read_progress_file(file, LARGEST_FILE)
    try:
        return () if data is None else read_notes(data)
    except PracticeFileError as error:
        raise BadInputError(f"--progress {file}: {error}") from error


@dataclass(frozen=True, slots=True)
class SessionForm:
    """The parts of a session besides its positions."""

    title: str
    count: int
    exam: bool
    """True if the grades are shown only at the end."""
    timed: bool
    single: bool
    """True for one position, which has no score sheet."""


class PracticeTerminal:
    """A practice session on standard input and output, one line at a time."""

    def __init__(
        self,
        game: GameValues,
        draw: Draw,
        form: SessionForm,
        progress: PracticeProgress,
        notes: tuple[PracticeNote, ...],
        file: Path | None,
    ) -> None:
        self.game, self.form, self.progress = game, form, progress
        self._draw, self._notes, self._file = draw, list(notes), file
        self._answered: list[PracticePosition] = []
        self._choices: list[str] = []

    def listed(self) -> list[dict[str, object]]:
        """Return the positions with their values, without asking."""
        last, rows = "", []
        for n in range(self.form.count):
            shown = self._draw(n, self.progress, last)
            last = link_of(self.game, shown)
            rows.append(position_data(self.game, shown, n + 1))
        return rows

    def run(self) -> None:
        """Ask every position, then print the score sheet."""
        write(f"{self.form.title}, {self.game.terms.rulebook.id}. {KEYS}")
        last = ""
        try:
            for n in range(self.form.count):
                shown = self._draw(n, self.progress, last)
                last = link_of(self.game, shown)
                self._ask(shown, n + 1)
        except (EndError, KeyboardInterrupt):
            write("")
        if self.form.single:
            write(edge_words(self.game.value, self.game.unit))
            return
        sheet = score_sheet(self._answered, self._choices)
        for line in sheet_lines(self.game, sheet, self.progress.ratings()):
            write(line)

    def _ask(self, shown: PracticePosition, place: int) -> None:
        head = f"Position {place} of {self.form.count}. " if not self.form.single else ""
        lines = list(position_lines(self.game, shown, head))

        def show() -> None:
            for line in lines:
                write(line)

        show()
        keys, started = choice_keys(shown), time.monotonic()
        while (typed := next_line({"s": show}).lower()) not in keys:
            write(f"{typed!r} is not a choice; type {alternatives(list(keys))}")
        taken = time.monotonic() - started
        valued = shown.position.answer(keys[typed])
        self._answered.append(shown)
        self._choices.append(keys[typed])
        self._keep(note_of(shown, valued, link_of(self.game, shown), _now()))
        if not self.form.exam:
            for line in answer_lines(self.game, shown, valued):
                write(line)
            if self.form.timed:
                write(f"You took {several(round(taken), 'second')}.")

    def _keep(self, note: PracticeNote) -> None:
        self._notes.append(note)
        self.progress = after_notes(self.progress, (note,))
        write_progress_file(self._file, write_notes(self._notes) if self._file is not None else b"")


def _now() -> str:
    return datetime.now(UTC).isoformat()
