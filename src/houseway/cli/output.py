"""Read options and write output: text or JSON on stdout, problems on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

import msgspec

from houseway.errors import InputError
from houseway.money import cents
from houseway.rules import catalogue
from houseway.rules.loader import sound_rulebooks
from houseway.rules.rulebook import Rulebook
from houseway.wording import printable, several


class BadInputError(InputError, ValueError):
    """Input that a command cannot use, with one sentence for each problem."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))


@contextmanager
def bad_input(about: str = "") -> Iterator[None]:
    """Turn a ValueError into a BadInputError; `about` is the prefix that names the option."""
    try:
        yield
    except ValueError as error:
        raise BadInputError(f"{about}{error}") from error


@contextmanager
def file_problem(verb: str, file: Path | str) -> Iterator[None]:
    """Turn an OSError into a BadInputError: "cannot read rounds.jsonl: No such file or directory"."""
    try:
        yield
    except OSError as error:
        raise BadInputError(f"cannot {verb} {file}: {error.strerror}") from error


def complain(problems: Iterable[str]) -> int:
    """Write problems to stderr, one per line, and return the exit code for bad input."""
    for problem in problems:
        sys.stderr.write(f"houseway: {printable(problem)}\n")
    return 2


def usable_rulebooks() -> dict[str, Rulebook]:
    """Return the valid rulebooks by id, and report the others on stderr."""
    complain(skipped_rulebooks())
    return {book.id: book for book in sound_rulebooks()[0]}


def skipped_rulebooks() -> Iterator[str]:
    """Yield a sentence for each rulebook that cannot be used."""
    added = "".join(f" --rulebooks {quote(str(path))}" for path in catalogue.added_paths)
    for error in sound_rulebooks()[1]:
        problem, *others = error.problems
        command = f"run houseway check {quote(error.ref)}{added}"
        wrong = f"it has {several(len(error.problems), 'problem')}; {command}" if others else str(problem)
        yield f"{error.ref} is skipped: {wrong}"


def write_json(value: Any) -> None:
    """Write a value as indented JSON."""
    write(json_text(value))


def json_text(value: Any) -> str:
    """Return a value as indented JSON."""
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
    """Report on stderr which file was written, to keep stdout for data."""
    sys.stderr.write(f"houseway: wrote {what} to {file}\n")


def unused(name: str, ending: str, text: str) -> Path:
    """Return a path in the current folder; it gets a number if a file of that name has a different text."""
    safe = "".join(c if c.isalnum() or c in "-_." else "-" for c in name)
    file, number = Path(safe + ending), 1
    while file.exists() and file.read_bytes() != text.encode():
        number += 1
        file = Path(f"{safe}-{number}{ending}")
    return file


def counting(what: str) -> Callable[[int, int], None] | None:
    """Return a progress function that rewrites a line on stderr; None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, parts: int) -> None:
        sys.stderr.write(f"\r{what}: {100 * done // parts} %" + ("\n" if done == parts else ""))
        sys.stderr.flush()

    return show


def pairs(text: str, option: str, example: str) -> dict[str, str]:
    """Read the names and values of an option: "trips=B,progressive=PTMGL01"."""
    values = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.strip().partition("=")
        if not (name and equals and value):
            raise BadInputError(f"{option} {text}: give NAME=VALUE, such as {example}")
        values[name.strip().replace(" ", "_")] = value.strip()
    return values


def amounts(text: str, option: str, example: str) -> dict[str, int]:
    """Read the names and amounts of an option, in cents: "ante=25,trips=5"."""
    values = pairs(text, option, example)
    with bad_input(f"{option} {text}: "):
        return {name: cents(value) for name, value in values.items()}


def thread_count(threads: int) -> int | None:
    """Return the value of --threads, or None for one thread per core."""
    if threads < 0:
        raise BadInputError(f"--threads must be 0 (one per core) or more (got {threads})")
    return threads or None


def house_settings(text: str, example: str) -> dict[str, Any]:
    """Read house settings as in a round's JSON: whole numbers, true and false become values."""
    flags = {"true": True, "false": False}
    return {
        name: int(value) if value.isdecimal() else flags.get(value, value)
        for name, value in pairs(text, "--house", example).items()
    }


def house_terms(tables: str, house: str) -> dict[str, Any]:
    """Return pay tables and house settings as in a round's JSON."""
    terms: dict[str, Any] = {"tables": pairs(tables, "--tables", "trips=B")}
    terms["house"] = house_settings(house, "feed=15")
    return {part: value for part, value in terms.items() if value}
