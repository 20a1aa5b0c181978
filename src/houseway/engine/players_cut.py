"""The players' cut: players commit to random bytes (salts) and later open them; the opened salts shuffle
the sealed deck again.

A player who saw the other salts first could try salts until the cut suits them. So each player commits to
a salt while betting is open, and opens it once betting is closed. If a salt stays unopened, the deck is
discarded unseen. Tables in older records took salts in the clear.
"""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Any, Final

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import DEADLINE, Events, refuse, seat_at, seats_text
from houseway.engine.persons import HOUSE
from houseway.engine.salt_history import LAST_ROUNDS, MOST_UNOPENED, is_barred
from houseway.engine.state import COMMITTED, State
from houseway.engine.table import Table
from houseway.engine.turn_order import unopened_salts
from houseway.engine.void_hands import void_round
from houseway.rules.procedure import Irregularity
from houseway.rules.toml_reader import Basis
from houseway.wording import several

SALT: Final = re.compile("[0-9a-f]{32}")
HASH: Final = re.compile("[0-9a-f]{64}")
"""The form of a seal and of a commitment."""
UNOPENED: Final = "unopened salt"
"""The reason for a round that is void because a salt was not opened."""
_VOID: Final = Irregularity(UNOPENED, {}, "void", {}, (), Basis())
_LABEL: Final = b"houseway salt commitment 1\0"
WAIT_FOR_SALTS: Final = (c.Perform, c.Report, c.DealExtra, c.DealShort, c.Recut)
"""Commands about the cards, which wait until every salt is open."""


def commitment(seal: str, seat: int, salt: str) -> str:
    """Return the commitment of a seat to a salt, for the deck with this seal."""
    bytes_ = _LABEL + bytes.fromhex(seal) + seat.to_bytes(2) + bytes.fromhex(salt)
    return sha256(bytes_).hexdigest()


def may_commit(state: State, number: int) -> bool:
    """True if a seat may commit to a salt. The caller must also check that betting is open."""
    sealed = HASH.fullmatch(state.round.seal) is not None
    return state.players_cut == COMMITTED and sealed and fresh(state) and not barred(state, number)


def fresh(state: State) -> bool:
    """True if the deck of the round is sealed and players have not cut it yet."""
    return bool(state.round.seal) and not state.playing.mixed


def barred(state: State, number: int) -> bool:
    """True if the player of a seat left too many salts unopened to add to the cut."""
    return is_barred(state.openings, state.seats[number].player)


def add_salt(table: Table, state: State, command: c.AddSalt) -> Events:
    """Add a player's salt to the players' cut, at a table that takes salts in the clear."""
    seat_at(state, command.seat)
    _check_salt(command.salt)
    if state.players_cut == COMMITTED:
        how = "send CommitSalt while betting is open and OpenSalt once it is closed"
        refuse("commit-first", f"this table does not take salts in the clear; {how}")
    _check_open(state)
    return e.SaltAdded(seat=command.seat, salt=command.salt)


def commit_salt(table: Table, state: State, command: c.CommitSalt) -> Events:
    """Commit a seat to a salt, replacing its earlier commitment in the round."""
    seat_at(state, command.seat)
    if state.players_cut != COMMITTED:
        refuse("salts-in-the-clear", "this table takes salts in the clear; send AddSalt instead")
    if HASH.fullmatch(command.commitment) is None:
        refuse("bad-commitment", "a commitment must be 64 hexadecimal digits (0-9, a-f)")
    _check_open(state)
    if HASH.fullmatch(state.round.seal) is None:
        refuse("no-seal", "this deck has no seal that a player can commit to; play without a salt")
    if barred(state, command.seat):
        times = f"{MOST_UNOPENED} of your last {several(LAST_ROUNDS, 'round')}"
        sentence = f"your salt stayed unopened in {times}; you can play, but you cannot add to the cut"
        refuse("salt-barred", sentence)
    return e.SaltCommitted(seat=command.seat, commitment=command.commitment)


def _check_salt(salt: str) -> None:
    if SALT.fullmatch(salt) is None:
        refuse(
            "bad-salt",
            "a salt (random bytes for the players' cut) must be 32 hexadecimal digits (0-9, a-f)",
        )


def _check_open(state: State) -> None:
    """Refuse a salt or a commitment unless betting is open on a fresh, sealed deck."""
    if state.section != "round" or state.round.betting != "open":
        refuse("betting-closed", "you can add a salt to the cut only while betting is open")
    if not state.round.seal:
        refuse("no-seal", "this deck has no seal; players can cut only a sealed deck")
    if not fresh(state):
        refuse("dealt-from", "cards have been dealt from this shoe; wait for the next shoe to add a salt")


def open_salt(table: Table, state: State, command: c.OpenSalt) -> Events:
    """Open a seat's salt. When the last salt is open, the cut is made."""
    seat_at(state, command.seat)
    now, number = state.round, command.seat
    if now.betting == "open" and number in now.commitments:
        refuse("betting-open", "betting is still open; open your salt once it is closed")
    if number not in unopened_salts(state):
        refuse("nothing-to-open", "you have no unopened salt in this round")
    _check_salt(command.salt)
    if commitment(now.seal, number, command.salt) != now.commitments[number]:
        refuse("wrong-salt", "this is not the salt that you committed to; send the committed one")
    opened = e.SaltOpened(seat=number, salt=command.salt)
    salts = {**now.salts, number: command.salt}
    if len(salts) < len(now.commitments):
        return opened
    return [opened, e.PlayersCutMade(deck=state.playing.name, salts=dict(sorted(salts.items())))]


def discard_deck(table: Table, state: State, command: c.DiscardDeck) -> Events:
    """Discard the deck unseen, because a salt was not opened in time: the round is void."""
    if command.by not in (DEADLINE, HOUSE):
        refuse("not-the-deadline", "only the table itself can discard the deck, once the time is up")
    seats = unopened_salts(state)
    if not seats:
        refuse("nothing-to-discard", "no salt is waiting to be opened; continue with this deck")
    return [e.DeckDiscarded(deck=state.playing.name, seats=seats), *void_round(table, state, _VOID)]


def check_opened(state: State) -> None:
    """Refuse a command about the cards while a salt is unopened."""
    if seats := unopened_salts(state):
        opens = "opens its salt" if len(seats) == 1 else "open their salts"
        sentence = f"no card is dealt before {seats_text(seats)} {opens}; wait for that or for the deadline"
        refuse("salts-unopened", sentence)


def check_uncut(state: State) -> None:
    """Refuse a new cut or shuffle after betting has closed in a round with commitments.

    Once the salts are open, anyone who knows the cards could choose a cut to their advantage.
    """
    if state.round.commitments and state.round.betting == "closed" and not state.round.void:
        sentence = "the players cut these cards; nobody may move them again before the round is over"
        refuse("cut-by-players", sentence)


HANDLERS: dict[type[c.Command], Any] = {
    c.AddSalt: add_salt,
    c.CommitSalt: commit_salt,
    c.OpenSalt: open_salt,
    c.DiscardDeck: discard_deck,
}
