"""Check the names that one part of a rulebook uses and another defines: wagers, settings, modes, hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from houseway.rules.compile import tables_in_use
from houseway.rules.options import ULTIMATE
from houseway.rules.problems import Problem, split_problem, unknown
from houseway.rules.rulebook import MOST_SEATS, Pass, Rulebook
from houseway.rules.toml_reader import MODES

HANDS = {"standing": "did not fold", "held": "folded but keeps its cards", "folded": "folded"}
"""The kinds of hands, each with words that follow "a hand that"."""
DIRECTIONS = ("clockwise", "counter-clockwise")
EXCLUDES = ("hand", "player")


def check(rulebook: Rulebook, replaced: Sequence[Pass] = ()) -> Iterator[Problem]:
    """Yield a problem for every undefined name and for every required part that is missing."""
    for part in (_wagers, _options, _passes, _caps, _chosen_tables, _house, _missing):
        yield from part(rulebook)
    yield from _settled(rulebook, replaced)


def _missing(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem for each required part that is missing."""
    ultimate = rulebook.game == ULTIMATE
    needed: dict[str, tuple[object, str]] = {
        "rulebook.source": (rulebook.source.value, "name the document that the rulebook implements"),
        "posted_limits": (rulebook.limit_basis, "cite the clause that forbids wagers outside the limits"),
        "stage": (rulebook.stages or not ultimate, "add the betting points"),
        "entry": (rulebook.entry, "list the wagers that get a player dealt in"),
        "house_way": (
            rulebook.house_way or ultimate,
            "add the rule that decides which two cards the dealer keeps",
        ),
    }
    for n, posting in enumerate(rulebook.postings):
        needed[f"posting[{n}].where"] = posting.where, "name the place where this is posted"
        needed[f"posting[{n}].shows"] = posting.shows, "name what is posted there"
    for path, (value, right) in needed.items():
        if not value:
            yield Problem(path, "is missing", right)
    if rulebook.stages and not any(stage.fold for stage in rulebook.stages):
        right = 'write every betting point as a [[stage]], one of them with fold = { clause = "…" }'
        yield Problem("stage", "has no betting point at which a player can fold", right)


