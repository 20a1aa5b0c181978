"""The roles that a record can be exported for, and the sealed parts that each role may see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from houseway.audit.entries import RecordEntry, StoredEntry
from houseway.audit.record_header import read_record, recorded_entry
from houseway.audit.store import Store
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields

RAIL, FLOOR, SURVEILLANCE, HOUSE = "rail", "floor", "surveillance", "house"


def read_role(text: str) -> str:
    """Convert a role from the command line ("seat:3") to the engine's form ("seat 3"). Raises ValueError if
    there is no such role."""
    if seat := re.fullmatch("seat:0*([1-9][0-9]*)", text):
        return f"seat {seat[1]}"
    if text in (RAIL, FLOOR, SURVEILLANCE):
        return text
    raise ValueError(f"{text!r} is not a role; use seat:N, rail, floor or surveillance")


def visible_parts(store: Store, stream: str, role: str) -> set[int]:
    """Return the numbers of the entries with a sealed part that a role may see completely.

    Surveillance sees all sealed parts up to the last closed round. A player who has looked at the cards
    sees the sealed parts that contain only cards dealt to that player. Other roles see none.
    """
    if role == SURVEILLANCE:
        return _of_closed_rounds(store.entries(stream))
    if role == HOUSE:
        return {stored.seq for stored in store.entries(stream)}
    return _of_seat(store, stream, role) if role.startswith("seat ") else set()


def _of_closed_rounds(entries: Iterator[StoredEntry]) -> set[int]:
    numbers: list[int] = []
    closed = 0
    for stored in entries:
        numbers.append(stored.seq)
        if any(isinstance(event, e.RoundClosed) for event in recorded_entry(stored, hidden=False).events):
            closed = len(numbers)
    return set(numbers[:closed])


def _of_seat(store: Store, stream: str, role: str) -> set[int]:
    number = int(role.removeprefix("seat "))
    numbers: set[int] = set()
    waiting: list[int] = []
    player, looked = "", False
    table, entries = read_record(store, stream)
    for stored, entry in entries:
        for event in entry.events:
            match event:
                case e.RoundOpened():
                    waiting, looked = [], False
                case e.PlayerSeated(seat=at, player=name) if at == number:
                    # A new player may not see the cards of the previous one.
                    numbers = numbers if name and name == player else set()
                    player = name
                case e.PlayersLooked():
                    looked = "looking" in table.book.options
        if stored.sealed and _hides_only(entry, number):
            waiting.append(stored.seq)
        if looked:
            numbers.update(waiting)
            waiting = []
    return numbers


def place_of(event: e.Event) -> str:
    """Return the place of the cards that an event hides, such as "seat 3"."""
    return getattr(event, "to", "") or getattr(event, "at", "") or f"seat {getattr(event, 'seat', 0)}"


def _hides_only(entry: RecordEntry, number: int) -> bool:
    """True if all hidden cards of an entry were dealt to this seat."""
    hiding = [event for event in entry.events if any(getattr(event, f) for f in hidden_fields(event))]
    if not isinstance(entry.command, c.Perform | c.Keep | c.Split | c.ActFor | c.Report) or not hiding:
        return False
    own = e.CardsDealt | e.CardReplaced | e.HandSet | e.HandSplit
    if not all(isinstance(event, own) for event in hiding):
        return False
    if {place_of(event) for event in hiding} != {f"seat {number}"}:
        return False
    # The command of a dealer's act may also contain cards that are face up or were dealt to other places.
    dealt = sum(event.count for event in hiding if isinstance(event, e.CardsDealt))
    dealt += sum(isinstance(event, e.CardReplaced) for event in hiding)
    return not isinstance(entry.command, c.Perform | c.Report) or len(entry.command.cards) <= dealt
