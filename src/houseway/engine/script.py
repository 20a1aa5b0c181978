"""The dealer's script: what to say and do at each event, line by line, each with its clause."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from houseway.cards import written
from houseway.engine import events as e
from houseway.engine.made_hands import read_hand
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.money import MoneyError, cents, spoken
from houseway.rules.procedure import Irregularity, ScriptWords, Step


class ScriptLine(msgspec.Struct, frozen=True):
    """One line of the script."""

    says: str
    clause: str | None


def script(table: Table, state: State, event: e.Event) -> list[ScriptLine]:
    """The lines that go with an event; `state` is the table right after it."""
    return [_line(table, words, facts) for words, facts in _lines(table, state, event)]


def prompt(table: Table, state: State) -> list[ScriptLine]:
    """What the dealer has to do now: the lines of the step that is due, and the standing instructions."""
    now = due(table, state)
    if now is None:
        return []
    always = [cue.words for cue in table.cues if cue.moment == "always"]
    return [_line(table, words, _called(table, state)) for words in (*now.step.words, *always)]


def _line(table: Table, words: ScriptWords, facts: Mapping[str, Any]) -> ScriptLine:
    return ScriptLine(words.filled(lambda name: facts.get(name, "")), words.basis.clause(table.mode))


def _lines(table: Table, state: State, event: e.Event) -> Iterator[tuple[ScriptWords, Mapping[str, Any]]]:
    match event:
        case e.StepTaken(step=name) | e.FoldTaken(step=name):
            yield from _step_lines(table, table.steps.get(name), _called(table, state))
        case e.RoundClosed():
            yield from _step_lines(table, table.find("close"), {})
        case e.Checked():
            yield from _cues(table, "checked", {"seat": event.seat, "stage": event.stage})
        case e.PlayMade():
            facts = {"seat": event.seat, "stage": event.stage, "times": event.times}
            yield from _cues(table, "played", facts)
        case e.Folded():
            yield from _cues(table, "folded", {"seat": event.seat, "held": event.held})
        case e.HandTurned():
            yield from _cues(table, "turned", _read(table, state, event.face) | {"seat": event.seat})
        case e.WagerSettled(result="win"):
            yield from _cues(table, "paid", _payment(table, event))
        case e.TableIdled():
            yield from _cues(table, "idle", {})
        case e.SeatHeld():
            until = event.until or "released by hand"
            yield from _cues(table, "seat held", {"seat": event.seat, "until": until})
        case _ if type(event) in IRREGULAR:
            row = _row(table, event)
            # A row that voids is read out once, when the hands are void.
            once = row is None or row.then != "void" or isinstance(event, e.RoundVoided | e.BackupTaken)
            if row is not None and once:
                facts = {"device": event.device} if isinstance(event, e.BackupTaken) else {}
                own = [words for words in row.words if words.basis.clause(table.mode) == event.clause]
                yield from ((words, facts) for words in own or row.words)


def _step_lines(
    table: Table, step: Step | None, facts: Mapping[str, Any]
) -> Iterator[tuple[ScriptWords, Mapping[str, Any]]]:
    """The lines of a step, and the standing instructions."""
    yield from ((words, facts) for words in (step.words if step is not None else ()))
    yield from _cues(table, "always", facts)


def _cues(
    table: Table, moment: str, facts: Mapping[str, Any]
) -> Iterator[tuple[ScriptWords, Mapping[str, Any]]]:
    for cue in table.cues:
        if cue.moment == moment and all(facts.get(k) == v for k, v in cue.when.items()):
            yield cue.words, facts


KIND: Final[Mapping[type[e.Event], str]] = {
    e.CardExposed: "exposed card",
    e.FaceUpFound: "face-up card",
    e.CardDrawn: "card drawn in error",
    e.WrongNumberFound: "wrong number",
}
"""What some events tell by themselves of what went wrong."""
IRREGULAR: Final = {*KIND, e.RoundVoided, e.DeckRemoved, e.DeviceJammed, e.BackupTaken}
"""The events that follow when something goes wrong."""


def _row(table: Table, event: e.Event) -> Irregularity | None:
    """The row of the rulebook an event of something gone wrong rests on."""
    for row in table.book.procedure.irregularities:
        if KIND.get(type(event), row.kind) != row.kind:
            continue
        cited = {row.basis.clause(table.mode), *(s.clause(table.mode) for s in row.rules.values())}
        if event.clause in cited:
            return row
    return None


def _called(table: Table, state: State) -> dict[str, Any]:
    """What the dealer calls: the dealer's own hand once it is up, the number of hands."""
    now = state.round
    facts: dict[str, Any] = {"hands": now.payouts or "", "seat": ""}
    held = now.kept or now.dealer
    if now.revealed and len(held) + len(now.board) == 7 and now.up == len(now.board):
        facts |= _read(table, state, held)
    return facts


def _read(table: Table, state: State, held: e.Cards) -> dict[str, Any]:
    """A hand in words, with the five cards that play."""
    if not 5 <= len(held) + len(state.round.board) <= 7:
        return {}
    hand = read_hand((*held, *state.round.board), table.terms.order)
    return {"reads": hand.words, "five": written(hand.cards)}


def _payment(table: Table, event: e.WagerSettled) -> dict[str, Any]:
    """A payment: how much, in which chips, on which side of the layout."""
    stacks = chips(table, event.won)
    side = "left" if event.seat <= table.seats // 2 else "right"
    return {
        "seat": event.seat,
        "wager": event.wager,
        "amount": spoken(event.won),
        "odds": event.odds or "",
        "chips": ", ".join(f"{count} x {spoken(value)}" for value, count in stacks),
        "several": len(stacks) > 1,
        "side": side,
        "hand_that_pays": str(table.terms.house("hand_that_pays") or "").replace("{side}", side),
    }


def chip_values(table: Table) -> list[int]:
    """The chips the house names, largest first, in cents; none where it names none."""
    values = set()
    for text in str(table.terms.house("chip_values") or "").split(","):
        with suppress(MoneyError):
            values.add(cents(text.strip()))
    return sorted((value for value in values if value > 0), reverse=True)


def chips(table: Table, amount: int) -> list[tuple[int, int]]:
    """An amount in the table's chips, largest first; what no chip covers comes last, in cents."""
    found: list[tuple[int, int]] = []
    for value in chip_values(table):
        count, amount = divmod(amount, value)
        if count:
            found.append((value, count))
    if amount:
        found.append((1, amount))
    return found
