"""Validate JSON against the parts of JSON Schema that the API descriptions use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

Data = dict[str, Any]

KINDS: Final[dict[str, Any]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
    "array": list,
    "object": dict,
}
KNOWN: Final = {
    "$ref", "anyOf", "discriminator", "enum", "type", "properties", "required", "additionalProperties",
    "items", "prefixItems", "minItems", "maxItems", "pattern", "title", "description", "default",
}  # fmt: skip


def resolve(document: Data, ref: str) -> Any:
    """Return the target of a reference within a document."""
    node: Any = document
    for part in ref.removeprefix("#/").split("/"):
        node = node[part]
    return node


def violations(document: Data, schema: Data, value: Any, where: str = "$") -> Iterator[str]:
    """Yield every way in which a value breaks its schema."""
    assert set(schema) <= KNOWN, f"the check does not know {set(schema) - KNOWN}"
    if "$ref" in schema:
        yield from violations(document, resolve(document, schema["$ref"]), value, where)
        return
    if "anyOf" in schema:
        if all(any(violations(document, one, value, where)) for one in schema["anyOf"]):
            yield f"{where}: {value!r} matches none of the schemas"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is not one of {schema['enum']}"
    kind = schema.get("type")
    if kind is not None and not _is(kind, value):
        yield f"{where}: {value!r} is not of type {kind}"
    elif isinstance(value, dict):
        yield from _object(document, schema, value, where)
    elif isinstance(value, list):
        yield from _array(document, schema, value, where)
    elif "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match {schema['pattern']}"


def _is(kind: str, value: Any) -> bool:
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _object(document: Data, schema: Data, value: Data, where: str) -> Iterator[str]:
    properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    yield from (f"{where}: {name} is missing" for name in schema.get("required", ()) if name not in value)
    for name, part in value.items():
        if name in properties:
            yield from violations(document, properties[name], part, f"{where}.{name}")
        elif more is False:
            yield f"{where}: {name} is not in the schema"
        elif isinstance(more, dict):
            yield from violations(document, more, part, f"{where}.{name}")


def _array(document: Data, schema: Data, value: list[Any], where: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{where}: {len(value)} items"
    first = schema.get("prefixItems", ())
    rest = schema.get("items", {})
    for number, part in enumerate(value):
        kind = first[number] if number < len(first) else rest
        if kind is False:
            yield f"{where}[{number}] is one too many"
        else:
            yield from violations(document, kind, part, f"{where}[{number}]")
