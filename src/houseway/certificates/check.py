"""Check a certificate: signature, issuer, dates, revocation, and the hashes of files that belong to it."""

from __future__ import annotations

from typing import Final

import msgspec

from houseway.certificates.credential import Certificate, read_certificate
from houseway.certificates.keys import KeyList, iso_time
from houseway.certificates.revocation import RevocationList
from houseway.certificates.tokens import PARTS, Token, TokenError, read_token, thumbprint
from houseway.wording import several

SIGNATURE: Final = "signature"
ISSUER: Final = "issuer"
EXPIRED: Final = "expired"
REVOKED: Final = "revoked"
STALE: Final = "stale"
MISMATCH: Final = "mismatch"
FORM: Final = "form"
DAY: Final = 24 * 3600
MAX_AGE: Final = 30
"""The days after which a revocation list is too old, unless the checker says otherwise."""


class CertificateFault(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that is wrong with a certificate."""

    code: str
    message: str
    part: str = ""
    """The part of the file: header, payload or signature."""
    first: int | None = None
    last: int | None = None
    """The first and last byte of that part."""


class CertificateReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check."""

    faults: tuple[CertificateFault, ...]
    certificate: Certificate | None = None
    """The facts in the certificate; None if it cannot be read."""
    key: str = ""
    """The thumbprint of the key that signed it."""
    trusted: bool = False
    """True if the key is in the public key list that the checker was given."""
    revocation_checked: bool = False
    """True if the checker was given a revocation list that is not too old."""

    @property
    def sound(self) -> bool:
        """True if nothing is wrong, a trusted key signed it, and it is not on a recent revocation list.

        Anyone can sign a certificate with a key of their own, so a signature alone is not enough. A house
        may have revoked a certificate, so a trusted signature is not enough either.
        """
        return self.trusted and self.revocation_checked and not self.faults


class ExpectedHashes(msgspec.Struct, frozen=True, kw_only=True):
    """The hashes of files that the certificate should name; empty if a file was not given."""

    record: str = ""
    exam: str = ""
    rulebook: str = ""


NOTHING: Final = ExpectedHashes()


def check_certificate(
    data: bytes,
    now: int,
    keys: KeyList | None = None,
    revoked: RevocationList | None = None,
    expected: ExpectedHashes = NOTHING,
    max_age: int = MAX_AGE,
) -> CertificateReport:
    """Return everything that is wrong with the certificate in some bytes.

    `now` is in seconds since 1970, and `max_age` is the largest age of the revocation list in days. Without
    a key list, the signature is checked with the key that the certificate itself contains, which shows only
    that this key signed it.
    """
    try:
        token = read_token(data.removesuffix(b"\n").decode("ascii"))
    except UnicodeDecodeError as error:
        fault = CertificateFault(
            FORM, f"byte {error.start} is not a character of a token", "", error.start, error.start
        )
        return CertificateReport(faults=(fault,))
    except TokenError as error:
        fault = CertificateFault(SIGNATURE, str(error), error.part, *error.span)
        return CertificateReport(faults=(fault,))
    key = thumbprint(token.jwk)
    try:
        certificate = read_certificate(token.payload)
    except ValueError as error:
        return CertificateReport(faults=(_fault(token, FORM, str(error), PARTS[1]),), key=key)
    faults = [
        *_issuer_faults(token, certificate, keys, key),
        *_date_faults(token, certificate, now),
        *_revocation_faults(token, certificate, revoked),
        *_age_faults(revoked, now, max_age),
        *_hash_faults(token, certificate, expected),
    ]
    trusted = keys is not None and keys.key(key) is not None
    return CertificateReport(
        faults=tuple(faults),
        certificate=certificate,
        key=key,
        trusted=trusted,
        revocation_checked=revoked is not None and not _age_faults(revoked, now, max_age),
    )


def _fault(token: Token, code: str, message: str, part: str) -> CertificateFault:
    first, last = token.spans[part]
    return CertificateFault(code, f"{message} ({part}, bytes {first} to {last})", part, first, last)


def _issuer_faults(
    token: Token, certificate: Certificate, keys: KeyList | None, kid: str
) -> list[CertificateFault]:
    if keys is None:
        return []
    period = keys.key(kid)
    if period is None:
        message = f"{keys.issuer.name} does not list the key that signed it, {kid}"
        return [_fault(token, ISSUER, message, "header")]
    faults = []
    if period.withdrawn:
        faults.append(_fault(token, ISSUER, "the house has withdrawn the key that signed it", "header"))
    if certificate.issuer != keys.issuer.id:
        message = f"it names {certificate.issuer} as its issuer, and the keys belong to {keys.issuer.id}"
        faults.append(_fault(token, ISSUER, message, "payload"))
    end = period.end if period.end is not None else certificate.valid_from
    if not period.start <= certificate.valid_from <= end:
        message = f"it is dated {iso_time(certificate.valid_from)}, when its key was not in use"
        faults.append(_fault(token, ISSUER, message, "payload"))
    return faults


def _date_faults(token: Token, certificate: Certificate, now: int) -> list[CertificateFault]:
    if now >= certificate.valid_until:
        message = f"it expired at {iso_time(certificate.valid_until)}"
        return [_fault(token, EXPIRED, message, "payload")]
    if now < certificate.valid_from:
        message = f"it is not valid before {iso_time(certificate.valid_from)}"
        return [_fault(token, EXPIRED, message, "payload")]
    return []


def _revocation_faults(
    token: Token, certificate: Certificate, revoked: RevocationList | None
) -> list[CertificateFault]:
    entry = revoked.entry(certificate.id) if revoked is not None else None
    if entry is None:
        return []
    reason = f": {entry.reason}" if entry.reason else ""
    return [_fault(token, REVOKED, f"it was revoked at {iso_time(entry.time)}{reason}", "payload")]


def _age_faults(revoked: RevocationList | None, now: int, max_age: int) -> list[CertificateFault]:
    if revoked is None or now - revoked.issued <= max_age * DAY:
        return []
    age = several((now - revoked.issued) // DAY, "day")
    return [CertificateFault(STALE, f"the revocation list is {age} old; get a newer one from the house")]


def _hash_faults(
    token: Token, certificate: Certificate, expected: ExpectedHashes
) -> list[CertificateFault]:
    pairs = (
        ("record", expected.record, certificate.record),
        ("exam", expected.exam, certificate.exam_hash),
        ("rulebook", expected.rulebook, certificate.rulebook_hash),
    )
    return [
        _fault(token, MISMATCH, f"it names the {name} {named}, and the given one is {given}", "payload")
        for name, given, named in pairs
        if given and given != named
    ]
