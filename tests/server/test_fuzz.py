"""Fuzzing: the server survives thousands of malformed frames and requests.

No error may be logged, no reply may be a 500, and every record must verify afterwards.
"""

from __future__ import annotations

import asyncio
import gc
import json
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.exceptions import WebSocketException

from houseway.audit.verify import verify
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from houseway.engine.refusals import Refused
from houseway.server import sockets
from samples import MARGIN, sample
from server.calling import http, listening
from server.fuzz_target import WITHOUT_LIMITS, FrameSender, FuzzTarget
from server.fuzzing import Frames
from server.houses import running
from server.requesting import Requests

STATM = Path("/proc/self/statm")
FRAMES = 25_000
"""The number of frames in one test."""
PARTS = sample("frames") // FRAMES
OVER_A_SOCKET = sample("socket frames")
EXAMPLES = sample("requests")
"""The number of requests to each route."""


# --- frames ---


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_malformed_frames_cause_no_error_and_no_fault(part: int) -> None:
    with listening() as log:
        house = FuzzTarget()
        sender = FrameSender(house, f"frames {part}", log)
        sender.run(FRAMES)
    assert log.errors == []
    assert sender.received["refused"] > FRAMES // 2
    assert sender.received["answered"] > 100, "no command was accepted: the tables saw no rounds"
    assert house.faults() == []


def test_a_planted_fault_of_the_decoder_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shallow:
        """A decoder that fails on deeply nested JSON."""

        def decode(self, text: str) -> Any:
            if "[[[[" in text:
                raise MemoryError("too deep")
            return decoder.decode(text)

    decoder = sockets._decoder
    monkeypatch.setattr(sockets, "_decoder", Shallow())
    with listening() as log:
        FrameSender(FuzzTarget(), "planted", log).run(2000)
    assert sum("too deep" in error for error in log.errors) >= MARGIN


def _memory_use(path: Path, frames: int) -> tuple[int, int]:
    """Return the pages in use after the first half of the frames and after all of them."""

    def memory_after(half: int) -> int:
        sender.run(half)
        gc.collect()
        return int(STATM.read_text().split()[1])

    with listening() as log:
        house = FuzzTarget(path)
        sender = FrameSender(house, "memory", log)
        uses = memory_after(frames // 2), memory_after(frames // 2)
    house.close()
    return uses


@pytest.mark.slow
@pytest.mark.skipif(not STATM.exists(), reason="memory use is read from /proc")
def test_memory_does_not_grow(tmp_path: Path) -> None:
    # A new process, because threads of earlier tests would count otherwise.
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        first, second = process.submit(_memory_use, tmp_path / "house.db", sample("memory frames")).result()
    assert second < first * 1.01


# --- frames over a real socket ---


class Hostile:
    """A client over loopback that sends malformed frames and reconnects whenever it is dropped."""

    def __init__(self, person: House, table: str, rng: Random) -> None:
        self._person = person
        self._table = table
        self._rng = rng
        self._frames = Frames(rng, WITHOUT_LIMITS.frame)
        self.sent = self.thrown_out = 0

    def send(self, frames: int) -> None:
        """Send `frames` frames, over as many sockets as needed."""
        while self.sent < frames:
            with suppress(WebSocketException, HouseError, OSError), self._person.sit(self._table) as at:
                while self.sent < frames:
                    self._send_batch(at)
                continue
            self.thrown_out += 1

    def _send_batch(self, at: AtTable) -> None:
        """Send 50 frames, then a command that must be answered."""
        for _ in range(50):
            self.sent += 1
            if self._rng.random() < 0.0005:
                at._socket.socket.sendall(self._rng.randbytes(99))
            frame = self._frames.frame(lambda: [json.dumps(one.command) for one in at.view.yours.choices])
            if isinstance(frame, bytes):
                at._socket.send(frame)
            else:
                # A lone surrogate is sent as invalid UTF-8.
                at._socket.send(frame.encode("utf-8", "surrogatepass"), text=True)
        at.send({"type": "no such thing"}, key=f"after {self.sent}")


@pytest.mark.slow
def test_malformed_frames_over_a_real_socket_cause_no_error() -> None:
    rng = Random("socket")
    with running(WITHOUT_LIMITS) as house, listening() as log:
        person, other = House(house.url), House(house.url)
        person.introduce("Hostile")
        other.introduce("Neighbour")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        hostile = Hostile(person, table, rng)
        with other.sit(table) as neighbour:
            hostile.send(OVER_A_SOCKET)
            neighbour.send({"type": "no such thing"})
        report = verify(house.serving.store, table)
    assert hostile.thrown_out > 5
    assert log.errors == []
    assert report.faults == ()


# --- requests ---


async def fuzz_route(
    house: FuzzTarget, requests: Requests, route: tuple[str, str], rng: Random
) -> list[str]:
    """Send requests to one route and return the failures."""
    failures = []
    tokens = list(house.tokens.values())
    for request in requests.to(*route, EXAMPLES):
        token = rng.choice([*tokens, "", "nobody's"])
        if route == ("DELETE", "/api/session"):
            token = house.tokens.pop(house.person(f"passer {rng.getrandbits(48)}").handle)
        try:
            reply = await http(
                house.app, request.method, request.path, query=request.query, token=token, body=request.body,
                more=request.headers,
            )  # fmt: skip
        except Exception as error:  # any exception would be a 500
            failures.append(f"{request}: {error!r}")
            continue
        if reply.status >= 500:
            failures.append(f"{request}: {reply.status}")
        elif reply.status >= 400:
            assert msgspec.json.decode(reply.body, type=Refused).refused, request
    return failures


def test_malformed_requests_to_every_route_cause_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # Computing a par sheet takes seconds, so that part is replaced; everything before it still runs.
    monkeypatch.setattr("houseway.report.sheet.par_sheet", lambda terms: terms)
    monkeypatch.setattr("houseway.report.sheet.html.text", lambda sheet: "")
    rng = Random("requests")
    with listening() as log:
        house = FuzzTarget()
        FrameSender(house, "some rounds", log).run(5000)
        requests = Requests(rng, [place.table for place in house.places])
        for route in requests.routes():
            assert asyncio.run(fuzz_route(house, requests, route, rng)) == [], route
    assert log.errors == []
    assert house.faults() == []
