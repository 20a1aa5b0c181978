"""Whatever comes in, the house stands: frames and requests by the thousand, none of them meant well.

Nothing may be logged as an error, no answer may be a 500, and every record must verify afterwards.
"""

from __future__ import annotations

import asyncio
import gc
import json
from contextlib import suppress
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
from server.besieged import WITHOUT_LIMITS, Besieged, Siege
from server.calling import http, listening
from server.fuzzing import Frames
from server.houses import running
from server.requesting import Requests

STATM = Path("/proc/self/statm")
FRAMES = 25_000
"""Frames in one test."""
PARTS = sample("frames") // FRAMES
OVER_A_SOCKET = sample("socket frames")
EXAMPLES = sample("requests")
"""Requests to each route."""


# --- frames ---


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_frames(part: int) -> None:
    with listening() as heard:
        house = Besieged()
        siege = Siege(house, f"frames {part}", heard)
        siege.run(FRAMES)
    assert heard.errors == []
    assert siege.got["refused"] > FRAMES // 2
    assert siege.got["answered"] > 100, "nothing was ever taken: the tables saw no rounds"
    assert house.faults() == []


def test_a_planted_fault_of_the_decoder_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shallow:
        """Falls over what is nested deeply."""

        def decode(self, text: str) -> Any:
            if "[[[[" in text:
                raise MemoryError("too deep")
            return decoder.decode(text)

    decoder = sockets._decoder
    monkeypatch.setattr(sockets, "_decoder", Shallow())
    with listening() as heard:
        Siege(Besieged(), "planted", heard).run(2000)
    assert sum("too deep" in error for error in heard.errors) >= MARGIN


@pytest.mark.slow
@pytest.mark.skipif(not STATM.exists(), reason="how much a process holds is read from /proc")
def test_memory_does_not_grow(tmp_path: Path) -> None:
    def held(frames: int) -> int:
        siege.run(frames)
        gc.collect()
        return int(STATM.read_text().split()[1])

    with listening() as heard:
        house = Besieged(tmp_path / "house.db")
        siege = Siege(house, "memory", heard)
        half, whole = (held(sample("memory frames") // 2) for _ in range(2))
    house.close()
    assert whole < half * 1.01


# --- frames over a real socket ---


class Hostile:
    """A client over loopback that sends whatever comes to mind, and comes back whenever it is thrown out."""

    def __init__(self, person: House, table: str, rng: Random) -> None:
        self._person = person
        self._table = table
        self._rng = rng
        self._frames = Frames(rng, WITHOUT_LIMITS.frame)
        self.sent = self.thrown_out = 0

    def send(self, frames: int) -> None:
        """Send so many frames, over as many sockets as that takes."""
        while self.sent < frames:
            with suppress(WebSocketException, HouseError, OSError), self._person.sit(self._table) as at:
                while self.sent < frames:
                    self._some(at)
                continue
            self.thrown_out += 1

    def _some(self, at: AtTable) -> None:
        """A handful, and then a word that must be answered."""
        for _ in range(50):
            self.sent += 1
            if self._rng.random() < 0.0005:
                at._socket.socket.sendall(self._rng.randbytes(99))
            frame = self._frames.frame(lambda: [json.dumps(one.command) for one in at.view.yours.choices])
            if isinstance(frame, bytes):
                at._socket.send(frame)
            else:
                # Half a character goes out as it is: a text that is none.
                at._socket.send(frame.encode("utf-8", "surrogatepass"), text=True)
        at.answer({"type": "no such thing"}, key=f"after {self.sent}")


@pytest.mark.slow
def test_frames_over_a_real_socket() -> None:
    rng = Random("socket")
    with running(WITHOUT_LIMITS) as house, listening() as heard:
        person, other = House(house.url), House(house.url)
        person.introduce("Hostile")
        other.introduce("Neighbour")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        hostile = Hostile(person, table, rng)
        with other.sit(table) as neighbour:
            hostile.send(OVER_A_SOCKET)
            neighbour.answer({"type": "no such thing"})
        report = verify(house.serving.store, table)
    assert hostile.thrown_out > 5
    assert heard.errors == []
    assert report.faults == ()


# --- requests ---


async def besiege(house: Besieged, requests: Requests, route: tuple[str, str], rng: Random) -> list[str]:
    """Requests to one route; what went wrong."""
    wrong = []
    tokens = list(house.tokens.values())
    for asked in requests.to(*route, EXAMPLES):
        token = rng.choice([*tokens, "", "nobody's"])
        if route == ("DELETE", "/api/session"):
            token = house.tokens.pop(house.person(f"passer {rng.getrandbits(48)}").handle)
        try:
            reply = await http(
                house.app, asked.method, asked.path, query=asked.query, token=token, body=asked.body,
                more=asked.headers,
            )  # fmt: skip
        except Exception as error:  # whatever it is, a server would have to answer 500
            wrong.append(f"{asked}: {error!r}")
            continue
        if reply.status >= 500:
            wrong.append(f"{asked}: {reply.status}")
        elif reply.status >= 400:
            assert msgspec.json.decode(reply.body, type=Refused).refused, asked
    return wrong


def test_requests_to_every_route(monkeypatch: pytest.MonkeyPatch) -> None:
    # A par sheet takes seconds; everything up to its figures stays.
    monkeypatch.setattr("houseway.report.sheet.par_sheet", lambda terms: terms)
    monkeypatch.setattr("houseway.report.sheet.html.text", lambda sheet: "")
    rng = Random("requests")
    with listening() as heard:
        house = Besieged()
        Siege(house, "some rounds", heard).run(5000)
        requests = Requests(rng, [place.table for place in house.places])
        for route in requests.routes():
            assert asyncio.run(besiege(house, requests, route, rng)) == [], route
    assert heard.errors == []
    assert house.faults() == []
