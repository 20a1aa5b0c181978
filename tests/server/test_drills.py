"""Drills over the API: grades, second answers, prepared questions, bounds, bad input and kept progress."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.client.drill_messages import AnswerDrill
from houseway.live.offload import run_now
from houseway.server.drill_desk import RunningDrill
from houseway.server.session_desk import HOURS, MOST_EACH
from houseway.training.drills.drill_words import kind_words
from houseway.training.drills.question import RightAnswer
from server.chair_client import ChairHouse

DRILLS = {"payouts": 60, "hands": 30, "order": 10, "next": 20, "rulings": 10, "chips": 20}


@pytest.fixture
def house() -> ChairHouse:
    house = ChairHouse()
    house.person("Noor")
    return house


class DrillClient:
    """A person who answers a drill. The tests read the key on the server's side."""

    def __init__(self, house: ChairHouse, drill: str = "payouts", who: str = "Noor", **order: Any) -> None:
        self.house, self.who = house, who
        order = {"rulebook": "uth-ma", "drill": drill, "seed": "s", **order}
        status, self.state = house.call(who, "POST", "/api/drills", order)
        assert status == 201, self.state
        self.path = f"/api/drills/{self.state['session']}"

    @property
    def running(self) -> RunningDrill:
        return self.house.serving.drills.drills[self.state["session"]]

    @property
    def key(self) -> dict[str, RightAnswer]:
        assert self.running.asked is not None
        return {one.part: one for one in self.running.asked.question.key}

    def send(self, answers: dict[str, str], step: int | None = None, time: int = 1500) -> tuple[int, Any]:
        body = {"step": self.running.step if step is None else step, "answers": answers, "time": time}
        return self.house.call(self.who, "POST", f"{self.path}/answers", body)

    def right(self) -> dict[str, str]:
        """The right answer to the open wager, or to the whole question."""
        open_parts = {
            name: one.answer for name, one in self.key.items() if name not in self.running.settled
        }
        payment = self.state["drill"] == "payouts"
        return dict([next(iter(open_parts.items()))]) if payment else open_parts

    def answer(self, **more: Any) -> Any:
        status, graded = self.send(self.right(), **more)
        assert status == 200, graded
        return graded


def wrong_payment(right: RightAnswer) -> str:
    """A wrong answer to a wager. To take envy that is not due takes nothing, so it is not wrong."""
    return {"take": "push", "none": "5"}.get(right.answer, "take")


@pytest.mark.parametrize("scope", ["wager", "hand", "table"])
def test_sixty_payments_are_graded_in_order_and_then_the_drill_ends(house: ChairHouse, scope: str) -> None:
    client = DrillClient(house, scope=scope)
    expected = []
    for n in range(60):
        assert client.state["count"] == 60
        if n % 7 == 3:
            part, right = next(iter(client.right().items()))[0], client.key
            client.send({part: wrong_payment(right[part])})
        graded = client.answer(time=12_000 if n % 5 == 0 else 1000)
        expected.append("wrong" if n % 7 == 3 else "late" if n % 5 == 0 else "right")
        assert graded["progress"]["marks"] == expected
        assert graded["progress"]["figures"]["right"] == sum(one != "wrong" for one in expected)
        assert ("summary" in graded) == (n == 59)
    assert "next" not in graded
    assert client.running.finished
    status, state = house.call("Noor", "GET", client.path)
    assert (status, "question" in state, len(state["progress"]["marks"])) == (200, False, 60)
    assert client.send({"any": "take"})[0] == 409


@pytest.mark.parametrize("drill", list(DRILLS))
def test_every_drill_is_answered_right_and_wrong(house: ChairHouse, drill: str) -> None:
    client = DrillClient(house, drill)
    assert client.state["count"] == DRILLS[drill]
    client.answer()
    first = client.right()
    status, graded = client.send({name: _wrong(client, name) for name in first})
    assert status == 200, graded
    wrong = [part for part in graded["parts"] if not part["is_right"]]
    assert wrong
    assert graded["progress"]["marks"] == ["right", "wrong"]
    if drill != "payouts":
        assert graded["complete"]
        assert graded["progress"]["miss"]["number"] == 2
        assert all(part["right"] and (part.get("clause") or drill == "chips") for part in wrong)


