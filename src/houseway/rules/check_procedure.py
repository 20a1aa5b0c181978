"""Check the dealer's procedure for undefined names, missing steps and steps in the wrong order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from houseway.rules.options import SHOOTOUT
from houseway.rules.problems import Problem, unknown
from houseway.rules.procedure import NEEDED, NEEDS, SECTIONS, Procedure, Step
from houseway.rules.rulebook import Rulebook
from houseway.wording import several

BOARD = 5
"""The number of community cards in a round of either game."""


def check(rulebook: Rulebook) -> Iterator[Problem]:
    """Yield every problem in a rulebook's procedure; a procedure without steps is only a warning."""
    procedure = rulebook.procedure
    if not procedure.round:
        right = "write [[opening]], [[shuffling]] and [[round]] steps, or extend a rulebook that has them"
        yield Problem(
            "round", "has no steps, so no round can be dealt with this rulebook", right, "warning"
        )
        return
    yield from _names(rulebook, procedure)
    for mode in rulebook.modes:
        yield from _steps(rulebook, procedure, mode)
        yield from _order(rulebook, procedure, mode)
    yield from _standing(procedure)


def _steps_in(procedure: Procedure, section: str, mode: str) -> list[tuple[int, Step]]:
    steps = procedure.steps(section)
    return [(n, step) for n, step in enumerate(steps) if not step.modes or mode in step.modes]


def _names(rulebook: Rulebook, procedure: Procedure) -> Iterator[Problem]:
    """Check that the stages, passes, settings and classes of hands named in the steps exist."""
    stages = [stage.name for stage in rulebook.stages]
    passes = [p.name for p in rulebook.settlement]
    places = _places(procedure)
    for section in SECTIONS:
        for n, step in enumerate(procedure.steps(section)):
            path = f"{section}[{n}]"
            if step.act == "ask" and step.stage:
                yield from unknown(f"{path}.stage", step.stage, stages, "betting point")
            elif step.act == "ask" and rulebook.game != SHOOTOUT:
                yield Problem(f"{path}.stage", "is missing", "name the betting point")
            if step.act in ("settle", "take folds"):
                yield from unknown(f"{path}.pass", step.pass_name, passes, "pass")
            for name in chain.from_iterable(step.when):
                yield from unknown(f"{path}.when", name, rulebook.house, "house setting")
            yield from _window(path, step, places)
            if left := step.rules.get("left"):
                order = rulebook.ranking.order
                yield from unknown(f"{path}.rules.left", left.value, order, "class of hands")
            if step.each < 1 or step.times < 1:
                write = "write a whole number of at least 1 for the keys 'each' and 'times'"
                yield Problem(path, "deals no cards", write)


def _places(procedure: Procedure) -> dict[str, int]:
    """Return the places of the steps in the order of the procedure, by name."""
    names = [step.name for section in SECTIONS for step in procedure.steps(section)]
    return {name: n for n, name in enumerate(names)}


def _window(path: str, step: Step, places: dict[str, int]) -> Iterator[Problem]:
    """Check the steps between which a step may be done: they exist, and the step is between them."""
    own = places[step.name]
    for key, names, first, right in (
        ("free_from", step.free_from, True, "an earlier step"),
        ("free_until", step.free_until, False, "a later step"),
    ):
        for name in names:
            yield from unknown(f"{path}.{key}", name, places, "step")
            if name in places and (name == step.name or (places[name] < own) is not first):
                yield Problem(f"{path}.{key}", f"{name!r} is not {right}", f"name {right}")


