"""The house over HTTP: each route with what it takes, what it gives and what it is for.

`ROUTES` is the one list: the application serves it and the description of the API is written from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from houseway.client import messages as m
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.live.command_checks import seat_of_person
from houseway.live.runner import TableRunner
from houseway.live.viewing import encoder
from houseway.server import library
from houseway.server.gate import COOKIE, address_of
from houseway.server.library import RefusedError, refused
from houseway.server.serving import Serving
from houseway.server.sheets import table_sheet

NOTICE: Final = "Play chips only. They cannot be bought, sold or cashed."
BODY_SECONDS: Final = 10
"""Seconds a request has to bring its body."""
YEAR: Final = 365 * 24 * 3600
JSON: Final = "application/json"
JSON_LINES: Final = "application/jsonl"
HTML: Final = "text/html"
AS: Final = {"as": str}
"""As whom somebody looks: seat:3, rail, dealer, floor or surveillance."""


class Route(msgspec.Struct, frozen=True):
    """A way to ask the house something."""

    method: str
    path: str
    does: str
    answer: Callable[[Serving, Request], Awaitable[Any]]
    takes: Any = None
    gives: Any = dict[str, Any]
    status: int = 200
    session: bool = False
    """Whether it needs a person who is known."""
    query: Mapping[str, Any] = {}
    """What may be asked beside the path, by name, and its type."""
    media: str = JSON


def _found(found: Any) -> Any:
    """What was found, or the refusal as an answer."""
    if isinstance(found, Refusal):
        status = {"no-table": 404, "not-your-seat": 403, "not-your-role": 403}.get(found.code, 400)
        raise RefusedError(status, found)
    return found


def _person(house: Serving, request: Request) -> m.Person:
    person = house.gate.person(request)
    if person is None:
        raise refused(401, "no-session", "session", "say who you are first: POST /api/session")
    return person


async def _body(request: Request, kind: Any) -> Any:
    try:
        async with asyncio.timeout(BODY_SECONDS):
            text = await request.body()
    except TimeoutError:
        raise refused(408, "too-slow", "body", f"no whole body within {BODY_SECONDS} seconds") from None
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise refused(400, "bad-body", "body", f"this cannot be read: {error}") from error


def _spend(house: Serving, person: m.Person) -> None:
    """Count a command of a person's; refused where there are too many."""
    if not house.commands.take(person.handle):
        raise refused(429, "too-fast", "command", "too many commands a second; this one was not taken")


def _look_back(house: Serving, request: Request) -> TableRunner:
    """The table whose record somebody wants to see; reading one takes the house some work."""
    if not house.questions.take(address_of(request)):
        raise refused(
            429, "too-fast", "record", "too many looks at records a second; try again in a moment"
        )
    return _table(house, request)


def _table(house: Serving, request: Request) -> TableRunner:
    return _found(house.hall.find(request.path_params["table"]))  # type: ignore[no-any-return]


def _number(request: Request, name: str, default: int | None, *, within: str = "query") -> int | None:
    given = (request.query_params if within == "query" else request.path_params).get(name)
    if given is None or given == "":
        return default
    if not (str(given).isascii() and str(given).isdecimal() and len(str(given)) < 12):
        raise refused(400, "bad-number", name, f"{name} is a whole number, not {str(given)[:20]!r}")
    return int(given)


def _role(house: Serving, request: Request, runner: TableRunner) -> tuple[str, m.Person | None]:
    """As whom somebody looks, as far as that is allowed: the rail, where nothing is said."""
    role = request.query_params.get("as", "rail").replace(":", " ")
    person = house.gate.person(request)
    number = seat_of(role)
    if role == "rail":
        return role, person
    if number:
        if person is None:
            raise refused(401, "no-session", "as", "say who you are first: POST /api/session")
        return role, person
    if role not in ("dealer", "floor", "surveillance"):
        raise refused(400, "no-role", "as", f"{role[:20]!r} is nobody at a table; take seat:N or rail")
    if role == "surveillance" and person is not None and seat_of_person(runner.live.state, person):
        raise refused(403, "plays", "as", "who sits at the table does not watch it from above")
    if person is None or not house.people.may(person, runner.live.stream, role):  # type: ignore[arg-type]
        raise refused(403, "not-your-role", "as", f"you are not the {role} at this table")
    return role, person


