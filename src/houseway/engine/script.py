"""The dealer's script: what the dealer says or does after each event, with the clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import msgspec

from houseway.cards import codes
from houseway.engine import events as e
from houseway.engine.fold_registry import seat_of
from houseway.engine.idle_table import must_spread
from houseway.engine.made_hands import known_hand, words_with_article
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.money import MoneyError, cents, spoken
from houseway.rules.procedure import Irregularity, ScriptWords, Step

QUOTED: Final = re.compile("“([^”]+)”")
"""A rulebook puts the words that the dealer speaks in quotation marks."""


class ScriptLine(msgspec.Struct, frozen=True):
    """A line of the script: words or an action of the dealer."""

    says: str
    clause: str | None
    spoken: str = ""
    """The words that the dealer speaks; empty if the line is only an instruction."""


def script(table: Table, state: State, event: e.Event) -> list[ScriptLine]:
    """Return the lines for an event; `state` is the state after it."""
    return [_line(table, words, facts) for words, facts in _lines(table, state, event)]


def prompt(table: Table, state: State) -> list[ScriptLine]:
    """Return the lines of the step that is due, and the standing instructions."""
    now = due(table, state)
    if now is None:
        return []
    if state.emptied and must_spread(table, state):
        return [_line(table, words, facts) for words, facts in _cues(table, "idle", {})]
    always = [cue.words for cue in table.cues if cue.moment == "always"]
    words_of_step = _now(table, state, now.step)
    return [_line(table, words, _call_facts(table, state)) for words in (*words_of_step, *always)]


def _line(table: Table, words: ScriptWords, facts: Mapping[str, Any]) -> ScriptLine:
    says = words.filled(lambda name: facts.get(name, ""))
    return ScriptLine(says, words.basis.clause(table.mode), " ".join(QUOTED.findall(says)))


def _now(table: Table, state: State, step: Step) -> list[ScriptWords]:
    """Return the lines of a step. Those that have its clause have the clause that it has in this state."""
    own = table.unqualified(step, state)
    if own is None:
        return list(step.words)
    return [replace(words, basis=own) if words.basis == step.basis else words for words in step.words]


def _lines(table: Table, state: State, event: e.Event) -> Iterator[tuple[ScriptWords, Mapping[str, Any]]]:
    match event:
        case e.StepTaken(step=name) | e.FoldTaken(step=name):
            yield from _step_lines(table, state, table.steps.get(name), _call_facts(table, state))
        case e.WagerSettled():
            if event.result == "win":
                yield from _cues(table, "paid", _payment(table, event))
        case e.RoundClosed():
            yield from _step_lines(table, state, table.find("close"), {})
        case e.Checked():
            yield from _cues(table, "checked", {"seat": event.seat, "stage": event.stage})
        case e.HandSet():
            yield from _cues(table, "kept", {"seat": event.seat})
        case e.PlayMade():
            facts = {"seat": event.seat, "stage": event.stage, "times": event.times}
            yield from _cues(table, "played", facts)
        case e.Folded():
            facts = {
                "seat": event.seat,
                "held": event.held,
                "progressive": _fold_progressive(table, state, event),
            }
            yield from _cues(table, "folded", facts)
        case e.FoldSeen(held=True):
            yield from _cues(table, "folded", {"seat": event.seat, "held": True})
        case e.HandTurned():
            board = state.round.board[: event.community or state.round.up]
            yield from _cues(table, "turned", _hand_facts(table, event.face, board) | {"seat": event.seat})
        case e.CardsLeft():
            envy = event.clause in _clauses_of(table, "envy_left")
            yield from _cues(table, "left", {"seat": event.seat, "wager": "envy" if envy else "cover_all"})
        case e.CardsRacked() if event.clause is not None and event.clause in _clauses_of(table, "replaced"):
            yield from _cues(table, "removed", {"seat": seat_of(event.what)})
        case e.TableIdled():
            yield from _cues(table, "idle", {})
        case e.SeatHeld():
            until = event.until or "the floor releases it"
            yield from _cues(table, "seat held", {"seat": event.seat, "until": until})
        case _ if type(event) in IRREGULAR:
            row = _row(table, event)
            # The lines of a row that voids the round are given once, with the RoundVoided event.
            once = row is None or row.then != "void" or isinstance(event, e.RoundVoided | e.BackupTaken)
            # The lines of a row that voids a hand were given with the hand, even if it was the last one.
            last = row is not None and row.then == "hand void" and isinstance(event, e.RoundVoided)
            if row is not None and once and not last:
                facts = {"device": event.device} if isinstance(event, e.BackupTaken) else {}
                own = [words for words in row.words if words.basis.clause(table.mode) == event.clause]
                yield from ((words, facts) for words in own or row.words)


def _clauses_of(table: Table, rule: str) -> set[str | None]:
    """Return the clauses of a rule in every step that has it."""
    return {table.clause(step, rule) for step in table.steps.values() if rule in step.rules}


def _fold_progressive(table: Table, state: State, folded: e.Folded) -> str:
    """Return the house's choice of when the progressive of a folded hand is settled.

    Empty if the fold has no progressive, or if a trips bet keeps its cards on the table.
    """
    has_progressive = "progressive" in state.seats[folded.seat].hands[0].wagers
    return str(table.terms.house("folded_progressive") or "") if has_progressive and not folded.held else ""


def _step_lines(
    table: Table, state: State, step: Step | None, facts: Mapping[str, Any]
) -> Iterator[tuple[ScriptWords, Mapping[str, Any]]]:
    """Yield the lines of a step, and the standing instructions."""
    yield from ((words, facts) for words in (_now(table, state, step) if step is not None else ()))
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
    e.BoardExposed: "premature flop",
    e.WrongNumberFound: "wrong number",
}
"""The kind of irregularity that a type of event reports, if there is only one."""
IRREGULAR: Final = {*KIND, e.RoundVoided, e.DeckRemoved, e.DeviceJammed, e.BackupTaken}
"""The events of an irregularity and its consequences."""


def _row(table: Table, event: e.Event) -> Irregularity | None:
    """Return the row of the rulebook that an irregularity's event follows, or None."""
    why = event.why if isinstance(event, e.RoundVoided) else None
    rows = [
        row
        for row in table.book.procedure.irregularities
        if KIND.get(type(event), why or row.kind) == row.kind
        and (row.then != "cured" or _short(table, event))
    ]
    by_clause = (row for row in rows if row.basis.clause(table.mode) == event.clause)
    by_rule = (row for row in rows if event.clause in [s.clause(table.mode) for s in row.rules.values()])
    return next(by_clause, None) or next(by_rule, None)


