"""Certificates: an independent library verifies them, and no changed byte, revoked id or other key passes."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import jwt
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from msgspec.structs import replace

from houseway.certificates import keys as k
from houseway.certificates import revocation as rv
from houseway.certificates.check import CertificateReport, ExpectedHashes, check_certificate
from houseway.certificates.credential import DAY, VALID_DAYS, CertificateError, issue, read_certificate
from houseway.certificates.tokens import decode_bytes, encode_bytes, read_token, sign_token
from houseway.cli.app import main
from houseway.report.exam_result import ExamResult
from houseway.rules.loader import load
from houseway.training.exams.exam import PassLimits
from houseway.training.exams.record import ExamWriter, read_exam_record, result_of
from houseway.training.exams.run import ExamRun
from houseway.training.session import SessionError
from training.exam_trainee import SALT, ExamTrainee, exam_setup
from training.test_exams import small

NOW = 1_763_300_000
RECORD = "7f" * 32
LIMITS = PassLimits(slips_per_round=1.0)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def key(folder: Path) -> k.SigningKey:
    return k.create_key(folder / "house.key", "Charles House", NOW - 1000)


@pytest.fixture(scope="module")
def result() -> ExamResult:
    """A passed exam, given by an examiner."""
    setup = exam_setup(small(rounds=1), "uth-ma", examiner="T. Reyes")
    return ExamTrainee(ExamRun(setup, "7", SALT)).take().result("2026-11-16T14:59:00Z", RECORD)


@pytest.fixture(scope="module")
def token(key: k.SigningKey, result: ExamResult) -> str:
    return issue(key, result, NOW)


def checked(token: str, *args: Any, **more: Any) -> CertificateReport:
    return check_certificate(token.encode(), NOW + 5, *args, **more)


def fresh(keys: k.KeyList, now: int = NOW) -> rv.RevocationList:
    """A revocation list of today, without entries."""
    return rv.RevocationList(issuer=keys.issuer.id, issued=now)


def codes(report: CertificateReport) -> list[str]:
    return [fault.code for fault in report.faults]


# --- what it says ---


def test_an_independent_library_verifies_it(token: str, key: k.SigningKey, result: ExamResult) -> None:
    header = jwt.get_unverified_header(token)
    assert (header["alg"], header["kid"]) == ("RS256", key.kid)
    own = jwt.PyJWK(header["jwk"])
    times: Any = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}
    claims = jwt.decode(token, own.key, algorithms=["RS256"], options=times)
    assert claims == jwt.decode(token, key.private.public_key(), algorithms=["RS256"], options=times)
    assert claims["exp"] == NOW + VALID_DAYS * DAY
    assert (claims["nbf"], claims["iat"], claims["iss"]) == (NOW, NOW, key.listed.issuer.id)
    assert claims["jti"] == claims["id"]
    assert "d" not in header["jwk"]
    subject = claims["credentialSubject"]
    values = [one["value"] for one in subject["result"]]
    assert values == ["100", result.rulebook_hash, result.exam_hash, RECORD, result.terms_hash]
    assert claims["type"] == ["VerifiableCredential", "OpenBadgeCredential"]
    assert claims["@context"][0] == "https://www.w3.org/ns/credentials/v2"
    assert claims["validFrom"] == "2025-11-16T13:33:20Z"
    assert "Slips: limit 1 in 1 round, reached 0" in subject["achievement"]["criteria"]["narrative"]


def test_plain_arithmetic_verifies_it(token: str) -> None:
    """RFC 8017, section 8.2.2, with Python's integers only: PyJWT and this program share an RSA library."""
    signed, _, signature = token.rpartition(".")
    public = json.loads(decode_bytes(token.split(".")[0]))["jwk"]
    modulus, exponent = (int.from_bytes(decode_bytes(public[part])) for part in ("n", "e"))
    size = (modulus.bit_length() + 7) // 8
    opened = pow(int.from_bytes(decode_bytes(signature)), exponent, modulus).to_bytes(size)
    digest = bytes.fromhex("3031300d060960864801650304020105000420") + sha256(signed.encode()).digest()
    assert opened == b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest


def test_the_independent_library_refuses_an_expired_one(key: k.SigningKey, result: ExamResult) -> None:
    old = issue(key, result, NOW - 10 * DAY, days=1)
    with pytest.raises(jwt.ExpiredSignatureError):
        jwt.decode(old, key.private.public_key(), algorithms=["RS256"], options={"verify_nbf": False})


