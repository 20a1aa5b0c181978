"""Classes, their trainees, and their attempts at exams, as rows of a database.

Several servers may use one database at once. Constraints, row locks and single SQL statements prevent
races: two servers cannot give two attempts the same number. Times are milliseconds since 1970. The result
of an attempt is not stored here. The row names the entry with the result in the trainee's own stream, so
the result disappears if the trainee erases the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

from houseway.audit.sql.short_transactions import ShortTransactions, Transaction

_CLASS: Final = (
    "SELECT c.id, c.name, p.handle, c.created_at, c.closed_at, c.invited_until, c.exam, c.rulebook,"
    " c.mode, c.exam_set_at,"
    " (SELECT count(*) FROM class_members m WHERE m.class = c.id AND m.left_at IS NULL)"
    " FROM classes c JOIN people p ON p.name = c.instructor"
)
_ATTEMPT: Final = "a.attempt, a.session, a.exam, a.rulebook, a.status, a.started_at, a.ended_at, a.entry"

Status = Literal["started", "passed", "not passed", "aborted", "out of time"]
"""The status of an attempt."""


class ClassRow(msgspec.Struct, frozen=True):
    """A class."""

    id: str
    name: str
    instructor: str
    """The instructor's handle."""
    created_at: int
    closed_at: int | None
    """The time at which the class was closed; None while it is open."""
    invited_until: int | None
    """The time at which the invitation link expires; None if there is no link."""
    exam: str | None
    rulebook: str | None
    mode: str | None
    """The deal mode of the exam; None for the rulebook's default mode."""
    exam_set_at: int | None
    members: int


class ChosenExam(msgspec.Struct, frozen=True):
    """The exam that an instructor sets."""

    exam: str
    rulebook: str
    mode: str


class MemberRow(msgspec.Struct, frozen=True):
    """A trainee of a class."""

    handle: str
    joined_at: int
    erased_at: int | None
    """The time at which the trainee last erased their progress; None if they never did."""
    erased_attempts: int
    """The number of attempts that the trainee erased."""


class AttemptRow(msgspec.Struct, frozen=True):
    """An attempt of a trainee at an exam."""

    handle: str
    class_id: str
    attempt: int
    session: str
    """The training session of the attempt."""
    exam: str
    rulebook: str
    status: Status
    started_at: int
    ended_at: int | None
    entry: int | None
    """The number of the entry with the result in the trainee's stream; None until there is one."""


