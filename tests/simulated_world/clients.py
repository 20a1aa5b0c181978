"""The clients of a simulated world: honest players, rude players, and a floor supervisor."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random
from typing import Any, Literal, Protocol

import msgspec

from houseway.client import messages as m
from houseway.client.player_salts import PlayerSalts
from houseway.client.view_follower import ViewFollower
from houseway.engine import commands as c
from houseway.engine.codec import encode_command
from houseway.live.viewer_messages import encoder
from server.calling import Reply
from simulated_world.histories import History
from simulated_world.simulated_network import DisconnectedError, SimulatedSocket

MANNERS = (*("honest",) * 8, "silent", "silent", "illegal", "illegal", "absent", "closed-handed")
"""How a player behaves. Silent players never act, illegal players also send illegal commands, absent players
leave in mid-hand, and closed-handed players do not open their salts."""
DECISIONS = ("Check", "Play", "Fold", "Keep", "Split")
AGAIN = ("record", "too-fast")
"""Refusals after which a client sends the same command again."""
PATIENCE = 20.0
"""Seconds without an answer after which a client sends a command again."""
READY_AGAIN = 3.0
"""Seconds after which a client says ready again."""
MORE_WAGERS = 0.4
"""The chance of each further wager."""


class Links(Protocol):
    """A client's connections to the server."""

    async def connect(self, client: str, stream: str) -> SimulatedSocket:
        """Open a socket."""

    async def request(self, client: Client, method: str, path: str, body: bytes = b"") -> Reply:
        """Send an HTTP request; raises DisconnectedError if no reply arrives."""

    def command_sent_twice(self, rng: Random) -> bool:
        """True if a command is sent a second time."""


