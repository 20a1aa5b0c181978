"""The server over real sockets: admission, limits, and isolation of clients from each other."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from houseway.engine import commands as c
from houseway.live.runner import TableRunner
from houseway.server.limits import Bucket, Buckets, Limits
from houseway.server.sockets import Connection
from server.hosted_rounds import Room
from server.houses import GENEROUS, Running, running

STRICT = Limits(
    commands=20, burst=40, handshakes=10, first_frame=0.3, patience=50, between=0.001, openings=1000
)


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def strict() -> Iterator[Running]:
    with running(STRICT) as server:
        yield server


_names = iter(range(10_000))


def new_client(house: Running) -> House:
    """Introduce a new person."""
    client = House(house.url)
    client.introduce(f"person {next(_names)}")
    return client


def open_table(person: House, **options: Any) -> str:
    order = {"rulebook": "uth-ma", "clock": 0, **options}
    return person.open_table(m.OpenTable(**order)).table


@contextmanager
def raw(house: Running, **headers: str) -> Iterator[ClientConnection]:
    origin = headers.pop("origin", None)
    with connect(
        f"ws://127.0.0.1:{house.port}/api/socket",
        origin=origin,  # type: ignore[arg-type]
        additional_headers=headers,
        compression=None,
        max_size=None,
    ) as socket:
        yield socket


def until(at: AtTable, why: str) -> None:
    """Follow the table until it waits for `why`."""
    while at.view.waits.why != why:
        at.next()


def closed(at: AtTable) -> bool:
    """True if the server closes a socket within five seconds."""
    with suppress(HouseError):
        while True:
            at.next(5)
    return True


def test_two_people_play_a_round_over_sockets(house: Running) -> None:
    one, two = new_client(house), new_client(house)
    table = open_table(one)
    with one.sit(table) as first, two.sit(table) as second:
        both = (first, second)
        for at in both:
            until(at, "bets")
            seat = at.view.yours.seat
            answer = at.send({"type": "Bet", "seat": seat, "wagers": {"ante": 1000, "trips": 500}})
            assert isinstance(answer, m.Answered)
        for at in both:
            at.ready()
        until(first, "decision")
        until(second, "decision")
        for _ in range(20):
            if first.view.waits.why == "next":
                break
            acting = first.view.waits.seats[0]
            at = next(at for at in both if at.view.yours.seat == acting)
            while at.view.waits.why != "decision" or at.view.waits.seats != (acting,):
                at.next()
            choice = next(one for one in at.view.yours.choices if one.command["type"] in ("Check", "Fold"))
            seq = at.seq
            assert isinstance(at.send(choice.command), m.Answered)
            while first.seq <= seq:
                first.next()
        assert first.view.table.closed
        assert {line.seat for line in first.view.table.settled.values()} == {1, 2}


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ({"type": "enter", "ticket": "forged", "table": "TABLE"}, "no-ticket"),
        ({"type": "do", "key": "k", "command": {"type": "Check", "seat": 1}}, "enter-first"),
        ({"type": "ready"}, "enter-first"),
        ({"type": "no such thing"}, "enter-first"),
        ({"type": "enter", "ticket": "TICKET", "table": "elsewhere"}, "no-ticket"),
        ({"type": "enter", "ticket": "TICKET", "table": "TABLE", "role": "seat 2"}, "not-your-seat"),
        ({"type": "enter", "ticket": "TICKET", "table": "TABLE", "role": "dealer"}, "not-your-role"),
        ({"type": "enter", "ticket": "TICKET", "table": "TABLE", "role": "owner"}, "no-role"),
    ],
)
def test_an_invalid_first_frame_is_rejected(house: Running, first: dict[str, Any], code: str) -> None:
    host, person = new_client(house), new_client(house)
    table = open_table(host)
    ticket: m.Ticket = person.ask("POST", "/api/tickets", {"table": table}, m.Ticket)
    text = json.dumps(first).replace("TICKET", ticket.ticket).replace("TABLE", table)
    with raw(house) as socket:
        socket.send(text)
        answer = json.loads(socket.recv(timeout=10))
        assert (answer["type"], answer["code"]) == ("bye", code)
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=10)


def test_a_ticket_opens_one_socket(house: Running) -> None:
    person = new_client(house)
    table = open_table(person)
    ticket: m.Ticket = person.ask("POST", "/api/tickets", {"table": table}, m.Ticket)
    enter = json.dumps({"type": "enter", "ticket": ticket.ticket, "table": table})
    answers = []
    for _ in range(2):
        with raw(house) as socket:
            socket.send(enter)
            answers.append(json.loads(socket.recv(timeout=10))["type"])
    assert answers == ["entered", "bye"]


@pytest.mark.parametrize("headers", [{"origin": "https://elsewhere.example"}, {"origin": "null"}])
def test_a_socket_from_another_origin_is_refused(house: Running, headers: dict[str, str]) -> None:
    with pytest.raises(InvalidStatus) as refused, raw(house, **headers):
        pass
    assert refused.value.response.status_code == 403


def request(house: Running, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", house.port, timeout=20)
    try:
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_a_request_from_another_origin_or_host_is_rejected(house: Running) -> None:
    body = b'{"handle":"Mallory"}'
    assert request(house, "POST", "/api/session", body, origin="https://elsewhere.example")[0] == 403
    assert request(house, "POST", "/api/session", body, host="rebound.example")[0] == 403
    assert request(house, "GET", "/api/tables", host="rebound.example")[0] == 403


def test_every_reply_has_the_security_headers(house: Running) -> None:
    connection = HTTPConnection("127.0.0.1", house.port, timeout=20)
    for path in ("/", "/api/tables", "/api/nothing", "/web/style.css"):
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        assert answer.headers["content-security-policy"].startswith("default-src 'self'")
        assert answer.headers["x-content-type-options"] == "nosniff"
    connection.close()


@pytest.mark.parametrize(
    "path", ["/web/../app.py", "/web/..%2fapp.py", "/web//etc/passwd", "/web/%2e%2e/app.py"]
)
def test_only_the_pages_own_files_are_served(house: Running, path: str) -> None:
    status, body = request(house, "GET", path)
    assert b"import" not in body
    assert status in (200, 404)


def test_a_revoked_session_is_dropped_within_a_second(house: Running) -> None:
    person = new_client(house)
    table = open_table(person)
    with person.sit(table) as at:
        began = time.monotonic()
        person.ask("DELETE", "/api/session")
        assert closed(at)
        assert time.monotonic() - began < 1
    with pytest.raises(HouseError):
        person.ask("GET", "/api/session")


# --- hostile clients ---


def test_a_frame_that_is_too_long_closes_only_its_socket(strict: Running) -> None:
    person = new_client(strict)
    table = open_table(person)
    with person.sit(table) as at, person.at(table) as other:
        at._socket.send("x" * (STRICT.frame + 1))
        assert closed(at)
        other._socket.send('{"type":"ping"}')
        while not isinstance(other.next(5), m.Pong):
            pass


def test_a_body_that_is_too_long_is_refused(strict: Running) -> None:
    status, body = request(strict, "POST", "/api/session", b"x" * (STRICT.frame + 1))
    assert status == 413
    assert b"too-long" in body


def test_a_socket_without_a_ticket_is_closed(strict: Running) -> None:
    time.sleep(0.3)
    with raw(strict) as socket:
        answer = json.loads(socket.recv(timeout=5))
        assert answer["code"] == "no-ticket"


def test_a_flooding_client_is_warned_and_then_dropped(strict: Running) -> None:
    time.sleep(0.5)
    person = new_client(strict)
    table = open_table(person)
    with person.at(table) as at:
        codes = []
        with suppress(WebSocketException):
            for _ in range(STRICT.burst + STRICT.patience + 20):
                at._socket.send('{"type":"ping"}')
        byes = []
        with suppress(HouseError):
            while True:
                message = at.next(5)
                if isinstance(message, m.Rejected):
                    codes.append(message.refused[0].code)
                elif isinstance(message, m.Bye):
                    byes.append(message.code)
        with pytest.raises((HouseError, WebSocketException)):
            at.ready()
        assert set(codes) == {"too-fast"}
        assert byes in ([], ["too-much"])
        assert at._socket.close_code == 1008


def test_the_rejection_of_a_rate_limited_command_names_its_key(strict: Running) -> None:
    person = new_client(strict)
    table = open_table(person)
    with person.at(table) as at:
        keys = [f"k{n}" for n in range(STRICT.burst + 15)]
        for key in keys:
            at.do({"type": "Fold", "seat": 1}, key)
        refused: dict[str, str] = {}
        while len(refused) < len(keys):
            message = at.next(10)
            if isinstance(message, m.Rejected):
                refused[message.key] = message.refused[0].code
    assert set(refused) == set(keys)
    assert set(refused.values()) <= {"not-your-seat", "too-fast"}


def test_sockets_per_person_are_limited() -> None:
    with running(replace(STRICT, sockets=3, handshakes=1000)) as house, ExitStack() as sockets:
        person = new_client(house)
        table = open_table(person)
        held = [sockets.enter_context(person.at(table)) for _ in range(3)]
        with pytest.raises(HouseError, match="you have 3 connections open; close one first"):
            person.at(table)
        held[0].close()
        end = time.monotonic() + 10
        while True:
            try:
                sockets.enter_context(person.at(table))
                break
            except HouseError:
                assert time.monotonic() < end


@pytest.mark.parametrize("first", [b"", b"GET /api/house HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"])
@pytest.mark.parametrize("sent", [b"", b"G", b"GET /api/house HTTP/1.1\r\n"])
def test_a_connection_without_a_whole_request_is_closed(first: bytes, sent: bytes) -> None:
    """The second request of a connection has the same deadline as the first."""
    with (
        running(replace(GENEROUS, request_seconds=0.5)) as house,
        socket.create_connection(("127.0.0.1", house.port)) as silent,
    ):
        silent.settimeout(30)
        if first:
            silent.sendall(first)
            reply = HTTPResponse(silent)
            reply.begin()
            assert reply.status == 200
            reply.read()
        silent.sendall(sent)
        began = time.monotonic()
        with suppress(ConnectionResetError):
            assert silent.recv(1) == b""
        assert time.monotonic() - began < 8


@pytest.mark.parametrize("handle", ["Seat 3", "Ines (BOT)", "\uff24ealer", "", "x/y", "\u0000"])
def test_reserved_names_are_rejected(strict: Running, handle: str) -> None:
    with pytest.raises(HouseError, match="choose another name: up to 24 letters"):
        House(strict.url).introduce(handle)


def test_a_lookalike_of_a_used_name_is_rejected(strict: Running) -> None:
    House(strict.url).introduce("Fiona")
    with pytest.raises(HouseError, match="is taken; choose another"):
        House(strict.url).introduce("\ufb01ona")


def test_a_flooding_client_is_read_slowly() -> None:
    limits = replace(STRICT, between=0.1)
    with running(limits) as house:
        person = new_client(house)
        with person.at(open_table(person)) as at:
            sent = limits.burst + 10
            for _ in range(sent):
                at._socket.send('{"type":"ping"}')
            answers: list[object] = []
            while len(answers) < sent:
                if isinstance(answer := at.next(10), m.Pong | m.Rejected):
                    answers.append(answer)
    # The frames after the first rejected frame wait, and are then accepted.
    assert sum(isinstance(answer, m.Rejected) for answer in answers) <= 1


def test_too_many_sockets_from_one_address_are_refused(strict: Running) -> None:
    refused = 0
    with ExitStack() as sockets:
        for _ in range(3 * int(STRICT.handshakes) + 5):
            try:
                sockets.enter_context(raw(strict))
            except InvalidStatus:
                refused += 1
    assert refused > 0


class UnreadSocket:
    """A socket whose other end sends one frame and then reads nothing."""

    def __init__(self, first: str) -> None:
        self._first: str | None = first
        self.closed = 0

    async def receive_text(self) -> str:
        first, self._first = self._first, None
        if first is None:
            await asyncio.Event().wait()
        return str(first)

    async def send_text(self, text: str) -> None:
        await asyncio.Event().wait()

    async def close(self, code: int = 1000) -> None:
        self.closed = code


class OneTable:
    """A table directory with one table."""

    def __init__(self, room: Room) -> None:
        self.people = room.people.inner
        self._hosted = room.hosted

    async def find(self, table: str) -> TableRunner:
        runner: TableRunner = self._hosted.inner
        return runner


def test_a_slow_reader_is_dropped_without_disturbing_others() -> None:
    room = Room("uth-ma", [()], seats=(1,))
    ticket = room.people.ticket(room.persons[1], "room")
    assert isinstance(ticket, m.Ticket)
    enter = json.dumps({"type": "enter", "ticket": ticket.ticket, "table": "room"})
    stuck = UnreadSocket(enter)
    connection = Connection(stuck, OneTable(room), Limits(waiting=8), Buckets(20, 40), lambda handle: 0)  # type: ignore[arg-type]
    reader = room.new_viewer("seat 1")

    async def play() -> int:
        running = asyncio.create_task(connection.run())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        room.hosted.enter(reader)
        for bets in range(100):
            room.do(1, c.Bet(seat=1, wagers={"ante": 500 + 100 * (bets % 2)}))
            await asyncio.sleep(0)
            if connection.closed:
                break
        await asyncio.wait_for(running, 5)
        return bets

    # One frame is in flight and eight are queued; the tenth is over the limit.
    assert asyncio.run(play()) <= 10
    assert stuck.closed == 1008
    assert room.hosted.audience.watchers == {reader}
    assert isinstance(room.do(1, c.Bet(seat=1, wagers={"ante": 900})), m.Answered)
    assert reader.following.seq == room.hosted.seq


def test_a_dropped_slow_reader_leaves_no_connection() -> None:
    """The server closes the connection although the client never reads and never hangs up."""
    with running(replace(GENEROUS, waiting=8, close_seconds=0.2)) as house:
        house.limit_send_buffers(16 * 1024)
        host, idle = new_client(house), new_client(house)
        table, name = open_table(host), idle.me().handle
        ticket: m.Ticket = idle.ask("POST", "/api/tickets", {"table": table}, m.Ticket)
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        raw.connect(("127.0.0.1", house.port))
        url = f"ws://127.0.0.1:{house.port}/api/socket"
        with host.sit(table) as at, connect(url, sock=raw, max_queue=1, ping_interval=None) as slow:
            slow.send(json.dumps({"type": "enter", "ticket": ticket.ticket, "table": table}))
            connected, bet = False, 500
            until = time.monotonic() + 60
            while time.monotonic() < until and not (connected and house.serving.sockets(name) == 0):
                bet = 1100 - bet
                at.send({"type": "Bet", "seat": at.view.yours.seat, "wagers": {"ante": bet}})
                connected = connected or house.serving.sockets(name) == 1
            assert connected
            assert house.serving.sockets(name) == 0
            # The connection is closed and its pending frames are discarded, without a client hangup.
            until = time.monotonic() + 10
            while house.lines > 1 and time.monotonic() < until:
                time.sleep(0.05)
            assert house.lines == 1


def test_a_bucket_allows_its_rate_and_its_burst() -> None:
    now = [0.0]
    bucket = Bucket(20, 40, lambda: now[0])
    assert sum(bucket.take() for _ in range(100)) == 40
    now[0] = 1.0
    assert sum(bucket.take() for _ in range(100)) == 20
    buckets = Buckets(1, 2, lambda: now[0])
    assert [buckets.take("a") for _ in range(3)] == [True, True, False]
    assert buckets.take("b")


def test_the_limits_match_the_documentation() -> None:
    promised = Limits()
    assert (promised.frame, promised.commands, promised.burst) == (16 * 1024, 20, 40)
    assert (promised.handshakes, promised.first_frame, promised.waiting) == (10, 10, 256)
    assert GENEROUS.frame == promised.frame
