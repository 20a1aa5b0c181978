"""The catalogue of rulebooks: the bundled folders and the rulebooks added by path.

Rulebook files may come from strangers. Links must not leave their folder, the size of a file and the number
of its values are limited, and control characters are rejected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from houseway.rules.problems import RulebookError, shortened, suggest
from houseway.wording import UNPRINTABLE

RULES, PROCEDURE, CLAUSES, ROUNDS, NOTES = (
    "rules.toml", "procedure.toml", "clauses.toml", "rounds.toml", "NOTES.md",
)  # fmt: skip
BESIDE: Final = (PROCEDURE, CLAUSES, ROUNDS)
"""Files that belong to the rules.toml in the same folder."""
MOST_BYTES: Final = 500_000
"""The maximum size of one file."""
MOST_TEXT: Final = 4 * MOST_BYTES
"""The maximum size of a canonical text, which joins the files of a rulebook and of the one it extends."""
MOST_VALUES: Final = 20_000
"""The maximum number of keys, rows and values in one TOML file."""
MOST_DEEP: Final = 20
"""The maximum nesting of tables and lists."""
TOO_DEEP: Final = object()
MOST_ADDED: Final = 200
"""The maximum number of rulebooks in one added folder."""
UNKNOWN: Final = "rulebook"
"""The key that is named in the problem "no such rulebook"."""
LEAVES: Final = "is a link to a file outside its folder"


def bundled_folder() -> Traversable:
    """Return the folder of the bundled rulebooks."""
    return resources.files("houseway").joinpath("rulebooks")


@cache
def shared(name: str) -> dict[str, Any]:
    """Return the tables of a TOML file that all rulebooks share. They are cached, so do not change them."""
    return read_toml(bundled_folder().joinpath("shared", name))


@cache
def bundled() -> Mapping[str, Traversable]:
    """Return the bundled rulebooks' files by id."""
    folders = sorted(bundled_folder().iterdir(), key=lambda folder: folder.name)
    return {f.name: f.joinpath(RULES) for f in folders if _is_rulebook(f)}


def _is_rulebook(folder: Traversable) -> bool:
    """True if a folder has any file of a rulebook, even if rules.toml itself is missing."""
    return any(folder.joinpath(name).is_file() for name in (RULES, PROCEDURE, CLAUSES))


def catalogue() -> dict[str, Traversable]:
    """Return every rulebook's file by id; an added rulebook whose id is already taken is listed by path."""
    files = dict(bundled())
    for path in added_paths:
        for name, file in _added(path):
            files[str(file) if name in files else name] = file
    return files


added_paths: list[Path] = []
"""The folders and files whose rulebooks are listed in addition to the bundled ones."""


