"""Routes of "Find the mistake"."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from starlette.requests import Request

from houseway.client import find_messages as f
from houseway.server.house import HouseServer
from houseway.server.origins import address_of
from houseway.server.routes import _body, _limit, _person, route
from houseway.server.rulebook_library import RefusedError


@route("POST", "/api/find", takes=f.FindMistake, gives=f.FindRoundReply, status=201, session=True)
async def start_find(house: HouseServer, request: Request) -> Any:
    """Start a session of "Find the mistake" and get its first replay."""
    person, body = await _person(house, request), await _body(request, f.FindMistake)
    _limit(house.expensive_requests, address_of(request), "find")
    session = await house.replaying.do(address_of(request), house.finding.prepare, body)
    return house.finding.keep(person.handle, session)


@route("GET", "/api/find", gives=f.FindRoundReply, session=True)
async def watch_find(house: HouseServer, request: Request) -> Any:
    """Get the replay of your current round, without its answer."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "find")
    return house.finding.session(person.handle).reply()


@route("POST", "/api/find/report", takes=f.ReportMistake, gives=f.FindJudgementReply, session=True)
async def report_find(house: HouseServer, request: Request) -> Any:
    """Report the mistake of your current round, or that there was none, and get the answer."""
    person, body = await _person(house, request), await _body(request, f.ReportMistake)
    _limit(house.commands, person.handle, "find")
    session = house.finding.session(person.handle)
    judged = session.report(body)
    # If the person's progress is full, the report is answered anyway.
    with suppress(RefusedError):
        await house.progress.append(
            person.handle, "find", session.stored(), key=f"find {session.id} {judged.round}"
        )
    return judged


@route("POST", "/api/find/next", gives=f.FindRoundReply, session=True)
async def next_find(house: HouseServer, request: Request) -> Any:
    """Get the replay of your next round. The current round must have a report."""
    person = await _person(house, request)
    _limit(house.expensive_requests, address_of(request), "find")
    session = house.finding.session(person.handle)
    await house.replaying.do(address_of(request), session.deal)
    return session.reply()
