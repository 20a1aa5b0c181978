"""Who may send which command: looked up for every one, and nothing that is not listed is taken."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.audit.roles import RAIL
from houseway.client.messages import Person, Role
from houseway.engine import commands as c
from houseway.engine.command_helpers import is_floor
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.live.command_checks import seat_of_person
from houseway.live.live_table import LiveTable
from houseway.live.table_plan import CHIPS
from houseway.server.people import People

WHOSE: Final[dict[type[c.Command], str]] = {
    c.Sit: "anybody",
    **dict.fromkeys((c.Stand, c.Leave, c.Bet, c.TakeBack, c.AddSalt, c.Challenge), "seat"),
    **dict.fromkeys((c.Check, c.Play, c.Fold, c.Keep, c.Split), "seat"),
    **dict.fromkeys((c.Perform, c.KeyAward, c.Report, c.DealExtra, c.DealShort, c.Mispay), "dealer"),
    **dict.fromkeys((c.AnswerChallenge, c.Approve, c.Correct, c.Recut, c.ReplaceDeck), "floor"),
    **dict.fromkeys((c.GoIdle, c.Resume, c.ChangeMinimum, c.KeepMinimum, c.CloseTable), "floor"),
    **dict.fromkeys((c.HoldSeat, c.ReleaseSeat), "floor"),
    **dict.fromkeys((c.ActFor, c.OpenTable), "house"),
}
"""Whose command each is; the house's own come from nobody's socket."""

CHAIR: Final = tuple(kind for kind, whose in WHOSE.items() if whose == "dealer")
"""What is done in the dealer's chair; where a machine sits there nobody else does it."""
OWN_CARDS: Final = (c.Keep, c.Split)
"""The commands that name cards: a player's own. All others come from the shoe; nobody may guess at them."""
STAFF: Final = ("dealer", "floor", "surveillance")
"""The roles that are given: nobody has one by sitting down or by watching."""
FAIR: Final = (c.Approve, c.AnswerChallenge)
"""What somebody may say for the floor with a wager of one's own on the table."""


def allowed(
    people: People, table: str, state: State, person: Person, command: c.Command, chips: int = CHIPS
) -> c.Command | Refusal:
    """The command as this person may give it, signed with what the person is at the table."""
    whose = WHOSE.get(type(command), "house")
    name = type(command).__name__
    guessed = getattr(command, "cards", ()) or getattr(command, "seal", "")
    if guessed and not isinstance(command, OWN_CARDS):
        return _refuse("cards-from-the-shoe", f"the cards of {name} come from the shoe; leave them out")
    if isinstance(command, c.Sit):
        return _sitting(state, person, command, chips)
    if whose == "seat":
        number = int(getattr(command, "seat", 0))
        seat = state.seats.get(number)
        if seat is None or seat.player != person.handle:
            return _refuse("not-your-seat", f"seat {number} is not yours; {name} is for who sits there")
        if isinstance(command, c.Bet) and (command.coupon or command.form != "chips"):
            return _refuse("chips-only", "this house takes play chips; leave coupon and form out")
        return replace(command, by=f"seat {number}")
    if whose == "house":
        return _refuse("not-yours", f"{name} is the house's own; nobody sends it")
    role: Role = "dealer" if whose == "dealer" else "floor"
    if isinstance(command, c.Report) or (isinstance(command, c.Perform) and is_floor(command.by)):
        # What went wrong anybody of the two may say; a step of the floor's own the dealer cannot take.
        role = "floor" if people.may(person, table, "floor") else "dealer"
    if not people.may(person, table, role):
        sentence = f"{name} is for the {role}; ask who opened the table for an invitation"
        return _refuse("not-your-role", sentence)
    seat = state.seats.get(seat_of_person(state, person))
    if seat is not None and seat.hands[0].made | seat.hands[0].wagers and not isinstance(command, FAIR):
        return _refuse("plays", f"who has a wager on the table does not speak for the {role}")
    if isinstance(command, CHAIR) and state.dealer == "machine":
        return _refuse("machine-deals", "a machine deals here; open a table with a person in the chair")
    if isinstance(command, c.AnswerChallenge):
        return replace(command, by="supervisor")
    if isinstance(command, c.Perform) and role == "floor":
        return command
    return replace(command, by=role)


def role_refusal(
    people: People, live: LiveTable, person: Person | None, role: str, where: str
) -> Refusal | None:
    """Return why a person may not look at a table in a role; anyone may from the rail."""
    number = seat_of(role)
    if number and (person is None or seat_of_person(live.state, person) != number):
        return Refusal("not-your-seat", None, where, f"seat {number} is not yours; sit down first")
    if number or role == RAIL:
        return None
    if role not in STAFF:
        sentence = f"{role[:20]!r} is nobody at a table; take seat N or rail"
        return Refusal("no-role", None, where, sentence)
    if person is not None and role == "surveillance" and seat_of_person(live.state, person):
        return Refusal("plays", None, where, "who sits at the table does not watch it from above")
    if person is None or not people.may(person, live.stream, role):
        sentence = f"you are not the {role} here; ask who opened the table for an invitation"
        return Refusal("not-your-role", None, where, sentence)
    return None


def _sitting(state: State, person: Person, command: c.Sit, chips: int) -> c.Command | Refusal:
    """Sit down with fresh play chips, or sit down again; one seat for each person."""
    own = seat_of_person(state, person)
    if own and own != command.seat:
        return _refuse("seated", f"you have seat {own} at this table; leave it first")
    if own:
        return c.Sit(seat=own, by=f"seat {own}")
    return c.Sit(seat=command.seat, player=person.handle, chips=chips)


def _refuse(code: str, sentence: str) -> Refusal:
    return Refusal(code, None, "command", sentence)
