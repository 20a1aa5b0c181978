"""A bot's seat at a table that runs in this process."""

from __future__ import annotations

import msgspec

from houseway.client.messages import Answered, Do, Person, Ready, View
from houseway.engine import commands as c
from houseway.engine.codec import written
from houseway.live.bot_driver import Wanted
from houseway.live.runner import TableRunner


class RunnerSeat:
    """A bot's seat: it gets the seat's view and sends commands under keys, like any player."""

    def __init__(self, runner: TableRunner, number: int, name: str) -> None:
        self.number = number
        self._runner = runner
        self._person = Person(handle=name)
        self._keys = 0

    def wanted(self) -> Wanted:
        """What the table wants from the bot now."""
        runner = self._runner
        sitting = runner.live.state.seats.get(self.number)
        if sitting is None or sitting.player != self._person.handle:
            return ""
        if runner.phase.betting:
            return "" if self.number in runner.phase.ready else "bet"
        waits = runner.phase.awaited()
        return "decision" if waits.why == "decision" and waits.seats == (self.number,) else ""

    def view(self) -> View:
        """The seat's view."""
        return self._runner.view(f"seat {self.number}")

    def send(self, command: c.Command) -> bool:
        """Send a command; True if it is done."""
        self._keys += 1
        key = f"{self._runner.seq}.{self._keys}"
        answer = self._runner.do(self._person, Do(key=key, command=msgspec.Raw(written(command))))
        return isinstance(answer, Answered)

    def ready(self) -> None:
        """Say that the bot has wagered all it wants."""
        self._runner.say_ready(self._person, Ready())
