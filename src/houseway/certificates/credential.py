"""The certificate of a passed exam: an Open Badges 3.0 credential, signed as a JSON Web Token.

It names the exam, the rulebook and the record by their SHA-256 hashes. The only personal datum is the name
that the trainee chose.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

import msgspec

from houseway.certificates.keys import Issuer, SigningKey, iso_time
from houseway.certificates.tokens import encode_bytes, sign_token
from houseway.errors import InputError
from houseway.report.exam_result import ExamMeasure, ExamResult
from houseway.wording import several

CONTEXTS: Final = (
    "https://www.w3.org/ns/credentials/v2",
    "https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json",
)
TYPES: Final = ("VerifiableCredential", "OpenBadgeCredential")
DAY: Final = 24 * 3600
VALID_DAYS: Final = 730
MOST_DAYS: Final = 3660
SCORE, RULEBOOK, EXAM, RECORD = "Percent", "ext:RulebookHash", "ext:ExamHash", "ext:RecordHead"
TERMS: Final = "ext:TermsHash"
"""The result types of the score and of the hashes."""
STATUS_TYPE: Final = "1EdTechRevocationList"
"""The type of the status of a credential, as Open Badges 3.0 names it."""
LONGEST_NAME: Final = 100


class CertificateError(InputError, ValueError):
    """A result gets no certificate; the message says why."""


class Certificate(msgspec.Struct, frozen=True, kw_only=True):
    """The facts in a certificate."""

    id: str
    issuer: str
    issuer_name: str
    name: str
    """The name that the trainee chose."""
    achievement: str
    valid_from: int
    valid_until: int
    """Seconds since 1970."""
    score: str
    rulebook_hash: str
    exam_hash: str
    record: str
    terms_hash: str = ""
    """The hash of the table's mode, pay tables, limits and settings; empty in an older certificate."""
    status: str = ""
    """The address of the house's revoked certificates; empty if the certificate names none."""


def hash_uri(digest: str) -> str:
    """Return the URI of a SHA-256 hash (RFC 6920).

    >>> hash_uri("00" * 32)
    'ni:///sha-256;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    """
    return f"ni:///sha-256;{encode_bytes(bytes.fromhex(digest))}"


def issue(key: SigningKey, result: ExamResult, now: int, days: int = VALID_DAYS) -> str:
    """Return the signed certificate of a result; raise CertificateError if it gets none."""
    if not result.passed:
        raise CertificateError("the exam was not passed, so it gives no certificate")
    if not result.certificate:
        why = f"{result.title} gives no certificate, or no examiner gave it"
        raise CertificateError(f"{why}; only a house that examines you can sign a certificate")
    if not result.record:
        raise CertificateError("the result names no record; sign it after the record is written")
    if not result.trainee.strip() or len(result.trainee) > LONGEST_NAME:
        raise CertificateError(f"the trainee's name must have 1 to {LONGEST_NAME} characters")
    if not 1 <= days <= MOST_DAYS:
        raise CertificateError(f"a certificate is valid for 1 to {MOST_DAYS} days (got {days})")
    return sign_token(key.private, payload(key, result, now, now + days * DAY))


