"""The exams and scenarios of a house: read from a folder, checked at the start, and usable everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cli.app import main
from houseway.live.offload import run_now
from houseway.server.exam_library import ExamLibraryError, read_exam_library, shipped_exam_library
from server.chair_client import ChairClient, ChairHouse

EXAM = """
[exam]
id = "week-1"
title = "Week 1"
rounds = 1
players = 1
"""
SCENARIO = """
[scenario]
name = "first evening"
about = "One player is slow."

[[card]]
kind = "slow player"
chance = 100
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "exam.toml").write_text(EXAM)
    (tmp_path / "scenario.toml").write_text(SCENARIO)
    (tmp_path / "notes.txt").write_text("not read")
    return tmp_path


def test_a_house_uses_its_own_exams_and_scenarios(folder: Path) -> None:
    house = ChairHouse(exam_library=read_exam_library(folder))
    for handle in ("Flo", "Noor"):
        house.person(handle)
    run_now(house.serving.people.give("Flo", "*", "examiner"))
    listed = house.call("", "GET", "/api/exams")[1]
    assert {"week-1", "table-test", "practice"} == {one["exam"] for one in listed["exams"]}
    assert listed["scenarios"]["first evening"] == "One player is slow."
    assert ChairClient(house, "Noor", scenario="first evening").view["scenario"] == "first evening"
    path = f"/api/classes/{house.call('Flo', 'POST', '/api/classes', {'name': 'C'})[1]['id']}"
    chosen = {"exam": "week-1", "rulebook": "uth-ma"}
    assert house.call("Flo", "POST", f"{path}/exam", chosen)[1]["exam"]["title"] == "Week 1"
    link = house.call("Flo", "POST", f"{path}/invitation")[1]["invitation"]
    house.call("Noor", "POST", "/api/classes/join", {"invitation": link})
    client = ChairClient(house, "Noor", class_id=path.rpartition("/")[2])
    assert (client.view["exam"]["title"], client.view["rounds"]) == ("Week 1", 1)
    house.close()


def test_every_problem_of_every_file_is_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "exam.toml").write_text(EXAM.replace("rounds = 1", "rounds = 0").replace("players", "player"))
    (folder / "scenario.toml").write_text(SCENARIO.replace("slow player", "slow playr"))
    (folder / "same.toml").write_text(EXAM.replace("week-1", "practice"))
    (folder / "other.toml").write_text("x = 1")
    (folder / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ExamLibraryError) as refused:
        read_exam_library(folder)
    text = str(refused.value)
    for part in (
        "exam.rounds: is 0",
        "exam.player: unknown key",
        "did you mean 'slow player'?",
        "exam.id: 'practice' is already taken",
        "is neither an exam nor a scenario",
        "is not UTF-8 text",
    ):
        assert part in text, text
    assert main(["serve", "--db", str(folder / "house.db"), "--port", "1", "--training", str(folder)]) == 2
    assert "exam.rounds: is 0" in capsys.readouterr().err
    assert main(["serve", "--db", str(folder / "house.db"), "--training", str(folder / "none")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_an_empty_folder_adds_nothing(tmp_path: Path) -> None:
    assert read_exam_library(tmp_path) == shipped_exam_library()
