"""What is wrong with a rulebook: every cell of every decision table, every clause, every limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from houseway.money import Flat, Odds, Payment, Share
from houseway.ranking import CLASSES
from houseway.rules.compile import Rule, answers, branches, chosen_table
from houseway.rules.facts import LOOKS, Group, matching
from houseway.rules.posted import findings
from houseway.rules.problems import Problem, meant
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import PayTable, Row, Wager

HANDS = ("standing", "held", "folded")
DIRECTIONS = ("clockwise", "counter-clockwise")


def check(rulebook: Rulebook, base: Rulebook | None = None) -> list[Problem]:
    """Every problem of meaning; faults of form were noted when the file was read."""
    problems = [*_ranking(rulebook)]
    if problems:
        return problems
    for wager in rulebook.wagers.values():
        problems += _wager(rulebook, wager)
    problems += _tables(rulebook)
    problems += _passes(rulebook)
    problems += _references(rulebook)
    offered = rulebook.option("offered")
    if offered is not None and sorted(offered) != sorted(set(rulebook.wagers) - {"envy"}):
        wrong = f"lists {', '.join(map(str, offered))}"
        problems.append(Problem("options.offered.value", wrong, "list the wagers the file describes"))
    if rulebook.limit_basis is None:
        wrong = "is missing"
        problems.append(
            Problem("posted_limits", wrong, "say what refuses a wager outside the posted limits")
        )
    problems += _clauses(rulebook, base)
    problems += _limits(rulebook)
    if base is not None:
        problems += _extension(rulebook, base)
    return list(dict.fromkeys(problems))


def _ranking(rulebook: Rulebook) -> Iterator[Problem]:
    order = rulebook.ranking.order
    for n, name in enumerate(order):
        if name not in CLASSES:
            path = f"ranking.classes[{n}].name"
            yield Problem(path, f"{name!r} is no class of hands", meant(name, CLASSES))
    if not order or order[-1] != "high card":
        wrong = "does not end with high card"
        yield Problem("ranking.classes", wrong, "every hand must have a class")
    if len(set(order)) != len(order):
        yield Problem("ranking.classes", "names a class twice", "name each class once")
    if rulebook.ranking.decks < 1:
        yield Problem("ranking.decks", "is no number of decks", "write 1 or more")
    qualifier = rulebook.option("qualifier")
    if qualifier is not None and qualifier not in order:
        path = "options.qualifier.value"
        yield Problem(path, f"{qualifier!r} is no class of hands", meant(str(qualifier), order))


def _wager(rulebook: Rulebook, wager: Wager) -> Iterator[Problem]:
    path = f"wager.{wager.name}"
    if wager.looks not in LOOKS:
        wrong = f"{wager.looks!r} is no group of facts"
        yield Problem(f"{path}.looks", wrong, meant(wager.looks, LOOKS))
        return
    group = rulebook.group(wager.looks)
    yield from _conditions(wager.pays, group)
    if not wager.pays:
        yield Problem(f"{path}.pays", "is empty", "say what the wager comes to in every case")
        return
    kinds = {r.table.partition(".")[0] for r in wager.pays if r.table and "." not in r.table}
    choices = [[(kind, name) for name in rulebook.tables.get(kind, {})] for kind in sorted(kinds)]
    fired: dict[str, bool] = {r.path: False for r in wager.pays}
    for chosen in product(*choices):
        yield from _cells(rulebook, wager, dict(chosen), group, fired)
    for row in wager.pays:
        if not fired[row.path]:
            right = "earlier rows already answer all its cases; move it up or take it out"
            yield Problem(row.path, "can never fire", right)


def _conditions(rows: Iterable[Row], group: Group) -> Iterator[Problem]:
    facts = {f.name: f for f in group.facts}
    for row in rows:
        for name, condition in row.when.items():
            path = f"{row.path}.when.{name}"
            if name not in facts:
                wrong = f"{name!r} is no fact this wager looks at"
                yield Problem(path, wrong, meant(name, facts))
                continue
            values = matching(facts[name], condition)
            if isinstance(values, str):
                wrong, _, right = values.partition("; ")
                yield Problem(path, wrong, right)


def _cells(
    rulebook: Rulebook,
    wager: Wager,
    chosen: Mapping[str, str],
    group: Group,
    fired: dict[str, bool],
) -> Iterator[Problem]:
    """Walk every possible cell: what no row answers, and which table rows never do."""
    found = branches(rulebook, wager, chosen)
    missing: dict[str, list[tuple[Any, ...]]] = {}
    table_fired = {rule.path: not rule.sure for b in found if b.table for rule in b.table}
    for cell, met, answered in answers(found, group):
        if not group.possible(cell):
            continue
        for rule in met:
            (fired if rule.path in fired else table_fired)[rule.path] = True
        if not answered and all(rule.sure for rule in met):
            missing.setdefault(_asked(wager, met, rulebook, chosen), []).append(cell)
    for path, cells in missing.items():
        right = "add a row that says what the wager comes to there"
        yield Problem(path, f"no row answers {_described(cells, group)}", right)
    # A printed table that several wagers read, or that is read in part, is judged by its readers.
    for rule_path, did in table_fired.items():
        if not did:
            yield Problem(rule_path, "can never fire", "no case reaches it; take it out")


def _asked(wager: Wager, met: list[Rule], rulebook: Rulebook, chosen: Mapping[str, str]) -> str:
    """The key where the answer should have been: the pay table that was asked, or the wager."""
    row = next((r for r in wager.pays if met and r.path == met[-1].path and r.table), None)
    table = chosen_table(rulebook, row.table, chosen) if row and row.table else None
    return f"tables.{table.kind}.{table.name}.rows" if table else f"wager.{wager.name}.pays"


def _described(cells: list[tuple[Any, ...]], group: Group) -> str:
    """Missing cells in words: only the facts that matter, all their values."""
    columns = list(zip(*cells, strict=True))
    parts = []
    for fact, column in zip(group.facts, columns, strict=True):
        values = [v for v in fact.domain if v in column]
        if len(values) < len(fact.domain):
            named = ", ".join(str(v).lower() if isinstance(v, bool) else str(v) for v in values)
            parts.append(f"{fact.name} = {named}")
    return " with ".join(parts) or "any case at all"


def _tables(rulebook: Rulebook) -> Iterator[Problem]:
    used = {r.table.partition(".")[0] for w in rulebook.wagers.values() for r in w.pays if r.table}
    for kind, tables in rulebook.tables.items():
        if kind not in used:
            wrong = "is no pay table any wager asks"
            yield Problem(f"tables.{kind}", wrong, meant(kind, used))
        for table in tables.values():
            yield from _table(rulebook, table)


def _table(rulebook: Rulebook, table: PayTable) -> Iterator[Problem]:
    path = f"tables.{table.kind}.{table.name}"
    if not table.rows:
        yield Problem(f"{path}.rows", "is empty", "name a shared table or write its rows")
    readers = [
        w for w in rulebook.wagers.values()
        if any(r.table and r.table.partition(".")[0] == table.kind for r in w.pays)
    ]  # fmt: skip
    for wager in readers:
        if wager.looks in LOOKS:
            yield from _conditions(table.rows, rulebook.group(wager.looks))
    if table.cards and table.cards.value not in ("seven", "first five"):
        wrong = f"{table.cards.value!r} are no cards a table reads"
        yield Problem(f"{path}.cards", wrong, meant(table.cards.value, ("seven", "first five")))
    shares = {r.pays.meter for r in table.rows if isinstance(r.pays, Share)}
    for meter in sorted(shares - set(table.meters)):
        wrong = f"a share of the meter {meter!r}, which the table does not have"
        yield Problem(f"{path}.rows", wrong, meant(meter, table.meters))


def _passes(rulebook: Rulebook) -> Iterator[Problem]:
    settled = {step.wager for walk in rulebook.settlement for step in walk.steps}
    for n, walk in enumerate(rulebook.settlement):
        for word in walk.hands:
            if word not in HANDS:
                path = f"pass[{n}].hands"
                yield Problem(path, f"{word!r} are no hands a pass can take", meant(word, HANDS))
        if walk.direction and walk.direction.value not in DIRECTIONS:
            wrong = f"{walk.direction.value!r} is no direction"
            yield Problem(f"pass[{n}].direction", wrong, meant(walk.direction.value, DIRECTIONS))
        for step in walk.steps:
            if step.wager not in rulebook.wagers:
                wrong = f"{step.wager!r} is no wager of this rulebook"
                yield Problem(f"pass[{n}].wagers", wrong, meant(step.wager, rulebook.wagers))
    for name in rulebook.wagers:
        if name not in settled:
            yield Problem(f"wager.{name}", "is settled in no pass", "add it to a [[pass]]")


def _references(rulebook: Rulebook) -> Iterator[Problem]:
    """Names of wagers and settings used elsewhere."""
    named: list[tuple[str, str]] = []
    for name, wager in rulebook.wagers.items():
        named += [(f"wager.{name}.beside", other) for other in (wager.beside.value if wager.beside else ())]
        if wager.equals:
            named.append((f"wager.{name}.equals", wager.equals.value))
    for n, cap in enumerate(rulebook.caps):
        named += [(f"cap[{n}].wagers", other) for other in cap.wagers]
        if (cap.limit is None) == (cap.setting is None):
            yield Problem(f"cap[{n}]", "has no limit", "give limit or setting, one of the two")
        if cap.setting and cap.setting not in rulebook.house:
            wrong = f"{cap.setting!r} is no house setting"
            yield Problem(f"cap[{n}].setting", wrong, meant(cap.setting, rulebook.house))
    for n, approval in enumerate(rulebook.approvals):
        named += [(f"approval[{n}].wagers", other) for other in approval.wagers]
    for path, other in named:
        if other not in rulebook.wagers:
            wrong = f"{other!r} is no wager of this rulebook"
            yield Problem(path, wrong, meant(other, rulebook.wagers))


def _clauses(rulebook: Rulebook, base: Rulebook | None) -> Iterator[Problem]:
    own = rulebook.clauses or (base.clauses if base else {})
    for clause, path in rulebook.cited():
        if clause not in rulebook.known:
            wrong = f"{clause!r} is no clause of any document"
            yield Problem(path, wrong, meant(clause, rulebook.known))
    if not own:
        return
    for path, basis in rulebook.bases():
        foreign = [c for c in basis.deciding if c in rulebook.known and c not in own]
        if foreign and not basis.filled:
            wrong = f"{foreign[0]} belongs to another document"
            yield Problem(path, wrong, "write filled = … in place of clause = …")


def _limits(rulebook: Rulebook) -> Iterator[Problem]:
    if rulebook.posted:
        for found in findings(rulebook, rulebook.posted, {}, progressive=rulebook.top_progressive):
            path = f"posted.{found.wager}"
            yield Problem(path, found.sentence, found.clause or "mend the limits", found.weight)


def _extension(rulebook: Rulebook, base: Rulebook) -> Iterator[Problem]:
    """What the document forbids a house to change in its pay tables."""
    for kind, rule in rulebook.table_rules.items():
        old, new = base.tables.get(kind, {}), rulebook.tables.get(kind, {})
        for name, table in new.items():
            path = f"tables.{kind}.{name}"
            if rule.closed and (name not in old or not _same(old[name], table)):
                right = f"{rule.closed} allows only {', '.join(old)} as printed"
                yield Problem(path, "is not a table the document prints", right)
            if rule.no_less and name in old:
                yield from _lowered(old[name], table, path, str(rule.no_less))
            elif rule.no_less:
                right = f"{rule.no_less} knows {', '.join(old)}"
                yield Problem(path, "is not a table the document prints", right)


def _same(one: PayTable, other: PayTable) -> bool:
    parts = ("seeds", "wager", "cards", "base", "meters")
    return _lines(one) == _lines(other) and all(getattr(one, p) == getattr(other, p) for p in parts)


def _lines(table: PayTable) -> dict[str, Payment | None]:
    return {repr(sorted(r.when.items())): r.pays for r in table.rows}


def _lowered(old: PayTable, new: PayTable, path: str, clause: str) -> Iterator[Problem]:
    lines = _lines(new)
    for row in old.rows:
        now = lines.get(repr(sorted(row.when.items())), "lose")
        if _worth(now) < _worth(row.pays):
            hand = row.when.get("hand", "a line")
            wrong = f"pays {hand} {now}, less than the printed {row.pays}"
            yield Problem(f"{path}.rows.{hand}", wrong, f"{clause}: no less than {row.pays}")


def _worth(pays: Payment | None) -> Any:
    if isinstance(pays, Odds):
        return pays.ratio - pays.keeps_stake
    if isinstance(pays, Flat):
        return pays.amount
    return -1 if pays in ("lose", None) else 0
