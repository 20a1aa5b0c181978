"""Names that one part of a rulebook uses and another part must have: wagers, settings, modes, hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from houseway.rules.compile import tables_in_use
from houseway.rules.options import ULTIMATE
from houseway.rules.problems import Problem, unknown
from houseway.rules.rulebook import MOST_SEATS, Pass, Rulebook
from houseway.rules.toml_reader import MODES

HANDS = ("standing", "held", "folded")
DIRECTIONS = ("clockwise", "counter-clockwise")
EXCLUDES = ("hand", "player")


def check(rulebook: Rulebook, replaced: Sequence[Pass] = ()) -> Iterator[Problem]:
    """Every name nobody resolves, and every part that must be there and is not."""
    for part in (_wagers, _options, _passes, _caps, _chosen_tables, _house, _missing):
        yield from part(rulebook)
    yield from _settled(rulebook, replaced)


def _missing(rulebook: Rulebook) -> Iterator[Problem]:
    """Parts every rulebook must have."""
    ultimate = rulebook.game == ULTIMATE
    needed: dict[str, tuple[object, str]] = {
        "rulebook.source": (rulebook.source.value, "say which document the rulebook holds"),
        "posted_limits": (rulebook.limit_basis, "say what refuses a wager outside posted limits"),
        "stage": (rulebook.stages or not ultimate, "write the betting points"),
        "entry": (rulebook.entry, "say which wagers get a player dealt in"),
        "house_way": (rulebook.house_way or ultimate, "say which two cards the dealer keeps"),
    }
    for n, posting in enumerate(rulebook.postings):
        needed[f"posting[{n}].where"] = posting.where, "say where the table shows what"
        needed[f"posting[{n}].shows"] = posting.shows, "say where the table shows what"
    for path, (there, right) in needed.items():
        if not there:
            yield Problem(path, "is missing", right)
    if rulebook.stages and not any(stage.fold for stage in rulebook.stages):
        right = "let players fold; a list is replaced whole: write every point"
        yield Problem("stage", "has no point at which to fold", right)


def _wagers(rulebook: Rulebook) -> Iterator[Problem]:
    """Where wagers are named."""
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
            yield from unknown(f"wager.{name}.excludes", wager.excludes.value, EXCLUDES, "way to exclude")
    for kind in rulebook.table_rules:
        yield from unknown(f"table_rules.{kind}", kind, rulebook.tables, "kind of pay table")


def _options(rulebook: Rulebook) -> Iterator[Problem]:
    offered = rulebook.option("offered")
    described = sorted({*rulebook.wagers} - {"envy"})
    if isinstance(offered, list) and sorted(map(str, offered)) != described:
        wrong = f"lists {', '.join(map(str, offered))}"
        right = f"list the wagers the file describes: {', '.join(described)}"
        yield Problem("options.offered.value", wrong, right)
    for tip in rulebook.option("tips") or ():
        yield from unknown("options.tips.value", tip, rulebook.wagers, "wager of this rulebook")
    modes = rulebook.option("modes")
    if modes is not None and not modes:
        yield Problem("options.modes.value", "is empty", f"list one or more of {', '.join(MODES)}")
    for mode in modes or ():
        yield from unknown("options.modes.value", mode, MODES, "deal mode")
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
            yield from unknown(f"{path}.hands", word, HANDS, "kind of hand a pass can take")
        if walk.direction:
            yield from unknown(f"{path}.direction", walk.direction.value, DIRECTIONS, "direction")
        for step in walk.steps:
            if step.wager:
                yield from unknown(f"{path}.wagers", step.wager, rulebook.wagers, "wager of this rulebook")
        yield from _conditions(rulebook, walk, path)


def _conditions(rulebook: Rulebook, walk: Pass, path: str) -> Iterator[Problem]:
    for name, value in walk.when.items():
        if name == "dealer_qualifies":
            if not isinstance(value, bool):
                yield Problem(f"{path}.when.{name}", f"{value!r} is no answer", "write true or false")
            continue
        known = ["dealer_qualifies", *rulebook.house]
        yield from unknown(f"{path}.when.{name}", name, known, "condition of a pass")
        wrong = rulebook.house[name].read(value)[1] if name in rulebook.house else None
        if wrong:
            yield Problem(f"{path}.when.{name}", wrong, "give a value of the setting")


def _settled(rulebook: Rulebook, replaced: Sequence[Pass]) -> Iterator[Problem]:
    """Every wager is settled for every hand that can still have it, under any condition."""
    unsettled = list(_unsettled(rulebook))
    if unsettled and replaced:
        names = ", ".join(dict.fromkeys(name for name, _ in unsettled))
        wrong = f"[[pass]] replaces every pass of {rulebook.extends}; yours do not always settle {names}"
        settled = {step.wager for walk in replaced for step in walk.steps}
        new = next((name for name in rulebook.wagers if name not in settled), unsettled[0][0])
        change = _added_to(rulebook, replaced, new, "standing")
        yield Problem("pass", wrong, f"write every pass, or write {change} in place of [[pass]]")
        return
    for name, state in unsettled:
        change = _added_to(rulebook, rulebook.settlement, name, state) if rulebook.extends else ""
        right = f"add it to a pass: {change}" if change else "add it to a [[pass]] that is always made"
        yield Problem(f"wager.{name}", f"is settled in no pass for {state} hands", right)


def _added_to(rulebook: Rulebook, passes: Iterable[Pass], name: str, state: str) -> str:
    """The change that adds a wager to the pass which settles most side bets of such hands."""
    side = [wager.name for wager in rulebook.wagers.values() if wager.optional]
    walks = [walk for walk in passes if state in walk.hands and not walk.when]
    walk = max(walks, key=lambda w: sum(step.wager in side for step in w.steps), default=None)
    return f'[pass."{walk.name}"] add = ["{name}"]' if walk else ""


def _unsettled(rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """The wagers no pass settles, each with the kind of hand."""
    states = ["standing"]
    if any(stage.fold for stage in rulebook.stages):
        states.append("folded")
        if rulebook.option("held_for") not in (None, "no trips"):
            states.append("held")
    for name in rulebook.wagers:
        for state in states:
            if name == "play" and state != "standing":
                # A play wager stands.
                continue
            if name == "trips" and state == "folded" and rulebook.option("held_for") == "any trips":
                # Trips that hold every folded hand never lie on a racked one.
                continue
            walks = [w for w in rulebook.settlement if state in w.hands and not w.when]
            if not any(step.wager == name for walk in walks for step in walk.steps):
                yield name, state


def _caps(rulebook: Rulebook) -> Iterator[Problem]:
    for n, cap in enumerate(rulebook.caps):
        path = f"cap[{n}]"
        if cap.limit is not None and cap.setting is not None:
            yield Problem(path, "has a limit and a setting", "give one of the two")
        elif cap.limit is None and cap.setting is None:
            yield Problem(path, "has no limit", 'give limit = "50000" or setting = "…"')
        elif cap.setting is not None:
            yield from unknown(f"{path}.setting", cap.setting, rulebook.house, "house setting")
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
            yield from unknown(path, setting.assumed, tables, f"{kind} table of this rulebook")
        elif kind in asked and kind not in chosen and not (kind == "envy" and "progressive" in chosen):
            wrong = f"is missing, and there are {len(tables)} {kind} tables"
            right = "add the house setting with a default or an example"
            yield Problem(f"house.{kind}_table", wrong, right)


def _house(rulebook: Rulebook) -> Iterator[Problem]:
    for name, setting in rulebook.house.items():
        for n, need in enumerate(setting.needs):
            if need.setting:
                path = f"house.{name}.needs[{n}].setting"
                yield from unknown(path, need.setting, rulebook.house, "house setting")
    if rulebook.house_way is not None and not rulebook.house_way.complete:
        right = "end with a line that any two cards fill"
        yield Problem("house_way.lines", "leave some hands without a choice", right)
