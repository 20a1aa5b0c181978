"""Certificates over the API: only an exam that a class set and that was passed gets one, once, and it verifies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jwt
import pytest
from msgspec.structs import replace

from houseway.certificates.credential import read_certificate
from houseway.certificates.keys import create_key, public_file
from houseway.certificates.revocation import revoked_file
from houseway.certificates.tokens import read_token
from houseway.cli.app import main
from houseway.live.offload import run_now
from houseway.report.score_sheet import score_text
from houseway.rules.loader import load
from houseway.server.exam_library import ExamLibrary
from houseway.training.exams.exam import Exam, PassLimits
from houseway.training.exams.record import read_exam_record, result_of
from server.chair_client import START, ChairClient, ChairHouse
from training.test_exams import small

DAY = "2027-01-15"
"""The day on which the server's clock starts."""
EXAM = small(rounds=1, passes=PassLimits(slips_per_round=1.0))
PRACTICE = replace(EXAM, certificate=False)


@pytest.fixture(scope="module")
def made_key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("house") / "house.key"
    create_key(path, "Charles House", int(START) - 10**8)
    return path


@pytest.fixture
def key(made_key: Path, tmp_path: Path) -> Path:
    """A copy of the key and its public list, which the test may change."""
    path = tmp_path / "house.key"
    for source, copy in ((made_key, path), (public_file(made_key), public_file(path))):
        copy.write_bytes(source.read_bytes())
    path.chmod(0o600)
    return path


