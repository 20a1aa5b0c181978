"""`find`: watch a round line by line, and report its mistake."""

from __future__ import annotations

import secrets
import sys
import time
from io import TextIOWrapper
from typing import Any, Final

import msgspec

from houseway.cli.output import BadInputError, write
from houseway.engine.table import Table
from houseway.live.default_terms import offering
from houseway.rules.loader import load
from houseway.training.drills.all_drills import drill_tables
from houseway.training.drills.question import LEVELS

BOOK: Final = "uth-ma"
MOST_ROUNDS: Final = 200
LONGEST_SEED: Final = 200
LONGEST: Final = 400
"""The most characters of a typed line."""
QUIT: Final = ("q", "quit")
WORDS: Final = ("help", "h", "table", "t", "all", "end")
"""The typed lines that are not a report, nor the rest of one."""


def find(
    rulebook: str = BOOK,
    /,
    *,
    rounds: int = 5,
    seed: str = "",
    level: int = 1,
    mode: str = "",
    json: bool = False,
) -> int:
    """Watch rounds with one mistake or none, and report it.

    Each round is printed in parts, one event on a line. Press Enter for the next part, type a number to
    see that many events, or type "all" for the rest. Stop at any time and type your report: what is wrong,
    the seat, the wager, and the amount if there is one.

    For example: "paid wrong 3 blind 7.50 over", "late bet 2 trips 5", "burn", "order 4" or "none".

    You then see the answer with its clause. A false call counts as much as a miss. Type "table" to see the
    felt, "help" for the words that you can use in a report, and "q" to end the session.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-sd, or a TOML file.
    rounds
        The number of rounds, from 1 to 200.
    seed
        Any text. The same seed gives the same rounds. By default a new seed is chosen and shown.
    level
        1: two players, gross mistakes. 2: four players. 3: six players, every kind of mistake.
    mode
        The deal mode: manual or device; default: every mode of the rulebook.
    json
        Print one JSON object on each line: the events, the judgements and the results.
    """
    if not 1 <= rounds <= MOST_ROUNDS:
        raise BadInputError(f"--rounds must be from 1 to {MOST_ROUNDS} (got {rounds})")
    if level not in LEVELS:
        raise BadInputError(f"--level must be 1, 2 or 3 (got {level})")
    if not seed.isprintable() or len(seed) > LONGEST_SEED:
        raise BadInputError(f"--seed must be printable text of at most {LONGEST_SEED} characters")
    book = load(rulebook)
    if mode and mode not in book.modes:
        raise BadInputError(f"--mode must be {' or '.join(book.modes)} in {book.id} (got {mode!r})")
    if not book.procedure.round:
        raise BadInputError(f"{book.id} has no procedure, so there is nothing to watch; try {BOOK}")
    offers = [offering(book, one, {}, {}) for one in ([mode] if mode else book.modes)]
    if isinstance(sys.stdin, TextIOWrapper):
        # Undecodable bytes become a report that cannot be read, not a traceback.
        sys.stdin.reconfigure(errors="replace")
    terminal = FindTerminal(drill_tables(book, offers), seed or secrets.token_hex(4), level, as_json=json)
    terminal.run(rounds)
    return 0


class SessionEndError(Exception):
    """The watcher ends the session."""