class Client:
    """A person with a connection to the server. It connects again whenever the connection ends."""

    def __init__(self, links: Links, name: str, seed: str, history: History) -> None:
        self.name = name
        self.token = ""
        self.stream = ""
        self.role = "rail"
        self.history = history
        self.rng = Random(f"{seed}/{name}")
        self.socket: SimulatedSocket | None = None
        self.paused_until = 0.0
        self.still = False
        """True if the client only reads."""
        self.pending: tuple[str, bytes] | None = None
        """The command that has not been answered yet, under its key."""
        self._links = links
        self._keys = 0
        self._resend = 0.0
        self.follower = ViewFollower()

    # --- requests ---

    async def ask(self, method: str, path: str, body: Any = None) -> Reply:
        """Send a request over HTTP."""
        text = b"" if body is None else encoder.encode(body)
        return await self._links.request(self, method, path, text)

    async def introduce(self) -> None:
        """Register the handle."""
        reply = await self.ask("POST", "/api/session", m.Introduce(handle=self.name))
        self.token = msgspec.json.decode(reply.body, type=m.Introduced).token

    def command(self, command: c.Command | dict[str, Any]) -> tuple[str, bytes]:
        """Put a command under a new key and keep it until it is answered."""
        self._keys += 1
        text = encode_command(command) if isinstance(command, c.Command) else encoder.encode(command)
        self.pending = (f"{self._keys}", text)
        return self.pending

    async def post(self, key: str, text: bytes) -> m.Answered | m.Rejected | None:
        """Send a command over HTTP; return None if the server answers with an error."""
        body = m.Do(key=key, command=msgspec.Raw(text))
        reply = await self.ask("POST", f"/api/tables/{self.stream}/commands", body)
        if reply.status not in (200, 409):
            return None
        answer = msgspec.json.decode(reply.body, type=m.Answered | m.Rejected)
        self._answered(answer)
        return answer

    # --- connections ---

    async def live(self) -> None:
        """Stay at the table until the simulation ends."""
        while True:
            with suppress(DisconnectedError):
                await self._session()
            if self.socket is not None:
                self.socket.hang_up()
                self.socket = None
            await asyncio.sleep(self.rng.uniform(0.1, 3))

    async def prepare(self) -> bool:
        """Do what must be done before the client enters the table; return False to try again later."""
        return True

    async def _session(self) -> None:
        if not await self.prepare():
            return
        reply = await self.ask("POST", "/api/tickets", m.TicketRequest(table=self.stream))
        if reply.status != 201:
            return
        ticket = msgspec.json.decode(reply.body, type=m.Ticket).ticket
        socket = self.socket = await self._links.connect(self.name, self.stream)
        since = self.follower.seq or None
        known = since if self.rng.random() < 0.7 else None
        enter = m.Enter(ticket=ticket, table=self.stream, role=self.role, since=known)
        socket.send(encoder.encode(enter).decode())
        self.history.connect(self.role)
        if self.pending is not None:
            # The answer may have been lost with the last connection.
            self._send(*self.pending)
        while True:
            await self._take_frames(socket)
            if self.follower.seq and not self.still:
                await self.act()

    async def _take_frames(self, socket: SimulatedSocket) -> None:
        """Take the next frame, or continue after some seconds without a frame."""
        loop = asyncio.get_running_loop()
        if (pause := self.paused_until - loop.time()) > 0:
            await asyncio.sleep(pause)
        try:
            async with asyncio.timeout(self.rng.uniform(4, 8)):
                text = await socket.receive()
        except TimeoutError:
            if self.pending is not None and loop.time() > self._resend:
                self._send(*self.pending)
            return
        message = self.follower.take(text)
        self.history.take(message, text)
        if isinstance(message, m.Bye):
            self.goodbye(message)
            raise DisconnectedError
        self._answered(message)

    def goodbye(self, message: m.Bye) -> None:
        """Note why the server closed the socket."""

    def _answered(self, message: m.FromHouse) -> None:
        if isinstance(message, m.Answered):
            self.history.acknowledged(self.stream, f"{self.name}/{message.key}", message.seq)
        if not isinstance(message, m.Answered | m.Rejected) or self.pending is None:
            return
        if message.key == self.pending[0]:
            if isinstance(message, m.Rejected) and message.refused[0].code in AGAIN:
                return
            self.settled(message)
            self.pending = None

    def settled(self, answer: m.Answered | m.Rejected) -> None:
        """Note the answer to the pending command."""

    def _send(self, key: str, text: bytes, expect: int | None = None) -> None:
        assert self.socket is not None
        frame = encoder.encode(m.Do(key=key, command=msgspec.Raw(text), expect=expect)).decode()
        self._resend = asyncio.get_running_loop().time() + PATIENCE
        self.socket.send(frame)
        if self._links.command_sent_twice(self.rng):
            self.socket.send(frame)

    async def do(self, command: c.Command | dict[str, Any]) -> None:
        """Send a command, over the socket or over HTTP, unless another command waits for its answer."""
        if self.pending is not None or self.socket is None:
            return
        key, text = self.command(command)
        if self.rng.random() < 0.1:
            await self.post(key, text)
        else:
            self._send(key, text, self.follower.seq if self.rng.random() < 0.3 else None)

    def say(self, message: m.Request) -> None:
        """Send a message that needs no key."""
        assert self.socket is not None
        self.socket.send(encoder.encode(message).decode())

    async def act(self) -> None:
        """Do what the table expects from this client."""


