"""Hosted tables for tests: no network, a clock that stands, watchers that keep what they are told."""

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
from houseway.client.messages import Answered, Do, NotTaken, OpenTable, Person, Ready, View
from houseway.client.view_follower import Following
from houseway.engine import commands as c
from houseway.engine import table_view
from houseway.engine.evolve import seat_of
from houseway.live import LiveTable
from houseway.live.default_terms import offering
from houseway.live.table_plan import TablePlan
from houseway.live.table_shoes import Maker
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import load
from houseway.server.people import People
from houseway.server.tables import run_table
from record.recorded import house
from scripted import Scripted

DECKS = 6


class StandingClock:
    """A clock that moves only when it is told to."""

    def __init__(self) -> None:
        self.time = 0.0
        self._due: list[tuple[float, Callable[[], None]]] = []

    def now(self) -> float:
        return self.time

    def later(self, seconds: float, then: Callable[[], None]) -> Waiting:
        waiting = Waiting(self, (self.time + seconds, then))
        self._due.append(waiting.what)
        return waiting

    def cancel(self, what: tuple[float, Callable[[], None]]) -> None:
        self._due = [due for due in self._due if due is not what]

    def move(self, seconds: float) -> None:
        """Let time pass, and everything happen that was due."""
        until = self.time + seconds
        while due := sorted((due for due in self._due if due[0] <= until), key=lambda due: due[0]):
            self.cancel(due[0])
            self.time = due[0][0]
            due[0][1]()
        self.time = until


class Waiting:
    """Something that happens later on a standing clock."""

    def __init__(self, clock: StandingClock, what: tuple[float, Callable[[], None]]) -> None:
        self.what = what
        self._clock = clock

    def cancel(self) -> None:
        self._clock.cancel(self.what)


class Looker:
    """A viewer that keeps its frames and follows the table from them alone."""

    def __init__(self, role: str, handle: str = "") -> None:
        self.role = role
        self.handle = handle or role
        self.frames: list[bytes] = []
        self.following = Following()

    def tell(self, frame: bytes) -> None:
        self.frames.append(frame)
        self.following.take(frame)

    @property
    def view(self) -> View:
        return self.following.view


def shuffled(rng: Random, rulebook: str) -> list[str]:
    """A deck in some order; of a six-deck shoe the cards that a round can use."""
    cards = [str(card) for card in DECK]
    if load(rulebook).ranking.decks > 1:
        return rng.sample(cards * DECKS, 60)
    return rng.sample(cards, len(cards))


def plant_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everybody see the dealer's cards before they are turned."""
    original = table_view.table_view

    def leaking(table: Any, state: Any, *given: Any) -> table_view.TableView:
        return replace(original(table, state, *given), dealer=tuple(map(str, state.round.dealer)))

    monkeypatch.setattr(table_view, "table_view", leaking)


class Room:
    """A table with people around it."""

    def __init__(
        self,
        rulebook: str,
        orders: Iterable[Sequence[str]] = (),
        *,
        seats: Sequence[int] = (1, 2, 3),
        order: OpenTable | None = None,
        store: HouseStore | None = None,
        maker: Maker | None = None,
    ) -> None:
        self.store = store or MemoryStore()
        self.clock = StandingClock()
        self.people = People(self.store, self.clock.now)
        wanted = order or OpenTable(rulebook=rulebook)
        book = load(rulebook)
        given = offering(book, wanted.mode, wanted.tables, wanted.limits)
        given |= {"house": {**given.get("house", {}), **wanted.house}} if wanted.house else {}
        opening = c.OpenTable(designated=(book.game,), examples=True, dealer=wanted.dealer)
        scripted = maker or Scripted(" ".join(one) for one in orders)
        live = LiveTable.open(house(self.store), "room", book, given, opening, scripted)
        assert isinstance(live, LiveTable), live
        self.plan = TablePlan("Room", wanted, given, "seat 1")
        self.hosted = run_table(live, self.plan, self.people, self.clock)
        self._keys = 0
        self.persons: dict[int, Person] = {}
        for seat in seats:
            self.sit(seat)

    def sit(self, seat: int) -> Person:
        """Somebody new at a seat."""
        found = self.people.introduce(f"player {seat}")
        assert isinstance(found, tuple), found
        self.persons[seat] = found[0]
        answer = self.do(seat, c.Sit(seat=seat))
        assert isinstance(answer, Answered), answer
        return found[0]

    def do(
        self, seat: int, command: c.Command | dict[str, Any] | bytes, key: str = ""
    ) -> Answered | NotTaken:
        """A command of who sits at a seat."""
        self._keys += 1
        raw = command if isinstance(command, bytes) else encoder.encode(command)
        return self.hosted.do(self.persons[seat], Do(key=key or f"k{self._keys}", command=msgspec.Raw(raw)))

    def looker(self, role: str) -> Looker:
        """Somebody in a role; at a seat, who sits there."""
        seat = seat_of(role)
        return Looker(role, self.persons[seat].handle if seat else "")

    def look(self, role: str, since: int | None = None) -> Looker:
        """Somebody who comes to the table."""
        looker = self.looker(role)
        self.hosted.enter(looker, since)
        assert looker.role == role
        return looker

    def ready(self) -> None:
        """Everybody is ready."""
        for seat in list(self.persons):
            if seat in self.hosted.live.state.seats:
                self.hosted.say_ready(self.persons[seat], Ready())

    def bet(self, seat: int, *, side: bool) -> None:
        """The least on the wagers that get a seat dealt in, or on everything."""
        spots = self.hosted.view(f"seat {seat}").yours.spots
        wagers = {spot.wager: spot.least for spot in spots if side or not spot.beside}
        if not side:
            wagers = dict(list(wagers.items())[:1])
        answer = self.do(seat, c.Bet(seat=seat, wagers=wagers))
        assert isinstance(answer, Answered), answer
