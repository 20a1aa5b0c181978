"""A person's own progress over the API: export, summary, erasing, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from houseway.audit.personal_entries import key_name
from houseway.audit.store_factory import open_store
from houseway.audit.streams import personal_stream
from houseway.audit.verify_house import verify_house
from houseway.cli.app import main
from houseway.live import personal_streams
from houseway.live.offload import run_now
from houseway.server.rulebook_library import RefusedError
from server.class_house import ClassHouse
from server.houses import running

CONFIRM = {"confirm": "erase my progress"}


@pytest.fixture
def house() -> Iterator[ClassHouse]:
    with closing(ClassHouse("Ann", "Bob")) as target:
        yield target


def test_a_person_downloads_their_own_progress(house: ClassHouse) -> None:
    house.append("Ann", "drill", {"right": 9})
    house.append("Ann", "find", {"level": 3})
    house.append("Bob", "drill", {"right": 1})
    reply = house.send("GET", "/api/me/progress", "Ann")
    assert reply.headers["content-disposition"].startswith("attachment")
    document = json.loads(reply.body)
    assert (document["format"], document["version"], document["handle"]) == ("houseway progress", 1, "Ann")
    assert [(one["seq"], one["kind"], one["body"]) for one in document["entries"]] == [
        (1, "drill", {"right": 9}),
        (2, "find", {"level": 3}),
    ]


def test_the_summary_counts_entries_by_kind(house: ClassHouse) -> None:
    empty = house.get("/api/me/progress/summary", "Ann")
    assert (empty["entries"], empty["bytes"], empty["kinds"]) == (0, 0, {})
    for n in range(3):
        house.append("Ann", "drill", {"n": n})
    house.append("Ann", "exam", {})
    summary = house.get("/api/me/progress/summary", "Ann")
    assert (summary["entries"], summary["kinds"]) == (4, {"drill": 3, "exam": 1})
    assert summary["bytes"] > 0
    assert summary["most_entries"] == personal_streams.MOST_ENTRIES


def test_erasing_needs_the_confirmation_in_words(house: ClassHouse) -> None:
    house.append("Ann", "drill", {"n": 1})
    for body in (None, {}, {"confirm": "yes"}, {"confirm": True}, {**CONFIRM, "handle": "Bob"}):
        reply = house.send("DELETE", "/api/me/progress", "Ann", body)
        assert reply.status == 400
    assert house.get("/api/me/progress/summary", "Ann")["entries"] == 1
    reply = house.send("DELETE", "/api/me/progress", "Ann", CONFIRM)
    assert json.loads(reply.body) == {"erased": True, "classes": 0}
    summary = house.get("/api/me/progress/summary", "Ann")
    assert (summary["entries"], bool(summary["erased_at"])) == (0, True)
    assert house.get("/api/me/progress", "Ann")["entries"] == []
    assert len(house.get("/api/me/progress", "Ann")["erased_at"]) == 1


def test_erasing_leaves_everybody_elses_progress(house: ClassHouse) -> None:
    house.append("Ann", "drill", {"n": 1})
    house.append("Bob", "drill", {"n": 2})
    house.send("DELETE", "/api/me/progress", "Ann", CONFIRM)
    assert [one["body"] for one in house.get("/api/me/progress", "Bob")["entries"]] == [{"n": 2}]


@pytest.mark.parametrize("path", ["/api/me/progress", "/api/me/progress/summary"])
def test_without_a_session_there_is_no_progress(house: ClassHouse, path: str) -> None:
    assert house.send("GET", path).status == 401
    assert house.send("DELETE", "/api/me/progress", body=CONFIRM).status == 401


def test_a_personal_stream_cannot_be_read_as_a_table(house: ClassHouse) -> None:
    house.append("Ann", "drill", {"n": 1})
    for rest in ("", "/view", "/rounds", "/export", "/head"):
        assert house.send("GET", f"/api/tables/person:ann{rest}", "Bob").status == 404
        assert house.send("GET", f"/api/tables/person:ann{rest}", "Ann").status == 404


def test_a_handle_with_progress_never_expires(house: ClassHouse) -> None:
    rows = house.serving.store.people_rows()
    assert {row.handle: row.recorded_at is not None for row in rows.everyone()} == {
        "Ann": False, "Bob": False
    }  # fmt: skip
    house.append("Ann", "drill", {})
    assert {row.handle: row.recorded_at is not None for row in rows.everyone()} == {
        "Ann": True, "Bob": False
    }  # fmt: skip


def test_a_full_stream_and_a_bot_are_refused(house: ClassHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal_streams, "MOST_ENTRIES", 1)
    house.append("Ann", "drill", {})
    with pytest.raises(RefusedError, match="export your progress, then erase it") as full:
        house.append("Ann", "drill", {})
    assert full.value.status == 409
    with pytest.raises(RefusedError, match="a bot has no progress"):
        house.append("Rigel (bot)", "drill", {})
    with pytest.raises(RefusedError, match="there is no kind 'diary'"):
        house.append("Bob", "diary", {})


def test_the_operator_exports_a_persons_progress(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = tmp_path / "house.db"
    with closing(ClassHouse("Ann", where=where)) as house:
        house.append("Ann", "drill", {"n": 1})
    assert main(["people", "progress", str(where), "Ann"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["body"] for one in document["entries"]] == [{"n": 1}]
    assert main(["people", "progress", str(where), "Zoe"]) == 2
    assert "there is no person 'Zoe'" in capsys.readouterr().err


def test_the_operator_erases_a_persons_progress(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = tmp_path / "house.db"
    with closing(ClassHouse("Ann", "Bob", where=where)) as house:
        house.append("Ann", "drill", {"n": 1})
        house.append("Bob", "drill", {"n": 2})
        # A running server is the only writer of its records.
        assert main(["people", "erase-progress", str(where), "Ann"]) == 2
        assert "is already writing to" in capsys.readouterr().err
        assert house.get("/api/me/progress/summary", "Ann")["entries"] == 1
    assert main(["people", "erase-progress", str(where), "ANN"]) == 0
    assert capsys.readouterr().out.startswith("the progress of Ann is erased")
    assert main(["people", "erase-progress", str(where), "Ann"]) == 0
    assert capsys.readouterr().out == "Ann has no progress to erase\n"
    assert main(["people", "erase-progress", str(where), "Zoe"]) == 2
    with closing(ClassHouse(where=where)) as house:
        assert [one.body for one in run_now(house.serving.progress.entries("Bob"))] == [{"n": 2}]
        assert run_now(house.serving.progress.entries("Ann")) == []
    with closing(open_store(where, read_only=True)) as store:
        assert all(report.sound for report in verify_house(store))


def test_a_running_server_writes_progress_to_its_record(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    with running(db=where) as house:
        person = house.run(house.serving.people.introduce("Ann"))
        assert isinstance(person, tuple)
        numbers = [
            house.run(house.serving.progress.append("Ann", "training", {"n": n}, key=f"session {n % 3}"))
            for n in range(6)
        ]
        assert numbers == [1, 2, 3, 1, 2, 3]
        entries = house.run(house.serving.progress.entries("Ann", "training", since=1))
        assert [one.body for one in entries] == [{"n": 1}, {"n": 2}]
        gone = house.run(house.serving.progress.erase("Ann"))
        assert gone.erased
    with closing(open_store(where, read_only=True)) as store:
        reports: dict[str, Any] = {report.stream: report for report in verify_house(store)}
        assert all(report.sound for report in reports.values())
        assert reports[personal_stream("Ann")].notes[0].startswith("erased: 3 entries")
        assert store.secret(personal_stream("Ann"), key_name(1)) is None


def test_erasing_is_possible_without_any_progress(house: ClassHouse) -> None:
    gone = run_now(house.serving.progress.erase("Ann"))
    assert (gone.erased, gone.classes) == (False, 0)
    assert house.serving.store.head(personal_stream("Ann")) is None
