"""The routes of a person's own progress: export it, summarize it, erase it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from houseway.client import progress_messages as p
from houseway.live.viewer_messages import encoder
from houseway.server.house import HouseServer
from houseway.server.routes import JSON, _body, _limit, _person, route


@route("GET", "/api/me/progress", gives=p.ProgressExport, session=True)
async def export_progress(house: HouseServer, request: Request) -> Any:
    """Download all of your progress as one JSON document."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "progress")
    answer = encoder.encode(await house.progress.export(person.handle))
    headers = {"content-disposition": 'attachment; filename="houseway-progress.json"'}
    return Response(answer, headers=headers, media_type=JSON)


@route("GET", "/api/me/progress/summary", gives=p.ProgressSummary, session=True)
async def progress_summary(house: HouseServer, request: Request) -> Any:
    """Get how much progress the server stores about you."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "progress")
    return await house.progress.summary(person.handle)


@route("DELETE", "/api/me/progress", takes=p.EraseProgress, gives=p.ProgressGone, session=True)
async def erase_progress(house: HouseServer, request: Request) -> Any:
    """Erase all of your progress. This cannot be undone."""
    person = await _person(house, request, fresh=True)
    await _body(request, p.EraseProgress)
    _limit(house.expensive_requests, person.handle, "progress")
    # Drills and practice first, so that none of them stores an answer after the erasure.
    await house.drills.forget(person.handle)
    await house.practices.forget(person.handle)
    house.finding.forget(person.handle)
    await house.played.forget(person.handle)
    gone = await house.progress.erase(person.handle)
    # Sessions that were starting during the erasure may have read what is now erased.
    await house.drills.forget(person.handle)
    await house.practices.forget(person.handle)
    house.training.forget(person.handle)
    house.reviews.forget(person.handle)
    return gone
