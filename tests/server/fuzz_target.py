"""A server with tables of every rulebook and people in every role, as a target for hostile input."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from traceback import format_exception
from typing import Any, NamedTuple

import msgspec

from houseway.audit.verify import verify
from houseway.client import messages as m
from houseway.engine import commands as c
from houseway.engine.evolve import seat_of
from houseway.live.command_checks import seats_of_person
from houseway.live.offload import DIRECT, run_now
from houseway.live.record_files import keep
from houseway.live.runner import TableRunner
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import rulebook_ids
from houseway.server.app import application
from houseway.server.house import HouseServer
from houseway.server.limits import Limits
from server.calling import ErrorCollector, socket
from server.fuzzing import Frames
from server.hosted_rounds import ManualClock
from server.houses import NoSolver

WITHOUT_LIMITS = Limits(
    commands=1e9,
    burst=10**9,
    handshakes=1e9,
    openings=1e9,
    expensive_requests=1e9,
    requests=1e9,
    sockets=10**9,
    patience=10**9,
)
FRAMES_PER_SOCKET = 400
"""The number of frames sent over one socket before the next is opened."""
SEATS = (1, 2)
FRAMES_PER_DEADLINE = 500
"""The number of frames after which the clock moves past every deadline."""


class Place(NamedTuple):
    """A person at a table, in a role."""

    table: str
    handle: str
    role: str


class FuzzTarget:
    """A server in this process, without a network, with a clock that the test moves."""

    def __init__(self, where: Any = None, rulebooks: tuple[str, ...] | None = None) -> None:
        store, signer = keep(where)
        self.clock = ManualClock()
        self.serving = HouseServer(store, signer, limits=WITHOUT_LIMITS, clock=self.clock, offload=DIRECT)
        self.serving.solver = NoSolver()
        self.app = application(self.serving)
        run_now(self.serving.open())
        self.tokens: dict[str, str] = {}
        self.places: list[Place] = []
        self._opened = 0
        orders = [m.OpenTable(rulebook=book) for book in rulebooks or rulebook_ids()]
        orders.append(m.OpenTable(rulebook="uth-ma", dealer="person"))
        for order in orders:
            self._open(order)

    def person(self, handle: str) -> m.Person:
        """Introduce a new person."""
        introduced = run_now(self.serving.people.introduce(handle))
        assert isinstance(introduced, tuple), introduced
        self.tokens[handle] = introduced[1]
        return introduced[0]

    def _open(self, order: m.OpenTable) -> None:
        self._opened += 1
        host = self.person(f"host {self._opened}")
        hosted = run_now(self.serving.hall.open(order, host))
        assert isinstance(hosted, TableRunner), hosted
        table = hosted.live.stream
        run_now(self.serving.people.give(host.handle, table, "floor", "surveillance"))
        for seat in SEATS:
            player = self.person(f"player {self._opened}.{seat}")
            self.places.append(Place(table, player.handle, f"seat {seat}"))
            self.seated(self.places[-1])
        roles = ("rail", "floor", "surveillance", *(("dealer",) if order.dealer == "person" else ()))
        self.places += [Place(table, host.handle, role) for role in roles]

    def seated(self, place: Place) -> TableRunner | None:
        """Return the table, with the player in the seat again; None if it closed and a new table was opened."""
        hosted = self.serving.hall.tables[place.table]
        if hosted.live.state.section == "closed" and hosted.seq > 1:
            self.places = [one for one in self.places if one.table != place.table]
            self._open(hosted.plan.order)
            return None
        person, number = run_now(self.serving.people.still(place.handle)), seat_of(place.role)
        if number and person is not None and number not in seats_of_person(hosted.live.state, person):
            sit = msgspec.Raw(encoder.encode(c.Sit(seat=number)))
            run_now(hosted.do(person, m.Do(key=f"sit {hosted.seq}", command=sit)))
        return hosted

    def close(self) -> None:
        """Close the server."""
        run_now(self.serving.close())

    def faults(self) -> list[str]:
        """Return the faults that verification finds in the records."""
        store = self.serving.store
        return [str(fault) for stream in store.streams() for fault in verify(store, stream).faults]


class FrameSender:
    """Send thousands of frames to the server, one socket after another."""

    def __init__(self, house: FuzzTarget, seed: str, errors: ErrorCollector) -> None:
        self._house = house
        self._rng = Random(seed)
        self._frames = Frames(self._rng, WITHOUT_LIMITS.frame)
        self._errors = errors
        self._left = 0
        self.sent = 0
        self.received: Counter[str] = Counter()

    def run(self, frames: int) -> None:
        """Send `frames` frames."""
        asyncio.run(self._run(frames))

    async def _run(self, frames: int) -> None:
        asyncio.get_running_loop().set_exception_handler(self._errors.loop)
        self._left = frames
        while self._left > 0:
            await self._socket(self._rng.choice(self._house.places))

    async def _socket(self, place: Place) -> None:
        house, rng = self._house, self._rng
        hosted, person = house.seated(place), run_now(house.serving.people.still(place.handle))
        if hosted is None or person is None:
            return
        ticket = run_now(house.serving.people.ticket(person, place.table))
        assert isinstance(ticket, m.Ticket)
        enter = m.Enter(ticket=ticket.ticket, table=place.table, role=place.role)
        first = rng.random() < 0.9
        frames = min(FRAMES_PER_SOCKET, self._left)

        async def receive() -> str | bytes | None:
            nonlocal first, frames
            if first:
                first = False
                return msgspec.json.encode(enter).decode()
            frames -= 1
            self._left -= 1
            if frames < 0:
                return None
            if self.sent % 16 == 0:
                await asyncio.sleep(0)
            self.sent += 1
            if self.sent % FRAMES_PER_DEADLINE == 0:
                house.clock.move(31)
            return self._frames.frame(lambda: offered(hosted, place.role))

        try:
            await socket(house.app, receive, self._count)
        except Exception as error:  # a server would log it, and close the socket
            self._errors.errors.append("".join(format_exception(error)))

    def _count(self, text: str) -> None:
        kind = text[9 : text.index('"', 9)]
        self.received[kind] += 1


def offered(hosted: TableRunner, role: str) -> list[str]:
    """Return commands that the table would accept now."""
    yours = hosted.view(role).yours
    ends = ("CloseTable", "GoIdle", "Leave")
    commands = [
        encoder.encode(choice.command).decode()
        for choice in yours.choices
        if choice.command["type"] not in ends
    ]
    if yours.spots:
        wagers = {spot.wager: spot.least for spot in yours.spots if not spot.beside}
        commands.append(
            encoder.encode(c.Bet(seat=yours.seat, wagers=dict(list(wagers.items())[:1]))).decode()
        )
    return commands
