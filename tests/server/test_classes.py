"""Classes: only examiners open them, only the instructor sees the results, and erased results disappear."""

from __future__ import annotations

import csv
import io
import json
import secrets
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from houseway.client.class_messages import ExamChoice
from houseway.live.offload import run_now
from houseway.server import training_classes as classes_module
from houseway.server.class_results import safe_cell
from houseway.server.exam_library import ExamLibrary
from houseway.server.rulebook_library import RefusedError
from server.class_house import ClassHouse

EXAM = {"exam": "table-test", "rulebook": "uth-ma"}
MEASURES = [
    {"name": "slips", "label": "Slips", "shown": "2", "limit_shown": "at most 3", "value": 2, "limit": 3},
    {"name": "score", "label": "Score", "shown": "88%", "value": 88, "limit": 90, "at_least": True},
]


def result(outcome: str = "not passed", **more: Any) -> dict[str, Any]:
    passed = outcome == "passed"
    return {"outcome": outcome, "passed": passed, "measures": MEASURES, "seed": "not for the class", **more}


@pytest.fixture(autouse=True)
def exams(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = (ExamChoice(id="table-test", title="Table test"),)
    monkeypatch.setattr(ExamLibrary, "choices", lambda library: listed)


@pytest.fixture
def house() -> Iterator[ClassHouse]:
    with closing(ClassHouse("Ines", "Olga", "Ann", "Bob")) as target:
        run_now(target.serving.people.give("Ines", "*", "examiner"))
        run_now(target.serving.people.give("Olga", "*", "examiner"))
        yield target


def opened(house: ClassHouse, *trainees: str, exam: bool = True) -> str:
    """Return a class of Ines with these trainees."""
    class_id = str(house.post("/api/classes", "Ines", {"name": "Evening class"})["id"])
    link = house.post(f"/api/classes/{class_id}/invitation", "Ines")
    for trainee in trainees:
        house.post("/api/classes/join", trainee, {"invitation": link["invitation"]})
    if exam:
        house.post(f"/api/classes/{class_id}/exam", "Ines", EXAM)
    return class_id


def attempt(house: ClassHouse, class_id: str, handle: str, outcome: dict[str, Any] | None = None) -> int:
    """Make an attempt of a trainee, and end it if there is an outcome."""
    session = secrets.token_hex(8)
    started = run_now(house.serving.classes.start_attempt(class_id, handle, session))
    if outcome is not None:
        run_now(house.serving.classes.end_attempt(class_id, handle, session, outcome))
    return started.attempt


# --- opening and joining ---


def test_an_examiner_opens_a_class_and_trainees_join_by_its_link(house: ClassHouse) -> None:
    card = house.post("/api/classes", "Ines", {"name": "  Evening   class "})
    assert (card["name"], card["instructor"], card["members"]) == ("Evening class", "Ines", 0)
    link = house.post(f"/api/classes/{card['id']}/invitation", "Ines")
    assert link["link"] == f"/chair/classes#join={link['invitation']}"
    preview = house.post("/api/classes/preview", "Ann", {"invitation": link["invitation"]})
    assert preview == {"name": "Evening class", "instructor": "Ines", "members": 0}
    assert house.get("/api/classes", "Ann")["joined"] == []
    for handle in ("Ann", "Bob", "Ann"):
        house.post("/api/classes/join", handle, {"invitation": link["invitation"]})
    assert house.get("/api/classes", "Ann")["joined"][0]["members"] == 2
    assert [one["handle"] for one in house.get(f"/api/classes/{card['id']}", "Ines")["trainees"]] == [
        "Ann", "Bob",
    ]  # fmt: skip
    # The instructor's own link does not make the instructor a trainee.
    house.post("/api/classes/join", "Ines", {"invitation": link["invitation"]})
    assert house.get("/api/classes", "Ines")["joined"] == []


def test_only_an_examiner_or_the_owner_opens_a_class(house: ClassHouse) -> None:
    assert house.refusal("POST", "/api/classes", "Ann", {"name": "x"}) == (403, "not-your-role")
    assert house.get("/api/classes", "Ann")["may_open"] is False
    run_now(house.serving.people.give("Ann", "north", "examiner"))
    assert house.refusal("POST", "/api/classes", "Ann", {"name": "x"}) == (403, "not-your-role")
    run_now(house.serving.people.give("Bob", "*", "floor"))
    assert house.post("/api/classes", "Bob", {"name": "x"})["yours"]
    run_now(house.serving.people.take("Olga", "*", "examiner", "operator"))
    assert house.refusal("POST", "/api/classes", "Olga", {"name": "x"}) == (403, "not-your-role")


def test_the_owner_gives_the_role_by_an_invitation(house: ClassHouse) -> None:
    run_now(house.serving.people.give("Bob", "*", "floor"))
    order = {"table": "*", "role": "examiner"}
    link = house.post("/api/invitations", "Bob", order)
    house.post("/api/invitations/accept", "Ann", {"invitation": link["invitation"]})
    assert house.get("/api/classes", "Ann")["may_open"]
    assert house.refusal("POST", "/api/invitations", "Ann", order) == (403, "not-your-role")


@pytest.mark.parametrize("name", ["", "   ", "x" * 61, "a\nb\x07"])
def test_a_class_needs_a_printable_name(house: ClassHouse, name: str) -> None:
    assert house.refusal("POST", "/api/classes", "Ines", {"name": name}) == (400, "bad-name")


def test_a_link_that_was_replaced_revoked_or_expired_does_not_work(house: ClassHouse) -> None:
    class_id = opened(house)
    path = f"/api/classes/{class_id}/invitation"
    first, second = (house.post(path, "Ines")["invitation"] for _ in range(2))
    gone = (404, "no-invitation")
    assert house.refusal("POST", "/api/classes/join", "Ann", {"invitation": first}) == gone
    house.post("/api/classes/join", "Ann", {"invitation": second})
    assert house.send("DELETE", path, "Ines").status == 200
    assert house.refusal("POST", "/api/classes/join", "Bob", {"invitation": second}) == gone
    third = house.post(path, "Ines")["invitation"]
    rows = house.serving.store.class_rows()
    assert rows.invite(class_id, classes_module._digest(third), 1)
    assert house.refusal("POST", "/api/classes/join", "Bob", {"invitation": third}) == gone
    assert house.refusal("POST", "/api/classes/preview", "Bob", {"invitation": ""}) == gone


def test_a_closed_class_takes_no_trainees_and_no_attempts(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    link = house.post(f"/api/classes/{class_id}/invitation", "Ines")["invitation"]
    attempt(house, class_id, "Ann", result())
    assert house.post(f"/api/classes/{class_id}/close", "Ines")["closed"]
    assert house.refusal("POST", "/api/classes/join", "Bob", {"invitation": link}) == (404, "no-invitation")
    closed = (409, "class-closed")
    assert house.refusal("POST", f"/api/classes/{class_id}/invitation", "Ines", {}) == closed
    assert house.refusal("POST", f"/api/classes/{class_id}/exam", "Ines", EXAM) == closed
    with pytest.raises(RefusedError, match="has no exam for you"):
        attempt(house, class_id, "Ann")
    assert len(house.get(f"/api/classes/{class_id}", "Ines")["trainees"][0]["attempts"]) == 1


def test_an_attempt_needs_a_trainee_of_the_class(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    with pytest.raises(RefusedError, match="there is no such class, or you are not in it"):
        attempt(house, class_id, "Bob")


def test_limits_hold(house: ClassHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes_module, "MOST_MEMBERS", 1)
    monkeypatch.setattr(classes_module, "MOST_CLASSES", 1)
    monkeypatch.setattr(classes_module, "MOST_ATTEMPTS", 2)
    class_id = opened(house, "Ann", "Ann")
    link = house.post(f"/api/classes/{class_id}/invitation", "Ines")["invitation"]
    assert house.refusal("POST", "/api/classes/join", "Bob", {"invitation": link}) == (409, "class-full")
    assert house.refusal("POST", "/api/classes", "Ines", {"name": "x"}) == (409, "too-many-classes")
    for _ in range(2):
        attempt(house, class_id, "Ann")
    with pytest.raises(RefusedError, match="2 attempts in this class"):
        attempt(house, class_id, "Ann")


# --- the exam and the results ---


def test_the_instructor_sets_the_exam_that_trainees_see(house: ClassHouse) -> None:
    class_id = opened(house, "Ann", exam=False)
    assert "exam" not in house.get(f"/api/classes/{class_id}", "Ann")["card"]
    path = f"/api/classes/{class_id}/exam"
    card = house.post(path, "Ines", EXAM)
    assert card["exam"]["title"] == "Table test"
    assert card["exam"]["rulebook_title"].startswith("Massachusetts")
    assert house.get(f"/api/classes/{class_id}", "Ann")["card"]["exam"]["exam"] == "table-test"
    assert house.refusal("POST", path, "Ines", {**EXAM, "exam": "nope"}) == (404, "unknown-exam")
    assert house.refusal("POST", path, "Ines", {**EXAM, "rulebook": "no"}) == (404, "unknown-rulebook")
    assert house.refusal("POST", path, "Ines", {"exam": "table-test"}) == (404, "unknown-rulebook")
    assert house.refusal("POST", path, "Ann", EXAM) == (404, "no-class")
    assert "exam" not in house.post(path, "Ines", {})


def test_the_instructor_sees_all_results_and_a_trainee_their_own(house: ClassHouse) -> None:
    class_id = opened(house, "Ann", "Bob")
    assert attempt(house, class_id, "Ann", result()) == 1
    assert attempt(house, class_id, "Ann", result("passed", certificate=True)) == 2
    attempt(house, class_id, "Bob")
    sheet = house.get(f"/api/classes/{class_id}", "Ines")
    ann, bob = sheet["trainees"]
    assert [(one["status"], one["passed"]) for one in ann["attempts"]] == [
        ("not passed", False), ("passed", True)
    ]  # fmt: skip
    assert ann["attempts"][1]["certificate"]
    assert ann["attempts"][0]["measures"] == [
        {"name": "slips", "label": "Slips", "shown": "2", "limit": "at most 3", "passed": True},
        {"name": "score", "label": "Score", "shown": "88%", "limit": "", "passed": False},
    ]
    assert bob["attempts"] == [
        {"attempt": 1, "exam": "table-test", "rulebook": "uth-ma", "status": "started",
         "started_at": bob["attempts"][0]["started_at"]}
    ]  # fmt: skip
    assert "not for the class" not in json.dumps(sheet)
    own = house.get(f"/api/classes/{class_id}", "Bob")
    assert [one["handle"] for one in own["trainees"]] == ["Bob"]
    assert "invited_until" not in own


@pytest.mark.parametrize("handle", ["Olga", "Bob", ""])
def test_nobody_else_reaches_a_class(house: ClassHouse, handle: str) -> None:
    """Another examiner, a person outside the class, and a person who is not signed in."""
    class_id = opened(house, "Ann")
    expected = (404, "no-class") if handle else (401, "no-session")
    for method, rest, body in [
        ("GET", "", None), ("GET", "/results.csv", None), ("GET", "/tables", None),
        ("POST", "/invitation", {}), ("DELETE", "/invitation", None), ("POST", "/exam", EXAM),
        ("POST", "/close", {}), ("POST", "/remove", {"handle": "Ann"}), ("POST", "/watch", {"table": "x"}),
    ]:  # fmt: skip
        assert house.refusal(method, f"/api/classes/{class_id}{rest}", handle, body) == expected
    assert house.get(f"/api/classes/{class_id}", "Ines")["card"]["members"] == 1


@pytest.mark.parametrize("class_id", ["0", "x" * 12, "0123456789AB", "\ud800", "\0", "0123456789ab\n"])
def test_an_id_that_no_class_has_is_refused(house: ClassHouse, class_id: str) -> None:
    assert house.refusal("GET", f"/api/classes/{class_id}", "Ines") == (404, "no-class")
    assert house.refusal("POST", f"/api/classes/{class_id}/leave", "Ines", {}) == (404, "no-class")


def test_a_trainee_cannot_act_as_the_instructor(house: ClassHouse) -> None:
    class_id = opened(house, "Ann", "Bob")
    for method, rest, body in [
        ("GET", "/results.csv", None), ("GET", "/tables", None), ("POST", "/invitation", {}),
        ("POST", "/exam", EXAM), ("POST", "/close", {}), ("POST", "/remove", {"handle": "Bob"}),
        ("POST", "/watch", {"table": "x"}),
    ]:  # fmt: skip
        path = f"/api/classes/{class_id}{rest}"
        assert house.refusal(method, path, "Ann", body) == (404, "no-class")


def test_erased_results_disappear_from_the_class(house: ClassHouse) -> None:
    class_id = opened(house, "Ann", "Bob")
    attempt(house, class_id, "Ann", result("passed", certificate=True))
    attempt(house, class_id, "Bob", result())
    reply = house.send("DELETE", "/api/me/progress", "Ann", {"confirm": "erase my progress"})
    assert json.loads(reply.body) == {"erased": True, "classes": 1}
    ann, bob = house.get(f"/api/classes/{class_id}", "Ines")["trainees"]
    assert (ann["handle"], ann.get("attempts", []), bool(ann["erased_at"])) == ("Ann", [], True)
    assert len(bob["attempts"]) == 1
    # Ann can take the exam again, and the class shows that earlier results were erased.
    assert attempt(house, class_id, "Ann", result()) == 2
    ann = house.get(f"/api/classes/{class_id}", "Ines")["trainees"][0]
    assert [one["status"] for one in ann["attempts"]] == ["not passed"]
    assert ann["erased_at"]


def test_a_result_whose_entry_is_gone_is_shown_as_erased(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    attempt(house, class_id, "Ann", result("passed"))
    # Only the stream is erased, as if the server had stopped before the rows were deleted.
    assert house.serving.progress._streams.erase("Ann")
    (shown,) = house.get(f"/api/classes/{class_id}", "Ines")["trainees"][0]["attempts"]
    assert shown["status"] == "erased"
    assert "passed" not in shown
    assert "measures" not in shown


def test_the_result_is_in_the_trainees_export_and_ends_once(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    run_now(house.serving.classes.start_attempt(class_id, "Ann", "s1"))
    for outcome in ("not passed", "passed"):
        ended = house.serving.classes.end_attempt(class_id, "Ann", "s1", result(outcome))
        assert run_now(ended) == 1
    exported = house.get("/api/me/progress", "Ann")
    (entry,) = exported["entries"]
    assert entry["kind"] == "exam"
    assert (entry["body"]["class"], entry["body"]["attempt"]) == (class_id, 1)
    assert entry["body"]["seed"] == "not for the class"
    assert exported["classes"][0]["attempts"][0]["status"] == "not passed"
    with pytest.raises(RefusedError, match="cannot be read"):
        run_now(house.serving.classes.end_attempt(class_id, "Ann", "s1", {"outcome": "fine"}))


def test_a_result_without_an_attempt_is_an_ordinary_exam_entry(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    attempt(house, class_id, "Ann")
    assert run_now(house.serving.classes.end_attempt(class_id, "Ann", "other", result("passed"))) == 1
    (entry,) = house.get("/api/me/progress", "Ann")["entries"]
    assert (entry["kind"], entry["body"]["passed"], "class" in entry["body"]) == ("exam", True, False)
    (shown,) = house.get(f"/api/classes/{class_id}", "Ines")["trainees"][0]["attempts"]
    assert shown["status"] == "started"


def test_the_class_gets_the_status_even_if_the_result_is_refused(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    with pytest.raises(RefusedError, match="the limit is"):
        attempt(house, class_id, "Ann", result("passed", more="x" * 300_000))
    (shown,) = house.get(f"/api/classes/{class_id}", "Ines")["trainees"][0]["attempts"]
    assert (shown["status"], bool(shown["ended_at"])) == ("passed", True)


def test_leaving_and_removing_take_the_results_with_them(house: ClassHouse) -> None:
    class_id = opened(house, "Ann", "Bob")
    attempt(house, class_id, "Ann", result())
    assert house.post(f"/api/classes/{class_id}/leave", "Ann") == {"left": True}
    assert house.post(f"/api/classes/{class_id}/leave", "Ann") == {"left": False}
    assert house.refusal("GET", f"/api/classes/{class_id}", "Ann") == (404, "no-class")
    assert house.post(f"/api/classes/{class_id}/remove", "Ines", {"handle": "bob"}) == {"left": True}
    for handle in ("Bob", "\0", "x" * 999):
        gone = house.post(f"/api/classes/{class_id}/remove", "Ines", {"handle": handle})
        assert gone == {"left": False}
    assert house.get(f"/api/classes/{class_id}", "Ines")["trainees"] == []
    # The progress itself stays Ann's, and her data has the attempt that the class still counts.
    assert house.get("/api/me/progress/summary", "Ann")["entries"] == 1
    (left,) = house.get("/api/me/progress", "Ann")["classes"]
    assert [one["attempt"] for one in left["attempts"]] == [1]


def test_leaving_does_not_reset_the_attempts(house: ClassHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classes_module, "MOST_ATTEMPTS", 2)
    class_id = opened(house, "Ann")
    link = house.post(f"/api/classes/{class_id}/invitation", "Ines")
    attempt(house, class_id, "Ann", result())
    house.post(f"/api/classes/{class_id}/leave", "Ann")
    house.post("/api/classes/join", "Ann", {"invitation": link["invitation"]})
    assert attempt(house, class_id, "Ann") == 2
    (ann,) = house.get(f"/api/classes/{class_id}", "Ines")["trainees"]
    assert [one["status"] for one in ann["attempts"]] == ["not passed", "started"]
    with pytest.raises(RefusedError, match="2 attempts in this class"):
        attempt(house, class_id, "Ann")


def test_watching_a_table_gives_no_role(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    order = {"rulebook": "uth-ma", "dealer": "person"}
    own = house.post("/api/tables", "Ann", order)["table"]
    other = house.post("/api/tables", "Bob", order)["table"]
    tables = house.get(f"/api/classes/{class_id}/tables", "Ines")["tables"]
    assert [one["table"] for one in tables] == [own]
    watch = f"/api/classes/{class_id}/watch"
    assert house.refusal("POST", watch, "Ines", {"table": other}) == (403, "not-your-role")
    assert own not in house.post(watch, "Ines", {"table": own}).get("roles", {})
    assert set(house.get("/api/session", "Ines")["roles"]) == {"*"}


CHANGES = [
    ("POST", "/invitation", {}), ("DELETE", "/invitation", None), ("POST", "/exam", EXAM),
    ("POST", "/remove", {"handle": "Ann"}), ("POST", "/close", {}),
]  # fmt: skip


def check_no_change(house: ClassHouse, class_id: str, expected: tuple[int, str]) -> None:
    """Check that Ines cannot change a class or watch its trainee, but still sees the results."""
    table = house.post("/api/tables", "Ann", {"rulebook": "uth-ma", "dealer": "person"})["table"]
    path = f"/api/classes/{class_id}"
    for method, rest, body in [*CHANGES, ("POST", "/watch", {"table": table})]:
        assert house.refusal(method, f"{path}{rest}", "Ines", body) == expected, rest
    assert table not in house.get("/api/session", "Ines").get("roles", {})
    assert house.get(f"{path}/tables", "Ines").get("tables", []) == []
    assert house.get(f"{path}/sessions", "Ines").get("sessions", []) == []
    assert [one["handle"] for one in house.get(path, "Ines")["trainees"]] == ["Ann"]


def test_a_closed_class_gives_no_role_and_does_not_change(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    house.post(f"/api/classes/{class_id}/close", "Ines")
    check_no_change(house, class_id, (409, "class-closed"))


def test_an_instructor_whose_role_was_revoked_cannot_change_a_class(house: ClassHouse) -> None:
    class_id = opened(house, "Ann")
    run_now(house.serving.people.take("Ines", "*", "examiner", "operator"))
    check_no_change(house, class_id, (403, "not-your-role"))


# --- CSV ---


def test_the_results_are_exported_for_a_spreadsheet(house: ClassHouse) -> None:
    house.introduce("Zed")
    class_id = opened(house, "Ann", "Bob", "Zed")
    trick = [{"name": "=HYPERLINK(1)", "shown": "+1", "value": 1}]
    attempt(house, class_id, "Ann", result(measures=trick))
    attempt(house, class_id, "Ann", result("passed", certificate=True))
    attempt(house, class_id, "Bob", result())
    house.send("DELETE", "/api/me/progress", "Bob", {"confirm": "erase my progress"})
    reply = house.send("GET", f"/api/classes/{class_id}/results.csv", "Ines")
    assert reply.headers["content-type"].startswith("text/csv")
    head, *rows = csv.reader(io.StringIO(reply.body.decode(), newline=""))
    shown = [dict(zip(head, row, strict=True)) for row in rows]
    assert [(row["trainee"], row["attempt"], row["status"], row["passed"]) for row in shown] == [
        ("Ann", "1", "not passed", "no"),
        ("Ann", "2", "passed", "yes"),
        ("Bob", "", "erased", ""),
        ("Zed", "", "no attempt", ""),
    ]
    assert shown[0]["'=HYPERLINK(1)"] == "'+1"
    assert (shown[1]["slips"], shown[1]["score"], shown[1]["certificate"]) == ("2", "88%", "yes")


@pytest.mark.parametrize("first", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_is_never_a_formula(first: str) -> None:
    assert safe_cell(f"{first}1+1") == f"'{first}1+1"
    assert safe_cell("88%") == "88%"
