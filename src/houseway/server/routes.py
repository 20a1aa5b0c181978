"""The HTTP API: each route with its request and response types.

The application serves `ROUTES`, and the OpenAPI description is generated from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from houseway.audit.dispute import Dispute
from houseway.audit.roles import RAIL, SURVEILLANCE
from houseway.audit.store import StoreError
from houseway.bots import STYLES
from houseway.client import messages as m
from houseway.engine.evolve import seat_of
from houseway.engine.refusals import Refusal
from houseway.live.command_checks import seats_of_person
from houseway.live.runner import TableRunner
from houseway.live.table_plan import CHIPS
from houseway.live.viewer_messages import encoder
from houseway.server import rulebook_library
from houseway.server.house import HouseServer
from houseway.server.limits import Buckets
from houseway.server.origins import COOKIE, address_of
from houseway.server.people import EVERYWHERE
from houseway.server.permissions import role_refusal
from houseway.server.rulebook_library import RefusedError, refused
from houseway.server.table_sheets import table_sheet

NOTICE: Final = "Play chips only. They cannot be bought, sold or cashed in."
YEAR: Final = 365 * 24 * 3600
JSON: Final = "application/json"
JSON_LINES: Final = "application/jsonl"
HTML: Final = "text/html"
AS: Final = {"as": str}
"""The viewer's role: seat:3, rail, dealer, floor or surveillance."""

Handler = Callable[[HouseServer, Request], Awaitable[Any]]


class Route(msgspec.Struct, frozen=True):
    """A route of the API."""

    method: str
    path: str
    answer: Handler
    """The handler. Its docstring is the summary in the OpenAPI description."""
    takes: Any = None
    gives: Any = dict[str, Any]
    status: int = 200
    session: bool = False
    """True if the request needs a session."""
    query: Mapping[str, Any] = {}
    """Query parameters by name, with their types."""
    media: str = JSON
    table_in: str = ""
    """The part of the request that names its table: query or body. A table in the path is found anyway."""
    most_bytes: int = 0
    """The largest size of the body in bytes; 0 for the usual limit."""

    @property
    def names_table(self) -> str:
        """The part of the request that names its table: path, query or body; empty if none does."""
        return "path" if "{table}" in self.path else self.table_in


ROUTES: Final[list[Route]] = []


def route(method: str, path: str, **declared: Any) -> Callable[[Handler], Handler]:
    """Return a decorator that adds a handler to the routes. `declared` are the other fields of `Route`."""

    def add(answer: Handler) -> Handler:
        ROUTES.append(Route(method, path, answer, **declared))
        return answer

    return add


def _accepted(result: Any) -> Any:
    """Return a result; if it is a refusal, raise it as an error."""
    if isinstance(result, Refusal):
        status = {"moving": 503, "no-table": 404, "not-your-seat": 403, "not-your-role": 403, "plays": 403}
        raise RefusedError(status.get(result.code, 400), result)
    return result


def _no_session(where: str = "session") -> RefusedError:
    return refused(401, "no-session", where, "sign in first: POST /api/session")


async def _person(
    house: HouseServer, request: Request, where: str = "session", *, fresh: bool = False
) -> m.Person:
    person = await house.gate.person(request, fresh=fresh)
    if person is None:
        raise _no_session(where)
    return person


async def _body(request: Request, kind: Any) -> Any:
    text = await request.body()
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise refused(400, "bad-body", "body", f"the body cannot be read: {error}") from error


def _limit(buckets: Buckets, key: str, where: str) -> None:
    """Count a request; refuse it if there are too many of its kind."""
    if not buckets.take(key):
        raise refused(429, "too-fast", where, "too many requests of this kind; try again in a moment")


async def _table(house: HouseServer, request: Request) -> TableRunner:
    return _accepted(await house.hall.find(request.path_params["table"]))  # type: ignore[no-any-return]


async def _command_target(house: HouseServer, request: Request) -> tuple[m.Person, TableRunner]:
    """Return the sender of a command and its table, and count the command."""
    person, runner = await _person(house, request), await _table(house, request)
    _limit(house.commands, person.handle, "command")
    return person, runner


async def _recorded(house: HouseServer, request: Request) -> TableRunner:
    """Return the table whose record is requested, and count the request as expensive."""
    _limit(house.expensive_requests, address_of(request), "record")
    return await _table(house, request)


