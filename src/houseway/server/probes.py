"""Probes for an operator's monitoring: is the server alive, and is it ready for players?"""

from __future__ import annotations

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from houseway.audit.store import StoreError
from houseway.live.viewer_messages import encoder
from houseway.server.house import HouseServer

STORE_SECONDS: Final = 2.0
"""Seconds for the database to answer a probe."""
PROBED: Final = "probe"
"""A key that is looked up in the database. It need not exist."""


async def alive(house: HouseServer, request: Request) -> Response:
    """Answer as long as the event loop runs. If there is no answer, the server must be restarted."""
    return _answer(200, status="alive", version=house.version)


async def ready(house: HouseServer, request: Request) -> Response:
    """Answer 200 if the server can take commands, and 503 with the reasons if it cannot."""
    problems = [] if house.opened else ["the tables are not open yet"]
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await asyncio.to_thread(house.store.kept_as, PROBED)
    except TimeoutError:
        problems.append(f"the database did not answer within {STORE_SECONDS:g} seconds")
    except StoreError:
        # The reason may contain a path or a host, which a stranger must not see.
        problems.append("the database cannot be read")
    if problems:
        return _answer(503, status="not ready", problems=problems)
    return _answer(200, status="ready")


def _answer(code: int, **body: object) -> Response:
    headers = {"cache-control": "no-store"}
    return Response(encoder.encode(body), code, headers, media_type="application/json")
