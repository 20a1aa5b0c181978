"""The API description covers every route, message and rejection, and the replies match it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from houseway.client import messages as m
from houseway.client.view_follower import ViewFollower
from houseway.engine.refusals import Refused
from houseway.live.offload import run_now
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import load
from houseway.server.api_description import asyncapi, components_of, openapi
from houseway.server.routes import ROUTES
from server.besieged import Besieged, Place, offered
from server.calling import Reply, http, socket
from server.schemas import resolve, violations

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


async def play(house: Besieged, place: Place, acts: int) -> list[str]:
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


def test_frames_match_their_description() -> None:
    house = Besieged()
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


def test_replies_match_their_description(monkeypatch: pytest.MonkeyPatch) -> None:
    # A par sheet takes long to compute, and the API describes it only as text, so an empty one is enough.
    monkeypatch.setattr("houseway.report.sheet.par_sheet", lambda terms: terms)
    monkeypatch.setattr("houseway.report.sheet.html.text", lambda sheet: "")
    house = Besieged()
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
    }
    parameters = {
        "table": host.table,
        "rulebook": "uth-ma",
        "a": "uth-ma",
        "b": "uth-sd",
        "round": "1",
        "clause": next(iter(load("uth-ma").clauses)),
    }
    for route in ROUTES:
        bots = house.serving.hall.tables[host.table].plan.bots
        path = route.path.format(**parameters, seat=next(iter(bots), 0))
        # Only the floor supervisor and surveillance can open a dispute.
        dispute = path.endswith("/dispute")
        query = (
            "as=floor"
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
        # These requests replace or revoke the token of their sender.
        leaves = (route.method, path) == ("DELETE", "/api/session")
        once = "Leaving" if leaves else "Rotating" if path == "/api/session/rotate" else ""
        if once:
            house.person(once)
        token = house.tokens[once or sender.handle]
        text = b"" if body is None or route.takes is None else msgspec.json.encode(body)
        reply = asyncio.run(http(house.app, route.method, path, query=query, token=token, body=text))
        assert list(mismatches(route, reply)) == [], (route.path, reply.status, reply.body[:200])


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