@pytest.fixture(autouse=True)
def short_exams(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(library: ExamLibrary, name: str) -> Exam:
        return {"table-test": EXAM, "practice": PRACTICE}[name]

    monkeypatch.setattr(ExamLibrary, "exam", chosen)


class ExamHouse(ChairHouse):
    """A server on which Flo teaches a class with Noor and Ann in it. Eve is in no class."""

    def __init__(self, key: Path | None, exam: str = "table-test", **more: Any) -> None:
        super().__init__(secret="a secret", certificate_key=key, **more)
        for handle in ("Flo", "Noor", "Ann", "Eve"):
            self.person(handle)
        run_now(self.serving.people.give("Flo", "*", "examiner"))
        self.class_id = self.call("Flo", "POST", "/api/classes", {"name": "Class"})[1]["id"]
        self.at = f"/api/classes/{self.class_id}"
        self.call("Flo", "POST", f"{self.at}/exam", {"exam": exam, "rulebook": "uth-ma"})
        link = self.call("Flo", "POST", f"{self.at}/invitation")[1]["invitation"]
        for handle in ("Noor", "Ann"):
            self.call(handle, "POST", "/api/classes/join", {"invitation": link})

    def take(self, **request: Any) -> ChairClient:
        """Let Noor take an exam without a slip."""
        client = ChairClient(self, "Noor", **request)
        client.follow()
        return client

    def pass_in_class(self) -> ChairClient:
        return self.take(class_id=self.class_id)

    def entries(self) -> list[Any]:
        return run_now(self.serving.progress.entries("Noor", "certificate"))

    def attempt(self) -> dict[str, Any]:
        """Return Noor's last attempt as the instructor sees it."""
        sheet = self.call("Flo", "GET", self.at)[1]
        (noor,) = (one for one in sheet["trainees"] if one["handle"].casefold() == "noor")
        return noor["attempts"][-1]  # type: ignore[no-any-return]


@pytest.fixture
def house(key: Path) -> Iterator[ExamHouse]:
    house = ExamHouse(key)
    yield house
    house.close()


def code(reply: tuple[int, Any]) -> tuple[int, str]:
    status, body = reply
    return status, body["refused"][0]["code"]


def audit(folder: Path, token: bytes, *more: str) -> int:
    file = folder / "certificate.jwt"
    file.write_bytes(token)
    return main(["audit", "certificate", str(file), "--at", DAY, *more])


def test_a_passed_class_exam_gives_a_certificate_that_others_can_verify(
    house: ExamHouse, key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    client = house.pass_in_class()
    status, token = client.get("/certificate")
    assert status == 200
    header = jwt.get_unverified_header(token)
    (listed,) = house.call("", "GET", "/api/certificates/keys")[1]["keys"]
    times: Any = {"verify_exp": False, "verify_nbf": False, "verify_iat": False}
    claims = jwt.decode(token, jwt.PyJWK(listed["jwk"]).key, algorithms=["RS256"], options=times)
    assert header["kid"] == listed["kid"]
    assert (claims["nbf"] - int(START)) in range(1000)
    subject = claims["credentialSubject"]
    assert subject["identifier"][0]["identityHash"] == "Noor"
    assert subject["achievement"]["description"].endswith("Examiner: Flo.")
    # The check of the command line accepts it, with the record and the lists that the server gives.
    record, keys, revoked = (tmp_path / name for name in ("record.jsonl", "keys.json", "revoked.json"))
    record.write_bytes(client.get("/record")[1])
    for file, name in ((keys, "keys"), (revoked, "revoked")):
        file.write_text(json.dumps(house.call("", "GET", f"/api/certificates/{name}")[1]))
    files = ["--keys", str(keys), "--revoked", str(revoked), "--record", str(record)]
    assert audit(tmp_path, token, *files, "--rulebook", "uth-ma") == 0, capsys.readouterr().out
    record.write_bytes(record.read_bytes() + b"\n")
    assert audit(tmp_path, token, *files) == 1


def test_it_is_stored_once_and_shown(house: ExamHouse) -> None:
    client = house.pass_in_class()
    token = client.get("/certificate")[1]
    sheet = client.get("/result")[1]
    assert sheet["signed"] is True
    # After a restart, the stored certificate is given again.
    house.serving.training._rooms.clear()
    assert client.get("/certificate")[1] == token
    (entry,) = house.entries()
    assert entry.body["certificate"].encode() == token
    assert (entry.body["record"], entry.body["session"]) == (sheet["result"]["record"], client.session)
    assert entry.body["class"] == house.class_id
    attempt = house.attempt()
    assert (attempt["passed"], attempt["certificate"], attempt["session"]) == (True, True, client.session)


def test_it_is_a_text_file_for_the_trainee_and_the_instructor_only(house: ExamHouse) -> None:
    client = house.pass_in_class()
    token = client.get("/certificate")[1]
    path = f"{client.path}/certificate"
    assert house.call("Flo", "GET", f"{path}?trainee=Noor") == (200, token)
    assert code(house.call("Flo", "GET", path)) == (404, "no-session")
    for other in ("Ann", "Eve"):
        assert code(house.call(other, "GET", path)) == (404, "no-session")
        assert code(house.call(other, "GET", f"{path}?trainee=Noor")) == (404, "no-certificate")
    assert code(house.call("", "GET", path)) == (401, "no-session")
    # An instructor of another class does not get it, even if the trainee is in that class, too.
    run_now(house.serving.people.give("Eve", "*", "examiner"))
    other = house.call("Eve", "POST", "/api/classes", {"name": "Other"})[1]["id"]
    link = house.call("Eve", "POST", f"/api/classes/{other}/invitation")[1]["invitation"]
    house.call("Noor", "POST", "/api/classes/join", {"invitation": link})
    assert code(house.call("Eve", "GET", f"{path}?trainee=Noor")) == (404, "no-certificate")
    # A trainee who leaves the class takes the results along.
    house.call("Noor", "POST", f"{house.at}/leave")
    assert code(house.call("Flo", "GET", f"{path}?trainee=Noor")) == (404, "no-certificate")
    assert client.get("/certificate") == (200, token)


def test_an_exam_that_is_not_passed_gives_none(house: ExamHouse) -> None:
    client = ChairClient(house, "Noor", class_id=house.class_id)
    assert code(client.get("/certificate")) == (403, "exam-running")
    house.call("Noor", "DELETE", client.path)
    assert code(client.get("/certificate")) == (404, "not-passed")
    assert "signed" not in client.get("/result")[1]
    assert "certificate" not in house.attempt()
    assert not house.entries()


def test_a_self_administered_exam_gives_none(house: ExamHouse) -> None:
    client = house.take(exam="table-test")
    result = client.get("/result")[1]
    assert result["result"]["passed"] is True
    assert "signed" not in result
    assert code(client.get("/certificate")) == (404, "self-administered")
    assert not house.entries()


def test_a_practice_exam_gives_none(key: Path) -> None:
    house = ExamHouse(key, exam="practice")
    client = house.pass_in_class()
    assert client.get("/result")[1]["result"]["passed"] is True
    assert code(client.get("/certificate")) == (404, "practice-exam")
    lesson = ChairClient(house, "Noor", rounds=1)
    assert code(lesson.get("/certificate")) == (404, "no-exam")
    assert not house.entries()
    house.close()


def test_a_server_without_a_key_gives_none_and_signs_when_it_gets_one(key: Path, tmp_path: Path) -> None:
    house = ExamHouse(None, where=tmp_path / "house.db")
    client = house.pass_in_class()
    assert code(client.get("/certificate")) == (404, "no-certificate-key")
    assert code(house.call("", "GET", "/api/certificates/keys")) == (404, "no-certificate-key")
    assert "signed" not in client.get("/result")[1]
    assert "certificate" not in house.attempt()
    house.close()
    again = ChairHouse(
        tmp_path / "house.db",
        now=house.now,
        secret="a secret",
        certificate_key=key,
        certificate_name="Club",
    )
    again.tokens = house.tokens
    client.house = again
    assert client.get("/result")[1]["signed"] is True
    token = client.get("/certificate")[1]
    claims = jwt.decode(token, options={"verify_signature": False})
    assert claims["issuer"]["name"] == "Club"
    sheet = again.call("Flo", "GET", house.at)[1]
    assert [one["certificate"] for trainee in sheet["trainees"] for one in trainee.get("attempts", ())] == [
        True
    ]
    again.close()


def test_a_revoked_certificate_fails_the_check(house: ExamHouse, key: Path, tmp_path: Path) -> None:
    client = house.pass_in_class()
    token = client.get("/certificate")[1]
    lists = ["--keys", str(public_file(key)), "--revoked", str(tmp_path / "revoked.json")]

    def check() -> int:
        served = house.call("", "GET", "/api/certificates/revoked")[1]
        (tmp_path / "revoked.json").write_text(json.dumps(served))
        return audit(tmp_path, token, *lists)

    assert check() == 0
    assert main(["certificate", "revoke", str(key), str(tmp_path / "certificate.jwt")]) == 0
    assert check() == 1
    # The server does not call it signed any more.
    assert code(client.get("/certificate")) == (404, "revoked")
    trainee = f"{client.path}/certificate?trainee=Noor"
    assert code(house.call("Flo", "GET", trainee)) == (404, "revoked")
    assert client.get("/result")[1].get("signed", False) is False
    assert house.attempt().get("certificate", False) is False
    status = house.call("", "GET", "/api/certificates/status")[1]
    assert [one["revoked"] for one in status["revokedCredential"]] == [True]
    # The list must not become empty because its file is missing.
    revoked_file(key).unlink()
    assert code(house.call("", "GET", "/api/certificates/revoked")) == (503, "certificate-key")


def test_a_check_without_a_list_or_with_an_old_one_is_not_sound(
    house: ExamHouse, key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token = house.pass_in_class().get("/certificate")[1]
    keys = ["--keys", str(public_file(key))]
    assert audit(tmp_path, token, *keys) == 1
    assert "it was not checked for revocation" in capsys.readouterr().out
    (tmp_path / "old.json").write_text(json.dumps(house.call("", "GET", "/api/certificates/revoked")[1]))
    later = ["--at", "2027-03-01", "--revoked", str(tmp_path / "old.json")]
    file = str(tmp_path / "certificate.jwt")
    assert main(["audit", "certificate", file, *keys, *later]) == 1
    assert "the revocation list is 45 days old" in capsys.readouterr().out
    assert main(["audit", "certificate", file, *keys, *later, "--max-age", "60"]) == 0
    # The server's list is never old.
    house.now += 45 * 24 * 3600
    (tmp_path / "old.json").write_text(json.dumps(house.call("", "GET", "/api/certificates/revoked")[1]))
    assert main(["audit", "certificate", file, *keys, *later]) == 0


def test_a_rotated_key_signs_from_then_on(house: ExamHouse, key: Path, tmp_path: Path) -> None:
    old = house.pass_in_class().get("/certificate")[1]
    assert main(["certificate", "rotate", str(key)]) == 0
    first, second = house.call("", "GET", "/api/certificates/keys")[1]["keys"]
    new = house.pass_in_class().get("/certificate")[1]
    assert [jwt.get_unverified_header(one)["kid"] for one in (old, new)] == [first["kid"], second["kid"]]


def test_a_result_is_stored_even_if_the_key_is_gone(house: ExamHouse, key: Path) -> None:
    data = key.read_bytes()
    key.unlink()
    client = house.pass_in_class()
    assert code(client.get("/certificate")) == (503, "certificate-key")
    assert str(key).encode() not in house.replies[-1][3]
    assert house.attempt()["status"] == "passed"
    key.write_bytes(data)
    key.chmod(0o600)
    assert client.get("/certificate")[0] == 200
    assert house.attempt()["certificate"] is True


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ("missing", "No such file"),
        ("readable", "chmod 600"),
        ("damaged", "does not contain a private key"),
        ("no list", "house.key.public.json"),
        ("no key", "--certificate-name needs a key"),
        ("bad name", "printable text of 1 to 100"),
    ],
)
def test_the_server_does_not_start_with_an_unusable_key(
    fault: str, sentence: str, key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match fault:
        case "missing":
            key.unlink()
        case "readable":
            key.chmod(0o640)
        case "damaged":
            key.write_bytes(key.read_bytes()[:200])
        case "no list":
            public_file(key).unlink()
    options = ["--certificate-key", str(key)] if fault != "no key" else []
    if fault in ("no key", "bad name"):
        options += ["--certificate-name", "Club" if fault == "no key" else "x" * 101]
    database = tmp_path / "house.db"
    assert main(["serve", "--db", str(database), "--port", "1", *options]) == 2
    assert sentence in capsys.readouterr().err
    assert not database.exists()


# --- the table of an exam ---


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("limits", {"ante": {"min": "1", "max": "1"}}),
        ("house", {"auto_approve": True}),
        ("tables", {"trips": "A"}),
        ("seats", 1),
        ("mode", "manual"),
    ],
)
def test_the_trainee_does_not_choose_the_table_of_an_exam(
    house: ExamHouse, field: str, value: object
) -> None:
    request = {"rulebook": "uth-ma", "class_id": house.class_id, field: value}
    assert code(house.call("Noor", "POST", "/api/training", request)) == (400, "set-by-exam")
    del request["class_id"]
    if field != "mode":
        # The same holds for an exam that a person takes alone.
        alone = house.call("Noor", "POST", "/api/training", {**request, "exam": "practice"})
        assert code(alone) == (400, "set-by-exam")
    assert house.call("Noor", "GET", "/api/training")[1]["sessions"] == []


