"""Hosted tables for tests: no network, a manual clock, viewers that keep their frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import HouseStore
from houseway.cards import DECK
from houseway.client.messages import Answered, Do, OpenTable, Person, Ready, Rejected, View
from houseway.client.view_follower import ViewFollower
from houseway.engine import commands as c
from houseway.engine import table_view
from houseway.engine.evolve import seat_of
from houseway.live import LiveTable
from houseway.live.clock import DEFAULT_PATIENCE, Patience
from houseway.live.default_terms import offering
from houseway.live.table_plan import TablePlan
from houseway.live.table_shoes import ShoeSource
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import load
from houseway.server.people import People
from houseway.server.tables import run_table
from record.recorded import house
from scripted import Scripted
from without_a_loop import WithoutLoop

DECKS = 6


class ManualClock:
    """A clock that advances only when a test moves it."""

    def __init__(self) -> None:
        self.time = 0.0
        self._due: list[tuple[float, Callable[[], None]]] = []

    def now(self) -> float:
        return self.time

    def later(self, seconds: float, then: Callable[[], None]) -> ManualTimer:
        waiting = ManualTimer(self, (self.time + seconds, then))
        self._due.append(waiting.due)
        return waiting

    def cancel(self, timer: tuple[float, Callable[[], None]]) -> None:
        self._due = [due for due in self._due if due is not timer]

    def move(self, seconds: float) -> None:
        """Advance the clock and run every timer that is due."""
        until = self.time + seconds
        while due := sorted((due for due in self._due if due[0] <= until), key=lambda due: due[0]):
            self.cancel(due[0])
            self.time = due[0][0]
            due[0][1]()
        self.time = until


class ManualTimer:
    """A pending timer of a manual clock."""

    def __init__(self, clock: ManualClock, due: tuple[float, Callable[[], None]]) -> None:
        self.due = due
        self._clock = clock

    def cancel(self) -> None:
        self._clock.cancel(self.due)


class RecordingViewer:
    """A viewer that keeps its frames and builds its view of the table only from them."""

    def __init__(self, role: str, handle: str = "") -> None:
        self.role = role
        self.handle = handle or role
        self.frames: list[bytes] = []
        self.following = ViewFollower()

    def tell(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.following.take(frame)

    @property
    def view(self) -> View:
        return self.following.view


def shuffled(rng: Random, rulebook: str) -> list[str]:
    """Return a shuffled deck; for a six-deck shoe, as many cards as a round can use."""
    cards = [str(card) for card in DECK]
    if load(rulebook).ranking.decks > 1:
        return rng.sample(cards * DECKS, 60)
    return rng.sample(cards, len(cards))


def plant_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show every viewer the dealer's cards before they are turned."""
    original = table_view.table_view

    def leaking(table: Any, state: Any, *rest: Any) -> table_view.TableView:
        return replace(original(table, state, *rest), dealer=tuple(map(str, state.round.dealer)))

    monkeypatch.setattr(table_view, "table_view", leaking)


class Room:
    """A table with players and viewers."""

    def __init__(
        self,
        rulebook: str,
        orders: Iterable[Sequence[str]] = (),
        *,
        seats: Sequence[int] = (1, 2, 3),
        order: OpenTable | None = None,
        store: HouseStore | None = None,
        maker: ShoeSource | None = None,
        patience: Patience = DEFAULT_PATIENCE,
    ) -> None:
        self.store = store or MemoryStore()
        self.clock = ManualClock()
        people = People(self.store, self.clock.now)
        self.people: Any = WithoutLoop(people)
        request = order or OpenTable(rulebook=rulebook)
        book = load(rulebook)
        offer = offering(book, request.mode, request.tables, request.limits)
        offer |= {"house": {**offer.get("house", {}), **request.house}} if request.house else {}
        backs = ("red", "blue")[: request.house.get("decks", 1)]
        opening = c.OpenTable(
            designated=(book.game,),
            backs=backs,
            examples=True,
            dealer=request.dealer,
            purpose=request.purpose,
            leave_out=request.leave_out,
        )
        scripted = maker or Scripted(" ".join(one) for one in orders)
        live = LiveTable.open(house(self.store), "room", book, offer, opening, scripted)
        assert isinstance(live, LiveTable), live
        self.plan = TablePlan("Room", request, offer, "seat 1")
        self.hosted: Any = WithoutLoop(run_table(live, self.plan, people, self.clock, patience=patience))
        self._keys = 0
        self.persons: dict[int, Person] = {}
        for seat in seats:
            self.sit(seat)

    def sit(self, seat: int) -> Person:
        """Introduce a new player and seat them."""
        introduced = self.people.introduce(f"player {seat}")
        assert isinstance(introduced, tuple), introduced
        self.persons[seat] = introduced[0]
        answer = self.do(seat, c.Sit(seat=seat))
        assert isinstance(answer, Answered), answer
        return self.persons[seat]

    def do(
        self, seat: int, command: c.Command | dict[str, Any] | bytes, key: str = ""
    ) -> Answered | Rejected:
        """Send a command as the player in a seat."""
        self._keys += 1
        raw = command if isinstance(command, bytes) else encoder.encode(command)
        request = Do(key=key or f"k{self._keys}", command=msgspec.Raw(raw))
        answer: Answered | Rejected = self.hosted.do(self.persons[seat], request)
        return answer

    def new_viewer(self, role: str) -> RecordingViewer:
        """Return a viewer in a role; for a seat, the player who sits there."""
        seat = seat_of(role)
        return RecordingViewer(role, self.persons[seat].handle if seat else "")

    def watch(self, role: str, since: int | None = None) -> RecordingViewer:
        """Add a viewer to the table."""
        viewer = self.new_viewer(role)
        self.hosted.enter(viewer, since)
        assert viewer.role == role
        return viewer

    def ready(self) -> None:
        """Send "ready" for every seated player."""
        for seat in list(self.persons):
            if seat in self.hosted.live.state.seats:
                self.hosted.say_ready(self.persons[seat], Ready())

    def bet(self, seat: int, *, side: bool) -> None:
        """Bet the minimum on the wager that deals a seat in, or on every wager."""
        spots = self.hosted.view(f"seat {seat}").yours.spots
        wagers = {spot.wager: spot.least for spot in spots if side or not spot.beside}
        if not side:
            wagers = dict(list(wagers.items())[:1])
        answer = self.do(seat, c.Bet(seat=seat, wagers=wagers))
        assert isinstance(answer, Answered), answer