def payload(key: SigningKey, result: ExamResult, now: int, until: int) -> dict[str, Any]:
    """Return the credential with its registered claims."""
    identity, issuer = f"urn:uuid:{uuid4()}", key.listed.issuer
    profile: dict[str, Any] = {"id": issuer.id, "type": ["Profile"], "name": issuer.name}
    if issuer.url:
        profile["url"] = issuer.url
    achievement = hash_uri(result.exam_hash)
    described = {
        SCORE: ("Acts judged right, in percent", str(result.score)),
        RULEBOOK: (f"SHA-256 of the rulebook {result.rulebook}", result.rulebook_hash),
        EXAM: (f"SHA-256 of the exam {result.exam}", result.exam_hash),
        RECORD: ("SHA-256 of the record of the test", result.record),
    }
    if result.terms_hash:
        described[TERMS] = (
            "SHA-256 of the table's mode, pay tables, limits and settings",
            result.terms_hash,
        )
    descriptions, results = [], []
    for number, (kind, (name, value)) in enumerate(described.items(), 1):
        uri = f"{achievement}#{number}"
        description: dict[str, Any] = {
            "id": uri, "type": ["ResultDescription"], "name": name, "resultType": kind,
        }  # fmt: skip
        if kind == SCORE:
            description |= {"valueMin": "0", "valueMax": "100"}
        descriptions.append(description)
        results.append({"type": ["Result"], "resultDescription": uri, "value": value})
    return {
        "@context": list(CONTEXTS),
        "id": identity,
        "type": list(TYPES),
        "name": f"{result.title}, {result.rulebook_title}",
        "issuer": profile,
        "validFrom": iso_time(now),
        "validUntil": iso_time(until),
        **_status(issuer),
        "credentialSubject": {
            "type": ["AchievementSubject"],
            "identifier": [
                {
                    "type": "IdentityObject",
                    "identityType": "name",
                    "identityHash": result.trainee,
                    "hashed": False,
                }
            ],
            "achievement": {
                "id": achievement,
                "type": ["Achievement"],
                "achievementType": "Assessment",
                "name": f"{result.title}, {result.rulebook_title}",
                "description": _description(result),
                "criteria": {"narrative": narrative(result)},
                "resultDescription": descriptions,
            },
            "result": results,
        },
        "evidence": [
            {
                "id": hash_uri(result.record),
                "type": ["Evidence"],
                "name": "Record of the test",
                "narrative": "Every act with its time. The SHA-256 hash of the file is in the results.",
            }
        ],
        "iss": issuer.id,
        "jti": identity,
        "iat": now,
        "nbf": now,
        "exp": until,
    }


def _status(issuer: Issuer) -> dict[str, Any]:
    """Return where a verifier learns that the certificate was revoked, if the house publishes it."""
    return {"credentialStatus": {"id": issuer.status, "type": STATUS_TYPE}} if issuer.status else {}


def _description(result: ExamResult) -> str:
    rounds = several(result.rounds, "round")
    return (
        f"Dealt {rounds} to {several(result.players, 'player')} by {result.rulebook_title} "
        f"({result.rulebook}, {result.mode} deal). Examiner: {result.examiner}."
    )


def narrative(result: ExamResult) -> str:
    """Return what the exam asked for: each limit, with the value that was reached."""
    limits = "; ".join(map(_criterion, (one for one in result.measures if one.limit is not None)))
    rounds = several(result.rounds, "round")
    return f"Deal {rounds} by the rulebook, without an automatic failure. {limits}."


def _criterion(one: ExamMeasure) -> str:
    return f"{one.label}: {one.limit_shown}, reached {one.shown}"


def read_certificate(data: dict[str, Any]) -> Certificate:
    """Return the facts in a credential; raise ValueError if it is not a certificate of this program."""
    try:
        if tuple(data["@context"])[:2] != CONTEXTS or not set(TYPES) <= set(data["type"]):
            raise ValueError("it is not an Open Badges 3.0 credential")
        subject = data["credentialSubject"]
        kinds = {one["id"]: one["resultType"] for one in subject["achievement"]["resultDescription"]}
        values = {kinds[one["resultDescription"]]: str(one["value"]) for one in subject["result"]}
        certificate = Certificate(
            id=str(data["id"]),
            issuer=str(data["issuer"]["id"]),
            issuer_name=str(data["issuer"]["name"]),
            name=str(subject["identifier"][0]["identityHash"]),
            achievement=str(subject["achievement"]["name"]),
            valid_from=_seconds(data["nbf"]),
            valid_until=_seconds(data["exp"]),
            score=values[SCORE],
            rulebook_hash=values[RULEBOOK],
            exam_hash=values[EXAM],
            record=values[RECORD],
            terms_hash=values.get(TERMS, ""),
            status=str(data.get("credentialStatus", {}).get("id", "")),
        )
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"it is not a certificate of an exam: {error} is missing or wrong") from error
    claims = (data.get("jti"), data.get("iss"), data.get("validFrom"), data.get("validUntil"))
    dates = (iso_time(certificate.valid_from), iso_time(certificate.valid_until))
    if claims != (certificate.id, certificate.issuer, *dates):
        raise ValueError("its claims and its credential disagree")
    return certificate


def _seconds(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 36:
        raise ValueError("it has no valid dates")
    return value
