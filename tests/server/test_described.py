"""The API description covers every route, message and rejection, and the replies match it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from houseway.certificates.keys import create_key
from houseway.client import messages as m
from houseway.client.drill_messages import StartDrill
from houseway.client.practice_messages import StartPractice
from houseway.client.training_messages import ActRequest, TrainingRequest
from houseway.client.view_follower import ViewFollower
from houseway.engine.refusals import Refused
from houseway.live.offload import run_now
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import load
from houseway.server.api_description import asyncapi, components_of, openapi
from houseway.server.certificate_desk import CertificateDesk
from houseway.server.exam_library import ExamLibrary
from houseway.server.routes import ROUTES
from houseway.training.act_codec import encode_act
from houseway.training.model_dealer import right_act
from server.calling import Reply, http, socket
from server.fuzz_target import FuzzTarget, Place, offered
from server.schemas import resolve, violations
from training.test_exams import small

Data = dict[str, Any]
METHODS = {"get", "post", "put", "patch", "delete"}


def refs(part: Any) -> Iterator[str]:
    """Yield every reference in a document."""
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from refs(value)
    elif isinstance(part, list):
        for value in part:
            yield from refs(value)


@pytest.mark.parametrize("document", [openapi(), asyncapi()], ids=["openapi", "asyncapi"])
def test_every_reference_resolves(document: Data) -> None:
    references = set(refs(document))
    assert references
    for ref in references:
        assert isinstance(resolve(document, ref), dict), ref


def test_openapi_describes_every_route_once() -> None:
    document = openapi()
    assert document["openapi"].startswith("3.1")
    assert {"title", "version"} <= set(document["info"])
    described = {
        (method.upper(), path)
        for path, operations in document["paths"].items()
        for method in operations
        if method in METHODS
    }
    assert described == {(route.method, route.path) for route in ROUTES}
    ids = [operation["operationId"] for path in document["paths"].values() for operation in path.values()]
    assert len(ids) == len(set(ids)) == len(ROUTES)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: f"{route.method} {route.path}")
def test_a_route_is_described_completely(route: Any) -> None:
    document = openapi()
    operation = document["paths"][route.path][route.method.lower()]
    within = {one["name"] for one in operation["parameters"] if one["in"] == "path"}
    assert within == set(re.findall(r"\{(\w+)\}", route.path))
    assert all(one["required"] for one in operation["parameters"] if one["in"] == "path")
    assert {one["name"] for one in operation["parameters"] if one["in"] == "query"} == set(route.query)
    assert operation["summary"]
    assert str(route.status) in operation["responses"]
    refusal = operation["responses"]["default"]["content"]["application/json"]["schema"]
    assert refusal == {"$ref": "#/components/schemas/Refused"}
    assert ("requestBody" in operation) == (route.takes is not None)
    assert ("security" in operation) == route.session
    for one in operation.get("security", ()):
        assert set(one) <= set(document["components"]["securitySchemes"])


def test_asyncapi_describes_every_message_in_its_direction() -> None:
    document = asyncapi()
    assert document["asyncapi"].startswith("3.")
    channel = document["channels"]["table"]
    assert channel["address"] == "/api/socket"
    for name, action, kinds in (
        ("toHouse", "receive", get_args(m.ToHouse)),
        ("fromHouse", "send", get_args(m.FromHouse)),
    ):
        operation = document["operations"][name]
        assert operation["action"] == action
        messages = [resolve(document, one["$ref"]) for one in operation["messages"]]
        assert {message["name"] for message in messages} == {kind.__name__ for kind in kinds}
        assert all(message["summary"] and message["payload"] for message in messages)


# --- replies match their description ---


async def play(house: FuzzTarget, place: Place, acts: int) -> list[str]:
    """Play over a socket, with invalid commands mixed in, and return the server's messages."""
    person = run_now(house.serving.people.still(place.handle))
    assert person is not None
    hosted, sent = house.serving.hall.tables[place.table], 0
    messages: list[str] = []

    async def receive() -> str | None:
        nonlocal sent
        await asyncio.sleep(0)
        sent += 1
        if sent == 1:
            ticket = run_now(house.serving.people.ticket(person, place.table))
            assert isinstance(ticket, m.Ticket)
            entering = m.Enter(ticket=ticket.ticket, table=place.table, role=place.role, since=0)
            return msgspec.json.encode(entering).decode()
        if sent > acts:
            return None
        if sent % 7 == 0:
            return '{"type":"ping"}'
        if sent % 7 == 3:
            return '{"type":"ready"}'
        commands = offered(hosted, place.role)
        command = (
            commands[sent % len(commands)] if commands and sent % 7 != 5 else '{"type":"Check","seat":9}'
        )
        return f'{{"type":"do","key":"{place.role} {sent}","command":{command}}}'

    await socket(house.app, receive, messages.append)
    return messages


