"""Checks of a request's host, origin and session."""

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


class HostCheck:
    """Accepts only known hosts and origins, so that another site's page cannot reach this server."""

    def __init__(self, people: People, host: str, origins: Iterable[str] = ()) -> None:
        self._people = people
        self._origins = {_netloc(origin) or origin.casefold() for origin in origins}
        self._names = LOCAL | {host.casefold(), *(_name(netloc) for netloc in self._origins)}
        self._open_to_all = host in ("0.0.0.0", "::")

    def knows_host(self, request: HTTPConnection) -> bool:
        """True if the Host header is one of the server's names.

        A server that listens on all interfaces also accepts any IP address.
        """
        name = _name(request.headers.get("host", ""))
        return name in self._names or (self._open_to_all and _is_address(name))

    def knows_origin(self, request: HTTPConnection) -> bool:
        """True if the request has no origin, the server's own origin, or an allowed origin."""
        origin = request.headers.get("origin")
        if origin is None:
            return True
        netloc, own = _netloc(origin), request.headers.get("host", "").casefold()
        return bool(netloc) and (netloc == own or netloc in self._origins)

    async def person(self, request: HTTPConnection, *, fresh: bool = False) -> Person | None:
        """Return the person whose session this is. If `fresh`, read the database, not the cache."""
        return await self._people.by_token(self.token(request), fresh=fresh)

    def token(self, request: HTTPConnection) -> str:
        """Return the token of a request, or an empty string: programs send a header, browsers a cookie."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.casefold() != "bearer":
            token = request.cookies.get(COOKIE, "")
        return token.strip()


def address_of(request: HTTPConnection) -> str:
    """Return the IP address of the client."""
    return request.client.host if request.client else ""


def _netloc(origin: str) -> str:
    """Return the host and port of an origin, or an empty string if it is malformed."""
    return _split(origin).netloc.casefold()


def _name(netloc: str) -> str:
    """Return the host of a netloc, without the port."""
    return (_split(f"//{netloc}").hostname or "").casefold()


def _split(url: str) -> SplitResult:
    """Split a URL; all parts are empty if it is malformed."""
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
