"""Find the code that implements a clause: the function of a step, or the lines that read a rule."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import houseway
from houseway.engine import (
    decide,
    decisions,
    irregularities,
    meters,
    script,
    seats_and_wagers,
    settle,
    showdown_acts,
    stub_count,
)
from houseway.engine.hand_facts import TableFacts
from houseway.engine.settlement_plan import CappedWinnings, SettlementPlan
from houseway.engine.side_bets import SideBets
from houseway.engine.stake_checks import StakeChecks
from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.play import wager_words
from houseway.ranking import classes, lookup_tables
from houseway.ranking.fast_evaluator import Evaluator
from houseway.report import postings
from houseway.rules import checks
from houseway.rules.compile import tables_in_use
from houseway.rules.procedure import SECTIONS, Step
from houseway.rules.rulebook import Ranking, Rulebook
from houseway.rules.wagers import Wager
from houseway.server import permissions, table_sheets

HOME = Path(houseway.__file__).parent
MOST = 3
"""The largest number of lines listed for one name."""
FOLDERS = ("engine", "rules", "report", "live")
"""The packages that read a rulebook's options, rules and settings."""
CHECKERS = re.compile(r"^rules/(check\w*|changes|compare)")
"""The modules that check or change a rulebook's file; they do not implement its clauses."""

PARTS: dict[str, Callable[..., Any]] = {
    "wager": settle.Settler.wager,
    "tables": settle.Settler.wager,
    "pass": settle.Settler.settle_pass,
    "cap": settle.Settler.capped,
    "approval": showdown_acts.settle,
    "stage": decisions.deciding_seat,
    "cue": script.script,
    "house_way": showdown_acts.set_dealer,
    "entry": StakeChecks.entry,
    "limits": StakeChecks.bounds,
    "posted_limits": StakeChecks.bounds,
    "bet_limit": StakeChecks.bet_limit,
    "posting": postings.sheet,
    "table_rules": checks.check,
}
"""The function that reads each part of a rulebook."""
PATHS: tuple[tuple[re.Pattern[str], tuple[Callable[..., Any] | property, ...]], ...] = tuple(
    (re.compile(path), codes)
    for path, codes in (
        (r"wager\.envy\.(beside|least)$", (Terms.envious,)),
        (r"wager\.envy\b|tables\.envy\.", (settle.Settler._envy, SideBets.triggers, SideBets.envy)),
        (r"tables\.progressive\.\w+\.(seeds\.\w+|base)$", (meters.seed, decide._opened, meters.Meters)),
        (r"tables\.progressive\.", (settle.Settler.wager, SideBets.award, meters.Meters.award)),
        (r"tables\.cover_all\.", (settle.Settler.wager, showdown_acts.show_payouts)),
        (r"wager\.\w+\.closes$", (seats_and_wagers._check_open, seats_and_wagers._closing_clause)),
        (r"pass\[\d+\]\.unqualified$", (Table.unqualified, Table.direction, Table.clause_now)),
        (r"cap\[", (settle.Settler.capped, CappedWinnings.pay)),
        # The evaluators have these rules built in. The check rejects a rulebook with any other value.
        (r"ranking\.low_ace$", (checks._ranking, classes.straight)),
        (r"ranking\.(card_order|suits_equal|kickers)$", (checks._ranking, classes.classify)),
        (r"ranking\b", (Ranking.evaluator, Evaluator.strength, lookup_tables.build, classes.classify)),
        (r"house\.\w+\.needs\[", (Terms.refusals,)),
        (r"options\.qualifier$", (Rulebook.qualifier, TableFacts.__init__, showdown_acts.reveal)),
        (r"options\.more_positions$", (Terms.one_position, StakeChecks.positions, permissions._sit)),
    )
)
"""The functions that act on the paths that a pattern matches; the first pattern that matches decides."""
SHOWN: dict[str, tuple[Callable[..., Any], ...]] = {
    "house_way": (table_sheets.posted_house_way, wager_words.house_way_text),
}
"""The functions that show players a posting on the page and in the terminal."""
PRINTED: dict[tuple[str, str], Callable[..., Any]] = {("cut", "says[3]"): script.script}
"""The function that prints a line of a step, by the step's act, if the act's own function ignores the line:
after the cut, the dealer takes the cover card out."""
STAKES = re.compile(r"^wager\.\w+\.(beside|equals|amount|modes|alone)$")
"""Matches the paths of conditions on a stake, such as `wager.trips.beside`."""

