"""Load rulebooks from TOML files. Only this module and `catalogue.py` read files; the rest of `rules` and
`engine` is pure.

A rulebook is a folder with rules.toml, procedure.toml, clauses.toml, rounds.toml and NOTES.md. The path of
a user's own file works wherever an id does. A file with `extends` has only the changes to another rulebook.
"""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from houseway.rules import catalogue, rulebook_builder
from houseway.rules.catalogue import CLAUSES, NOTES, PROCEDURE, ROUNDS, RULES, parsed, read_text, read_toml
from houseway.rules.checks import check
from houseway.rules.extension import JURISDICTION, extended
from houseway.rules.problems import Problem, RulebookError, shortened, suggest, unknown
from houseway.rules.procedure import SECTIONS
from houseway.rules.rulebook import Clause, Rulebook

__all__ = ["RulebookError", "load", "load_with_problems", "rulebook_from_text", "rulebook_ids"]


def rulebook_ids() -> list[str]:
    """Return the ids of the bundled rulebooks and of those added by path."""
    return sorted(catalogue.catalogue())


@contextmanager
def added_rulebooks(paths: Iterable[str]) -> Iterator[None]:
    """Within this context, list the rulebooks at these paths in addition to the bundled ones."""
    before = list(catalogue.added_paths)
    _list_added([*before, *map(Path, paths)])
    try:
        yield
    finally:
        _list_added(before)


def _list_added(paths: list[Path]) -> None:
    catalogue.added_paths[:] = paths
    for cached in (load, all_clauses, _clause_files, _error_of):
        cached.cache_clear()


@cache
def load(ref: str) -> Rulebook:
    """Return the rulebook with this id or path; raises RulebookError with every problem."""
    return read_rulebook(ref)


def read_rulebook(ref: str) -> Rulebook:
    """Read a rulebook's files and return the rulebook, without the cache of `load`."""
    rulebook, problems = load_with_problems(ref)
    raise_problems(ref, problems)
    return rulebook


def sound_rulebooks() -> tuple[list[Rulebook], list[RulebookError]]:
    """Return the listed rulebooks that can be used, and the errors of the others."""
    names = rulebook_ids()
    broken = {name: error for name in names if (error := _error_of(name)) is not None}
    return [load(name) for name in names if name not in broken], list(broken.values())


@cache
def _error_of(name: str) -> RulebookError | None:
    try:
        load(name)
    except RulebookError as error:
        return RulebookError(name, error.problems)
    return None


def raise_problems(ref: str, problems: list[Problem]) -> None:
    """Raise RulebookError if any of the problems is an error."""
    errors = [p for p in problems if p.weight == "error"]
    if errors:
        raise RulebookError(ref, errors)


def load_with_problems(ref: str) -> tuple[Rulebook, list[Problem]]:
    """Return the rulebook, as far as it can be read, and every problem in its format and its meaning."""
    unknown_rows: list[Problem] = []
    raw, folder = resolve(ref, unknown_rows)
    try:
        rulebook, problems = assemble(raw, folder)
        base = rulebook.extends
        needed = not base and catalogue.find_rules(ref)[1].name == RULES
        # A missing clauses.toml is the cause of many other problems, so it is listed first.
        problems = [
            *clauses_of(folder).problems(needed=needed),
            *unknown_rows,
            *problems,
            *_listed_as(ref, rulebook),
        ]
    except RulebookError as error:
        raise RulebookError(shortened(ref), error.problems) from error
    # The rules for a house's own pay tables do not bind another jurisdiction.
    bound = base is not None and raw["rulebook"].get("as") != JURISDICTION
    if base and not bound and not rulebook.clauses:
        wrong = "another jurisdiction must have its own clauses"
        problems.append(Problem("rulebook.as", wrong, "write clauses.toml next to rules.toml"))
    dealable = not any(p.path.startswith(("stage", "pass", *SECTIONS)) for p in problems)
    below = load(base) if base else None
    replaced = below.settlement if below and isinstance(_read(ref)[0].get("pass"), list) else ()
    meaning = check(
        rulebook, below if bound else None, procedure=dealable, options=not problems, passes=replaced
    )
    faulty = {p.path for p in problems}
    problems += [p for p in meaning if not _follows(p, faulty)]
    return rulebook, [_with_step_name(problem, raw) for problem in problems]


