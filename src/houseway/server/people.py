"""People and their access: handles (names), tokens, roles, invitations, tickets and recovery links.

A server on a private network asks for a handle and no password. Tokens, invitations, tickets and recovery
links are long random strings. Only their digests are stored, so a reader of the database cannot use them to
sign in.

Several servers may share the database. A server remembers a person for at most half a second, and forgets
everyone when it changes a role or a token itself. So a revocation takes effect at once on the server that
makes it, and within half a second on the others.

A player's message needs no role, so a server remembers the player's session for longer: until the number of
revocations, which it reads every 0.4 seconds, has changed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic, time
from typing import Final, TypeVar, cast

import msgspec

from houseway.audit.handles import folded, skeleton
from houseway.audit.sql.people_rows import (
    GrantRow,
    HandleLimits,
    NewPerson,
    PersonRow,
    TakenBy,
)
from houseway.audit.store import HouseStore
from houseway.audit.times import time_text
from houseway.client.messages import Grant, Invitation, Person, Recovery, Role, Ticket
from houseway.engine.refusals import Refusal
from houseway.live.house_log_writer import HouseLog
from houseway.live.offload import DIRECT, AbandonedError, Offload
from houseway.server.handle_rules import handle_refusal, is_bot, tidied

TOKEN_BYTES: Final = 32
TICKET_SECONDS: Final = 30
RECOVERY_HOURS: Final = 24
EVERYWHERE: Final = "*"
WAITING_TICKETS: Final = 8
"""The most unused tickets per person. A further ticket replaces the oldest."""
MOST_PEOPLE: Final = 20_000
"""The most handles that a server stores. A handle that a record contains never expires."""
NEARLY: Final = 0.9
"""Above this fraction of `MOST_PEOPLE`, unused handles expire earlier."""
IDLE_DAYS: Final = 30
"""Days after which an unused handle expires, if no record contains it."""
IDLE_IF_NEARLY: Final = 3600
"""Seconds after which an unused handle may expire if there are nearly too many handles."""
IDLE_IF_FULL: Final = 60
"""Seconds after which an unused handle may expire if there is no room for a new person. The least recently
used handle expires first."""
MOST_INVITATIONS: Final = 100
"""The most unused invitations per table."""
REMEMBERED: Final = 0.5
"""Seconds for which a person is remembered."""
MOST_REMEMBERED: Final = 4096
NOTED_EVERY: Final = 3600
"""Seconds between two updates of the time at which a person was last seen."""
NEW_NOTED_EVERY: Final = 15
"""The same for a person whose handle could expire; it must be shorter than `IDLE_IF_FULL`."""
HOUSE: Final = "house"
"""The name under which the server makes changes itself."""
OPERATOR: Final = "operator"
"""The name under which changes are made on the command line."""

T = TypeVar("T")


class Expiry(msgspec.Struct, frozen=True):
    """The days after which roles and invitations expire."""

    role_days: float = 30
    """Days after the last visit of the person who has the role."""
    invitation_days: float = 7


class PeopleChange(msgspec.Struct, frozen=True):
    """A change of a person's access, without any token."""

    kind: str
    """role-granted, role-revoked, invitation-created, token-rotated, token-revoked, recovery-created or
    recovery-used."""
    at: str
    who: str
    """The handle of the person who made the change, "house" or "operator"."""
    whom: str = ""
    """The handle of the person whose access changed; empty for an invitation."""
    table: str = ""
    """The table, "*" for every table, or empty if the change is not about a role."""
    role: str = ""


class Session(msgspec.Struct, frozen=True):
    """A person who is signed in with a token."""

    person: Person
    key: str
    """Identifies the session: it changes when the token is replaced."""


