"""The promises hold for clients of a server that does not own the table and passes their messages on.

Both servers run in this process and share one PostgreSQL.
"""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from houseway.audit.entries import read_entry
from houseway.audit.verify import verify
from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.engine import commands as c
from houseway.engine.codec import kinds
from houseway.live import LiveTable
from houseway.server import relay
from record.servers import Server, need_postgres, server
from samples import MARGIN, sample
from server.calling import listening
from server.fuzz_target import WITHOUT_LIMITS
from server.houses import GENEROUS, PATIENCE
from server.relayed import Relayed, relayed
from server.test_authority import random_command
from server.test_fuzz import Hostile
from server.test_once_over_the_socket import do_without_keys, schedules
from server.wagering import TwiceError, Wagering

SCHEDULES = sample("relayed schedules")
FRAMES = sample("relayed frames")
ATTEMPTS = sample("relayed attempts")
ROUNDS = sample("relayed rounds")
READINGS = 10
"""How often both sockets of a viewer are read before their frames must be the same."""
PER_TABLE = 50
"""Attempts at one table. They may make all players leave, and such a table accepts little more."""
FORGED = 5
"""One in this number of attempts without authority is a forged ticket."""
FLOOD = 64 << 20
"""More bytes than the buffers of two servers and of the kernel hold."""
TEXT = b'{"type":"do","key":"k","command":{"type":"Fold","seat":1}}' + b" " * 4000
FRAME = b"\x81\xfe" + len(TEXT).to_bytes(2) + bytes(4) + TEXT
BET = {"type": "Bet", "seat": 1, "wagers": {"ante": 1000}}
DECISIONS = ("Check", "Play", "Fold")
REPLY = re.compile(r'\{"type":"(answered|pong|refused(?!.*"key":"not mine"))"')


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server() as started:
        yield started


@pytest.fixture(scope="module")
def servers(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Relayed]:
    with relayed(
        postgres, str(tmp_path_factory.mktemp("key")), replace(WITHOUT_LIMITS, store_seconds=20)
    ) as two:
        yield two


# --- a wager counts once ---


def test_repeated_wagers_count_once(servers: Relayed) -> None:
    with ExitStack() as sockets:
        wagering = Wagering(
            servers.owner, Random("relayed once"), "uth-ma", sockets, through=servers.through
        )
        for number in range(SCHEDULES):
            wagering.schedule()
            if number % 20 == 19:
                wagering.play_round()
    entries = map(read_entry, servers.owner.serving.store.entries(wagering.table))
    keyed = [entry for entry in entries if "/key " in entry.key]
    assert len({entry.key for entry in keyed}) == len(keyed)
    assert sorted(entry.seq for entry in keyed) == sorted(wagering.answers.values())
    assert len(keyed) > SCHEDULES


