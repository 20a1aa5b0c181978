"""The dealer's next act, and how many cards it uses.

A machine performs a whole step at once. A person performs it act by act.
"""

from __future__ import annotations

from functools import cache

import msgspec

from houseway.engine import commands as c
from houseway.engine.deal_acts import needs, stub
from houseway.engine.events import Cards
from houseway.engine.idle_table import must_spread
from houseway.engine.persons import SIGNED, performed_at_table, performer
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, hands_of, unopened_salts
from houseway.rules.procedure import Step

HALF = 2
"""A machine cuts the deck into this many equal parts."""
DEPENDENT = frozenset(
    {
        "ask",
        "close betting",
        "cut",
        "count stub",
        "note",
        "burn",
        "deal",
        "settle",
        "offer inspection",
        *SIGNED,
    }
)
"""The acts whose cards, count or names depend on the state of the table."""


class Act(msgspec.Struct, frozen=True, gc=False):
    """The dealer's next act: its step and how many cards off the deck it uses."""

    step: str
    act: str
    cards: int
    number: int | None = None
    """The number of cards to cut or to count, if the step asks for one."""
    name: str = ""
    by: str = "dealer"
    """The person who performs the act."""
    seat: int | None = None
    """The seat that a person settles next; a machine settles all seats at once."""
    signed: bool = False
    """True if a person must perform the act and be named; `name` is then a placeholder."""

    def command(self, cards: Cards = (), seal: str = "") -> c.Perform:
        """Return the command that performs the act."""
        if self.act not in DEPENDENT and not seal:
            return _plain_command(self.step)
        return c.Perform(self.step, cards, self.number, self.seat, self.name, seal=seal, by=self.by)


@cache
def _plain(step: str, act: str) -> Act:
    """Return an act that needs only its step. There is one cached act per step."""
    return Act(step, act, 0)


@cache
def _plain_command(step: str) -> c.Perform:
    return c.Perform(step=step)


def next_act(table: Table, state: State) -> Act | None:
    """Return the dealer's next act, or None if the dealer must wait.

    The dealer waits for a player to decide or to mark the cut, for the first player or the first wager, for
    players to open their salts, and while the table is closed or idle. If the last player has left, the
    dealer waits until the cards are spread.
    """
    now = due(table, state)
    if now is None or (state.emptied and must_spread(table, state)) or unopened_salts(state):
        return None
    step = now.step
    if step.act not in DEPENDENT:
        return _plain(step.name, step.act)
    machine = state.dealer == "machine"
    if machine and step.act in ("deal", "burn", "settle"):
        return Act(step.name, step.act, needs(table, state, step))
    if step.act == "ask" or (step.act == "close betting" and not _wagered(state)):
        return None
    if step.act == "offer inspection":
        return _plain(step.name, step.act) if state.seats else None
    count: int | None = None
    name, by = "", "dealer"
    if step.act == "cut":
        count = table.deck_size // HALF
        name = "machine" if machine else ""
        if performed_at_table(step):
            if not state.seats:
                return None
            name = next(iter(state.seats.values())).player
    elif step.act == "count stub":
        count = stub(table, state)
    elif step.act in SIGNED or (step.act == "note" and "named" in step.rules):
        by, name, signed = performer(table, state, step)
        return Act(step.name, step.act, 0, name=name, by=by, signed=signed)
    cards = needs(table, state, step)
    if machine:
        return Act(step.name, step.act, cards, count, name, by)
    if step.act == "deal":
        cards = min(cards, max(0, step.each - len(state.round.drawn)))
    return Act(step.name, step.act, cards, count, name, by, _next_seat(table, state, step))


def _wagered(state: State) -> bool:
    return any(seat.hands[0].wagers for seat in state.seats.values())


def _next_seat(table: Table, state: State, step: Step) -> int | None:
    """Return the next seat to settle in a step that settles wagers, or None."""
    settlement_pass = table.passes.get(step.pass_name)
    if step.act != "settle" or settlement_pass is None or settlement_pass.wagers == ("envy",):
        return None
    numbers = [n for n, _ in hands_of(table, state, settlement_pass.hands, settlement_pass.wagers)]
    return numbers[-1 if settlement_pass.from_right else 0] if numbers else None