def test_the_class_sets_the_mode_and_the_sheet_and_the_certificate_name_the_terms(house: ExamHouse) -> None:
    wrong = {"exam": "table-test", "rulebook": "uth-ma", "mode": "magic"}
    assert code(house.call("Flo", "POST", f"{house.at}/exam", wrong)) == (400, "bad-mode")
    _, card = house.call("Flo", "POST", f"{house.at}/exam", {**wrong, "mode": "manual"})
    assert card["exam"]["mode"] == "manual"
    client = house.pass_in_class()
    assert client.view["mode"] == "manual"
    result = client.get("/result")[1]["result"]
    assert result["terms"][:2] == ["manual deal", "ante $5 to $100"]
    setup = client.hosted.opening.exam
    assert setup is not None
    expected = hashlib.sha256(json.dumps(setup.terms, sort_keys=True).encode()).hexdigest()
    assert result["terms_hash"] == expected
    certificate = read_certificate(read_token(client.get("/certificate")[1].decode()).payload)
    assert certificate.terms_hash == expected
    text = score_text(client.hosted.result())
    assert any(line.startswith("Table: manual deal; ante $5 to $100;") for line in text)
    assert any(f"table {expected}." in line for line in text)


# --- the examiner ---


def test_an_exam_needs_an_examiner_when_it_opens(house: ExamHouse) -> None:
    run_now(house.serving.people.take("Flo", "*", "examiner", by="operator"))
    request = {"rulebook": "uth-ma", "class_id": house.class_id}
    assert code(house.call("Noor", "POST", "/api/training", request)) == (409, "no-examiner")
    run_now(house.serving.people.give("Flo", "*", "examiner"))
    house.call("Flo", "POST", f"{house.at}/close")
    assert code(house.call("Noor", "POST", "/api/training", request)) == (409, "no-exam")
    assert code(house.call("Eve", "POST", "/api/training", request)) == (404, "no-class")


