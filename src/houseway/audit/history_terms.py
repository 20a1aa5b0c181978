"""The table's terms at the start of a history: rulebook, deal mode, pay tables, limits and house
settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec

from houseway.audit.history_text import HistoryError, LineReader, items, pairs, phrase, plain, value

TERMS = ("rulebook", "mode", "tables", "limits", "house")
LIMIT = "'from' and an amount, or 'to' and an amount"


def write_terms(rulebook: str, terms: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines for a table's terms. Terms that cannot be written as words are written as JSON."""
    chosen = {name: terms[name] for name in TERMS[1:] if name in terms}
    try:
        lines = list(_in_plain_words(rulebook, chosen))
        readable = read_terms_of(lines) == {"rulebook": rulebook, **chosen}
    except (HistoryError, AttributeError, TypeError):
        readable = False
    if not readable:
        lines = [f"table: {plain(rulebook)}", f"given: {msgspec.json.encode(chosen).decode()}"]
    yield from lines


def _in_plain_words(rulebook: str, terms: Mapping[str, Any]) -> Iterator[str]:
    parts = [plain(rulebook)]
    if "mode" in terms:
        parts.append(terms["mode"])
    if "tables" in terms:
        tables = [f"{phrase(kind)} {plain(name)}" for kind, name in terms["tables"].items()]
        parts += tables or ["tables none"]
    yield f"table: {', '.join(parts)}"
    if "limits" in terms:
        limits = ", ".join(_limit(name, pair) for name, pair in terms["limits"].items())
        yield f"limits: {limits}".rstrip()
    if "house" in terms:
        settings = ", ".join(f"{name} {value(chosen)}" for name, chosen in terms["house"].items())
        yield f"house: {settings}".rstrip()


def _limit(name: str, pair: Mapping[str, str]) -> str:
    low = f" from {pair['min']}" if "min" in pair else ""
    high = f" to {pair['max']}" if "max" in pair else ""
    return f"{phrase(name)}{low}{high}"


def read_terms_of(lines: Iterable[str]) -> dict[str, Any]:
    """Read the terms of a table from its lines."""
    terms: dict[str, Any] = {}
    for number, text in enumerate(lines, 1):
        line = LineReader(number, text)
        terms = read_table(line) if line.next_is("table:") else more_terms(line, terms) or terms
    return terms


def read_table(line: LineReader) -> dict[str, Any]:
    """Read the rest of a `table:` line."""
    terms: dict[str, Any] = {"rulebook": line.plain("a rulebook such as uth-ma")}
    chosen: Any
    while line.next_is(","):
        start, target = line.place, terms
        words = line.plain("a deal mode, or a pay table such as trips B")
        kind, _, name = words.rpartition(" ")
        if words == "tables none":
            part, chosen = "tables", {}
        elif not kind:
            part, chosen = "mode", words
        else:
            target = terms.setdefault("tables", {})
            part, chosen = kind.strip().replace(" ", "_"), name
        if part in target:
            raise line.twice(part, start)
        target[part] = chosen
    line.finish()
    return terms


def more_terms(line: LineReader, terms: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return `terms` with the terms on a line added, or None if the line has no terms."""
    start = line.place
    if line.next_is("limits:"):
        more: dict[str, Any] = {"limits": _read_limits(line)}
    elif line.next_is("house:"):
        name = partial(line.word, "a house setting such as rounding")
        setting = partial(line.value, "the value of the setting")
        more = {"house": pairs(line, name, setting, may_be_empty=True)}
    elif line.next_is("given:"):
        place = line.place
        more = line.json("terms as a JSON object")
        if not isinstance(more, dict) or not more.keys() <= set(TERMS[1:]):
            raise line.wrong(f"expected an object with {', '.join(TERMS[1:])}", place)
    else:
        return None
    line.finish()
    for part in more:
        if part in terms:
            raise line.twice(part, start)
    return {**terms, **more}


def _read_limits(line: LineReader) -> dict[str, dict[str, str]]:
    limits: dict[str, dict[str, str]] = {}
    for _ in items(line, may_be_empty=True):
        start = line.place
        name = [line.word("a wager such as ante")]
        while not line.rest.startswith(("from ", "to ")) and not line.done:
            name.append(line.word(LIMIT))
        ends = {end: line.amount() for word, end in (("from", "min"), ("to", "max")) if line.next_is(word)}
        if not ends:
            raise line.expected(LIMIT)
        pair = limits.setdefault("_".join(name), {})
        if pair.keys() & ends.keys():
            raise line.twice("_".join(name), start)
        pair.update(ends)
    return limits