def _number(request: Request, name: str) -> int | None:
    """Return a whole number from the path or the query, or None if it is missing."""
    text = str(request.path_params.get(name) or request.query_params.get(name, ""))
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 12):
        raise refused(400, "bad-number", name, f"{name} must be a whole number, not {text[:20]!r}")
    return int(text)


async def _viewer(house: HouseServer, request: Request, runner: TableRunner) -> tuple[str, str]:
    """Return the viewer's role and handle. The caller must check that a seat belongs to the handle."""
    role = request.query_params.get("as", RAIL).replace(":", " ")
    if seat_of(role):
        return role, (await _person(house, request, "as")).handle
    person = await house.gate.person(request)
    _accepted(role_refusal(house.people, runner, person, role, "as"))
    return role, person.handle if person else ""


# --- the house and its people ---


@route("GET", "/api/house")
async def house_(house: HouseServer, request: Request) -> Any:
    """Get the server's version, status and notice, and your identity."""
    # If the database does not answer, the page shows that and asks again.
    you = None
    with suppress(StoreError):
        you = await house.gate.person(request)
    return {
        "name": "houseway",
        "version": house.version,
        "notice": NOTICE,
        "solver": {"ready": house.solver.ready, "sentence": house.solver.sentence},
        "checks": house.checks(details=house.is_owner(you)),
        "record": {"available": not house.health.problem, "sentence": house.health.problem},
        "you": you,
        "styles": STYLES,
        "chips": CHIPS,
    }


@route("GET", "/api/events", gives=m.HouseEvents, session=True, query={"table": str}, table_in="query")
async def events(house: HouseServer, request: Request) -> Any:
    """List the last events. A floor supervisor sees those of their own table, the owner sees all."""
    person, name = await _person(house, request), request.query_params.get("table", "")
    if house.is_owner(person):
        return m.HouseEvents(events=house.log.recent(name or None))
    if not name or not house.people.may(person, name, "floor"):
        sentence = "only the floor supervisor may see the events; name a table that you supervise"
        raise refused(403, "not-your-role", "table", sentence)
    return m.HouseEvents(events=house.log.recent(name))


@route("POST", "/api/session", takes=m.Introduce, gives=m.Introduced, status=201)
async def introduce(house: HouseServer, request: Request) -> Any:
    """Sign in with a handle."""
    _limit(house.introductions, address_of(request), "session")
    body = await _body(request, m.Introduce)
    return _signed_in(request, *_accepted(await house.people.introduce(body.handle)))


def _signed_in(request: Request, person: m.Person, token: str) -> Response:
    """Return a person's new token, for programs in the body and for browsers as a cookie."""
    response = Response(encoder.encode(m.Introduced(person=person, token=token)), 201)
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, max_age=YEAR, httponly=True, samesite="strict", secure=secure)
    return response


@route("GET", "/api/session", gives=m.Person, session=True)
async def whoami(house: HouseServer, request: Request) -> Any:
    """Get your identity."""
    return await _person(house, request)


@route("DELETE", "/api/session", session=True)
async def forget(house: HouseServer, request: Request) -> Any:
    """End your session and close its sockets."""
    person = await _person(house, request)
    await house.people.revoke(person.handle)
    response = Response(b"{}")
    response.delete_cookie(COOKIE)
    return response


@route("POST", "/api/session/rotate", gives=m.Introduced, status=201, session=True)
async def rotate(house: HouseServer, request: Request) -> Any:
    """Replace your token; the old one stops working, and its sockets are closed."""
    person = await _person(house, request)
    _limit(house.introductions, address_of(request), "session")
    token = await house.people.rotate(person.handle, house.gate.token(request))
    if token is None:
        raise _no_session()
    return _signed_in(request, person, token)


@route("POST", "/api/session/recovery", gives=m.Recovery, status=201, session=True)
async def recovery(house: HouseServer, request: Request) -> Any:
    """Create a single-use link that signs you in on another device."""
    person = await _person(house, request)
    _limit(house.introductions, address_of(request), "session")
    link = await house.people.recovery(person.handle, house.gate.token(request))
    if link is None:
        raise _no_session()
    return link


@route("POST", "/api/session/recover", takes=m.Recover, gives=m.Introduced, status=201)
async def recover(house: HouseServer, request: Request) -> Any:
    """Sign in with a recovery link; the token of the old device stops working."""
    _limit(house.introductions, address_of(request), "session")
    body = await _body(request, m.Recover)
    return _signed_in(request, *_accepted(await house.people.recover(body.recovery)))


