"""Who may come in, and as what: handles, tokens, invitations, tickets.

A house on one's own network asks for a handle and no password. What it hands out is random and long; what
it keeps of it is a digest, so that nobody who reads the database can come in with it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Final
from unicodedata import normalize

import msgspec
from msgspec.structs import replace

from houseway.audit.store import HouseStore
from houseway.client.messages import Invitation, Person, Role, Ticket
from houseway.engine.refusals import Refusal

TOKEN_BYTES: Final = 32
TICKET_SECONDS: Final = 30
HANDLE_LETTERS: Final = 24
EVERYWHERE: Final = "*"
BOT: Final = "(bot)"
"""What ends the handle of a program, and of no person."""
WAITING_TICKETS: Final = 8
"""Tickets of one person that may wait for their sockets at once; a new one takes the oldest one's place."""
MOST_PEOPLE: Final = 20_000
"""Handles a house keeps; they are on record, so none is given twice."""
MOST_INVITATIONS: Final = 100
"""Invitations to one table that may wait to be taken up."""
RESERVED: Final = frozenset(
    {"dealer", "floor", "floorperson", "supervisor", "surveillance", "rail", "house", "machine", "deadline"}
)
"""What the record calls those who work at a table."""
SEAT: Final = re.compile(r"seat \d+")
"""What it calls those who play."""


class Known(msgspec.Struct, frozen=True):
    """What the house keeps of a person."""

    person: Person
    digest: str
    """Of the token; empty once it is revoked."""


class Invited(msgspec.Struct, frozen=True):
    """What the house keeps of an invitation."""

    table: str
    role: Role
    used: bool = False


class People:
    """The people a house knows."""

    def __init__(self, store: HouseStore, clock: Callable[[], float] = monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: dict[str, Known] = {}
        self._by_digest: dict[str, str] = {}
        self._invited: dict[str, Invited] = {}
        """Those not taken up yet."""
        self._tickets: dict[str, tuple[str, str, float]] = {}
        self._waiting: dict[str, deque[str]] = {}
        """By handle, the tickets given out last."""
        for name, body in store.kept().items():
            kind, _, key = name.partition(":")
            if kind == "person":
                self._remember(msgspec.json.decode(body, type=Known))
            elif kind == "invitation":
                invited = msgspec.json.decode(body, type=Invited)
                if not invited.used:
                    self._invited[key] = invited

    # --- handles and tokens ---

    def introduce(self, handle: str) -> tuple[Person, str] | Refusal:
        """A new person under a handle nobody has, and that person's token."""
        name = " ".join(normalize("NFKC", handle).split())
        printable = name.isprintable() and "/" not in name and not _folded(name).endswith(_folded(BOT))
        works = _folded(name) in RESERVED or SEAT.fullmatch(_folded(name))
        if not name or len(name) > HANDLE_LETTERS or not printable or works:
            sentence = f"a handle is a name of up to {HANDLE_LETTERS} letters, and nobody's work here"
            return Refusal("bad-handle", None, "handle", sentence)
        if _folded(name) in self._known:
            sentence = f"{name} is somebody else's handle in this house; take another"
            return Refusal("handle-taken", None, "handle", sentence)
        if len(self._known) >= MOST_PEOPLE:
            sentence = f"this house has {MOST_PEOPLE} people, its limit; open another with its own --db"
            return Refusal("too-many-people", None, "handle", sentence)
        person, token = Person(handle=name), secrets.token_urlsafe(TOKEN_BYTES)
        self._keep(Known(person, _digest(token)))
        return person, token

    def by_token(self, token: str) -> Person | None:
        """The person a token belongs to."""
        name = self._by_digest.get(_digest(token)) if token else None
        return self._known[name].person if name else None

    def revoke(self, handle: str) -> None:
        """End a person's token; the handle stays taken, because the record names it."""
        known = self._known.get(_folded(handle))
        if known is not None:
            self._keep(Known(known.person, ""))

    def still(self, handle: str) -> Person | None:
        """A person whose token stands, as of now."""
        known = self._known.get(_folded(handle))
        return known.person if known is not None and known.digest else None

    def _remember(self, known: Known) -> None:
        name = _folded(known.person.handle)
        if name in self._known:
            self._by_digest.pop(self._known[name].digest, None)
        self._known[name] = known
        if known.digest:
            self._by_digest[known.digest] = name

    def _keep(self, known: Known) -> None:
        self._store.keep(f"person:{_folded(known.person.handle)}", msgspec.json.encode(known))
        self._remember(known)

    # --- roles and invitations ---

    def may(self, person: Person, table: str, role: str) -> bool:
        """Whether a person has a role at a table."""
        return any(role in person.roles.get(where, ()) for where in (table, EVERYWHERE))

    def give(self, handle: str, table: str, *roles: Role) -> Person:
        """Give a person roles at a table."""
        known = self._known[_folded(handle)]
        had = known.person.roles.get(table, ())
        merged = {**known.person.roles, table: (*had, *(role for role in roles if role not in had))}
        changed = replace(known.person, roles=merged)
        self._keep(Known(changed, known.digest))
        return changed

    def too_many_invited(self, table: str) -> Refusal | None:
        """Why nobody more may be invited to a table now."""
        waiting = sum(found.table == table for found in self._invited.values())
        if waiting < MOST_INVITATIONS:
            return None
        sentence = f"{waiting} invitations to this table wait to be taken up; give those away first"
        return Refusal("too-many-invitations", None, "table", sentence)

    def invite(self, table: str, role: Role) -> Invitation:
        """A link that gives whoever takes it up first a role at a table."""
        drawn = secrets.token_urlsafe(TOKEN_BYTES)
        self._keep_invited(_digest(drawn), Invited(table, role))
        return Invitation(link=f"/join/{drawn}", invitation=drawn)

    def accept(self, person: Person, invitation: str) -> Person | Refusal:
        """Take an invitation up; it is good once."""
        digest = _digest(invitation)
        found = self._invited.get(digest)
        if found is None:
            sentence = "this invitation is used or was never given; ask for a new one"
            return Refusal("no-invitation", None, "invitation", sentence)
        self._keep_invited(digest, replace(found, used=True))
        return self.give(person.handle, found.table, found.role)

    def _keep_invited(self, digest: str, invited: Invited) -> None:
        self._store.keep(f"invitation:{digest}", msgspec.json.encode(invited))
        self._invited.pop(digest, None)
        if not invited.used:
            self._invited[digest] = invited

    # --- tickets ---

    def ticket(self, person: Person, table: str) -> Ticket:
        """A ticket for one socket at one table."""
        drawn = secrets.token_urlsafe(TOKEN_BYTES)
        waiting = self._waiting.setdefault(person.handle, deque(maxlen=WAITING_TICKETS))
        if len(waiting) == WAITING_TICKETS:
            self._tickets.pop(waiting[0], None)
        waiting.append(_digest(drawn))
        self._tickets[_digest(drawn)] = (person.handle, table, self._clock() + TICKET_SECONDS)
        return Ticket(ticket=drawn, seconds=TICKET_SECONDS)

    def admit(self, ticket: str, table: str) -> Person | None:
        """The person a ticket lets in at a table; the ticket is gone, whatever comes of it."""
        handle, where, until = self._tickets.pop(_digest(ticket), ("", "", 0.0))
        if not handle or where != table or self._clock() >= until:
            return None
        return self.still(handle)


def _folded(handle: str) -> str:
    return normalize("NFKC", handle).casefold()


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
