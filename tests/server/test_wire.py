"""Sockets of clients who mean harm below the messages: floods, pings, parts without end."""

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
from houseway.server import flood_protection
from server.houses import GENEROUS, Running, running

FOLD = b'{"type":"do","key":"k","command":{"type":"Fold","seat":1}}'


@pytest.fixture
def house() -> Iterator[Running]:
    with running(replace(GENEROUS, commands=5, burst=5, between=0.01)) as found:
        yield found


class Wire:
    """A socket at a table, with every frame in one's own hands."""

    def __init__(self, raw: socket.socket, url: str) -> None:
        self.raw = raw
        self.client = ClientProtocol(parse_uri(url))
        self.client.send_request(self.client.connect())
        self.flush()
        self.client.receive_data(raw.recv(4096))

    def flush(self) -> None:
        self.raw.sendall(b"".join(self.client.data_to_send()))

    def ended(self, seconds: float = 20) -> bool:
        """Whether the house hangs up; what it sends meanwhile is read."""
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
    ticket: m.Ticket = person.ask("POST", "/api/tickets", m.WantTicket(table=table), m.Ticket)
    with socket.create_connection(("127.0.0.1", house.port)) as raw:
        line = Wire(raw, f"ws://127.0.0.1:{house.port}/api/socket")
        line.client.send_text(msgspec.json.encode(m.Enter(ticket=ticket.ticket, table=table)))
        line.flush()
        yield line


def test_a_flood_is_taken_in_by_morsels(house: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    original = ServerProtocol.receive_data

    def counted(self: ServerProtocol, data: bytes) -> None:
        taken.append(len(data))
        original(self, data)

    with at_a_table(house, "flood") as line:
        monkeypatch.setattr(ServerProtocol, "receive_data", counted)
        for _ in range(2000):
            line.client.send_text(FOLD)
        line.flush()
        time.sleep(1)
        heard = sum(taken)
        assert 0 < max(taken) <= flood_protection.READ_CHUNK
        # Read on only as its messages are heard, and those slowly; in the end it is closed and let go.
        assert heard < 50 * flood_protection.READ_CHUNK
        assert line.ended()
        assert sum(taken) < heard + 150 * flood_protection.READ_CHUNK


def test_a_long_message_comes_whole(house: Running) -> None:
    with at_a_table(house, "long") as line:
        long = FOLD[:-1] + b" " * (house.serving.limits.frame - len(FOLD)) + b"}"
        line.client.send_text(long)
        line.client.send_ping(b"after")
        line.flush()
        heard = b""
        line.raw.settimeout(20)
        while not (b"after" in heard and b'"key":"k"' in heard):
            heard += line.raw.recv(1 << 16)
        assert b"not-seated" in heard or b"not-your" in heard, heard[-300:]


@pytest.mark.parametrize("what", ["pings", "pongs", "parts"])
def test_frames_that_are_no_message_have_an_end(house: Running, what: str) -> None:
    with at_a_table(house, what) as line:
        most = flood_protection.PART_LIMIT[1] // 2
        for number in range(20 * most):
            if what == "pings":
                line.client.send_ping(b"")
            elif what == "pongs":
                line.client.send_pong(b"")
            elif number:
                line.client.send_continuation(b"", fin=False)
            else:
                line.client.send_text(b"", fin=False)
            if number == most:
                line.flush()
                assert not line.ended(1), "some are nothing unusual"
        try:
            line.flush()
        except ConnectionError:
            return
        assert line.ended()


def test_who_is_thrown_out_and_says_goodbye_is_gone_at_once(
    house: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with messages of its own that nobody heard: the house does not wait for a clock."""
    monkeypatch.setattr(flood_protection, "CLOSE_SECONDS", 1000)
    with at_a_table(house, "polite") as line:
        for _ in range(house.serving.limits.patience + 120):
            line.client.send_text(b"{" + b" " * 60 + b"}")
        line.flush()
        line.raw.settimeout(20)
        while line.client.close_rcvd is None:
            line.client.receive_data(line.raw.recv(1 << 16))
        assert line.client.close_rcvd.code == 1008
        line.flush()
        assert line.ended(8)
