"""Whatever comes in, the house stands: frames by the million, requests by the thousand, none of them meant well.

Nothing may be logged as an error, no answer may be a 500, and every record must verify afterwards.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from houseway.engine.refusals import Refused
from houseway.server import sockets
from server.besieged import Besieged, Siege
from server.calling import http, listening
from server.requesting import Requests

FRAMES, PARTS = 1_000_000, 20
OVER_A_SOCKET = 20_000
EXAMPLES = 300
"""Requests to each route."""


# --- frames ---


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_frames(part: int) -> None:
    with listening() as heard:
        house = Besieged()
        siege = Siege(house, f"frames {part}", heard)
        siege.run(FRAMES // PARTS)
    assert heard.errors == []
    assert siege.got["refused"] > FRAMES // PARTS // 2
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
    assert any("too deep" in error for error in heard.errors)


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


def test_requests_to_every_route() -> None:
    rng = Random("requests")
    with listening() as heard:
        house = Besieged()
        Siege(house, "some rounds", heard).run(5000)
        requests = Requests(rng, [place.table for place in house.places])
        for route in requests.routes():
            assert asyncio.run(besiege(house, requests, route, rng)) == [], route
    assert heard.errors == []
    assert house.faults() == []
