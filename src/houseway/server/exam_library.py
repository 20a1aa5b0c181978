"""The exams and scenarios of a server: those that come with the program, and those of the house."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.client.class_messages import ExamChoice
from houseway.client.training_messages import ExamCard, ExamCards
from houseway.errors import InputError
from houseway.rules.problems import suggest
from houseway.server.rulebook_library import refused
from houseway.training.exams.exam import MOST_BYTES as MOST_EXAM_BYTES
from houseway.training.exams.exam import Exam, ExamError, is_exam, read_exam, shipped_exam, shipped_exams
from houseway.training.scenarios.deck import QUIET, ScenarioDeck
from houseway.training.scenarios.deck_file import (
    MOST_BYTES,
    ScenarioError,
    is_scenario,
    read_deck,
    shipped_decks,
)

MOST_FILES: Final = 200
"""The most files in the folder of a house."""


class ExamLibraryError(InputError, ValueError):
    """The exams and scenarios of a house cannot be used; the message lists every problem."""


class ExamLibrary(msgspec.Struct, frozen=True):
    """The exams and scenarios of a server, by their names."""

    exams: Mapping[str, Exam]
    scenarios: Mapping[str, ScenarioDeck]

    def exam(self, name: str) -> Exam:
        """Return an exam; raise RefusedError if there is none of this name."""
        if name not in self.exams:
            sentence = f"there is no exam {name[:40]!r}; {suggest(name[:40], self.exams)}"
            raise refused(404, "no-exam", "exam", sentence)
        return self.exams[name]

    def scenario(self, name: str) -> ScenarioDeck:
        """Return a scenario; without a name, the quiet one. Raise RefusedError if there is none."""
        if not name:
            return QUIET
        if name not in self.scenarios:
            sentence = f"there is no scenario {name[:40]!r}; {suggest(name[:40], self.scenarios)}"
            raise refused(404, "no-scenario", "scenario", sentence)
        return self.scenarios[name]

    def cards(self) -> ExamCards:
        """Return the exams and scenarios that a person can choose."""
        return ExamCards(
            exams=tuple(
                ExamCard(
                    exam=one.id,
                    title=one.title,
                    about=one.about,
                    hash=one.hash,
                    rounds=one.rounds,
                    players=one.players,
                    certificate=one.certificate,
                    seconds=one.time.exam // 1000,
                )
                for one in self.exams.values()
            ),
            scenarios={name: deck.about for name, deck in self.scenarios.items()},
        )

    def choices(self) -> tuple[ExamChoice, ...]:
        """Return the exams that an instructor can set."""
        return tuple(ExamChoice(id=one.id, title=one.title) for one in self.exams.values())


@cache
def shipped_exam_library() -> ExamLibrary:
    """Return the exams and scenarios that come with the program."""
    return ExamLibrary({name: shipped_exam(name) for name in shipped_exams()}, shipped_decks())


def read_exam_library(folder: Path) -> ExamLibrary:
    """Return the exams and scenarios of the program and of a folder with TOML files.

    Raise ExamLibraryError with every problem in every file.
    """
    shipped = shipped_exam_library()
    exams, scenarios = dict(shipped.exams), dict(shipped.scenarios)
    problems: list[str] = []
    for file in _files(folder):
        try:
            text = _text(file)
            if is_exam(text):
                exam = read_exam(text, str(file))
                _add(exams, exam.id, exam, f"{file}: exam.id")
            elif is_scenario(text):
                deck = read_deck(text, str(file))
                _add(scenarios, deck.name, deck, f"{file}: scenario.name")
            else:
                problems.append(f"{file}: is neither an exam nor a scenario; write [exam] or [scenario]")
        except (ExamError, ScenarioError, ExamLibraryError) as error:
            problems += str(error).splitlines()
    if problems:
        raise ExamLibraryError("\n".join(problems))
    return ExamLibrary(exams, scenarios)


def _files(folder: Path) -> list[Path]:
    try:
        files = sorted(file for file in folder.iterdir() if file.suffix == ".toml")
    except OSError as error:
        raise ExamLibraryError(f"cannot read {folder}: {error.strerror}") from error
    if len(files) > MOST_FILES:
        raise ExamLibraryError(f"{folder} has {len(files)} files; use at most {MOST_FILES}")
    return files


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            # One byte too many is enough to refuse the file.
            return opened.read(max(MOST_BYTES, MOST_EXAM_BYTES) + 1).decode()
    except OSError as error:
        raise ExamLibraryError(f"cannot read {file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ExamLibraryError(f"{file}: is not UTF-8 text; save it as UTF-8") from error


def _add(known: dict[str, Any], name: str, one: Any, place: str) -> None:
    if name in known:
        raise ExamLibraryError(f"{place}: {name!r} is already taken; choose another one")
    known[name] = one
