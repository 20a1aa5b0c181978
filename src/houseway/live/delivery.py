"""The seam between a table and its viewers: the runner says what happened, the delivery sends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from houseway.client.messages import Sitter, View, Waits
from houseway.engine import events as e
from houseway.engine.state import State


class Watcher(Protocol):
    """A viewer who is sent what happens at a table."""

    role: str
    handle: str

    def tell(self, frame: bytes) -> None:
        """Take a message; never waits."""


class Delivery(Protocol):
    """Sends every viewer of one table what happened and what they may see."""

    @property
    def watchers(self) -> set[Watcher]:
        """All viewers."""

    def has(self, role: str) -> bool:
        """True if a viewer has this role."""

    def restart(self) -> None:
        """Read the round from the record again; every viewer gets a whole view next."""

    def record(self, seq: int, event: e.Event, after: State) -> None:
        """Take in an event that is on record now."""

    def place(self) -> None:
        """Give every viewer the role that fits who sits where now."""

    def welcome(
        self, watcher: Watcher, since: int | None, waits: Waits, people: Mapping[int, Sitter]
    ) -> None:
        """Send the table to a viewer who enters, with what happened after event `since`."""

    def lose(self, watcher: Watcher) -> None:
        """Forget a viewer who is gone."""

    def send(self, waits: Waits, people: Mapping[int, Sitter]) -> None:
        """Send every viewer what is new."""

    def view(self, role: str, waits: Waits, people: Mapping[int, Sitter]) -> View:
        """The table as a role sees it now."""
