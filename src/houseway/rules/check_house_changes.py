"""Warn if a house's own rulebook differs from a clause of its base rulebook's document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from houseway.rules.problems import Problem
from houseway.rules.procedure import SECTIONS
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import Basis, join, key_of

PARTS: Final = (
    "ranking", "options", "stages", "entry", "limits", "bet_limit", "wagers", "tables", "table_rules",
    "settlement", "caps", "approvals", "house_way", "procedure",
)  # fmt: skip
"""The parts to compare. The posted limits and the house settings are left out: the house chooses them."""
TEXTS: Final = ("basis", "words", "title", "about", "path")
"""Fields to leave out, because they are not rules: the source of a value, its key path, and texts."""


def house_changes(rulebook: Rulebook, base: Rulebook) -> Iterator[Problem]:
    """Yield a warning for every value that differs from a clause of the base's document."""
    added = set(_for_new_wagers(rulebook, base))
    seen: set[tuple[str, str]] = set()
    for name in PARTS:
        old, new = getattr(base, name), getattr(rulebook, name)
        part = next(field for field in fields(base) if field.name == name)
        for path, basis, gone in _differences(old, new, key_of(part), Basis()):
            clause = next((c for c in basis.deciding if c in base.known), "")
            if not clause or (path, clause) in seen or path in added:
                continue
            seen.add((path, clause))
            kind = "step" if path.startswith(SECTIONS) else "value"
            wrong = f"removes a {kind} that {clause} requires" if gone else f"differs from {clause}"
            restore = "restore the step" if gone and kind == "step" else "restore its value"
            right = f"this is no longer the game in {base.id}'s document; to follow the document, {restore}"
            if basis.filled:
                wrong = f"{'removes' if gone else 'changes'} a {kind} borrowed from {clause}"
                right = f"{base.id}'s document is silent here; keep the {kind} unless your rules differ"
            yield Problem(path, wrong, right, "warning")


def _for_new_wagers(rulebook: Rulebook, base: Rulebook) -> Iterator[str]:
    """Yield the paths that differ only because the house offers a wager that the base does not have."""
    new = rulebook.wagers.keys() - base.wagers.keys()
    offered = [name for name in rulebook.option("offered") or () if name not in new]
    if offered == base.option("offered"):
        yield "options.offered"
    passes = {p.name: p for p in base.settlement}
    for settles in rulebook.settlement:
        before = passes.get(settles.name)
        adds = any(step.wager in new for step in settles.steps)
        if before is not None and adds and {*before.hands} <= {*settles.hands}:
            yield f"pass.{settles.name}.hands"


def _differences(old: Any, new: Any, path: str, above: Basis) -> Iterator[tuple[str, Basis, bool]]:
    """Yield the path and basis of each old value that differs in `new`, and True if `new` lacks it."""
    basis = _basis(old) or above
    if old is None:
        return
    if new is None:
        yield path, basis, True
    elif is_dataclass(old) and type(old) is not type(new):
        yield path, basis, False
    elif is_dataclass(old):
        for part in fields(old):
            if part.name not in TEXTS and not isinstance(getattr(old, part.name), Basis):
                below = path if part.name == "value" else join(path, key_of(part))
                yield from _differences(getattr(old, part.name), getattr(new, part.name), below, basis)
    elif _has_parts(old):
        before, after = _parts(old), _parts(new)
        for name, value in before.items():
            below = f"{path}[{name}]" if name.isdigit() else join(path, name)
            yield from _differences(value, after.get(name), below, basis)
    elif old != new:
        yield path, basis, False


def _basis(value: Any) -> Basis | None:
    """Return the first basis among a value's fields that names a source."""
    for part in fields(value) if is_dataclass(value) else ():
        basis = getattr(value, part.name)
        if isinstance(basis, Basis) and (basis.clauses or basis.house or basis.own):
            return basis
    return None


def _has_parts(value: Any) -> bool:
    rows = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return any(is_dataclass(row) or _has_parts(row) for row in rows)


def _parts(value: Any) -> dict[str, Any]:
    """Return the parts of a table by key, or the rows of a list by name; unnamed rows have a number."""
    if isinstance(value, Mapping):
        return {str(key): below for key, below in value.items()}
    parts: dict[str, Any] = {}
    for n, row in enumerate(value):
        line = str(getattr(row, "path", "")).rpartition(".")[2]
        line = "" if line.endswith("]") else line
        name = str(getattr(row, "name", None) or getattr(row, "wager", None) or line or n)
        modes = "/".join(getattr(row, "modes", ()))
        parts[name if name not in parts else f"{name} {modes or n}"] = row
    return parts
