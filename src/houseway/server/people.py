"""People and their access: handles, tokens, roles, invitations and tickets.

A server on a private network asks for a handle and no password. Tokens, invitations and tickets are long
random strings. Only their digests are stored, so a reader of the database cannot use them to sign in.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from time import monotonic
from typing import Any, Final, TypeVar
from unicodedata import normalize

import msgspec
from msgspec.structs import replace

from houseway.audit.store import HouseStore
from houseway.client.messages import Invitation, Person, Role, Ticket
from houseway.engine.refusals import Refusal
from houseway.live.offload import DIRECT, Offload

TOKEN_BYTES: Final = 32
TICKET_SECONDS: Final = 30
HANDLE_LETTERS: Final = 24
EVERYWHERE: Final = "*"
BOT: Final = "(bot)"
"""The suffix of every bot's handle; a person's handle may not end with it."""
WAITING_TICKETS: Final = 8
"""The most unused tickets per person; one more replaces the oldest."""
MOST_PEOPLE: Final = 20_000
"""The most handles that a server stores. Records contain handles, so a handle is never reused."""
MOST_INVITATIONS: Final = 100
"""The most unused invitations per table."""
RESERVED: Final = frozenset(
    {"dealer", "floor", "floorperson", "supervisor", "surveillance", "rail", "house", "machine", "deadline"}
)
"""Names that the record uses for the staff, the machine and others who are not players."""
SEAT: Final = re.compile(r"seat \d+")
"""Names that the record uses for players."""

T = TypeVar("T")


class StoredPerson(msgspec.Struct, frozen=True):
    """A person as stored."""

    person: Person
    digest: str
    """The digest of the token; empty after the token is revoked."""


class StoredInvitation(msgspec.Struct, frozen=True):
    """An invitation as stored."""

    table: str
    role: Role
    used: bool = False


class People:
    """The people known to this server."""

    def __init__(
        self, store: HouseStore, clock: Callable[[], float] = monotonic, offload: Offload = DIRECT
    ) -> None:
        self._store = store
        self._offload = offload
        self._writes = asyncio.Lock()
        """Held for each change, so that two people cannot take the same handle or invitation."""
        self._clock = clock
        self._known: dict[str, StoredPerson] = {}
        self._by_digest: dict[str, str] = {}
        self._invited: dict[str, StoredInvitation] = {}
        """Unused invitations, by digest."""
        self._tickets: dict[str, tuple[str, str, float]] = {}
        self._waiting: dict[str, deque[str]] = {}
        """Digests of the latest tickets, by handle."""
        self.announce: Callable[[], Coroutine[Any, Any, None]] | None = None
        """Tells the other servers that share the database about a change."""
        self._read(store.kept())

    def _read(self, kept: Mapping[str, bytes]) -> None:
        for name, body in kept.items():
            kind, _, key = name.partition(":")
            if kind == "person":
                self._remember(msgspec.json.decode(body, type=StoredPerson))
            elif kind == "invitation":
                invited = msgspec.json.decode(body, type=StoredInvitation)
                if not invited.used:
                    self._invited[key] = invited
                else:
                    self._invited.pop(key, None)

    async def refresh(self) -> None:
        """Read the people and invitations that other servers have stored."""
        self._read(await self._offload.call(self._store.kept, long=True))

    # --- handles and tokens ---

    async def introduce(self, handle: str) -> tuple[Person, str] | Refusal:
        """Register a new handle; return the person and a token."""
        return await self._alone(self._introduce(handle))

    async def _introduce(self, handle: str) -> tuple[Person, str] | Refusal:
        name = " ".join(normalize("NFKC", handle).split())
        printable = name.isprintable() and "/" not in name and not _folded(name).endswith(_folded(BOT))
        reserved = _folded(name) in RESERVED or SEAT.fullmatch(_folded(name))
        if not name or len(name) > HANDLE_LETTERS or not printable or reserved:
            sentence = (
                f"choose another name: up to {HANDLE_LETTERS} letters, without “/”, and not a role or a bot"
            )
            return Refusal("bad-handle", None, "handle", sentence)
        if _folded(name) in self._known:
            return Refusal("handle-taken", None, "handle", f"the name {name} is taken; choose another")
        if len(self._known) >= MOST_PEOPLE:
            sentence = (
                f"all {MOST_PEOPLE:,} names of this server are in use; ask its operator for another server"
            )
            return Refusal("too-many-people", None, "handle", sentence)
        person, token = Person(handle=name), secrets.token_urlsafe(TOKEN_BYTES)
        await self._keep(StoredPerson(person, _digest(token)))
        return person, token

    def by_token(self, token: str) -> Person | None:
        """Return the person to whom a token belongs, or None."""
        name = self._by_digest.get(_digest(token)) if token else None
        return self._known[name].person if name else None

    async def revoke(self, handle: str) -> None:
        """Revoke a person's token. The handle stays taken, because records contain it."""
        await self._alone(self._revoke(handle))

    async def _revoke(self, handle: str) -> None:
        known = self._known.get(_folded(handle))
        if known is not None:
            await self._keep(StoredPerson(known.person, ""))

    def still(self, handle: str) -> Person | None:
        """Return the person with this handle, or None if the token has been revoked."""
        known = self._known.get(_folded(handle))
        return known.person if known is not None and known.digest else None

    def _remember(self, known: StoredPerson) -> None:
        name = _folded(known.person.handle)
        if name in self._known:
            self._by_digest.pop(self._known[name].digest, None)
        self._known[name] = known
        if known.digest:
            self._by_digest[known.digest] = name

    async def _keep(self, known: StoredPerson) -> None:
        await self._put(f"person:{_folded(known.person.handle)}", known)
        self._remember(known)

    # --- writing ---

    async def _alone(self, steps: Coroutine[Any, Any, T]) -> T:
        """Run steps after all earlier changes, and to their end even if the caller is cancelled."""

        async def in_order() -> T:
            try:
                async with self._writes:
                    return await steps
            finally:
                steps.close()

        return await self._offload.whole(in_order())

    async def _put(self, name: str, value: StoredPerson | StoredInvitation) -> None:
        body = msgspec.json.encode(value)
        await self._offload.call(lambda: self._store.keep(name, body))
        if self.announce is not None:
            await self.announce()

    # --- roles and invitations ---

    def may(self, person: Person, table: str, role: str) -> bool:
        """True if a person has a role at a table."""
        return any(role in person.roles.get(where, ()) for where in (table, EVERYWHERE))

    async def give(self, handle: str, table: str, *roles: Role) -> Person:
        """Give a person roles at a table."""
        return await self._alone(self._give(handle, table, *roles))

    async def _give(self, handle: str, table: str, *roles: Role) -> Person:
        known = self._known[_folded(handle)]
        had = known.person.roles.get(table, ())
        merged = {**known.person.roles, table: (*had, *(role for role in roles if role not in had))}
        changed = replace(known.person, roles=merged)
        await self._keep(StoredPerson(changed, known.digest))
        return changed

    def too_many_invited(self, table: str) -> Refusal | None:
        """Return a refusal if a table has too many unused invitations."""
        waiting = sum(invited.table == table for invited in self._invited.values())
        if waiting < MOST_INVITATIONS:
            return None
        sentence = f"this table has {waiting} unused invitations; use those first"
        return Refusal("too-many-invitations", None, "table", sentence)

    async def invite(self, table: str, role: Role) -> Invitation:
        """Create a single-use invitation to a role at a table."""
        secret = secrets.token_urlsafe(TOKEN_BYTES)
        await self._alone(self._keep_invited(_digest(secret), StoredInvitation(table, role)))
        return Invitation(link=f"/join/{secret}", invitation=secret)

    async def accept(self, person: Person, invitation: str) -> Person | Refusal:
        """Accept an invitation, which can be used once."""
        return await self._alone(self._accept(person, invitation))

    async def _accept(self, person: Person, invitation: str) -> Person | Refusal:
        digest = _digest(invitation)
        invited = self._invited.get(digest)
        if invited is None:
            sentence = "this invitation has been used or does not exist; ask for a new one"
            return Refusal("no-invitation", None, "invitation", sentence)
        await self._keep_invited(digest, replace(invited, used=True))
        return await self._give(person.handle, invited.table, invited.role)

    async def _keep_invited(self, digest: str, invited: StoredInvitation) -> None:
        await self._put(f"invitation:{digest}", invited)
        self._invited.pop(digest, None)
        if not invited.used:
            self._invited[digest] = invited

    # --- tickets ---

    def ticket(self, person: Person, table: str) -> Ticket:
        """Issue a ticket for one socket at one table."""
        secret = secrets.token_urlsafe(TOKEN_BYTES)
        waiting = self._waiting.setdefault(person.handle, deque(maxlen=WAITING_TICKETS))
        if len(waiting) == WAITING_TICKETS:
            self._tickets.pop(waiting[0], None)
        waiting.append(_digest(secret))
        self._tickets[_digest(secret)] = (person.handle, table, self._clock() + TICKET_SECONDS)
        return Ticket(ticket=secret, seconds=TICKET_SECONDS)

    def admit(self, ticket: str, table: str) -> Person | None:
        """Return the person whom a ticket admits to a table, or None. Either way, the ticket is used up."""
        handle, where, until = self._tickets.pop(_digest(ticket), ("", "", 0.0))
        if not handle or where != table or self._clock() >= until:
            return None
        return self.still(handle)


def _folded(handle: str) -> str:
    return normalize("NFKC", handle).casefold()


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
