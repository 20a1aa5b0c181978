"""The routes of practice. Each session belongs to the person who started it; single positions are open to
guests."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from houseway.client import practice_messages as p
from houseway.server.house import HouseServer
from houseway.server.origins import address_of
from houseway.server.routes import _body, _limit, _person, route


@route("GET", "/api/practice", gives=p.PracticeMenu, session=True, query={"rulebook": str})
async def practice_menu(house: HouseServer, request: Request) -> Any:
    """Get what a rulebook offers for practice, with your rating."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "practice")
    return await house.practices.menu(person.handle, request.query_params.get("rulebook", ""))


@route("POST", "/api/practice", takes=p.StartPractice, gives=p.PracticeState, status=201, session=True)
async def start_practice(house: HouseServer, request: Request) -> Any:
    """Start a practice session."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "practice")
    return await house.practices.start(person.handle, await _body(request, p.StartPractice))


@route("GET", "/api/practice/{session}", gives=p.PracticeState, session=True)
async def practice(house: HouseServer, request: Request) -> Any:
    """Get your practice session with its current position."""
    person = await _person(house, request)
    return house.practices.state(person.handle, request.path_params["session"])


@route("POST", "/api/practice/{session}/answers", takes=p.AnswerSpot, gives=p.PracticeReply, session=True)
async def answer_spot(house: HouseServer, request: Request) -> Any:
    """Answer a position. The reply has its analysis and the next position."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "practice")
    body = await _body(request, p.AnswerSpot)
    return await house.practices.answer(person.handle, request.path_params["session"], body)


@route("POST", "/api/practice/{session}/repeats", takes=p.RepeatSpot, gives=p.PracticeState, session=True)
async def repeat_spot(house: HouseServer, request: Request) -> Any:
    """Ask to see an answered position again."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "practice")
    body = await _body(request, p.RepeatSpot)
    return await house.practices.repeat(person.handle, request.path_params["session"], body)


@route("POST", "/api/practice/{session}/end", gives=p.PracticeState, session=True)
async def end_practice(house: HouseServer, request: Request) -> Any:
    """End a practice session early and get its score sheet."""
    person = await _person(house, request)
    _limit(house.commands, person.handle, "practice")
    return await house.practices.end(person.handle, request.path_params["session"])


@route("GET", "/api/daily-position", gives=p.SharedPosition, query={"rulebook": str})
async def daily(house: HouseServer, request: Request) -> Any:
    """Get the position of the day, which is the same for everyone on the server."""
    address = address_of(request)
    _limit(house.expensive_requests, address, "position")
    rulebook = request.query_params.get("rulebook", "")
    return await house.practices.daily(address, rulebook)


@route("GET", "/api/positions/{link}", gives=p.SharedPosition)
async def shared_position(house: HouseServer, request: Request) -> Any:
    """Get the position of a link, without its answer."""
    address = address_of(request)
    _limit(house.expensive_requests, address, "position")
    return await house.practices.shared(address, request.path_params["link"])


@route("GET", "/api/positions/{link}/analysis", gives=p.SpotAnalysis, query={"choice": str})
async def position_analysis(house: HouseServer, request: Request) -> Any:
    """Get the analysis of the position of a link, for a choice or, without one, for the best."""
    address = address_of(request)
    _limit(house.expensive_requests, address, "position")
    choice = request.query_params.get("choice", "")
    return await house.practices.shared_analysis(address, request.path_params["link"], choice)