class Player(Client):
    """A player at one seat."""

    def __init__(
        self, links: Links, name: str, seed: str, history: History, seat: int, manners: str
    ) -> None:
        super().__init__(links, name, seed, history)
        self.seat = seat
        self.manners = manners
        self._seated = False
        self._round = 0
        self._said: tuple[tuple[int, str], float] = ((0, ""), 0.0)
        """The round and the reason for which the player said ready, and when to say it again."""
        self._salts = PlayerSalts(lambda: self.rng.randbytes(16).hex(), commits=True)
        self._command: c.Command | dict[str, Any] | None = None

    async def prepare(self) -> bool:
        """Sit down, unless the player sits already."""
        if self._seated:
            return True
        if self.pending is None:
            self.command(c.Sit(seat=self.seat))
        assert self.pending is not None
        answer = await self.post(*self.pending)
        refused = answer.refused[0].code if isinstance(answer, m.Rejected) else ""
        self._seated = isinstance(answer, m.Answered) or refused == "seated"
        self.role = f"seat {self.seat}"
        if refused and refused not in AGAIN:
            self.pending = None
        return self._seated

    def goodbye(self, message: m.Bye) -> None:
        if message.code == "not-your-seat":
            self._seated = False

    def settled(self, answer: m.Answered | m.Rejected) -> None:
        if isinstance(self._command, c.CommitSalt | c.OpenSalt | c.AddSalt):
            self._salts.answered(self._command, refused=isinstance(answer, m.Rejected))

    async def do(self, command: c.Command | dict[str, Any]) -> None:
        if self.pending is None:
            self._command = command
        await super().do(command)

    async def act(self) -> None:
        """Follow the table; a rude player does so in its own way."""
        if self.pending is not None:
            return
        if self.manners == "illegal" and self.rng.random() < 0.08:
            await self._break_a_rule()
            return
        view = self.follower.view
        if view.yours.seat != self.seat:
            # The player lost the seat: the client connects again and sits down.
            self._seated = False
            raise DisconnectedError
        if view.table.round != self._round:
            self._round = view.table.round
            self._salts.open_round()
        if self.manners == "silent" and self._round > 1:
            return
        closed_handed = self.manners == "closed-handed" and view.table.betting == "closed"
        if (salt := self._salts.due(view)) is not None and not closed_handed:
            await self.do(salt)
            return
        # Without any wager, the table waits until a player bets.
        if self.seat in view.waits.seats or view.waits.why == "players":
            await asyncio.sleep(self.rng.uniform(0.02, 0.6))
            await self._play(view)

    async def _play(self, view: m.View) -> None:
        if view.waits.why == "decision":
            if self.manners == "absent" and self.rng.random() < 0.3:
                await asyncio.sleep(self.rng.uniform(10, 120))
                raise DisconnectedError
            choices = [choice for choice in view.yours.choices if choice.command["type"] in DECISIONS]
            if choices:
                await self.do(self.rng.choice(choices).command)
        elif view.waits.why in ("bets", "players"):
            await self._bet(view)
        elif view.waits.why == "next":
            if self.manners == "absent" and self.rng.random() < 0.1:
                await self.do(c.Leave(seat=self.seat))
                return
            self._ready(view, "next")

    async def _bet(self, view: m.View) -> None:
        own = view.table.seats[self.seat].hands[1]
        if own.wagers or self.rng.random() < 0.03:
            self._ready(view, "bets")
            return
        wagers: dict[str, int] = {}
        for spot in view.yours.spots:
            joins = not spot.beside or any(name in wagers for name in spot.beside)
            if not wagers or (joins and self.rng.random() < MORE_WAGERS):
                steps = 1 if spot.exact else self.rng.randint(1, 3)
                wagers[spot.wager] = min(spot.least * steps, spot.most or spot.least * steps)
        if not wagers or view.yours.chips < 12 * sum(wagers.values()):
            await self.do(c.Leave(seat=self.seat))
        else:
            await self.do(c.Bet(seat=self.seat, wagers=wagers))

    def _ready(self, view: m.View, why: Literal["bets", "next"]) -> None:
        """Say ready; again after some seconds, because the message may have been lost."""
        now = asyncio.get_running_loop().time()
        said, until = self._said
        if said != (view.table.round, why) or now > until:
            self._said = ((view.table.round, why), now + READY_AGAIN)
            self.say(m.Ready(round=view.table.round, why=why))

    async def _break_a_rule(self) -> None:
        other = self.seat % 6 + 1
        match self.rng.randrange(7):
            case 0:
                assert self.socket is not None
                self.socket.send('{"type":"do","key":')
            case 1:
                await self.do(c.Bet(seat=other, wagers={"ante": 1000}))
            case 2:
                await self.do(c.Bet(seat=self.seat, wagers={"ante": -500}))
            case 3:
                await self.do(c.Play(seat=self.seat, times=9))
            case 4:
                await self.do({"type": "Perform", "step": "deal", "cards": ["As"]})
            case 5:
                await self.do(c.Fold(seat=other))
            case _:
                for _ in range(60):
                    self.say(m.Ping())


class Floor(Client):
    """The floor supervisor of a table, who takes the first offered choice."""

    async def act(self) -> None:
        if self.pending is None and self.follower.view.waits.why == "floor":
            choices = self.follower.view.yours.choices
            if choices:
                await self.do(choices[0].command)