STAGE = {
    "sizes": decisions.play,
    "laid": decisions.play,
    "check": decisions.check,
    "fold": decisions.fold,
    "locks": decisions.deciding_seat,
}
"""The function that reads each key of a `stage`."""

# Match code that reads an option, a house setting, a rule of the table or a rule of a step by its name.
_IN = '"{0}" (not )?in '
_READS = {
    "options": rf'{_IN}[\w.]*options|option\("{{0}}"|options(\.get)?[\[(]"{{0}}"|\.clause\("{{0}}"\)',
    "house": r'house(\.get)?[\[(]"{0}"',
    "procedure": rf'{_IN}[\w.]*standing|standing\.get\("{{0}}"|\brule\((".*" if .* else )?"{{0}}"',
    "rules": rf'{_IN}[\w.]*rules|rules(\.get)?[\[(]"{{0}}"|(clause|_layout)\([^()]*"{{0}}"\)',
}
_CITES = re.compile(r'\.clause\("\w+"\)')
"""A line that only cites a clause; lines that decide something are listed before it."""

_INDEXED = re.compile(r"^(\w+)\[(\d+)\]")
_RULE = re.compile(r"\.rules\.(\w+)")
_NAMED = re.compile(r"^(options|house|procedure)\.(\w+)")
_STAGE = re.compile(r"^stage\[\d+\]\.(\w+)")


def code_for(book: Rulebook, path: str) -> list[str]:
    """Return the code that reads a path of a rulebook's data, such as "engine/deal_acts.py:246 burn"."""
    own = next((codes for pattern, codes in PATHS if pattern.match(path)), None)
    if own is not None:
        named = _NAMED.match(path)
        lines = _lines_reading(named[1], named[2]) if named and named[0] == path else ()
        return [*map(_place, own), *(line for line in lines if any(_is_inside(line, code) for code in own))]
    places: list[str] = []
    row = _INDEXED.match(path)
    step = _step_at(book, path)
    if step is not None:
        printed = PRINTED.get((step.act, path.rpartition(".")[2]))
        places.append(_place(printed or decide.ACTS.get(step.act) or decisions.deciding_seat))
    elif row and row[1] == "irregularity":
        kind = book.procedure.irregularities[int(row[2])].kind
        places.append(_place(irregularities.REPORTS.get(kind, stub_count.count_stub)))
    elif row and row[1] == "posting":
        places += map(_place, SHOWN.get(book.postings[int(row[2])].shows, ()))
    part, stage = path.partition(".")[0].partition("[")[0], _STAGE.match(path)
    if STAKES.match(path):
        places.append(_place(StakeChecks.stakes))
    elif stage and stage[1] in STAGE:
        places.append(_place(STAGE[stage[1]]))
    elif part in PARTS:
        places.append(_place(PARTS[part]))
    named, rule = _NAMED.match(path), _RULE.search(path)
    if named and named[1] == "house":
        places += _readers(book, named[2])
    if named:
        places += _lines_reading(named[1], named[2])
    if rule:
        places += _lines_reading("rules", rule[1], step.act if step else "")
    return sorted(dict.fromkeys(places), key=lambda place: " " not in place)


def _readers(book: Rulebook, name: str) -> list[str]:
    """Return the functions that read a house setting whose name is in the rulebook, not in the code."""
    steps = [step for section in SECTIONS for step in book.procedure.steps(section)]
    given = [walk.when for walk in book.settlement]
    given += [step.when for walk in book.settlement for step in walk.steps]
    read = {
        Table._has: any(name in alternative for step in steps for alternative in step.when),
        SettlementPlan._holds: any(name in when for when in given),
        Wager.rows: any(name in wager.settings for wager in book.wagers.values()),
        SettlementPlan.caps_at: any(cap.setting == name for cap in book.caps),
        tables_in_use: name.endswith("_table") and name.removesuffix("_table") in book.tables,
        StakeChecks.bounds: book.house[name].kind == "limits",
    }
    return [_place(code) for code, reads in read.items() if reads]


def step_at(book: Rulebook, path: str) -> str:
    """Return the name of the step at a path; empty for any other path."""
    step = _step_at(book, path)
    return step.name if step is not None else ""


def _step_at(book: Rulebook, path: str) -> Step | None:
    row = _INDEXED.match(path)
    if row is None or row[1] not in SECTIONS:
        return None
    return book.procedure.steps(row[1])[int(row[2])]


