"""TOML to Rulebook: with the catalogue, the only module of the core that reads files.

A rulebook is a folder with rules.toml, procedure.toml, clauses.toml, rounds.toml and NOTES.md, found by
looking. A user's own file works wherever an id does; with `extends` it says only what differs from another
rulebook.
"""

from __future__ import annotations

import json
import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from functools import cache, cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from houseway.rules import build, catalogue
from houseway.rules.catalogue import CLAUSES, NOTES, PROCEDURE, ROUNDS, RULES, parsed, read_text, read_toml
from houseway.rules.checks import check
from houseway.rules.extension import JURISDICTION, extended
from houseway.rules.problems import Problem, RulebookError, meant, shortened, unknown
from houseway.rules.procedure import SECTIONS
from houseway.rules.rulebook import Clause, Rulebook

__all__ = ["RulebookError", "examine", "load", "restored", "rulebook_ids"]


def rulebook_ids() -> list[str]:
    """The ids of the bundled rulebooks and of those added by path."""
    return sorted(catalogue.catalogue())


@contextmanager
def added_rulebooks(paths: Iterable[str]) -> Iterator[None]:
    """Within this context, the rulebooks of these paths are listed beside the bundled ones."""
    before = list(catalogue.added_paths)
    _list_added([*before, *map(Path, paths)])
    try:
        yield
    finally:
        _list_added(before)


def _list_added(paths: list[Path]) -> None:
    catalogue.added_paths[:] = paths
    for cached in (load, all_clauses, _error_of):
        cached.cache_clear()


@cache
def load(ref: str) -> Rulebook:
    """The rulebook of an id, a TOML file or a folder; raises RulebookError with every problem."""
    rulebook, problems = examine(ref)
    insist(ref, problems)
    return rulebook


def sound_rulebooks() -> tuple[list[Rulebook], list[RulebookError]]:
    """Every rulebook there is that can be used, and why each of the others cannot."""
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


def insist(ref: str, problems: list[Problem]) -> None:
    """Refuse a rulebook that has problems."""
    errors = [p for p in problems if p.weight == "error"]
    if errors:
        raise RulebookError(ref, errors)


def examine(ref: str) -> tuple[Rulebook, list[Problem]]:
    """The rulebook as far as it can be read, and every problem it has."""
    raw, folder = resolve(ref)
    try:
        rulebook, problems = assemble(raw, folder)
        base = rulebook.extends
        needed = not base and catalogue.find_rules(ref)[1].name == RULES
        # If clauses.toml is missing, everything that cites it is wrong as well: the cause comes first.
        problems = [*clauses_of(folder).problems(needed=needed), *problems, *_listed_as(ref, rulebook)]
    except RulebookError as error:
        raise RulebookError(shortened(ref), error.problems) from error
    # Another jurisdiction is not bound by what its base's document forbids a house.
    bound = base is not None and raw["rulebook"].get("as") != JURISDICTION
    if base and not bound and not rulebook.clauses:
        wrong = "another jurisdiction has clauses of its own, and none are here"
        problems.append(Problem("rulebook.as", wrong, "write clauses.toml beside rules.toml"))
    dealable = not any(p.path.startswith(("stage", "pass", *SECTIONS)) for p in problems)
    below = load(base) if base else None
    replaced = below.settlement if below and isinstance(_read(ref)[0].get("pass"), list) else ()
    meaning = check(rulebook, below if bound else None, procedure=dealable, passes=replaced)
    # What is there but cannot be read is not missing as well.
    faulty = {p.path for p in problems}
    return rulebook, problems + [p for p in meaning if p.wrong != "is missing" or p.path not in faulty]


