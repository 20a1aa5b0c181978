"""The gate of the house: which hosts and origins it answers, whose session a request is."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

from starlette.requests import HTTPConnection

from houseway.client.messages import Person
from houseway.server.people import People

COOKIE: Final = "houseway"
LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Gate:
    """Answers under its own names only: a page of another host cannot reach a house on this machine."""

    def __init__(self, people: People, host: str, origins: Iterable[str] = ()) -> None:
        self._people = people
        self._origins = {_netloc(origin) or origin.casefold() for origin in origins}
        self._names = LOCAL | {host.casefold(), *(_name(netloc) for netloc in self._origins)}
        self._open_to_all = host in ("0.0.0.0", "::")

    def knows_host(self, request: HTTPConnection) -> bool:
        """Whether a request came to a name this house has; on a whole network any plain address is one."""
        name = _name(request.headers.get("host", ""))
        return name in self._names or (self._open_to_all and _is_address(name))

    def knows_origin(self, request: HTTPConnection) -> bool:
        """Whether a request was sent by the house's own page, by one that is allowed, or by no page."""
        origin = request.headers.get("origin")
        if origin is None:
            return True
        netloc = _netloc(origin)
        return bool(netloc) and (
            netloc == request.headers.get("host", "").casefold() or netloc in self._origins
        )

    def person(self, request: HTTPConnection) -> Person | None:
        """Whose session it is: a program sends its token, a browser its cookie."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.casefold() != "bearer":
            token = request.cookies.get(COOKIE, "")
        return self._people.by_token(token.strip())


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def _netloc(origin: str) -> str:
    """The host of an origin with its port; empty where it is no origin."""
    return _split(origin).netloc.casefold()


def _name(netloc: str) -> str:
    """The host of a netloc, without its port."""
    return (_split(f"//{netloc}").hostname or "").casefold()


def _split(url: str) -> SplitResult:
    """The parts of an address; all are empty where it is none."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