def _wrong(client: DrillClient, name: str) -> str:
    """A wrong answer to a part."""
    right = client.key[name]
    assert client.running.asked is not None
    part = next(one for one in client.running.asked.question.facts.parts if one.name == name)
    if part.form == "payment":
        return wrong_payment(right)
    if part.form == "sequence":
        return right.answer[::-1]
    if part.form == "choice":
        return next(choice for choice in part.choices if choice != right.answer)
    return f"1x{part.choices[-1]} {right.answer}" if part.form == "stack" else "0.01"


def test_a_second_wrong_answer_shows_the_sum_and_the_clause(house: ChairHouse) -> None:
    client = DrillClient(house, scope="wager", rulebook="uth-sd")
    while not (right := next(iter(client.key.values()))).answer.startswith("pay"):
        client.answer()
    marks = len(client.running.marks)
    _, first = client.send({right.part: "0.50"})
    (part,) = first["parts"]
    assert (part["is_right"], part["again"], first["complete"]) == (False, True, False)
    # The first reply does not say what is right.
    text = msgspec.json.encode(first["parts"]).decode()
    assert right.answer.removeprefix("pay ") not in text
    assert not {"right", "sum", "clause"} & set(part)
    _, second = client.send({right.part: "1.00"})
    (part,) = second["parts"]
    assert (part["is_right"], second["complete"]) == (False, True)
    assert (part["right"], part["clause"]) == (right.answer, right.clause)
    assert right.answer.removeprefix("pay ") in part["sum"]
    assert len(second["progress"]["marks"]) == marks + 1
    assert second["progress"]["miss"]["clause"] == right.clause


def test_a_second_right_answer_settles_the_wager_but_the_mark_stays_wrong(house: ChairHouse) -> None:
    client = DrillClient(house, scope="wager")
    right = next(iter(client.key.values()))
    client.send({right.part: wrong_payment(right)})
    graded = client.answer()
    assert graded["parts"][0]["is_right"]
    assert graded["progress"]["marks"] == ["wrong"]
    kinds = client.running.session.progress.kinds.values()
    assert [card.failed for card in kinds] == [True]


@pytest.mark.parametrize("drill", list(DRILLS))
def test_an_open_question_contains_neither_its_key_nor_its_kind(house: ChairHouse, drill: str) -> None:
    client = DrillClient(house, drill)
    for _ in range(6):
        assert client.running.asked is not None
        question = client.running.asked.question
        _, state = house.call("Noor", "GET", client.path)
        assert set(state["question"]) <= {
            "number", "asks", "mode", "level", "parts", "scope", "notes", "speech", "felt", "stack", "repeats",
            "tables", "meters", "limit",
        }  # fmt: skip
        text = msgspec.json.encode(state["question"]).decode()
        assert question.kind not in text
        assert not any(key.clause and f'"{key.clause}"' in text for key in question.key)
        assert not any(key.answer.startswith("pay") and key.answer in text for key in question.key)
        client.answer()


