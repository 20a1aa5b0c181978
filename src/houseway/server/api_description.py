"""Machine-readable descriptions of the API: OpenAPI 3.1 for the routes, AsyncAPI 3 for the socket."""

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
    """Return the schema of a type that has no equivalent in JSON Schema."""
    if kind is Card:
        return {"type": "string", "pattern": "^[2-9TJQKA][cdhs]$"}
    if kind is msgspec.Raw:
        return {"type": "object", "description": "The command of one of the choices in the view."}
    # msgspec turns this into an error that names the type.
    raise NotImplementedError


def components_of(kinds: list[Any]) -> tuple[list[Data], Data]:
    """Return the schema of each type, and the named schemas they refer to."""
    schemas, components = msgspec.json.schema_components(kinds, schema_hook=_hook, ref_template=REF)
    return list(schemas), components


@cache
def openapi() -> Data:
    """Return the OpenAPI 3.1 description of the routes."""
    kinds = [kind for route in ROUTES for kind in (route.takes, route.gives) if kind is not None]
    schemas, components = components_of([*kinds, Refused])
    by_id = dict(zip(map(id, kinds), schemas, strict=False))
    refusal = schemas[-1]
    paths: Data = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_id, refusal)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": __version__,
            "description": "Live tables on a houseway server.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "houseway"},
            },
        },
    }


def _operation(route: Route, by_id: dict[int, Data], refusal: Data) -> Data:
    result = by_id[id(route.gives)] if route.media == JSON else {"type": "string"}
    in_path = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    parameters: list[Data] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in in_path
    ]
    parameters += [
        {"name": name, "in": "query", "schema": msgspec.json.schema(kind)}
        for name, kind in route.query.items()
    ]
    operation: Data = {
        "operationId": route.answer.__name__.strip("_"),
        "summary": route.answer.__doc__,
        "parameters": parameters,
        "responses": {
            str(route.status): {"description": "Done.", "content": {route.media: {"schema": result}}},
            "default": {"description": "Refused.", "content": {JSON: {"schema": refusal}}},
        },
    }
    if route.takes is not None:
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": by_id[id(route.takes)]}}}
    if route.session:
        operation["security"] = [{"token": []}, {"cookie": []}]
    return operation


@cache
def asyncapi() -> Data:
    """Return the AsyncAPI 3 description of the socket."""
    sent, received = get_args(ToHouse), get_args(FromHouse)
    kinds = (*sent, *received)
    schemas, components = components_of([*kinds])
    messages = {
        kind.__name__: {"name": kind.__name__, "summary": (kind.__doc__ or "").strip(), "payload": schema}
        for kind, schema in zip(kinds, schemas, strict=True)
    }
    channel = {
        "address": "/api/socket",
        "description": "One table, in one role. The first message must be `enter`, with a ticket.",
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
