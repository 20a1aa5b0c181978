"""A restarted or killed server continues training sessions: no acknowledged act is lost, and no card changes."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from houseway.audit.store import StoreError
from houseway.client import House, HouseError
from houseway.client import training_messages as t
from houseway.live.offload import run_now
from houseway.live.viewer_messages import encoder
from houseway.rules.loader import added_rulebooks, load
from houseway.server.training_plans import session_plan
from houseway.training import acts as a
from houseway.training.act_codec import encode_act
from houseway.training.chair_view import chair_felt
from houseway.training.model_dealer import right_act
from houseway.training.session import TrainingSession
from server.chair_client import ChairClient, ChairHouse
from server.forking import ForkedProcess
from server.houses import Process

KILLS = 6


def reopened(house: ChairHouse, where: Path) -> ChairHouse:
    """Return a new server on the same database."""
    other = ChairHouse(where, now=house.now)
    other.tokens = house.tokens
    return other


@pytest.mark.parametrize("way", ["training", "live"])
def test_a_restarted_server_continues_with_the_same_cards(tmp_path: Path, way: str) -> None:
    where = tmp_path / "house.db"
    house = ChairHouse(where)
    house.person("Noor")
    client = ChairClient(
        house,
        "Noor",
        rulebook="uth-sd",
        mode="manual",
        way=way,
        rounds=2,
        seats=2,
        scenario="busy",
        seed="again",
    )
    for number in range(12):
        act = client.right()
        assert act is not None
        client.act(act)
        if number == 5:
            # In the live way it is refused, and the refusal is stored too.
            client.act(a.Rack(what="board"))
        if number % 4 == 0:
            before = client.get()[1]
            key = {"key": f"key {client.keys}", "act": msgspec.json.decode(encode_act(act))}
            house.close()
            client.house = house = reopened(house, where)
            after = client.get()[1]
            assert {**after, "clock": 0} == {**before, "clock": 0}
            if number != 5:
                status, repeated = client.post("/acts", key)
                assert (status, repeated["repeated"]) == (200, True)
    inputs = client.training.inputs
    house.close()
    client.house = house = reopened(house, where)
    client.view = client.get()[1]
    client.follow()
    assert client.training.inputs[: len(inputs)] == inputs
    assert client.view["progress"] == "over"
    score, review = client.get("/score")[1], client.get("/rounds/2")[1]
    house.close()
    client.house = house = reopened(house, where)
    assert client.get("/score")[1] == score
    assert client.get("/rounds/2")[1] == review
    house.close()


def test_an_act_that_could_not_be_stored_is_not_answered_and_not_done() -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1)
    client.act(a.TakeStep(what="receive the cards"))
    log = client.view["log"]
    progress = house.serving.progress
    append, body = progress.append, {"key": "lost", "act": {"type": "CallFloor"}}

    async def fails(*args: Any, **named: Any) -> int:
        raise StoreError("the disk is full")

    progress.append = fails  # type: ignore[method-assign]
    status, answer = client.post("/acts", body)
    assert (status, answer["refused"][0]["code"]) == (503, "record")
    progress.append = append  # type: ignore[method-assign]
    assert client.get()[1]["log"] == log
    status, answer = client.post("/acts", body)
    assert status == 200
    assert not answer.get("repeated")
    assert len(answer["view"]["log"]) == len(log) + 1


def test_a_session_of_two_servers_is_not_dealt_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another server stores the same input number: the act is refused, and the session is read again."""
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1)
    rooms = house.serving.training
    room = rooms._rooms.pop(client.session)
    client.act(a.TakeStep(what="receive the cards"))
    rooms._rooms[client.session] = room

    async def is_current(room: Any) -> bool:
        # The other server stores its input after this server has looked.
        return True

    with monkeypatch.context() as patch:
        patch.setattr(rooms, "_is_current", is_current)
        status, answer = client.post("/acts", {"key": "late", "act": {"type": "CallFloor"}})
    assert (status, answer["refused"][0]["code"]) == (503, "moving")
    view = client.get()[1]
    assert [one["words"] for one in view["log"]] == ["Received the cards"]
    status, answer = client.post("/acts", {"key": "late", "act": {"type": "CallFloor"}})
    assert (status, len(answer["view"]["log"])) == (200, 2)


def test_a_session_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1, seed="one")
    client.follow(a.Ask)
    house.serving.training._rooms.clear()
    shuffled = TrainingSession._shuffled

    def other_order(self: TrainingSession) -> Any:
        stack = shuffled(self)
        stack.cut(7)
        return stack

    monkeypatch.setattr(TrainingSession, "_shuffled", other_order)
    status, answer = client.get()
    assert (status, answer["refused"][0]["code"]) == (409, "other-version")


def test_erased_progress_ends_its_sessions() -> None:
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1)
    client.act(a.TakeStep(what="receive the cards"))
    assert house.call("Noor", "DELETE", "/api/me/progress", {"confirm": "erase my progress"})[0] == 200
    assert client.get()[0] == 404
    assert house.call("Noor", "GET", "/api/training")[1] == {"sessions": []}


