"""Classes: an instructor invites trainees, sets an exam and sees the results.

A class is a few rows of the database. The result of an attempt is an entry in the trainee's own stream; the
row of the attempt has only its status and the number of that entry. So the results disappear from the class
when the trainee erases their progress.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from houseway.audit.handles import folded
from houseway.audit.sql.class_rows import AttemptRow, ChosenExam, ClassRow, ClassRows, MemberRow, Status
from houseway.audit.store import HouseStore
from houseway.audit.times import milliseconds, time_text
from houseway.client.class_messages import (
    AttemptResult,
    ClassCard,
    ClassCards,
    ClassInvitation,
    ClassPreview,
    ClassSheet,
    ExamSet,
    ResultMeasure,
    TraineeResults,
)
from houseway.client.messages import Person
from houseway.engine.refusals import Refusal
from houseway.errors import InputError
from houseway.live.default_terms import usual_mode
from houseway.live.offload import DIRECT, Offload
from houseway.live.personal_streams import PersonalReader
from houseway.live.table_services import now
from houseway.report.exam_result import is_within
from houseway.rules.problems import suggest
from houseway.server.certificate_desk import KIND, StoredCertificate, unusable_key
from houseway.server.certificate_desk import revoked as revoked_certificate
from houseway.server.exam_library import ExamLibrary
from houseway.server.people import EVERYWHERE
from houseway.server.progress import ProgressStore
from houseway.server.rulebook_library import RefusedError, bundled, refused
from houseway.server.stored_results import exam_key

NAME_LETTERS: Final = 60
"""The most characters in the name of a class."""
MOST_CLASSES: Final = 50
"""The most open classes of one instructor."""
MOST_MEMBERS: Final = 200
"""The most trainees in a class."""
MOST_ATTEMPTS: Final = 50
"""The most attempts of one trainee in a class."""
INVITATION_DAYS: Final = 30
ID_BYTES: Final = 6
CLASS_ID: Final = re.compile(f"[0-9a-f]{{{2 * ID_BYTES}}}")
DAY: Final = 24 * 3600 * 1000
SECRET_BYTES: Final = 24
INSTRUCTORS: Final = ("examiner", "floor")
"""A person with one of these roles at every table may open classes."""

T = TypeVar("T")


class ClassMeasure(msgspec.Struct, frozen=True):
    """A measure in the result of an exam, as far as a class shows it."""

    name: str
    label: str = ""
    shown: str = ""
    limit_shown: str = ""
    value: float = 0
    limit: float | None = None
    at_least: bool = False

    @property
    def passed(self) -> bool:
        """True if the value is within its limit, or there is no limit."""
        return is_within(self.value, self.limit, at_least=self.at_least)


class ExamOutcome(msgspec.Struct, frozen=True):
    """The result of an exam in a personal stream, as far as a class shows it. Other fields are ignored."""

    outcome: Status
    passed: bool
    certificate: bool = False
    """True if the house had signed a certificate when the result was stored."""
    session: str = ""
    measures: tuple[ClassMeasure, ...] = ()


class Classes:
    """The classes of a house."""

    def __init__(
        self,
        store: HouseStore,
        public: bytes,
        progress: ProgressStore,
        library: ExamLibrary,
        current: Callable[[Person], Person],
        revoked: Callable[[], frozenset[str]],
        clock: Callable[[], str] = now,
        offload: Offload = DIRECT,
    ) -> None:
        """`public` is the house's public key. `library` has the exams. `current` returns a person with the
        roles that the database has now. `revoked` returns the ids of revoked certificates; it raises
        InputError if the list cannot be read."""
        self._store = store
        self._streams = PersonalReader(store, public)
        self._progress = progress
        self._library = library
        self._current = current
        self._revoked = revoked
        self._clock = clock
        self._offload = offload

    async def _rows(self, work: Callable[[ClassRows, int], T], *, long: bool = False) -> T:
        """Run `work` with the rows and the time, in a thread."""
        return await self._offload.call(
            lambda: work(self._store.class_rows(), milliseconds(self._clock())), long=long
        )

    # --- instructors ---

    def may_open(self, person: Person) -> bool:
        """True if a person may open classes."""
        return any(role in person.roles.get(EVERYWHERE, ()) for role in INSTRUCTORS)

    async def open(self, person: Person, name: str) -> ClassCard:
        """Open a class."""
        name = " ".join(name.split())
        self._check_role(person)
        if not name.isprintable() or not 0 < len(name) <= NAME_LETTERS:
            sentence = f"a class needs a name of 1 to {NAME_LETTERS} printable characters"
            raise refused(400, "bad-name", "name", sentence)
        class_id = secrets.token_hex(ID_BYTES)

        def create(rows: ClassRows, at: int) -> ClassRow | None:
            created = rows.create(class_id, name, folded(person.handle), at, MOST_CLASSES)
            return rows.one(class_id) if created else None

        row = await self._rows(create)
        if row is None:
            sentence = f"you have {MOST_CLASSES} open classes, the most that are allowed; close one first"
            raise refused(409, "too-many-classes", "class", sentence)
        return self._card(row, person)

    async def invite(self, person: Person, class_id: str) -> ClassInvitation:
        """Create the invitation link of a class. It replaces an earlier link."""
        await self.check_change(person, class_id)
        secret = secrets.token_urlsafe(SECRET_BYTES)

        def invite(rows: ClassRows, at: int) -> int:
            until = at + INVITATION_DAYS * DAY
            return until if rows.invite(class_id, _digest(secret), until) else 0

        until = await self._rows(invite)
        if not until:
            raise _closed()
        return ClassInvitation(
            link=f"/chair/classes#join={secret}", invitation=secret, expires_at=time_text(until)
        )

    async def revoke_invitation(self, person: Person, class_id: str) -> ClassCard:
        """Revoke the invitation link of a class."""
        await self.check_change(person, class_id)
        await self._rows(lambda rows, at: rows.invite(class_id, None, None))
        return self._card(await self._class(class_id), person)

    async def set_exam(
        self, person: Person, class_id: str, exam: str, rulebook: str, mode: str = ""
    ) -> ClassCard:
        """Set the exam of a class; if both names are empty, remove it.

        Without a deal mode, the exam has the one that offers more kinds of wagers.
        """
        await self.check_change(person, class_id)
        if exam or rulebook:
            known = {one.id for one in self._library.choices()}
            if exam not in known:
                sentence = f"there is no exam {exam[:40]!r}; {suggest(exam[:40], known)}"
                raise refused(404, "unknown-exam", "exam", sentence)
            modes = bundled(rulebook).modes
            if mode and mode not in modes:
                sentence = f"the mode must be {' or '.join(modes)} for {rulebook} (got {mode[:40]!r})"
                raise refused(400, "bad-mode", "mode", sentence)
            mode = mode or usual_mode(bundled(rulebook))
        chosen = ChosenExam(exam, rulebook, mode) if exam else None
        if not await self._rows(lambda rows, at: rows.set_exam(class_id, chosen, at)):
            raise _closed()
        return self._card(await self._class(class_id), person)

    async def close(self, person: Person, class_id: str) -> ClassCard:
        """Close a class. Its results stay; trainees can no longer join it or start an attempt."""
        await self.check_change(person, class_id)
        await self._rows(lambda rows, at: rows.close(class_id, at))
        return self._card(await self._class(class_id), person)

    async def remove(self, person: Person, class_id: str, handle: str) -> bool:
        """Remove a trainee from a class. Return False if the person is not in it."""
        await self.check_change(person, class_id)
        if folded(handle) not in map(folded, await self.trainees(person, class_id)):
            return False
        return await self._rows(lambda rows, at: rows.leave(class_id, folded(handle), at))

    async def check_change(self, person: Person, class_id: str) -> None:
        """Refuse a change unless the class is open, and the person is its instructor and an examiner."""
        row = await self._own(person, class_id)
        self._check_role(person)
        if row.closed_at is not None:
            raise _closed()

    async def watched_trainee(self, person: Person, class_id: str, trainee: str) -> str:
        """Return the handle of a trainee whom the instructor of a class may watch now; otherwise refuse."""
        await self.check_change(person, class_id)
        for handle in await self.trainees(person, class_id):
            if folded(handle) == folded(trainee):
                return handle
        raise refused(
            404, "no-trainee", "trainee", "there is no such trainee in this class; choose another"
        )

    async def trainees(self, person: Person, class_id: str) -> tuple[str, ...]:
        """Return the handles of the trainees whom the instructor of a class may watch.

        There are none if the class is closed, or if the instructor is no longer an examiner.
        """
        row = await self._own(person, class_id)
        if row.closed_at is not None or not self.may_open(person):
            return ()
        members = await self._rows(lambda rows, at: rows.members(class_id))
        return tuple(member.handle for member in members)

    # --- trainees ---

    async def preview(self, person: Person, invitation: str) -> ClassPreview:
        """Return the class of an invitation link, without joining it."""

        def look(rows: ClassRows, at: int) -> tuple[ClassRow | None, bool]:
            row = rows.invited(_digest(invitation), at)
            return row, row is not None and row.id in {
                one.id for one in rows.of_member(folded(person.handle))
            }

        row, joined = await self._rows(look)
        if row is None:
            raise _no_invitation()
        return ClassPreview(
            name=row.name, instructor=row.instructor, members=row.members, joined=row.id if joined else ""
        )

    async def join(self, person: Person, invitation: str) -> ClassCard:
        """Join a class with its invitation link."""

        def join(rows: ClassRows, at: int) -> ClassRow | Literal["no-invitation", "class-full"]:
            row = rows.invited(_digest(invitation), at)
            if row is not None and folded(row.instructor) == folded(person.handle):
                return row
            return rows.join(_digest(invitation), folded(person.handle), at, MOST_MEMBERS)

        row = await self._rows(join)
        if row == "class-full":
            sentence = f"this class has {MOST_MEMBERS} trainees, the most that are allowed"
            raise refused(409, "class-full", "class", f"{sentence}; ask the instructor for another class")
        if row == "no-invitation":
            raise _no_invitation()
        return self._card(row, person)

    async def leave(self, person: Person, class_id: str) -> bool:
        """Leave a class; its instructor no longer sees your results. Return False if you are not in it."""
        return await self._rows(lambda rows, at: rows.leave(class_id, folded(person.handle), at))

    # --- lists and results ---

    async def cards(self, person: Person) -> ClassCards:
        """Return the classes of a person."""
        name = folded(person.handle)
        teaching, joined = await self._rows(
            lambda rows, at: (rows.of_instructor(name), rows.of_member(name))
        )
        return ClassCards(
            may_open=self.may_open(person),
            teaching=tuple(self._card(row, person) for row in teaching),
            joined=tuple(self._card(row, person) for row in joined),
        )

    async def sheet(self, person: Person, class_id: str, *, teaching: bool = False) -> ClassSheet:
        """Return a class with its results. A trainee sees only their own results.

        With `teaching`, only the instructor of the class sees it.
        """
        row = await (self._own(person, class_id) if teaching else self._class(class_id))
        name = folded(person.handle)
        own = folded(row.instructor) == name

        def read(rows: ClassRows, at: int) -> tuple[TraineeResults, ...]:
            members = [one for one in rows.members(class_id) if own or folded(one.handle) == name]
            attempts = rows.attempts(class_id, None if own else name)
            return tuple(self._results(member, attempts) for member in members)

        trainees = await self._rows(read, long=True)
        if not own and not trainees:
            raise no_class()
        return ClassSheet(
            card=self._card(row, person),
            trainees=trainees,
            exams=self._library.choices() if own else (),
            invited_until=time_text(row.invited_until) if own and row.invited_until else "",
        )

    async def certificate(self, person: Person, trainee: str, session: str) -> str:
        """Return the certificate of a trainee's session in a class, for the instructor of the class."""

        def read(rows: ClassRows, at: int) -> str:
            own = {row.id for row in rows.of_instructor(folded(person.handle))}
            shared = own & {row.id for row in rows.of_member(folded(trainee))}
            for entry in self._streams.entries(trainee, KIND) if shared else ():
                stored = msgspec.convert(entry.body, StoredCertificate)
                if stored.session == session and stored.class_id in shared:
                    if stored.id in self._revoked():
                        raise revoked_certificate()
                    return stored.certificate
            return ""

        # A text that cannot be a handle does not reach the database.
        try:
            certificate = await self._rows(read, long=True) if trainee.isprintable() else ""
        except InputError as error:
            raise unusable_key() from error
        if not certificate:
            sentence = "no trainee of your classes has a certificate of this session"
            raise refused(404, "no-certificate", KIND, sentence)
        return certificate

    # --- attempts: the interface of exams ---

    async def exam_to_take(self, person: Person, class_id: str) -> tuple[str, ExamSet]:
        """Return the examiner and the exam of a class, if a trainee may start it now; otherwise refuse."""
        row = await self._joined(person.handle, class_id)
        if row is None:
            raise no_class()
        exam = self._exam(row)
        if exam is None or row.closed_at is not None:
            raise _no_exam()
        if not await self._has_examiner(row):
            sentence = f"{row.instructor} is not an examiner now; ask the instructor or the owner"
            raise refused(409, "no-examiner", "class", sentence)
        return row.instructor, exam

    async def signing_problem(self, class_id: str, handle: str) -> Refusal | None:
        """Return the reason why the house signs no certificate for a trainee of a class now, or None."""
        row = await self._joined(handle, class_id)
        if row is None:
            return Refusal("left-class", None, "class", "you are not in the class of this exam now")
        if row.closed_at is not None:
            sentence = "the class of this exam is closed, so the house does not sign"
            return Refusal("class-closed", None, "class", sentence)
        if not await self._has_examiner(row):
            sentence = f"{row.instructor} is not an examiner now, so the house does not sign"
            return Refusal("no-examiner", None, "class", sentence)
        return None

    async def _joined(self, handle: str, class_id: str) -> ClassRow | None:
        """Return a class, if a person is in it now."""
        if CLASS_ID.fullmatch(class_id) is None:
            return None
        joined = await self._rows(lambda rows, at: rows.of_member(folded(handle)))
        return next((row for row in joined if row.id == class_id), None)

    async def _has_examiner(self, row: ClassRow) -> bool:
        """True if the instructor of a class may open classes now."""
        person = await self._offload.call(lambda: self._current(Person(handle=row.instructor)))
        return self.may_open(person)

    async def start_attempt(self, class_id: str, handle: str, session: str) -> AttemptRow:
        """Start a trainee's attempt at the exam that is set, and return it with its number.

        `session` is the training session of the attempt.
        """
        started = await self._rows(
            lambda rows, at: rows.start_attempt(class_id, folded(handle), session, at, MOST_ATTEMPTS)
        )
        if started == "not-a-trainee":
            raise no_class()
        if started == "no-exam":
            raise _no_exam()
        if started == "too-many":
            sentence = f"you have made {MOST_ATTEMPTS} attempts in this class, the most that are allowed"
            raise refused(409, "too-many-attempts", "class", f"{sentence}; ask the instructor")
        assert isinstance(started, AttemptRow)
        return started

    async def end_attempt(
        self, class_id: str, handle: str, session: str, result: Mapping[str, Any], stream: int = 0
    ) -> int:
        """End a session's attempt: store the result in the trainee's stream, and the status in its row.

        `result` is the result of the exam as a JSON object; `ExamOutcome` has the fields that a class
        shows. Return the number of the entry. A repeated call has no further effect. If the class has no
        attempt of this session, the result is an entry like that of any other exam. If the stream refuses
        the entry, the class still gets the status. `stream` is the number of the trainee's stream, so that
        nothing is stored after the trainee erased it.
        """
        try:
            outcome = msgspec.convert(result, ExamOutcome)
        except msgspec.ValidationError as error:
            raise refused(400, "bad-result", "result", f"the result cannot be read: {error}") from error
        name = folded(handle)
        attempts = await self._rows(lambda rows, at: rows.attempts(class_id, name))
        row = next((one for one in attempts if one.session == session), None)
        body = dict(result) if row is None else {**result, "class": class_id, "attempt": row.attempt}

        async def end(entry: int | None) -> None:
            await self._rows(
                lambda rows, at: rows.end_attempt(class_id, name, session, outcome.outcome, entry, at)
            )

        try:
            entry = await self._progress.append(
                handle, "exam", body, key=exam_key(session), stream=stream, use="system"
            )
        except RefusedError:
            await end(None)
            raise
        await end(entry)
        return entry

    # --- reading ---

    async def _class(self, class_id: str) -> ClassRow:
        row = await self._rows(lambda rows, at: rows.one(class_id))
        if row is None:
            raise no_class()
        return row

    async def _own(self, person: Person, class_id: str) -> ClassRow:
        """Return a class. For anyone but its instructor, raise the same refusal as for an unknown class."""
        row = await self._class(class_id)
        if folded(row.instructor) != folded(person.handle):
            raise no_class()
        return row

    def _card(self, row: ClassRow, person: Person) -> ClassCard:
        return ClassCard(
            id=row.id,
            name=row.name,
            instructor=row.instructor,
            yours=folded(row.instructor) == folded(person.handle),
            members=row.members,
            created_at=time_text(row.created_at),
            closed=row.closed_at is not None,
            exam=self._exam(row),
        )

    def _exam(self, row: ClassRow) -> ExamSet | None:
        if row.exam is None or row.rulebook is None:
            return None
        titles = {one.id: one.title for one in self._library.choices()}
        try:
            book = bundled(row.rulebook)
            title, mode = book.title, row.mode or usual_mode(book)
        except RefusedError:
            # The rulebook was removed since the exam was set.
            title, mode = row.rulebook, row.mode or ""
        return ExamSet(
            exam=row.exam,
            title=titles.get(row.exam, row.exam),
            rulebook=row.rulebook,
            rulebook_title=title,
            mode=mode,
            set_at=time_text(row.exam_set_at or row.created_at),
        )

    def _check_role(self, person: Person) -> None:
        """Refuse a person who may not open classes."""
        if not self.may_open(person):
            sentence = (
                "only an examiner may open or change a class; ask the owner of the server for the role"
            )
            raise refused(403, "not-your-role", "class", sentence)

    def _results(self, member: MemberRow, attempts: Iterable[AttemptRow]) -> TraineeResults:
        own = [one for one in attempts if one.handle == member.handle]
        numbers = [one.entry for one in own if one.entry]
        outcomes = self._outcomes(member.handle, numbers)
        return TraineeResults(
            handle=member.handle,
            joined_at=time_text(member.joined_at),
            erased_at=time_text(member.erased_at) if member.erased_at else "",
            erased_attempts=member.erased_attempts,
            attempts=tuple(_attempt(one, outcomes.get(one.entry or 0)) for one in own),
        )

    def _outcomes(self, handle: str, numbers: list[int]) -> dict[int, ExamOutcome]:
        """Return the results in a trainee's stream, by the number of their entry."""
        if not numbers:
            return {}
        outcomes, signed = {}, set()
        for entry in self._streams.entries(handle, None, min(numbers) - 1):
            if entry.seq in numbers:
                outcomes[entry.seq] = msgspec.convert(entry.body, ExamOutcome)
            elif entry.kind == KIND:
                # The house signed it after the result was stored.
                signed.add(msgspec.convert(entry.body, StoredCertificate).session)
        try:
            invalid = self._invalid(handle)
        except InputError:
            # The house's list cannot be read, so no certificate counts now.
            return {seq: replace(one, certificate=False) for seq, one in outcomes.items()}
        valid = {one.session for one in outcomes.values() if one.certificate} | signed
        return {
            seq: replace(one, certificate=one.session in valid - invalid) for seq, one in outcomes.items()
        }

    def _invalid(self, handle: str) -> set[str]:
        """Return the sessions of a trainee whose certificates the house has revoked."""
        revoked = self._revoked()
        if not revoked:
            return set()
        entries = self._streams.entries(handle, KIND)
        stored = (msgspec.convert(one.body, StoredCertificate) for one in entries)
        return {one.session for one in stored if one.id in revoked}


