"""The socket of somebody at a table: let in by a ticket, limited, dropped when it reads too slowly."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.audit.store import StoreError
from houseway.client.messages import Bye, Do, Enter, NotTaken, Ping, Pong, Ready, ToHouse
from houseway.engine.refusals import Refusal
from houseway.live.runner import OUT_OF_ORDER, TableRunner
from houseway.live.viewer_messages import encoder
from houseway.server.limits import Buckets, Limits
from houseway.server.permissions import role_refusal
from houseway.server.tables import Hall

_decoder: Final = msgspec.json.Decoder(ToHouse)

SOON: Final = 0.5
"""Seconds a socket that is closed has to read what waits for it."""
QUIET: Final = 1.0
"""Seconds without a message after which a socket that sent too many is read at once again."""
POLICY: Final = 1008
"""The code of a socket that is closed because of what it did."""


@dataclass(eq=False)
class Connection:
    """One socket at one table."""

    _socket: WebSocket
    _hall: Hall
    _limits: Limits
    _commands: Buckets
    """By handle: who opens more sockets, or comes again, may not ask for more."""
    _sockets: Callable[[str], int]
    """How many a person has open."""
    _waiting: asyncio.Queue[bytes | None] = field(default_factory=asyncio.Queue)
    _dropped: asyncio.Event = field(default_factory=asyncio.Event)
    _strains: int = 0
    """Messages so far that were too fast, or none of the house's."""
    _thrown_out: bool = False
    role: str = ""
    handle: str = ""
    closed: bool = False

    def tell(self, frame: bytes) -> None:
        """Put a message into the queue; who does not read loses the socket, and nobody waits."""
        if self.closed:
            return
        if self._waiting.qsize() >= self._limits.waiting:
            self.drop("too-slow", f"{self._limits.waiting} messages waited to be read")
        else:
            self._waiting.put_nowait(frame)

    def drop(self, code: str, message: str) -> None:
        """Say why and close the socket, without waiting for anybody."""
        if self.closed:
            return
        self.closed = self._thrown_out = True
        self._waiting.put_nowait(encoder.encode(Bye(code=code, message=message)))
        self._waiting.put_nowait(None)
        # What waits still goes out, if it goes soon.
        asyncio.get_running_loop().call_later(SOON, self._dropped.set)

    async def run(self) -> None:
        """From the first frame to the last."""
        try:
            async with asyncio.timeout(self._limits.first_frame):
                first = self._read(await self._socket.receive_text())
        except TimeoutError:
            await self._bye("no-ticket", f"no ticket came within {self._limits.first_frame:.0f} seconds")
            return
        except (WebSocketDisconnect, KeyError):
            return
        admitted = self._admit(first)
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
            if self._thrown_out:
                await asyncio.wait((writer, stuck), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.closed = True
            ended = [task for task in (reader, writer) if task.done()]
            for task in (reader, writer, stuck):
                task.cancel()
            runner.leave(self)
            # Who does not read does not hear of it either.
            with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(SOON):
                    await self._socket.close(POLICY if self._thrown_out else 1000)
        for task in ended:
            # A fault of the house's own is not to be forgotten with its task.
            task.result()

    def _read(self, text: str) -> ToHouse | Refusal:
        try:
            return _decoder.decode(text)  # type: ignore[no-any-return]
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            return Refusal("bad-message", None, "message", f"this is no message of the house: {error}")

    def _admit(self, first: ToHouse | Refusal) -> tuple[TableRunner, int | None] | Refusal:
        if not isinstance(first, Enter):
            return Refusal("enter-first", None, "message", "the first message is enter, with a ticket")
        person = self._hall.people.admit(first.ticket, first.table)
        if person is None:
            return Refusal("no-ticket", None, "ticket", "the ticket is used, too old or for another table")
        runner = self._hall.find(first.table)
        if isinstance(runner, Refusal):
            return runner
        refused = role_refusal(self._hall.people, runner.live, person, first.role, "role")
        if refused is not None:
            return refused
        if self._sockets(person.handle) >= self._limits.sockets:
            sentence = f"you have {self._limits.sockets} sockets open; close one first"
            return Refusal("too-many-sockets", None, "ticket", sentence)
        self.role, self.handle = first.role, person.handle
        return runner, first.since

    async def _listen(self, runner: TableRunner) -> None:
        between, clock = 0.0, asyncio.get_running_loop().time
        while not self.closed:
            waited = clock()
            try:
                text = await self._socket.receive_text()
            except (WebSocketDisconnect, KeyError, RuntimeError):
                # Hung up, sent no text, or was found gone by who writes.
                return
            if clock() - waited > QUIET:
                between = 0.0
            # One frame of each socket in turn, however many wait; what a flooder sends waits on its side.
            await asyncio.sleep(between)
            message = self._read(text)
            if not self._commands.take(self.handle):
                sentence = f"more than {self._limits.commands:g} messages a second; this one was not taken"
                self._not(runner, Refusal("too-fast", None, "message", sentence), _key(message))
                self._strain()
                between = self._limits.between
                continue
            try:
                self._answer(runner, message)
            except StoreError:
                self._not(runner, Refusal("record", None, "record", OUT_OF_ORDER), _key(message))

    def _strain(self) -> None:
        self._strains += 1
        if self._strains >= self._limits.patience:
            self.drop("too-much", "too many messages that were too fast, or none of the house's")

    def _not(self, runner: TableRunner, refusal: Refusal, key: str = "") -> None:
        self.tell(encoder.encode(NotTaken(refused=(refusal,), key=key, seq=runner.seq)))

    def _answer(self, runner: TableRunner, message: ToHouse | Refusal) -> None:
        # Looked up each time: a token may have been revoked, a seat left.
        person = self._hall.people.still(self.handle)
        if person is None:
            self.drop("no-session", "this session has ended; say who you are again")
            return
        match message:
            case Do():
                self.tell(encoder.encode(runner.do(person, message)))
            case Ready():
                refused = runner.say_ready(person, message)
                if refused is not None:
                    self._not(runner, refused)
            case Ping():
                self.tell(encoder.encode(Pong(seq=runner.seq)))
            case Enter():
                self._not(runner, Refusal("entered", None, "message", "you are at the table already"))
            case Refusal():
                self._not(runner, message)
                self._strain()

    async def _write(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while (frame := await self._waiting.get()) is not None:
                await self._socket.send_text(frame.decode())

    async def _bye(self, code: str, message: str) -> None:
        with suppress(RuntimeError, WebSocketDisconnect):
            await self._socket.send_text(encoder.encode(Bye(code=code, message=message)).decode())
            await self._socket.close(POLICY)


def _key(message: ToHouse | Refusal) -> str:
    return message.key if isinstance(message, Do) else ""
