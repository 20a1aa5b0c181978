"""The count of the stub (the cards left after the deal), as a step of the round or as a check between
rounds."""

from __future__ import annotations

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.deal_acts import PartialStep, stub
from houseway.engine.irregularity_rules import in_play
from houseway.engine.state import State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import count_due, due
from houseway.engine.void_hands import void_round
from houseway.rules.procedure import Step


def may_count(table: Table, state: State, step: Step) -> bool:
    """True if this step may count the stub between rounds, and it is between rounds now.

    Between rounds means from the close of a round until the shuffle begins, and from the opening of the
    next round until its betting closes.
    """
    before_shuffle = state.section == "shuffling" and not state.done and not state.owed
    return "between_rounds" in step.rules and (before_shuffle or state.round.betting == "open")


def is_voluntary(table: Table, state: State, step: Step) -> bool:
    """True if this step may count the stub now although no count is due in this round.

    The document sets only the lowest number of counts. The stub is counted when it leaves the shoe, before
    it goes into the discard rack.
    """
    now = due(table, state) if step.act == "count stub" and "every" in step.rules else None
    return now is not None and now.step.act == "remove stub" and not count_due(table, state, step)


def count_voluntarily(table: Table, state: State, now: Due, command: c.Perform) -> Events:
    """Return the events of a count that is not due: the stub leaves the shoe first."""
    removal = due(table, state)
    assert removal is not None
    clause = table.clause(removal.step)
    removed = e.StubRemoved(count=stub(table, state), racked=False, clause=clause)
    taken = e.StepTaken(removal.step.name, removal.section, command.by, clause=clause)
    counted = count_stub(table, state, now, command)
    return [removed, taken, *(counted if isinstance(counted, list | tuple) else [counted])]


def count_stub(table: Table, state: State, now: Due, command: c.Perform) -> Events:
    """Return the events of a count of the stub; a wrong count makes the round void.

    The count is right if it is the number of cards that remain after a correct deal. Between rounds and in
    a void round, it is right if it is the number of cards that remain after the deal as it was made.
    """
    step, count = now.step, command.count
    if type(count) is not int or count < 0:
        refuse(
            "count-needed",
            "the count is missing; count the stub",
            table.clause(step),
        )
    between = may_count(table, state, step)
    if between or state.round.void:
        return _count_deck(table, state, step, count, between=between)
    # A hand that is void because of a wrong number of cards counts with the cards it had.
    dealt_in = [s.hands[0] for n, s in state.seats.items() if n in state.round.players]
    players = sum(len(h.cards) if h.void else table.hand_size for h in dealt_in)
    aside = sum(entry.count for entry in state.rack if entry.what == "face up")
    nominal = table.deck_size - players - table.dealer_size - table.board_size - table.burns - aside
    left = table.deck_size - state.round.out
    right = count == nominal and left == nominal
    racked = right and "right" in step.rules
    clause = table.clause(step, "right") if right else table.clause(step)
    counted = e.StubCounted(count=count, expected=nominal, right=right, racked=racked, clause=clause)
    if right:
        return counted
    row = table.wrong("wrong count", {"all_there": count == left})
    if row is None:
        refuse("no-rule", f"{table.book.id} has no rule for a wrong count")
    return [counted, *void_round(table, state, row)]


def _count_deck(table: Table, state: State, step: Step, count: int, *, between: bool) -> list[e.Event]:
    """Return the events of a count between rounds or in a void round.

    If a round has opened, a wrong count makes it void; otherwise it takes the deck off the table.
    """
    expected = stub(table, state)
    right = count == expected
    racked = right and not between and "right" in step.rules
    clause = (
        table.clause(step, "right") if right else table.clause(step, "between_rounds" if between else "")
    )
    counted = e.StubCounted(count, expected, right, racked, between, clause=clause)
    row = None if right else table.wrong("wrong count", {"all_there": False})
    if not right and row is None:
        refuse("no-rule", f"{table.book.id} has no rule for a wrong count")
    events: list[e.Event] = [counted]
    if row is not None and in_play(state) and not state.round.void:
        events += void_round(table, state, row)
    elif row is not None and "deck_off" in row.rules:
        events.append(e.DeckRemoved(deck=state.playing.name, clause=table.cite(row.rules["deck_off"])))
    return PartialStep(events) if between else events