@pytest.mark.parametrize(
    ("change", "reason"),
    [("role", "no-examiner"), ("remove", "left-class"), ("close", "class-closed")],
)
def test_the_house_signs_only_what_an_examiner_still_gives(
    house: ExamHouse, change: str, reason: str
) -> None:
    client = ChairClient(house, "Noor", class_id=house.class_id)
    if change == "role":
        run_now(house.serving.people.take("Flo", "*", "examiner", by="operator"))
    else:
        house.call(
            "Flo", "POST", f"{house.at}/{change}", {"handle": "Noor"} if change == "remove" else None
        )
    client.follow()
    assert client.get("/result")[1]["result"]["passed"]
    assert code(client.get("/certificate")) == (404, reason)
    assert client.get("/result")[1].get("signed", False) is False
    assert house.entries() == []


# --- erased attempts ---


@pytest.mark.parametrize("leaves", [False, True])
def test_erased_attempts_are_printed_and_exported(house: ExamHouse, leaves: bool) -> None:
    for _ in range(2):
        client = ChairClient(house, "Noor", class_id=house.class_id)
        house.call("Noor", "DELETE", client.path)
    if leaves:
        house.call("Noor", "POST", f"{house.at}/leave")
    status, _ = house.call("Noor", "DELETE", "/api/me/progress", {"confirm": "erase my progress"})
    assert status == 200
    if leaves:
        link = house.call("Flo", "POST", f"{house.at}/invitation")[1]["invitation"]
        house.call("Noor", "POST", "/api/classes/join", {"invitation": link})
    client = house.pass_in_class()
    result = client.get("/result")[1]["result"]
    assert (result["earlier"], result["erased"]["count"]) == ([], 2)
    (line,) = (one for one in score_text(client.hosted.result()) if one.startswith("Attempts:"))
    assert line == f"Attempts: 2 earlier exams were erased by the trainee, the last time on {DAY}."
    record = read_exam_record(client.get("/record")[1])
    assert result_of(record, load("uth-ma")).erased is not None
    assert house.attempt()["attempt"] == 3
    sheet = house.call("Flo", "GET", house.at)[1]
    (noor,) = (one for one in sheet["trainees"] if one["handle"] == "Noor")
    assert (noor["erased_attempts"], noor["erased_at"][:10]) == (2, DAY)
    table = house.call("Flo", "GET", f"{house.at}/results.csv")[1].decode().splitlines()
    head, row = table[0].split(","), next(one.split(",") for one in table if one.startswith("Noor"))
    cells = dict(zip(head, row, strict=False))
    assert (cells["attempt"], cells["erased attempts"], cells["erased at"][:10]) == ("3", "2", DAY)
