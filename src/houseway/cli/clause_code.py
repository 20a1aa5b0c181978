"""From a clause to the code that carries it out: the act of a step, the lines that ask for a rule."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import houseway
from houseway.engine import decide, decisions, irregularities, script, settle, showdown_acts
from houseway.engine.stake_checks import StakeChecks
from houseway.report import postings
from houseway.rules import checks
from houseway.rules.procedure import SECTIONS, Step
from houseway.rules.rulebook import Rulebook

HOME = Path(houseway.__file__).parent
MOST = 2
"""Places told for one name; more would not help."""

PARTS: dict[str, Callable[..., Any]] = {
    "wager": settle.Settler.wager,
    "tables": settle.Settler.wager,
    "pass": settle.Settler.walk,
    "cap": settle.Settler.settlement,
    "approval": showdown_acts.settle,
    "stage": decisions.asked,
    "cue": script.script,
    "house_way": showdown_acts.set_dealer,
    "ranking": settle.Settler,
    "entry": StakeChecks.entry,
    "limits": StakeChecks.bounds,
    "posted_limits": StakeChecks.bounds,
    "bet_limit": StakeChecks.bet_limit,
    "posting": postings.sheet,
    "table_rules": checks.check,
}
"""Parts of a rulebook that one piece of code reads as a whole."""
STAKES = re.compile(r"^wager\.\w+\.(beside|equals|amount|modes)$")
"""What a stake must meet before it is taken."""

_INDEXED = re.compile(r"^(\w+)\[(\d+)\]")
_RULE = re.compile(r"\.rules\.(\w+)")
_NAMED = re.compile(r"^(?:options|house|procedure)\.(\w+)")


def code_for(book: Rulebook, path: str) -> list[str]:
    """Where in the code a place of a rulebook's data is read, as "engine/deal_acts.py:246 burn"."""
    found: list[str] = []
    row = _INDEXED.match(path)
    step = _step_at(book, path)
    if step is not None:
        found.append(_place(decide.ACTS.get(step.act) or decisions.asked))
    elif row and row[1] == "irregularity":
        kind = book.procedure.irregularities[int(row[2])].kind
        found.append(_place(irregularities.REPORTS.get(kind, irregularities.count_stub)))
    part = path.partition(".")[0].partition("[")[0]
    if STAKES.match(path):
        found.append(_place(StakeChecks.stakes))
    elif part in PARTS:
        found.append(_place(PARTS[part]))
    named = _RULE.search(path) or _NAMED.match(path)
    if named:
        found += _asking(named[1])
    return sorted(dict.fromkeys(found), key=lambda place: " " not in place)


def step_at(book: Rulebook, path: str) -> str:
    """The name of the step a place belongs to, or nothing."""
    step = _step_at(book, path)
    return step.name if step is not None else ""


def _step_at(book: Rulebook, path: str) -> Step | None:
    row = _INDEXED.match(path)
    if row is None or row[1] not in SECTIONS:
        return None
    return book.procedure.steps(row[1])[int(row[2])]


@cache
def _place(code: Any) -> str:
    file = Path(inspect.getsourcefile(code) or "").relative_to(HOME)
    return f"{file}:{inspect.getsourcelines(code)[1]} {code.__qualname__}"


ASKING = re.compile(r"\b(rules?|standing|options?|clause|house)\b")


@cache
def _asking(word: str) -> tuple[str, ...]:
    """The lines of engine and rules that ask for a rule, an option or a setting by its name."""
    return tuple(place for place, line in _that_ask() if f'"{word}"' in line)[:MOST]


@cache
def _that_ask() -> tuple[tuple[str, str], ...]:
    """The lines of engine and rules that ask for anything, each with its place."""
    return tuple(
        (f"{file.relative_to(HOME)}:{number}", line)
        for part in ("engine", "rules")
        for file in sorted((HOME / part).glob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if ASKING.search(line) and not line.lstrip().startswith("#")
    )