def test_the_next_question_is_prepared_while_the_trainee_answers(
    house: ChairHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = DrillClient(house, "next")
    asked: list[object] = []

    async def refuse(*work: object) -> None:
        asked.append(work)
        raise AssertionError("an answer must not wait for a question to be made")

    monkeypatch.setattr(house.serving.drills._queue, "do", refuse)
    for number in range(2, 6):
        prepared = client.running.prepared
        assert prepared is not None
        shown = prepared.result(20).question.facts
        graded = client.answer()
        assert graded["next"]["number"] == number
        assert graded["next"]["asks"] == shown.asks
        assert graded["next"]["parts"][0]["choices"] == list(shown.parts[0].choices)
    assert asked == []


def test_a_question_that_cannot_be_prepared_is_made_again(
    house: ChairHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, desk = DrillClient(house, "next"), house.serving.drills
    failed: Future[Any] = Future()
    failed.set_exception(MemoryError())
    client.running.prepared = failed
    assert client.answer()["next"]["number"] == 2
    # Now making it fails too: the answer does not count, and it can be sent again.
    client.running.prepared = failed
    answers, step = client.right(), client.running.step

    async def refuse(*work: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(desk._queue, "do", refuse)
        with pytest.raises(MemoryError):
            asyncio.run(desk.answer("Noor", client.running.id, AnswerDrill(step=step, answers=answers)))
    assert (client.running.step, len(client.running.marks)) == (step, 1)
    status, graded = client.send(answers, step=step)
    assert (status, graded["next"]["number"]) == (200, 3)
    assert len(client.running.marks) == 2


def test_an_answer_that_is_sent_twice_counts_once(house: ChairHouse) -> None:
    client = DrillClient(house, scope="wager")
    answers = client.right()
    first = client.send(answers, step=0)
    assert client.send(answers, step=0) == first
    assert len(client.running.marks) == 1
    status, reply = client.send(answers, step=5)
    assert (status, reply["refused"][0]["code"]) == (409, "other-step")
    assert len(client.running.marks) == 1


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"step": 0, "answers": {"seat 9 ante": "take"}}, 400, "unknown-part"),
        ({"step": 0, "answers": {}}, 400, "one-wager"),
        ({"step": 0, "answers": {"PART": "lots"}}, 400, "unreadable"),
        ({"step": 0, "answers": {"PART": "x" * 1001}}, 400, "bad-body"),
        ({"step": -1, "answers": {"PART": "take"}}, 400, "bad-body"),
        ({"answers": {"PART": "take"}}, 400, "bad-body"),
        ({"step": 0, "answers": {"PART": "take"}, "time": -1}, 400, "bad-body"),
    ],
)
def test_a_bad_answer_is_refused_and_changes_nothing(
    house: ChairHouse, body: dict[str, Any], status: int, code: str
) -> None:
    client = DrillClient(house, scope="wager")
    part = next(iter(client.key))
    body = msgspec.json.decode(msgspec.json.encode(body).replace(b"PART", part.encode()))
    answered = house.call("Noor", "POST", f"{client.path}/answers", body)
    assert (answered[0], answered[1]["refused"][0]["code"]) == (status, code)
    assert (client.running.step, client.running.marks) == (0, [])


@pytest.mark.parametrize(
    ("order", "status", "code"),
    [
        ({"rulebook": "uth-xx", "drill": "payouts"}, 404, "unknown-rulebook"),
        ({"rulebook": "uth-ma", "drill": "juggling"}, 400, "bad-body"),
        ({"rulebook": "uth-ma", "drill": "hands", "scope": "hand"}, 400, "no-scope"),
        ({"rulebook": "uth-ma", "drill": "payouts", "mode": "sideways"}, 400, "unknown-mode"),
    ],
)
def test_a_drill_that_cannot_start_is_refused(
    house: ChairHouse, order: dict[str, str], status: int, code: str
) -> None:
    answered = house.call("Noor", "POST", "/api/drills", order)
    assert (answered[0], answered[1]["refused"][0]["code"]) == (status, code)
    assert house.serving.drills.drills == {}


def test_a_drill_belongs_to_one_person(house: ChairHouse) -> None:
    client = DrillClient(house)
    house.person("Otto")
    body = {"step": 0, "answers": client.right()}
    for method, path, sent in (("GET", client.path, None), ("POST", f"{client.path}/answers", body)):
        assert house.call("Otto", method, path, sent)[0] == 404
        assert house.call("nobody", method, path, sent)[0] == 401
    assert house.call("nobody", "GET", "/api/drills")[0] == 401
    assert client.running.marks == []


def test_drills_are_bounded_and_age_out(house: ChairHouse) -> None:
    clients = [DrillClient(house) for _ in range(MOST_EACH + 1)]
    assert house.call("Noor", "GET", clients[0].path)[0] == 404
    assert house.call("Noor", "GET", clients[1].path)[0] == 200
    assert len(house.serving.drills.drills) == MOST_EACH
    desk = house.serving.drills
    late = max(drill.used for drill in desk.drills.values()) + HOURS * 3600 + 1
    desk._ticks = lambda: late
    status, reply = house.call("Noor", "GET", clients[-1].path)
    assert (status, reply["refused"][0]["code"]) == (404, "no-drill")
    assert desk.drills == {}