class ClassRows:
    """The rows for classes in one database. People are identified by their case-folded handles."""

    def __init__(self, database: ShortTransactions) -> None:
        self._database = database

    # --- classes ---

    def create(self, class_id: str, name: str, instructor: str, now: int, most: int) -> bool:
        """Create a class; return False if the instructor already has `most` open classes."""
        with self._database.transaction() as transaction:
            # Lock the instructor's row, so that two servers cannot both create the last class that the
            # limit allows.
            transaction.do("UPDATE people SET name = name WHERE name = :name", name=instructor)
            ((count,),) = transaction.read(
                "SELECT count(*) FROM classes WHERE instructor = :name AND closed_at IS NULL",
                name=instructor,
            )
            if count >= most:
                return False
            transaction.do(
                "INSERT INTO classes (id, name, instructor, created_at)"
                " VALUES (:id, :name, :instructor, :now)",
                id=class_id,
                name=name,
                instructor=instructor,
                now=now,
            )
            return True

    def one(self, class_id: str) -> ClassRow | None:
        """Return a class, or None."""
        rows = self._database.read(f"{_CLASS} WHERE c.id = :id", id=class_id)
        return ClassRow(*rows[0]) if rows else None

    def of_instructor(self, person: str) -> list[ClassRow]:
        """Return the classes of an instructor, newest first."""
        return _newest_first(self._database.read(f"{_CLASS} WHERE c.instructor = :name", name=person))

    def of_member(self, person: str, *, former: bool = False) -> list[ClassRow]:
        """Return the classes that a trainee has joined, newest first.

        With `former`, include those that the trainee has left after an attempt.
        """
        joined = f"{_CLASS} JOIN class_members j ON j.class = c.id WHERE j.person = :name"
        if not former:
            joined += " AND j.left_at IS NULL"
        return _newest_first(self._database.read(joined, name=person))

    def close(self, class_id: str, now: int) -> bool:
        """Close a class: its link stops working. Return False if it is already closed."""
        with self._database.transaction() as transaction:
            closed = transaction.do(
                "UPDATE classes SET closed_at = :now, invitation = NULL, invited_until = NULL"
                " WHERE id = :id AND closed_at IS NULL",
                id=class_id,
                now=now,
            )
            return closed == 1

    def set_exam(self, class_id: str, chosen: ChosenExam | None, now: int) -> bool:
        """Set the exam of an open class, or remove it. Return False if there is no such class."""
        with self._database.transaction() as transaction:
            changed = transaction.do(
                "UPDATE classes SET exam = :exam, rulebook = :rulebook, mode = :mode, exam_set_at = :now"
                " WHERE id = :id AND closed_at IS NULL",
                id=class_id,
                exam=None if chosen is None else chosen.exam,
                rulebook=None if chosen is None else chosen.rulebook,
                mode=None if chosen is None else chosen.mode,
                now=None if chosen is None else now,
            )
            return changed == 1

    # --- the invitation and the trainees ---

    def invite(self, class_id: str, digest: str | None, until: int | None) -> bool:
        """Replace the invitation link of an open class, or revoke it. Return False if there is no such
        class."""
        with self._database.transaction() as transaction:
            changed = transaction.do(
                "UPDATE classes SET invitation = :digest, invited_until = :until"
                " WHERE id = :id AND closed_at IS NULL",
                id=class_id,
                digest=digest,
                until=until,
            )
            return changed == 1

    def invited(self, digest: str, now: int) -> ClassRow | None:
        """Return the class of an invitation link that has not expired, or None."""
        rows = self._database.read(
            f"{_CLASS} WHERE c.invitation = :digest AND c.invited_until > :now", digest=digest, now=now
        )
        return ClassRow(*rows[0]) if rows else None

    def join(
        self, digest: str, person: str, now: int, most: int
    ) -> ClassRow | Literal["no-invitation", "class-full"]:
        """Add a trainee to the class of an invitation link and return the class.

        Return "no-invitation" if the link is unknown or expired, and "class-full" if the class already has
        `most` trainees.
        """
        with self._database.transaction() as transaction:
            # One statement checks the link and locks the class, so that several servers together cannot
            # exceed `most`.
            valid = "invitation = :digest AND invited_until > :now"
            if not transaction.do(f"UPDATE classes SET id = id WHERE {valid}", digest=digest, now=now):
                return "no-invitation"
            ((class_id,),) = transaction.read(
                f"SELECT id FROM classes WHERE {valid}", digest=digest, now=now
            )
            members = {
                name
                for (name,) in transaction.read(
                    "SELECT person FROM class_members WHERE class = :id AND left_at IS NULL", id=class_id
                )
            }
            if person in members:
                return _class(transaction, class_id)
            if len(members) >= most:
                return "class-full"
            # A former trainee may have a row.
            transaction.do(
                "INSERT INTO class_members (class, person, joined_at) VALUES (:id, :name, :now)"
                " ON CONFLICT (class, person) DO UPDATE SET joined_at = :now, left_at = NULL",
                id=class_id,
                name=person,
                now=now,
            )
            return _class(transaction, class_id)

    def leave(self, class_id: str, person: str, now: int) -> bool:
        """Remove a trainee from a class. Return False if they are not in it.

        If the trainee has made or erased attempts, the rows stay, so that the numbers and the limit of
        attempts also hold after the trainee joins again.
        """
        with self._database.transaction() as transaction:
            values = {"id": class_id, "name": person}
            left = transaction.do(
                "UPDATE class_members SET left_at = :now"
                " WHERE class = :id AND person = :name AND left_at IS NULL",
                **values,
                now=now,
            )
            transaction.do(
                "DELETE FROM class_members"
                " WHERE class = :id AND person = :name AND left_at IS NOT NULL AND erased_attempts = 0"
                " AND NOT EXISTS"
                " (SELECT 1 FROM class_attempts a WHERE a.class = :id AND a.person = :name)",
                **values,
            )
            return left == 1

    def members(self, class_id: str) -> list[MemberRow]:
        """Return the trainees of a class in the order of their handles."""
        rows = self._database.read(
            "SELECT p.handle, m.joined_at, m.erased_at, m.erased_attempts"
            " FROM class_members m JOIN people p ON p.name = m.person"
            " WHERE m.class = :id AND m.left_at IS NULL",
            id=class_id,
        )
        return sorted((MemberRow(*row) for row in rows), key=lambda row: row.handle.casefold())

    # --- attempts ---

    def start_attempt(
        self, class_id: str, person: str, session: str, now: int, most: int
    ) -> AttemptRow | Literal["not-a-trainee", "no-exam", "too-many"]:
        """Start a trainee's next attempt at the exam that the class sets, and return its row.

        `session` is the training session of the attempt; a session has only one attempt. Return
        "not-a-trainee" if the person is not in the class, "no-exam" if the class is closed or sets no exam,
        and "too-many" if the person has already made `most` attempts.
        """
        with self._database.transaction() as transaction:
            values = {"id": class_id, "name": person}
            # The trainee's row is locked, so that two servers cannot give two attempts the same number.
            known = transaction.do(
                "UPDATE class_members SET joined_at = joined_at"
                " WHERE class = :id AND person = :name AND left_at IS NULL",
                **values,
            )
            exams = transaction.read(
                "SELECT exam, rulebook FROM classes"
                " WHERE id = :id AND exam IS NOT NULL AND closed_at IS NULL",
                id=class_id,
            )
            if not known:
                return "not-a-trainee"
            if not exams:
                return "no-exam"
            # Erased attempts count, so that their numbers are not used again.
            ((erased,),) = transaction.read(
                "SELECT erased_attempts FROM class_members WHERE class = :id AND person = :name", **values
            )
            ((last, count),) = transaction.read(
                "SELECT coalesce(max(attempt), 0), count(*) FROM class_attempts"
                " WHERE class = :id AND person = :name",
                **values,
            )
            last = max(last, erased)
            if count + erased >= most:
                return "too-many"
            exam, rulebook = exams[0]
            transaction.do(
                "INSERT INTO class_attempts"
                " (class, person, attempt, session, exam, rulebook, status, started_at)"
                " VALUES (:id, :name, :attempt, :session, :exam, :rulebook, 'started', :now)",
                **values,
                attempt=last + 1,
                session=session,
                exam=exam,
                rulebook=rulebook,
                now=now,
            )
            return _attempts(transaction, "a.class = :id AND a.person = :name", **values)[-1]

    def end_attempt(
        self, class_id: str, person: str, session: str, status: Status, entry: int | None, now: int
    ) -> bool:
        """End the attempt of a session.

        Return False if there is no such attempt, or if it has already ended with an entry.
        """
        with self._database.transaction() as transaction:
            ended = transaction.do(
                "UPDATE class_attempts"
                " SET status = :status, entry = :entry, ended_at = coalesce(ended_at, :now)"
                " WHERE class = :id AND person = :name AND session = :session AND entry IS NULL",
                id=class_id,
                name=person,
                session=session,
                status=status,
                entry=entry,
                now=now,
            )
            return ended == 1

    def attempts(self, class_id: str | None = None, person: str | None = None) -> list[AttemptRow]:
        """Return the attempts in a class, of a person, or both, in the order of their numbers."""
        conditions = {"a.class = :id": class_id, "a.person = :name": person}
        where = " AND ".join(part for part, value in conditions.items() if value is not None) or "1 = 1"
        given = {"id": class_id, "name": person}
        values = {name: value for name, value in given.items() if value is not None}
        return _attempts(self._database, where, **values)

    def erase_person(self, person: str, now: int) -> int:
        """Delete all attempts of a person. Add their number to the person's class memberships, and set
        `erased_at` there. Return the number of memberships."""
        with self._database.transaction() as transaction:
            # A former trainee's row stays if it has a count, so that it holds if the trainee joins again.
            changed = transaction.do(
                "UPDATE class_members SET erased_at = :now, erased_attempts = erased_attempts +"
                " (SELECT count(*) FROM class_attempts a"
                " WHERE a.class = class_members.class AND a.person = class_members.person)"
                " WHERE person = :name",
                name=person,
                now=now,
            )
            transaction.do("DELETE FROM class_attempts WHERE person = :name", name=person)
            transaction.do(
                "DELETE FROM class_members"
                " WHERE person = :name AND left_at IS NOT NULL AND erased_attempts = 0",
                name=person,
            )
            return changed


def _class(transaction: Transaction, class_id: str) -> ClassRow:
    """Return a class that is known to exist."""
    ((*columns,),) = transaction.read(f"{_CLASS} WHERE c.id = :id", id=class_id)
    return ClassRow(*columns)


def _attempts(rows_of: ShortTransactions | Transaction, where: str, **values: Any) -> list[AttemptRow]:
    rows = rows_of.read(
        f"SELECT p.handle, a.class, {_ATTEMPT} FROM class_attempts a"
        f" JOIN people p ON p.name = a.person WHERE {where} ORDER BY a.class, p.name, a.attempt",
        **values,
    )
    return [AttemptRow(*row) for row in rows]


def _newest_first(rows: Sequence[Sequence[Any]]) -> list[ClassRow]:
    return sorted((ClassRow(*row) for row in rows), key=lambda row: (-row.created_at, row.id))
