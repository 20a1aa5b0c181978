"""The routes for newcomers, which are open to guests: lessons, the words of the game, rules cards."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request

from houseway.client import learn_messages as lm
from houseway.server.house import HouseServer
from houseway.server.lesson_views import lesson_message, words_message
from houseway.server.origins import address_of
from houseway.server.players_card import players_card
from houseway.server.routes import _body, _limit, _table, route
from houseway.server.rulebook_library import bundled, plain_terms


@route("POST", "/api/lessons/{lesson}", takes=lm.TakeLesson, gives=lm.LessonReply)
async def take_lesson(house: HouseServer, request: Request) -> Any:
    """Play a round of a lesson with your choices: its pages, the next choices and the settlement."""
    _limit(house.expensive_requests, address_of(request), "lesson")
    body = await _body(request, lm.TakeLesson)
    return lesson_message(request.path_params["lesson"], body.round, body.choices)


@route("GET", "/api/rulebooks/{rulebook}/words", gives=lm.TableWords)
async def rulebook_words(house: HouseServer, request: Request) -> Any:
    """Get the hand classes of a rulebook with examples, and the words that its players use."""
    return words_message(request.path_params["rulebook"])


@route("GET", "/api/rulebooks/{rulebook}/card", gives=lm.PlayersCard)
async def rulebook_card(house: HouseServer, request: Request) -> Any:
    """Get the rules card of a rulebook: betting points, pay tables and limits, each with its clauses."""
    _limit(house.expensive_requests, address_of(request), "rules card")
    return players_card(plain_terms(bundled(request.path_params["rulebook"])))


@route("GET", "/api/tables/{table}/card", gives=lm.PlayersCard)
async def table_card(house: HouseServer, request: Request) -> Any:
    """Get the rules card of a table, with its pay tables and limits."""
    _limit(house.expensive_requests, address_of(request), "rules card")
    runner = await _table(house, request)
    return players_card(runner.table.terms, runner.plan.name)