def _wagers(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem for each unknown wager, mode or pay table in wagers, limits, caps and approvals."""
    wagers = rulebook.wagers
    lists: dict[str, Iterable[str]] = {
        **{f"wager.{name}.beside": wager.beside.value for name, wager in wagers.items() if wager.beside},
        **{f"wager.{name}.equals": [wager.equals.value] for name, wager in wagers.items() if wager.equals},
        **{f"posted.{name}": [name] for name in rulebook.posted},
        **{f"limits.{name}": [name] for name in rulebook.limits},
        "entry.value": chain.from_iterable(rulebook.entry.value if rulebook.entry else ()),
        **{f"approval[{n}].wagers": approval.wagers for n, approval in enumerate(rulebook.approvals)},
        **{f"cap[{n}].wagers": cap.wagers for n, cap in enumerate(rulebook.caps)},
    }
    for path, names in lists.items():
        for name in names:
            yield from unknown(path, name, wagers, "wager of this rulebook")
    for name, wager in wagers.items():
        if wager.equals and wager.equals.value == name:
            yield Problem(f"wager.{name}.equals", "names the wager itself", "name another wager")
        for mode in wager.modes.value if wager.modes else ():
            yield from unknown(f"wager.{name}.modes", mode, rulebook.modes, "deal mode of this rulebook")
        if wager.excludes:
            yield from unknown(f"wager.{name}.excludes", wager.excludes.value, EXCLUDES, "permitted value")
    for kind in rulebook.table_rules:
        yield from unknown(f"table_rules.{kind}", kind, rulebook.tables, "kind of pay table")


def _options(rulebook: Rulebook) -> Iterator[Problem]:
    offered = rulebook.option("offered")
    described = sorted({*rulebook.wagers} - {"envy"})
    if isinstance(offered, list) and sorted(map(str, offered)) != described:
        lacking = [name for name in described if name not in offered]
        extra = [str(name) for name in offered if name not in described]
        wrong = "lists a wager twice"
        if lacking:
            wrong = f"does not list {', '.join(lacking)}"
        elif extra:
            wrong = f"lists {', '.join(extra)}, which the rulebook does not define"
        right = f"list every wager of the rulebook once: {', '.join(described)}"
        yield Problem("options.offered.value", wrong, right)
    for tip in rulebook.option("tips") or ():
        yield from unknown("options.tips.value", tip, rulebook.wagers, "wager of this rulebook")
    modes = rulebook.option("modes")
    if modes is not None and not modes:
        yield Problem("options.modes.value", "is empty", f"list one or more of {', '.join(MODES)}")
    for mode in modes or ():
        yield from unknown("options.modes.value", mode, MODES, "deal mode")
    if any(type(n) is not int or n < 1 for n in rulebook.option("decks") or ()):
        yield Problem(
            "options.decks.value", "is not a list of numbers of decks", "write a list, as in [1, 2]"
        )
    seats = rulebook.option("seats")
    if type(seats) is int and not 1 <= seats <= MOST_SEATS:
        yield Problem("options.seats.value", f"{seats} is out of range", f"write 1 to {MOST_SEATS}")


def _passes(rulebook: Rulebook) -> Iterator[Problem]:
    for n, rulebook_pass in enumerate(rulebook.settlement):
        path = f"pass[{n}]"
        if not rulebook_pass.hands:
            yield Problem(f"{path}.hands", "is missing", f"list one or more of {', '.join(HANDS)}")
        for word in rulebook_pass.hands:
            yield from unknown(f"{path}.hands", word, HANDS, "kind of hand")
        if rulebook_pass.direction:
            yield from unknown(f"{path}.direction", rulebook_pass.direction.value, DIRECTIONS, "direction")
        own, usual = rulebook_pass.unqualified, rulebook_pass.direction
        if own and (usual is None or own.value != usual.value):
            same = "write the value of direction: a pass has one direction"
            yield Problem(f"{path}.unqualified", f"is {own.value!r}", same)
        for number, step in enumerate(rulebook_pass.steps):
            if step.wager:
                yield from unknown(f"{path}.wagers", step.wager, rulebook.wagers, "wager of this rulebook")
            for word in step.hands:
                yield from unknown(f"{path}.wagers[{number}].hands", word, HANDS, "kind of hand")
            yield from _conditions(rulebook, step.when, f"{path}.wagers[{number}]")
        yield from _conditions(rulebook, rulebook_pass.when, path)


def _conditions(rulebook: Rulebook, when: Mapping[str, Any], path: str) -> Iterator[Problem]:
    for name, value in when.items():
        if name == "dealer_qualifies":
            if not isinstance(value, bool):
                yield Problem(f"{path}.when.{name}", f"{value!r} is not a boolean", "write true or false")
            continue
        known = ["dealer_qualifies", *rulebook.house]
        yield from unknown(f"{path}.when.{name}", name, known, "condition of a pass")
        setting = rulebook.house.get(name)
        if setting is not None and (fault := setting.read(value)[1]):
            yield split_problem(f"{path}.when.{name}", fault)


def _settled(rulebook: Rulebook, replaced: Sequence[Pass]) -> Iterator[Problem]:
    """Yield a problem for each wager that might not be settled for some kind of hand."""
    unsettled = list(_unsettled(rulebook))
    if unsettled and replaced:
        names = ", ".join(dict.fromkeys(name for name, _ in unsettled))
        replaces = f"[[pass]] replaces every pass of {rulebook.extends}"
        wrong = f"{replaces}, and the new passes do not always settle {names}"
        settled = {step.wager for p in replaced for step in p.steps}
        new = next((name for name in rulebook.wagers if name not in settled), unsettled[0][0])
        change = _added_to(rulebook, replaced, new, "standing")
        yield Problem("pass", wrong, f"write every pass, or instead of [[pass]] write {change}")
        return
    for name, state in unsettled:
        change = _added_to(rulebook, rulebook.settlement, name, state) if rulebook.extends else ""
        right = (
            f"write {change}"
            if change
            else f'add it to a [[pass]] with "{state}" in `hands` and without `when`'
        )
        wrong = f"no pass settles this wager for a hand that {HANDS[state]}"
        if any(name == step.wager and state in p.hands for p in rulebook.settlement for step in p.steps):
            wrong = f"this wager may stay unsettled for a hand that {HANDS[state]}"
        yield Problem(f"wager.{name}", wrong, right)


def _added_to(rulebook: Rulebook, passes: Iterable[Pass], name: str, state: str) -> str:
    """Return the lines of TOML that add a wager to a pass for hands in this state, or an empty text.

    The pass must have no condition. If there are several, the one that settles the most side bets is used.
    """
    side = [wager.name for wager in rulebook.wagers.values() if wager.optional]
    candidates = [p for p in passes if state in p.hands and not p.when]
    best = max(candidates, key=lambda p: sum(step.wager in side for step in p.steps), default=None)
    return f'the two lines [pass."{best.name}"] and add = ["{name}"]' if best else ""


def _unsettled(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """Yield each wager with each kind of hand for which no unconditional pass settles it."""
    states = ["standing"]
    if any(stage.fold for stage in rulebook.stages):
        states.append("folded")
        if rulebook.option("held_for") not in (None, "no trips"):
            states.append("held")
    for name in rulebook.wagers:
        for state in states:
            if name == "play" and state != "standing":
                # A folded hand has no play wager.
                continue
            if name == "trips" and state == "folded" and rulebook.option("held_for") == "any trips":
                # Every folded hand with trips is held, so a racked hand never has trips.
                continue
            passes = [p for p in rulebook.settlement if state in p.hands and not p.when]
            steps = [s for p in passes for s in p.steps if not s.when and state in (s.hands or HANDS)]
            if not any(step.wager == name for step in steps):
                yield name, state


def _caps(rulebook: Rulebook) -> Iterator[Problem]:
    for n, cap in enumerate(rulebook.caps):
        path = f"cap[{n}]"
        if cap.limit is not None and cap.setting is not None:
            yield Problem(path, "has both a limit and a setting", "keep one of the two")
        elif cap.limit is None and cap.setting is None:
            yield Problem(path, "has no limit", 'write limit = "50000" or setting = "…"')
        elif cap.setting is not None:
            yield from unknown(f"{path}.setting", cap.setting, rulebook.house, "house setting")
            setting = rulebook.house.get(cap.setting)
            if setting is not None and setting.kind != "money":
                wrong = f"{cap.setting!r} is a setting of kind {setting.kind}"
                yield Problem(f"{path}.setting", wrong, "name a setting of kind money")


def _chosen_tables(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield a problem for each kind of pay table that has several tables but no setting to choose one."""
    kinds = {r.table for w in rulebook.wagers.values() for r in w.pays if r.table and "." not in r.table}
    chosen = tables_in_use(rulebook, {}, {})
    for kind, tables in rulebook.tables.items():
        path, setting = f"house.{kind}_table", rulebook.house.get(f"{kind}_table")
        if setting is not None and setting.assumed is not None:
            yield from unknown(path, setting.assumed, tables, f"pay table of kind {kind}")
        elif kind in kinds and kind not in chosen and not (kind == "envy" and "progressive" in chosen):
            wrong = f"is missing, so none of the {len(tables)} {kind} tables is chosen"
            yield Problem(path, wrong, "add the house setting with a default or an example")


def _house(rulebook: Rulebook) -> Iterator[Problem]:
    for name, setting in rulebook.house.items():
        for n, need in enumerate(setting.needs):
            if need.setting:
                path = f"house.{name}.needs[{n}].setting"
                yield from unknown(path, need.setting, rulebook.house, "house setting")
    if rulebook.house_way is not None and not rulebook.house_way.complete:
        right = "end with a line that has no conditions"
        yield Problem("house_way.lines", "do not cover every hand", right)