def _listed_as(ref: str, rulebook: Rulebook) -> Iterator[Problem]:
    """The id must be the name a rulebook is listed under, or commands would find another one."""
    name, file = catalogue.find_rules(ref)
    named = catalogue.name_of(file)
    if not name or rulebook.id == name:
        return
    if name != named:
        wrong = f"{named!r} is the id of another rulebook"
        yield Problem("rulebook.id", wrong, "rename the file or folder, and the id with it")
    elif rulebook.id:
        wrong = f"{shortened(rulebook.id)!r} is not the name of its file or folder, {name!r}"
        yield Problem("rulebook.id", wrong, f"write id = {name!r}, or rename the file or folder")


def resolve(ref: str) -> tuple[dict[str, Any], Traversable]:
    """The tables of a rulebook, extensions merged and shared parts written out, and its folder."""
    raw, folder = _read(ref)
    return _resolved(ref, raw), folder


def _read(ref: str) -> tuple[dict[str, Any], Traversable]:
    """The tables as they are in a rulebook's files, and its folder."""
    try:
        _, file = catalogue.find_rules(ref)
        folder = catalogue.folder_of(file)
        if not file.is_file():
            wrong = f"the folder {folder.name} has no {RULES}"
            raise RulebookError.of(ref, "file", wrong, "write one, or remove the folder")
        steps = read_toml(folder.joinpath(PROCEDURE)) if file.name == RULES else {}
        return read_toml(file) | steps, folder
    except RulebookError as error:
        raise RulebookError(shortened(ref), error.problems) from error


def _resolved(ref: str, raw: dict[str, Any], extending: tuple[str, ...] = ()) -> dict[str, Any]:
    head = raw.get("rulebook")
    base = head.get("extends") if isinstance(head, dict) else None
    if "extends" in raw:
        raise RulebookError.of(ref, "extends", "stands outside [rulebook]", "write it below [rulebook]")
    if base is not None:
        problems = list(unknown("rulebook.extends", base, rulebook_ids(), "bundled rulebook"))
        if problems:
            raise RulebookError(ref, problems)
        if base in extending:
            wrong = f"{base!r} extends this rulebook in turn"
            raise RulebookError.of(ref, "rulebook.extends", wrong, "extend another rulebook")
        below = _resolved(base, _read(base)[0], (*extending, base))
        _insist_on_base(ref, base)
        raw, problems = extended(below, raw)
        if problems:
            raise RulebookError(ref, problems)
    return _written_out(raw)


def _insist_on_base(ref: str, base: str) -> None:
    try:
        load(base)
    except RulebookError as error:
        wrong = f"{base!r} has {len(error.problems)} problems of its own"
        raise RulebookError.of(ref, "rulebook.extends", wrong, f"see houseway check {base}") from error


def assemble(raw: dict[str, Any], folder: Traversable) -> tuple[Rulebook, list[Problem]]:
    """Build the Rulebook value from resolved tables."""
    own = clauses_of(folder)
    return build.rulebook(
        raw,
        clauses=own,
        known=ChainMap(own, all_clauses()),  # type: ignore[arg-type]
        rounds=_rounds(folder),
        notes=read_text(folder.joinpath(NOTES)),
        text=json.dumps(raw, ensure_ascii=False, separators=(",", ":"), default=str),
    )


def restored(text: str) -> Rulebook:
    """The rulebook of a canonical text, as a record keeps it; its clauses are those listed under its id.

    Raises RulebookError if the text is none.
    """
    try:
        raw = json.loads(text)
        head = raw["rulebook"]
        names = [str(head.get("id")), str(head.get("extends"))]
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        wrong = f"is no canonical text of a rulebook: {error}"
        raise RulebookError.of("record", "text", wrong, "take it from a record") from error
    known = catalogue.catalogue()
    folders = [catalogue.folder_of(known[name]) for name in names if name in known]
    rulebook, problems = assemble(raw, next(iter(folders), catalogue.bundled_folder().joinpath("shared")))
    if problems:
        raise RulebookError(rulebook.id, problems)
    return rulebook


