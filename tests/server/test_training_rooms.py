"""Sessions in memory and in storage: many people, several servers, full storage, and long rounds."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from houseway.client import training_messages as t
from houseway.live import personal_streams
from houseway.live.offload import run_now
from houseway.server import loaded_sessions, training_rooms
from houseway.server.exam_library import ExamLibrary
from houseway.server.rulebook_library import RefusedError
from houseway.server.training_rooms import TrainingRooms
from houseway.server.training_views import chair_view
from houseway.training import acts as a
from houseway.training.exams.exam import PassLimits
from server.chair_client import ChairClient, ChairHouse
from server.test_certificates import ExamHouse, key, made_key
from training.test_exams import small

__all__ = ["key", "made_key"]
EXAM = small(rounds=1, passes=PassLimits(slips_per_round=1.0))
PEOPLE = ("Noor", "Ann", "Eve")


@pytest.fixture(autouse=True)
def short_exam(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExamLibrary, "exam", lambda library, name: EXAM)


def people_in_exams(pace: float = 0.0) -> tuple[ChairHouse, list[ChairClient]]:
    house = ChairHouse(pace=pace, secret="a secret")
    return house, [ChairClient(house, house.person(who), exam="practice") for who in PEOPLE]


def second_server(house: ChairHouse) -> TrainingRooms:
    """The rooms of another server on the same database."""
    one = house.serving.training
    return TrainingRooms(
        one._progress, one._offload, one._wall_clock, one._seconds, one._secret, one._attempts, one._library
    )


def code_of(work: Any) -> str:
    with pytest.raises(RefusedError) as refused:
        asyncio.run(work)
    return refused.value.refused[0].code


# --- memory ---


def test_a_running_exam_is_not_dropped_to_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded_sessions, "MOST_LOADED", 1)
    house, clients = people_in_exams()
    hosted = [client.hosted for client in clients]
    for _ in range(40):
        house.now += 1
        for client in clients:
            assert client.post("/tick")[0] == 200
    assert [client.hosted for client in clients] == hosted
    # Other sessions still make room for each other.
    quiet = [ChairClient(house, "Noor", rounds=1) for _ in range(3)]
    assert [one.session in house.serving.training._rooms for one in quiet] == [False, False, True]
    assert [client.hosted for client in clients] == hosted


def test_a_session_that_is_loaded_again_was_seen_at_its_last_request() -> None:
    house, (client, *_) = people_in_exams()
    client.act(a.CallFloor())
    for _ in range(40):
        house.now += 1
        house.serving.training._rooms.clear()
        assert client.post("/tick")[0] == 200
    assert client.hosted.run is not None
    assert client.hosted.run.incidents == []
    house.now += 20
    client.post("/tick")
    assert [one.kind for one in client.hosted.run.incidents] == ["connection lost", "reconnected"]


# --- several servers ---


def test_two_servers_on_one_database_agree() -> None:
    house, (client, *_) = people_in_exams(pace=1.0)
    other = second_server(house)
    client.act(client.right())  # type: ignore[arg-type]
    assert len(asyncio.run(other.view("Noor", client.session)).log) == 1
    for _ in range(3):
        client.act(client.right())  # type: ignore[arg-type]
    assert len(asyncio.run(other.view("Noor", client.session)).log) == 4
    request = t.ActRequest(key="there", act={"type": "CallFloor"})
    assert len(asyncio.run(other.act("Noor", client.session, request)).view.log) == 5
    assert len(client.get()[1]["log"]) == 5


def test_a_session_that_was_erased_on_another_server_is_gone() -> None:
    house, (client, *_) = people_in_exams(pace=1.0)
    other = second_server(house)
    client.act(a.CallFloor())
    asyncio.run(other.view("Noor", client.session))
    erased = house.call("Noor", "DELETE", "/api/me/progress", {"confirm": "erase my progress"})
    assert erased[0] == 200
    assert asyncio.run(other.mine("Noor")).sessions == ()
    request = t.ActRequest(key="late", act={"type": "CallFloor"})
    assert code_of(other.view("Noor", client.session)) == "no-session"
    assert code_of(other.act("Noor", client.session, request)) == "no-session"
    assert run_now(house.serving.progress.entries("Noor")) == []


def test_nothing_is_stored_after_an_erasure_that_comes_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """The progress is erased after the request has entered the session, and before its input is stored."""
    house, (client, *_) = people_in_exams(pace=1.0)
    catch_up = TrainingRooms._catch_up

    async def erase(rooms: TrainingRooms, room: Any) -> None:
        await catch_up(rooms, room)
        await house.serving.progress.erase("Noor")

    monkeypatch.setattr(TrainingRooms, "_catch_up", erase)
    status, answer = client.act(a.CallFloor())
    assert (status, answer["refused"][0]["code"]) == (409, "progress-erased")
    assert run_now(house.serving.progress.entries("Noor")) == []


# --- storage ---


def test_an_exam_that_has_started_can_be_finished_whatever_is_stored_beside_it(
    key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = ExamHouse(key)
    client = ChairClient(house, "Noor", class_id=house.class_id)
    monkeypatch.setattr(personal_streams, "MOST_ENTRIES", 3)
    client.follow()
    assert client.get("/result")[1]["result"]["passed"]
    assert client.get("/certificate")[0] == 200
    assert (house.attempt()["status"], house.attempt()["certificate"]) == ("passed", True)
    # Another one does not start, and leaves no attempt behind.
    request = {"rulebook": "uth-ma", "class_id": house.class_id}
    status, answer = house.call("Noor", "POST", "/api/training", request)
    assert (status, answer["refused"][0]["code"]) == (409, "progress-full")
    assert house.attempt()["attempt"] == 1
    house.close()


def test_an_exam_can_be_ended_even_without_any_room(monkeypatch: pytest.MonkeyPatch) -> None:
    house, (client, *_) = people_in_exams(pace=1.0)
    monkeypatch.setattr(personal_streams, "MOST_ENTRIES", 0)
    monkeypatch.setattr(personal_streams, "MOST_RESERVED", 0)
    status, answer = client.act(a.CallFloor())
    assert (status, answer["refused"][0]["code"]) == (409, "progress-full")
    status, view = house.call("Noor", "DELETE", client.path)
    assert (status, view["progress"]) == (200, "aborted")
    assert client.get("/result")[1]["result"]["outcome"] == "aborted"


def test_open_exams_share_their_reserve(monkeypatch: pytest.MonkeyPatch) -> None:
    house, (client, *_) = people_in_exams(pace=1.0)
    monkeypatch.setattr(training_rooms, "MOST_RESERVED", training_rooms.MOST_IN_ROUND)
    request = {"rulebook": "uth-ma", "exam": "practice"}
    status, answer = house.call("Noor", "POST", "/api/training", request)
    assert (status, answer["refused"][0]["code"]) == (409, "too-many-exams")
    house.call("Noor", "DELETE", client.path)
    assert house.call("Noor", "POST", "/api/training", request)[0] == 201


# --- views ---


def test_a_round_has_a_limited_number_of_acts_and_a_view_a_limited_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(training_rooms, "MOST_IN_ROUND", 260)
    house, (client, *_) = people_in_exams()
    sizes = []
    for _ in range(261):
        status, answer = client.act(a.CallFloor())
        if status != 200:
            break
        sizes.append(len(house.replies[-1][3]))
    assert answer["refused"][0]["code"] == "round-full"
    view = client.get()[1]
    assert len(view["log"]) == 200
    assert max(sizes[205:]) - min(sizes[205:]) < 200


def test_a_view_is_built_outside_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    built = chair_view
    threads = set()

    def noted(*given: Any) -> t.ChairView:
        threads.add(threading.current_thread())
        return built(*given)

    monkeypatch.setattr(training_rooms, "chair_view", noted)
    _, (client, *_) = people_in_exams()
    client.get()
    client.act(a.CallFloor())
    client.post("/tick")
    assert threads
    assert threading.main_thread() not in threads


# --- chips ---


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ("0.21,0.33,0.39,0.51,0.57,0.69", "neither a multiple of $0.25 nor of the smallest chip, $0.21"),
        (",".join(f"{n}" for n in range(1, 14)), "a tray has at most 12 chip values (got 13)"),
        ("5,200000", "the largest chip is $100,000.00"),
    ],
)
def test_chips_that_cannot_be_counted_out_are_refused(values: str, sentence: str) -> None:
    house = ChairHouse()
    house.person("Noor")
    request = {"rulebook": "uth-proc", "house": {"chip_values": values}}
    status, answer = house.call("Noor", "POST", "/api/training", request)
    assert (status, answer["refused"][0]["code"]) == (400, "bad-setting")
    assert sentence in answer["refused"][0]["message"]
    usual = {**request, "house": {"chip_values": "100, 25, 5, 1, 0.50"}}
    assert house.call("Noor", "POST", "/api/training", usual)[0] == 201


# --- watching ---


def test_an_instructor_watches_an_exam_and_a_session_and_changes_nothing(key: Path) -> None:
    house = ExamHouse(key)
    exam = ChairClient(house, "Noor", class_id=house.class_id)
    chair = ChairClient(house, "Ann", rounds=1)
    alone = ChairClient(house, "Ann", exam="practice")
    exam.act(exam.right())  # type: ignore[arg-type]
    listed = house.call("Flo", "GET", f"{house.at}/sessions")[1]["sessions"]
    assert {(one["trainee"], one["session"]["session"]) for one in listed} == {
        ("Noor", exam.session),
        ("Ann", chair.session),
    }

    def watch(who: str, trainee: str, session: str) -> tuple[int, Any]:
        return house.call(who, "GET", f"{house.at}/sessions/{session}?trainee={trainee}")

    inputs = exam.hosted.inputs
    status, seen = watch("Flo", "noor", exam.session)
    assert status == 200
    assert {**seen, "clock": 0, "exam": 0} == {**exam.get()[1], "clock": 0, "exam": 0}
    assert exam.hosted.inputs == inputs
    assert watch("Flo", "Ann", chair.session)[0] == 200
    # An exam that the trainee takes alone, another trainee's session, and other people's requests.
    for who, trainee, session, expected in (
        ("Flo", "Ann", alone.session, (404, "no-session")),
        ("Flo", "Ann", exam.session, (404, "no-session")),
        ("Flo", "Eve", exam.session, (404, "no-trainee")),
        ("Ann", "Noor", exam.session, (404, "no-class")),
        ("Eve", "Noor", exam.session, (404, "no-class")),
    ):
        status, answer = watch(who, trainee, session)
        assert (status, answer["refused"][0]["code"]) == expected
    # Watching does not keep the trainee connected.
    for _ in range(20):
        watch("Flo", "Noor", exam.session)
    exam.post("/tick")
    assert exam.hosted.run is not None
    assert [one.kind for one in exam.hosted.run.incidents] == ["connection lost", "reconnected"]
    house.close()


@pytest.mark.parametrize("change", ["close", "role", "leave"])
def test_watching_ends_with_the_class_the_role_and_the_membership(key: Path, change: str) -> None:
    house = ExamHouse(key)
    exam = ChairClient(house, "Noor", class_id=house.class_id)
    path = f"{house.at}/sessions/{exam.session}?trainee=Noor"
    assert house.call("Flo", "GET", path)[0] == 200
    match change:
        case "close":
            house.call("Flo", "POST", f"{house.at}/close")
        case "role":
            run_now(house.serving.people.take("Flo", "*", "examiner", by="operator"))
        case "leave":
            house.call("Noor", "POST", f"{house.at}/leave")
    assert house.call("Flo", "GET", path)[0] in (403, 404, 409)
    assert house.call("Flo", "GET", f"{house.at}/sessions")[1].get("sessions", []) == []
    house.close()
