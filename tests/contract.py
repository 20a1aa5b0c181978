"""The public surface of houseway as text, one line per name: `make contract` writes it to contract.txt.

A name that disappears from the text breaks programs, records or scripts that use it. Change it only with a
deprecated alias or a new version, and say so in the changelog.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

import houseway
import houseway.server.app
from houseway.cli.app import COMMANDS, build
from houseway.engine.codec import kinds
from houseway.engine.commands import Command
from houseway.engine.events import Event
from houseway.server.api_description import asyncapi, openapi
from houseway.server.routes import ROUTES

PACKAGE = Path(houseway.__file__).parent
FILE = Path(__file__).parent / "contract.txt"
MODULES = (
    "houseway",
    "houseway.client",
    "houseway.conformance",
    "houseway.exact",
    "houseway.ranking",
    "houseway.report.sheet",
    "houseway.shoe",
    "houseway.simulate",
    "houseway.testing",
)
CODE = re.compile(r"[a-z]+(-[a-z]+)+")


def lines() -> Iterator[str]:
    """Every line of the contract, by section."""
    for title, section in (
        ("Python names", python_names()),
        ("Commands and options", command_line()),
        ("Engine commands", structs(kinds(Command))),
        ("Engine events", structs(kinds(Event))),
        ("Routes", (f"{route.method} {route.path}" for route in ROUTES)),
        ("Fields of REST messages", schemas(openapi())),
        ("Fields of socket messages", schemas(asyncapi())),
        ("Refusal and fault codes", codes()),
    ):
        yield f"# {title}"
        yield from sorted(set(section))
        yield ""


def python_names() -> Iterator[str]:
    """Public names with their parameters, and the public members of classes."""
    for path in MODULES:
        module = import_module(path)
        for name in module.__all__:
            value = getattr(module, name)
            yield f"{path}.{name}{parameters(value) if inspect.isfunction(value) else ''}"
            if inspect.isclass(value):
                yield from members(f"{path}.{name}", value)


def members(prefix: str, owner: type) -> Iterator[str]:
    """The public fields and methods of a class."""
    if issubclass(owner, Enum):
        yield from (f"{prefix}.{member.name}" for member in owner)
        return
    fields = getattr(owner, "__struct_fields__", None) or getattr(owner, "__dataclass_fields__", {})
    inherited = (vars(base) for base in owner.__mro__ if base.__module__.startswith("houseway."))
    for name in {*fields, *vars(owner), *chain.from_iterable(inherited)}:
        if not name.startswith("_"):
            value = inspect.getattr_static(owner, name, None)
            plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            yield f"{prefix}.{name}{parameters(plain) if inspect.isfunction(plain) else ''}"


def parameters(function: Any) -> str:
    """The names of a function's parameters."""
    return f"({', '.join(inspect.signature(function).parameters)})"


def command_line() -> Iterator[str]:
    """Each command with the names of its options."""
    for target in COMMANDS:
        name = target.rpartition(":")[2]
        yield from options(name, build([name])[name])


def options(path: str, app: Any) -> Iterator[str]:
    """The options of a command and of the commands below it."""
    below = [name for name in app if not name.startswith("-")]
    if app.default_command is not None:
        for argument in app.assemble_argument_collection():
            yield f"houseway {path} {' '.join(argument.names)}"
    for name in below:
        yield from options(f"{path} {name}", app[name])


def structs(records: Iterable[Any]) -> Iterator[str]:
    """Each struct with its fields."""
    for kind in records:
        yield f"{kind.__name__}({', '.join(field.encode_name for field in msgspec.structs.fields(kind))})"


def schemas(document: dict[str, Any]) -> Iterator[str]:
    """Each message of an API description, with its fields."""
    for name, schema in document["components"]["schemas"].items():
        yield f"{name}({', '.join(sorted(schema.get('properties', {})))})"


def codes() -> Iterator[str]:
    """Codes in the source: words joined by hyphens."""
    for folder in ("audit", "engine", "live", "server"):
        for file in (PACKAGE / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                value = node.value if isinstance(node, ast.Constant) else None
                if isinstance(value, str) and CODE.fullmatch(value):
                    yield value


def text() -> str:
    """The contract of the code as it is."""
    return "\n".join(lines())


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
