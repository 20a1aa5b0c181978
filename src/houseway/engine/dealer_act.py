"""The machine in the dealer's chair: which act it performs next, and how many cards it needs for it.

A person in the chair issues the same acts one by one; the machine takes each step in one go.
"""

from __future__ import annotations

from functools import cache

import msgspec

from houseway.engine import commands as c
from houseway.engine.deal_acts import needs, stub
from houseway.engine.events import Cards
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, hands_of
from houseway.rules.procedure import Step

HALF = 2
"""A machine cuts the deck in half."""
LOOKS = frozenset({"ask", "close betting", "cut", "count stub", "note", "burn", "deal", "settle"})
"""The acts for which the machine looks at the table: what they use or whom they name."""


class Act(msgspec.Struct, frozen=True, gc=False):
    """The dealer's next act: its step and how many cards off the deck it uses."""

    step: str
    act: str
    cards: int
    number: int | None = None
    """What the step counts, where it asks for a number."""
    name: str = ""
    by: str = "dealer"
    """Whose act it is."""
    seat: int | None = None
    """The seat a person settles next; a machine settles all in one go."""

    def command(self, cards: Cards = (), seal: str = "") -> c.Perform:
        """The command that performs it."""
        if self.act not in LOOKS and not seal:
            return _performed(self.step)
        return c.Perform(self.step, cards, self.number, self.seat, self.name, seal=seal, by=self.by)


@cache
def _plain(step: str, act: str) -> Act:
    """An act that needs nothing but its step; there are as many as procedures have steps."""
    return Act(step, act, 0)


@cache
def _performed(step: str) -> c.Perform:
    return c.Perform(step=step)


def next_act(table: Table, state: State) -> Act | None:
    """The dealer's next act; None while a player is asked, nobody has wagered, or the table is closed or
    idle."""
    now = due(table, state)
    if now is None:
        return None
    step = now.step
    if step.act not in LOOKS:
        return _plain(step.name, step.act)
    machine = state.dealer == "machine"
    if machine and step.act in ("deal", "burn", "settle"):
        return Act(step.name, step.act, needs(table, state, step))
    if step.act == "ask" or (step.act == "close betting" and not _wagered(state)):
        return None
    count: int | None = None
    name, by = "", "dealer"
    if step.act == "cut":
        count = table.deck_size // HALF
        name = "machine"
    elif step.act == "count stub":
        count = stub(table, state)
    elif step.act == "note" and "named" in step.rules:
        by = str(step.rules["named"].value)
        name = f"the {by}"
    wanted = needs(table, state, step)
    if machine:
        return Act(step.name, step.act, wanted, count, name, by)
    if step.act == "deal":
        wanted = min(wanted, max(0, step.each - len(state.round.drawn)))
    return Act(step.name, step.act, wanted, count, name, by, _next_seat(table, state, step))


def _wagered(state: State) -> bool:
    return any(seat.hands[0].wagers for seat in state.seats.values())


def _next_seat(table: Table, state: State, step: Step) -> int | None:
    """The seat a pass goes to next."""
    passed = table.passes.get(step.walk)
    if step.act != "settle" or passed is None or passed[1].wagers == ("envy",):
        return None
    walk = passed[1]
    numbers = [number for number, _ in hands_of(table, state, walk.hands, walk.wagers)]
    return numbers[-1 if walk.from_right else 0] if numbers else None
