"""Names that one part of a rulebook uses and another part must have: wagers, settings, modes, hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from houseway.rules.compile import tables_in_use
from houseway.rules.options import ULTIMATE
from houseway.rules.problems import Problem, meant
from houseway.rules.reading import MODES
from houseway.rules.rulebook import MOST_SEATS, Pass, Rulebook

HANDS = ("standing", "held", "folded")
DIRECTIONS = ("clockwise", "counter-clockwise")
EXCLUDES = ("hand", "player")


def check(rulebook: Rulebook) -> Iterator[Problem]:
    """Every name nobody resolves, and every part that must be there and is not."""
    yield from _wagers(rulebook)
    yield from _options(rulebook)
    yield from _passes(rulebook)
    yield from _settled(rulebook)
    yield from _caps(rulebook)
    yield from _chosen_tables(rulebook)
    yield from _house(rulebook)
    for part, missing, right in (
        ("rulebook.source", not rulebook.source.value, "say which document the rulebook holds"),
        ("posted_limits", rulebook.limit_basis is None, "say what refuses a wager outside posted limits"),
        ("stage", rulebook.game == ULTIMATE and not rulebook.stages, "write the betting points"),
        (
            "stage",
            _never_folds(rulebook),
            "let players fold; a list is replaced whole: write every point",
        ),
        ("entry", rulebook.entry is None, "say which wagers get a player dealt in"),
    ):
        if missing:
            wrong = "has no point at which to fold" if part == "stage" and rulebook.stages else "is missing"
            yield Problem(part, wrong, right)
    for n, posting in enumerate(rulebook.postings):
        for key in ("where", "shows"):
            if not getattr(posting, key):
                yield Problem(f"posting[{n}].{key}", "is missing", "say where the table shows what")


def _never_folds(rulebook: Rulebook) -> bool:
    return bool(rulebook.stages) and not any(stage.fold for stage in rulebook.stages)


def _unknown(path: str, word: str, known: Iterable[str], what: str) -> Iterator[Problem]:
    names = list(known)
    if word not in names:
        yield Problem(path, f"{word!r} is no {what}", meant(str(word), names))


def _wagers(rulebook: Rulebook) -> Iterator[Problem]:
    """Where wagers name each other."""
    named: list[tuple[str, str]] = []
    for name, wager in rulebook.wagers.items():
        named += [(f"wager.{name}.beside", other) for other in (wager.beside.value if wager.beside else ())]
        if wager.equals:
            named.append((f"wager.{name}.equals", wager.equals.value))
            if wager.equals.value == name:
                yield Problem(f"wager.{name}.equals", "names the wager itself", "name another wager")
        for mode in wager.modes.value if wager.modes else ():
            yield from _unknown(f"wager.{name}.modes", mode, rulebook.modes, "deal mode of this rulebook")
        if wager.excludes:
            yield from _unknown(f"wager.{name}.excludes", wager.excludes.value, EXCLUDES, "way to exclude")
    for part, names in (("posted", rulebook.posted), ("limits", rulebook.limits)):
        named += [(f"{part}.{name}", name) for name in names]
    for way in rulebook.entry.value if rulebook.entry else ():
        named += [("entry.value", name) for name in way]
    for n, approval in enumerate(rulebook.approvals):
        named += [(f"approval[{n}].wagers", other) for other in approval.wagers]
    for n, cap in enumerate(rulebook.caps):
        named += [(f"cap[{n}].wagers", other) for other in cap.wagers]
    for path, other in named:
        yield from _unknown(path, other, rulebook.wagers, "wager of this rulebook")
    for kind in rulebook.table_rules:
        yield from _unknown(f"table_rules.{kind}", kind, rulebook.tables, "kind of pay table")


def _options(rulebook: Rulebook) -> Iterator[Problem]:
    offered = rulebook.option("offered")
    described = sorted({*rulebook.wagers} - {"envy"})
    if isinstance(offered, list) and sorted(map(str, offered)) != described:
        wrong = f"lists {', '.join(map(str, offered))}"
        right = f"list the wagers the file describes: {', '.join(described)}"
        yield Problem("options.offered.value", wrong, right)
    for tip in rulebook.option("tips") or ():
        yield from _unknown("options.tips.value", tip, rulebook.wagers, "wager of this rulebook")
    modes = rulebook.option("modes")
    if modes is not None and not modes:
        yield Problem("options.modes.value", "is empty", f"list one or more of {', '.join(MODES)}")
    for mode in modes or ():
        yield from _unknown("options.modes.value", mode, MODES, "deal mode")
    if any(type(n) is not int or n < 1 for n in rulebook.option("decks") or ()):
        yield Problem("options.decks.value", "lists no numbers of decks", "list whole numbers from 1")
    seats = rulebook.option("seats")
    if type(seats) is int and not 1 <= seats <= MOST_SEATS:
        yield Problem("options.seats.value", f"{seats} is no number of seats", f"write 1 to {MOST_SEATS}")


def _passes(rulebook: Rulebook) -> Iterator[Problem]:
    for n, walk in enumerate(rulebook.settlement):
        path = f"pass[{n}]"
        if not walk.hands:
            yield Problem(f"{path}.hands", "is missing", f"list some of {', '.join(HANDS)}")
        for word in walk.hands:
            yield from _unknown(f"{path}.hands", word, HANDS, "kind of hand a pass can take")
        if walk.direction:
            yield from _unknown(f"{path}.direction", walk.direction.value, DIRECTIONS, "direction")
        for step in walk.steps:
            if step.wager:
                yield from _unknown(f"{path}.wagers", step.wager, rulebook.wagers, "wager of this rulebook")
        yield from _conditions(rulebook, walk, path)


def _conditions(rulebook: Rulebook, walk: Pass, path: str) -> Iterator[Problem]:
    for name, value in walk.when.items():
        if name == "dealer_qualifies":
            if not isinstance(value, bool):
                yield Problem(f"{path}.when.{name}", f"{value!r} is no answer", "write true or false")
            continue
        setting = rulebook.house.get(name)
        if setting is None:
            known = ["dealer_qualifies", *rulebook.house]
            yield from _unknown(f"{path}.when.{name}", name, known, "condition of a pass")
            continue
        _, wrong = setting.read(value)
        if wrong:
            yield Problem(f"{path}.when.{name}", wrong, "give a value of the setting")


def _settled(rulebook: Rulebook) -> Iterator[Problem]:
    """Every wager is settled for every hand that can still have it, under any condition."""
    states = ["standing"]
    if any(stage.fold for stage in rulebook.stages):
        states.append("folded")
        if rulebook.option("held_for") not in (None, "no trips"):
            states.append("held")
    for name in rulebook.wagers:
        for state in states:
            # A play wager stands; trips that hold every folded hand never lie on a racked one.
            never = (name == "play" and state != "standing") or (
                name == "trips" and state == "folded" and rulebook.option("held_for") == "any trips"
            )
            if never:
                continue
            walks = [w for w in rulebook.settlement if state in w.hands and not w.when]
            if not any(step.wager == name for walk in walks for step in walk.steps):
                wrong = f"is settled in no pass for {state} hands"
                yield Problem(f"wager.{name}", wrong, "add it to a [[pass]] that is always made")


def _caps(rulebook: Rulebook) -> Iterator[Problem]:
    for n, cap in enumerate(rulebook.caps):
        path = f"cap[{n}]"
        if cap.limit is not None and cap.setting is not None:
            yield Problem(path, "has a limit and a setting", "give one of the two")
        elif cap.limit is None and cap.setting is None:
            yield Problem(path, "has no limit", 'give limit = "50000" or setting = "…"')
        elif cap.setting is not None:
            yield from _unknown(f"{path}.setting", cap.setting, rulebook.house, "house setting")
            setting = rulebook.house.get(cap.setting)
            if setting is not None and setting.kind != "money":
                wrong = f"{cap.setting!r} is a setting of kind {setting.kind}"
                yield Problem(f"{path}.setting", wrong, "a cap needs one of kind money")


def _chosen_tables(rulebook: Rulebook) -> Iterator[Problem]:
    """Where several pay tables of a kind exist somebody must be able to say which is in use."""
    asked = {r.table for w in rulebook.wagers.values() for r in w.pays if r.table and "." not in r.table}
    chosen = tables_in_use(rulebook, {}, {})
    for kind, tables in rulebook.tables.items():
        setting = rulebook.house.get(f"{kind}_table")
        if setting is not None and setting.assumed is not None:
            path = f"house.{kind}_table"
            yield from _unknown(path, setting.assumed, tables, f"{kind} table of this rulebook")
        elif kind in asked and kind not in chosen and not (kind == "envy" and "progressive" in chosen):
            right = "add the house setting with a default or an example"
            yield Problem(
                f"house.{kind}_table", f"is missing, and there are {len(tables)} {kind} tables", right
            )


def _house(rulebook: Rulebook) -> Iterator[Problem]:
    for name, setting in rulebook.house.items():
        for n, need in enumerate(setting.needs):
            path = f"house.{name}.needs[{n}].setting"
            if need.setting:
                yield from _unknown(path, need.setting, rulebook.house, "house setting")
    way = rulebook.house_way
    if rulebook.game != ULTIMATE and way is None:
        yield Problem("house_way", "is missing", "say which two cards the dealer keeps")
    if way is not None and not way.complete:
        right = "end with a line that any two cards fill"
        yield Problem("house_way.lines", "leave some hands without a choice", right)
