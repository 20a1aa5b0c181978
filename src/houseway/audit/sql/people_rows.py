"""People, roles, invitations, tickets and recovery links as rows of a database.

Several servers may use one database at once. A constraint decides which server gets a handle. To use
an invitation, a ticket or a recovery link, one SQL statement marks or deletes its row if it is still
unused, so two servers cannot both use it. Times are milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from houseway.audit.sql.host_rows import HostRows
from houseway.audit.sql.short_transactions import Transaction

KEPT_INVITATIONS: Final = 30 * 24 * 3600 * 1000
"""Milliseconds for which used and expired invitations are kept, to show who used them."""

_PERSON: Final = "p.name, p.handle, p.token, p.created_at, p.last_seen_at, p.recorded_at"
_WITH_ROLES: Final = (
    f"SELECT {_PERSON}, g.place, g.role FROM people p"
    " LEFT JOIN role_grants g ON g.person = p.name AND g.expires_at > :now"
)
_IN_ORDER: Final = " ORDER BY g.granted_at, g.place, g.role"
_NEVER_RECORDED: Final = (
    "recorded_at IS NULL AND last_seen_at < :before AND NOT EXISTS"
    " (SELECT 1 FROM role_grants g WHERE g.person = people.name)"
)
"""The condition for handles that no record contains, that nobody has used since `before`, and that never
had a role."""
_OLDEST: Final = (
    f"DELETE FROM people WHERE name = (SELECT name FROM people WHERE {_NEVER_RECORDED}"
    " ORDER BY last_seen_at, name LIMIT 1)"
)


class PersonRow(msgspec.Struct, frozen=True):
    """A person, and the roles that have not expired."""

    name: str
    handle: str
    token: str
    """The digest of the token; empty after the token is revoked."""
    created_at: int
    last_seen_at: int
    recorded_at: int | None
    """The time since which a record may contain the handle; None if no record can."""
    roles: dict[str, tuple[str, ...]]
    """The roles at each place."""


class GrantRow(msgspec.Struct, frozen=True):
    """A role of a person at a place, and the person who gave it."""

    handle: str
    place: str
    role: str
    granted_by: str
    granted_at: int
    expires_at: int


class LoggedRole(msgspec.Struct, frozen=True):
    """A role of a person, with the fields that are compared with the house log."""

    person: str
    place: str
    role: str
    granted_by: str
    revoked_by: str | None
    """The person who revoked the role; None while it is in force."""


class NewPerson(msgspec.Struct, frozen=True):
    """A handle to register."""

    name: str
    handle: str
    skeleton: str
    token: str


class HandleLimits(msgspec.Struct, frozen=True):
    """The maximum number of handles, and the idle times after which a handle expires.

    Only a handle that no record contains can expire.
    """

    most: int
    nearly: int
    """From this number of handles on, handles expire earlier."""
    idle: int
    """The general idle time, in milliseconds."""
    idle_if_nearly: int
    """A shorter idle time, for the least recently used handle, if there are at least `nearly` handles."""
    idle_if_full: int
    """A still shorter idle time, for the least recently used handle, if there are `most` handles."""


class TakenBy(msgspec.Struct, frozen=True):
    """An existing handle that prevents a new one, because it is the same or looks like it."""

    handle: str
    same: bool
    """True if the two handles are the same; False if they only look alike."""


class PeopleRows(HostRows):
    """The rows for people in one database."""

    # --- people and their tokens ---

    def by_token(self, token: str, now: int) -> PersonRow | None:
        """Return the person with this digest of a token, or None."""
        rows = self._database.read(f"{_WITH_ROLES} WHERE p.token = :token{_IN_ORDER}", token=token, now=now)
        return _person(rows)

    def by_name(self, name: str, now: int) -> PersonRow | None:
        """Return the person with this name, or None."""
        return _person(
            self._database.read(f"{_WITH_ROLES} WHERE p.name = :name{_IN_ORDER}", name=name, now=now)
        )

    def everyone(self) -> list[PersonRow]:
        """Return all people by name, without their roles."""
        rows = self._database.read(f"SELECT {_PERSON} FROM people p")
        return sorted((_row(row, {}) for row in rows), key=lambda person: person.name)

    def add(self, person: NewPerson, limits: HandleLimits, now: int) -> TakenBy | bool:
        """Register a handle and return True. Return the existing handle that prevents it, or False if there
        are too many handles."""
        with self._database.transaction() as transaction:
            transaction.do(f"DELETE FROM people WHERE {_NEVER_RECORDED}", before=now - limits.idle)
            if taken := _taken(transaction, person):
                return taken
            if not _make_room(transaction, limits, now):
                return False
            added = transaction.do(
                "INSERT INTO people (name, handle, skeleton, token, created_at, last_seen_at)"
                " VALUES (:name, :handle, :skeleton, :token, :now, :now) ON CONFLICT DO NOTHING",
                **msgspec.structs.asdict(person),
                now=now,
            )
            # Another server may have registered the handle since.
            return added == 1 or _taken(transaction, person) or False

    def seen(self, names: Iterable[str], now: int, roles_until: int) -> None:
        """Store the current time as the time when these people were last here, and extend their roles."""
        with self._database.transaction() as transaction:
            # All servers update people in the same order, so that they cannot deadlock.
            for name in sorted(names):
                transaction.do(
                    "UPDATE people SET last_seen_at = :now WHERE name = :name", name=name, now=now
                )
                transaction.do(
                    "UPDATE role_grants SET expires_at = :until"
                    " WHERE person = :name AND expires_at > :now AND expires_at < :until",
                    name=name,
                    now=now,
                    until=roles_until,
                )

    def mark_recorded(self, name: str, now: int) -> None:
        """Mark a handle as one that a record may contain, so that it never expires."""
        with self._database.transaction() as transaction:
            transaction.do(
                "UPDATE people SET recorded_at = :now WHERE name = :name AND recorded_at IS NULL",
                name=name,
                now=now,
            )

    def replace_token(self, name: str, token: str | None, *, old: str | None = None) -> bool:
        """Replace a person's token, or revoke it if `token` is None.

        Return False if there is no such person. If `old` is given, the token is replaced only if `old` is
        still its digest. Tickets and recovery links of the person stop working.
        """
        with self._database.transaction() as transaction:
            return _replace_token(transaction, name, token, old)

    # --- roles ---

    def grant(
        self, name: str, place: str, roles: Iterable[str], by: str, now: int, until: int
    ) -> list[str]:
        """Give a person roles. Return the roles that the person did not have before."""
        with self._database.transaction() as transaction:
            return [role for role in roles if _grant(transaction, name, place, role, by, now, until)]

    def prepare(self, name: str, place: str, roles: Iterable[str], by: str, now: int) -> None:
        """Add rows for roles that are not in force yet, so that every role in the house log has a row."""
        with self._database.transaction() as transaction:
            for role in roles:
                transaction.do(
                    "INSERT INTO role_grants"
                    " (person, place, role, granted_by, granted_at, expires_at, revoked_by)"
                    " VALUES (:name, :place, :role, :by, :now, 0, :by) ON CONFLICT DO NOTHING",
                    name=name,
                    place=place,
                    role=role,
                    by=by,
                    now=now,
                )

    def logged_roles(self) -> list[LoggedRole]:
        """Return all roles that anyone ever had, including revoked and expired roles."""
        rows = self._database.read("SELECT person, place, role, granted_by, revoked_by FROM role_grants")
        return [LoggedRole(*row) for row in rows]

    def revoke(self, name: str, place: str, role: str, by: str) -> bool:
        """Revoke a person's role. Return False if the person does not have it.

        Unused invitations that the person created at this place stop working.
        """
        with self._database.transaction() as transaction:
            taken = transaction.do(
                "UPDATE role_grants SET expires_at = 0, revoked_by = :by"
                " WHERE person = :name AND place = :place AND role = :role AND expires_at > 0",
                name=name,
                place=place,
                role=role,
                by=by,
            )
            if taken:
                # Otherwise, an invitation that the person created before would give the role back.
                transaction.do(
                    "DELETE FROM invitations WHERE used_by IS NULL AND (place = :place OR :place = '*')"
                    " AND created_by = (SELECT handle FROM people WHERE name = :name)",
                    name=name,
                    place=place,
                )
                _count_revocation(transaction)
            return bool(taken)

    def grants(self, now: int, place: str | None = None) -> list[GrantRow]:
        """Return the roles that have not expired, at one place or at all places."""
        rows = self._database.read(
            "SELECT p.handle, g.place, g.role, g.granted_by, g.granted_at, g.expires_at"
            " FROM role_grants g JOIN people p ON p.name = g.person WHERE g.expires_at > :now",
            now=now,
        )
        listed = (GrantRow(*row) for row in rows)
        return sorted(
            (grant for grant in listed if place in (None, grant.place)),
            key=lambda grant: (grant.place, grant.granted_at, grant.handle, grant.role),
        )

    def revocations(self) -> int:
        """Return a number that increases with each revoked role and each replaced token."""
        return int(self._database.read("SELECT number FROM revocations")[0][0])

    # --- invitations, tickets, recovery links ---

    def add_invitation(
        self, digest: str, place: str, role: str, by: str, now: int, until: int, most: int
    ) -> bool:
        """Store an invitation. Return False if the place already has `most` unused ones."""
        with self._database.transaction() as transaction:
            transaction.do("DELETE FROM invitations WHERE expires_at < :old", old=now - KEPT_INVITATIONS)
            ((unused,),) = transaction.read(
                "SELECT count(*) FROM invitations"
                " WHERE place = :place AND used_by IS NULL AND expires_at > :now",
                place=place,
                now=now,
            )
            if unused >= most:
                return False
            transaction.do(
                "INSERT INTO invitations (digest, place, role, created_by, created_at, expires_at)"
                " VALUES (:digest, :place, :role, :by, :now, :until)",
                digest=digest,
                place=place,
                role=role,
                by=by,
                now=now,
                until=until,
            )
            return True

    def invitation(self, digest: str, now: int) -> tuple[str, str, str] | None:
        """Return the place, the role and the creator of an unused invitation, or None."""
        rows = self._database.read(
            "SELECT place, role, created_by FROM invitations"
            " WHERE digest = :digest AND used_by IS NULL AND expires_at > :now",
            digest=digest,
            now=now,
        )
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    def use_invitation(self, digest: str, name: str, now: int, until: int) -> GrantRow | None:
        """Give a person the role of an unused invitation until a time. Return None if there is no such
        invitation."""
        with self._database.transaction() as transaction:
            used = transaction.do(
                "UPDATE invitations SET used_by = :name"
                " WHERE digest = :digest AND used_by IS NULL AND expires_at > :now",
                digest=digest,
                name=name,
                now=now,
            )
            if used != 1:
                return None
            ((place, role, by),) = transaction.read(
                "SELECT place, role, created_by FROM invitations WHERE digest = :digest", digest=digest
            )
            _grant(transaction, name, place, role, by, now, until)
            return GrantRow(name, place, role, by, now, until)

    def add_ticket(self, digest: str, name: str, place: str, now: int, until: int, most: int) -> None:
        """Store a ticket of a person. If the person has more than `most`, the oldest ones stop working."""
        with self._database.transaction() as transaction:
            transaction.do(
                "DELETE FROM tickets WHERE person = :name AND expires_at <= :now", name=name, now=now
            )
            transaction.do(
                "DELETE FROM tickets WHERE person = :name AND digest NOT IN (SELECT digest FROM tickets"
                " WHERE person = :name ORDER BY expires_at DESC LIMIT :others)",
                name=name,
                others=most - 1,
            )
            transaction.do(
                "INSERT INTO tickets (digest, person, place, expires_at)"
                " VALUES (:digest, :name, :place, :until)",
                digest=digest,
                name=name,
                place=place,
                until=until,
            )

    def use_ticket(self, digest: str, place: str, now: int) -> PersonRow | None:
        """Return the person whom a ticket admits to a place, or None.

        In both cases, the ticket is used up.
        """
        with self._database.transaction() as transaction:
            values = {"digest": digest}
            rows = transaction.read(
                "SELECT person, place, expires_at FROM tickets WHERE digest = :digest", **values
            )
            # If two servers read the row at once, only one of them deletes it.
            if transaction.do("DELETE FROM tickets WHERE digest = :digest", **values) != 1:
                return None
            name, where, until = rows[0]
            if where != place or until <= now:
                return None
            return _by_name(transaction, name, now)

    def add_recovery(
        self, digest: str, name: str, by: str, now: int, until: int, *, token: str | None = None
    ) -> bool:
        """Store a recovery link. It replaces earlier links. Return False if there is no such person.

        If `token` is given, the link is stored only if `token` is still the digest of the person's token.
        """
        with self._database.transaction() as transaction:
            person = _by_name(transaction, name, now)
            if person is None or token not in (None, person.token):
                return False
            transaction.do("DELETE FROM recoveries WHERE person = :name", name=name)
            transaction.do(
                "INSERT INTO recoveries (digest, person, created_by, created_at, expires_at)"
                " VALUES (:digest, :name, :by, :now, :until)",
                digest=digest,
                name=name,
                by=by,
                now=now,
                until=until,
            )
            return True

    def use_recovery(self, digest: str, token: str, now: int) -> tuple[PersonRow, str] | None:
        """Give the person of a recovery link a new token. Return the person and the creator of the link, or
        None if there is no such link."""
        with self._database.transaction() as transaction:
            values = {"digest": digest, "now": now}
            rows = transaction.read(
                "SELECT person, created_by FROM recoveries WHERE digest = :digest AND expires_at > :now",
                **values,
            )
            if (
                transaction.do(
                    "DELETE FROM recoveries WHERE digest = :digest AND expires_at > :now", **values
                )
                != 1
            ):
                return None
            name, by = rows[0]
            _replace_token(transaction, name, token, None)
            person = _by_name(transaction, name, now)
            return None if person is None else (person, by)


def _row(row: Sequence[Any], roles: dict[str, tuple[str, ...]]) -> PersonRow:
    name, handle, token, created_at, last_seen_at, recorded_at = row
    return PersonRow(name, handle, token or "", created_at, last_seen_at, recorded_at, roles)


def _person(rows: Sequence[Sequence[Any]]) -> PersonRow | None:
    """Return a person from joined rows, one for each role; a person without roles has one row."""
    roles: dict[str, tuple[str, ...]] = {}
    for *_, place, role in rows:
        if place is not None:
            roles[place] = (*roles.get(place, ()), role)
    return _row(rows[0][:-2], roles) if rows else None


def _by_name(transaction: Transaction, name: str, now: int) -> PersonRow | None:
    return _person(transaction.read(f"{_WITH_ROLES} WHERE p.name = :name{_IN_ORDER}", name=name, now=now))


def _taken(transaction: Transaction, person: NewPerson) -> TakenBy | None:
    rows = transaction.read(
        "SELECT name, handle FROM people WHERE name = :name OR skeleton = :skeleton",
        name=person.name,
        skeleton=person.skeleton,
    )
    same = [handle for name, handle in rows if name == person.name]
    return TakenBy((same or [rows[0][1]])[0], bool(same)) if rows else None


def _make_room(transaction: Transaction, limits: HandleLimits, now: int) -> bool:
    """Delete the least recently used handle if there are nearly too many.

    Return False if there is no room.
    """
    ((count,),) = transaction.read("SELECT count(*) FROM people")
    if count < limits.nearly:
        return True
    idle = limits.idle_if_full if count >= limits.most else limits.idle_if_nearly
    deleted = transaction.do(_OLDEST, before=now - idle)
    return bool(count - deleted < limits.most)


def _replace_token(transaction: Transaction, name: str, token: str | None, old: str | None) -> bool:
    unchanged = "" if old is None else " AND token = :old"
    values = {} if old is None else {"old": old}
    statement = f"UPDATE people SET token = :token WHERE name = :name{unchanged}"
    if transaction.do(statement, name=name, token=token, **values) != 1:
        return False
    transaction.do("DELETE FROM tickets WHERE person = :name", name=name)
    transaction.do("DELETE FROM recoveries WHERE person = :name", name=name)
    _count_revocation(transaction)
    return True


def _grant(
    transaction: Transaction, name: str, place: str, role: str, by: str, now: int, until: int
) -> bool:
    """Give a role, or extend it. Return True if the person did not have it before."""
    values = {"name": name, "place": place, "role": role, "now": now, "until": until}
    extended = transaction.do(
        "UPDATE role_grants SET expires_at = :until"
        " WHERE person = :name AND place = :place AND role = :role AND expires_at > :now",
        **values,
    )
    if extended:
        return False
    transaction.do(
        "INSERT INTO role_grants (person, place, role, granted_by, granted_at, expires_at)"
        " VALUES (:name, :place, :role, :by, :now, :until) ON CONFLICT (person, place, role) DO UPDATE"
        " SET granted_by = excluded.granted_by, granted_at = excluded.granted_at,"
        " expires_at = excluded.expires_at, revoked_by = NULL",
        **values,
        by=by,
    )
    return True


def _count_revocation(transaction: Transaction) -> None:
    transaction.do("UPDATE revocations SET number = number + 1")