class People:
    """The people known to this server."""

    def __init__(
        self,
        store: HouseStore,
        clock: Callable[[], float] = time,
        offload: Offload = DIRECT,
        expiry: Expiry | None = None,
        log: HouseLog | None = None,
        ticks: Callable[[], float] = monotonic,
    ) -> None:
        self._log = log
        self._rows = store.people_rows()
        self._clock, self._ticks = clock, ticks
        self._offload = offload
        self._expiry = expiry or Expiry()
        self._remembered: dict[tuple[str, str], tuple[float, PersonRow]] = {}
        """People by token digest or by name, each with the time at which the row was read."""
        self._forgotten = 0
        """The number of calls of `forget`. A row that was read before the last call is not remembered."""
        self._revocations = -1
        """The number of revocations that was read last."""
        self._unrevoked = float("-inf")
        """The last time at which the number of revocations was read and had not changed."""
        self._recorded: set[str] = set()
        """Names that are known to be marked as recorded."""
        self.on_change: list[Callable[[PeopleChange], None]] = []
        """Called after each change of a role or a token, and for each invitation and recovery link."""

    # --- identity ---

    async def by_token(self, token: str, *, fresh: bool = False) -> Person | None:
        """Return the person to whom a token belongs, or None. If `fresh`, read the database."""
        if not token:
            return None
        digest = _digest(token)
        if fresh:
            self._remembered.pop(("token", digest), None)
        row = self._recall("token", digest)
        if row is None:
            (row,) = await self._offload.call(partial(self._read, "token", digest))
        return None if row is None else _as_person(row)

    async def still(self, handle: str) -> Person | None:
        """Return the person with this handle, or None if the token has been revoked."""
        session = (await self.sessions(handle))[handle]
        return None if session is None else session.person

    async def sessions(self, *handles: str, roles: bool = True) -> dict[str, Session | None]:
        """Return the sessions of people by handle; None for a person whose token has been revoked.

        If `roles` is False, roles that were given recently may be missing.
        """
        names = {handle: folded(handle) for handle in handles}
        unchanged = float("-inf") if roles else self._unrevoked

        def read() -> dict[str, Session | None]:
            return dict(zip(names, map(_session, self._read("name", *names.values())), strict=True))

        remembered = {handle: self._recall("name", name, unchanged) for handle, name in names.items()}
        if all(remembered.values()):
            return {handle: _session(row) for handle, row in remembered.items()}
        return await self._offload.call(read, long=len(names) > 1)

    def current(self, person: Person) -> Person:
        """Return a person with the roles that they have now. It may wait for the database."""
        if is_bot(person.handle):
            return person
        (row,) = self._read("name", folded(person.handle))
        return Person(handle=person.handle) if row is None or not row.token else _as_person(row)

    def may(self, person: Person, table: str, role: str) -> bool:
        """True if a person has a role at a table."""
        return any(role in person.roles.get(where, ()) for where in (table, EVERYWHERE))

    def mark_recorded(self, handle: str) -> None:
        """Note that a record may contain a handle from now on. It may wait for the database."""
        name = folded(handle)
        if name not in self._recorded and not is_bot(handle):
            self._rows.mark_recorded(name, self._now())
            self._recorded.add(name)

    def _recall(self, kind: str, key: str, unchanged: float = float("-inf")) -> PersonRow | None:
        """Return a remembered row that was read, or was known to be unchanged, a short time ago."""
        at, row = self._remembered.get((kind, key), (0.0, None))
        return row if row is not None and self._ticks() - max(at, unchanged) < REMEMBERED else None

    def _read(self, kind: str, *keys: str) -> list[PersonRow | None]:
        """Return people by their tokens or names, and update the time at which they were last seen."""
        now, rows, due = self._now(), list[PersonRow | None](), set[str]()
        for key in keys:
            row = self._recall(kind, key)
            if row is None:
                row = self._fetch(kind, key, now)
                due |= {row.name} if row is not None and _is_due(row, now) else set()
            rows.append(row)
        if due:
            self._rows.seen(due, now, self._roles_until(now))
        return rows

    def _fetch(self, kind: str, key: str, now: int) -> PersonRow | None:
        forgotten, since = self._forgotten, self._ticks()
        row = (self._rows.by_token if kind == "token" else self._rows.by_name)(key, now)
        if len(self._remembered) >= MOST_REMEMBERED:
            self._remembered = {}
        if row is not None and forgotten == self._forgotten:
            self._remembered[kind, key] = (since, row)
        return row

    def forget(self) -> None:
        """Forget everyone, so that the rows are read again."""
        self._forgotten += 1
        self._remembered = {}

    async def revocations(self) -> int:
        """Return a number that grows with each revoked role and replaced token, on any server.

        If it has grown, everyone is forgotten.
        """
        since = self._ticks()
        number = await self._offload.call(self._rows.revocations)
        if number == self._revocations:
            self._unrevoked = since
        else:
            self.forget()
            self._revocations = number
        return number

    # --- handles and tokens ---

    async def introduce(self, handle: str) -> tuple[Person, str] | Refusal:
        """Register a new handle; return the person and a token."""
        shown = tidied(handle)
        refused = handle_refusal(shown)
        if refused is not None:
            return refused
        token = secrets.token_urlsafe(TOKEN_BYTES)
        new = NewPerson(folded(shown), shown, skeleton(shown), _digest(token))
        added = await self._change(lambda: (self._rows.add(new, _handle_limits(), self._now()), ()))
        if isinstance(added, TakenBy):
            if added.same:
                return Refusal("handle-taken", None, "handle", f"the name {shown} is taken; choose another")
            sentence = f"the name {shown} looks like {added.handle}, which is taken; choose another"
            return Refusal("handle-looks-alike", None, "handle", sentence)
        if not added:
            sentence = f"all {MOST_PEOPLE:,} names of this server are in use; try again in a minute"
            return Refusal("too-many-people", None, "handle", sentence)
        return Person(handle=shown), token

    async def revoke(self, handle: str, by: str = "") -> bool:
        """Revoke a person's token; return False if there is no such person. The handle stays taken."""
        return await self._replace_token(handle, None, "token-revoked", by or handle)

    async def rotate(self, handle: str, token: str) -> str | None:
        """Replace a person's token, and return the new one; None if the old token is no longer valid."""
        new = secrets.token_urlsafe(TOKEN_BYTES)
        replaced = await self._replace_token(handle, _digest(new), "token-rotated", handle, _digest(token))
        return new if replaced else None

    async def _replace_token(
        self, handle: str, token: str | None, kind: str, by: str, old: str | None = None
    ) -> bool:
        def replace() -> tuple[bool, Sequence[PeopleChange]]:
            replaced = self._rows.replace_token(folded(handle), token, old=old)
            return replaced, [self._changed(kind, by, self._shown(handle))] * replaced

        return await self._change(replace)

    async def recovery(self, handle: str, token: str | None = None) -> Recovery | None:
        """Create a single-use link that signs a person in on another device. It replaces earlier links.

        `token` is the token of the person who asks for the link; if it is None, the operator asks. Returns
        None if there is no such person, or if the token is no longer valid.
        """
        secret, by = secrets.token_urlsafe(TOKEN_BYTES), OPERATOR if token is None else handle
        own = None if token is None else _digest(token)

        def create() -> tuple[bool, Sequence[PeopleChange]]:
            now = self._now()
            until = now + 1000 * 3600 * RECOVERY_HOURS
            created = self._rows.add_recovery(_digest(secret), folded(handle), by, now, until, token=own)
            return created, [self._changed("recovery-created", by, self._shown(handle))] * created

        if not await self._change(create):
            return None
        return Recovery(link=f"/recover/{secret}", recovery=secret, hours=RECOVERY_HOURS)

    async def recover(self, secret: str) -> tuple[Person, str] | Refusal:
        """Sign in with a recovery link: return the person and a new token. The old token stops working."""
        token = secrets.token_urlsafe(TOKEN_BYTES)

        def use() -> tuple[PersonRow | None, Sequence[PeopleChange]]:
            used = self._rows.use_recovery(_digest(secret), _digest(token), self._now())
            if used is None:
                return None, ()
            row, by = used
            return row, [self._changed("recovery-used", by, row.handle)]

        row = await self._change(use)
        if row is None:
            sentence = "this recovery link has been used or has expired; ask for a new one"
            return Refusal("no-recovery", None, "recovery", sentence)
        return _as_person(row), token

    # --- roles and invitations ---

    async def give(self, handle: str, table: str, *roles: Role, by: str = HOUSE) -> Person:
        """Give a person roles at a table; raises KeyError if there is no such person."""
        name = folded(handle)

        def give() -> tuple[Person, Sequence[PeopleChange]]:
            now = self._now()
            if self._rows.by_name(name, now) is None:
                raise KeyError(handle)
            self._log_grant(name, table, roles, by, now)
            new = self._rows.grant(name, table, roles, by, now, self._roles_until(now))
            row = self._rows.by_name(name, now)
            self._log_in_force(row, table, new, by)
            given = [self._changed("role-granted", by, handle, table, role) for role in new]
            return (Person(handle=handle) if row is None else _as_person(row)), given

        return await self._change(give)

    def _log_grant(self, name: str, table: str, roles: Sequence[str], by: str, now: int) -> None:
        """Write roles to the house log before they are in force. It may wait for the database."""
        row = self._rows.by_name(name, now)
        new = [role for role in roles if row is None or role not in row.roles.get(table, ())]
        if new and self._log is not None:
            self._rows.prepare(name, table, new, by, now)
            self._log.role_granted(name, table, new, by)

    def _log_in_force(self, row: PersonRow | None, table: str, roles: Sequence[str], by: str) -> None:
        """Make sure that the house log has the roles that a person has now."""
        held = [role for role in roles if row is not None and role in row.roles.get(table, ())]
        if row is not None and held and self._log is not None:
            self._log.role_in_force(row.name, table, held, by)

    async def take(self, handle: str, table: str, role: str, by: str) -> Refusal | None:
        """Take a role at a table from a person."""

        def take() -> tuple[bool, Sequence[PeopleChange]]:
            taken = self._rows.revoke(folded(handle), table, role, by)
            if self._log is not None:
                self._log.log_revocations()
            return taken, [self._changed("role-revoked", by, self._shown(handle), table, role)] * taken

        if await self._change(take):
            return None
        where = "at every table" if table == EVERYWHERE else f"at {table}"
        sentence = f"{handle[:40]} does not have the role {role} {where}; list the roles first"
        return Refusal("no-such-role", None, "role", sentence)

    async def grants(self, table: str | None = None) -> tuple[Grant, ...]:
        """Return the roles that people have at a table; without a table, all roles."""
        rows = await self._offload.call(lambda: self._rows.grants(self._now(), table))
        return tuple(map(_as_grant, rows))

    async def invite(self, table: str, role: Role, by: str = OPERATOR) -> Invitation | Refusal:
        """Create a single-use invitation to a role at a table."""
        secret = secrets.token_urlsafe(TOKEN_BYTES)

        def invite() -> tuple[bool, Sequence[PeopleChange]]:
            now = self._now()
            until = now + _days(self._expiry.invitation_days)
            digest = _digest(secret)
            stored = self._rows.add_invitation(digest, table, role, by, now, until, MOST_INVITATIONS)
            return stored, [self._changed("invitation-created", by, "", table, role)] * stored

        if await self._change(invite):
            return Invitation(link=f"/join/{secret}", invitation=secret)
        sentence = f"this table has {MOST_INVITATIONS} unused invitations; use those first"
        return Refusal("too-many-invitations", None, "table", sentence)

    async def accept(self, person: Person, invitation: str) -> Person | Refusal:
        """Accept an invitation, which can be used once."""
        name = folded(person.handle)

        def accept() -> tuple[PersonRow | None, Sequence[PeopleChange]]:
            now = self._now()
            invited = self._rows.invitation(_digest(invitation), now)
            if invited is not None:
                place, role, by = invited
                self._log_grant(name, place, (role,), f"invitation of {by}" if by else "invitation", now)
            given = self._rows.use_invitation(_digest(invitation), name, now, self._roles_until(now))
            if given is None:
                return None, ()
            row = self._rows.by_name(name, now)
            self._log_in_force(row, given.place, (given.role,), given.granted_by)
            change = self._changed("role-granted", given.granted_by, person.handle, given.place, given.role)
            return row, [change]

        row = await self._change(accept)
        if row is None:
            sentence = "this invitation has been used, has expired or does not exist; ask for a new one"
            return Refusal("no-invitation", None, "invitation", sentence)
        return _as_person(row)

    # --- tickets ---

    async def ticket(self, person: Person, table: str) -> Ticket:
        """Issue a ticket for one socket at one table."""
        secret = secrets.token_urlsafe(TOKEN_BYTES)

        def issue() -> None:
            now, digest, name = self._now(), _digest(secret), folded(person.handle)
            self._rows.add_ticket(digest, name, table, now, now + 1000 * TICKET_SECONDS, WAITING_TICKETS)

        await self._offload.call(issue)
        return Ticket(ticket=secret, seconds=TICKET_SECONDS)

    async def admit(self, ticket: str, table: str) -> Session | None:
        """Return the session that a ticket admits to a table, or None. The ticket is used up either way."""
        digest = _digest(ticket)
        return _session(await self._offload.call(lambda: self._rows.use_ticket(digest, table, self._now())))

    # --- changes ---

    async def _change(self, work: Callable[[], tuple[T, Sequence[PeopleChange]]]) -> T:
        """Make a change and report it, even if the caller is cancelled meanwhile."""
        return await self._offload.whole(self._make_change(work))

    async def _make_change(self, work: Callable[[], tuple[T, Sequence[PeopleChange]]]) -> T:
        made: list[PeopleChange] = []

        def change() -> T:
            result, changes = work()
            made.extend(changes)
            return result

        def report() -> None:
            if made:
                self.forget()
            for one in made:
                for then in self.on_change:
                    then(one)

        try:
            result = await self._offload.call(change)
        except AbandonedError as error:
            # The database may make the change after all.
            error.when_ended.append(report)
            raise
        report()
        return result

    def _changed(self, kind: str, who: str, whom: str, table: str = "", role: str = "") -> PeopleChange:
        return PeopleChange(kind, time_text(self._now()), who, whom, table, role)

    def _shown(self, handle: str) -> str:
        """Return a handle as its person chose it."""
        row = self._rows.by_name(folded(handle), self._now())
        return handle if row is None else row.handle

    def _now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return int(1000 * self._clock())

    def _roles_until(self, now: int) -> int:
        return now + _days(self._expiry.role_days)


