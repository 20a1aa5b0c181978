"""The people who approve, verify or confirm something: their titles and names, and the house setting that
lets the table act without them.

A rulebook that offers the house setting `auto_approve` requires a named person for each of these acts. If
the house turns the setting on, the table performs these acts itself, and their events are `automatic`.
"""

from __future__ import annotations

from typing import Final

from houseway.engine import commands as c
from houseway.engine.command_helpers import is_floor, refuse
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.rules.procedure import Step

HOUSE: Final = "house"
"""The sender of automatic approvals, verifications and confirmations."""
THE_HOUSE: Final = "the house"
"""The name under which the house voids a round or removes a player."""
AUTOMATIC_DEALER: Final = "the automatic dealer"
"""The name under which an automatic dealer inspects decks, if the rulebook lets the dealer inspect them."""
SIGNED: Final = ("inspect", "verify", "confirm")
"""The acts that name the person who performs them."""


def auto_approves(table: Table, state: State) -> bool:
    """True if the table approves, verifies and confirms automatically.

    The house setting `auto_approve` decides. By default, it is on at tables with a machine dealer.
    """
    chosen = table.terms.house("auto_approve")
    return state.dealer == "machine" if chosen is None else bool(chosen)


def role_of(step: Step) -> str:
    """Return the role that performs a step: the role that the step names, or the dealer."""
    named = step.rules.get("named")
    return str(named.value) if named is not None and isinstance(named.value, str) else "dealer"


def performed_at_table(step: Step) -> bool:
    """True if a player at the table or, in a player's place, a named employee performs a step."""
    rule = step.rules.get("by_player")
    return rule is not None and rule.value == "at the table"


def is_employee(name: str) -> bool:
    """True for a name with a title, such as "dealer Ann" or "supervisor Bea"."""
    title, _, person = name.rpartition(" ")
    return bool(person) and (title == "dealer" or is_floor(title))


def names_person(table: Table, step: Step) -> bool:
    """True if a step names the person who performs it. A cut that a player marks names the player."""
    cuts = step.act == "cut" and "by_player" not in step.rules
    return table.names_persons and (step.act in SIGNED or cuts or "named" in step.rules)


def floors_step(table: Table, state: State, step: Step) -> bool:
    """True if the floor performs a step.

    The step names the floor, or it needs a person at a table with a machine dealer: it confirms an item, or
    it is performed at the table.
    """
    machine = state.dealer == "machine" and (step.act == "confirm" or performed_at_table(step))
    return names_person(table, step) and (machine or is_floor(role_of(step)))


def performer(table: Table, state: State, step: Step) -> tuple[str, str, bool]:
    """Return the sender and the name for a step that names a person, and True if a person must perform it.

    If a person must perform the step, the name is a placeholder such as "the floorperson".
    """
    role = role_of(step)
    if not table.names_persons:
        return role, f"the {role}", False
    if floors_step(table, state, step):
        if auto_approves(table, state):
            return HOUSE, "", False
        role = role if is_floor(role) else "floor"
    elif state.dealer == "machine":
        return role, AUTOMATIC_DEALER, False
    elif step.act == "confirm" and table.terms.house("auto_approve"):
        return HOUSE, "", False
    return role, f"the {role}", True


def check_person(
    table: Table, state: State, command: c.Perform | c.Approve, role: str, clause: str | None
) -> bool:
    """Refuse an act without a named person of the role; return True if the house setting performs it."""
    if command.by == HOUSE:
        if not auto_approves(table, state):
            sentence = f"the house setting auto_approve is off; the {role} must do this and give a name"
            refuse("person-needed", sentence, clause)
        return True
    if is_floor(role) and not is_floor(command.by):
        refuse("not-the-floor", f"only the {role} can do this", clause)
    if not command.name:
        refuse("name-missing", f"this step needs the name of the {role} who did it", clause)
    return False


def check_at_table(table: Table, state: State, command: c.Perform, step: Step) -> bool:
    """Refuse a step that neither a player at the table nor a named employee performs; return True if the
    house setting performs it."""
    clause = table.clause(step, "by_player")
    if check_person(table, state, command, "player or employee", clause):
        return True
    # A person who deals and the floor are employees; the name is their own.
    employee = is_floor(command.by) or (command.by == "dealer" and state.dealer == "person")
    check_name_at_table(state, command.name, clause, employee=employee)
    return False


def check_name_at_table(state: State, name: str, clause: str | None, *, employee: bool = False) -> None:
    """Refuse a name that is neither a player's at the table nor, with its title, an employee's."""
    players = {seat.player for seat in state.seats.values()}
    if not employee and name not in players and not is_employee(name):
        sentence = f"{name} is not at the table; name a player, or an employee with a title"
        refuse("not-at-the-table", sentence, clause)