class KilledTrainee:
    """Deals on a server that is killed, beside the same session in this process."""

    def __init__(self, process: Process, seed: str) -> None:
        self.process = process
        process.start()
        self.person = House(process.url)
        self.person.introduce("Noor")
        request = t.TrainingRequest(rulebook="uth-ma", mode="manual", rounds=50, seats=2, seed=seed)
        self.own = TrainingSession(session_plan(request), load("uth-ma"))
        self.view: t.ChairView = self.person.ask("POST", "/api/training", request, t.ChairView)
        self.acknowledged = 0

    def deal_until_killed(self, seconds: float) -> None:
        """Act until the server dies."""
        timer = Timer(seconds, self.process.kill)
        timer.start()
        with suppress(HouseError):
            while self.view.progress == "open":
                self.act()
        timer.join()

    def act(self) -> None:
        """Send the next act. It counts as done once the server has answered."""
        act = right_act(self.own.table, self.own.chair)
        assert act is not None
        key = f"act {self.acknowledged}"
        body = t.ActRequest(key=key, act=msgspec.json.decode(encode_act(act)))
        path = f"/api/training/{self.view.session}/acts"
        self.view = self.person.ask("POST", path, body, t.ActAnswer).view
        self.own.act(act, self.view.clock)
        self.acknowledged += 1
        self.compare()

    def compare(self) -> None:
        """Compare the felt with the session in this process, which was never killed."""
        expected = chair_felt(self.own.table, self.own.chair, self.own.stub)
        assert encoder.encode(self.view.felt) == encoder.encode(expected), self.acknowledged

    def restart(self) -> None:
        """Start the server again; every acknowledged act must be there."""
        self.process.start()
        path = f"/api/training/{self.view.session}"
        view: t.ChairView = self.person.ask("GET", path, None, t.ChairView)
        done = view.judged - self.view.judged
        # The act that was not answered may be stored: another one of the round, the one that closes it, or
        # the first one after it.
        more = len(view.log) - len(self.view.log)
        assert (done, more) in ((0, 0), (0, 1)) or done == 1 or (done == 0 and len(view.log) == 1)
        if done == 0 and len(view.log) == len(self.view.log):
            self.view = view
            self.compare()


def test_a_killed_server_loses_no_acknowledged_act(tmp_path: Path) -> None:
    process = ForkedProcess(tmp_path / "house.db")
    rng = Random("training kills")
    try:
        trainee = KilledTrainee(process, "kills")
        for _ in range(KILLS):
            trainee.deal_until_killed(rng.uniform(0.02, 0.4))
            trainee.restart()
        assert trainee.acknowledged > KILLS
        trainee.act()
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()
    planted(tmp_path / "house.db", trainee)


def planted(where: Path, trainee: KilledTrainee) -> None:
    """Planted fault: the last stored entry is missing, as after a lost commit. The comparison notices it."""
    with closing(sqlite3.connect(where)) as file:
        (stream,) = file.execute("SELECT stream FROM entries WHERE stream LIKE '%noor%' LIMIT 1").fetchone()
        last = "SELECT max(seq) FROM entries WHERE stream = ?"
        file.execute(f"DELETE FROM entries WHERE stream = ? AND seq = ({last})", (stream, stream))
        file.commit()
    try:
        with pytest.raises((AssertionError, HouseError)):
            trainee.restart()
    finally:
        trainee.process.kill()


MOST_STORED = 4000
"""The most bytes of a stored opening. A rulebook's text has more than 40,000."""


def test_the_text_of_a_rulebook_is_stored_once_and_not_with_each_session(tmp_path: Path) -> None:
    where = tmp_path / "house.db"
    house = ChairHouse(where)
    house.person("Noor")
    opened = [
        ChairClient(house, "Noor", mode="manual", rounds=1, seats=1),
        ChairClient(house, "Noor", mode="manual", rounds=2, seats=1),
        ChairClient(house, "Noor", exam="practice"),
    ]
    for client in opened:
        client.act(a.CallFloor())
    records = [house.hosted(client.session).record for client in opened]
    book = load("uth-ma")
    text = msgspec.json.encode(book.text)
    assert len(text) > 10 * MOST_STORED
    assert all(text in record for record in records)
    entries = run_now(house.serving.progress.entries("Noor", "training"))
    assert max(len(msgspec.json.encode(one.body)) for one in entries) < MOST_STORED
    sessions = run_now(house.serving.training._store.sessions("Noor"))
    assert all(text not in msgspec.json.encode(one.opening) for one in sessions.values())
    house.close()
    with closing(sqlite3.connect(where)) as database:
        assert database.execute("SELECT digest, text FROM texts").fetchall() == [(book.hash, book.text)]
    again = reopened(house, where)
    for client, record in zip(opened, records, strict=True):
        assert again.call("Noor", "GET", f"/api/training/{client.session}")[0] == 200
        assert again.hosted(client.session).record[: len(record)] == record
    again.close()
    # Without the text, the session is refused.
    with closing(sqlite3.connect(where)) as database:
        database.execute("DELETE FROM texts")
        database.commit()
    again = reopened(house, where)
    status, answer = again.call("Noor", "GET", f"/api/training/{opened[0].session}")
    assert (status, answer["refused"][0]["code"]) == (409, "bad-session")


def test_a_session_of_a_removed_rulebook_is_listed_and_continues(tmp_path: Path) -> None:
    where, file = tmp_path / "house.db", tmp_path / "own.toml"
    file.write_text('[rulebook]\nid = "own"\ntitle = "Charles House"\nextends = "uth-ma"\n')
    with added_rulebooks([str(file)]):
        house = ChairHouse(where)
        house.person("Noor")
        client = ChairClient(house, "Noor", rulebook="own", rounds=1, seats=1)
        house.close()
    again = reopened(house, where)
    status, cards = again.call("Noor", "GET", "/api/training")
    assert status == 200
    assert [(one["rulebook"], one["title"]) for one in cards["sessions"]] == [("own", "own")]
    assert again.call("Noor", "GET", f"/api/training/{client.session}")[0] == 200
    # A session of an older version has no text: it is refused with a reason.
    listed = run_now(again.serving.training._store.sessions("Noor"))[client.session]
    listed.opening = replace(listed.opening, has_text=False)
    again.serving.training._rooms.pop(client.session)
    status, answer = again.call("Noor", "GET", f"/api/training/{client.session}")
    assert (status, answer["refused"][0]["code"]) == (400, "bad-session")
