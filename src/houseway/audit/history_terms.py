"""What a history says of the table before its rounds: rulebook, mode, pay tables, limits, settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from houseway.audit.history_text import HistoryError, Line, items, listed, plain, said, value

TERMS = ("rulebook", "mode", "tables", "limits", "house")


def written_terms(rulebook: str, given: Mapping[str, Any]) -> Iterator[str]:
    """The lines that say under which terms rounds are played; what they cannot say goes as JSON."""
    chosen = {name: given[name] for name in TERMS[1:] if name in given}
    try:
        lines = list(_pretty(rulebook, chosen))
        same = read_terms_of(lines) == {"rulebook": rulebook, **chosen}
    except (HistoryError, AttributeError, TypeError):
        same = False
    yield from (
        lines if same else (f"table: {plain(rulebook)}", f"given: {msgspec.json.encode(chosen).decode()}")
    )


def _pretty(rulebook: str, given: Mapping[str, Any]) -> Iterator[str]:
    parts = [plain(rulebook)]
    if "mode" in given:
        parts.append(given["mode"])
    if "tables" in given:
        parts += [f"{said(kind)} {plain(name)}" for kind, name in given["tables"].items()] or [
            "tables none"
        ]
    yield f"table: {listed(parts)}"
    if "limits" in given:
        yield f"limits: {listed(_limit(name, pair) for name, pair in given['limits'].items())}".rstrip()
    if "house" in given:
        yield f"house: {listed(f'{name} {value(v)}' for name, v in given['house'].items())}".rstrip()


def read_terms_of(lines: Iterable[str]) -> dict[str, Any]:
    """The terms that lines say."""
    terms: dict[str, Any] = {}
    for number, text in enumerate(lines, 1):
        line = Line(number, text)
        terms = read_table(line) if line.next_is("table:") else more_terms(line, terms) or terms
    return terms


def _limit(name: str, pair: Mapping[str, str]) -> str:
    low = f" from {pair['min']}" if "min" in pair else ""
    high = f" to {pair['max']}" if "max" in pair else ""
    return f"{said(name)}{low}{high}"


def read_table(line: Line) -> dict[str, Any]:
    """The rest of a `table:` line."""
    found: dict[str, Any] = {"rulebook": line.plain("a rulebook such as uth-ma")}
    while line.next_is(","):
        words = line.plain("a deal mode, or a pay table such as trips B")
        kind, _, name = words.rpartition(" ")
        if words == "tables none":
            found["tables"] = {}
        elif not kind:
            found["mode"] = words
        else:
            found.setdefault("tables", {})[kind.strip().replace(" ", "_")] = name
    line.finish()
    return found


def read_limits(line: Line) -> dict[str, Any]:
    """The rest of a `limits:` line."""
    found: dict[str, Any] = {}
    for _ in items(line) if not line.done else ():
        name = [line.word("a wager such as ante")]
        while not line.rest.startswith(("from ", "to ")) and not line.done:
            name.append(line.word("'from' and an amount, or 'to' and an amount"))
        pair = found.setdefault("_".join(name), {})
        if line.next_is("from"):
            pair["min"] = line.amount()
        if line.next_is("to"):
            pair["max"] = line.amount()
        if not pair:
            raise line.expected("'from' and an amount, or 'to' and an amount")
    line.finish()
    return found


def read_house(line: Line) -> dict[str, Any]:
    """The rest of a `house:` line."""
    found: dict[str, Any] = {}
    for _ in items(line) if not line.done else ():
        name = line.word("a house setting such as rounding")
        found[name] = line.value("what the setting is")
    line.finish()
    return found


def _given(line: Line) -> dict[str, Any]:
    start = line.place
    found = line.json("terms as a JSON object")
    if not isinstance(found, dict) or not found.keys() <= set(TERMS[1:]):
        raise line.wrong(f"expected an object with {listed(TERMS[1:])}", start)
    line.finish()
    return found


def more_terms(line: Line, terms: Mapping[str, Any]) -> dict[str, Any] | None:
    """The terms with what a line adds to them; None where the line says something else."""
    if line.next_is("limits:"):
        return {**terms, "limits": read_limits(line)}
    if line.next_is("house:"):
        return {**terms, "house": read_house(line)}
    if line.next_is("given:"):
        return {**terms, **_given(line)}
    return None


def read_meters(line: Line) -> dict[str, Any]:
    """The rest of a `meters:` line."""
    found: dict[str, Any] = {}
    for _ in items(line):
        name = line.words("a meter such as main")
        found[name] = line.amount()
    line.finish()
    return found
