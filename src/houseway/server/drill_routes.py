"""The routes of the drills. Each drill belongs to the person who started it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from houseway.client import drill_messages as d
from houseway.server.house import HouseServer
from houseway.server.routes import _body, _limit, _person, route


@route("GET", "/api/drills", gives=d.DrillMenu, session=True, query={"rulebook": str})
async def drills(house: HouseServer, request: Request) -> Any:
    """List the drills of a rulebook, with your progress in them."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "drill")
    return await house.drills.menu(person.handle, request.query_params.get("rulebook", ""))


@route("POST", "/api/drills", takes=d.StartDrill, gives=d.DrillState, status=201, session=True)
async def start_drill(house: HouseServer, request: Request) -> Any:
    """Start a drill."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "drill")
    return await house.drills.start(person.handle, await _body(request, d.StartDrill))


@route("GET", "/api/drills/{session}", gives=d.DrillState, session=True)
async def drill(house: HouseServer, request: Request) -> Any:
    """Get your drill with its current question."""
    person = await _person(house, request)
    return house.drills.state(person.handle, request.path_params["session"])


@route("POST", "/api/drills/{session}/answers", takes=d.AnswerDrill, gives=d.DrillReply, session=True)
async def answer_drill(house: HouseServer, request: Request) -> Any:
    """Answer a question of a drill. The reply has the grade and the next question."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "drill")
    body = await _body(request, d.AnswerDrill)
    return await house.drills.answer(person.handle, request.path_params["session"], body)