# --- the house and its people ---


async def house_(house: Serving, request: Request) -> Any:
    return {
        "name": house.name,
        "version": house.version,
        "notice": NOTICE,
        "solver": {"ready": house.solver.ready, "sentence": house.solver.sentence},
        "checks": house.checks(),
        "you": house.gate.person(request),
        "styles": house.styles,
        "chips": house.chips,
    }


async def introduce(house: Serving, request: Request) -> Any:
    if not house.introductions.take(address_of(request)):
        raise refused(429, "too-fast", "session", "too many new people from one address; wait a second")
    asked = await _body(request, m.Introduce)
    person, token = _found(house.people.introduce(asked.handle))
    response = Response(encoder.encode(m.Introduced(person=person, token=token)), 201)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict", secure=secure)
    return response


async def whoami(house: Serving, request: Request) -> Any:
    return _person(house, request)


async def forget(house: Serving, request: Request) -> Any:
    person = _person(house, request)
    house.people.revoke(person.handle)
    house.drop(person.handle)
    response = Response(b"{}")
    response.delete_cookie(COOKIE)
    return response


async def invite(house: Serving, request: Request) -> Any:
    person = _person(house, request)
    asked = await _body(request, m.Invite)
    if asked.table != "*":
        _found(house.hall.find(asked.table))
    _spend(house, person)
    if not house.people.may(person, asked.table, "floor"):
        raise refused(403, "not-your-role", "table", "the floor invites; ask who opened the table")
    _found(house.people.too_many_invited(asked.table))
    return house.people.invite(asked.table, asked.role)


async def accept(house: Serving, request: Request) -> Any:
    person = _person(house, request)
    return _found(house.people.accept(person, (await _body(request, m.Accept)).invitation))


async def ticket(house: Serving, request: Request) -> Any:
    person = _person(house, request)
    asked = await _body(request, m.WantTicket)
    _found(house.hall.find(asked.table))
    return house.people.ticket(person, asked.table)


# --- tables ---


async def tables(house: Serving, request: Request) -> Any:
    return m.TableCards(tables=house.hall.cards())


async def open_table(house: Serving, request: Request) -> Any:
    person = _person(house, request)
    if not house.openings.take(address_of(request)):
        raise refused(429, "too-fast", "table", "too many tables opened from this address; wait a while")
    return house.hall.card(_found(house.hall.open(await _body(request, m.OpenTable), person)))


async def table(house: Serving, request: Request) -> Any:
    runner = _table(house, request)
    return table_sheet(runner, house.hall.card(runner))


async def seat_bot(house: Serving, request: Request) -> Any:
    person, runner = _person(house, request), _table(house, request)
    _spend(house, person)
    sits = seat_of_person(runner.live.state, person)
    if not sits and not house.people.may(person, runner.live.stream, "floor"):
        raise refused(403, "not-your-role", "table", "who plays at a table may bring a bot; sit down first")
    _found(house.hall.seat_bot(runner, await _body(request, m.SeatedBot)))
    return house.hall.card(runner)


async def free_seat(house: Serving, request: Request) -> Any:
    person, runner = _person(house, request), _table(house, request)
    _spend(house, person)
    seat = _number(request, "seat", 0, within="path") or 0
    floor = house.people.may(person, runner.live.stream, "floor")
    sits = seat_of_person(runner.live.state, person)
    if not floor and not (sits and runner.presence.is_bot(seat)):
        sentence = "the floor frees seats; who plays at a table may send a bot away"
        raise refused(403, "not-your-role", "table", sentence)
    _found(house.hall.free_seat(runner, seat))
    return house.hall.card(runner)


async def view(house: Serving, request: Request) -> Any:
    runner = _table(house, request)
    role, person = _role(house, request, runner)
    number = seat_of(role)
    if number and (person is None or seat_of_person(runner.live.state, person) != number):
        raise refused(403, "not-your-seat", "as", f"seat {number} is not yours")
    return m.Entered(seq=runner.seq, role=role, view=runner.view(role))