def _added(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield the rulebooks at an added path: a file, one rulebook's folder, or a folder with several."""
    rules = path.joinpath(RULES)
    if path.is_file() or rules.is_file():
        file = rules if path.is_dir() else path
        yield name_of(file), file
        return
    if not path.is_dir():
        right = "give a TOML file, a rulebook's folder, or a folder of rulebooks"
        raise RulebookError.of(str(path), "rulebooks", "no such file or folder", right)
    inside = [p for p in sorted(path.iterdir()) if not p.name.startswith(".")]
    single = [p for p in inside if p.suffix == ".toml" and p.is_file() and p.name not in BESIDE]
    files = [*single, *(p.joinpath(RULES) for p in inside if _is_rulebook(p))]
    if not files and _is_rulebook(path):
        files = [rules]
    if len(files) > MOST_ADDED:
        wrong = f"has {len(files)} rulebooks, more than the limit of {MOST_ADDED}"
        raise RulebookError.of(str(path), "rulebooks", wrong, "move some to another folder")
    yield from ((name_of(file), file) for file in files)


def name_of(file: Traversable) -> str:
    """Return the id that a rulebook should have: the name of its folder, or of the file itself."""
    if file.name != RULES or not isinstance(file, Path):
        return file.name.removesuffix(".toml")
    return file.absolute().parent.name


def find_rules(ref: str) -> tuple[str, Traversable]:
    """Return the id a rulebook is listed under (empty for a plain path) and its file."""
    listed = catalogue()
    if ref in listed:
        file = listed[ref]
        if isinstance(file, Path) and ref not in bundled():
            real = file.resolve()
            if not any(real.is_relative_to(path.resolve()) for path in added_paths):
                raise _refused(file.name, LEAVES, "copy the file into the folder")
        return ref, file
    path = Path(ref)
    try:
        exists, folder = path.is_file() or _is_rulebook(path), path.is_dir()
    except (OSError, ValueError):
        # The name is too long for a file, or contains a null byte.
        exists = folder = False
    if not exists:
        shown = shortened(ref)
        wrong = (
            f"the folder {shown!r} has no {RULES}" if folder else f"there is no rulebook or file {shown!r}"
        )
        right = f"{suggest(ref, listed)} (`houseway rulebooks` lists them)"
        raise RulebookError.of(shown, UNKNOWN, wrong, right)
    return "", path.joinpath(RULES) if folder else path


def is_known(ref: str) -> bool:
    """True if there is a rulebook with this id or path, even if it cannot be used."""
    try:
        find_rules(ref)
    except RulebookError as error:
        return error.problems[0].path != UNKNOWN
    return True


def folder_of(file: Traversable) -> Traversable:
    """Return the folder of a rulebook's file."""
    if isinstance(file, Path):
        return file.parent
    return bundled_folder().joinpath(next(name for name, known in bundled().items() if known == file))


def read_text(file: Traversable) -> str:
    """Return the text of a file, empty if the file is missing; raises RulebookError if it is rejected."""
    if not file.is_file():
        return ""
    if isinstance(file, Path) and not file.is_relative_to(Path(str(bundled_folder()))):
        if not file.resolve().is_relative_to(file.parent.resolve()):
            raise _refused(file.name, LEAVES, "copy the file into the folder")
        if file.stat().st_size > MOST_BYTES:
            raise _refused(file.name, f"is longer than {MOST_BYTES:,} bytes", "split or shorten it")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise _refused(file.name, f"is not UTF-8 text: {error}", "save it as UTF-8") from error
    except OSError as error:
        raise _refused(file.name, f"cannot be read: {error.strerror}", "check its permissions") from error
    if control := UNPRINTABLE.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise _refused(file.name, f"has the control character {control[0]!r} in line {line}", "remove it")
    return text


def read_toml(file: Traversable) -> dict[str, Any]:
    """Return the tables of a TOML file, empty if the file is missing."""
    return parsed(read_text(file), file.name)


def parsed(text: str, name: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raises RulebookError if it is invalid or exceeds the limits."""
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refused(name, f"is not valid TOML: {error}", "fix that line") from error
    for count, value in enumerate(_values(tables)):
        control = UNPRINTABLE.search(value) if isinstance(value, str) else None
        if control is not None:
            wrong = f"has the control character {control[0]!r} in {shortened(str(value))!r}"
            raise _refused(name, wrong, "remove it")
        if count > MOST_VALUES or value is TOO_DEEP:
            wrong = f"has more than {MOST_VALUES:,} values or more than {MOST_DEEP} nested levels"
            raise _refused(name, wrong, "shorten its lists and tables")
    return tables


def is_too_deep(tables: object) -> bool:
    """True if tables and lists are nested more deeply than the limit."""
    return any(value is TOO_DEEP for value in _values(tables))


def _values(value: object, depth: int = 0) -> Iterator[object]:
    """Yield every key and value, outermost first; TOO_DEEP replaces tables nested too deeply."""
    yield value
    if depth > MOST_DEEP:
        yield TOO_DEEP
        return
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    for below in value if isinstance(value, list) else ():
        yield from _values(below, depth + 1)


def _refused(name: str, wrong: str, right: str) -> RulebookError:
    return RulebookError.of(name, "file", f"{name} {wrong}", right)
