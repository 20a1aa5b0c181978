"""Collects the events of the round that is under way at a live table, for the players' own history."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from houseway.engine import events as e
from houseway.engine.state import State
from houseway.live.runner import TableRunner


class ClosedRound(NamedTuple):
    """A closed round of a live table."""

    runner: TableRunner
    number: int
    before: State | None
    """The table before the round; None if the events must be read from the record."""
    events: tuple[tuple[e.Event, str], ...] = ()
    """The events of the round, each with its time."""


class RoundCollector:
    """Collects references to the events of one table, and reports each closed round once.

    It adds no work to a command: the events are read later, in another thread. A round of which it has not
    received every event, for example after a restart, is reported without events.
    """

    def __init__(
        self, runner: TableRunner, clock: Callable[[], str], report: Callable[[ClosedRound], None]
    ) -> None:
        self._runner, self._clock, self._report = runner, clock, report
        self._state, self._seq = runner.state, runner.seq
        self._before: State | None = None
        self._events: list[tuple[e.Event, str]] = []
        self._at = ""
        view = runner.audience.follower.view
        self._reported = view.round if view.closed else view.round - 1
        """The number of the last round that was reported, or that was closed before."""
        runner.after_event.append(self.take)
        runner.after_send.append(self.look)

    def take(self, seq: int, event: e.Event, after: State) -> None:
        """Take an event that is now on record."""
        if seq != self._seq + 1:
            self._before = None
        if isinstance(event, e.RoundOpened):
            self._before, self._events = (self._state if seq == self._seq + 1 else None), []
            self._at = self._clock()
        self._state, self._seq = after, seq
        if self._before is not None:
            self._events.append((event, self._at))
        if isinstance(event, e.RoundClosed):
            closed = ClosedRound(self._runner, event.number, self._before, tuple(self._events))
            self._before, self._events = None, []
            self._note(closed)

    def look(self) -> None:
        """Report a round that was closed without its event being taken."""
        view = self._runner.audience.follower.view
        if view.closed and view.round > self._reported:
            self._note(ClosedRound(self._runner, view.round, None))

    def _note(self, closed: ClosedRound) -> None:
        if closed.number > self._reported:
            self._reported = closed.number
            self._report(closed)