@route("GET", "/api/roles", gives=m.Grants, session=True, query={"table": str})
async def roles(house: HouseServer, request: Request) -> Any:
    """List the roles. A floor supervisor sees those at their own table, the owner sees all."""
    person, name = await _person(house, request), request.query_params.get("table", "")
    if not house.people.may(person, name or EVERYWHERE, "floor"):
        sentence = "only the floor supervisor may see the roles; name a table that you supervise"
        raise refused(403, "not-your-role", "table", sentence)
    return m.Grants(grants=await house.people.grants(name or None))


@route("POST", "/api/roles/revoke", takes=m.RevokeRole, gives=m.Grants, session=True)
async def revoke_role(house: HouseServer, request: Request) -> Any:
    """Revoke a person's role. A floor supervisor may do this at their own table, the owner at any table."""
    person = await _person(house, request, fresh=True)
    body = await _body(request, m.RevokeRole)
    _limit(house.commands, person.handle, "command")
    if not house.people.may(person, body.table, "floor"):
        sentence = "only the floor supervisor may revoke a role; ask the table's host"
        raise refused(403, "not-your-role", "table", sentence)
    _accepted(await house.people.take(body.handle, body.table, body.role, person.handle))
    return m.Grants(grants=await house.people.grants(body.table))


@route(
    "POST",
    "/api/invitations",
    takes=m.Invite,
    gives=m.Invitation,
    status=201,
    session=True,
    table_in="body",
)
async def invite(house: HouseServer, request: Request) -> Any:
    """Create an invitation to a role."""
    # Read the roles from the database: the person's own role may just have been revoked on another server.
    person = await _person(house, request, fresh=True)
    body = await _body(request, m.Invite)
    if body.table != "*":
        _accepted(await house.hall.find(body.table))
    if body.role == "examiner" and body.table != EVERYWHERE:
        sentence = "an examiner works at the whole house; invite with the table *"
        raise refused(400, "bad-role", "role", sentence)
    _limit(house.commands, person.handle, "command")
    if not house.people.may(person, body.table, "floor"):
        raise refused(
            403, "not-your-role", "table", "only the floor supervisor may invite; ask the table's host"
        )
    return _accepted(await house.people.invite(body.table, body.role, person.handle))


@route("POST", "/api/invitations/accept", takes=m.Accept, gives=m.Person, session=True)
async def accept(house: HouseServer, request: Request) -> Any:
    """Accept an invitation."""
    person = await _person(house, request)
    body = await _body(request, m.Accept)
    return _accepted(await house.people.accept(person, body.invitation))


@route(
    "POST", "/api/tickets", takes=m.TicketRequest, gives=m.Ticket, status=201, session=True, table_in="body"
)
async def ticket(house: HouseServer, request: Request) -> Any:
    """Get a ticket for a socket."""
    person = await _person(house, request)
    body = await _body(request, m.TicketRequest)
    _accepted(await house.hall.find(body.table))
    return await house.people.ticket(person, body.table)


# --- tables ---


@route("GET", "/api/tables", gives=m.TableCards)
async def tables(house: HouseServer, request: Request) -> Any:
    """List the tables."""
    return m.TableCards(tables=await house.hall.all_cards())


@route("POST", "/api/tables", takes=m.OpenTable, gives=m.TableCard, status=201, session=True)
async def open_table(house: HouseServer, request: Request) -> Any:
    """Open a table."""
    person = await _person(house, request)
    _limit(house.openings, address_of(request), "table")
    return house.hall.card(_accepted(await house.hall.open(await _body(request, m.OpenTable), person)))


@route("GET", "/api/tables/{table}", gives=m.TableSheet)
async def table(house: HouseServer, request: Request) -> Any:
    """Get a table with its layout and pay tables."""
    runner = await _table(house, request)
    return table_sheet(runner, house.hall.card(runner))


@route("POST", "/api/tables/{table}/bots", takes=m.SeatedBot, gives=m.TableCard, status=201, session=True)
async def seat_bot(house: HouseServer, request: Request) -> Any:
    """Seat a bot."""
    person, runner = await _command_target(house, request)
    sits = seats_of_person(runner.state, person)
    if not sits and not house.people.may(person, runner.stream, "floor"):
        raise refused(403, "not-your-role", "table", "only players may add a bot; sit down first")
    _accepted(await house.hall.seat_bot(runner, await _body(request, m.SeatedBot)))
    return house.hall.card(runner)