def _attempt(row: AttemptRow, outcome: ExamOutcome | None) -> AttemptResult:
    measures = () if outcome is None else outcome.measures
    return AttemptResult(
        attempt=row.attempt,
        exam=row.exam,
        rulebook=row.rulebook,
        # The row names an entry that the trainee has erased since.
        status="erased" if row.entry and outcome is None else row.status,
        started_at=time_text(row.started_at),
        ended_at=time_text(row.ended_at) if row.ended_at else "",
        passed=None if outcome is None else outcome.passed,
        certificate=outcome is not None and outcome.certificate,
        session=outcome.session if outcome is not None else "",
        measures=tuple(
            ResultMeasure(
                name=one.name,
                label=one.label or one.name,
                shown=one.shown or f"{one.value:g}",
                limit=one.limit_shown,
                passed=one.passed,
            )
            for one in measures
        ),
    )


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def no_class() -> RefusedError:
    """Return the refusal for a class that does not exist, or that the person may not see."""
    return refused(404, "no-class", "class", "there is no such class, or you are not in it")


def _no_exam() -> RefusedError:
    sentence = "this class has no exam for you; ask the instructor to set one"
    return refused(409, "no-exam", "class", sentence)


def _closed() -> RefusedError:
    return refused(409, "class-closed", "class", "this class is closed; open a new one")


def _no_invitation() -> RefusedError:
    sentence = "this link has expired or was replaced; ask the instructor for a new one"
    return refused(404, "no-invitation", "invitation", sentence)
