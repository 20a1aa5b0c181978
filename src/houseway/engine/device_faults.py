"""Reports about devices: a wrong card count, a jammed shuffler, a failed dealing machine."""

from __future__ import annotations

from dataclasses import replace

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.deal_acts import method
from houseway.engine.irregularity_rules import find_rule, in_play, refuse_report
from houseway.engine.players_cut import check_uncut
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, next_deck
from houseway.engine.void_hands import void_round
from houseway.rules.procedure import Irregularity

NEEDED = "needed"
"""The value of the rule `backup` if every report must name the back-up device. Under old rulebooks, the
rule has no value, and only a report of a machine failure must name it."""


def device_count(table: Table, state: State, command: c.Report) -> Events:
    """Report that the device counts a wrong number of cards."""
    if table.terms.house("device_counts") is False:
        refuse("no-device", "this table has no device that counts the cards; count the stub")
    if command.count is None:
        refuse("count-needed", "the report has no number; enter how many cards the device shows")
    if command.count == table.deck_size:
        refuse("right-number", f"{command.count} is the right number of cards; continue play")
    row, clause = find_rule(table, state, command.kind)
    now = due(table, state)
    if now is not None and now.section == "opening" and "shuffled" in row.rules:
        sentence = "the cards are not shuffled yet; the device counts them after the shuffle"
        refuse("not-shuffling", sentence, table.cite(row.rules["shuffled"]))
    # The device counts the deck to be dealt next. With two decks, that is the one not in play.
    deck = state.decks[next_deck(state)]
    if deck.stands == "off":
        refuse("deck-off", "the deck is already off the table; replace it", clause)
    removed = e.DeckRemoved(deck=deck.name, clause=clause)
    if deck is not state.playing or not in_play(state) or state.round.void:
        return removed
    if state.round.out:
        sentence = "the deck has left the device; the device counts it at the next shuffle"
        refuse("nothing-in-the-device", sentence, clause)
    voids = row.rules.get("voids")
    return [removed, *void_round(table, state, row if voids is None else replace(row, basis=voids.basis))]


def shuffler_jam(table: Table, state: State, command: c.Report) -> Events:
    """Report that the shuffling device jammed; its cards are shuffled again before they are dealt."""
    row, clause = find_rule(table, state, command.kind)
    if method(table) == "hand":
        refuse("no-device", "this table has no shuffling device; its cards are shuffled by hand")
    jammed: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules:
        jammed += _backup(table, row, command, needed=row.rules["backup"].value == NEEDED)
    now = due(table, state)
    inside = tuple(d.name for d in state.decks if d.stands == "device") if "in_device" in row.rules else ()
    if now is None or (now.section == "opening" and not inside):
        refuse("not-shuffling", "the cards are not shuffled yet; shuffle them first", clause)
    if now.section == "opening" or (in_play(state) and len(state.decks) > 1):
        # The deck in play has left the device, so the round continues.
        again = [e.ReshuffleOrdered(owed=state.owed, decks=inside, clause=clause)] if inside else []
        return [*jammed, *again]
    if in_play(state) and state.round.out:
        refuse("nothing-in-the-device", _too_late(table), clause)
    if in_play(state):
        check_uncut(state)
    steps, order = table.sections["shuffling"], table.after["shuffling"]
    if state.section != "round":
        steps = steps[: order.get(state.done, 0)] if state.section == "shuffling" else ()
    # Repeat the steps done with the jammed cards, and keep the steps that are still owed.
    repeat = [s.name for s in steps if s.act not in ("clear rack", "take other deck")]
    repeat += [name for name in state.owed if name not in repeat]
    owed = tuple(sorted(repeat, key=lambda name: order.get(name, 0)))
    return [*jammed, e.ReshuffleOrdered(owed=owed, decks=inside, clause=clause)]


def _too_late(table: Table) -> str:
    """Return why a jam cannot be reported once cards have been dealt."""
    began = "the deal has begun, so this is not a shuffler jam"
    machine = table.mode == "device" and table.wrong("machine failure", {}) is not None
    return f"{began}; {'report it as a machine failure' if machine else 'a supervisor can make a ruling'}"


def machine_failure(table: Table, state: State, command: c.Report) -> Events:
    """Report that the dealing machine failed during a round, which makes the round void."""
    row, clause = find_rule(table, state, command.kind)
    if table.mode != "device":
        refuse("no-machine", "this table has no dealing machine; its cards are dealt by hand")
    if not in_play(state) or state.round.void:
        refuse_report(state, command.kind)
    events: list[e.Event] = [e.DeviceJammed(kind=command.kind, clause=clause)]
    if "backup" in row.rules:
        events += _backup(table, row, command, needed=True)
    return [*events, *void_round(table, state, row)]


def _backup(table: Table, row: Irregularity, command: c.Report, *, needed: bool) -> list[e.Event]:
    """Return the change to the back-up device that a report names; refuse a report without a needed one."""
    clause = table.cite(row.rules["backup"])
    if command.device:
        return [e.BackupTaken(device=command.device, clause=clause)]
    if needed:
        sentence = "the report does not name the back-up machine; switch to it and name it in the report"
        refuse("backup-missing", sentence, clause)
    return []