def by_type(document: Data) -> dict[str, Data]:
    """Return the payload schema of each server message by its type."""
    operation = document["operations"]["fromHouse"]
    messages = [resolve(document, one["$ref"]) for one in operation["messages"]]
    payloads = [resolve(document, one["payload"]["$ref"]) for one in messages]
    return {payload["properties"]["type"]["enum"][0]: payload for payload in payloads}


HANDS = "hole,board,dealer,play\nJd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x\n"


def test_frames_match_their_description() -> None:
    house = FuzzTarget()
    house.clock.move(1)
    payloads, types = by_type(asyncapi()), set()
    parts, components = components_of([m.View])
    views = {"components": {"schemas": components}}
    for place in list(house.places):
        following = ViewFollower()
        for text in asyncio.run(play(house, place, 60)):
            message = msgspec.json.decode(text)
            types.add(message["type"])
            assert list(violations(asyncapi(), payloads[message["type"]], message)) == [], text[:300]
            if isinstance(following.take(text), m.Entered | m.Updated):
                view = msgspec.json.decode(encoder.encode(following.view))
                assert list(violations(views, parts[0], view)) == [], view
    assert asyncio.run(play(house, Place(*house.places[0][:2], "owner"), 1))[0].startswith('{"type":"bye"')
    assert types | {"bye"} == set(payloads)


