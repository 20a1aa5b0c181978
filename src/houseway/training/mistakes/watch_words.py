"""The inputs of a training table as text: the words that a watcher reads and hears."""

from __future__ import annotations

from houseway.engine import commands as c
from houseway.engine.table import Table
from houseway.money import spoken
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.words import act_words
from houseway.wording import several, shown_name, with_article

CALLS = {"close betting": "No more bets."}
"""What the dealer says at a step."""


def input_words(table: Table, entry: ch.ChairEntry, chair: ch.Chair) -> str:
    """Return an input as a sentence. A bet is left to the caller, who knows the chips on the felt."""
    given = entry.input
    match given:
        case a.TakeStep():
            return f"Step: {_step(table, given)}."
        case a.ReportIrregularity():
            place = f", {given.at}" if given.at else ""
            return f"The dealer reports: {given.kind}{place}."
        case a.ChairAct():
            return _sentence(act_words(given))
        case c.Play():
            stake = chair.state.seats[given.seat].hands[0].made.get("play", 0)
            return f"Seat {given.seat} plays {given.times}x{f', {spoken(stake)}' if stake else ''}."
        case c.Check():
            return f"Seat {given.seat} checks."
        case c.Fold():
            return f"Seat {given.seat} folds."
        case c.Keep():
            return f"Seat {given.seat} keeps two cards."
        case c.Split():
            return f"Seat {given.seat} splits into two hands."
        case ch.Happening():
            return _happening(given)
    return f"{type(given).__name__}."


def _happening(given: ch.Happening) -> str:
    where = given.at or "the table"
    if isinstance(given.command, c.DealShort):
        return f"{_capital(where)} gets too few cards."
    if given.kind == "exposed card":
        return f"A card of {where} is face up."
    return f"{_capital(where)}: {given.kind}."


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
            return f"{_capital(given.place)} has {with_article(given.reads)}.{result.get(given.result, '')}"
        case a.TakeStep():
            return CALLS.get(given.what, "")
    return ""


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _sentence(words: str) -> str:
    return f"{_capital(words)}."