class ClauseFile(Mapping[str, Clause]):
    """The clauses of one document; their texts are parsed when the first one is asked for."""

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
        """A needed file without clauses, and keys no clause has; raises RulebookError if it is no TOML."""
        rows = parsed(self._text, CLAUSES).get("clause")
        listed = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
        if not listed and (needed or self._text):
            wrong = "has no [[clause]] tables" if self._text else "is missing"
            yield Problem(CLAUSES, wrong, "write the document's statements, one each")
        for n, row in enumerate(rows if listed else ()):  # type: ignore[arg-type]
            for key in (key for key in row if key not in KEYS):
                yield Problem(f"{CLAUSES}[{n}].{key}", "is unknown here", meant(key, KEYS))

    @cached_property
    def _clauses(self) -> dict[str, Clause]:
        try:
            return {c.id: c for c in _listed(parsed(self._text, CLAUSES))}
        except RulebookError as error:
            # The ids stay known, so that rulebooks which cite them are not at fault as well.
            return {i: Clause(i, UNREADABLE, str(error), "", "", ()) for i in self._ids}


UNREADABLE = "unreadable"
"""The kind of a clause whose file is no TOML."""
KEYS = tuple(field.name for field in fields(Clause))
_ID = re.compile(r'^\s*id\s*=\s*"([^"]+)"', re.MULTILINE)


@cache
def all_clauses() -> Mapping[str, Clause]:
    """Every clause of every document, those of broken rulebooks included."""
    return ChainMap(*(_readable_clauses(file) for file in catalogue.catalogue().values()))  # type: ignore[arg-type]


def readable_clauses() -> dict[str, Clause]:
    """The same without those of a file that is no TOML."""
    files = [_readable_clauses(file) for file in reversed(catalogue.catalogue().values())]
    return {c.id: c for file in files for c in file.values() if c.kind != UNREADABLE}


def own_clause(identity: str) -> Clause | None:
    """What stands in place of a clause for a value that an extending file changed itself, as `own.ID`."""
    owner = identity.removeprefix("own.")
    if owner == identity:
        return None
    says = f"No document says it: the rulebook {owner} is a house's own, and its file changed the value."
    return Clause(identity, "own", says, "", "", ())


def _readable_clauses(file: Traversable) -> ClauseFile:
    try:
        return clauses_of(catalogue.folder_of(file))
    except RulebookError:
        return ClauseFile("")


def clauses_of(folder: Traversable) -> ClauseFile:
    """The clauses of the document in a rulebook's folder."""
    return ClauseFile(read_text(folder.joinpath(CLAUSES)))


def _rounds(folder: Traversable) -> tuple[dict[str, Any], ...]:
    listed = read_toml(folder.joinpath(ROUNDS)).get("round", ())
    return tuple(listed) if isinstance(listed, list) else ()


def _listed(raw: dict[str, Any]) -> Iterator[Clause]:
    listed = raw.get("clause", ())
    for row in (r for r in listed if isinstance(r, dict)) if isinstance(listed, list) else ():
        told = {key: str(row.get(key, "")) for key in ("id", "kind", "says", "check", "reading")}
        conflicts = row.get("conflicts", ())
        yield Clause(**told, conflicts=tuple(conflicts) if isinstance(conflicts, list) else ())


def _merged(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A table with another laid over it: tables are joined, everything else replaced."""
    joined = dict(base)
    for key, value in change.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            value = _merged(below, value)
        joined[key] = value
    return joined


def _written_out(raw: dict[str, Any]) -> dict[str, Any]:
    """The tables with shared pay rows and house settings written out where they are only named."""
    pays, house = catalogue.shared("pays.toml"), catalogue.shared("house.toml")
    for kind in _dicts(raw.get("tables")):
        for table in _dicts(kind):
            if isinstance(table.get("rows"), str) and table["rows"] in pays:
                table["rows"] = pays[table["rows"]]
    settings = raw.get("house")
    if isinstance(settings, dict) and isinstance(settings.get("use"), list):
        # What is no shared setting stays, for the reader to find fault with.
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
