"""TypeScript declarations of every message between the server and the page.

`python -m js.message_types` writes `messages.d.ts` beside this file from the message definitions. The page
itself is plain JavaScript: the declarations are for the type checker alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect

import houseway.server.app  # noqa: F401 (adds all routes)
from houseway.client.messages import FromHouse, Replay, ToHouse
from houseway.engine.refusals import Refused
from houseway.server.routes import ROUTES

DECLARATIONS: Final = Path(__file__).with_name("messages.d.ts")
HEADER: Final = """\
// Generated from the message definitions by tests/js/message_types.py; run `make message-types` to renew.

declare namespace api {
"""
SCALARS: Final[dict[type, str]] = {
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
    inspect.RawType: "any",
    inspect.CustomType: "string",
}


class Declarations:
    """Interfaces by name, collected from the types that refer to each other."""

    def __init__(self) -> None:
        self._interfaces: dict[str, str] = {}

    def text(self) -> str:
        """The declaration file, its interfaces in alphabetical order."""
        bodies = "\n".join(self._interfaces[name] for name in sorted(self._interfaces))
        return f"{HEADER}{bodies}}}\n"

    def add(self, kind: Any) -> str:
        """Declare a Python type and everything it refers to; return its TypeScript name."""
        return self._name(inspect.type_info(kind))

    def _name(self, kind: inspect.Type) -> str:
        match kind:
            case inspect.StructType():
                return self._interface(kind)
            case inspect.UnionType(types=types):
                return " | ".join(map(self._name, types))
            case inspect.LiteralType(values=values):
                return " | ".join(map(json.dumps, values))
            case inspect.TupleType(item_types=items):
                return f"[{', '.join(map(self._name, items))}]"
            case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
                return f"{_grouped(self._name(item))}[]"
            case inspect.DictType(key_type=key, value_type=value):
                return f"Record<{self._name(key)}, {self._name(value)}>"
            case inspect.Metadata(type=inner):
                return self._name(inner)
        return SCALARS[type(kind)]

    def _interface(self, kind: inspect.StructType) -> str:
        name = kind.cls.__name__
        if name in self._interfaces:
            return name
        self._interfaces[name] = ""
        optional = kind.cls.__struct_config__.omit_defaults or kind.forbid_unknown_fields
        lines = [f"  /** {_summary(kind.cls)} */", f"  interface {name} {{"]
        if kind.tag is not None:
            lines.append(f"    {kind.tag_field}: {json.dumps(kind.tag)};")
        for field in kind.fields:
            mark = "?" if optional and not field.required else ""
            lines.append(f"    {field.encode_name}{mark}: {self._name(field.type)};")
        self._interfaces[name] = "\n".join([*lines, "  }", ""])
        return name


def _grouped(name: str) -> str:
    return f"({name})" if "|" in name else name


def _summary(kind: type[msgspec.Struct]) -> str:
    return (kind.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ")


def declared() -> str:
    """The declarations of all messages of the socket and of all bodies of requests and replies."""
    declarations = Declarations()
    kinds = [*get_args(ToHouse), *get_args(FromHouse), Replay, Refused]
    kinds += [kind for route in ROUTES for kind in (route.takes, route.gives) if _is_struct(kind)]
    for kind in kinds:
        declarations.add(kind)
    return declarations.text()


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


if __name__ == "__main__":
    DECLARATIONS.write_text(declared(), encoding="utf-8")