async def command(house: Serving, request: Request) -> Any:
    person, runner = _person(house, request), _table(house, request)
    _spend(house, person)
    answer = runner.do(person, await _body(request, m.Do))
    return Response(encoder.encode(answer), 409 if isinstance(answer, m.NotTaken) else 200)


async def ready(house: Serving, request: Request) -> Any:
    person, runner = _person(house, request), _table(house, request)
    _spend(house, person)
    _found(runner.say_ready(person, await _body(request, m.Ready)))
    return runner.waits()


# --- the record ---


async def rounds(house: Serving, request: Request) -> Any:
    runner = _look_back(house, request)
    limit = min(_number(request, "limit", 20) or 20, 100)
    before = _number(request, "before", None)
    stream = runner.live.stream
    return await house.replaying.do(address_of(request), house.replays.rounds, stream, before, limit)


async def replay(house: Serving, request: Request) -> Any:
    runner = _look_back(house, request)
    role, person = _role(house, request, runner)
    handle = person.handle if person else ""
    number = _number(request, "round", 0, within="path") or 0
    given = (runner.live.stream, number, role, handle, runner.plan.name)
    return await house.replaying.do(address_of(request), house.replays.replay, *given)


async def proofs(house: Serving, request: Request) -> Any:
    runner = _look_back(house, request)
    role, person = _role(house, request, runner)
    number = _number(request, "round", 0, within="path") or 0
    handle = person.handle if person else ""
    given = (runner.live.stream, number, role, handle)
    return await house.proving.do(address_of(request), house.replays.proofs, *given)


async def export(house: Serving, request: Request) -> Any:
    runner = _look_back(house, request)
    role, person = _role(house, request, runner)
    handle = person.handle if person else ""
    stream = runner.live.stream
    lines = await house.replaying.do(address_of(request), house.replays.export, stream, role, handle)
    name = f"{runner.live.stream}-{role.replace(' ', '-')}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, headers=headers, media_type=JSON_LINES)


# --- coach, lab, rulebooks ---


async def coach(house: Serving, request: Request) -> Any:
    person, runner = _person(house, request), _table(house, request)
    number = _number(request, "seat", 0)
    if not number or seat_of_person(runner.live.state, person) != number:
        raise refused(403, "not-your-seat", "seat", f"seat {number} is not yours")
    now, seq = runner.view(f"seat {number}"), runner.seq
    return await asyncio.to_thread(house.solver.coach, runner.table, now, seq)


async def _solved(house: Serving, request: Request, work: Callable[..., Any], *given: Any) -> Any:
    """Have a game solved, in the line of those who wait for one."""
    address = address_of(request)
    if not house.questions.take(address):
        raise refused(429, "too-fast", "solver", "too many games to solve a second; try again in a moment")
    return await house.solving.do(address, work, *given)


async def lab(house: Serving, request: Request) -> Any:
    asked = await _body(request, m.Changed)
    return await _solved(house, request, house.solver.lab, asked.rulebook, asked.set)


async def lab_outcomes(house: Serving, request: Request) -> Any:
    asked = await _body(request, m.Changed)
    return await _solved(house, request, house.solver.outcomes, asked.rulebook, asked.set)


async def lab_wagers(house: Serving, request: Request) -> Any:
    asked = await _body(request, m.Changed)
    return await _solved(house, request, house.solver.wagers, asked.rulebook, asked.set)


async def sheet(house: Serving, request: Request) -> Any:
    name = request.path_params["rulebook"]
    changes = dict(pair.partition("=")[::2] for pair in request.query_params.getlist("set"))
    text = await _solved(house, request, house.solver.sheet, name, changes)
    headers = {"content-disposition": f'attachment; filename="{library.bundled(name).id}-par-sheet.html"'}
    return Response(text, headers=headers, media_type=HTML)


async def rulebooks(house: Serving, request: Request) -> Any:
    return library.rulebooks()


async def rulebook(house: Serving, request: Request) -> Any:
    return library.rulebook(request.path_params["rulebook"])


