"""Requests that one person sends to a houseway server: sign in, list and revoke roles, invite others."""

from __future__ import annotations

import http.client
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from houseway.client import messages as m
from houseway.engine.refusals import Refusal, Refused
from houseway.errors import InputError

T = TypeVar("T")
SECONDS = 30.0
"""The default timeout for a reply."""


class HouseError(InputError):
    """The house cannot be reached, or it refused the request; the message says why."""

    def __init__(self, message: str, refused: tuple[Refusal, ...] = ()) -> None:
        super().__init__(message)
        self.refused = refused


class HouseAccess:
    """The identity and the roles of one person at a house."""

    def __init__(self, url: str, token: str = "", seconds: float = SECONDS) -> None:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        try:
            valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            valid = False
        if not valid:
            raise HouseError(f"{url!r} is not the address of a houseway server; try http://127.0.0.1:8000")
        self._secure = parts.scheme == "https"
        self._netloc = parts.netloc
        self._seconds = seconds
        self.url = f"{parts.scheme}://{parts.netloc}"
        self.token = token

    # --- over HTTP ---

    def ask(self, method: str, path: str, body: object = None, gives: type[T] | Any = Any) -> T:
        """Send a request and return the decoded reply; raises HouseError if it is refused."""
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._netloc, timeout=self._seconds)
        headers = {"authorization": f"Bearer {self.token}"} if self.token else {}
        content = None if body is None else msgspec.json.encode(body)
        try:
            connection.request(method, path, content, headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as error:
            raise HouseError(f"no houseway server answers at {self._netloc}: {error}") from error
        finally:
            connection.close()
        if response.status >= 400:
            raise _error(text, response.status)
        try:
            return msgspec.json.decode(text, type=gives)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise HouseError(f"{self._netloc} is not a houseway server of this version") from error

    def introduce(self, handle: str) -> m.Person:
        """Register a handle, and send its token with every later request."""
        return self._sign_in("/api/session", m.Introduce(handle=handle))

    def me(self) -> m.Person:
        """Return your handle and roles at this house."""
        return self.ask("GET", "/api/session", gives=m.Person)

    def rotate_token(self) -> m.Person:
        """Replace your token, and send the new one with every later request. The old one stops working."""
        return self._sign_in("/api/session/rotate", None)

    def recovery_link(self) -> m.Recovery:
        """Create a single-use link that signs you in on another device. It replaces earlier links."""
        return self.ask("POST", "/api/session/recovery", gives=m.Recovery)

    def recover(self, recovery: str) -> m.Person:
        """Sign in with a recovery link. The token of the old device stops working."""
        return self._sign_in("/api/session/recover", m.Recover(recovery=recovery))

    def _sign_in(self, path: str, body: object) -> m.Person:
        reply: m.Introduced = self.ask("POST", path, body, m.Introduced)
        self.token = reply.token
        return reply.person

    def invite(self, table: str, role: m.Role) -> m.Invitation:
        """Create a link that gives a role at a table."""
        return self.ask("POST", "/api/invitations", m.Invite(table=table, role=role), m.Invitation)

    def accept(self, invitation: str) -> m.Person:
        """Accept an invitation."""
        return self.ask("POST", "/api/invitations/accept", m.Accept(invitation=invitation), m.Person)

    def roles(self, table: str = "") -> tuple[m.Grant, ...]:
        """Return the roles at a table, if you are its floor supervisor. Without a table, return all roles,
        if you are the owner."""
        query = f"?{urlencode({'table': table})}" if table else ""
        reply: m.Grants = self.ask("GET", f"/api/roles{query}", gives=m.Grants)
        return reply.grants

    def revoke_role(self, handle: str, table: str, role: m.Role) -> tuple[m.Grant, ...]:
        """Take a role at a table from a person; return the roles that are left."""
        body = m.RevokeRole(handle=handle, table=table, role=role)
        reply: m.Grants = self.ask("POST", "/api/roles/revoke", body, m.Grants)
        return reply.grants


def _error(text: bytes, status: int) -> HouseError:
    try:
        refused = msgspec.json.decode(text, type=Refused).refused
    except msgspec.MsgspecError:
        return HouseError(f"the server replied with HTTP status {status}")
    return HouseError("; ".join(refusal.message for refusal in refused), refused)
