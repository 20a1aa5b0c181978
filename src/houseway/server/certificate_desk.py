"""The certificates that the server signs, and the public files that belong to its key.

The server signs only exams that a class sets, because an examiner opened the class. An exam that a person
takes alone is self-administered and gets no certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from houseway.audit.handles import folded
from houseway.certificates.credential import issue
from houseway.certificates.keys import (
    LONGEST_NAME,
    KeyFileError,
    SigningKey,
    iso_time,
    public_file,
    read_key,
)
from houseway.certificates.revocation import (
    RevocationError,
    RevocationList,
    current_list,
    revoked_file,
    signed_list,
    status_list,
)
from houseway.certificates.tokens import read_token
from houseway.engine.refusals import Refusal
from houseway.report.exam_result import ExamResult
from houseway.server.rulebook_library import RefusedError, refused
from houseway.training.hosted_session import SessionStart

HOUR: Final = 3600
KIND: Final = "certificate"
"""The kind of a certificate in a person's progress."""


class StoredCertificate(msgspec.Struct, frozen=True, kw_only=True, rename={"class_id": "class"}):
    """The body of a certificate's entry."""

    session: str
    class_id: str
    attempt: int
    exam: str
    rulebook: str
    record: str
    """The head of the record: the SHA-256 of its file."""
    id: str
    issued: str
    certificate: str
    """The signed token."""


class CertificateDesk:
    """Signs certificates with the key in a file. A file that has changed is read again."""

    def __init__(self, path: Path, name: str, seconds: Callable[[], float]) -> None:
        """`name` is the name of the house in certificates; if it is empty, the public key list names it.
        `seconds` returns the time in seconds since 1970.

        Raises KeyFileError or RevocationError if a file cannot be used.
        """
        if name and (not name.strip() or len(name) > LONGEST_NAME or not name.isprintable()):
            raise KeyFileError(
                f"the name of the house must be printable text of 1 to {LONGEST_NAME} characters"
            )
        self._path, self._name, self._seconds = path, name.strip(), seconds
        self._version: tuple[Any, ...] = ()
        self._key: SigningKey
        self._keys = self._revoked = b""
        self._list: RevocationList
        self._has_list = False
        """True if the house has had a revocation list. From then on, the file must exist."""
        self._read()

    def sign(self, opening: SessionStart, result: ExamResult) -> StoredCertificate:
        """Return the signed certificate of a passed exam."""
        self._read()
        key, now = self._key, int(self._seconds())
        if self._name:
            issuer = replace(key.listed.issuer, name=self._name)
            key = SigningKey(key.private, replace(key.listed, issuer=issuer))
        token = issue(key, result, now)
        return StoredCertificate(
            session=opening.session,
            class_id=opening.class_id,
            attempt=opening.attempt,
            exam=result.exam,
            rulebook=result.rulebook,
            record=result.record,
            id=str(read_token(token).payload["id"]),
            issued=iso_time(now),
            certificate=token,
        )

    def public_keys(self) -> bytes:
        """Return the public key list, as its file has it."""
        self._read()
        return self._keys

    def revocations(self) -> bytes:
        """Return the signed revocation list, dated this hour. If nothing was ever revoked, it is empty."""
        self._read()
        return self._revoked

    def status(self) -> bytes:
        """Return the revoked certificates for verifiers of Open Badges 3.0."""
        self._read()
        return msgspec.json.encode(status_list(self._key.listed.issuer.status, self._list))

    def revoked_ids(self) -> frozenset[str]:
        """Return the ids of the revoked certificates."""
        self._read()
        return frozenset(one.id for one in self._list.revoked)

    def _read(self) -> None:
        """Read the files again if one of them has changed."""
        listed = revoked_file(self._path)
        hour = int(self._seconds()) // HOUR * HOUR
        version = (*map(_version, (self._path, public_file(self._path), listed)), hour)
        if self._version == version:
            return
        key = read_key(self._path)
        if self._has_list and not listed.exists():
            raise RevocationError(f"{listed} is missing; restore it from a copy")
        revocations = current_list(self._path, key, int(self._seconds()))
        self._key, self._has_list = key, listed.exists()
        self._keys = msgspec.json.format(msgspec.json.encode(key.listed), indent=2) + b"\n"
        period = key.listed.key(key.kid)
        # The list is signed again every hour, so that it is never too old. The current key signs nothing
        # that is older than itself.
        issued = max(revocations.issued, hour, period.start if period is not None else 0)
        self._list = replace(revocations, issued=issued)
        self._revoked = signed_list(key, self._list)
        self._version = version


def _version(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def no_certificate(opening: SessionStart, result: ExamResult, *, has_key: bool) -> Refusal | None:
    """Return the reason why a result gets no certificate, or None if it gets one."""
    setup = opening.exam
    examiner = setup.examiner if setup is not None else ""
    if not result.passed:
        return _reason("not-passed", "the exam was not passed, so there is no certificate")
    if setup is None or not setup.exam.certificate:
        return _reason("practice-exam", f"{result.title}: this exam is for practice, without a certificate")
    if not opening.class_id or not examiner or folded(examiner) == folded(result.trainee):
        sentence = "the exam was self-administered; for a certificate, take it in an instructor's class"
        return _reason("self-administered", sentence)
    if not has_key:
        sentence = "this server signs no certificates; its operator can start it with --certificate-key"
        return _reason("no-certificate-key", sentence)
    return None


def _reason(code: str, sentence: str) -> Refusal:
    return Refusal(code, None, KIND, sentence)


def revoked() -> RefusedError:
    """Return the refusal of a certificate that the house has revoked."""
    return refused(404, "revoked", KIND, "the house has revoked this certificate; ask the examiner")


def no_key() -> RefusedError:
    """Return the refusal of a server without a certificate key."""
    sentence = "this server signs no certificates, so it has no certificate keys"
    return refused(404, "no-certificate-key", KIND, sentence)


def unusable_key() -> RefusedError:
    """Return the refusal while the key's files cannot be used. It does not name them."""
    sentence = "the server cannot read its certificate key; try again later, and tell the operator"
    return refused(503, "certificate-key", KIND, sentence)
