"""The routes of classes: open one, invite trainees, set an exam, see and export the results."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from houseway.client import class_messages as k
from houseway.client import training_messages as t
from houseway.client.messages import Person, TableCard
from houseway.server.class_results import results_csv
from houseway.server.house import HouseServer
from houseway.server.routes import _body, _limit, _person, route
from houseway.server.rulebook_library import refused
from houseway.server.training_classes import CLASS_ID, no_class

CSV: Final = "text/csv"


async def _sender(house: HouseServer, request: Request) -> Person:
    """Return the sender of a change, with the roles that the database has now, and count the request."""
    person = await _person(house, request, fresh=True)
    _limit(house.commands, person.handle, "class")
    return person


def _id(request: Request) -> str:
    """Return the id in the path. Refuse a text that cannot be an id before it reaches the database."""
    text = str(request.path_params["class_id"])
    if CLASS_ID.fullmatch(text) is None:
        raise no_class()
    return text


@route("GET", "/api/classes", gives=k.ClassCards, session=True)
async def classes(house: HouseServer, request: Request) -> Any:
    """List the classes that you teach, and the classes that you have joined."""
    return await house.classes.cards(await _person(house, request))


@route("POST", "/api/classes", takes=k.OpenClass, gives=k.ClassCard, status=201, session=True)
async def open_class(house: HouseServer, request: Request) -> Any:
    """Open a class, as an examiner."""
    person, body = await _sender(house, request), await _body(request, k.OpenClass)
    return await house.classes.open(person, body.name)


@route("POST", "/api/classes/preview", takes=k.JoinClass, gives=k.ClassPreview, session=True)
async def preview_class(house: HouseServer, request: Request) -> Any:
    """Look at the class of an invitation link, without joining it."""
    person, body = await _sender(house, request), await _body(request, k.JoinClass)
    return await house.classes.preview(person, body.invitation)


@route("POST", "/api/classes/join", takes=k.JoinClass, gives=k.ClassCard, session=True)
async def join_class(house: HouseServer, request: Request) -> Any:
    """Join a class with its invitation link."""
    person, body = await _sender(house, request), await _body(request, k.JoinClass)
    return await house.classes.join(person, body.invitation)


@route("GET", "/api/classes/{class_id}", gives=k.ClassSheet, session=True)
async def class_sheet(house: HouseServer, request: Request) -> Any:
    """Get a class with its results. The instructor sees all results, a trainee only their own."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "class")
    return await house.classes.sheet(person, _id(request))


@route("POST", "/api/classes/{class_id}/invitation", gives=k.ClassInvitation, status=201, session=True)
async def invite_class(house: HouseServer, request: Request) -> Any:
    """Create the invitation link of your class; an earlier link stops working."""
    return await house.classes.invite(await _sender(house, request), _id(request))


@route("DELETE", "/api/classes/{class_id}/invitation", gives=k.ClassCard, session=True)
async def revoke_class_invitation(house: HouseServer, request: Request) -> Any:
    """Revoke the invitation link of your class."""
    return await house.classes.revoke_invitation(await _sender(house, request), _id(request))


@route("POST", "/api/classes/{class_id}/exam", takes=k.SetExam, gives=k.ClassCard, session=True)
async def set_class_exam(house: HouseServer, request: Request) -> Any:
    """Set the exam of your class, or remove it."""
    person, body = await _sender(house, request), await _body(request, k.SetExam)
    return await house.classes.set_exam(person, _id(request), body.exam, body.rulebook, body.mode)


@route("POST", "/api/classes/{class_id}/close", gives=k.ClassCard, session=True)
async def close_class(house: HouseServer, request: Request) -> Any:
    """Close your class: trainees can no longer join it or start an exam. Its results stay."""
    return await house.classes.close(await _sender(house, request), _id(request))


@route("POST", "/api/classes/{class_id}/leave", gives=k.ClassLeft, session=True)
async def leave_class(house: HouseServer, request: Request) -> Any:
    """Leave a class; its instructor no longer sees your results."""
    return k.ClassLeft(left=await house.classes.leave(await _sender(house, request), _id(request)))


@route("POST", "/api/classes/{class_id}/remove", takes=k.ClassPerson, gives=k.ClassLeft, session=True)
async def remove_trainee(house: HouseServer, request: Request) -> Any:
    """Remove a trainee from your class."""
    person, body = await _sender(house, request), await _body(request, k.ClassPerson)
    return k.ClassLeft(left=await house.classes.remove(person, _id(request), body.handle))


@route("GET", "/api/classes/{class_id}/results.csv", session=True, media=CSV)
async def class_results(house: HouseServer, request: Request) -> Any:
    """Download the results of your class as a CSV file."""
    person = await _person(house, request)
    _limit(house.expensive_requests, person.handle, "class")
    text = results_csv(await house.classes.sheet(person, _id(request), teaching=True))
    headers = {"content-disposition": f'attachment; filename="class-{_id(request)}.csv"'}
    return Response(text, headers=headers, media_type=CSV)


@route("GET", "/api/classes/{class_id}/tables", gives=k.ClassTables, session=True)
async def class_tables(house: HouseServer, request: Request) -> Any:
    """List the open tables at which trainees of your class play or deal."""
    person = await _person(house, request, fresh=True)
    return k.ClassTables(tables=await _tables(house, person, _id(request)))


@route("GET", "/api/classes/{class_id}/sessions", gives=k.ClassSessions, session=True)
async def class_sessions(house: HouseServer, request: Request) -> Any:
    """List the running exams and the open sessions in the dealer's chair of your trainees."""
    person = await _person(house, request, fresh=True)
    _limit(house.expensive_requests, person.handle, "class")
    sessions = [
        k.ClassSession(trainee=handle, session=card)
        for handle in await house.classes.trainees(person, _id(request))
        for card in await house.training.watchable(handle, _id(request))
    ]
    return k.ClassSessions(sessions=tuple(sessions))


@route(
    "GET",
    "/api/classes/{class_id}/sessions/{session}",
    gives=t.ChairView,
    session=True,
    query={"trainee": str},
)
async def watch_class_session(house: HouseServer, request: Request) -> Any:
    """Watch a session or an exam of a trainee of your class, while the class is open. You cannot act."""
    person = await _sender(house, request)
    named = request.query_params.get("trainee", "")
    trainee = await house.classes.watched_trainee(person, _id(request), named)
    return await house.training.watch(trainee, request.path_params["session"], _id(request))


@route("POST", "/api/classes/{class_id}/watch", takes=k.ClassTable, gives=Person, session=True)
async def watch_class_table(house: HouseServer, request: Request) -> Any:
    """Check that a trainee of your class plays or deals at a table. You watch it as a spectator."""
    person, body = await _sender(house, request), await _body(request, k.ClassTable)
    await house.classes.check_change(person, _id(request))
    tables = await _tables(house, person, _id(request))
    if body.table not in {card.table for card in tables}:
        sentence = "no trainee of this class plays or deals at this table; choose another one"
        raise refused(403, "not-your-role", "table", sentence)
    return person


async def _tables(house: HouseServer, person: Person, class_id: str) -> tuple[TableCard, ...]:
    """Return the open tables of the trainees of a class, for its instructor."""
    trainees = set(await house.classes.trainees(person, class_id))
    grants = await house.people.grants()
    dealt = {grant.table for grant in grants if grant.handle in trainees and grant.role == "dealer"}
    cards = [card for card in await house.hall.all_cards() if card.open]
    return tuple(
        card for card in cards if card.table in dealt or any(seat.player in trainees for seat in card.seats)
    )
