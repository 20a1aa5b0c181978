"""Where commands write: words or one JSON document on stdout, problems on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from houseway.errors import InputError
from houseway.money import cents
from houseway.rules.loader import sound_rulebooks
from houseway.rules.rulebook import Rulebook
from houseway.wording import several


class BadInputError(InputError, ValueError):
    """Input a command cannot use: one sentence for each problem."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))


@contextmanager
def bad_input(about: str = "") -> Iterator[None]:
    """Make a ValueError a problem with what was typed; `about` names the option it is about."""
    try:
        yield
    except ValueError as error:
        raise BadInputError(f"{about}{error}") from error


@contextmanager
def file_problem(verb: str, file: Path | str) -> Iterator[None]:
    """Make an OSError a problem with a file: "cannot read rounds.jsonl: No such file or directory"."""
    try:
        yield
    except OSError as error:
        raise BadInputError(f"cannot {verb} {file}: {error.strerror}") from error


def complain(problems: Iterable[str]) -> int:
    """Write problems to stderr, a sentence each, and give the exit code for bad input."""
    for problem in problems:
        sys.stderr.write(f"houseway: {problem}\n")
    return 2


def usable_rulebooks() -> dict[str, Rulebook]:
    """The rulebooks that can be used, by id; the others are named on stderr."""
    sound, broken = sound_rulebooks()
    for error in broken:
        wrong = several(len(error.problems), "problem")
        complain([f"{error.ref} is left out: it has {wrong}; see houseway check {error.ref}"])
    return {book.id: book for book in sound}


def write_json(value: Any) -> None:
    """Write one JSON document, laid out for reading."""
    write(json_text(value))


def json_text(value: Any) -> str:
    """One JSON document, laid out for reading."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def write(text: str, file: Path | None = None) -> None:
    """Write text to a file, or to stdout."""
    ended = text if text.endswith("\n") else text + "\n"
    if file is None:
        sys.stdout.write(ended)
        return
    with file_problem("write", file):
        file.write_text(ended, encoding="utf-8")


def wrote(what: str, file: Path) -> None:
    """Tell on stderr what was written where, so that stdout holds nothing but what was asked for."""
    sys.stderr.write(f"houseway: {what} is in {file}\n")


def unused(name: str, ending: str, text: str) -> Path:
    """A file of this name in the folder at hand, with a number where another text stands in it."""
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    file, number = Path(safe + ending), 1
    while file.exists() and file.read_bytes() != text.encode():
        number += 1
        file = Path(f"{safe}-{number}{ending}")
    return file


def counting(what: str) -> Callable[[int, int], None] | None:
    """A line on a terminal's stderr, rewritten as the work goes on; nothing elsewhere."""
    if not sys.stderr.isatty():
        return None

    def told(done: int, parts: int) -> None:
        sys.stderr.write(f"\r{what}: {100 * done // parts} %" + ("\n" if done == parts else ""))
        sys.stderr.flush()

    return told


def pairs(text: str, option: str, example: str) -> dict[str, str]:
    """What an option gives by name: "trips=B,progressive=PTMGL01"."""
    named = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.strip().partition("=")
        if not (name and equals and value):
            raise BadInputError(f"{option} {text}: write names and values, such as {example}")
        named[name.strip().replace(" ", "_")] = value.strip()
    return named


def amounts(text: str, option: str, example: str) -> dict[str, int]:
    """Amounts an option gives by name, in cents: "ante=25,trips=5"."""
    given = pairs(text, option, example)
    with bad_input(f"{option} {text}: "):
        return {name: cents(value) for name, value in given.items()}


def house_terms(tables: str, house: str) -> dict[str, Any]:
    """Pay tables and house settings as a round gives them: whole numbers as numbers, all else as text."""
    given: dict[str, Any] = {"tables": pairs(tables, "--tables", "trips=B")}
    settings = pairs(house, "--house", "feed=15")
    given["house"] = {name: int(value) if value.isdecimal() else value for name, value in settings.items()}
    return {part: value for part, value in given.items() if value}
