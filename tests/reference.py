"""Generated documentation: the API reference, and the list of modules on the architecture page.

`make reference` writes both.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

import houseway
from contract import MODULES

FILE = Path(__file__).parent.parent / "docs" / "reference.md"
HEAD = """# API reference

The public names, by module. Everything else is private and may change without notice. `make reference` writes this page from the
docstrings.
"""

ARCHITECTURE = FILE.with_name("architecture.md")
LIST = "## Every module\n"
PACKAGE = Path(houseway.__file__).parent


def lines() -> Iterator[str]:
    """The lines of the page."""
    yield HEAD
    for path in MODULES:
        module = import_module(path)
        yield f"## {path}\n"
        yield f"{summary(module)}\n"
        for name in sorted(module.__all__, key=str.lower):
            yield from entry(name, getattr(module, name))


def entry(name: str, value: Any) -> Iterator[str]:
    """The heading of a name, its signature and its docstring."""
    function = inspect.isroutine(value) or hasattr(value, "__wrapped__")
    if not (inspect.isclass(value) or function):
        return
    yield f"### {name}\n"
    if inspect.isclass(value) and value.__name__ != name:
        yield f"Deprecated: the old name of `{value.__name__}`.\n"
        return
    if function:
        yield f"```text\n{name}{signature(value)}\n```\n"
    yield f"{summary(value)}\n"
    if inspect.isclass(value):
        fields = getattr(value, "__struct_fields__", ()) or getattr(value, "__dataclass_fields__", ())
        public = ", ".join(f"`{field}`" for field in fields if not field.startswith("_"))
        if public:
            yield f"Fields: {public}\n"
        bases = [base for base in reversed(value.__mro__) if base.__module__.startswith("houseway.")]
        inherited = {member: of for base in bases for member, of in vars(base).items()}
        members = [row for member, of in sorted(inherited.items()) if (row := method(member, of))]
        if members:
            yield "| | |\n|---|---|"
            yield from members
            yield ""


def method(name: str, value: Any) -> str:
    """A row for a public method or property; empty for anything else."""
    plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
    documented = inspect.isfunction(plain) or isinstance(plain, property)
    if name.startswith("_") or not documented or not plain.__doc__:
        return ""
    names = [] if isinstance(plain, property) else list(inspect.signature(plain).parameters)
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    call = name if isinstance(plain, property) else f"{name}({', '.join(names)})"
    return f"| `{call}` | {' '.join(summary(plain).split())} |"


def signature(function: Any) -> str:
    """A signature with plain annotations; the source has them as text."""

    class Plain(str):
        __slots__ = ()
        __repr__ = str.__str__

    def plain(annotation: Any) -> Any:
        return Plain(annotation) if isinstance(annotation, str) else annotation

    source = inspect.signature(function)
    parameters = [p.replace(annotation=plain(p.annotation)) for p in source.parameters.values()]
    return str(source.replace(parameters=parameters, return_annotation=plain(source.return_annotation)))


def summary(value: Any) -> str:
    """The docstring of a name, without examples."""
    text = inspect.getdoc(value) or ""
    return text.partition("\n>>>")[0].strip()


def text() -> str:
    """The page for the code as it is."""
    return "\n".join(lines())


def architecture() -> str:
    """The architecture page with the current list of modules."""
    written, _, _ = ARCHITECTURE.read_text(encoding="utf-8").partition(LIST)
    intro = "The first paragraph of each module's docstring. `make reference` writes this list.\n"
    return "\n".join([written + LIST, intro, *modules()])


def modules() -> Iterator[str]:
    """Every module of Python and JavaScript in one line, under the heading of its folder."""
    paths = [path for pattern in ("*.py", "*.js") for path in PACKAGE.rglob(pattern)]
    folder = None
    for path in sorted(paths, key=lambda path: (path.parent.as_posix(), path.name)):
        source = path.read_text(encoding="utf-8")
        if path.name.startswith("__"):
            continue
        if path.parent != folder:
            yield from ([""] if folder else [])
            folder = path.parent
            yield f"### src/{folder.relative_to(PACKAGE.parent).as_posix()}\n"
        first = ast.get_docstring(ast.parse(source)) if path.suffix == ".py" else comment(source)
        paragraph = " ".join((first or "").partition("\n\n")[0].split())
        yield f"- `{path.name}`: {paragraph}"
    yield ""


def comment(source: str) -> str:
    """The comment at the top of a JavaScript module."""
    above = takewhile(lambda line: line.startswith("//"), source.splitlines())
    return "\n".join(line.removeprefix("//").strip() for line in above)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    ARCHITECTURE.write_text(architecture(), encoding="utf-8")
