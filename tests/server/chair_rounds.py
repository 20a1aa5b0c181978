"""Rounds at a live table where a person deals scripted cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self, TypeVar

from houseway.audit.verify import verify
from houseway.client.messages import Answered, OpenTable
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.live.recent_events import recorded_events
from server.hosted_rounds import Room

Event = TypeVar("Event", bound=e.Event)
DEALER, FLOOR = 8, 9


class ChairRound(Room):
    """A table whose dealer, Dana, takes every step, with a floor supervisor, Flo. Amounts are in cents."""

    def __init__(
        self,
        rulebook: str,
        deck: str,
        wagers: Mapping[int, Mapping[str, int]],
        moves: Sequence[c.Command],
        mode: str = "device",
        **order: Any,
    ) -> None:
        request = OpenTable(rulebook=rulebook, mode=mode, dealer="person", **order)
        super().__init__(rulebook, [deck.split()] * 3, seats=tuple(wagers), order=request)
        for number, handle, role in ((DEALER, "Dana", "dealer"), (FLOOR, "Flo", "floor")):
            introduced = self.people.introduce(handle)
            assert isinstance(introduced, tuple), introduced
            self.persons[number] = self.people.give(handle, "room", role)
        for role in (*(f"seat {number}" for number in wagers), "dealer", "floor"):
            self.watch(role)
        self._wagers = dict(wagers)
        self._moves = list(moves)

    def play(self, until: str = "") -> Self:
        """Let everyone act until a step is due, or until the round is closed."""
        for _ in range(300):
            notes = self.hosted.view("dealer").yours.notes
            if self.seen(e.RoundClosed) or (until and notes is not None and notes.next == until):
                return self
            self._act()
        raise AssertionError(f"{until or 'the end'} never comes; the table waits for {self.hosted.waits()}")

    def _act(self) -> None:
        waits = self.hosted.waits()
        if waits.why == "bets":
            for seat in waits.seats:
                self.accept(seat, c.Bet(seat=seat, wagers=dict(self._wagers[seat])))
            self.ready()
        elif waits.why == "decision":
            move = self._moves.pop(0)
            self.accept(getattr(move, "seat"), move)  # noqa: B009
        elif waits.why == "next":
            self.ready()
        else:
            floors = self.hosted.view("floor").yours.choices
            own = [one for one in floors if one.command["type"] in ("Perform", "Approve")]
            who, offered = (FLOOR, own) if own else (DEALER, self.hosted.view("dealer").yours.choices)
            self.accept(who, offered[0].command)

    def accept(self, who: int, command: c.Command | dict[str, Any]) -> None:
        """Send a command that must be accepted."""
        answer = self.do(who, command)
        assert isinstance(answer, Answered), answer

    def seen(self, kind: type[Event]) -> list[Event]:
        """Every recorded event of a kind, in order."""
        return [event for _, event in recorded_events(self.hosted.live) if isinstance(event, kind)]

    def script(self) -> list[str]:
        """The lines of the script that the dealer sees now."""
        notes = self.hosted.view("dealer").yours.notes
        return [line.says for line in notes.script] if notes is not None else []

    def verified(self) -> Self:
        """Check that the record verifies."""
        assert verify(self.store, "room").faults == ()
        return self
