"""Change values in a rulebook without a file: `blind.straight=push`, `play.flop=3`, `qualifier=none`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

from houseway.money import MoneyError, payment
from houseway.rules.fact_groups import GROUPS
from houseway.rules.fact_groups.base import HAND
from houseway.rules.loader import RulebookError, assemble, raise_problems, resolve
from houseway.rules.problems import Problem, split_problem, suggest
from houseway.rules.rulebook import Rulebook
from houseway.rules.toml_reader import BASIS_KEYS
from houseway.wording import the_wager

STREETS = {"preflop": 0, "flop": 3, "river": 5}
"""The betting points by their usual names, with the number of community cards face up."""
WHENS: dict[str, dict[str, Any]] = {
    "unqualified": {"dealer_qualifies": False},
    "tie": {"contest": "tie"},
    "lose": {"contest": "lose"},
    "win": {"contest": "win"},
}
"""The cases, other than a class of hands, for which a wager's payment can be changed."""
OWN = "set"


def apply_changes(ref: str, changes: Iterable[str]) -> Rulebook:
    """Return a rulebook with some values changed; raises RulebookError with every problem.

    A change is `KEY=VALUE`:

    - a payment: `WAGER.CLASS`, `WAGER.TABLE.CLASS`, `WAGER.tie`, `WAGER.win`, `WAGER.lose` or
      `WAGER.unqualified`;
    - the sizes of the play wager: `play.preflop`, `play.flop`, `play.river`;
    - the class of hands with which the dealer qualifies: `qualifier`.
    """
    raw, folder = resolve(ref)
    raw = deepcopy(raw)
    listed = list(changes)
    problems = [problem for change in listed for problem in _apply(raw, change)]
    if problems:
        raise RulebookError(ref, problems)
    head = raw["rulebook"]
    head["title"] = f"{head['title']}, with {', '.join(listed)}"
    head.setdefault("extends", head["id"])
    book, faults = assemble(raw, folder)
    raise_problems(ref, faults)
    return book


def _apply(raw: dict[str, Any], change: str) -> Iterator[Problem]:
    key, equals, value = (part.strip() for part in change.partition("="))
    if not (key and equals and value):
        yield Problem("", f"{change!r} is not a change", "write KEY=VALUE, as in blind.straight=push")
    elif key == "qualifier":
        yield from _qualifier(raw, value)
    elif key.startswith("play.") and key[5:] in STREETS:
        yield from _sizes(raw, key, value)
    else:
        yield from _payment(raw, key, value)


def _qualifier(raw: dict[str, Any], value: str) -> Iterator[Problem]:
    classes = [c["name"] for c in raw["ranking"]["classes"]]
    name = value.replace("-", " ")
    if name != "none" and name not in classes:
        yield Problem("qualifier", f"{value!r} is not a class of hands", suggest(name, [*classes, "none"]))
    raw["options"]["qualifier"] = {"value": name, "own": OWN}


def _sizes(raw: dict[str, Any], key: str, value: str) -> Iterator[Problem]:
    board = STREETS[key.partition(".")[2]]
    stage = next((s for s in raw.get("stage", ()) if s.get("board") == board), None)
    sizes = [size.strip().removesuffix("x") for size in value.split(",")]
    if stage is None:
        yield Problem(key, "is not a betting point of this rulebook", "use another betting point")
    elif not all(size.isascii() and size.isdigit() and int(size) for size in sizes):
        yield Problem(key, f"{value!r} is not a list of sizes", "write multiples of the ante, as in 3,4")
    else:
        stage["sizes"] = {"value": sorted({int(size) for size in sizes}), "own": OWN}


def _payment(raw: dict[str, Any], key: str, value: str) -> Iterator[Problem]:
    name, *rest = key.split(".")
    wager = raw["wager"].get(name)
    if wager is None:
        known = [*raw["wager"], "qualifier", *(f"play.{street}" for street in STREETS)]
        yield Problem(key, f"{name!r} cannot be set", suggest(name, known))
        return
    try:
        payment(value)
    except MoneyError as error:
        yield split_problem(key, str(error))
        return
    group = GROUPS[wager["looks"]]
    facts = group.facts([c["name"] for c in raw["ranking"]["classes"]], 0)
    classes = next(fact.domain for fact in facts if fact.name == HAND)
    word = rest[-1] if rest else ""
    word = word if word in classes else word.replace("-", " ")
    kinds = {row["table"] for row in wager["pays"] if "table" in row}
    tables = {n: t for kind in kinds for n, t in _tables(raw, kind).items()}
    if len(rest) == 2 and rest[0] not in tables:
        yield Problem(key, f"{rest[0]!r} is not a pay table of {name}", suggest(rest[0], tables))
    elif not rest:
        wrong = "the hand or case to change is missing"
        named = ", ".join((*classes, *WHENS))
        yield Problem(
            key, wrong, f"write for example {name}.{classes[0]}={value}; {the_wager(name)} has {named}"
        )
    elif len(rest) > 2 or word not in (*classes, *WHENS):
        yield Problem(
            key, f"{the_wager(name)} has no payment for {word!r}", suggest(word, [*classes, *WHENS])
        )
    elif word in WHENS and not group.against_dealer:
        wrong = f"{the_wager(name)} is not a bet against the dealer, so it has no payment for {word!r}"
        yield Problem(key, wrong, suggest("", classes))
    elif word in WHENS:
        _row(wager, WHENS[word], value)
    else:
        chosen = [tables[rest[0]]] if len(rest) == 2 else list(tables.values())
        listed = [table for table in chosen if word in table.get("rows", {})]
        for table in listed:
            table["rows"][word] = {"pays": value, "own": OWN}
        if not listed:
            when = {"contest": "win"} if group.against_dealer else {}
            _row(wager, {**when, HAND: word}, value)


def _tables(raw: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the pay tables of a kind by name; "cover_all.3" is only table 3 of the kind cover_all."""
    kind, dot, name = kind.partition(".")
    tables: dict[str, Any] = raw.get("tables", {}).get(kind, {})
    return {name: tables[name]} if dot else tables


def _row(wager: dict[str, Any], when: dict[str, Any], value: str) -> None:
    """Change the row for exactly these facts, or insert one before all rows except those about folds."""
    row = {"when": when, "pays": value, "own": OWN}
    for n, old in enumerate(wager["pays"]):
        if old.get("when", {}) == when:
            wager["pays"][n] = {k: v for k, v in old.items() if k not in BASIS_KEYS | {"table"}} | row
            return
    first = next((n for n, r in enumerate(wager["pays"]) if "folded" not in r.get("when", {})), 0)
    wager["pays"].insert(first, row)
