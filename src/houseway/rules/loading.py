"""TOML to Rulebook: the only module of the core that reads files.

A rulebook is a folder with rules.toml, procedure.toml, clauses.toml, rounds.toml and NOTES.md, found by
looking. A user's own file works wherever an id does; with `extends` it says only what differs from a
bundled rulebook.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import ChainMap
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from houseway.rules import build
from houseway.rules.checks import check
from houseway.rules.problems import Problem, meant
from houseway.rules.procedure import SECTIONS
from houseway.rules.reading import BASIS_KEYS
from houseway.rules.rulebook import Clause, Rulebook

RULES, PROCEDURE, CLAUSES, ROUNDS, NOTES = (
    "rules.toml", "procedure.toml", "clauses.toml", "rounds.toml", "NOTES.md",
)  # fmt: skip


class RulebookError(ValueError):
    """A rulebook that cannot be used, with every problem it has."""

    def __init__(self, ref: str, problems: list[Problem]) -> None:
        self.ref = ref
        self.problems = problems
        super().__init__("\n".join(f"{ref}: {p}" for p in problems))


def rulebook_ids() -> list[str]:
    """The bundled rulebooks, by name."""
    return sorted(f.name for f in _home().iterdir() if f.joinpath(RULES).is_file())


@cache
def load(ref: str) -> Rulebook:
    """The rulebook of an id, a TOML file or a folder; raises RulebookError with every problem."""
    rulebook, problems = examine(ref)
    insist(ref, problems)
    return rulebook


def insist(ref: str, problems: list[Problem]) -> None:
    """Refuse a rulebook that has problems."""
    errors = [p for p in problems if p.weight == "error"]
    if errors:
        raise RulebookError(ref, errors)


def examine(ref: str) -> tuple[Rulebook, list[Problem]]:
    """The rulebook as far as it can be read, and every problem it has."""
    raw, folder = resolve(ref)
    rulebook, problems = assemble(raw, folder)
    base = rulebook.extends
    extended = load(base) if base in rulebook_ids() and base != ref else None
    parts = ("stage", "pass", *SECTIONS)
    meaning = check(rulebook, extended, procedure=not any(p.path.startswith(parts) for p in problems))
    # What is there but cannot be read is not missing as well.
    faulty = {p.path for p in problems}
    return rulebook, problems + [p for p in meaning if p.wrong != "is missing" or p.path not in faulty]


def resolve(ref: str) -> tuple[dict[str, Any], Traversable]:
    """The tables of a rulebook, extensions merged and shared parts written out, and its folder."""
    raw, folder = _find(ref)
    base = raw.get("rulebook", {}).get("extends") if isinstance(raw.get("rulebook"), dict) else None
    if "extends" in raw:
        fault = Problem("extends", "stands outside [rulebook]", "write it below [rulebook]")
        raise RulebookError(ref, [fault])
    if base is not None:
        if base not in rulebook_ids():
            wrong = f"{base!r} is no bundled rulebook"
            fault = Problem("rulebook.extends", wrong, meant(str(base), rulebook_ids()))
            raise RulebookError(ref, [fault])
        raw = _extended(_written_out(_find(base)[0]), raw)
    return _written_out(raw), folder


def _extended(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A rulebook with a user's changes laid over it, each resting on the user's file from then on."""
    head = change["rulebook"]
    own = str(head.get("id", "own"))
    source = {"value": f"a house's own, after {base['rulebook']['title']}", "own": own}
    joined = dict(base)
    for part, value in change.items():
        below = base.get(part)
        if isinstance(below, dict) and isinstance(value, dict):
            value = _laid_over(below, value, own)
        joined[part] = value
    joined["rulebook"] = {**base["rulebook"], "source": source, **head}
    return joined


def _laid_over(base: dict[str, Any], change: dict[str, Any], own: str) -> dict[str, Any]:
    """A table with a user's laid over it: tables are joined, everything else replaced.

    What a user changes no longer rests on the clause it had, unless the user names one.
    """
    says = bool(BASIS_KEYS & change.keys())
    joined = {k: v for k, v in base.items() if not (says and k in BASIS_KEYS)}
    changed = False
    for key, value in change.items():
        below = base.get(key)
        if isinstance(below, dict) and isinstance(value, dict) and key != "value":
            join = _laid_over_rows if key == "rows" else _laid_over
            joined[key] = join(below, value, own)
        else:
            joined[key] = value
            changed = changed or (key not in BASIS_KEYS and key in base and value != below)
    if changed and not says and BASIS_KEYS & base.keys():
        joined = {k: v for k, v in joined.items() if k not in BASIS_KEYS} | {"own": own}
    return joined


