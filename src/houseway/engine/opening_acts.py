"""The dealer's acts before the first round: confirm what the opening requires, inspect and verify a deck,
offer players an inspection, spread and mix the cards."""

from __future__ import annotations

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.persons import check_at_table, check_person, performed_at_table, role_of
from houseway.engine.state import State
from houseway.engine.table import Due, Table


def confirm(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Confirm an item of the opening.

    If the clause allows an exception, the table may open without the item.
    """
    step, clause = due.step, table.clause(due.step)
    automatic = check_person(table, state, command, role_of(step), clause)
    if command.exception and "exception" not in step.rules:
        sentence = f"the table cannot open without this step; {step.name} first"
        refuse("confirmation-needed", sentence, clause)
    deck = state.decks[due.deck].name if "each_deck" in step.rules else ""
    return e.ItemConfirmed(
        item=table.item(step, state),
        step=step.name,
        by=command.by,
        name=command.name,
        deck=deck,
        automatic=automatic,
        exception=command.exception,
        clause=clause,
    )


def inspect(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Record that a named person inspected a deck, or that the house setting did."""
    step, clause, automatic = due.step, table.clause(due.step), False
    # Under old rulebooks, the step took any name.
    if table.names_persons and performed_at_table(step):
        automatic = check_at_table(table, state, command, step)
    elif not command.name:
        sentence = f"this step needs the name of the {role_of(step)} who inspected the deck"
        refuse("name-missing", sentence, clause)
    deck = state.decks[due.deck].name
    return e.DeckInspected(deck=deck, by=command.by, name=command.name, automatic=automatic, clause=clause)


def verify(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Record that a named person, who must not be the inspector, verified a deck."""
    step, deck = due.step, state.decks[due.deck].name
    clause = table.clause(step)
    automatic = check_person(table, state, command, role_of(step), clause)
    inspector = state.inspected.get(deck, "")
    if not automatic and command.name.casefold() == inspector.casefold() and "another" in step.rules:
        sentence = f"{inspector} inspected deck {deck}; another person must verify it"
        refuse("same-person", sentence, table.clause(step, "another"))
    return e.DeckVerified(deck=deck, by=command.by, name=command.name, automatic=automatic, clause=clause)


def offer_inspection(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Give the first player at the table the chance to inspect a deck."""
    clause = table.clause(due.step)
    if not state.seats:
        sentence = "no player is at the table yet; offer the inspection to the first one who sits down"
        refuse("no-player", sentence, clause)
    number, seat = next(iter(state.seats.items()))
    deck = state.decks[due.deck].name
    return e.InspectionOffered(seat=number, player=seat.player, deck=deck, clause=clause)


def wash(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Turn a deck face down, wash it and stack it."""
    return e.DeckWashed(deck=state.decks[due.deck].name, clause=table.clause(due.step))
