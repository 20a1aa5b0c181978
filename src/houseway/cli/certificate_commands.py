"""`certificate`: create and rotate the signing key, revoke certificates. `audit certificate`: check a
certificate."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import App, Parameter

from houseway.certificates.keys import (
    create_key,
    iso_time,
    next_file,
    public_file,
    read_key,
    read_key_list,
    rotate_key,
    set_status,
)
from houseway.cli.output import BadInputError, file_problem, write, write_json
from houseway.rules.loader import load
from houseway.wording import printable, several

if TYPE_CHECKING:
    from houseway.certificates.check import CertificateReport, ExpectedHashes
    from houseway.certificates.keys import SigningKey
    from houseway.certificates.revocation import RevocationList

UUID = "urn:uuid:"

certificate = App(
    name="certificate", help="Create and rotate the key that signs certificates, and revoke a certificate."
)


@certificate.command
def key(file: Path, /, *, name: str, url: str = "", status: str = "") -> int:
    """Create a key that signs certificates, and its public key list.

    The key is written to FILE, which only you can read. The public list is written to FILE.public.json:
    give it to everyone who checks your certificates.

    Parameters
    ----------
    file
        A new file for the key. Do not use the file of the key that signs your records.
    name
        The name of your house, as certificates show it.
    url
        An https address of your house; default: a random id.
    status
        The https address of /api/certificates/status on your server. Certificates name it, so that other
        programs learn of revocations.
    """
    made = create_key(file, name, int(time.time()), url, status)
    write(f"Wrote the private key of {printable(name)} to {file}. Only you can read it.")
    write(f"The id of the key is {made.kid}.")
    write(f"Wrote the public key list to {public_file(file)}. Give it to everyone who checks certificates.")
    return 0


@certificate.command
def rotate(file: Path, /, *, withdraw: bool = False) -> int:
    """Replace the key with a new one. Certificates that the old key signed stay valid.

    Parameters
    ----------
    file
        The key file.
    withdraw
        The old key was stolen: certificates that it signed are no longer valid.
    """
    from houseway.certificates.revocation import current_list, revoked_file, write_list

    now = int(time.time())
    listed = current_list(file, read_key(file), now) if revoked_file(file).exists() else None

    def sign(made: SigningKey) -> None:
        # The new key signs the list again, so that it counts even if the old key is withdrawn.
        if listed is not None:
            again = msgspec.structs.replace(listed, issued=now)
            write_list(next_file(revoked_file(file)), made, again)

    made = rotate_key(file, now, withdraw=withdraw, sign=sign)
    old = "withdrawn" if withdraw else "kept in the public list"
    write(f"Replaced the key. The id of the new key is {made.kid}. The old key is {old}.")
    write(f"Publish {public_file(file)} again.")
    return 0


@certificate.command
def revoke(file: Path, which: str, /, *, reason: str = "") -> int:
    """Revoke a certificate: add it to the signed revocation list FILE.revoked.json.

    Parameters
    ----------
    file
        The key file.
    which
        The certificate's file, or its id (urn:uuid:…).
    reason
        Why, in a few words without names; the list is public.
    """
    from houseway.certificates import revocation as rv

    signing, now = read_key(file), int(time.time())
    identity = which if which.startswith(UUID) else _identity(Path(which))
    listed = rv.revoke(rv.current_list(file, signing, now), identity, reason, now)
    rv.write_list(rv.revoked_file(file), signing, listed)
    count = several(len(listed.revoked), "certificate")
    write(f"Revoked {identity}. Publish {rv.revoked_file(file)}, which lists {count}.")
    return 0


@certificate.command
def refresh(file: Path, /, *, status: str = "") -> int:
    """Sign the revocation list FILE.revoked.json again with today's date; create it if there is none.

    A check refuses a list that is older than 30 days, so publish a fresh one every few weeks.

    Parameters
    ----------
    file
        The key file.
    status
        The https address of /api/certificates/status on your server; new certificates name it.
    """
    from houseway.certificates import revocation as rv

    signing = set_status(file, status) if status else read_key(file)
    now = int(time.time())
    listed = msgspec.structs.replace(rv.current_list(file, signing, now), issued=now)
    rv.write_list(rv.revoked_file(file), signing, listed)
    count = several(len(listed.revoked), "certificate")
    write(f"{rv.revoked_file(file)} lists {count}, as of {iso_time(now)}: publish it again.")
    return 0


def _identity(path: Path) -> str:
    """Return the id of the certificate in a file."""
    from houseway.certificates.check import check_certificate

    report = check_certificate(_bytes(path), int(time.time()))
    if report.certificate is None:
        raise BadInputError(*(f"{path}: {fault.message}" for fault in report.faults))
    return report.certificate.id


def _bytes(path: Path) -> bytes:
    from houseway.certificates.tokens import MOST_BYTES

    with file_problem("read", path), path.open("rb") as file:
        # One byte too many is enough to refuse the file.
        return file.read(MOST_BYTES + 2)


def check_certificate_file(
    file: Path,
    /,
    *,
    keys: Path | None = None,
    revoked: Path | None = None,
    max_age: int = 30,
    record: Path | None = None,
    exam: str = "",
    rulebook: str = "",
    at: str = "",
    json: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Check a certificate: signature, issuer, dates, revocation, and the files that it names.

    Exit code 0 means that the certificate is sound: nothing is wrong, a key in --keys signed it, and a
    recent list in --revoked does not name it. Exit code 1 means that something is wrong, or that
    you did not give both --keys and --revoked. Without --keys, the issuer is not checked: the signature
    shows only that the key in the certificate signed it, and anyone can make such a key.

    Parameters
    ----------
    file
        The certificate.
    keys
        The public key list of the house that you trust, from the house itself.
    revoked
        The revocation list of that house.
    max_age
        The largest age of the revocation list, in days.
    record
        The record that the certificate should name.
    exam
        The exam that it should name: a name or a file.
    rulebook
        The rulebook that it should name.
    at
        Check the dates as of this day, such as 2026-11-16; default: now.
    json
        Print one JSON document.
    """
    from houseway.certificates.check import check_certificate

    if max_age < 1:
        raise BadInputError(f"--max-age must be at least 1 (got {max_age})")
    trusted = read_key_list(keys) if keys is not None else None
    listed = _revoked(revoked, keys)
    expected = _expected(record, exam, rulebook)
    report = check_certificate(_bytes(file), _day(at), trusted, listed, expected, max_age)
    if json:
        write_json({"sound": report.sound, **msgspec.structs.asdict(report)})
    else:
        write("\n".join(map(printable, _report_lines(file, report, listed))))
    return 0 if report.sound else 1