def _steps(rulebook: Rulebook, procedure: Procedure, mode: str) -> Iterator[Problem]:
    """Check the steps of a deal mode: required acts, distinct names, and the right number of cards."""
    everything = [(s, n, step) for s in SECTIONS for n, step in _steps_in(procedure, s, mode)]
    always = Counter(step.name for _, _, step in everything if not step.when)
    for section, n, step in everything:
        if always[step.name] > 1:
            wrong = f"{step.name!r} is the name of two steps in {mode} mode"
            yield Problem(f"{section}[{n}].step", wrong, "give each step a different name")
    steps = [step for _, step in _steps_in(procedure, "round", mode)]
    acts = {step.act for step in steps}
    for act in NEEDED:
        if act not in acts:
            wrong = f"no step has the act {act!r} in {mode} mode"
            yield Problem("round", wrong, "add a step with this act")
    asks = Counter(step.stage for step in steps if step.act == "ask")
    for stage in rulebook.stages:
        if asks[stage.name] != 1:
            asking = "several steps ask" if asks[stage.name] else "no step asks"
            wrong = f"{asking} for decisions {stage.name} in {mode} mode"
            yield Problem("round", wrong, "write one ask step for each betting point")
    board = _dealt(steps, "board")
    turned = sum(s.each for s in steps if s.act == "turn")
    shown = turned + sum(s.each for s in steps if s.act == "deal" and s.face_up and "board" in s.to)
    if board != BOARD or shown != BOARD:
        wrong = f"deals {board} community cards and turns up {shown} in {mode} mode"
        yield Problem("round", wrong, f"deal and turn up {BOARD}")
    if (own := _dealt(steps, "players")) != (other := _dealt(steps, "dealer")):
        wrong = f"deals players {several(own, 'card')} and the dealer {other}"
        yield Problem("round", f"{wrong} in {mode} mode", "deal both the same number")
    settled = {step.pass_name for step in steps if step.act in ("settle", "take folds")}
    for rulebook_pass in rulebook.settlement:
        if rulebook_pass.name not in settled:
            wrong = f"no step settles the pass {rulebook_pass.name!r} in {mode} mode"
            yield Problem("round", wrong, "add a step that settles it")


def _order(rulebook: Rulebook, procedure: Procedure, mode: str) -> Iterator[Problem]:
    """Check that no step comes too early, such as a deal before bets are closed."""
    done: set[str] = set()
    """The acts of the earlier steps."""
    dealt: Counter[str] = Counter()
    up = 0
    steps = _steps_in(procedure, "round", mode)
    whole = _dealt([step for _, step in steps], "players")
    last_ask = max((n for n, step in steps if step.act == "ask"), default=-1)

    def early(n: int, wrong: str) -> Problem:
        return Problem(f"round[{n}]", f"{wrong} in {mode} mode", "change the order of the steps")

    for n, step in steps:
        for needed in NEEDS.get(step.act, ()):
            if needed not in done:
                yield early(n, f"{step.name!r} comes before any step with the act {needed!r}")
        if step.act == "deal":
            for to in step.to:
                dealt[to] += step.each * step.times
            up += step.each if step.face_up else 0
        elif step.act == "turn":
            up += step.each
        short = min(dealt["players"], dealt["dealer"]) < whole
        if short and step.act in ("ask", "look", "reveal", "settle"):
            yield early(n, f"{step.name!r} comes before the players and the dealer have all their cards")
        if up > dealt["board"]:
            yield early(n, f"{step.name!r} turns up community cards before they are dealt")
        stage = next((s for s in rulebook.stages if s.name == step.stage), None)
        if step.act == "ask" and stage is not None and up != stage.board:
            shown = f"with {up} community cards face up instead of {stage.board}"
            yield early(n, f"asks for decisions {stage.name} {shown}")
        if step.act in ("settle", "take folds") and up < BOARD:
            yield early(n, f"{step.name!r} comes before all community cards are face up")
        if step.act in ("reveal", "settle", "close") and n < last_ask:
            yield early(n, f"{step.name!r} comes before the players have decided")
        done.add(step.act)
    if steps and steps[-1][1].act != "close":
        wrong = f"does not end with a step with the act 'close' in {mode} mode"
        yield Problem("round", wrong, "put that step last")


def _dealt(steps: list[Step], to: str) -> int:
    return sum(s.each * s.times for s in steps if s.act == "deal" and to in s.to)


def _standing(procedure: Procedure) -> Iterator[Problem]:
    known = {step.name for section in SECTIONS for step in procedure.steps(section)}
    repeated = procedure.standing.get("after_idle")
    for name in repeated.value if repeated is not None and isinstance(repeated.value, list) else ():
        yield from unknown("procedure.after_idle", name, known, "step")
