"""Rounds at a live table with scripted cards, whose record is verified."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from houseway.audit.memory_store import MemoryStore
from houseway.audit.verify import verify
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.live import Accepted, LiveTable
from houseway.rules.loader import load
from record.recorded import house
from scripted import Scripted

Event = TypeVar("Event", bound=e.Event)
CHIPS = 1_000_000


class LiveRound:
    """A live table whose dealer acts automatically; amounts are in cents."""

    def __init__(self, rulebook: str, deck: str, mode: str = "device", **given: Any) -> None:
        self.store, book = MemoryStore(), load(rulebook)
        opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
        if "limits" not in given and book.bet_limit is not None:
            # A table under a bet limit posts a maximum for each wager that has no fixed amount.
            free = {"ante", "trips", "wager", "bonus"} & set(book.wagers)
            given["limits"] = {name: {"min": "1", "max": "100"} for name in sorted(free)}
        live = LiveTable.open(
            house(self.store), "table:1", book, {"mode": mode, **given}, opening, Scripted([deck])
        )
        assert isinstance(live, LiveTable), live
        self.live = live
        self.events: list[e.Event] = []
        self.advance()

    def advance(self) -> Self:
        """Let the dealer act until a player or the floor is due."""
        for accepted in self.live.advance():
            self.events += accepted.events
        return self

    def send(self, command: c.Command) -> Self:
        """Send a command that must be accepted, then let the dealer act."""
        answer = self.live.send(command)
        assert isinstance(answer, Accepted), answer
        self.events += answer.events
        # The table continues its opening when the first player sits down. After a bet, the other players may bet first.
        waits = isinstance(command, c.Bet) or (
            isinstance(command, c.Sit) and self.live.state.section == "round"
        )
        return self if waits else self.advance()

    def refused(self, command: c.Command) -> Refusal:
        """Send a command that must be refused."""
        answer = self.live.send(command)
        assert isinstance(answer, Refusal), answer
        return answer

    def bet(self, seat: int, tips: dict[str, int] | None = None, **wagers: int) -> Self:
        """Sit down and bet."""
        if seat not in self.live.state.seats:
            self.send(c.Sit(seat=seat, player=f"player {seat}", chips=CHIPS))
        return self.send(c.Bet(seat=seat, wagers=wagers, tips=tips or {}))

    def seen(self, kind: type[Event]) -> list[Event]:
        """Every event of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def net(self, seat: int) -> int:
        """The cents that a seat has won or lost."""
        return self.live.state.seats[seat].chips - CHIPS

    def verified(self) -> Self:
        """Check that the record verifies, including a second settlement of its rounds."""
        report = verify(self.store, "table:1")
        assert not report.faults, report.faults
        return self