def _revoked(path: Path | None, keys: Path | None) -> RevocationList | None:
    from houseway.certificates.revocation import read_list

    if path is None:
        return None
    return read_list(path, read_key_list(keys) if keys is not None else None)


def _day(text: str) -> int:
    """Return the seconds of the end of a day; now if none is given."""
    if not text:
        return int(time.time())
    try:
        return int(datetime.fromisoformat(f"{text}T23:59:59+00:00").timestamp())
    except ValueError as error:
        raise BadInputError(f"--at {text}: give year, month and day, such as 2026-11-16") from error


def _expected(record: Path | None, exam: str, rulebook: str) -> ExpectedHashes:
    from houseway.certificates.check import ExpectedHashes
    from houseway.cli.exam_file import find_exam
    from houseway.training.session_file import MOST_BYTES

    head = ""
    if record is not None:
        with file_problem("read", record), record.open("rb") as file:
            head = hashlib.sha256(file.read(MOST_BYTES + 1)).hexdigest()
    return ExpectedHashes(
        record=head,
        exam=find_exam(exam).hash if exam else "",
        rulebook=load(rulebook).hash if rulebook else "",
    )


def _report_lines(file: Path, report: CertificateReport, listed: RevocationList | None) -> Iterator[str]:
    if report.faults:
        yield f"{file}: {several(len(report.faults), 'fault')}"
    elif report.sound:
        yield f"{file}: sound"
    elif report.trusted:
        yield f"{file}: the signature fits, but it was not checked for revocation"
    else:
        yield f"{file}: the signature fits, but the issuer was not checked"
    yield from (f"  {fault.message} ({fault.code})" for fault in report.faults)
    one = report.certificate
    if one is not None:
        yield f"  {one.achievement}: {one.name}, {one.score} % of the acts right."
        yield f"  Issuer: {one.issuer_name} ({one.issuer})."
        yield f"  Valid from {iso_time(one.valid_from)} to {iso_time(one.valid_until)}. Id {one.id}."
        yield f"  Rulebook {one.rulebook_hash}"
        yield f"  Exam     {one.exam_hash}"
        yield f"  Record   {one.record}"
        if one.terms_hash:
            yield f"  Table    {one.terms_hash}"
        if one.status:
            yield f"  Revocations are published at {one.status}."
    if report.key and not report.trusted:
        yield f"  Signed with the key {report.key}. To check whose key it is, give --keys."
    elif report.key:
        yield f"  Signed with the house's key {report.key}."
    if listed is not None:
        yield f"  The revocation list is of {iso_time(listed.issued)}."
    elif one is not None:
        yield "  Revocation was not checked: give the house's list with --revoked."
