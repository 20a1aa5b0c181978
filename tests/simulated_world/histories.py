"""The messages that each client received, to compare with the record at the end."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from houseway.client import messages as m

CARD = re.compile(r'"([2-9TJQKA][cdhs])"')
"""A card in a message."""


class Shown(NamedTuple):
    """The cards in one message."""

    role: str
    first: int
    """The number of the first event in the message."""
    seq: int
    cards: frozenset[str]


class History:
    """The events, cards and acknowledgements that one client received."""

    def __init__(self, name: str, stream: str = "") -> None:
        self.name = name
        self.stream = stream
        self.events: dict[int, dict[str, Any]] = {}
        """The events that the client received, by number."""
        self.shown: list[Shown] = []
        self.acks: dict[tuple[str, str], int] = {}
        """The event that each acknowledgement named, by table and key."""
        self.problems: list[str] = []
        self.role = ""
        """The role in which the client sees the table."""
        self.current = False
        """True while the client's view is up to date, as far as the client knows."""
        self._seq = 0
        """The last event that the client knows over this connection."""

    def connect(self, role: str) -> None:
        """Start a new connection."""
        self.role, self._seq, self.current = role, 0, False

    def acknowledged(self, stream: str, key: str, seq: int) -> None:
        """Note an acknowledgement; a repeated one must name the same event."""
        if self.acks.setdefault((stream, key), seq) != seq:
            self._problem(f"{key} was acknowledged as event {self.acks[stream, key]}, then as event {seq}")

    def take(self, message: m.FromHouse, text: str) -> None:
        """Note a message."""
        if isinstance(message, m.Entered):
            self.role = message.role
        if not isinstance(message, m.Entered | m.Updated):
            return
        events = [update for update in message.updates if update.event is not None]
        first = events[0].seq if events else message.seq
        if message.view is not None and message.view.yours.seat:
            self.role = f"seat {message.view.yours.seat}"
        elif message.view is not None and self.role.startswith("seat "):
            self.role = "rail"
        if cards := CARD.findall(text):
            self.shown.append(Shown(self.role, first, message.seq, frozenset(cards)))
        if message.seq < self._seq:
            self._problem(f"event {message.seq} came after event {self._seq}")
        if message.view is None and events and first != self._seq + 1:
            self._problem(f"event {first} came after event {self._seq}, so some were left out")
        for update in events:
            assert update.event is not None
            if self.events.setdefault(update.seq, update.event) != update.event:
                self._problem(f"the client received two versions of event {update.seq}")
        self._seq, self.current = message.seq, True

    def _problem(self, sentence: str) -> None:
        self.problems.append(f"{self.name}: {sentence}")