async def clause(house: Serving, request: Request) -> Any:
    wanted = request.query_params.get("table", "")
    terms = _found(house.hall.find(wanted)).table.terms if wanted else None
    return library.clause(request.path_params["clause"], terms)


async def differences(house: Serving, request: Request) -> Any:
    return library.differences(request.path_params["a"], request.path_params["b"])


ROUTES: Final = (
    Route("GET", "/api/house", "The house: its version, what it says, who you are.", house_),
    Route("POST", "/api/session", "Say who you are.", introduce, m.Introduce, m.Introduced, 201),
    Route("GET", "/api/session", "Who you are.", whoami, None, m.Person, session=True),
    Route("DELETE", "/api/session", "End your session; its sockets close.", forget, session=True),
    Route(
        "POST",
        "/api/invitations",
        "A link that gives a role.",
        invite,
        m.Invite,
        m.Invitation,
        201,
        session=True,
    ),
    Route(
        "POST",
        "/api/invitations/accept",
        "Take an invitation up.",
        accept,
        m.Accept,
        m.Person,
        session=True,
    ),
    Route(
        "POST", "/api/tickets", "A ticket for a socket.", ticket, m.WantTicket, m.Ticket, 201, session=True
    ),
    Route("GET", "/api/tables", "The tables of the house.", tables, None, m.TableCards),
    Route("POST", "/api/tables", "Open a table.", open_table, m.OpenTable, m.TableCard, 201, session=True),
    Route(
        "GET", "/api/tables/{table}", "A table with its layout and pay tables.", table, None, m.TableSheet
    ),
    Route(
        "POST",
        "/api/tables/{table}/bots",
        "Let a bot sit down.",
        seat_bot,
        m.SeatedBot,
        m.TableCard,
        201,
        session=True,
    ),
    Route(
        "DELETE",
        "/api/tables/{table}/seats/{seat}",
        "Send a bot away, or free the seat of somebody who is gone.",
        free_seat,
        None,
        m.TableCard,
        session=True,
    ),
    Route("GET", "/api/tables/{table}/view", "What a role sees now.", view, None, m.Entered, query=AS),
    Route(
        "POST",
        "/api/tables/{table}/commands",
        "Do something at a table.",
        command,
        m.Do,
        m.Answered | m.NotTaken,
        session=True,
    ),
    Route(
        "POST",
        "/api/tables/{table}/ready",
        "Say that you are ready.",
        ready,
        m.Ready,
        m.Waits,
        session=True,
    ),
    Route(
        "GET",
        "/api/tables/{table}/rounds",
        "The rounds on record, newest first.",
        rounds,
        query={"before": int, "limit": int},
    ),
    Route(
        "GET",
        "/api/tables/{table}/rounds/{round}",
        "A round, event by event.",
        replay,
        None,
        m.Replay,
        query=AS,
    ),
    Route(
        "GET",
        "/api/tables/{table}/rounds/{round}/proofs",
        "Proofs of the cards you saw.",
        proofs,
        query=AS,
    ),
    Route("GET", "/api/tables/{table}/export", "The record as a file.", export, query=AS, media=JSON_LINES),
    Route(
        "GET",
        "/api/tables/{table}/coach",
        "What each choice of your hand is worth.",
        coach,
        session=True,
        query={"seat": int},
    ),
    Route("POST", "/api/lab", "A changed rulebook, solved.", lab, m.Changed),
    Route("POST", "/api/lab/outcomes", "Its variance and outcomes.", lab_outcomes, m.Changed),
    Route("POST", "/api/lab/wagers", "Its side bets.", lab_wagers, m.Changed),
    Route("GET", "/api/sheet/{rulebook}", "The par sheet.", sheet, query={"set": list[str]}, media=HTML),
    Route("GET", "/api/rulebooks", "The rulebooks.", rulebooks),
    Route("GET", "/api/rulebooks/{rulebook}", "A rulebook with its clauses.", rulebook),
    Route("GET", "/api/clauses/{clause}", "What a clause says.", clause, query={"table": str}),
    Route("GET", "/api/differences/{a}/{b}", "Two rulebooks side by side.", differences),
)
