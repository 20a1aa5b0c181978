"""Authorization of commands and roles. A command that is not listed is refused."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.audit.roles import RAIL
from houseway.client.messages import Person, Role
from houseway.engine import commands as c
from houseway.engine.command_form import answer_clause, seated_clause
from houseway.engine.command_helpers import is_floor
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.terms import Terms
from houseway.live.command_checks import seats_of_person
from houseway.live.runner import TableRunner
from houseway.live.table_plan import CHIPS
from houseway.server.handle_rules import is_bot
from houseway.server.people import People

WHOSE: Final[dict[type[c.Command], str]] = {
    c.Sit: "anybody",
    **dict.fromkeys((c.Stand, c.Leave, c.Bet, c.TakeBack, c.Challenge), "seat"),
    **dict.fromkeys((c.AddSalt, c.CommitSalt, c.OpenSalt), "seat"),
    **dict.fromkeys((c.Check, c.Play, c.Fold, c.Keep, c.Split), "seat"),
    **dict.fromkeys((c.Perform, c.KeyAward, c.Report, c.DealExtra, c.DealShort, c.Mispay), "dealer"),
    **dict.fromkeys((c.AnswerChallenge, c.Approve, c.Correct, c.Recut, c.ReplaceDeck), "floor"),
    **dict.fromkeys((c.GoIdle, c.Resume, c.ChangeMinimum, c.KeepMinimum, c.CloseTable), "floor"),
    **dict.fromkeys((c.HoldSeat, c.ReleaseSeat, c.ResetHand, c.MakeRuling, c.RemovePlayer), "floor"),
    **dict.fromkeys((c.ActFor, c.OpenTable, c.SyncMeters, c.ShowCards, c.SeeFold, c.DiscardDeck), "house"),
}
"""The role that may send each command; only the server itself may send a command marked "house"."""

CHAIR: Final = tuple(kind for kind, sender in WHOSE.items() if sender == "dealer")
"""Commands of the dealer; refused if a machine deals."""
OWN_CARDS: Final = (c.Keep, c.Split)
"""Commands in which players name their own cards. In all other commands, the cards come from the shoe."""
BOTH: Final = (c.Report, c.AnswerChallenge, c.ResetHand, c.GoIdle, c.Resume)
"""Commands that the dealer and the floor supervisor may both send."""
FORMS: Final = ("chips", "plaques", "cash", "verbal")
"""The known forms of a wager. The rulebook decides which of them are accepted."""
STAFF: Final = ("dealer", "floor", "surveillance")
"""Roles that need an invitation."""
NAMED: Final = (
    c.ChangeMinimum, c.KeepMinimum, c.HoldSeat, c.ReleaseSeat, c.Correct, c.ReplaceDeck, c.Stand,
)  # fmt: skip
"""The floor's orders whose events name the floor person. The server enters the name."""
FAIR: Final = (c.Approve, c.AnswerChallenge, c.ResetHand)
"""Commands that a floor supervisor may send even with a wager of their own on the table."""


