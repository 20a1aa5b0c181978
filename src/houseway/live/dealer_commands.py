"""The automatic dealer's next command, from the table's rules and state."""

from __future__ import annotations

from houseway.engine import commands as c
from houseway.engine.dealer_act import next_act
from houseway.engine.idle_table import must_spread
from houseway.engine.persons import HOUSE
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import reset_due


def dealers_command(table: Table, state: State) -> c.Command | None:
    """Return the automatic dealer's next act; None while the table waits for a person."""
    now = state.round
    if not now.challenged and reset_due(table, state):
        return c.ResetHand(by=HOUSE if state.dealer == "machine" else "dealer")
    if (moved := idle_command(table, state)) is not None:
        return moved
    act = next_act(table, state)
    # The floor must answer a request for approval or a challenge, or replace a deck. A named person must
    # perform an act that is signed.
    held = now.asked is not None or now.challenged or state.off
    return None if act is None or held or act.signed else act.command()


def idle_command(table: Table, state: State) -> c.Command | None:
    """Return the order to spread the cards of a table that has become empty, or to resume play there once a
    new player has sat down; None if neither is due."""
    if not state.emptied:
        return None
    if state.section == "idle":
        return c.Resume() if state.seats else None
    return c.GoIdle() if must_spread(table, state) else None
