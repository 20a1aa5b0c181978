"""Hostile clients at the HTTP level: floods before any login, slow requests, crowds of connections."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import resource
import socket
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import BadStatusLine, HTTPConnection
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from msgspec.structs import replace
from websockets.frames import Frame, Opcode

from houseway.client import House
from houseway.live.clock import Timer
from houseway.server.front_door import FrameCounter, FrontDoor, GuardedConnection, request_under_way
from houseway.server.house import LoopClock
from houseway.server.limits import Limits
from server.houses import GENEROUS, PATIENCE, Process, running

HEAD = b"GET /api/house HTTP/1.1\r\nhost: 127.0.0.1\r\n"
MEGABYTE = 1 << 20
FILES = 200
"""A low limit on the open files of a server."""
MOST_GROWTH = 50 * MEGABYTE
SECONDS = 8.0
"""The longest duration of an attack, in seconds."""


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server whose solver has loaded, so that its memory no longer grows by itself."""
    server = Process(tmp_path_factory.mktemp("door") / "house.db").start()
    until = time.monotonic() + PATIENCE
    while not House(server.url).ask("GET", "/api/house")["solver"]["ready"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    yield server
    server.kill()


def memory(process: Process) -> int:
    """The resident memory of a server, in bytes."""
    assert process.process is not None
    pages = Path(f"/proc/{process.process.pid}/statm").read_text().split()[1]
    return int(pages) * 4096


def ask(port: int, path: str = "/api/house", source: str = "127.0.0.1", **headers: str) -> int:
    """Send a request and return its status."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30, source_address=(source, 0))
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status
    finally:
        connection.close()


FLOODS = {
    "pipelined requests": (b"", HEAD + b"\r\n"),
    "small headers": (HEAD, b"a:b\r\n"),
    "an endless header": (HEAD + b"x: ", b"x"),
    "an endless path": (b"GET /", b"x"),
    "an endless chunk header": (
        b"POST /api/session HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n",
        b"1",
    ),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_before_login_does_not_use_up_memory(process: Process, flood: str) -> None:
    """One connection sends up to 100 MB and reads nothing."""
    assert ask(process.port, source="127.0.0.2") == 200
    before = most = memory(process)
    first, more = FLOODS[flood]
    block = more * (MEGABYTE // 4 // len(more))
    until = time.monotonic() + SECONDS
    with socket.create_connection(("127.0.0.1", process.port)) as attacker:
        attacker.settimeout(0.5)
        with suppress(OSError):
            attacker.sendall(first)
            for _ in range(400):
                with suppress(TimeoutError):
                    attacker.sendall(block)
                most = max(most, memory(process))
                if time.monotonic() > until:
                    break
        # The flood has used up the requests of its own address.
        assert ask(process.port, source="127.0.0.2") == 200
    assert most - before < MOST_GROWTH


def test_a_connection_that_sends_too_many_requests_is_closed() -> None:
    """The rest of its requests are never answered, so they cost nothing."""
    with (
        running(replace(GENEROUS, requests=5)) as house,
        socket.create_connection(("127.0.0.1", house.port)) as hasty,
    ):
        hasty.settimeout(30)
        hasty.sendall((HEAD + b"\r\n") * 100)
        replies = b""
        while received := hasty.recv(1 << 16):
            replies += received
    statuses = re.findall(rb"HTTP/1.1 (\d+)", replies)
    assert statuses.count(b"429") == 1
    assert statuses[-1] == b"429"


def test_slow_connections_do_not_block_other_clients() -> None:
    """A thousand connections send a whole request and then one byte: they are closed in time, and clients
    from other addresses are served meanwhile."""
    limits = replace(GENEROUS, connections=200, request_seconds=2)
    with running(limits) as house, ExitStack() as sockets:
        held = []
        for _ in range(1000):
            slow = sockets.enter_context(
                socket.create_connection(("127.0.0.1", house.port), source_address=("127.0.1.1", 0))
            )
            slow.settimeout(30)
            with suppress(OSError):
                slow.sendall(HEAD + b"\r\nG")
            held.append(slow)
        assert ask(house.port, source="127.0.2.1") == 200
        assert house.serving.door.refused >= 700
        for slow in held:
            with suppress(ConnectionResetError):
                while slow.recv(1 << 16):
                    pass
        until = time.monotonic() + 20
        while house.lines and time.monotonic() < until:
            time.sleep(0.05)
        assert house.lines == 0
        assert ask(house.port, source="127.0.1.1") == 200


def test_the_whole_server_has_a_limit_on_connections() -> None:
    with running() as house, ExitStack() as sockets:
        house.serving.door.most = 3
        for n in range(3):
            sockets.enter_context(
                socket.create_connection(("127.0.0.1", house.port), source_address=(f"127.0.{n}.1", 0))
            )
        time.sleep(0.2)
        with pytest.raises((ConnectionError, BadStatusLine)):
            ask(house.port, source="127.0.9.1")
    assert house.serving.door.refused >= 1


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/house?" + "x" * 2100, {}, 414),
        ("/api/house", {f"x{n}": "y" for n in range(120)}, 431),
        ("/api/house", {"x": "y" * 30_000}, 400),
        ("/api/house", {"x": "y" * 10_000}, 200),
    ],
)
def test_a_request_that_is_too_long_is_refused(path: str, headers: dict[str, str], status: int) -> None:
    with running() as house:
        assert ask(house.port, path, **headers) == status


def test_a_slow_body_is_refused() -> None:
    with (
        running(replace(GENEROUS, request_seconds=0.5)) as house,
        socket.create_connection(("127.0.0.1", house.port)) as slow,
    ):
        slow.settimeout(30)
        slow.sendall(b"POST /api/session HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 20\r\n\r\n{")
        reply = b""
        while b"too-slow" not in reply:
            part = slow.recv(1 << 16)
            assert part, reply
            reply += part
        assert reply.startswith(b"HTTP/1.1 408")


def test_a_client_that_reads_nothing_is_closed() -> None:
    """The client sends many requests for a large file, and reads none of the replies."""
    request = b"GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    with running(replace(GENEROUS, reply_seconds=0.5)) as house, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", house.port))
        reader.sendall(request * 200)
        until = time.monotonic() + 20
        while time.monotonic() < until and not house.lines:
            time.sleep(0.02)
        while time.monotonic() < until and house.lines:
            time.sleep(0.05)
        assert house.lines == 0


def test_a_client_that_reads_only_part_of_a_reply_is_closed() -> None:
    """The whole body of a reply is buffered at once, so the deadline must run on after the request ends."""
    request = b"GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    with running(replace(GENEROUS, reply_seconds=0.5)) as house, socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        reader.connect(("127.0.0.1", house.port))
        reader.sendall(request)
        assert reader.recv(100).startswith(b"HTTP/1.1 200")
        until = time.monotonic() + 20
        while time.monotonic() < until and house.lines:
            time.sleep(0.05)
        assert house.lines == 0


def test_broken_requests_leave_no_log_lines(caplog: pytest.LogCaptureFixture) -> None:
    """Neither requests that break off nor messages that are not HTTP may fill the log."""
    with caplog.at_level(logging.WARNING), running() as house:
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", house.port)) as broken:
                broken.sendall(
                    b"POST /api/session HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 20\r\n\r\n{"
                )
            with socket.create_connection(("127.0.0.1", house.port)) as broken:
                broken.sendall(b"\x16\x03\x01 not HTTP\r\n\r\n")
            with socket.create_connection(("127.0.0.1", house.port)) as broken:
                broken.sendall(
                    b"POST /nothing HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n"
                )
                assert broken.recv(1 << 16).startswith(b"HTTP/1.1 404")
                broken.sendall(b"zz\r\n")
        assert ask(house.port) == 200
        time.sleep(0.3)
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("peer", "prefix"),
    [
        (("192.0.2.7", 1), "192.0.2.0/24"),
        (("2001:db8:1:2ff::7", 1, 0, 0), "2001:db8:1:200::/56"),
        (("::ffff:192.0.2.7", 1, 0, 0), "192.0.2.0/24"),
        (("fe80::1%eth0", 1, 0, 2), "fe80::/56"),
        ("", ""),
        (None, ""),
    ],
)
def test_connections_are_counted_by_prefix(peer: object, prefix: str) -> None:
    assert FrontDoor(GENEROUS).prefix_of(peer) == prefix


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_frames_that_are_not_whole_messages_are_counted(step: int) -> None:
    frames = [
        Frame(Opcode.TEXT, b"whole"),
        Frame(Opcode.PING, b""),
        Frame(Opcode.TEXT, b"x" * 300, fin=False),
        Frame(Opcode.CONT, b"y" * 70_000),
        Frame(Opcode.PONG, b"pong"),
        Frame(Opcode.TEXT, b"z" * 126),
        Frame(Opcode.CLOSE, b""),
    ]
    data = b"".join(frame.serialize(mask=True) for frame in frames)
    counter = FrameCounter()
    parts = sum(counter.count_parts(data[at : at + step]) for at in range(0, len(data), step))
    assert parts == 5


def test_a_timer_that_a_request_starts_does_not_keep_its_connection() -> None:
    """A request that opens a table or seats a bot starts timers that outlive its connection."""

    class Requests(asyncio.Protocol):
        def data_received(self, data: bytes) -> None:
            with request_under_way() as connection:
                served.append(connection is not None)
            timers.append(LoopClock().later(1000, served.clear))

    async def serve() -> weakref.ref[GuardedConnection]:
        connection = GuardedConnection(FrontDoor(Limits()), Requests())
        connection.connection_made(Mock(asyncio.Transport, **QUIET))
        connection.data_received(b"x")
        await asyncio.sleep(0)
        connection.connection_lost(None)
        return weakref.ref(connection)

    async def closed() -> bool:
        # The request runs in its own context, as under uvicorn.
        connection = await asyncio.create_task(serve())
        gc.collect()
        return connection() is None

    served: list[bool] = []
    timers: list[Timer] = []
    assert asyncio.run(closed())
    assert served == [True]
    assert timers


QUIET = {
    "get_extra_info.return_value": ("127.0.0.1", 1),
    "is_closing.return_value": False,
    "get_write_buffer_size.return_value": 0,
}


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is only on Linux")
def test_the_solver_loads_while_connections_use_all_files_they_may(tmp_path: Path) -> None:
    """Some open files are reserved, so that the solver can read its kernels however many clients connect."""
    server = Process(tmp_path / "house.db")
    process = server.begin()
    # Python needs longer than this to import the server, which reads the limit afterwards.
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
    try:
        asking = HTTPConnection("127.0.0.1", server.port, timeout=30)
        until = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError):
                asking.connect()
                break
            assert time.monotonic() < until
            time.sleep(0.01)
        with ExitStack() as connections:
            connections.callback(asking.close)
            solver: dict[str, Any] = {"ready": False, "sentence": ""}
            held = 0
            while not solver["ready"] and "failed" not in solver["sentence"]:
                assert time.monotonic() < until, solver
                for _ in range(2 * FILES if held < 4 * FILES else 0):
                    with suppress(OSError):
                        crowd = connections.enter_context(
                            socket.create_connection(("127.0.0.1", server.port))
                        )
                        crowd.sendall(HEAD + b"\r\nG")
                    held += 1
                asking.request("GET", "/api/house")
                solver = json.loads(asking.getresponse().read())["solver"]
                time.sleep(0.05)
            assert solver["ready"], solver
            assert held > FILES
    finally:
        server.kill()