def _handle_limits() -> HandleLimits:
    return HandleLimits(
        most=MOST_PEOPLE,
        nearly=int(MOST_PEOPLE * NEARLY),
        idle=_days(IDLE_DAYS),
        idle_if_nearly=1000 * IDLE_IF_NEARLY,
        idle_if_full=1000 * IDLE_IF_FULL,
    )


def _is_due(row: PersonRow, now: int) -> bool:
    """True if the time at which a person was last seen must be updated."""
    every = NEW_NOTED_EVERY if row.recorded_at is None else NOTED_EVERY
    return bool(row.token) and now - row.last_seen_at >= 1000 * every


def _as_person(row: PersonRow) -> Person:
    return Person(handle=row.handle, roles=cast("dict[str, tuple[Role, ...]]", row.roles))


def _session(row: PersonRow | None) -> Session | None:
    return Session(_as_person(row), row.token) if row is not None and row.token else None


def _as_grant(row: GrantRow) -> Grant:
    return Grant(
        handle=row.handle,
        table=row.place,
        role=cast("Role", row.role),
        granted_by=row.granted_by,
        granted_at=time_text(row.granted_at),
        expires_at=time_text(row.expires_at),
    )


def _days(days: float) -> int:
    """Return days in milliseconds."""
    return int(days * 24 * 3600 * 1000)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