def _laid_over_rows(base: dict[str, Any], change: dict[str, Any], own: str) -> dict[str, Any]:
    """A pay table's lines with some of them changed; the others keep the table's clause."""
    lines = {
        hand: {"pays": pays, "own": own} if isinstance(pays, str) and pays != base.get(hand) else pays
        for hand, pays in change.items()
    }
    return {**base, **lines}


def assemble(raw: dict[str, Any], folder: Traversable) -> tuple[Rulebook, list[Problem]]:
    """Build the Rulebook value from resolved tables."""
    own = _clauses(folder)
    parts = build.Parts(
        clauses=own,
        known=ChainMap(own, all_clauses()),  # type: ignore[arg-type]
        rounds=_rounds(folder),
        notes=_text(folder.joinpath(NOTES)),
        text=json.dumps(raw, ensure_ascii=False, separators=(",", ":"), default=str),
    )
    return build.rulebook(raw, parts)


def restored(text: str) -> Rulebook:
    """The rulebook of a canonical text, as a record keeps it; clauses are those bundled under its id.

    Raises RulebookError where the text is none.
    """
    try:
        raw = json.loads(text)
        found = raw["rulebook"]["extends" if "extends" in raw["rulebook"] else "id"]
    except (ValueError, LookupError, TypeError) as error:
        fault = Problem("text", f"is no canonical text of a rulebook: {error}", "take it from a record")
        raise RulebookError("record", [fault]) from error
    folder = _home().joinpath(str(found) if found in rulebook_ids() else "shared")
    rulebook, problems = assemble(raw, folder)
    if problems:
        raise RulebookError(rulebook.id, problems)
    return rulebook


class ClauseFile(Mapping[str, Clause]):
    """The clauses of one document; their texts are parsed when the first one is asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ids = dict.fromkeys(_ID.findall(text))
        self._parsed: dict[str, Clause] | None = None

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, clause: object) -> bool:
        return clause in self._ids

    def __getitem__(self, clause: str) -> Clause:
        if self._parsed is None:
            self._parsed = {c.id: c for c in _listed(_parsed(self._text, CLAUSES))}
        return self._parsed[clause]


_ID = re.compile(r'^\s*id\s*=\s*"([^"]+)"', re.MULTILINE)


@cache
def all_clauses() -> Mapping[str, Clause]:
    """Every clause of every bundled document."""
    folders = sorted((f for f in _home().iterdir() if f.is_dir()), key=lambda f: f.name)
    return ChainMap(*(_clauses(folder) for folder in folders))  # type: ignore[arg-type]


def _home() -> Traversable:
    return resources.files("houseway").joinpath("rulebooks")


def _find(ref: str) -> tuple[dict[str, Any], Traversable]:
    if ref in rulebook_ids():
        folder: Traversable = _home().joinpath(ref)
        return _toml(folder.joinpath(RULES)) | _toml(folder.joinpath(PROCEDURE)), folder
    path = Path(ref)
    try:
        path = path.joinpath(RULES) if path.is_dir() else path
        found = path.is_file()
    except (OSError, ValueError):
        # A name no file can have: too long, or with a null in it.
        found = False
    if not found:
        right = f"{meant(ref, rulebook_ids())}; a path to a TOML file works as well"
        shown = ref if len(ref) <= 80 else f"{ref[:80]}…"
        raise RulebookError(shown, [Problem("rulebook", f"{shown!r} is neither an id nor a file", right)])
    try:
        beside = path.with_name(PROCEDURE) if path.name == RULES else None
        steps = _toml(beside) if beside is not None else {}
        return _parsed(path.read_text(encoding="utf-8"), path.name) | steps, path.parent
    except UnicodeDecodeError as error:
        fault = Problem("file", f"is no text in UTF-8: {error}", "save it as UTF-8")
        raise RulebookError(ref, [fault]) from error


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        fault = Problem("file", f"{name} is no TOML: {error}", "mend the line it names")
        raise RulebookError(name, [fault]) from error


def _toml(file: Traversable) -> dict[str, Any]:
    return _parsed(_text(file), file.name)


def _text(file: Traversable) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def _clauses(folder: Traversable) -> ClauseFile:
    return ClauseFile(_text(folder.joinpath(CLAUSES)))


def _rounds(folder: Traversable) -> tuple[dict[str, Any], ...]:
    listed = _toml(folder.joinpath(ROUNDS)).get("round", ())
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
    pays, house = (_toml(_home().joinpath("shared", name)) for name in ("pays.toml", "house.toml"))
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