@route("DELETE", "/api/tables/{table}/seats/{seat}", gives=m.TableCard, session=True)
async def free_seat(house: HouseServer, request: Request) -> Any:
    """Remove a bot, or free the seat of a player who has left."""
    person, runner = await _command_target(house, request)
    seat = _number(request, "seat") or 0
    floor = house.people.may(person, runner.stream, "floor")
    sits = seats_of_person(runner.state, person)
    if not floor and not (sits and runner.presence.is_bot(seat)):
        sentence = "only the floor supervisor may free a player's seat; players may remove bots"
        raise refused(403, "not-your-role", "table", sentence)
    _accepted(await house.hall.free_seat(runner, seat))
    return house.hall.card(runner)


@route("GET", "/api/tables/{table}/view", gives=m.Entered, query=AS)
async def view(house: HouseServer, request: Request) -> Any:
    """Get the current view of a role."""
    runner = await _table(house, request)
    role, _ = await _viewer(house, request, runner)
    _accepted(role_refusal(house.people, runner, await house.gate.person(request), role, "as"))
    return m.Entered(seq=runner.seq, role=role, view=runner.view(role))


@route("POST", "/api/tables/{table}/commands", takes=m.Do, gives=m.Answered | m.Rejected, session=True)
async def command(house: HouseServer, request: Request) -> Any:
    """Send a command to a table."""
    person, runner = await _command_target(house, request)
    body = await _body(request, m.Do)
    with house.metrics.command(body) as timer:
        answer = timer.answered(await runner.do(person, body))
    return Response(encoder.encode(answer), 409 if isinstance(answer, m.Rejected) else 200)


@route("POST", "/api/tables/{table}/ready", takes=m.Ready, gives=m.Waits, session=True)
async def ready(house: HouseServer, request: Request) -> Any:
    """Say that you are ready."""
    person, runner = await _command_target(house, request)
    _accepted(await runner.say_ready(person, await _body(request, m.Ready)))
    return runner.waits()


# --- the record ---


@route("GET", "/api/tables/{table}/head", gives=m.HeadAnswer, query={"events": int})
async def head(house: HouseServer, request: Request) -> Any:
    """Get the newest signed head of the record, and the record's hash after a number of events, to compare
    with a head that you kept."""
    stream, events = (await _recorded(house, request)).stream, _number(request, "events") or 0
    return await house.replaying.do(address_of(request), house.replays.head, stream, events)


@route("GET", "/api/tables/{table}/rounds", query={"before": int, "limit": int})
async def rounds(house: HouseServer, request: Request) -> Any:
    """List the rounds on record, newest first."""
    stream = (await _recorded(house, request)).stream
    before, limit = _number(request, "before"), _number(request, "limit") or 20
    return await house.replaying.do(address_of(request), house.replays.rounds, stream, before, limit)


@route("GET", "/api/tables/{table}/rounds/{round}", gives=m.Replay, query=AS)
async def replay(house: HouseServer, request: Request) -> Any:
    """Replay a round, event by event."""
    runner = await _recorded(house, request)
    viewer, number = await _viewer(house, request, runner), _number(request, "round") or 0
    args = (runner.stream, number, *viewer, runner.plan.name)
    return await house.replaying.do(address_of(request), house.replays.replay, *args)


@route("GET", "/api/tables/{table}/rounds/{round}/proofs", query=AS)
async def proofs(house: HouseServer, request: Request) -> Any:
    """Get proofs of the cards you saw."""
    runner = await _recorded(house, request)
    viewer, number = await _viewer(house, request, runner), _number(request, "round") or 0
    args = (runner.stream, number, *viewer)
    return await house.proving.do(address_of(request), house.replays.proofs, *args)


@route("GET", "/api/tables/{table}/rounds/{round}/dispute", gives=Dispute, session=True, query=AS)
async def dispute(house: HouseServer, request: Request) -> Any:
    """Get a closed round for a dispute, with every card, for the floor supervisor or surveillance."""
    runner = await _recorded(house, request)
    person, role = await _person(house, request, "as"), request.query_params.get("as", "floor")
    if role not in ("floor", SURVEILLANCE):
        sentence = "only the floor supervisor and surveillance can open a dispute"
        raise refused(403, "not-your-role", "as", sentence)
    if seats_of_person(runner.state, person):
        sentence = "you play at this table, so you may not see every card; ask another floor supervisor"
        raise refused(403, "plays", "as", sentence)
    _accepted(role_refusal(house.people, runner, person, role, "as"))
    args = (runner.stream, _number(request, "round") or 0)
    return await house.proving.do(address_of(request), house.replays.dispute, *args)


