"""Whom a record is handed to, and which of its sealed parts go with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from houseway.audit.entries import RecordEntry, Stored
from houseway.audit.record_header import recorded, recorded_entry
from houseway.audit.store import Store
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields

RAIL, FLOOR, SURVEILLANCE, HOUSE = "rail", "floor", "surveillance", "house"


def read_role(text: str) -> str:
    """A role as the command line writes it, in the engine's words: "seat 3" of "seat:3"; ValueError."""
    if seat := re.fullmatch("seat:0*([1-9][0-9]*)", text):
        return f"seat {seat[1]}"
    if text in (RAIL, FLOOR, SURVEILLANCE):
        return text
    raise ValueError(f"{text!r} is nobody at a table; write seat:N, rail, floor or surveillance")


def open_parts(store: Store, stream: str, role: str) -> set[int]:
    """The numbers of the entries whose sealed part a role may have: all of it, or it stays sealed.

    Surveillance has everything up to the last closed round; a player the entries that hide nothing but
    cards dealt to the seat, once players have looked, as long as it was the same player; others none.
    """
    if role == SURVEILLANCE:
        return _of_closed_rounds(store.entries(stream))
    if role == HOUSE:
        return {stored.seq for stored in store.entries(stream)}
    return _of_seat(store, stream, role) if role.startswith("seat ") else set()


def _of_closed_rounds(entries: Iterator[Stored]) -> set[int]:
    numbers: list[int] = []
    closed = 0
    for stored in entries:
        numbers.append(stored.seq)
        if any(isinstance(event, e.RoundClosed) for event in recorded_entry(stored, hidden=False).events):
            closed = len(numbers)
    return set(numbers[:closed])


def _of_seat(store: Store, stream: str, role: str) -> set[int]:
    number = int(role.removeprefix("seat "))
    seen: set[int] = set()
    waiting: list[int] = []
    player, looked = "", False
    table, entries = recorded(store, stream)
    for stored, entry in entries:
        for event in entry.events:
            match event:
                case e.RoundOpened():
                    waiting, looked = [], False
                case e.PlayerSeated(seat=at, player=name) if at == number:
                    # What the last player saw is not the next one's to see.
                    seen = seen if name and name == player else set()
                    player = name
                case e.PlayersLooked():
                    looked = "looking" in table.book.options
        if stored.sealed and _hides_only(entry, number):
            waiting.append(stored.seq)
        if looked:
            seen.update(waiting)
            waiting = []
    return seen


def place_of(event: e.Event) -> str:
    """The place whose cards an event hides."""
    return getattr(event, "to", "") or getattr(event, "at", "") or f"seat {getattr(event, 'seat', 0)}"


def _hides_only(entry: RecordEntry, number: int) -> bool:
    """Whether all hidden cards of an entry were dealt to one seat."""
    hiding = [event for event in entry.events if any(getattr(event, f) for f in hidden_fields(event))]
    if not isinstance(entry.command, c.Perform | c.Keep | c.Split | c.ActFor) or not hiding:
        return False
    if not all(isinstance(event, e.CardsDealt | e.HandSet | e.HandSplit) for event in hiding):
        return False
    if {place_of(event) for event in hiding} != {f"seat {number}"}:
        return False
    # A dealer's act may use cards that lie face up as well, or that went elsewhere.
    dealt = sum(event.count for event in hiding if isinstance(event, e.CardsDealt))
    return not isinstance(entry.command, c.Perform) or len(entry.command.cards) <= dealt