def test_the_only_personal_datum_is_the_chosen_name(token: str) -> None:
    claims = json.loads(decode_bytes(token.split(".")[1]))
    subject = claims["credentialSubject"]
    assert subject["identifier"] == [
        {"type": "IdentityObject", "identityType": "name", "identityHash": "Noor Haddad", "hashed": False}
    ]
    assert "id" not in subject
    assert json.dumps(claims).count("Noor") == 1


def test_our_own_check_accepts_it(token: str, key: k.SigningKey, result: ExamResult) -> None:
    expected = ExpectedHashes(record=RECORD, exam=result.exam_hash, rulebook=result.rulebook_hash)
    empty = rv.RevocationList(issuer=key.listed.issuer.id, issued=NOW)
    report = checked(f"{token}\n", key.listed, empty, expected)
    assert (report.faults, report.trusted, report.revocation_checked) == ((), True, True)
    assert report.sound
    assert report.certificate is not None
    assert (report.certificate.name, report.certificate.score) == ("Noor Haddad", "100")


def test_without_keys_it_is_not_sound(token: str, key: k.SigningKey) -> None:
    report = checked(token)
    assert (report.faults, report.sound, report.trusted) == ((), False, False)


def test_without_a_recent_revocation_list_it_is_not_sound(token: str, key: k.SigningKey) -> None:
    report = checked(token, key.listed)
    assert (report.faults, report.trusted, report.revocation_checked, report.sound) == (
        (),
        True,
        False,
        False,
    )
    old = rv.RevocationList(issuer=key.listed.issuer.id, issued=NOW - 31 * DAY)
    report = checked(token, key.listed, old)
    assert (codes(report), report.revocation_checked, report.sound) == (["stale"], False, False)
    assert "31 days old" in report.faults[0].message
    assert check_certificate(token.encode(), NOW, key.listed, old, max_age=31).sound


def test_a_certificate_says_where_revocations_are_published(
    key: k.SigningKey, result: ExamResult, token: str
) -> None:
    url = "https://house.example/api/certificates/status"
    listed = replace(key.listed, issuer=replace(key.listed.issuer, status=url))
    claims = read_token(issue(k.SigningKey(key.private, listed), result, NOW)).payload
    assert claims["credentialStatus"] == {"id": url, "type": "1EdTechRevocationList"}
    assert read_certificate(claims).status == url
    # A house without such an address, and every older certificate, has no status.
    assert "credentialStatus" not in read_token(token).payload
    assert read_certificate(read_token(token).payload).status == ""
    published = rv.status_list(
        url, rv.revoke(rv.RevocationList(issuer="i", issued=1), "urn:uuid:1", "x", 2)
    )
    assert json.loads(msgspec.json.encode(published)) == {
        "id": url,
        "issuer": "i",
        "revokedCredential": [{"id": "urn:uuid:1", "revoked": True, "revocationReason": "x"}],
    }


# --- what is refused ---


def test_no_changed_byte_passes(token: str, key: k.SigningKey) -> None:
    data, rng = token.encode(), Random(6)
    for place in range(len(data)):
        byte = rng.choice([byte for byte in (*ALPHABET.encode(), 0x2E, 0x0A) if byte != data[place]])
        changed = data[:place] + bytes([byte]) + data[place + 1 :]
        report = check_certificate(changed, NOW + 5, key.listed, fresh(key.listed))
        assert not report.sound, (place, byte)
        fault = report.faults[0]
        assert None not in (fault.first, fault.last)


def test_the_independent_library_refuses_changed_bytes(token: str, key: k.SigningKey) -> None:
    """PyJWT and our own check refuse the same changes: every eighth byte, and all other spellings of the last.

    The last byte carries four bits that mean nothing. Some versions of PyJWT ignore them; our check does not.
    """
    rng, public = Random(7), key.private.public_key()
    times: Any = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}

    def accepted(text: str) -> tuple[bool, bool]:
        """Return whether PyJWT accepts a token, and whether our own check does."""
        ours = check_certificate(text.encode(), NOW + 5, key.listed, fresh(key.listed)).sound
        try:
            jwt.decode(text, public, algorithms=["RS256"], options=times)
        except jwt.InvalidTokenError:
            return False, ours
        return True, ours

    assert accepted(token) == (True, True)
    for place in range(0, len(token) - 1, 8):
        other = rng.choice([one for one in f"{ALPHABET}." if one != token[place]])
        assert accepted(f"{token[:place]}{other}{token[place + 1 :]}") == (False, False), place
    last = {one: accepted(f"{token[:-1]}{one}") for one in ALPHABET if one != token[-1]}
    same = {one for one in last if ALPHABET.index(one) >> 4 == ALPHABET.index(token[-1]) >> 4}
    assert {one for one, (theirs, _) in last.items() if theirs} <= same
    assert not any(ours for _, ours in last.values())