def test_replies_match_their_description(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # A par sheet takes long to compute, and the API describes it only as text, so an empty sheet is enough.
    monkeypatch.setattr("houseway.report.sheet.par_sheet", lambda terms: terms)
    monkeypatch.setattr("houseway.report.sheet.html.text", lambda sheet: "")
    house = FuzzTarget()
    places = {place.role: place for place in house.places if place.table == house.places[0].table}
    for place in places.values():
        asyncio.run(play(house, place, 40))
    host, player = places["floor"], places["seat 1"]
    invited = run_now(house.serving.people.invite(host.table, "dealer"))
    assert isinstance(invited, m.Invitation)
    invitation = invited.invitation
    house.person("Eye"), house.person("Lost")
    run_now(house.serving.people.give("Eye", host.table, "surveillance"))
    link = run_now(house.serving.people.recovery("Lost"))
    assert link is not None
    instructor = run_now(house.serving.people.give(host.handle, "*", "examiner"))
    taught = run_now(house.serving.classes.open(instructor, "Class"))
    invited_to_class = run_now(house.serving.classes.invite(instructor, taught.id))
    run_now(house.serving.classes.join(m.Person(handle=player.handle), invited_to_class.invitation))
    order = StartDrill(rulebook="uth-ma", drill="payouts", scope="wager")
    drilled = asyncio.run(house.serving.drills.start(host.handle, order))
    assert drilled.question is not None
    practised = asyncio.run(
        house.serving.practices.start(host.handle, StartPractice(rulebook="uth-ma", seed="s"))
    )
    assert practised.spot is not None
    bodies: dict[str, Data] = {
        "/api/session": {"handle": "New Person"},
        "/api/session/recover": {"recovery": link.recovery},
        "/api/roles/revoke": {"handle": "Eye", "table": host.table, "role": "surveillance"},
        "/api/invitations": {"table": host.table, "role": "dealer"},
        "/api/invitations/accept": {"invitation": invitation},
        "/api/tickets": {"table": host.table},
        "/api/tables": {"rulebook": "uth-ma"},
        "/api/tables/{table}/bots": {"style": "random"},
        "/api/tables/{table}/commands": {"key": "taken", "command": {"type": "Fold", "seat": 1}},
        "/api/tables/{table}/ready": {"ready": False},
        "/api/training": {"rulebook": "uth-proc", "rounds": 2, "seats": 1},
        "/api/training/{session}/acts": {"key": "act", "act": {"type": "CallFloor"}},
        "/api/training/{session}/rulings": {"key": "report", "irregularity": {"kind": "exposed card"}},
        "/api/drills": {"rulebook": "uth-ma", "drill": "payouts"},
        "/api/drills/{session}/answers": {"step": 0, "answers": {drilled.question.parts[0].name: "push"}},
        "/api/lessons/{lesson}": {"round": 1, "choices": ["bet", "check", "check", "fold"]},
        "/api/practice": {"rulebook": "uth-ma"},
        "/api/practice/{session}/answers": {"step": 0, "choice": practised.spot.choices[0].choice},
        "/api/practice/{session}/repeats": {"number": 1},
        "/api/me/progress": {"confirm": "erase my progress"},
        "/api/me/rounds": {"name": "hands.csv", "text": HANDS, "rulebook": "uth-ma"},
        "/api/classes": {"name": "Evening class"},
        "/api/classes/preview": {"invitation": invited_to_class.invitation},
        "/api/classes/join": {"invitation": invited_to_class.invitation},
        "/api/classes/{class_id}/exam": {},
        "/api/classes/{class_id}/remove": {"handle": "Eye"},
        "/api/classes/{class_id}/watch": {"table": host.table},
        "/api/find": {"rulebook": "uth-proc"},
        "/api/find/report": {"round": 1, "report": {}},
    }
    dealing, over = dealt_sessions(house, host.handle)
    create_key(tmp_path / "house.key", "House", 0)
    desk = CertificateDesk(tmp_path / "house.key", "", lambda: 1.8e9)
    house.serving.certificates = house.serving.training.results.certificates = desk
    exam = small(rounds=1)
    monkeypatch.setattr(ExamLibrary, "exam", lambda library, name: exam)
    signed = passed_session(house, instructor, player.handle, taught.id)
    parameters = {
        "class_id": taught.id,
        "table": host.table,
        "lesson": "first-round",
        "rulebook": "uth-ma",
        "a": "uth-ma",
        "b": "uth-sd",
        "round": "1",
        "clause": next(iter(load("uth-ma").clauses)),
        "link": f"uth-ma~{load('uth-ma').hash[:12]}~9d7c~6h4hQsAd4c",
    }
    # A closed class takes no other requests, so it is closed last.
    for route in sorted(ROUTES, key=lambda route: route.path.endswith("/close")):
        bots = house.serving.hall.tables[host.table].plan.bots
        ended = route.method == "DELETE" or route.path.endswith(("/record", "/result"))
        session = over if ended else signed if route.path.endswith("/certificate") else dealing
        if "/sessions/" in route.path:
            session = signed
        if route.path.startswith("/api/drills/"):
            session = drilled.session
        if route.path.startswith("/api/practice/"):
            session = practised.session
        own_round = route.path == "/api/me/rounds/{round}"
        named = parameters | ({"round": "last"} if own_round else {})
        path = route.path.format(**named, seat=next(iter(bots), 0), session=session)
        # Only the floor supervisor and surveillance can open a dispute.
        dispute = path.endswith("/dispute")
        query = (
            ""
            if own_round
            else "rulebook=uth-ma"
            if path.endswith(("/house-rules", "/api/practice", "/api/daily-position"))
            else f"trainee={player.handle}"
            if "trainee" in route.query
            else "as=floor"
            if dispute
            else "seat=1"
            if "seat" in route.query
            else "as=seat:1"
            if "as" in route.query
            else f"table={host.table}"
            if "table" in route.query
            else ""
        )
        sender = player if "seat" in query or path.endswith(("/ready", "/commands")) else host
        body = {"rulebook": "uth-ma"} if "/lab" in path else bodies.get(route.path)
        # These requests revoke the token of their sender, or erase what other requests need.
        leaves = (route.method, path) == ("DELETE", "/api/session")
        erases = (route.method, path) == ("DELETE", "/api/me/progress")
        alone = {"/api/session/rotate": "Rotating", "/api/me/progress": "Erasing" if erases else ""}
        once = "Leaving" if leaves else alone.get(path, "")
        if once:
            house.person(once)
        token = house.tokens[once or sender.handle]
        text = b"" if body is None or route.takes is None else msgspec.json.encode(body)
        reply = asyncio.run(http(house.app, route.method, path, query=query, token=token, body=text))
        assert list(mismatches(route, reply)) == [], (route.path, reply.status, reply.body[:200])


def dealt_sessions(house: FuzzTarget, handle: str) -> tuple[str, str]:
    """Return two training sessions: one with a closed round and an open one, and an exam that is over."""
    training = house.serving.training
    opening = TrainingRequest(rulebook="uth-proc", rounds=2, seats=1)
    dealing = asyncio.run(training.open(handle, opening)).session
    deal_round(house, handle, dealing)
    exam = asyncio.run(training.open(handle, TrainingRequest(rulebook="uth-proc", exam="practice"))).session
    asyncio.run(training.end(handle, exam))
    return dealing, exam


def passed_session(house: FuzzTarget, instructor: m.Person, handle: str, class_id: str) -> str:
    """Return an exam of one round that a trainee passed in a class."""
    run_now(house.serving.classes.set_exam(instructor, class_id, "table-test", "uth-proc"))
    request = TrainingRequest(rulebook="uth-proc", exam="table-test", class_id=class_id)
    session = asyncio.run(house.serving.training.open(handle, request, instructor.handle)).session
    deal_round(house, handle, session)
    return session


def deal_round(house: FuzzTarget, handle: str, session: str) -> None:
    """Deal the first round of a training session without a slip."""
    room = house.serving.training._rooms[session].hosted
    while not room.session.judgements:
        act = right_act(room.session.table, room.session.chair)
        assert act is not None
        request = ActRequest(key=f"act {room.inputs}", act=msgspec.json.decode(encode_act(act)))
        asyncio.run(house.serving.training.act(handle, session, request))


def mismatches(route: Any, reply: Reply) -> Iterator[str]:
    """Yield every way in which a reply differs from the description of its route."""
    document = openapi()
    responses = document["paths"][route.path][route.method.lower()]["responses"]
    # A rejected command returns 409, with a body that the route's normal schema includes (`Rejected`).
    status = str(route.status) if reply.status in (route.status, 409) else "default"
    if status == "default":
        yield f"refused: {msgspec.json.decode(reply.body, type=Refused)}"
        return
    ((media, content),) = responses[status]["content"].items()
    if not reply.headers["content-type"].startswith(media):
        yield f"content type {reply.headers['content-type']}, expected {media}"
    elif media == "application/json":
        yield from violations(document, content["schema"], msgspec.json.decode(reply.body))


# --- the check itself ---


def test_a_mismatch_is_found() -> None:
    (schema,), components = components_of([m.Waits])
    document = {"components": {"schemas": components}}
    assert list(violations(document, schema, {"why": "bets", "seats": [1, 2], "seconds": None})) == []
    others: tuple[Any, ...] = (
        {"why": "tea"}, {}, {"why": "bets", "seats": ["1"]}, {"why": "bets", "seconds": "9"}, [], None,
        {"why": "bets", "seats": [True]},
    )  # fmt: skip
    for value in others:
        assert list(violations(document, schema, value)), value
