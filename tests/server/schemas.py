"""JSON held against a JSON schema: as much of it as the descriptions of the house use."""

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


def resolved(document: Data, ref: str) -> Any:
    """What a reference within a document means."""
    found: Any = document
    for part in ref.removeprefix("#/").split("/"):
        found = found[part]
    return found


def wrong(document: Data, schema: Data, value: Any, where: str = "$") -> Iterator[str]:
    """Everything in a value that is not as its schema says."""
    assert set(schema) <= KNOWN, f"the check does not know {set(schema) - KNOWN}"
    if "$ref" in schema:
        yield from wrong(document, resolved(document, schema["$ref"]), value, where)
        return
    if "anyOf" in schema:
        if all(any(wrong(document, one, value, where)) for one in schema["anyOf"]):
            yield f"{where}: {value!r} is none of the kinds there are"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    kind = schema.get("type")
    if kind is not None and not _is(kind, value):
        yield f"{where}: {value!r} is no {kind}"
    elif isinstance(value, dict):
        yield from _object(document, schema, value, where)
    elif isinstance(value, list):
        yield from _array(document, schema, value, where)
    elif "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} is not written as {schema['pattern']}"


def _is(kind: str, value: Any) -> bool:
    return isinstance(value, KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _object(document: Data, schema: Data, value: Data, where: str) -> Iterator[str]:
    properties, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    yield from (f"{where}: {name} is missing" for name in schema.get("required", ()) if name not in value)
    for name, part in value.items():
        if name in properties:
            yield from wrong(document, properties[name], part, f"{where}.{name}")
        elif more is False:
            yield f"{where}: {name} is told nowhere"
        elif isinstance(more, dict):
            yield from wrong(document, more, part, f"{where}.{name}")


def _array(document: Data, schema: Data, value: list[Any], where: str) -> Iterator[str]:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        yield f"{where}: {len(value)} things"
    first = schema.get("prefixItems", ())
    rest = schema.get("items", {})
    for number, part in enumerate(value):
        kind = first[number] if number < len(first) else rest
        if kind is False:
            yield f"{where}[{number}] is one too many"
        else:
            yield from wrong(document, kind, part, f"{where}[{number}]")