def allowed(
    people: People,
    table: str,
    state: State,
    person: Person,
    command: c.Command,
    chips: int = CHIPS,
    terms: Terms | None = None,
) -> c.Command | Refusal:
    """Return the command with `by` set to the sender's role, or a refusal.

    The table's `terms` decide whether a person may take a second seat; without them, one seat is allowed.
    """
    sender = WHOSE.get(type(command), "house")
    name = type(command).__name__
    names_cards = getattr(command, "cards", ()) or getattr(command, "seal", "")
    if names_cards and not isinstance(command, OWN_CARDS) and not _keeps_shown_cards(state, command):
        return _refuse("cards-from-the-shoe", f"{name} gets its cards from the shoe; leave them out")
    if isinstance(command, c.Sit):
        # A bot plays with the house's chips; a person has an account.
        return _sit(state, person, command, chips if is_bot(person.handle) else 0, terms)
    absent = _for_absent_player(state, person, command)
    if sender != "seat" or absent:
        # A role may have been revoked while the command waited.
        person = people.current(person)
    if absent and people.may(person, table, "floor"):
        sender = "floor"
    if sender == "seat":
        number = int(getattr(command, "seat", 0))
        seat = state.seats.get(number)
        if seat is None or seat.player != person.handle:
            sentence = f"seat {number} is not yours; only its player may send {name}"
            clause = seated_clause(terms, command) if terms is not None else None
            return Refusal("not-your-seat", clause, "command", sentence)
        if isinstance(command, c.Bet) and command.form not in FORMS:
            sentence = f"a wager cannot be {command.form[:20]!r}; bet with chips or plaques"
            return _refuse("chips-only", sentence)
        command = replace(command, by=f"seat {number}")
        # Only a floor person who reports that another player stood up is named.
        return replace(command, name="") if isinstance(command, c.Stand) else command
    if sender == "house":
        return _refuse("not-yours", f"only the server may send {name}")
    role: Role = "dealer" if sender == "dealer" else "floor"
    if isinstance(command, BOTH) or (isinstance(command, c.Perform) and is_floor(command.by)):
        # Only the floor supervisor may perform the steps of the floor.
        role = "floor" if people.may(person, table, "floor") else "dealer"
    if not people.may(person, table, role):
        sentence = f"only the {role} may send {name}; ask the table's host for an invitation"
        clause = answer_clause(terms, command) if terms is not None else None
        return Refusal("not-your-role", clause, "command", sentence)
    hands = [state.seats[number].hands[0] for number in seats_of_person(state, person)]
    fair = isinstance(command, FAIR) or _removes_waiting_player(state, command)
    if any(hand.made | hand.wagers for hand in hands) and not fair:
        return _refuse("plays", f"you have a wager on the table, so you cannot act as the {role} now")
    floors = isinstance(command, c.Perform) and role == "floor" and is_floor(command.by)
    if isinstance(command, CHAIR) and state.dealer == "machine" and not floors:
        return _refuse("machine-deals", "a machine deals here; open a table with a person as dealer")
    if isinstance(command, c.AnswerChallenge | c.ResetHand):
        # TS-11-f: the record names the person who checked or reset the hand.
        return replace(command, by="supervisor" if role == "floor" else role, name=person.handle)
    if isinstance(command, c.ActFor) and role == "floor":
        return replace(command, by="supervisor", name=person.handle)
    if isinstance(command, c.MakeRuling | c.Recut | c.RemovePlayer):
        return replace(command, by="supervisor", name=person.handle)
    if isinstance(command, NAMED):
        return replace(command, by=role, name=person.handle)
    if isinstance(command, c.Perform) and role == "floor":
        return command
    return replace(command, by=role)


def _keeps_shown_cards(state: State, command: c.Command) -> bool:
    """True if a command names the cards that the dealer keeps of a hand that is already face up."""
    now = state.round
    shown = now.dealer if now.revealed and not now.kept else ()
    return isinstance(command, c.Perform) and not command.seal and set(command.cards) <= set(shown)


def _removes_waiting_player(state: State, command: c.Command) -> bool:
    """True if a command removes a player without cards. That affects no other player's wager."""
    seat = state.seats.get(command.seat) if isinstance(command, c.RemovePlayer) else None
    return seat is not None and not seat.hands[0].cards


def _for_absent_player(state: State, person: Person, command: c.Command) -> bool:
    """True if a command records that another player has left with wagers or cards on the table, or if it
    plays the hand of a player who has left."""
    seat = state.seats.get(command.seat) if isinstance(command, c.Stand | c.ActFor) else None
    if seat is None or seat.player == person.handle:
        return False
    hand = seat.hands[0]
    return bool(hand.cards or hand.wagers) if isinstance(command, c.Stand) else not seat.seated


def role_refusal(
    people: People, table: TableRunner, person: Person | None, role: str, where: str
) -> Refusal | None:
    """Return a refusal if a person may not view a table in a role. Anyone may watch from the rail."""
    number = seat_of(role)
    if number and (person is None or number not in seats_of_person(table.state, person)):
        return Refusal("not-your-seat", None, where, f"seat {number} is not yours; sit down first")
    if number or role == RAIL:
        return None
    if role not in STAFF:
        return Refusal("no-role", None, where, f"there is no role {role[:20]!r}; use seat N or rail")
    if person is not None and role == "surveillance" and seats_of_person(table.state, person):
        return Refusal("plays", None, where, "you play at this table, so you cannot watch as surveillance")
    if person is None or not people.may(person, table.stream, role):
        sentence = f"you do not have the {role} role here; ask the host for an invitation"
        return Refusal("not-your-role", None, where, sentence)
    return None


def _sit(
    state: State, person: Person, command: c.Sit, chips: int, terms: Terms | None
) -> c.Command | Refusal:
    """Return the command with which a person takes a free seat, or sits down again in their own.

    If `chips` is 0, the chips come from the person's account.
    """
    own = seats_of_person(state, person)
    if command.seat in own:
        return c.Sit(seat=command.seat, by=f"seat {command.seat}")
    rule = terms.one_position if terms is not None else None
    if own and (terms is None or rule is not None):
        sentence = (
            f"you have seat {own[0]} at this table, and a player can take only one seat; leave it first"
        )
        return Refusal("seated", terms.cite(rule) if terms is not None else None, "command", sentence)
    account = "" if chips else person.handle
    return c.Sit(seat=command.seat, player=person.handle, chips=chips, account=account)


def _refuse(code: str, sentence: str) -> Refusal:
    return Refusal(code, None, "command", sentence)