@route("GET", "/api/tables/{table}/export", query=AS, media=JSON_LINES)
async def export(house: HouseServer, request: Request) -> Any:
    """Download the record."""
    runner = await _recorded(house, request)
    role, handle = await _viewer(house, request, runner)
    stream = runner.stream
    lines = await house.replaying.do(address_of(request), house.replays.export, stream, role, handle)
    name = f"{stream}-{role.replace(' ', '-')}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, headers=headers, media_type=JSON_LINES)


# --- coach, lab, rulebooks ---


@route("GET", "/api/tables/{table}/coach", session=True, query={"seat": int})
async def coach(house: HouseServer, request: Request) -> Any:
    """Get the value of each of your choices."""
    person, runner = await _person(house, request), await _table(house, request)
    number = _number(request, "seat") or 0
    if number not in seats_of_person(runner.state, person):
        raise refused(403, "not-your-seat", "seat", f"seat {number} is not yours")
    now, seq = runner.view(f"seat {number}"), runner.seq
    return await asyncio.to_thread(house.solver.coach, runner.table, now, seq)


async def _solve(house: HouseServer, request: Request, work: Callable[..., Any], *args: Any) -> Any:
    """Solve a game in the solver's queue."""
    _limit(house.expensive_requests, address_of(request), "solver")
    return await house.solving.do(address_of(request), work, *args)


@route("POST", "/api/lab", takes=m.LabRequest)
async def lab(house: HouseServer, request: Request) -> Any:
    """Solve a rulebook with changes."""
    body = await _body(request, m.LabRequest)
    return await _solve(house, request, house.solver.lab, body.rulebook, body.set)


@route("POST", "/api/lab/outcomes", takes=m.LabRequest)
async def lab_outcomes(house: HouseServer, request: Request) -> Any:
    """Get the variance and outcomes of a rulebook with changes."""
    body = await _body(request, m.LabRequest)
    return await _solve(house, request, house.solver.outcomes, body.rulebook, body.set)


@route("POST", "/api/lab/wagers", takes=m.LabRequest)
async def lab_wagers(house: HouseServer, request: Request) -> Any:
    """Get the side bets of a rulebook with changes."""
    body = await _body(request, m.LabRequest)
    return await _solve(house, request, house.solver.wagers, body.rulebook, body.set)


@route("POST", "/api/lab/strategy", takes=m.LabRequest)
async def lab_strategy(house: HouseServer, request: Request) -> Any:
    """Get the best play after the flop and after the river of a rulebook with changes."""
    body = await _body(request, m.LabRequest)
    return await _solve(house, request, house.solver.strategy, body.rulebook, body.set)


@route("GET", "/api/sheet/{rulebook}", query={"set": list[str]}, media=HTML)
async def sheet(house: HouseServer, request: Request) -> Any:
    """Download the par sheet."""
    name = request.path_params["rulebook"]
    changes = dict(pair.partition("=")[::2] for pair in request.query_params.getlist("set"))
    text = await _solve(house, request, house.solver.sheet, name, changes)
    headers = {
        "content-disposition": f'attachment; filename="{rulebook_library.bundled(name).id}-par-sheet.html"'
    }
    return Response(text, headers=headers, media_type=HTML)


@route("GET", "/api/rulebooks")
async def rulebooks(house: HouseServer, request: Request) -> Any:
    """List the rulebooks."""
    return rulebook_library.rulebooks()


@route("GET", "/api/rulebooks/{rulebook}")
async def rulebook(house: HouseServer, request: Request) -> Any:
    """Get a rulebook with its clauses."""
    return rulebook_library.rulebook(request.path_params["rulebook"])


@route("GET", "/api/clauses/{clause}", query={"table": str}, table_in="query")
async def clause(house: HouseServer, request: Request) -> Any:
    """Get a clause."""
    name = request.query_params.get("table", "")
    terms = _accepted(await house.hall.find(name)).table.terms if name else None
    return rulebook_library.clause(request.path_params["clause"], terms)


@route("GET", "/api/differences/{a}/{b}")
async def differences(house: HouseServer, request: Request) -> Any:
    """Compare two rulebooks."""
    return rulebook_library.differences(request.path_params["a"], request.path_params["b"])
