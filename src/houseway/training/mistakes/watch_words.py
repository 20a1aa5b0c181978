"""The inputs of a training table as text: the words that a watcher reads and hears."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.narrate.player_words import decision_text
from houseway.rules.procedure import EXPOSED_CARD
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.scene_words import decision_event
from houseway.training.words import act_words, clear_past, hand_name, reading_words
from houseway.wording import as_sentence, capital, several, shown_name, with_article

DEALER: Final = "The dealer"
"""The subject of a sentence to a watcher."""
CALLS = {"close betting": "No more bets."}
"""What the dealer says at a step."""


def input_words(
    table: Table, entry: ch.ChairEntry, chair: ch.Chair, wagers: Mapping[str, int] | None = None
) -> str:
    """Return an input as a sentence. `wagers` are those on the felt, if they may differ from a bet."""
    given = entry.input
    match given:
        case a.TakeStep():
            return f"Step: {_step(table, given)}."
        case a.ReportIrregularity():
            place = f", {given.at}" if given.at else ""
            return f"The dealer reports: {given.kind}{place}."
        case a.ReadHand():
            return f"{DEALER} read {hand_name(given)}: {reading_words(given)}."
        case a.ChairAct():
            return as_sentence(clear_past(act_words(given), DEALER))
        case ch.Happening():
            return _happening(given)
    made = decision_event(entry, chair.state)
    if made is None:
        return f"{type(given).__name__}."
    if isinstance(made, e.WagersPlaced) and wagers is not None:
        made = replace(made, wagers={name: cents for name, cents in wagers.items() if cents})
    return f"{decision_text(made)}."


def _happening(given: ch.Happening) -> str:
    where = given.at or "the table"
    if isinstance(given.command, c.DealShort):
        return f"{capital(where)} gets too few cards."
    if given.kind == EXPOSED_CARD:
        return f"A card of {where} is face up."
    return f"{capital(where)}: {given.kind}."


def _step(table: Table, act: a.TakeStep) -> str:
    """Return a step by its name in the procedure, if only one step has this act."""
    names = [step.name for step in table.steps.values() if step.act == act.what]
    name = shown_name(names[0]) if len(names) == 1 else act.what
    return f"{name}, {several(act.count, 'card')}" if act.count else name


def spoken_words(given: ch.Input) -> str:
    """Return the dealer's announcement; empty if the dealer says nothing."""
    match given:
        case a.ReadHand(place="dealer"):
            qualifies = {True: " and qualifies", False: " and does not qualify"}.get(
                given.qualifies,  # type: ignore[arg-type]
                "",
            )
            return f"The dealer has {with_article(given.reads)}{qualifies}."
        case a.ReadHand():
            result = {"win": " Player wins.", "lose": " Player loses.", "tie": " A tie."}
            return f"{capital(given.place)} has {with_article(given.reads)}.{result.get(given.result, '')}"
        case a.TakeStep():
            return CALLS.get(given.what, "")
    return ""
