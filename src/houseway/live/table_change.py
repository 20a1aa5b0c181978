"""One change of a table. Its commands are decided and recorded before any viewer sees the result.

A change works with copies of the table's phase and presence, so it can run in a thread of its own. If that
thread does not finish in time, the change is dropped, and the table reads its record again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from houseway.audit.store import StoreError
from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.live.live_table import Accepted, LiveTable
from houseway.live.presence import Presence
from houseway.live.table_phase import Marks, Phase

T = TypeVar("T")
First = Callable[[Phase], c.Command | None]
"""Returns the command that comes before the automatic acts; None if there is none."""


class ActRefusedError(StoreError):
    """An automatic act was refused, so the table cannot continue by itself."""


def no_command(phase: Phase) -> c.Command | None:
    """Return None: no command comes before the automatic acts."""
    return None


@dataclass
class TableChange:
    """The commands of one change, and the phase and presence after them."""

    live: LiveTable
    phase: Phase
    presence: Presence
    _paced: bool
    """True if `TableRunner.step` performs the automatic acts, one at a time."""
    accepted: list[Accepted] = field(default_factory=list)
    """The answers whose events viewers get once they are on record."""
    trouble: str | None = None
    """The reason the table cannot continue; empty if it can, None if the automatic acts were not tried."""
    refused: bool = False
    """True if the trouble is that the table refused an automatic act."""

    def record(self, act: Callable[[], T]) -> T:
        """Record all commands of an act together, all of them or none."""
        with self.live.together():
            synced = self.live.sync()
            if synced is not None:
                self.note(synced)
            return act()

    def deal(self, first: First = no_command) -> None:
        """Perform automatic acts until the table waits for a person.

        If `step` paces the table, perform none.
        """
        self.trouble = ""
        if self._paced:
            return
        marks = self.phase.marks()
        try:
            command = first(self.phase) or self.phase.next_command()
            while command is not None:
                self.must(command, marks)
                marks = self.phase.marks()
                command = self.phase.next_command()
        except StoreError as error:
            # The acts before the error are kept.
            self.trouble, self.refused = str(error), isinstance(error, ActRefusedError)

    def step(self) -> bool:
        """Perform the next automatic act; return False if none is due."""
        marks = self.phase.marks()
        command = self.phase.next_command()
        if command is not None:
            self.must(command, marks)
        return command is not None

    def must(self, command: c.Command, marks: Marks) -> None:
        """Send an automatic command; raise ActRefusedError if the table refuses it.

        If it fails, restore the marks of the phase before the command was chosen: the next attempt needs
        them again.
        """
        try:
            answer = self.live.send(command)
            if isinstance(answer, Refusal):
                raise ActRefusedError(f"the table cannot continue: {answer.message}")
        except StoreError:
            self.phase.restore(marks)
            raise
        self.note(answer)

    def note(self, answer: Accepted) -> None:
        """Update presence and phase with an answer."""
        if answer.repeated:
            return
        self.accepted.append(answer)
        for event in answer.events:
            self.presence.decided(event)
            self.phase.decided(event)
