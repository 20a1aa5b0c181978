"""Hostile clients at the WebSocket level: floods, pings, endless fragments."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from msgspec.structs import replace
from websockets.client import ClientProtocol
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from houseway.client import House
from houseway.client import messages as m
from houseway.server import front_door
from server.houses import GENEROUS, Running, running

FOLD = b'{"type":"do","key":"k","command":{"type":"Fold","seat":1}}'


@pytest.fixture
def house() -> Iterator[Running]:
    with running(replace(GENEROUS, commands=5, burst=5, between=0.01)) as server:
        yield server


class Wire:
    """A socket at a table whose frames the test builds itself."""

    def __init__(self, raw: socket.socket, url: str) -> None:
        self.raw = raw
        self.client = ClientProtocol(parse_uri(url))
        self.client.send_request(self.client.connect())
        self.flush()
        self.client.receive_data(raw.recv(4096))

    def flush(self) -> None:
        self.raw.sendall(b"".join(self.client.data_to_send()))

    def ended(self, seconds: float = 20) -> bool:
        """True if the server closes the connection; anything it sends before is discarded."""
        self.raw.settimeout(seconds)
        try:
            while self.raw.recv(1 << 16):
                pass
        except TimeoutError:
            return False
        except ConnectionError:
            return True
        return True


@contextmanager
def at_a_table(house: Running, name: str) -> Iterator[Wire]:
    person = House(house.url)
    person.introduce(name)
    table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    ticket: m.Ticket = person.ask("POST", "/api/tickets", m.TicketRequest(table=table), m.Ticket)
    with socket.create_connection(("127.0.0.1", house.port)) as raw:
        line = Wire(raw, f"ws://127.0.0.1:{house.port}/api/socket")
        line.client.send_text(msgspec.json.encode(m.Enter(ticket=ticket.ticket, table=table)))
        line.flush()
        yield line


def test_a_flood_is_read_in_small_chunks(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    chunks: list[int] = []
    original = ServerProtocol.receive_data

    def counting_receive(self: ServerProtocol, data: bytes) -> None:
        chunks.append(len(data))
        original(self, data)

    with at_a_table(house, "flood") as line:
        monkeypatch.setattr(ServerProtocol, "receive_data", counting_receive)
        for _ in range(2000):
            line.client.send_text(FOLD)
        line.flush()
        time.sleep(1)
        bytes_read = sum(chunks)
        assert 0 < max(chunks) <= front_door.READ_CHUNK
        # The server reads more only after it has handled messages, which it does slowly, and finally closes the
        # connection.
        assert bytes_read < 50 * front_door.READ_CHUNK
        assert line.ended()
        assert sum(chunks) < bytes_read + 150 * front_door.READ_CHUNK


def test_a_message_of_the_maximum_length_is_handled(house: Running) -> None:
    with at_a_table(house, "long") as line:
        long = FOLD[:-1] + b" " * (house.serving.limits.frame - len(FOLD)) + b"}"
        line.client.send_text(long)
        line.client.send_ping(b"after")
        line.flush()
        received = b""
        line.raw.settimeout(20)
        while not (b"after" in received and b'"key":"k"' in received):
            received += line.raw.recv(1 << 16)
        assert b"not-seated" in received or b"not-your" in received, received[-300:]


@pytest.mark.parametrize("frames", ["pings", "pongs", "parts"])
def test_endless_control_frames_or_fragments_close_the_socket(house: Running, frames: str) -> None:
    with at_a_table(house, frames) as line:
        most = front_door.PART_LIMIT[1] // 2
        for number in range(20 * most):
            if frames == "pings":
                line.client.send_ping(b"")
            elif frames == "pongs":
                line.client.send_pong(b"")
            elif number:
                line.client.send_continuation(b"", fin=False)
            else:
                line.client.send_text(b"", fin=False)
            if number == most:
                line.flush()
                assert not line.ended(1), "a few are normal"
        try:
            line.flush()
        except ConnectionError:
            return
        assert line.ended()


def test_a_dropped_client_that_answers_the_close_frame_is_disconnected_at_once() -> None:
    """Its unread messages do not delay the close until the timeout."""
    limits = replace(GENEROUS, commands=5, burst=5, between=0.01, close_seconds=1000)
    with running(limits) as house, at_a_table(house, "polite") as line:
        for _ in range(house.serving.limits.patience + 120):
            line.client.send_text(b"{" + b" " * 60 + b"}")
        line.flush()
        line.raw.settimeout(20)
        while line.client.close_rcvd is None:
            line.client.receive_data(line.raw.recv(1 << 16))
        assert line.client.close_rcvd.code == 1008
        line.flush()
        assert line.ended(8)
