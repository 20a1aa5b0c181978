"""A client's WebSocket at a table. It needs a ticket, is rate-limited, and is closed if it is too slow."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.audit.store import StoreError
from houseway.client.messages import Bye, Do, Enter, Ping, Pong, Ready, Rejected, ToHouse
from houseway.engine.refusals import Refusal
from houseway.live.runner import RECORD_UNAVAILABLE, TableRunner
from houseway.live.viewer_messages import encoder
from houseway.server.limits import Buckets, Limits
from houseway.server.metrics import Metrics
from houseway.server.people import Session
from houseway.server.permissions import STAFF, role_refusal
from houseway.server.relay import Relay
from houseway.server.tables import Tables

_decoder: Final = msgspec.json.Decoder(ToHouse)

SOON: Final = 0.5
"""Seconds for a client to read its queued messages while its socket is being closed."""
QUIET: Final = 1.0
"""Seconds without a message after which a throttled socket is read at full speed again."""
POLICY: Final = 1008
"""The WebSocket close code for a policy violation."""


@dataclass(eq=False)
class Connection:
    """One socket at one table."""

    _socket: WebSocket
    _hall: Tables
    _limits: Limits
    _commands: Buckets
    """Message limits, by handle: opening more sockets does not raise a person's limit."""
    _sockets: Callable[[str], int]
    """Returns how many sockets a person has open."""
    _metrics: Metrics = field(default_factory=Metrics)
    _relay: Relay | None = None
    """Passes the socket on to another server, if servers share the database."""
    _waiting: deque[bytes | None] = field(default_factory=deque)
    """Messages to send; None ends the connection."""
    _unsent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when messages wait."""
    _dropped: asyncio.Event = field(default_factory=asyncio.Event)
    _faults: int = 0
    """How many messages have been too fast or malformed."""
    _kicked: bool = False
    role: str = ""
    handle: str = ""
    table: str = ""
    session: str = ""
    """The key of the person's session. After the token is replaced, the socket is closed."""
    closed: bool = False

    def tell(self, frame: bytes) -> None:
        """Queue a message without blocking; a client with a full queue is dropped."""
        if self.closed:
            return
        if len(self._waiting) >= self._limits.waiting:
            self.drop("too-slow", f"you left {self._limits.waiting} messages unread; reconnect")
        else:
            self._waiting.append(frame)
            self._unsent.set()

    def drop(self, code: str, message: str) -> None:
        """Send the reason and close the socket, without waiting."""
        if self.closed:
            return
        self.closed = self._kicked = True
        self._waiting += (encoder.encode(Bye(code=code, message=message)), None)
        self._unsent.set()
        # Queued messages are still sent if the client reads them soon.
        asyncio.get_running_loop().call_later(SOON, self._dropped.set)

    def recheck(self, session: Session | None) -> None:
        """Close the socket if its session has ended, or if the person no longer has its role."""
        if session is None or session.key != self.session:
            self.drop("no-session", "your session has ended; sign in again")
        elif self.role in STAFF and not self._hall.people.may(session.person, self.table, self.role):
            self.drop("not-your-role", f"you no longer have the {self.role} role here")

    async def run(self) -> None:
        """Serve the socket from its first frame to its last."""
        try:
            async with asyncio.timeout(self._limits.first_frame):
                text = await self._socket.receive_text()
        except TimeoutError:
            await self._bye("no-ticket", f"no ticket arrived within {self._limits.first_frame:.0f} seconds")
            return
        except (WebSocketDisconnect, KeyError):
            return
        first = self._read(text)
        try:
            if await self._relayed(first, text):
                return
            admitted = await self._admit(first)
        except StoreError:
            admitted = Refusal("record", None, "record", RECORD_UNAVAILABLE)
        if isinstance(admitted, Refusal):
            await self._bye(admitted.code, admitted.message)
            return
        runner, since = admitted
        writer = asyncio.create_task(self._write())
        reader = asyncio.create_task(self._listen(runner))
        stuck = asyncio.create_task(self._dropped.wait())
        try:
            runner.enter(self, since)
            await asyncio.wait((reader, writer, stuck), return_when=asyncio.FIRST_COMPLETED)
            if self._kicked:
                await asyncio.wait((writer, stuck), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.closed = True
            ended = [task for task in (reader, writer) if task.done()]
            for task in (reader, writer, stuck):
                task.cancel()
            runner.leave(self)
            # A client that does not read may never answer the close frame.
            with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(SOON):
                    await self._socket.close(POLICY if self._kicked else 1000)
        for task in ended:
            # Raise errors of the server itself, which would otherwise be lost with the task.
            task.result()

    async def _relayed(self, first: ToHouse | Refusal, text: str) -> bool:
        """Let another server serve the socket if it owns the table; return False if this server owns it."""
        if self._relay is None or not isinstance(first, Enter):
            return False
        return await self._relay.socket(self._socket, first.table, text)

    def _read(self, text: str) -> ToHouse | Refusal:
        try:
            return _decoder.decode(text)  # type: ignore[no-any-return]
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            return Refusal("bad-message", None, "message", f"this message cannot be read: {error}")

    async def _admit(self, first: ToHouse | Refusal) -> tuple[TableRunner, int | None] | Refusal:
        if not isinstance(first, Enter):
            return Refusal("enter-first", None, "message", "the first message must be enter, with a ticket")
        session = await self._hall.people.admit(first.ticket, first.table)
        if session is None:
            return Refusal("no-ticket", None, "ticket", "the ticket is used, expired or for another table")
        runner, person = await self._hall.find(first.table), session.person
        if isinstance(runner, Refusal):
            return runner
        refused = role_refusal(self._hall.people, runner, person, first.role, "role")
        if refused is not None:
            return refused
        if self._sockets(person.handle) >= self._limits.sockets:
            sentence = f"you have {self._limits.sockets} connections open; close one first"
            return Refusal("too-many-sockets", None, "ticket", sentence)
        self.role, self.handle = first.role, person.handle
        self.table, self.session = runner.stream, session.key
        return runner, first.since

    async def _listen(self, runner: TableRunner) -> None:
        between, clock = 0.0, asyncio.get_running_loop().time
        while not self.closed:
            start = clock()
            try:
                text = await self._socket.receive_text()
            except (WebSocketDisconnect, KeyError, RuntimeError):
                # The client disconnected or sent a binary frame, or the writer noticed a disconnection.
                return
            if clock() - start > QUIET:
                between = 0.0
            # Sockets take turns, one frame each. If a client sends too fast, its frames wait on its side.
            await asyncio.sleep(between)
            message = self._read(text)
            if not self._commands.take(self.handle):
                most = f"send at most {self._limits.commands:g} messages per second"
                sentence = f"{most}; this message was ignored"
                self._refuse(runner, Refusal("too-fast", None, "message", sentence), _key(message))
                self._count_fault()
                between = self._limits.between
                continue
            try:
                await self._answer(runner, message)
            except StoreError:
                self._refuse(runner, Refusal("record", None, "record", RECORD_UNAVAILABLE), _key(message))

    def _count_fault(self) -> None:
        self._faults += 1
        if self._faults >= self._limits.patience:
            self.drop("too-much", "too many of your messages came too fast or could not be read")

    def _refuse(self, runner: TableRunner, refusal: Refusal, key: str = "") -> None:
        self.tell(encoder.encode(Rejected(refused=(refusal,), key=key, seq=runner.seq)))

    async def _answer(self, runner: TableRunner, message: ToHouse | Refusal) -> None:
        if isinstance(message, Ping):
            # A ping is answered even if the database does not answer.
            self.tell(encoder.encode(Pong(seq=runner.seq)))
            return
        # The session is looked up for each message, because the token or a role may have been revoked.
        sessions = await self._hall.people.sessions(self.handle, roles=self.role in STAFF)
        session = sessions[self.handle]
        self.recheck(session)
        if self.closed or session is None:
            return
        person = session.person
        match message:
            case Do():
                with self._metrics.command(message) as timer:
                    answer = timer.answered(await runner.do(person, message))
                self.tell(encoder.encode(answer))
            case Ready():
                refused = await runner.say_ready(person, message)
                if refused is not None:
                    self._refuse(runner, refused)
            case Enter():
                self._refuse(runner, Refusal("entered", None, "message", "you are already at this table"))
            case Refusal():
                self._refuse(runner, message)
                self._count_fault()

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while await self._unsent.wait():
                self._unsent.clear()
                while self._waiting:
                    frame = self._waiting.popleft()
                    if frame is None:
                        return
                    await self._socket.send_text(frame.decode())

    async def _bye(self, code: str, message: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.send_text(encoder.encode(Bye(code=code, message=message)).decode())
            await self._socket.close(POLICY)


def _key(message: ToHouse | Refusal) -> str:
    return message.key if isinstance(message, Do) else ""
