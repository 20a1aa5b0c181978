"""The API described for programs: OpenAPI 3.1 of the routes, AsyncAPI 3 of the socket."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, get_args

import msgspec

from houseway import __version__
from houseway.cards import Card
from houseway.client.messages import FromHouse, ToHouse
from houseway.engine.refusals import Refused
from houseway.server.routes import JSON, ROUTES, Route

Data = dict[str, Any]
REF: Final = "#/components/schemas/{name}"
TITLE: Final = "houseway"


def _hook(kind: type) -> Data:
    """What JSON has no word for: a card is two characters."""
    if kind is Card:
        return {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}
    if kind is msgspec.Raw:
        return {"type": "object", "description": "A command, as it stands on a choice."}
    # So msgspec is told that a kind has no schema; its own error names the kind.
    raise NotImplementedError


def components_of(kinds: list[Any]) -> tuple[list[Data], Data]:
    """The schema of each kind, and the schemas they refer to by name."""
    schemas, components = msgspec.json.schema_components(kinds, schema_hook=_hook, ref_template=REF)
    return list(schemas), components


@cache
def openapi() -> Data:
    """The routes, as OpenAPI 3.1 tells them."""
    kinds = [kind for route in ROUTES for kind in (route.takes, route.gives) if kind is not None]
    schemas, components = components_of([*kinds, Refused])
    found = dict(zip(map(id, kinds), schemas, strict=False))
    refusal = schemas[-1]
    paths: Data = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, found, refusal)
    return {
        "openapi": "3.1.0",
        "info": {"title": TITLE, "version": __version__, "description": "Live tables of a house."},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "houseway"},
            },
        },
    }


def _operation(route: Route, found: dict[int, Data], refusal: Data) -> Data:
    given = found[id(route.gives)] if route.media == JSON else {"type": "string"}
    within = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters: list[Data] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in within
    ]
    parameters += [
        {"name": name, "in": "query", "schema": msgspec.json.schema(kind)}
        for name, kind in route.query.items()
    ]
    told: Data = {
        "operationId": route.answer.__name__.strip("_"),
        "summary": route.answer.__doc__,
        "parameters": parameters,
        "responses": {
            str(route.status): {"description": "Done.", "content": {route.media: {"schema": given}}},
            "default": {"description": "Refused.", "content": {JSON: {"schema": refusal}}},
        },
    }
    if route.takes is not None:
        told["requestBody"] = {"required": True, "content": {JSON: {"schema": found[id(route.takes)]}}}
    if route.session:
        told["security"] = [{"token": []}, {"cookie": []}]
    return told


@cache
def asyncapi() -> Data:
    """The socket, as AsyncAPI 3 tells it."""
    sent, received = get_args(ToHouse), get_args(FromHouse)
    kinds = (*sent, *received)
    schemas, components = components_of([*kinds])
    messages = {
        kind.__name__: {"name": kind.__name__, "summary": (kind.__doc__ or "").strip(), "payload": schema}
        for kind, schema in zip(kinds, schemas, strict=True)
    }
    channel = {
        "address": "/api/socket",
        "description": "One table, as one role. The first frame is enter, with a ticket.",
        "messages": messages,
    }

    def operation(action: str, kinds: tuple[Any, ...]) -> Data:
        refs = [{"$ref": f"#/channels/table/messages/{kind.__name__}"} for kind in kinds]
        return {"action": action, "channel": {"$ref": "#/channels/table"}, "messages": refs}

    return {
        "asyncapi": "3.0.0",
        "info": {"title": TITLE, "version": __version__, "description": "The socket of a table."},
        "channels": {"table": channel},
        "operations": {"toHouse": operation("receive", sent), "fromHouse": operation("send", received)},
        "components": {"schemas": components},
    }