def test_a_table_that_ignores_keys_is_noticed(servers: Relayed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiveTable, "send", do_without_keys)
    with ExitStack() as sockets:
        wagering = Wagering(servers.owner, Random("deaf"), "uth-ma", sockets, through=servers.through)
        with pytest.raises(TwiceError):
            schedules(wagering, SCHEDULES // MARGIN)


# --- no input causes an error ---


def test_malformed_frames_cause_no_error(servers: Relayed) -> None:
    with listening() as log:
        person, other = servers.person("hostile"), servers.person("neighbour")
        table = servers.open_table(person)
        hostile = Hostile(person, table, Random("relayed frames"))
        with other.sit(table) as neighbour:
            hostile.send(FRAMES)
            assert isinstance(neighbour.send({"type": "no such thing"}), m.Rejected)
        report = verify(servers.owner.serving.store, table)
    assert hostile.thrown_out > 0
    assert log.errors == []
    assert report.faults == ()


# --- only the right person acts ---


def entered(at_server: House, table: str, ticket: str, role: str) -> bool:
    """True if a server admits a socket with a ticket."""
    url = f"{at_server.url.replace('http', 'ws')}/api/socket"
    with connect(url, compression=None) as opened:
        opened.send(msgspec.json.encode(m.Enter(ticket=ticket, table=table, role=role)).decode())
        with suppress(ConnectionClosed):
            return bool(json.loads(opened.recv(10))["type"] == "entered")
    return False


def forged(person: House, table: str, elsewhere: str, rng: Random) -> str:
    """Return a real ticket with one character changed, or a real ticket for another table."""
    chosen = rng.choice((table, elsewhere))
    ticket: m.Ticket = person.ask("POST", "/api/tickets", m.TicketRequest(table=chosen), m.Ticket)
    if chosen == elsewhere:
        return ticket.ticket
    place = rng.randrange(len(ticket.ticket))
    letter = rng.choice([one for one in "abcXYZ019-_" if one != ticket.ticket[place]])
    return ticket.ticket[:place] + letter + ticket.ticket[place + 1 :]


def accepted_attempts(servers: Relayed, seed: str, plant: Callable[[], object] = lambda: None) -> int:
    """Send commands from people who may not send them, and forged tickets; return the number accepted.

    `plant` is called after the players have bet.
    """
    rng, every, accepted = Random(seed), kinds(c.Command), 0
    players = [servers.person("player") for _ in range(2)]
    stranger = servers.person("stranger")
    table, elsewhere = servers.open_table(players[0]), servers.open_table(players[1])
    with ExitStack() as sockets:
        seats = [sockets.enter_context(player.sit(table, n)) for n, player in enumerate(players, 1)]
        for n, at in enumerate(seats, 1):
            assert isinstance(at.send({**BET, "seat": n}), m.Answered)
        spectator = sockets.enter_context(stranger.at(table))
        plant()
        for n in range(PER_TABLE):
            if n % FORGED == 0:
                ticket = forged(players[0], table, elsewhere, rng)
                accepted += entered(stranger, table, ticket, rng.choice(("rail", "seat 1")))
                continue
            kind, seat = every[n % len(every)], rng.choice([1, 2, 0, 7])
            if kind is c.Sit and seat not in (1, 2):
                # A free seat is open to everyone.
                continue
            command = msgspec.Raw(msgspec.json.encode(msgspec.to_builtins(random_command(kind, seat, rng))))
            if n % 2:
                accepted += isinstance(spectator.send(command), m.Answered)
                continue
            with suppress(HouseError):
                stranger.ask("POST", f"/api/tables/{table}/commands", {"key": f"x{n}", "command": command})
                accepted += 1
    return accepted


def test_commands_without_authority_and_forged_tickets_are_refused(servers: Relayed) -> None:
    for n in range(ATTEMPTS // PER_TABLE):
        assert accepted_attempts(servers, f"attempts {n}") == 0


def test_a_missing_check_of_the_sender_is_noticed(
    servers: Relayed, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plant() -> None:
        monkeypatch.setattr("houseway.server.tables.allowed", lambda *args, **terms: args[4])

    accepted = 0
    for n in range(ATTEMPTS // PER_TABLE):
        accepted += accepted_attempts(servers, f"gap {n}", plant)
        monkeypatch.undo()
    assert accepted >= MARGIN


def test_a_ticket_works_once_at_either_server(servers: Relayed) -> None:
    person = servers.person()
    table = servers.open_table(person)
    sides = [person, servers.direct(person)]
    for first, second in (sides, sides[::-1]):
        ticket: m.Ticket = first.ask("POST", "/api/tickets", m.TicketRequest(table=table), m.Ticket)
        assert entered(first, table, ticket.ticket, "rail")
        assert not entered(second, table, ticket.ticket, "rail")
        assert not entered(first, table, ticket.ticket, "rail")


# --- a viewer sees the same through the other server ---


class Viewer:
    """One viewer's two sockets, and the frames that each received."""

    def __init__(self, servers: Relayed, person: House, table: str, role: str, sockets: ExitStack) -> None:
        self.role = role
        self.sides = [sockets.enter_context(at.at(table, role)) for at in (servers.direct(person), person)]
        self.frames: list[list[str]] = [[], []]
        for side, frames in zip(self.sides, self.frames, strict=True):
            side._socket = Recorded(side._socket, frames)  # type: ignore[assignment]

    def read(self) -> None:
        """Read everything that both servers have sent."""
        for side in self.sides:
            side.ask_pong()
        for side in self.sides:
            while not isinstance(side.next(PATIENCE), m.Pong):
                pass

    def forget(self) -> None:
        self.same()
        for frames in self.frames:
            frames.clear()

    def refused(self) -> None:
        """Send a command that is not the viewer's to send over both sockets. Each gets a refusal."""
        for side in self.sides:
            assert isinstance(side.send({"type": "Fold", "seat": 3}, "not mine"), m.Rejected)

    def same(self) -> bool:
        """True if both sockets received the same frames, apart from replies to what only one of them sent.

        A frame may reach one socket before the reply to its ping, and the other after it.
        """
        for _ in range(READINGS):
            self.read()
            direct, through = ([text for text in frames if not REPLY.match(text)] for frames in self.frames)
            if direct == through:
                return True
        return False


class Recorded:
    """A socket that keeps the text of each frame it receives."""

    def __init__(self, inner: ClientConnection, frames: list[str]) -> None:
        self._inner = inner
        self._frames = frames

    def recv(self, timeout: float | None = None) -> str | bytes:
        frame = self._inner.recv(timeout)
        self._frames.append(str(frame))
        return frame

    def send(self, text: str) -> None:
        self._inner.send(text)


def differing_rounds(servers: Relayed, rounds: int, seed: str) -> list[int]:
    """Play rounds in which each viewer has a direct socket and one through the other server.

    Return the rounds in which the two sockets of any viewer received different frames.
    """
    rng = Random(seed)
    people = [servers.person("viewer") for _ in range(3)]
    table = servers.open_table(people[0])
    host = servers.direct(people[0]).me().handle
    servers.owner.run(servers.owner.serving.people.give(host, table, "surveillance"))
    differing = []
    with ExitStack() as sockets:
        for seat, person in enumerate(people[:2], 1):
            servers.direct(person).command(table, {"type": "Sit", "seat": seat}, f"sit {seat}")
        # A supervisor who plays may not enter as surveillance, so the third person watches.
        roles = [(people[0], "seat 1"), (people[1], "seat 2"), (people[2], "rail"), (people[0], "floor")]
        viewers = [Viewer(servers, person, table, role, sockets) for person, role in roles]
        for number in range(rounds):
            for viewer in viewers:
                viewer.forget()
            play_round(viewers, rng)
            if not all(viewer.same() for viewer in viewers):
                differing.append(number)
            assert all(len(viewer.frames[0]) > 5 for viewer in viewers)
    return differing


def play_round(viewers: list[Viewer], rng: Random) -> None:
    """Play a round; each act goes through either server."""
    seats = {int(viewer.role[-1]): viewer for viewer in viewers if viewer.role.startswith("seat")}
    first = seats[1].sides[0]
    number, until = first.view.table.round, time.monotonic() + PATIENCE

    while first.view.table.round == number or first.view.waits.why not in ("bets", "players"):
        assert time.monotonic() < until, first.view.waits
        for viewer in viewers:
            viewer.read()
        waits = first.view.waits
        for seat in waits.seats:
            viewer = seats[seat]
            view = viewer.sides[0].view
            if waits.why == "decision":
                offered = [one.command for one in view.yours.choices if one.command["type"] in DECISIONS]
                viewer.refused()
                rng.choice(viewer.sides).send(rng.choice(offered))
                break
            if waits.why == "bets":
                rng.choice(viewer.sides).send({**BET, "seat": seat})
            viewer.sides[0].ready(seat=seat)


def test_a_viewer_receives_the_same_frames_through_another_server(servers: Relayed) -> None:
    assert differing_rounds(servers, ROUNDS, "same frames") == []


def test_a_relay_that_mixes_up_viewers_is_noticed(
    servers: Relayed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: each message with a player's own cards also goes to the viewer who connected last."""
    pass_on: Callable[..., Any] = relay._down
    sockets: list[Any] = []

    class Mixed:
        def __init__(self, inner: Any) -> None:
            self._inner = inner

        async def send_text(self, text: str) -> None:
            await self._inner.send_text(text)
            if sockets[-1] is not self._inner and '"cards":' in text:
                await sockets[-1].send_text(text)

    async def mixed(websocket: Any, *owner: Any) -> None:
        sockets.append(websocket)
        await pass_on(Mixed(websocket), *owner)

    monkeypatch.setattr(relay, "_down", mixed)
    assert len(differing_rounds(servers, 3, "mixed")) == 3


# --- one bad client harms nobody ---


def test_a_slow_reader_leaves_no_connection(
    postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Both servers drop a client that never reads and never hangs up, while the table continues."""
    limits = replace(GENEROUS, waiting=8, close_seconds=0.2, reply_seconds=1)
    with relayed(postgres, str(tmp_path_factory.mktemp("key")), limits) as two:
        for running in (two.owner, two.other):
            running.limit_send_buffers(16 * 1024)
        host, idle = two.person("host"), two.person("idle")
        table, name = two.open_table(host), idle.me().handle
        ticket: m.Ticket = idle.ask("POST", "/api/tickets", {"table": table}, m.Ticket)
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        raw.connect(("127.0.0.1", two.other.port))
        url = f"ws://127.0.0.1:{two.other.port}/api/socket"
        opening = connect(url, sock=raw, max_queue=1, ping_interval=None, close_timeout=0.1)
        with host.sit(table) as at, opening as slow:
            slow.send(json.dumps({"type": "enter", "ticket": ticket.ticket, "table": table}))
            connected, bet = False, 500
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and not (connected and two.owner.serving.sockets(name) == 0):
                for _ in range(20):
                    bet = 1100 - bet
                    at.do({"type": "Bet", "seat": at.view.yours.seat, "wagers": {"ante": bet}})
                at.ping()
                connected = connected or two.owner.serving.sockets(name) == 1
            assert connected
            assert two.owner.serving.sockets(name) == 0
            began = time.monotonic()
            while two.other.lines > 1 and time.monotonic() < began + PATIENCE:
                time.sleep(0.05)
            assert two.other.lines == 1


def test_a_flooding_client_is_read_slowly_and_dropped(
    postgres: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The other server reads no more of a flood than the owner of the table accepts."""
    limits = replace(GENEROUS, commands=2, burst=10, between=0.1, patience=10, close_seconds=0.2)
    with relayed(postgres, str(tmp_path_factory.mktemp("key")), limits) as two:
        host, flooder = two.person("host"), two.person("flooder")
        table, name = two.open_table(host), flooder.me().handle
        with host.sit(table) as at, flooder.at(table) as flood:
            raw: socket.socket = flood._socket.socket
            raw.settimeout(0.5)
            sent = 0
            # The server reads no more for a while, or has dropped the client.
            with suppress(OSError):
                while sent < FLOOD:
                    raw.sendall(FRAME)
                    sent += len(FRAME)
            assert sent < FLOOD
            bet = {**BET, "seat": at.view.yours.seat}
            assert isinstance(at.send(bet), m.Answered)
            until = time.monotonic() + PATIENCE
            while two.owner.serving.sockets(name) or two.other.lines > 1:
                assert time.monotonic() < until
                time.sleep(0.05)
            assert isinstance(at.send(bet), m.Answered)
