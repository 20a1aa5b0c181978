"""The deadline of the act that a table waits for, and its timer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from houseway.client.messages import OpenTable, Waits
from houseway.engine.turn_order import due, in_order
from houseway.live.audience import Audience
from houseway.live.clock import AGAIN, BEFORE_BOTS, BETWEEN, Clock, Patience, Timer
from houseway.live.presence import Presence
from houseway.live.recorded_table import RecordedTable
from houseway.live.table_phase import Phase

DeadlineKey = tuple[Any, ...]
"""The act that a timer runs for."""


@dataclass
class Deadlines:
    """The one timer of a table: it restarts when the table waits for something new."""

    _clock: Clock | None
    """None for a table without deadlines."""
    _order: OpenTable
    _now: RecordedTable
    _phase: Phase
    _presence: Presence
    _audience: Audience
    _expired: Callable[[DeadlineKey], None]
    _limits: Patience
    _timer: Timer | None = None
    _armed: DeadlineKey = ()
    """The act that the timer runs for."""
    _until: float | None = None

    def key(self, awaited: Waits, *, retry: bool) -> DeadlineKey:
        """Return the act that the table waits for now, with the seconds it waits."""
        state, now = self._now.state, due(self._now.table, self._now.state)
        step = now.step.name if now else ""
        seconds = AGAIN if retry else self._patience(awaited)
        # Seats that decide in any order share one deadline.
        one_by_one = awaited.why == "decision" and now is not None and in_order(now.step)
        seats = awaited.seats if one_by_one else ()
        return (awaited.why, seats, state.round.number, step, seconds)

    def arm(self, awaited: Waits, *, retry: bool) -> None:
        """Start the timer if the table waits for something new, or to retry a failed write."""
        if self._clock is None:
            return
        key = self.key(awaited, retry=retry)
        if key == self._armed:
            return
        self.stop()
        self._armed, self._until = key, None
        seconds = key[-1]
        if seconds is not None:
            self._until = self._clock.now() + seconds
            self._timer = self._clock.later(seconds, lambda: self._expire(key))

    def seconds_left(self) -> float | None:
        """Return the seconds until the deadline; None if there is none."""
        if self._clock is None or self._until is None:
            return None
        return max(0.0, round(self._until - self._clock.now(), 1))

    def stop(self) -> None:
        """Cancel the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def late(self, awaited: Waits) -> tuple[int, ...]:
        """Return the seats that missed the deadline of a decision."""
        seconds = {seat: self._for_decision(seat) for seat in awaited.seats}
        least = min(filter(None, seconds.values()), default=None)
        return tuple(seat for seat, patience in seconds.items() if patience == least)

    def _expire(self, key: DeadlineKey) -> None:
        if key == self._armed:
            self._armed, self._timer, self._until = (), None, None
            self._expired(key)

    def _patience(self, awaited: Waits) -> float | None:
        """Return the seconds until the deadline of an act; None for no deadline."""
        order, phase, presence, limits = self._order, self._phase, self._presence, self._limits
        if awaited.openings:
            return limits.opening
        match awaited.why:
            case "decision":
                return min(filter(None, map(self._for_decision, awaited.seats)), default=None)
            case "next" if not presence.persons():
                return BETWEEN[order.pace] if self._audience.watched else None
            case "players":
                return BEFORE_BOTS if self._audience.watched and phase.wagered else None
            case "floor":
                if phase.automatic:
                    return limits.absent_staff
                return None if self._audience.has("floor") else limits.unattended
            case "dealer" if self._now.state.dealer == "person":
                return None if self._audience.has("dealer") else limits.absent_staff
            case "bets" | "next":
                # Only a waiting person starts the clock; bots do not.
                return float(order.clock or limits.ready) if phase.person_waits else None
        return None

    def _for_decision(self, seat: int) -> float | None:
        limits = self._limits
        if self._presence.is_bot(seat):
            return limits.away
        # A player who has left the seat with cards is treated as absent.
        here = self._presence.here(seat) and self._now.state.seats[seat].seated
        if self._presence.delays_others(seat):
            return float(self._order.clock or (limits.decision if here else limits.away))
        # No other player waits, so a beginner may take any time.
        return None if here else limits.decision
