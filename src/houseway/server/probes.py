"""Probes for an operator's monitoring: is the server alive, and is it ready for players?"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from houseway.live.viewer_messages import encoder
from houseway.server.house import HouseServer


async def alive(house: HouseServer, request: Request) -> Response:
    """Answer as long as the event loop runs. If there is no answer, the server must be restarted."""
    return _answer(200, status="alive", version=house.version)


async def ready(house: HouseServer, request: Request) -> Response:
    """Answer 200 if the server can take commands, and 503 with the reasons if it cannot."""
    problems = [] if house.opened else ["the tables are not open yet"]
    if house.health.problem:
        problems.append(house.health.problem)
    if house.owned is not None and not house.owned.valid:
        problems.append("the leases of this server have expired")
    if problems:
        return _answer(503, status="not ready", problems=problems)
    return _answer(200, status="ready")


def _answer(code: int, **body: object) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(encoder.encode(body), code, headers, media_type="application/json")
