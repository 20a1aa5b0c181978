"""The machine in the dealer's chair: which act it performs next, and how many cards it needs for it.

A person in the chair issues the same acts one by one; the machine takes each step in one go.
"""

from __future__ import annotations

from typing import NamedTuple

from houseway.engine import commands as c
from houseway.engine.dealing import needs, stub
from houseway.engine.events import Cards
from houseway.engine.order import due
from houseway.engine.state import State
from houseway.engine.table import Table

HALF = 2
"""A machine cuts the deck in half."""


class Act(NamedTuple):
    """The dealer's next act: its step and how many cards off the deck it uses."""

    step: str
    act: str
    cards: int
    number: int | None = None
    """What the step counts, where it asks for a number."""
    name: str = ""

    def command(self, cards: Cards = (), seal: str = "") -> c.Perform:
        """The command that performs it."""
        return c.Perform(step=self.step, cards=cards, count=self.number, name=self.name, seal=seal)


def next_act(table: Table, state: State) -> Act | None:
    """The dealer's next act; None while a player is asked, or the table is closed or idle."""
    now = due(table, state)
    if now is None or now.step.act == "ask":
        return None
    step = now.step
    count: int | None = None
    name = ""
    if step.act == "cut":
        count = table.deck_size // HALF
        name = "machine"
    elif step.act == "count stub":
        count = stub(table, state)
    elif step.act == "note" and "named" in step.rules:
        name = "machine"
    return Act(step.name, step.act, needs(table, state, step), count, name)
