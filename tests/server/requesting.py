"""Malformed requests, generated from the API description."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from houseway.rules.loader import load, rulebook_ids
from houseway.server.api_description import openapi
from server.fuzzing import ODD, WORDS, Grammar, TextMaker

Headers = list[tuple[bytes, bytes]]

HEADERS: Final[dict[bytes, tuple[bytes, ...]]] = {
    b"host": (b"", b"[", b"[::1", b"evil.example", b"127.0.0.1:99999999", b"localhost:x", b"\xff\x00"),
    b"origin": (
        b"null",
        b"http://[",
        b"http://evil.example",
        b"http://127.0.0.1",
        b"//",
        b"\xe9",
        b"http://",
    ),
    b"content-length": (b"9" * 5000, b"-1", b"\xb2", b"1e9", b"99999999999", b"0x10", b""),
    b"authorization": (b"Bearer", b"Bearer ", b"Basic x", b"Bearer \xff", b"bearer " + b"x" * 5000, b""),
    b"cookie": (b"houseway=", b"houseway=\xff", b"houseway", b"=" * 999, b"houseway=x; houseway=y"),
    b"content-type": (b"text/plain", b"", b"multipart/form-data", b"application/json; charset=utf-7"),
}
NAMES: Final = (
    "..",
    "%2e%2e",
    "\x00",
    "é",
    "\ud800",
    "0",
    "1",
    "2",
    "-1",
    "9" * 30,
    "9" * 5000,
    "seat:1",
    "٣",
)


class Request(NamedTuple):
    """One request."""

    method: str
    path: str
    query: str
    headers: Headers
    body: bytes


class Requests:
    """Generated requests to every route of the server."""

    def __init__(self, rng: Random, tables: Sequence[str], sessions: Sequence[str] = ()) -> None:
        self._rng = rng
        self._described = openapi()
        self._grammar = Grammar(rng, self._described["components"]["schemas"])
        clauses = [clause for book in rulebook_ids() for clause in list(load(book).clauses)[:9]]
        books = rulebook_ids()
        self._known: dict[str, Sequence[str]] = {
            "table": tables, "session": sessions, "rulebook": books, "a": books, "b": books, "clause": clauses,
            "round": ("1", "2", "3"), "as": ("rail", "seat:1", "seat 2", "floor", "dealer", "surveillance"),
            "seat": ("1", "2", "3"), "set": ("blind.straight=push", "play.preflop=4", "=", "x=y", "x"),
        }  # fmt: skip

    def routes(self) -> list[tuple[str, str]]:
        """Return every method and path."""
        paths = self._described["paths"].items()
        return [(method.upper(), path) for path, operations in paths for method in operations]

    def to(self, method: str, path: str, count: int) -> Iterator[Request]:
        """Yield `count` requests to one route."""
        operation = self._described["paths"][path][method.lower()]
        body = self._body(operation)
        for _ in range(count):
            yield Request(method, self._path(path), self._query(operation), self._headers(), body())

    def _body(self, operation: Any) -> Any:
        schema = operation.get("requestBody")
        if schema is None:
            return lambda: b"" if self._rng.random() < 0.9 else self._rng.randbytes(99)
        made: TextMaker = self._grammar.of(schema["content"]["application/json"]["schema"])

        def text() -> bytes:
            content, chance = made(), self._rng.random()
            if chance < 0.1:
                content = self._grammar.damaged(content)
            return self._rng.randbytes(99) if chance > 0.98 else content.encode("utf-8", "surrogatepass")

        return text

    def _value(self, name: str) -> str:
        rng, known = self._rng, self._known.get(name, ())
        if known and rng.random() < 0.6:
            return rng.choice(known)
        return rng.choice(rng.choice((ODD, WORDS, NAMES)))

    def _path(self, path: str) -> str:
        parts = [self._value(part[1:-1]) if part.startswith("{") else part for part in path.split("/")]
        # A slash inside a value would change the route.
        return "/".join(part if part == "" else part.replace("/", "") or "x" for part in parts)

    def _query(self, operation: Any) -> str:
        rng = self._rng
        pairs = [
            f"{one['name']}={quote(self._value(one['name']), errors='surrogatepass')}"
            for one in operation["parameters"]
            if one["in"] == "query"
            for _ in range(rng.choice((0, 1, 1, 1, 2)))
        ]
        if rng.random() < 0.1:
            pairs.append(rng.choice(("%", "&&&", "a[]=%ff", "=", "as=%00", "?" * 99, "x=" * 999)))
        return "&".join(pairs)

    def _headers(self) -> Headers:
        rng = self._rng
        if rng.random() < 0.8:
            return []
        name = rng.choice(list(HEADERS))
        return [(name, rng.choice(HEADERS[name]))]
