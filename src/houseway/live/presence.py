"""The players of a table: connected players, bots, and players who are away and whose seats are held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from houseway.bots import Style
from houseway.client.messages import Sitter
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.persons import HOUSE, THE_HOUSE
from houseway.engine.state import State
from houseway.live.clock import Patience
from houseway.live.recorded_table import TableNow
from houseway.wording import several

Bots = Mapping[int, tuple[str, Style]]


class Viewers(Protocol):
    """The viewers of a table: all of them now, or a copy for a change under way."""

    @property
    def watched(self) -> bool:
        """True if the table has a viewer."""

    def has(self, role: str) -> bool:
        """True if a viewer has this role."""

    def has_player(self, handle: str) -> bool:
        """True if a player is connected at any of their seats."""


@dataclass
class Presence:
    """The players of one table, and which of them are connected."""

    _now: TableNow
    _audience: Viewers
    _bots: Callable[[], Bots]
    _limits: Patience
    _away: dict[int, int] = field(default_factory=dict)
    """The rounds that the player of each seat has missed."""
    _idle: dict[int, int] = field(default_factory=dict)
    """The rounds in a row in which the player of each seat has let the time for betting run out."""
    leaving: dict[int, Callable[[], None]] = field(default_factory=dict)
    """The seats of removed players, who leave after the round, with a callback for each."""

    def copy(self, now: TableNow, viewers: Viewers) -> Presence:
        """Return a copy for a change under way, which another thread may read and change."""
        bots = self._bots()
        away, idle, leaving = dict(self._away), dict(self._idle), dict(self.leaving)
        return Presence(now, viewers, lambda: bots, self._limits, away, idle, leaving)

    def adopt(self, other: Presence) -> None:
        """Reset the counts of the seats whose players acted or left in a change that is now on record."""
        self._away = {seat: rounds for seat, rounds in self._away.items() if seat in other._away}
        self._idle = {seat: rounds for seat, rounds in self._idle.items() if seat in other._idle}

    def is_bot(self, seat: int) -> bool:
        """True if a bot of this table sits at the seat."""
        bot = self._bots().get(seat)
        if bot is None:
            return False
        seats = self._now.state.seats
        return seat in seats and seats[seat].player == bot[0]

    def here(self, seat: int) -> bool:
        """True if the seat has a bot, or a player who is connected at any of their seats."""
        return self.is_bot(seat) or self._connected(seat)

    def _connected(self, seat: int) -> bool:
        if self._audience.has(f"seat {seat}"):
            return True
        player = self._now.state.seats.get(seat)
        return player is not None and self._audience.has_player(player.player)

    def persons(self) -> list[int]:
        """Return the seats of connected people who are not sitting out."""
        bots = self._bots()
        return [
            n
            for n, seat in self._now.state.seats.items()
            if seat.seated and self._connected(n) and not (n in bots and self.is_bot(n))
        ]

    def sitters(self) -> dict[int, Sitter]:
        """Return the occupant of each seat: person or bot, connected or not."""
        sitters = {}
        for n, seat in self._now.state.seats.items():
            bot, leaves = self.is_bot(n), seat.removed or n in self.leaving
            here = bot or self._audience.has(f"seat {n}")
            sitters[n] = Sitter(kind="bot" if bot else "person", here=here, leaves=leaves)
        return sitters

    def delays_others(self, seat: int) -> bool:
        """True if another person, who is dealt in or connected, waits while a seat decides."""
        return any(
            n != seat
            and not self.is_bot(n)
            and (other.hands[0].made or (other.seated and self._audience.has(f"seat {n}")))
            for n, other in self._now.state.seats.items()
        )

    def enter(self, seat: int) -> None:
        """Note that the player of a seat has connected."""
        self._away.pop(seat, None)
        self.leaving.pop(seat, None)

    def acted(self, seat: int) -> None:
        """Note that the player of a seat has acted."""
        self._away.pop(seat, None)
        self._idle.pop(seat, None)

    def missed(self, seats: Iterable[int]) -> None:
        """Note that the time for betting ran out while the table waited for these seats."""
        for seat in seats:
            self._idle[seat] = self._idle.get(seat, 0) + 1

    def decided(self, event: e.Event) -> None:
        """Update from an event before it is on record."""
        if isinstance(event, e.PlayerLeft):
            self._away.pop(event.seat, None)
            self._idle.pop(event.seat, None)

    def recorded(self, event: e.Event, after: State) -> None:
        """Update from a recorded event: count missed rounds and report freed seats."""
        if isinstance(event, e.PlayerLeft) and event.seat in self.leaving:
            self.leaving.pop(event.seat)()
        if isinstance(event, e.RoundClosed):
            self._away = {n: self._away.get(n, 0) + 1 for n in after.seats if not self.here(n)}

    def leave_due(self) -> c.Leave | c.RemovePlayer | None:
        """Return a command that frees the seat of a player who was removed, or away or idle too long."""
        absent = {seat for seat, rounds in self._away.items() if rounds >= self._limits.rounds_away}
        removed = {seat for seat, sitting in self._now.state.seats.items() if sitting.removed}
        for seat in sorted(absent | removed | set(self.leaving)):
            sitting = self._now.state.seats.get(seat)
            if sitting is not None and not sitting.hands[0].wagers:
                return c.Leave(seat=seat)
        most = self._limits.rounds_idle
        idle = next((seat for seat, rounds in self._idle.items() if rounds >= most), None)
        if idle is None or self._audience.has("floor"):
            return None
        reason = f"did not bet or say ready in time for {several(most, 'round')}"
        return c.RemovePlayer(by=HOUSE, name=THE_HOUSE, seat=idle, reason=reason)