def test_progress_is_kept_under_the_person_and_a_weak_kind_comes_back(tmp_path: Path) -> None:
    house = ChairHouse(tmp_path / "house.db")
    house.person("Noor")
    client = DrillClient(house, scope="wager", seed="kept")
    assert client.running.asked is not None
    weak = client.running.asked.question.kind
    right = next(iter(client.key.values()))
    for _ in range(2):
        client.send({right.part: wrong_payment(right)})
    for _ in range(3):
        client.answer()
    token, now = house.tokens["Noor"], house.now
    house.close()
    # A second server on the same database, ten minutes later.
    again = ChairHouse(tmp_path / "house.db", now=now + 600)
    again.tokens["Noor"] = token
    _, menu = again.call("Noor", "GET", "/api/drills")
    payouts = next(one for one in menu["drills"] if one["drill"] == "payouts")
    assert (payouts["known"] >= 2, payouts["due"] >= 1, payouts["weak"]) == (True, True, [kind_words(weak)])
    resumed = DrillClient(again, scope="wager", seed="other")
    assert resumed.running.asked is not None
    assert (resumed.running.asked.repeats, resumed.running.asked.question.kind) == (True, weak)
    again.person("Otto")
    _, menu = again.call("Otto", "GET", "/api/drills")
    assert all("known" not in one for one in menu["drills"])
    again.close()


def test_erasing_drops_running_drills_and_their_unstored_answers(house: ChairHouse) -> None:
    house.person("Otto")
    client, other = DrillClient(house, scope="wager"), DrillClient(house, who="Otto", scope="wager")
    for _ in range(3):
        client.answer()
        other.answer()
    running = client.running
    assert running.unstored
    confirm = {"confirm": "erase my progress"}
    assert house.call("Noor", "DELETE", "/api/me/progress", confirm)[0] == 200
    assert house.call("Noor", "GET", client.path)[0] == 404
    assert house.call("Otto", "GET", other.path)[0] == 200
    # An answer that was being graded during the erasure still reaches the drill, but not the store.
    running.unstored.append(other.running.unstored[0])
    run_now(house.serving.drills._keep(running))
    _, menu = house.call("Noor", "GET", "/api/drills")
    assert all("known" not in one for one in menu["drills"])
    assert house.call("Noor", "GET", "/api/me/progress")[1]["entries"] == []
    run_now(house.serving.drills.finish())
    assert run_now(house.serving.progress.entries("Noor")) == []
    assert len(run_now(house.serving.progress.entries("Otto"))) == 1


def test_a_drill_that_starts_during_an_erasure_is_dropped(
    house: ChairHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, progress = house.serving.drills, house.serving.progress
    confirm = {"confirm": "erase my progress"}
    DrillClient(house, scope="wager").answer()
    house.call("Noor", "GET", "/api/drills")
    question, erase = desk._question, progress.erase

    async def erase_first(drill: RunningDrill) -> Any:
        await desk.forget("Noor")
        await erase("Noor")
        return await question(drill)

    # The drill has read the progress, and the erasure ends before the drill has its first question.
    with monkeypatch.context() as patch:
        patch.setattr(desk, "_question", erase_first)
        order = {"rulebook": "uth-ma", "drill": "payouts"}
        status, reply = house.call("Noor", "POST", "/api/drills", order)
    assert (status, reply["refused"][0]["code"]) == (409, "progress-erased")
    assert desk.drills == {}
    # The drill starts while the database erases.
    running = DrillClient(house, scope="wager").running

    async def start_first(handle: str) -> Any:
        desk.sessions[running.id] = running
        return await erase(handle)

    monkeypatch.setattr(progress, "erase", start_first)
    assert house.call("Noor", "DELETE", "/api/me/progress", confirm)[0] == 200
    assert desk.drills == {}


def test_erasing_ends_a_session_of_find_the_mistake(house: ChairHouse) -> None:
    assert house.call("Noor", "POST", "/api/find", {"rulebook": "uth-proc"})[0] == 201
    assert house.call("Noor", "GET", "/api/find")[0] == 200
    confirm = {"confirm": "erase my progress"}
    assert house.call("Noor", "DELETE", "/api/me/progress", confirm)[0] == 200
    assert house.call("Noor", "GET", "/api/find")[0] == 404


def test_the_menu_says_when_the_next_kind_is_due(house: ChairHouse) -> None:
    _, menu = house.call("Noor", "GET", "/api/drills")
    assert [one["drill"] for one in menu["drills"]] == list(DRILLS)
    assert "next_due" not in menu
    DrillClient(house, scope="wager").answer()
    _, menu = house.call("Noor", "GET", "/api/drills")
    assert menu["drills"][0]["known"] == 1
    assert "due" not in menu["drills"][0]
    assert menu["next_due"]
