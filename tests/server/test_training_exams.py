"""Exams over the API: nothing is given away while one runs, and its clocks, incidents and result are the server's."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.client import training_messages as t
from houseway.live.offload import run_now
from houseway.report.exam_result import ExamResult, SlipLine
from houseway.rules.loader import all_clauses, load
from houseway.server.exam_library import ExamLibrary
from houseway.server.rulebook_library import refused
from houseway.server.stored_results import stored_result
from houseway.training import acts as a
from houseway.training.chair import KINDS
from houseway.training.exams.exam import Exam, shipped_exam
from houseway.training.exams.record import read_exam_record, result_of
from houseway.training.hosted_session import HostedSession
from houseway.training.judge import Verdict
from server.chair_client import ChairClient, ChairHouse
from server.test_training_views import Twin, looks_alike

SHORT = replace(shipped_exam("practice"), rounds=2, players=2, irregularities=100)
"""An exam of two rounds, in which something goes wrong."""
BOTH = replace(
    shipped_exam("table-test"), rounds=9, players=1, people={"chatty player": 50, "late bet": 50}
)
"""The beginning of a table test: six rounds by hand, with a wrong count of the stub, and three by device."""
SENT: dict[tuple[str, str], Any] = {
    ("POST", ""): t.ChairView,
    ("GET", ""): t.ChairView,
    ("POST", "/acts"): t.ActAnswer,
    ("POST", "/tick"): t.ActAnswer,
    ("POST", "/rulings"): t.RulingAnswer,
}
"""The only messages about a session that may be sent while its exam runs."""
SEALED = ("/score", "/rounds/1", "/record", "/result", "/certificate")


@pytest.fixture
def short_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(library: ExamLibrary, name: str) -> Exam:
        assert name == "practice"
        return SHORT

    monkeypatch.setattr(ExamLibrary, "exam", chosen)


@pytest.fixture
def any_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    exams = {"practice": SHORT, "table-test": BOTH}
    monkeypatch.setattr(ExamLibrary, "exam", lambda library, name: exams[name])


def open_exam(house: ChairHouse, **request: Any) -> ChairClient:
    return ChairClient(
        house, "Noor", **{"rulebook": "uth-ma", "mode": "manual", "exam": "practice", **request}
    )


def new_house(where: Path | None = None, secret: str = "a secret") -> ChairHouse:
    house = ChairHouse(where, secret=secret)
    house.person("Noor")
    return house


def take(client: ChairClient, most: int = 600) -> None:
    """Take an exam: mostly right acts, a few wrong ones, and rulings on what goes wrong."""
    rng = Random(7)
    for number in range(most):
        if client.view["progress"] != "open":
            return
        hosted = client.hosted
        if hosted.sealed:
            assert looks_alike(hosted, Twin(rng).room(hosted)), number
        act = client.right()
        assert act is not None
        if isinstance(act, a.ReportIrregularity) and number % 2:
            report = {"kind": act.kind, "at": act.at, "which": act.which, "device": act.device}
            if act.count is not None:
                report["count"] = act.count
            status, answer = client.post("/rulings", {"key": client.key(), "irregularity": report})
            assert status == 200, answer
            questions = answer["view"]["stopped"]["questions"]
            answers = {one["question"]: one["answers"][0] for one in questions}
            status, answer = client.post("/rulings", {"key": client.key(), "answers": answers})
            assert status == 200, answer
            client.view = answer["view"]
            continue
        if number % 23 == 9:
            act = a.CallFloor()
        elif isinstance(act, a.Pay) and number % 2:
            act = replace(act, chips={500: 3})
        elif number == 6:
            act = a.ColourUp(seat=1, taken={500: 1}, given={500: 2})
        status, answer = client.act(act)
        assert status == 200, answer
    raise AssertionError("the exam did not end")


@pytest.mark.usefixtures("any_exam")
@pytest.mark.parametrize(
    ("rulebook", "mode", "exam"),
    [
        ("uth-ma", "manual", "practice"),
        ("uth-sd", "device", "practice"),
        ("uth-ma", "manual", "table-test"),
    ],
)
def test_nothing_that_is_sent_during_an_exam_has_an_answer(rulebook: str, mode: str, exam: str) -> None:
    house = new_house()
    client = open_exam(house, rulebook=rulebook, mode=mode, exam=exam, seed="mine", way="live")
    run = client.hosted.run
    assert run is not None
    assert client.view["way"] == "training"
    for part in SEALED:
        status, answer = client.get(part)
        assert (status, answer["refused"][0]["code"]) == (403, "exam-running")
    client.post("/tick")
    take(client, 2000)
    assert run.over
    assert bool(run.session.unseen) == bool(run.session.moved) == (exam == "table-test")
    end = next(
        n for n, (*_, body) in enumerate(house.replies) if b'"progress":"open"' not in body and n > 8
    )
    during = [one for one in house.replies[:end] if one[1].startswith("/api/training")]
    assert len(during) > 40
    export = house.call("Noor", "GET", "/api/me/progress")
    assert export[0] == 200
    slips = [slip for judgement in run.session.judgements for slip in judgement.slips]
    assert slips
    assert run.session.plan.seed != "mine"
    secrets = {form for text in (run.session.plan.seed, run._salt, "a secret") for form in forms(text)}
    numbers: set[int] = set()
    clauses = re.compile("|".join(re.escape(one) for one in all_clauses()).encode())
    kinds = re.compile("|".join(f'"{re.escape(one)}"' for one in KINDS).encode())
    fields = {field.encode() for field in Verdict.__struct_fields__} - {
        b"time",
        b"entry",
        b"act",
        b"at",
        b"kind",
        b"step",
    }
    for method, path, status, body in during:
        assert not any(secret in body for secret in secrets), path
        assert not clauses.search(body), (path, clauses.search(body))
        assert not kinds.search(body), (path, kinds.search(body))
        if status >= 400:
            assert msgspec.json.decode(body)["refused"][0]["code"] == "exam-running"
            continue
        part = path.removeprefix("/api/training").removeprefix(f"/{client.session}")
        message = msgspec.json.decode(body, type=SENT[method, part])
        assert not any(b'"%s":' % field in body for field in fields), path
        view = message if isinstance(message, t.ChairView) else message.view
        assert view.seed == view.scenario == ""
        assert view.acts == client.hosted._acts[view.mode]
        assert view.wakes == 1000
        listed = message.entries if isinstance(message, t.ActAnswer) else ()
        numbers.update(event.number for event in (*listed, *view.log, *view.announcements))
        if isinstance(message, t.RulingAnswer):
            assert replace(message, view=view) == t.RulingAnswer(view=view)
    # A gap would reveal a hidden event.
    assert numbers == set(range(1, max(numbers) + 1))
    # The same search finds the answers once the exam is over.
    client.get("/rounds/1")
    opened = house.replies[-1][3]
    assert clauses.search(opened)
    assert any(b'"%s":' % field in opened for field in fields)


def forms(secret: str) -> set[bytes]:
    """A secret as text and in the encodings in which it could leave the server."""
    raw = secret.encode()
    packed = {bytes.fromhex(secret)} if re.fullmatch("([0-9a-f]{2})+", secret) else set()
    digests = {
        function(one).hexdigest() for one in {raw, *packed} for function in (hashlib.sha256, hashlib.md5)
    }
    encoded = {b64encode(one).rstrip(b"=") for one in {raw, *packed}}
    return {raw, raw.upper(), raw[::-1], raw[:12], *encoded, *(digest.encode() for digest in digests)}


@pytest.mark.usefixtures("short_exam")
def test_progress_exported_during_an_exam_does_not_open_the_seal() -> None:
    house = new_house()
    client = open_exam(house)
    client.follow(a.TurnUp)
    run = client.hosted.run
    assert run is not None
    status, exported = house.call("Noor", "GET", "/api/me/progress")
    text = msgspec.json.encode(exported)
    assert status == 200
    assert client.session.encode() in text
    assert run.session.plan.seed.encode() not in text
    assert run._salt.encode() not in text
    dealt = [str(card) for one in run.session.inputs for card in one.cards]
    assert len(dealt) > 5
    assert not any(f'"{card}"'.encode() in text for card in dealt)
    # The digest after each input must not be computable from the record: it would check guesses of cards.
    sums = re.findall(rb'"sum":"([0-9a-f]{16})"', client.hosted.record)
    assert len(sums) > 10
    assert not any(one in text for one in sums)


@pytest.mark.usefixtures("short_exam")
def test_the_seal_opens_at_the_end_and_the_record_gives_the_same_result() -> None:
    house = new_house()
    client = open_exam(house)
    commitment = client.view["exam"]["commitment"]
    take(client)
    status, sheet = client.get("/result")
    result = sheet["result"]
    assert status == 200
    assert hashlib.sha256((result["seed"] + result["salt"]).encode()).hexdigest() == commitment
    assert result["slips"]
    assert sheet["within"] == {one["name"]: sheet["within"][one["name"]] for one in result["measures"]}
    status, record = client.get("/record")
    assert (status, hashlib.sha256(record).hexdigest()) == (200, result["record"])
    again = result_of(read_exam_record(record), load("uth-ma"))
    assert msgspec.json.decode(msgspec.json.encode(again)) == result
    assert sum(client.get(f"/rounds/{n}")[1]["slips"] for n in (1, 2)) == len(result["slips"])
    entries = run_now(house.serving.progress.entries("Noor", "exam"))
    assert [one.body["record"] for one in entries] == [result["record"]]


@pytest.mark.usefixtures("short_exam")
def test_the_deadline_is_the_servers() -> None:
    house = new_house()
    client = open_exam(house)
    client.act(a.CallFloor())
    left = client.view["exam"]["left"]
    assert left == SHORT.time.exam - client.view["clock"]
    for _ in range(SHORT.time.exam // 10_000 - 1):
        house.now += 9
        assert client.post("/tick")[1]["view"]["progress"] == "open"
    house.now += 14
    status, answer = client.act(a.CallFloor())
    assert (status, answer["refused"][0]["code"]) == (409, "session-over")
    _, view = client.get()
    assert (view["progress"], view["exam"]["state"], view["exam"]["left"]) == ("aborted", "out of time", 0)
    result = client.get("/result")[1]["result"]
    assert (result["outcome"], result["passed"]) == ("out of time", False)
    assert result["ended"] == "2027-01-15T09:00:01Z"
    assert house.call("Noor", "GET", "/api/training")[1]["sessions"][0]["outcome"] == "out of time"


@pytest.mark.usefixtures("short_exam")
def test_lost_connections_aborts_and_attempts_are_recorded() -> None:
    house = new_house()
    first = open_exam(house)
    first.act(a.CallFloor())
    seen = first.view["clock"]
    house.now += 29
    first.act(a.CallFloor())
    back = first.view["clock"]
    house.call("Noor", "DELETE", first.path)
    incidents = first.get("/result")[1]["result"]["incidents"]
    assert incidents == [
        {"time": seen + 15_000, "kind": "connection lost", "why": ""},
        {"time": back, "kind": "reconnected", "why": ""},
        {"time": back + 1000, "kind": "left", "why": "the trainee left"},
    ]
    second = open_exam(house)
    house.now += SHORT.time.away / 1000 + 30
    _, view = second.get()
    assert (view["progress"], view["exam"]["state"]) == ("aborted", "aborted")
    third = open_exam(house)
    house.call("Noor", "DELETE", third.path)
    earlier = third.get("/result")[1]["result"]["earlier"]
    assert [one["outcome"] for one in earlier] == ["aborted", "aborted"]


@pytest.mark.usefixtures("short_exam")
def test_a_connection_lost_during_a_ruling_does_not_make_the_report_late() -> None:
    house = new_house()
    client = open_exam(house)
    client.follow(a.ReportIrregularity)
    act = client.right()
    assert isinstance(act, a.ReportIrregularity)
    report = {"kind": act.kind, "at": act.at, "which": act.which, "device": act.device}
    if act.count is not None:
        report["count"] = act.count
    _, answer = client.post("/rulings", {"key": client.key(), "irregularity": report})
    reported = answer["view"]["clock"]
    answers = client.right_answers(act)
    house.now += SHORT.time.notice / 1000 + 20
    status, answer = client.post("/rulings", {"key": client.key(), "answers": answers})
    assert status == 200, answer
    client.view = answer["view"]
    inputs = [one for one in client.training.inputs if isinstance(one.input, a.ReportIrregularity)]
    assert [one.time for one in inputs] == [reported]
    client.follow()
    times = [one.time for one in client.training.inputs]
    assert times == sorted(times)
    result = client.get("/result")[1]["result"]
    assert [one["kind"] for one in result["incidents"]] == ["connection lost", "reconnected"]
    assert result["incidents"][0]["time"] > reported
    assert result["slips"] == []
    _, record = client.get("/record")
    again = result_of(read_exam_record(record), load("uth-ma"))
    assert msgspec.json.decode(msgspec.json.encode(again)) == result


def wrong_answers(client: ChairClient, questions: list[Any]) -> dict[str, str]:
    """Return an answer to each question that the rulebook does not give."""
    act = client.right()
    assert isinstance(act, a.ReportIrregularity)
    right = client.right_answers(act)
    return {
        one["question"]: next(text for text in one["answers"] if text != right.get(one["question"]))
        for one in questions
    }


@pytest.mark.usefixtures("short_exam")
@pytest.mark.parametrize("way", ["rulings", "acts"])
def test_wrong_and_missing_rulings_fail_an_exam(way: str) -> None:
    house = new_house()
    client = open_exam(house)
    reports = 0
    while client.view["progress"] == "open":
        client.follow(a.ReportIrregularity)
        act = client.right()
        if not isinstance(act, a.ReportIrregularity):
            break
        reports += 1
        if way == "acts":
            # The report is sent like any other act, without a ruling.
            status, answer = client.act(act)
        else:
            report = msgspec.structs.asdict(act)
            del report["ruling"]
            _, answer = client.post("/rulings", {"key": client.key(), "irregularity": report})
            answers = wrong_answers(client, answer["view"]["stopped"]["questions"])
            status, answer = client.post("/rulings", {"key": client.key(), "answers": answers})
        assert status == 200, answer
        client.view = answer["view"]
    assert reports
    _, sheet = client.get("/result")
    result = sheet["result"]
    rulings = next(one for one in result["measures"] if one["name"] == "rulings")
    assert (rulings["value"], result["passed"], sheet["within"]["rulings"]) == (0, False, False)
    wrong = [one for one in result["slips"] if one["kind"] == "wrong ruling"]
    assert len(wrong) == int(rulings["shown"].split()[-1]) > reports
    assert all(one["clause"] and one["right"] and bool(one["did"]) == (way == "rulings") for one in wrong)
    assert sheet["score"] < 100
    reviews = [client.get(f"/rounds/{n}")[1] for n in (1, 2)]
    assert sum(one["slips"] for one in reviews) == len(result["slips"])
    # The record has the rulings, and replays to the same result.
    _, record = client.get("/record")
    assert (b'"ruling":{' in record) == (way == "rulings")
    again = result_of(read_exam_record(record), load("uth-ma"))
    assert msgspec.json.decode(msgspec.json.encode(again)) == result


@pytest.mark.usefixtures("short_exam")
def test_right_rulings_cost_nothing_and_a_bad_one_is_refused() -> None:
    house = new_house()
    client = open_exam(house)
    client.follow(a.ReportIrregularity)
    act = client.right()
    assert isinstance(act, a.ReportIrregularity)
    status, answer = client.act(replace(act, ruling={"hands": "maybe"}))
    assert (status, answer["refused"][0]["code"]) == (400, "bad-act")
    client.follow()
    sheet = client.get("/result")[1]
    rulings = next(one for one in sheet["result"]["measures"] if one["name"] == "rulings")
    assert (rulings["value"], sheet["score"], sheet["result"]["slips"]) == (100, 100, [])
    assert not rulings["shown"].startswith("none")


@pytest.mark.usefixtures("short_exam")
def test_an_exam_continues_after_a_restart_with_the_same_cards(tmp_path: Path) -> None:
    house = new_house(tmp_path / "house.db", "")
    client = open_exam(house)
    client.follow(a.TurnUp)
    before, token = client.get()[1], house.tokens["Noor"]
    record = client.hosted.record
    house.close()
    house = ChairHouse(tmp_path / "house.db", now=house.now)
    house.tokens["Noor"] = token
    client.house = house
    after = client.get()[1]
    changes = {"clock": 0, "exam": None}
    assert {**after, **changes} == {**before, **changes}
    assert after["exam"]["commitment"] == before["exam"]["commitment"]
    assert client.hosted.record == record
    assert not client.hosted.run.incidents  # type: ignore[union-attr]
    client.view = after
    client.follow()
    assert client.get("/result")[1]["result"]["commitment"] == before["exam"]["commitment"]
    house.close()


@pytest.mark.usefixtures("short_exam")
def test_a_class_sets_the_exam_and_gets_the_result() -> None:
    house = new_house()
    house.person("Flo")
    run_now(house.serving.people.give("Flo", "*", "floor"))
    _, card = house.call("Flo", "POST", "/api/classes", {"name": "Evening class"})
    house.call("Flo", "POST", f"/api/classes/{card['id']}/exam", {"exam": "practice", "rulebook": "uth-sd"})
    _, invited = house.call("Flo", "POST", f"/api/classes/{card['id']}/invitation")
    request = {"rulebook": "uth-ma", "class_id": card["id"]}
    status, answer = house.call("Noor", "POST", "/api/training", request)
    assert (status, answer["refused"][0]["code"]) == (404, "no-class")
    house.call("Noor", "POST", "/api/classes/join", {"invitation": invited["invitation"]})
    client = ChairClient(house, "Noor", class_id=card["id"])
    assert (client.view["rulebook"], client.view["exam"]["examiner"]) == ("uth-sd", "Flo")
    house.call("Noor", "DELETE", client.path)
    _, sheet = house.call("Flo", "GET", f"/api/classes/{card['id']}")
    (attempt,) = sheet["trainees"][0]["attempts"]
    assert (attempt["status"], attempt["passed"]) == ("aborted", False)


def open_class(house: ChairHouse) -> tuple[str, dict[str, str]]:
    """Return the path of a class of Flo that Noor has joined, and its invitation."""
    house.person("Flo")
    run_now(house.serving.people.give("Flo", "*", "floor"))
    path = f"/api/classes/{house.call('Flo', 'POST', '/api/classes', {'name': 'Class'})[1]['id']}"
    house.call("Flo", "POST", f"{path}/exam", {"exam": "practice", "rulebook": "uth-ma"})
    link = {"invitation": house.call("Flo", "POST", f"{path}/invitation")[1]["invitation"]}
    house.call("Noor", "POST", "/api/classes/join", link)
    return path, link


@pytest.mark.usefixtures("short_exam")
def test_an_old_result_does_not_end_a_new_attempt() -> None:
    house = new_house()
    path, link = open_class(house)
    class_id = path.rpartition("/")[2]
    old = ChairClient(house, "Noor", class_id=class_id)
    house.call("Noor", "DELETE", old.path)
    house.call("Noor", "POST", f"{path}/leave")
    house.call("Noor", "POST", "/api/classes/join", link)
    ChairClient(house, "Noor", class_id=class_id)
    # The old session is loaded again, and reports its result again.
    house.serving.training._rooms.clear()
    assert old.get()[0] == 200
    (noor,) = house.call("Flo", "GET", path)[1]["trainees"]
    assert [(one["attempt"], one["status"]) for one in noor["attempts"]] == [(1, "aborted"), (2, "started")]
    assert len(run_now(house.serving.progress.entries("Noor", "exam"))) == 1


@pytest.mark.usefixtures("short_exam")
@pytest.mark.parametrize("rows", ["left", "gone"])
def test_the_exam_of_a_trainee_who_left_the_class_stays_readable(rows: str) -> None:
    house = new_house()
    path, _ = open_class(house)
    client = ChairClient(house, "Noor", class_id=path.rpartition("/")[2])
    house.call("Flo", "POST", f"{path}/remove", {"handle": "Noor"})
    if rows == "gone":
        house.serving.store.class_rows().erase_person("noor", 1)
    assert house.call("Noor", "DELETE", client.path)[0] == 200
    house.serving.training._rooms.clear()
    for part in ("", "/result", "/score", "/record"):
        assert client.get(part)[0] == 200, part
    status, answer = client.get("/certificate")
    assert (status, answer["refused"][0]["code"]) == (404, "not-passed")
    (entry,) = run_now(house.serving.progress.entries("Noor", "exam"))
    assert (entry.body["outcome"], entry.body["session"]) == ("aborted", client.session)
    assert ("class" in entry.body) == (rows == "left")
    assert house.call("Flo", "GET", path)[1].get("trainees", []) == []


@pytest.mark.usefixtures("short_exam")
def test_a_long_result_is_stored_in_a_shorter_form(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house()
    path, _ = open_class(house)
    slip = SlipLine(round=1, kind="k", did="d", right="r", sentence="s", says="x" * 100)
    rest = HostedSession.result

    def result(hosted: HostedSession) -> ExamResult:
        return replace(rest(hosted), slips=tuple(replace(slip, amount=n) for n in range(3000)))

    monkeypatch.setattr(HostedSession, "result", result)
    client = ChairClient(house, "Noor", class_id=path.rpartition("/")[2])
    house.call("Noor", "DELETE", client.path)
    status, sheet = client.get("/result")
    assert (status, len(sheet["result"]["slips"])) == (200, 3000)
    (entry,) = run_now(house.serving.progress.entries("Noor", "exam"))
    assert [one["amount"] for one in entry.body["slips"]] == list(range(200))
    assert entry.body["totals"] == {"slips": 3000}
    (noor,) = house.call("Flo", "GET", path)[1]["trainees"]
    assert (noor["attempts"][0]["status"], noor["attempts"][0]["passed"]) == ("aborted", False)
    # Long rows: fewer of them are stored.
    slip = replace(slip, says="x" * 5000)
    assert 10 < len(stored_result(result(client.hosted))["slips"]) < 30


@pytest.mark.usefixtures("short_exam")
def test_a_result_that_cannot_be_stored_does_not_block_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house()
    path, _ = open_class(house)
    client = ChairClient(house, "Noor", class_id=path.rpartition("/")[2])
    append = house.serving.progress.append

    async def refuse_exams(handle: str, kind: str, body: Any, **more: Any) -> int:
        if kind == "exam":
            raise refused(409, "progress-full", "progress", "full")
        return await append(handle, kind, body, **more)

    with monkeypatch.context() as patch:
        patch.setattr(house.serving.progress, "append", refuse_exams)
        house.call("Noor", "DELETE", client.path)
        for part in ("", "/result", "/score", "/record"):
            assert client.get(part)[0] == 200, part
        (noor,) = house.call("Flo", "GET", path)[1]["trainees"]
        assert noor["attempts"][0]["status"] == "aborted"
    client.get()
    (noor,) = house.call("Flo", "GET", path)[1]["trainees"]
    assert noor["attempts"][0]["passed"] is False


def test_the_exams_and_scenarios_are_listed() -> None:
    house = new_house()
    status, listed = house.call("", "GET", "/api/exams")
    assert status == 200
    by_name = {one["exam"]: one for one in listed["exams"]}
    assert by_name["practice"]["rounds"] == 10
    assert "busy" in listed["scenarios"]
    for field, name in (("exam", "finals"), ("scenario", "earthquake")):
        status, answer = house.call("Noor", "POST", "/api/training", {"rulebook": "uth-ma", field: name})
        assert (status, answer["refused"][0]["code"]) == (404, f"no-{field}")


def test_the_house_rules_of_an_exam_are_listed_before_it() -> None:
    house = new_house()
    house.person("Ann")
    path = "/api/exams/house-rules?rulebook=uth-sd&mode="
    status, rules = house.call("Ann", "GET", f"{path}manual")
    assert status == 200
    clauses = {rule.get("clause") for topic in rules["topics"] for rule in topic["rules"]}
    # The document says neither which cards the progressive counts, nor what follows from a card drawn in error.
    assert {"MA-13.f", "MA-14.c", "MA-7.b"} <= clauses
    assert "MA-8.b.2" not in clauses
    status, answer = house.call("Ann", "GET", f"{path}unknown")
    assert (status, answer["refused"][0]["code"]) == (400, "bad-mode")
    # The table test has a second table, and its rules follow.
    status, more = house.call("Ann", "GET", f"{path}manual&exam=table-test")
    assert more["topics"][: len(rules["topics"])] == rules["topics"]
    second = more["topics"][len(rules["topics"]) :]
    heading = "At the second table (device deal, after round "
    assert all(one["heading"].startswith(heading) for one in second)
    # A machine deals there, and it may fail.
    there = {rule.get("clause") for topic in second for rule in topic["rules"]}
    assert {"MA-8.b.2", "MA-9.a-b", "MA-14.f"} <= there
    assert not {"MA-14.c", "MA-6.a-c"} & there