def _short(table: Table, event: e.Event) -> bool:
    """True if an event reports a hand or a board with too few cards."""
    if not isinstance(event, e.WrongNumberFound):
        return False
    return event.count < table.sizes["player" if seat_of(event.at) else event.at]


def _call_facts(table: Table, state: State) -> dict[str, Any]:
    """Return the facts that the dealer announces: the number of hands, and the revealed dealer's hand."""
    now = state.round
    facts: dict[str, Any] = {"hands": now.payouts or "", "seat": ""}
    held = now.kept or now.dealer
    if now.revealed and len(held) + len(now.board) == 7 and now.up == len(now.board):
        facts |= _hand_facts(table, held, state.round.board[: state.round.up])
    return facts


def _hand_facts(table: Table, held: e.Cards, board: e.Cards) -> dict[str, Any]:
    """Return the hand that cards make with community cards, in words, and the five cards that play."""
    hand = known_hand((*held, *board), table.terms.order)
    return {"reads": words_with_article(hand), "five": codes(hand.cards)} if hand is not None else {}


def _payment(table: Table, event: e.WagerSettled) -> dict[str, Any]:
    """Return the facts of a payment: the amount, the chips, the side of the layout."""
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
    """Return the house's chip values in cents, largest first."""
    return list(_chip_values(str(table.terms.house("chip_values") or "")))


@lru_cache(maxsize=64)
def _chip_values(texts: str) -> tuple[int, ...]:
    values = set()
    for text in texts.split(","):
        with suppress(MoneyError):
            values.add(cents(text.strip()))
    return tuple(sorted((value for value in values if value > 0), reverse=True))


def chips(table: Table, amount: int) -> list[tuple[int, int]]:
    """Return an amount as (chip value, count), largest first; a remainder is counted in cents."""
    stacks: list[tuple[int, int]] = []
    for value in chip_values(table):
        count, amount = divmod(amount, value)
        if count:
            stacks.append((value, count))
    if amount:
        stacks.append((1, amount))
    return stacks