class FindTerminal:
    """A session on standard input and output, one line at a time."""

    def __init__(self, tables: tuple[Table, ...], seed: str, level: int, *, as_json: bool) -> None:
        self._tables, self._seed, self._level, self._json = tables, seed, level, as_json
        self._judged: list[Any] = []

    def run(self, rounds: int) -> None:
        """Show every round, then print the results."""
        # Imported here: the help starts faster without the table.
        from houseway.training.mistakes.find_words import tally_lines
        from houseway.training.mistakes.report_judge import tally

        book = self._tables[0].book
        self._say(
            f"{book.title}. Level {self._level}, seed {self._seed}. One mistake in each round, or none."
        )
        self._say('Enter: next part. A number: that many events. "all": the rest. "help": how to report.')
        try:
            for number in range(1, rounds + 1):
                self._round(number, rounds)
        except (SessionEndError, KeyboardInterrupt):
            self._say("")
        results = tally(self._judged)
        self._object("tally", results)
        for line in tally_lines(results):
            self._say(line)

    def _round(self, number: int, rounds: int) -> None:
        from houseway.training.mistakes.find_round import find_round
        from houseway.training.mistakes.find_words import TextFelt, judgement_lines
        from houseway.training.mistakes.report_judge import judge_report
        from houseway.training.mistakes.report_text import (
            HELP,
            ReportError,
            read_report,
            starts_report,
            unnamed_parts,
        )

        dealt = find_round(self._tables, f"{self._seed}/{number}", self._level)
        watched, felt = dealt.replay, TextFelt(dealt.replay)
        notes = "".join(f", {note}" for note in watched.notes)
        self._say(f"\nRound {number} of {rounds}. {watched.mode.capitalize()} deal{notes}.")
        shown: list[float] = []
        self._show(watched, felt, shown, self._part(watched, shown))
        unfinished = ""
        while True:
            line = self._line(len(shown) == len(watched.steps) and not unfinished)
            if unfinished and line and line not in WORDS and not starts_report(line):
                line = f"{unfinished} {line}"
            elif unfinished and not line:
                unfinished = ""
                self._say("Report cancelled.")
                continue
            more = self._more(line, watched, shown)
            if more:
                self._show(watched, felt, shown, more)
            elif line in ("help", "?", "h"):
                self._say("\n".join(HELP))
            elif line in ("table", "t"):
                self._say("\n".join(felt.felt_lines()))
            elif line:
                certain = line.removesuffix("?").strip()
                try:
                    report = read_report(certain, watched, len(shown) % len(watched.steps))
                except ReportError as error:
                    self._say(str(error))
                    continue
                if certain != line:
                    report = msgspec.structs.replace(report, unknown=unnamed_parts(report))
                if self._asks(report):
                    unfinished = line
                    continue
                step = dealt.answer.step
                seen = 0 < step <= len(shown)
                notice = round((time.monotonic() - shown[step - 1]) * 1000) if seen else None
                judged = judge_report(dealt.answer, report, notice)
                self._judged.append(judged)
                self._object("judgement", judged)
                for text in judgement_lines(judged, self._tables[0].book.borrowed()):
                    self._say(text)
                return

    def _asks(self, report: Any) -> bool:
        """Ask for the parts that a report does not say; return False if it is complete."""
        from houseway.training.mistakes.report_text import missing_parts, missing_words

        missing = missing_parts(report)
        if missing:
            self._object("incomplete", missing)
            parts = missing_words(missing)
            self._say(f'Your report needs {parts}. Type the rest, or "?" if you do not know it.')
        return bool(missing)

    def _part(self, watched: Any, shown: list[float]) -> int:
        """Return the number of events in the rest of the phase."""
        rest = watched.steps[len(shown) :]
        return sum(1 for step in rest if step.phase == rest[0].phase) if rest else 0

    def _more(self, line: str, watched: Any, shown: list[float]) -> int:
        """Return how many events a typed line asks for; 0 if it asks for something else."""
        left = len(watched.steps) - len(shown)
        if line in ("all", "end"):
            return left
        if line.isascii() and line.isdecimal() and len(line) < 4:
            return min(int(line), left)
        return self._part(watched, shown) if not line else 0

    def _show(self, watched: Any, felt: Any, shown: list[float], count: int) -> None:
        for step in watched.steps[len(shown) : len(shown) + count]:
            if step.number == 1 or step.phase != watched.steps[step.number - 2].phase:
                self._say(f"{step.phase}:")
            self._object("step", step)
            self._say(felt.line(step))
            shown.append(time.monotonic())

    def _line(self, over: bool) -> str:
        """Return the next typed line in lower case."""
        if over:
            self._say("The round is over. What was wrong? Type a report, or none.")
        if not self._json:
            sys.stdout.write("> ")
            sys.stdout.flush()
        line = sys.stdin.readline(LONGEST + 2)
        if not line or line.strip().lower() in QUIT:
            raise SessionEndError
        while len(line) > LONGEST and not line.endswith("\n"):
            line = line[:LONGEST] + sys.stdin.readline(LONGEST)[-1:]
        return line.strip().lower()

    def _say(self, text: str) -> None:
        if not self._json:
            write(text)

    def _object(self, name: str, value: Any) -> None:
        if self._json:
            write(msgspec.json.encode({name: value}).decode())