@cache
def _place(code: Any) -> str:
    code = _function(code)
    file = Path(inspect.getsourcefile(code) or "").relative_to(HOME)
    lines, first = inspect.getsourcelines(code)
    decorators = next(n for n, line in enumerate(lines) if line.lstrip().startswith(("def ", "class ")))
    return f"{file}:{first + decorators} {code.__qualname__}"


def _function(code: Any) -> Any:
    return inspect.unwrap(code.fget if isinstance(code, property) and code.fget else code)


def _is_inside(line: str, code: Any) -> bool:
    """True if a line, such as "engine/terms.py:282", belongs to a function."""
    at, _, number = line.rpartition(":")
    lines, first = inspect.getsourcelines(_function(code))
    file = str(Path(inspect.getsourcefile(_function(code)) or "").relative_to(HOME))
    return _within((at, int(number)), (file, first, first + len(lines)))


@cache
def _lines_reading(family: str, name: str, act: str = "") -> tuple[str, ...]:
    """Return the lines that read an option, a setting or a rule by its name.

    Two acts may have a rule with the same name. If the function of the step's own act has such lines, only
    those are returned; otherwise, all lines outside the functions of other acts. If there are none, another
    act reads the rule, and its lines are returned.
    """
    reads = re.compile(_READS[family].format(name))
    by_variable = _rules_by_variable() if family == "rules" else frozenset()
    matches = [
        each for each in _lines() if reads.search(each[2]) or (each[0], each[1], name) in by_variable
    ]
    matches.sort(key=lambda each: _CITES.search(each[2]) is not None)
    found = [(file, number) for file, number, _ in matches]
    if act:
        own = [at for at in found if _within(at, _acts().get(act))]
        others = [span for other, span in _acts().items() if other != act]
        found = own or [at for at in found if not any(_within(at, span) for span in others)] or found
    return tuple(f"{file}:{number}" for file, number in found)[:MOST]


def names_by_variable(source: str) -> Iterator[tuple[int, str]]:
    r"""Yield the names of rules that code looks up through a variable, each with its line number.

    >>> list(names_by_variable('def check(step):\n    key = "kept"\n    return key in step.rules'))
    [(2, 'kept')]
    """
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        nodes = list(ast.walk(function))
        keys = {
            node.left.id
            for node in nodes
            if isinstance(node, ast.Compare)
            and isinstance(node.left, ast.Name)
            and isinstance(node.ops[0], ast.In | ast.NotIn)
            and _is_rules(node.comparators[0])
        }
        keys |= {
            node.slice.id
            for node in nodes
            if isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Name)
            and _is_rules(node.value)
        }
        for node in nodes:
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id in keys for target in node.targets
            ):
                yield from _texts(node.value)


def _is_rules(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "rules"


def _texts(node: ast.expr) -> Iterator[tuple[int, str]]:
    """Yield the texts that an expression can be: a text, or the two results of a condition."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


@cache
def _rules_by_variable() -> frozenset[tuple[str, int, str]]:
    """Return the file, the line and the name of every rule that is looked up through a variable."""
    return frozenset(
        (str(file.relative_to(HOME)), line, name)
        for file in _files()
        for line, name in names_by_variable(file.read_text(encoding="utf-8"))
    )


def _within(at: tuple[str, int], span: tuple[str, int, int] | None) -> bool:
    return span is not None and at[0] == span[0] and span[1] <= at[1] < span[2]


@cache
def _acts() -> dict[str, tuple[str, int, int]]:
    """Return the file and the line numbers of every act's function."""
    spans = {}
    functions: dict[str, Any] = {**decide.ACTS, "ask": decisions.deciding_seat}
    for act, code in functions.items():
        lines, first = inspect.getsourcelines(code)
        file = Path(inspect.getsourcefile(code) or "").relative_to(HOME)
        spans[act] = str(file), first, first + len(lines)
    return spans


@cache
def _lines() -> tuple[tuple[str, int, str], ...]:
    """Return every line of the packages that read rulebooks, with its file and number."""
    return tuple(
        (str(file.relative_to(HOME)), number, line)
        for file in _files()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if not line.lstrip().startswith("#")
    )


@cache
def _files() -> tuple[Path, ...]:
    """Return the modules that read rulebooks."""
    listed = [file for folder in FOLDERS for file in sorted((HOME / folder).rglob("*.py"))]
    return tuple(file for file in listed if not CHECKERS.match(str(file.relative_to(HOME))))
