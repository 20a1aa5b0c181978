"""The routes of round reviews and of "Your play". Each person gets only their own rounds."""

from __future__ import annotations

from typing import Any, Final, get_args

from starlette.requests import Request
from starlette.responses import StreamingResponse

from houseway.client import review_messages as r
from houseway.school.typed_csv import MOST_BYTES
from houseway.server.house import HouseServer
from houseway.server.routes import JSON_LINES, _body, _limit, _number, _person, route
from houseway.server.rulebook_library import refused

MOST_UPLOADED: Final = 2 * MOST_BYTES
"""The largest import request in bytes: in JSON, the text of a file is longer than the file."""


@route(
    "GET",
    "/api/me/play",
    gives=r.YourPlay,
    session=True,
    query={"game": str, "period": r.Period},
)
async def your_play(house: HouseServer, request: Request) -> Any:
    """Get your totals in one game: losses, luck, leaks, and a series for a chart."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "play")
    chosen = request.query_params.get("period", "all")
    period = next((one for one in get_args(r.Period) if one == chosen), None)
    if period is None:
        known = ", ".join(get_args(r.Period))
        raise refused(400, "bad-period", "period", f"the period must be one of {known}")
    return await house.reviews.your_play(person.handle, request.query_params.get("game", ""), period)


@route("GET", "/api/me/rounds", session=True, media=JSON_LINES)
async def export_rounds(house: HouseServer, request: Request) -> Any:
    """Download your rounds as a file that can be imported again."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "play")
    headers = {"content-disposition": 'attachment; filename="houseway-rounds.jsonl"'}
    lines = await house.reviews.export(person.handle)
    return StreamingResponse(lines, headers=headers, media_type=JSON_LINES)


@route(
    "POST",
    "/api/me/rounds",
    takes=r.ImportRounds,
    gives=r.ImportResult,
    session=True,
    most_bytes=MOST_UPLOADED,
)
async def import_rounds(house: HouseServer, request: Request) -> Any:
    """Import rounds from an exported record, a hand history, a CSV file or your own export: all or none."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "import")
    if house.reviews.uploads.locked():
        raise refused(429, "too-fast", "import", "other files are being imported; try again in a moment")
    async with house.reviews.uploads:
        body = await _body(request, r.ImportRounds)
        return await house.reviews.import_rounds(person.handle, body)


@route(
    "GET",
    "/api/me/rounds/{round}",
    gives=r.PlayedReview,
    session=True,
    query={"table": str, "seat": int},
)
async def review(house: HouseServer, request: Request) -> Any:
    """Get the review of one of your rounds, by its ID or `last`; with `table`, by its number."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "review")
    table, wanted = request.query_params.get("table", ""), request.path_params["round"]
    if not table:
        return await house.reviews.review(person.handle, wanted)
    seat = _number(request, "seat") or 0
    return await house.reviews.review_of_table(person.handle, table, _number(request, "round") or 0, seat)