def _follows(problem: Problem, faulty: set[str]) -> bool:
    """True if a value seems to be missing only because it could not be read, which is already reported."""
    if not problem.wrong.startswith(("is missing", "is empty", "has no", "no row covers")):
        return False
    return any(path == problem.path or path.startswith(f"{problem.path}.") for path in faulty)


STEP_ROW: Final = re.compile(rf"({'|'.join(SECTIONS)})\[([0-9]+)\]")


def _with_step_name(problem: Problem, raw: Mapping[str, Any]) -> Problem:
    """Return a problem whose path has the name of a step, as files with `extends` write it.

    The row number of a step counts the steps of all extended rulebooks, so it would not help the reader.
    """
    row = STEP_ROW.match(problem.path)
    if row is None:
        return problem
    name = raw[row[1]][int(row[2])].get("step")
    return replace(problem, path=f"{row[1]}.{name}{problem.path[row.end() :]}") if name else problem


def _listed_as(ref: str, rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem if the id is not the name that the rulebook is listed under."""
    name, file = catalogue.find_rules(ref)
    named = catalogue.name_of(file)
    if not name or rulebook.id == name:
        return
    if name != named:
        wrong = f"{named!r} is the id of another rulebook"
        yield Problem("rulebook.id", wrong, "change the id, and rename the file or folder to match")
    elif rulebook.id:
        wrong = f"{shortened(rulebook.id)!r} is not the name of its file or folder, {name!r}"
        yield Problem("rulebook.id", wrong, f"write id = {name!r}, or rename the file or folder")


def resolve(ref: str, problems: list[Problem] | None = None) -> tuple[dict[str, Any], Traversable]:
    """Return a rulebook's tables, with extensions and shared parts merged in, and its folder.

    A problem is added to `problems` for each row or part that the rulebook changes or drops although its
    base does not have it. Without that list, such a problem raises RulebookError.
    """
    raw, folder = _read(ref)
    merged, unknown_rows = _resolved(ref, raw)
    if problems is not None:
        problems += unknown_rows
    elif unknown_rows:
        raise RulebookError(ref, unknown_rows)
    return merged, folder


def _read(ref: str) -> tuple[dict[str, Any], Traversable]:
    """Return the tables of a rulebook's own files, and its folder."""
    try:
        _, file = catalogue.find_rules(ref)
        folder = catalogue.folder_of(file)
        if not file.is_file():
            wrong = f"the folder {folder.name} has no {RULES}"
            raise RulebookError.of(ref, "file", wrong, "write that file, or remove the folder")
        steps = read_toml(folder.joinpath(PROCEDURE)) if file.name == RULES else {}
        return read_toml(file) | steps, folder
    except RulebookError as error:
        raise RulebookError(shortened(ref), error.problems) from error


def _resolved(
    ref: str, raw: dict[str, Any], extending: tuple[str, ...] = ()
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the merged tables, and a problem for each changed or dropped part that the base lacks."""
    problems: list[Problem] = []
    head = raw.get("rulebook")
    base = head.get("extends") if isinstance(head, dict) else None
    if "extends" in raw:
        raise RulebookError.of(
            ref,
            "extends",
            "is outside the table [rulebook], so checking stopped",
            "move it into [rulebook]",
        )
    if base is not None:
        if wrong_base := list(unknown("rulebook.extends", base, rulebook_ids(), "rulebook id")):
            raise RulebookError(ref, wrong_base)
        if base in extending:
            wrong = "a rulebook cannot extend itself"
            if base != ref:
                wrong = f"{base!r} itself extends this rulebook"
            raise RulebookError.of(ref, "rulebook.extends", wrong, "extend another rulebook")
        below, _ = _resolved(base, _read(base)[0], (*extending, base))
        _check_base(ref, base)
        raw, problems = extended(below, raw)
    return _written_out(raw), problems


def _check_base(ref: str, base: str) -> None:
    try:
        load(base)
    except RulebookError as error:
        wrong = f"{base!r} has problems"
        raise RulebookError.of(ref, "rulebook.extends", wrong, f"run houseway check {base}") from error


def assemble(raw: dict[str, Any], folder: Traversable) -> tuple[Rulebook, list[Problem]]:
    """Return the rulebook built from resolved tables, and its format problems."""
    own = clauses_of(folder)
    return rulebook_builder.rulebook(
        raw,
        clauses=own,
        known=ChainMap(own, all_clauses()),  # type: ignore[arg-type]
        rounds=_rounds(folder),
        notes=read_text(folder.joinpath(NOTES)),
        text=json.dumps(raw, ensure_ascii=False, separators=(",", ":"), default=str),
    )


def rulebook_from_text(text: str) -> Rulebook:
    """Return the rulebook of a canonical text from a record, with the clauses listed under its id.

    Raises RulebookError if the text is not valid.
    """
    try:
        if len(text) > catalogue.MOST_TEXT:
            raise ValueError(f"it has more than {catalogue.MOST_TEXT:,} characters")
        raw = json.loads(text)
        if catalogue.is_too_deep(raw):
            raise ValueError(f"it has more than {catalogue.MOST_DEEP} nested levels")
        head = raw["rulebook"]
        names = [str(head.get("id")), str(head.get("extends"))]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        wrong = f"is not the canonical text of a rulebook: {error}"
        raise RulebookError.of("record", "text", wrong, "use the text from a record") from error
    known = catalogue.catalogue()
    folders = [catalogue.folder_of(known[name]) for name in names if name in known]
    rulebook, problems = assemble(raw, next(iter(folders), catalogue.bundled_folder().joinpath("shared")))
    if problems:
        raise RulebookError(rulebook.id, problems)
    return rulebook


class ClauseFile(Mapping[str, Clause]):
    """The clauses of one document; the file is parsed when the first clause is looked up."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ids = dict.fromkeys(_ID.findall(text))

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, clause: object) -> bool:
        return clause in self._ids

    def __getitem__(self, clause: str) -> Clause:
        return self._clauses[clause]

    def problems(self, *, needed: bool) -> Iterator[Problem]:
        """Yield a problem for each unknown key, and for a missing or empty file.

        Raises RulebookError if the file is not valid TOML.
        """
        rows = parsed(self._text, CLAUSES).get("clause")
        listed = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
        if not listed and (needed or self._text):
            wrong = "has no [[clause]] tables" if self._text else "is missing"
            yield Problem(CLAUSES, wrong, "write one [[clause]] for each statement of the document")
        for n, row in enumerate(rows if listed else ()):  # type: ignore[arg-type]
            for key in (key for key in row if key not in KEYS):
                yield Problem(f"{CLAUSES}[{n}].{key}", "unknown key", suggest(key, KEYS))

    @cached_property
    def _clauses(self) -> dict[str, Clause]:
        try:
            return {c.id: c for c in _listed(parsed(self._text, CLAUSES))}
        except RulebookError as error:
            # Keep the ids: a rulebook that cites them must not be rejected because of this file.
            return {i: Clause(i, UNREADABLE, str(error), "", "", ()) for i in self._ids}


UNREADABLE = "unreadable"
"""The kind of a clause whose file is not valid TOML."""
KEYS = tuple(field.name for field in fields(Clause))
_ID = re.compile(r'^\s*id\s*=\s*"([^"]+)"', re.MULTILINE)


@cache
def all_clauses() -> Mapping[str, Clause]:
    """Return every clause of every document, including those of broken rulebooks."""
    return ChainMap(*_clause_files().values())  # type: ignore[arg-type]


@cache
def _clause_files() -> dict[str, ClauseFile]:
    """Return the clauses of each listed rulebook."""
    return {ref: _readable_clauses(file) for ref, file in catalogue.catalogue().items()}


def readable_clauses() -> dict[str, Clause]:
    """Return every clause of every document whose file is valid TOML."""
    files = [_readable_clauses(file) for file in reversed(catalogue.catalogue().values())]
    return {c.id: c for file in files for c in file.values() if c.kind != UNREADABLE}


def document_of(clause: str) -> str:
    """Return the short name of a clause's document: the start of its rulebook's title; empty if unknown."""
    ref = next((ref for ref, clauses in _clause_files().items() if clause in clauses), None)
    return load(ref).title.partition(",")[0] if ref is not None else ""


def section_of(clause: str) -> str:
    """Return the section of a clause of a document, as the document prints it; empty for any other id.

    >>> section_of("MA-9.h.2-b"), section_of("SD-5-b"), section_of("MA-1.trips-a"), section_of("own.uth-ma")
    ('9(h)(2)', '5', '1', '')
    """
    if clause not in all_clauses():
        return ""
    first, *parts = clause.partition("-")[2].partition("-")[0].split(".")
    numbers = (part for part in parts if len(part) == 1 or part.isdigit() or set(part) <= set("ivx"))
    return first + "".join(f"({number})" for number in numbers)


def own_clause(identity: str) -> Clause | None:
    """Return the clause for `own.ID`, which values cite if the file ID changed them; None for other ids."""
    owner = identity.removeprefix("own.")
    if owner == identity:
        return None
    says = f"No document says this: the house's own rulebook {owner} changed the value."
    return Clause(identity, "own", says, "", "", ())


def _readable_clauses(file: Traversable) -> ClauseFile:
    try:
        return clauses_of(catalogue.folder_of(file))
    except RulebookError:
        return ClauseFile("")


def clauses_of(folder: Traversable) -> ClauseFile:
    """Return the clauses of the document in a rulebook's folder."""
    return ClauseFile(read_text(folder.joinpath(CLAUSES)))


def _rounds(folder: Traversable) -> tuple[dict[str, Any], ...]:
    listed = read_toml(folder.joinpath(ROUNDS)).get("round", ())
    return tuple(listed) if isinstance(listed, list) else ()


def _listed(raw: dict[str, Any]) -> Iterator[Clause]:
    listed = raw.get("clause", ())
    for row in (r for r in listed if isinstance(r, dict)) if isinstance(listed, list) else ():
        texts = {key: str(row.get(key, "")) for key in ("id", "kind", "says", "check", "reading")}
        conflicts = row.get("conflicts", ())
        yield Clause(**texts, conflicts=tuple(conflicts) if isinstance(conflicts, list) else ())


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """Merge a change into a copy of a table: nested tables are merged, everything else is replaced."""
    joined = dict(base)
    for key, value in change.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            value = _merged(below, value)
        joined[key] = value
    return joined


def _written_out(raw: dict[str, Any]) -> dict[str, Any]:
    """Replace the names of shared pay rows and house settings with the rows and settings."""
    pays, house = catalogue.shared("pays.toml"), catalogue.shared("house.toml")
    for kind in _dicts(raw.get("tables")):
        for table in _dicts(kind):
            if isinstance(table.get("rows"), str) and table["rows"] in pays:
                table["rows"] = pays[table["rows"]]
    settings = raw.get("house")
    if isinstance(settings, dict) and isinstance(settings.get("use"), list):
        # Keep names that are not shared settings: the reader reports them.
        unknown = [n for n in settings["use"] if not isinstance(n, str) or n not in house]
        for name in settings.pop("use"):
            own = settings.get(name, {}) if name not in unknown else None
            if isinstance(own, dict):
                settings[name] = _merged(house[name], own)
        if unknown:
            settings["use"] = unknown
    return raw


def _dicts(value: object) -> list[dict[str, Any]]:
    return [v for v in value.values() if isinstance(v, dict)] if isinstance(value, dict) else []