def test_the_certificate_of_a_test_replays_to_its_score(key: k.SigningKey) -> None:
    """The record that a certificate names has its hash, and replays to the certified score."""
    run = ExamRun(
        exam_setup(small(rounds=3, both_modes=True, passes=LIMITS), "uth-ma", examiner="T. Reyes"),
        "7",
        SALT,
    )
    writer, trainee = ExamWriter(run), ExamTrainee(run)
    data = writer.lines()
    while not run.over:
        trainee.step()
        data += writer.lines("2026-11-16T14:59:00Z")
    token = issue(key, run.result("2026-11-16T14:59:00Z", writer.head), NOW)
    claims = jwt.decode(
        token,
        key.private.public_key(),
        algorithms=["RS256"],
        options={"verify_nbf": False, "verify_exp": False},
    )
    again = result_of(read_exam_record(data), load("uth-ma"))
    values = [one["value"] for one in claims["credentialSubject"]["result"]]
    assert values == [
        str(again.score), again.rulebook_hash, again.exam_hash, sha256(data).hexdigest(), again.terms_hash
    ]  # fmt: skip
    assert again.mode == "manual and device"
    # One byte of the record less, more or other: it is not the record that the certificate names.
    for place in (0, len(data) // 3, len(data) - 2):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises(SessionError):
            result_of(read_exam_record(changed), load("uth-ma"))
        other = ExpectedHashes(record=sha256(changed).hexdigest())
        assert codes(checked(token, key.listed, expected=other)) == ["mismatch"]


def test_the_last_character_has_one_spelling(token: str, key: k.SigningKey) -> None:
    """The last character of the signature carries four bits that mean nothing; only zeros are right."""
    same = ALPHABET.index(token[-1]) & ~0b1111
    others = [ALPHABET[same + n] for n in range(16) if ALPHABET[same + n] != token[-1]]
    assert len(others) == 15
    for character in others:
        report = checked(token[:-1] + character, key.listed)
        assert report.faults[0].part == "signature"


def test_a_fault_names_its_part_and_bytes(token: str, key: k.SigningKey) -> None:
    header, payload, signature = token.split(".")
    whole = checked(f"{header}.{payload[:-8]}{'A' * 8}.{signature}", key.listed)
    start = len(header) + len(payload) + 2
    assert f"the signature, bytes {start} to {len(token) - 1}, does not fit" in whole.faults[0].message
    assert f"bytes 0 to {start - 2}: one of the three was changed" in whole.faults[0].message
    unreadable = checked(f"?{header[1:]}.{payload}.{signature}", key.listed)
    assert (unreadable.faults[0].part, unreadable.faults[0].first, unreadable.faults[0].last) == (
        "header", 0, len(header) - 1,
    )  # fmt: skip


@pytest.mark.parametrize("data", [b"", b".", b"..", b"a.b.c", b"\xff\xfe", b"x" * 100_000, b"e30.e30.e30"])
def test_rubbish_is_refused(data: bytes) -> None:
    assert not check_certificate(data, NOW).sound


def test_other_algorithms_are_refused(token: str) -> None:
    header = json.loads(decode_bytes(token.split(".")[0]))
    for algorithm in ("none", "HS256", "RS512"):
        forged = encode_bytes(json.dumps({**header, "alg": algorithm}).encode())
        report = checked(".".join([forged, *token.split(".")[1:]]))
        assert "algorithm" in report.faults[0].message


def test_another_key_is_refused(token: str, key: k.SigningKey, result: ExamResult) -> None:
    stranger = replace(key, private=generate_private_key(65537, 2048))
    forged = issue(stranger, result, NOW)
    assert not checked(forged).sound
    assert codes(checked(forged, key.listed)) == ["issuer"]


def test_an_expired_or_early_one_is_refused(token: str, key: k.SigningKey) -> None:
    end = NOW + VALID_DAYS * DAY
    assert check_certificate(token.encode(), end - 1, key.listed, fresh(key.listed, end)).sound
    assert codes(check_certificate(token.encode(), end, key.listed)) == ["expired"]
    assert codes(check_certificate(token.encode(), NOW - 1, key.listed)) == ["expired"]


def test_other_files_are_named(token: str, key: k.SigningKey) -> None:
    expected = ExpectedHashes(record="00" * 32, exam="11" * 32, rulebook="22" * 32)
    report = checked(token, key.listed, expected=expected)
    assert codes(report) == ["mismatch"] * 3
    assert ["record" in report.faults[0].message, "exam" in report.faults[1].message] == [True, True]


def test_claims_that_disagree_are_refused(token: str, key: k.SigningKey) -> None:
    claims = json.loads(decode_bytes(token.split(".")[1]))
    for change in ({"exp": claims["exp"] + DAY}, {"jti": "urn:uuid:0"}, {"iss": "urn:uuid:1"}, {"nbf": -1}):
        assert codes(checked(sign_token(key.private, {**claims, **change}))) == ["form"]
    for missing in ("credentialSubject", "issuer", "@context", "exp"):
        fewer = {name: value for name, value in claims.items() if name != missing}
        assert codes(checked(sign_token(key.private, fewer))) == ["form"]


def test_only_a_passed_exam_with_an_examiner_gets_one(key: k.SigningKey, result: ExamResult) -> None:
    for change in ({"passed": False}, {"certificate": False}, {"record": ""}, {"trainee": " "}):
        with pytest.raises(CertificateError):
            issue(key, replace(result, **change), NOW)
    for days in (0, 100_000):
        with pytest.raises(CertificateError, match="days"):
            issue(key, result, NOW, days)


# --- revocation ---


def test_a_revoked_one_is_refused(token: str, key: k.SigningKey, folder: Path) -> None:
    certificate = checked(token).certificate
    assert certificate is not None
    listed = rv.RevocationList(issuer=key.listed.issuer.id, issued=NOW)
    listed = rv.revoke(
        rv.revoke(listed, certificate.id, "given by mistake", NOW + 1), "urn:uuid:9", "", NOW + 2
    )
    rv.write_list(folder / "revoked.json", key, listed)
    read = rv.read_list(folder / "revoked.json", key.listed)
    assert read == listed
    report = checked(token, key.listed, read)
    assert codes(report) == ["revoked"]
    assert "given by mistake" in report.faults[0].message
    assert "Noor" not in (folder / "revoked.json").read_text()


def test_a_changed_revocation_list_is_refused(key: k.SigningKey) -> None:
    listed = rv.revoke(
        rv.RevocationList(issuer=key.listed.issuer.id, issued=NOW), "urn:uuid:first", "", NOW
    )
    data = rv.signed_list(key, listed)
    assert rv.read_list_bytes(data, key.listed) == listed
    for changed in (
        data.replace(b"uuid:first", b"uuid:other"),
        data.replace(str(NOW).encode(), str(NOW + 1).encode()),
    ):
        with pytest.raises(ValueError, match="does not fit"):
            rv.read_list_bytes(changed, key.listed)
    with pytest.raises(ValueError, match="--keys"):
        rv.read_list_bytes(data, None)
    other = replace(key.listed, issuer=replace(key.listed.issuer, id="urn:uuid:5"))
    with pytest.raises(ValueError, match="another house"):
        rv.read_list_bytes(data, other)
    for rubbish in (b"", b"[]", b'{"list":{},"kid":"","signature":""}'):
        with pytest.raises(ValueError, match=r".+"):
            rv.read_list_bytes(rubbish, key.listed)


# --- keys ---


def test_rotation_keeps_old_certificates_and_withdrawal_does_not(
    tmp_path: Path, result: ExamResult
) -> None:
    path = tmp_path / "house.key"
    first = k.create_key(path, "Charles House", NOW - 1000)
    old = issue(first, result, NOW)
    second = k.rotate_key(path, NOW + 100)
    assert second.kid != first.kid
    assert [one.end for one in second.listed.keys] == [NOW + 100, None]
    assert k.read_key_list(k.public_file(path)) == second.listed
    new = issue(second, result, NOW + 200)
    later = NOW + 300
    assert check_certificate(old.encode(), later, second.listed, fresh(second.listed)).sound
    assert check_certificate(new.encode(), later, second.listed, fresh(second.listed)).sound
    # The old key signs a certificate after its period.
    late = issue(first, result, NOW + 200)
    assert codes(check_certificate(late.encode(), later, second.listed)) == ["issuer"]
    third = k.rotate_key(path, NOW + 400, withdraw=True)
    assert codes(check_certificate(new.encode(), NOW + 500, third.listed)) == ["issuer"]
    assert check_certificate(old.encode(), NOW + 500, third.listed, fresh(third.listed)).sound


def test_a_replaced_key_signs_no_new_revocation_list(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    first = k.create_key(path, "Charles House", NOW)
    second = k.rotate_key(path, NOW + 100)
    for issued, fits in ((NOW - 1, False), (NOW, True), (NOW + 100, True), (NOW + 101, False)):
        listed = rv.RevocationList(issuer=first.listed.issuer.id, issued=issued)
        data = rv.signed_list(first, listed)
        if fits:
            assert rv.read_list_bytes(data, second.listed) == listed
        else:
            with pytest.raises(ValueError, match="when its key was not in use"):
                rv.read_list_bytes(data, second.listed)


class PowerCutError(Exception):
    """The program stops before it puts a file in its place."""


@pytest.mark.parametrize("writes", range(5))
def test_an_interrupted_rotation_leaves_a_usable_key_and_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """The rotation writes four files, and its command is stopped before each of them."""
    path = tmp_path / "house.key"
    first = k.create_key(path, "Charles House", NOW)
    listed = rv.revoke(rv.current_list(path, first, NOW), "urn:uuid:first", "", NOW)
    rv.write_list(rv.revoked_file(path), first, listed)
    left, replace_file = [writes], os.replace

    def put(*names: Any, **more: Any) -> None:
        if not left[0]:
            raise PowerCutError
        left[0] -= 1
        replace_file(*names, **more)

    with monkeypatch.context() as patch, suppress(PowerCutError):
        patch.setattr(os, "replace", put)
        assert main(["certificate", "rotate", str(path), "--withdraw"]) == 0
    key = k.read_key(path)
    assert (key.kid == first.kid) == (writes < 3)
    assert rv.current_list(path, key, NOW).entry("urn:uuid:first") is not None
    # The next rotation works too.
    assert main(["certificate", "rotate", str(path)]) == 0
    again = k.read_key(path)
    assert again.kid != key.kid
    assert rv.current_list(path, again, NOW).entry("urn:uuid:first") is not None
    assert list(tmp_path.glob("*.next")) == []


def test_the_key_file_is_private_and_a_readable_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    k.create_key(path, "Charles House", NOW)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert b"PRIVATE" not in k.public_file(path).read_bytes()
    for mode in (0o640, 0o604, 0o644):
        os.chmod(path, mode)
        with pytest.raises(k.KeyFileError, match="chmod 600"):
            k.read_key(path)
    os.chmod(path, 0o600)
    assert k.read_key(path).listed.issuer.name == "Charles House"
    with pytest.raises(k.KeyFileError, match="exists already"):
        k.create_key(path, "Charles House", NOW)


def test_files_that_are_no_key_are_refused(tmp_path: Path, key: k.SigningKey, folder: Path) -> None:
    path = tmp_path / "house.key"
    with pytest.raises(k.KeyFileError, match="cannot read"):
        k.read_key(path)
    path.write_text("not a key")
    path.chmod(0o600)
    with pytest.raises(k.KeyFileError, match="does not contain a private key"):
        k.read_key(path)
    path.write_bytes((folder / "house.key").read_bytes())
    with pytest.raises(k.KeyFileError, match="cannot read"):
        k.read_key(path)
    stranger = replace(key, private=generate_private_key(65537, 2048))
    other = replace(key.listed.keys[0], kid=stranger.kid)
    for listed in ("{}", "[" * 100_000, json.dumps({"kind": "x"}), "x" * 300_000):
        k.public_file(path).write_text(listed)
        with pytest.raises(k.KeyFileError, match="not a public key list"):
            k.read_key(path)
    k._write_list(path, replace(key.listed, keys=(other,)))
    with pytest.raises(k.KeyFileError, match="another thumbprint"):
        k.read_key(path)
    k._write_list(path, replace(key.listed, keys=(replace(key.listed.keys[0], end=NOW),)))
    with pytest.raises(k.KeyFileError, match="not the current key"):
        k.read_key(path)


@pytest.mark.parametrize(
    ("name", "url"), [("", ""), ("x" * 200, ""), ("a\x07b", ""), ("House", "http://x")]
)
def test_an_issuer_needs_a_name_and_a_safe_address(tmp_path: Path, name: str, url: str) -> None:
    with pytest.raises(k.KeyFileError):
        k.create_key(tmp_path / "key", name, NOW, url)
    assert not (tmp_path / "key").exists()
