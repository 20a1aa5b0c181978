"""Find the code that implements a clause: the function of a step, or the lines that read a rule."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import houseway
from houseway.engine import decide, decisions, irregularities, script, settle, showdown_acts, stub_count
from houseway.engine.stake_checks import StakeChecks
from houseway.report import postings
from houseway.rules import checks
from houseway.rules.procedure import SECTIONS, Step
from houseway.rules.rulebook import Rulebook

HOME = Path(houseway.__file__).parent
MOST = 2
"""The largest number of lines listed for one name."""

PARTS: dict[str, Callable[..., Any]] = {
    "wager": settle.Settler.wager,
    "tables": settle.Settler.wager,
    "pass": settle.Settler.settle_pass,
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
"""The function that reads each part of a rulebook."""
STAKES = re.compile(r"^wager\.\w+\.(beside|equals|amount|modes)$")
"""Matches the paths of conditions on a stake, such as `wager.trips.beside`."""

_INDEXED = re.compile(r"^(\w+)\[(\d+)\]")
_RULE = re.compile(r"\.rules\.(\w+)")
_NAMED = re.compile(r"^(?:options|house|procedure)\.(\w+)")


def code_for(book: Rulebook, path: str) -> list[str]:
    """The code that reads a path of a rulebook's data, such as "engine/deal_acts.py:246 burn"."""
    places: list[str] = []
    row = _INDEXED.match(path)
    step = _step_at(book, path)
    if step is not None:
        places.append(_place(decide.ACTS.get(step.act) or decisions.asked))
    elif row and row[1] == "irregularity":
        kind = book.procedure.irregularities[int(row[2])].kind
        places.append(_place(irregularities.REPORTS.get(kind, stub_count.count_stub)))
    part = path.partition(".")[0].partition("[")[0]
    if STAKES.match(path):
        places.append(_place(StakeChecks.stakes))
    elif part in PARTS:
        places.append(_place(PARTS[part]))
    named = _RULE.search(path) or _NAMED.match(path)
    if named:
        places += _lines_naming(named[1])
    return sorted(dict.fromkeys(places), key=lambda place: " " not in place)


def step_at(book: Rulebook, path: str) -> str:
    """The name of the step at a path; empty for any other path."""
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


READS = re.compile(r"\b(rules?|standing|options?|clause|house)\b")


@cache
def _lines_naming(word: str) -> tuple[str, ...]:
    """The places in engine/ and rules/ that read a rule, an option or a setting by this name."""
    return tuple(place for place, line in _reading_lines() if f'"{word}"' in line)[:MOST]


@cache
def _reading_lines() -> tuple[tuple[str, str], ...]:
    """All lines of engine/ and rules/ that read a rule, an option or a setting, with their places."""
    return tuple(
        (f"{file.relative_to(HOME)}:{number}", line)
        for part in ("engine", "rules")
        for file in sorted((HOME / part).glob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if READS.search(line) and not line.lstrip().startswith("#")
    )
