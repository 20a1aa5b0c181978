"""The results of exams that are over: stored for the trainee and the class, and signed if they pass."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from houseway.audit.sql.class_rows import AttemptRow
from houseway.audit.store import StoreError
from houseway.engine.refusals import Refusal
from houseway.errors import InputError
from houseway.report.exam_result import ExamResult
from houseway.server.certificate_desk import (
    KIND,
    CertificateDesk,
    StoredCertificate,
    no_certificate,
    revoked,
    unusable_key,
)
from houseway.server.loaded_sessions import Room
from houseway.server.rulebook_library import RefusedError
from houseway.server.stored_results import exam_key, stored_result
from houseway.server.training_store import ProgressLog
from houseway.server.work_queue import WorkQueue


class ExamAttempts(Protocol):
    """The attempts at exams that classes set."""

    async def start_attempt(self, class_id: str, handle: str, session: str) -> AttemptRow:
        """Start the attempt of a session."""

    async def end_attempt(
        self, class_id: str, handle: str, session: str, result: Mapping[str, Any], stream: int = 0
    ) -> int:
        """Store the result of the attempt of a session; a repeated call has no further effect."""

    async def signing_problem(self, class_id: str, handle: str) -> Refusal | None:
        """Return the reason why the house signs no certificate for a trainee of a class now, or None."""


class ExamResults:
    """Stores and signs the results of exams."""

    def __init__(
        self,
        progress: ProgressLog,
        attempts: ExamAttempts,
        queue: WorkQueue,
        certificates: CertificateDesk | None = None,
    ) -> None:
        self._progress = progress
        self._attempts = attempts
        self._queue = queue
        self.certificates = certificates
        """Signs certificates; None if the server has no key for them."""

    async def is_signed(self, room: Room) -> bool:
        """True if a session has a certificate that the house has not revoked."""
        try:
            return await self._is_valid(room)
        except InputError:
            # The house's list cannot be read.
            return False

    async def certificate(self, room: Room) -> str:
        """Return the signed certificate of an exam; raise RefusedError with the reason if it has none."""
        result = await self._queue.do(room.handle, room.hosted.result)
        try:
            await self._certify(room, result)
            valid = await self._is_valid(room)
        except InputError as error:
            raise unusable_key() from error
        if room.certificate is None:
            raise RefusedError(404, await self._unsigned(room, result) or _not_signed())
        if not valid:
            raise revoked()
        return room.certificate.certificate

    async def _is_valid(self, room: Room) -> bool:
        """True if a certificate counts. Raises InputError if the house's list cannot be read."""
        if room.certificate is None or self.certificates is None:
            return room.certificate is not None
        ids = await self._queue.do(room.handle, self.certificates.revoked_ids)
        return room.certificate.id not in ids

    async def report(self, room: Room) -> None:
        """Store the result of an exam that is over, in the trainee's progress and for the class.

        If this fails, the request continues, and the next request to the session tries again.
        """
        hosted = room.hosted
        if not room.reported and hosted.run is not None and not hosted.sealed:
            with suppress(StoreError, RefusedError):
                await self._store(room)
                room.reported = True

    async def _store(self, room: Room) -> None:
        hosted, opening = room.hosted, room.hosted.opening
        result = await self._queue.do(room.handle, hosted.result)
        body = {**stored_result(result), "outcome": hosted.outcome, "session": opening.session}
        # If the files of the key cannot be used, or the certificate cannot be stored, the result is stored,
        # and `certificate` signs it later.
        with suppress(InputError, RefusedError):
            await self._certify(room, result)
        body["certificate"] = room.certificate is not None
        if opening.class_id:
            await self._attempts.end_attempt(
                opening.class_id, room.handle, opening.session, body, room.stream
            )
        else:
            await self._progress.append(
                room.handle, "exam", body, key=exam_key(opening.session), stream=room.stream, use="system"
            )

    async def _certify(self, room: Room, result: ExamResult) -> None:
        """Sign the certificate of an exam that gets one, and store it once."""
        opening, desk = room.hosted.opening, self.certificates
        if room.certificate:
            return
        for entry in await self._progress.entries(room.handle, KIND):
            stored = msgspec.convert(entry.body, StoredCertificate)
            if stored.session == opening.session:
                room.certificate = stored
                return
        if desk is None or await self._unsigned(room, result) is not None:
            return
        signed = await self._queue.do(room.handle, desk.sign, opening, result)
        body = msgspec.to_builtins(signed)
        seq = await self._progress.append(
            room.handle, KIND, body, key=f"{KIND} {opening.session}", stream=room.stream, use="system"
        )
        # Another server may have signed it first. Then the certificate is that one.
        first = (await self._progress.entries(room.handle, KIND, seq - 1))[0]
        room.certificate = msgspec.convert(first.body, StoredCertificate)

    async def _unsigned(self, room: Room, result: ExamResult) -> Refusal | None:
        """Return the reason why the house does not sign a result now, or None if it does."""
        opening = room.hosted.opening
        reason = no_certificate(opening, result, has_key=self.certificates is not None)
        return reason or await self._attempts.signing_problem(opening.class_id, room.handle)


def _not_signed() -> Refusal:
    return Refusal("not-signed", None, KIND, "the certificate was not signed; try again")
