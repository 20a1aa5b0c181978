"""Idle tables: the cards are spread while no player is at the table, and play resumes with a new player.

If a rulebook requires it, an empty table takes no other step before the cards are spread, and play resumes
only after the steps that the rulebook repeats.
"""

from __future__ import annotations

from typing import Any, Final

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due

WHEN_EMPTY: Final = ("when empty", "once inspected")
"""The values of the rule `idle` if the cards must be spread once the last player has left. With "once
inspected", this holds from the first inspection on; with "when empty", from the first round on."""
SPREAD_FIRST = "cards-not-spread"
"""The refusal code at an empty table until its cards are spread."""


def under_way(state: State) -> bool:
    """True during a round; an open round without wagers does not count."""
    empty = state.round.betting == "open" and not any(s.hands[0].wagers for s in state.seats.values())
    return state.section == "round" and bool(state.done) and not empty


def becomes_empty(table: Table, state: State, number: int) -> bool:
    """True if the player at a seat is the last to leave, and the cards must then be spread.

    Before a player has had the chance to inspect them, the cards stay as they are.
    """
    idle = table.standing.get("idle")
    if idle is None or idle.value not in WHEN_EMPTY or state.seats.keys() != {number}:
        return False
    return bool(state.rounds) or (idle.value == "once inspected" and _inspected(table, state))


def _inspected(table: Table, state: State) -> bool:
    """True if a player has had the chance to inspect a deck since the table opened."""
    if table.find("offer inspection") is None:
        return False
    return state.section != "opening" or state.opening_deck > 0 or _inspected_now(table, state)


def must_spread(table: Table, state: State) -> bool:
    """True if the table has become empty since the last round and the cards are not spread yet."""
    return state.emptied and _may_idle(table, state)


def _may_idle(table: Table, state: State) -> bool:
    """True between rounds, except while a deck is being opened.

    At a table that has become empty, the steps after the inspection need not be taken, because play resumes
    with another inspection.
    """
    if state.section == "opening":
        now = due(table, state)
        if now is None or now.section != "opening":
            return now is not None
        unopened = any(deck.stands == "received" for deck in state.decks[now.deck + 1 :])
        return (
            state.emptied
            and not unopened
            and now.deck == state.opening_deck
            and _inspected_now(table, state)
        )
    return state.section in ("shuffling", "round") and not under_way(state)


def _inspected_now(table: Table, state: State) -> bool:
    """True if a player has had the chance to inspect the deck that is being opened."""
    offer, after = table.find("offer inspection"), table.after["opening"]
    return offer is not None and after.get(state.done, 0) >= after[offer.name]


def check_spread(table: Table, state: State) -> None:
    """Refuse a step or a wager at an empty table until the cards are spread."""
    if must_spread(table, state):
        sentence = "the last player has left, so the cards must be spread first"
        refuse(SPREAD_FIRST, sentence, table.rule("idle"))


def go_idle(table: Table, state: State, command: c.GoIdle) -> Events:
    """Make the table idle between rounds."""
    if state.section == "idle":
        refuse("idle-already", "the table is already idle")
    if not _may_idle(table, state):
        refuse("round-under-way", "a table can only go idle between rounds; finish this round first")
    cue = next((cue for cue in table.cues if cue.moment == "idle"), None)
    clause = table.cite(cue.words.basis) if cue else None
    return e.TableIdled(spread=not _mid_shoe(table, state), clause=clause)


def _mid_shoe(table: Table, state: State) -> bool:
    """True if more rounds will be dealt from the shoe in play."""
    return "lasts" in table.standing and state.playing.used > 0 and not state.cut_card_out


def resume(table: Table, state: State, command: c.Resume) -> Events:
    """Resume play at an idle table; the rulebook names the steps to repeat first."""
    if state.section != "idle":
        refuse("not-idle", "the table is not idle; continue play")
    again = table.standing.get("after_idle")
    owed = tuple(n for n in again.value if n in table.steps) if again is not None else ()
    owed *= len(state.decks) if "each_deck" in table.standing else 1
    section = "round" if _mid_shoe(table, state) else "shuffling"
    return e.TableResumed(owed=owed, section=section, clause=table.cite(again))


HANDLERS: dict[type[c.Command], Any] = {c.GoIdle: go_idle, c.Resume: resume}
