"""The training chair over the API: whole rounds, slips, refusals, authority, bad input and repeated acts."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from houseway.rules.loader import load, rulebook_ids
from houseway.training import acts as a
from houseway.training.session_file import read_session, replay_session
from server.calling import http
from server.chair_client import ApiTrainee, ChairClient, ChairHouse
from server.requesting import Requests

EXAMPLES = 40
"""The number of malformed requests to each route."""
MODES = [(book, mode) for book in rulebook_ids() for mode in load(book).modes]


@pytest.fixture
def house() -> ChairHouse:
    house = ChairHouse()
    house.person("Noor")
    return house


@pytest.mark.parametrize("way", ["training", "live"])
@pytest.mark.parametrize(("rulebook", "mode"), MODES)
def test_a_client_who_follows_the_document_scores_100_percent(
    house: ChairHouse, rulebook: str, mode: str, way: str
) -> None:
    client = ChairClient(house, "Noor", rulebook=rulebook, mode=mode, way=way, rounds=1, seats=2, seed=way)
    assert (client.view["rulebook"], client.view["mode"], client.view["way"]) == (rulebook, mode, way)
    ApiTrainee(client).play()
    assert client.view["progress"] == "over"
    status, score = client.get("/score")
    assert (status, score["slips"], score["gross"]) == (200, 0, 0)
    assert score["payments_right"] == score["payments"] > 0
    assert score["hands_read_right"] == score["hands_read"]
    status, review = client.get("/rounds/1")
    assert status == 200
    assert review["verdicts"]
    assert all(one["right"] for one in review["verdicts"])
    assert review["steps"][-1]["felt"] == client.view["felt"]
    assert len(review["steps"]) == len(client.training.judgements[0].entries)


def test_slips_are_judged_after_the_round_with_their_clauses(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", rulebook="uth-ma", mode="manual", rounds=1, seats=1, seed="slips")
    client.follow(a.Burn)
    status, answer = client.act(a.DealCards(place="board", count=3))
    assert status == 200
    assert len([card for card in answer["view"]["felt"]["board"] if card]) == 3
    client.follow(a.Pay | a.Take)
    due = client.right()
    assert isinstance(due, a.WagerAct)
    client.act(a.Pay(seat=1, wager=due.wager, chips={500: 7, 50: 1}))
    assert client.view["felt"]["seats"][0]["hands"][0]["paid"][due.wager] == {"500": 7, "50": 1}
    client.follow()
    _, review = client.get("/rounds/1")
    wrong = {one["kind"]: one for one in review["verdicts"] if not one["right"]}
    assert set(wrong) == {"wrong amount", "missed"}
    assert review["slips"] == 2
    assert wrong["wrong amount"]["amount"] == review["over"] - review["under"] != 0
    assert "paid" in wrong["wrong amount"]["money"]
    assert wrong["missed"]["due"] == "burn 1 card"
    for one in wrong.values():
        clause = load("uth-ma").clauses[one["clause"]["clause"]]
        assert one["clause"]["says"] == clause.says
    _, score = client.get("/score")
    assert score["slips"] == 2


def test_the_live_way_refuses_a_wrong_act_with_its_clause(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", mode="manual", way="live", rounds=1, seats=1, seed="live")
    client.follow(a.Burn)
    before = client.get()[1]
    status, answer = client.act(a.DealCards(place="board", count=3))
    assert status == 409
    (refusal,) = answer["refused"]
    assert refusal["clause"] == "MA-7.f.2-a"
    says = load("uth-ma").clauses["MA-7.f.2-a"].says
    assert refusal["message"].endswith(f"The clause says: “{says}”")
    assert refusal["code"] == "out-of-order"
    after = client.get()[1]
    assert {**after, "clock": 0} == {**before, "clock": 0}
    client.follow()
    assert client.get("/score")[1]["slips"] == 0


def test_a_session_belongs_to_the_person_who_opened_it(house: ChairHouse) -> None:
    house.person("Eve")
    client = ChairClient(house, "Noor", rounds=1)
    act = {"key": "k", "act": {"type": "Burn"}}
    requests: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("DELETE", "", None),
        ("POST", "/acts", act),
        ("POST", "/tick", None),
        ("POST", "/rulings", {"key": "k", "irregularity": {"kind": "exposed card"}}),
        ("GET", "/rounds/1", None),
        ("GET", "/score", None),
        ("GET", "/record", None),
    ]
    for method, part, body in requests:
        status, answer = house.call("Eve", method, f"{client.path}{part}", body)
        assert (status, answer["refused"][0]["code"]) == (404, "no-session"), part
        status, answer = house.call("", method, f"{client.path}{part}", body)
        assert (status, answer["refused"][0]["code"]) == (401, "no-session"), part
    assert house.call("Eve", "GET", "/api/training")[1] == {"sessions": []}
    assert client.training.inputs == []
    assert client.get()[1]["progress"] == "open"


BAD_ACTS: dict[str, Any] = {
    "an unknown type": {"type": "Juggle"},
    "no type": {"seat": 1},
    "an unknown seat": {"type": "Ask", "seat": 7},
    "a negative seat": {"type": "Ask", "seat": -1},
    "an unknown wager": {"type": "Take", "seat": 1, "wager": "antee"},
    "a third hand": {"type": "Take", "seat": 1, "wager": "ante", "hand": 3},
    "no chips": {"type": "Pay", "seat": 1, "wager": "ante", "chips": {}},
    "unknown chips": {"type": "Pay", "seat": 1, "wager": "ante", "chips": {"700": 1}},
    "negative chips": {"type": "Pay", "seat": 1, "wager": "ante", "chips": {"500": -1}},
    "too much money": {"type": "Pay", "seat": 1, "wager": "ante", "chips": {"100000": 1_000_000}},
    "no cards": {"type": "DealCards", "place": "board", "count": 0},
    "too many cards": {"type": "DealCards", "place": "board", "count": 101},
    "an unknown place": {"type": "DealCards", "place": "moon"},
    "an unknown hand": {"type": "ReadHand", "place": "dealer", "reads": "five of a kind"},
    "an unknown result": {"type": "ReadHand", "place": "dealer", "reads": "pair", "result": "maybe"},
    "an unknown step": {"type": "TakeStep", "what": "dance"},
    "unknown cards": {"type": "Rack", "what": "seat 9"},
    "an unknown irregularity": {"type": "ReportIrregularity", "kind": "earthquake"},
    "a long device": {"type": "ReportIrregularity", "kind": "machine failure", "device": "x" * 81},
    "a huge number": {"type": "CountStub", "count": 10**30},
    "one card": {"type": "SetHand", "cards": ["As"]},
    "a wrong card": {"type": "SetHand", "cards": ["Zz", "As"]},
}


def test_bad_acts_are_refused_and_change_nothing(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", rounds=1)
    for name, act in BAD_ACTS.items():
        status, answer = client.post("/acts", {"key": name, "act": act})
        (refusal,) = answer["refused"]
        assert (status, refusal["code"]) == (400, "bad-act"), (name, answer)
        assert refusal["message"]
    for body in (b"", b"{", b"[]", {"key": "k"}, {"act": {"type": "Burn"}}, {"key": 1, "act": {}}):
        assert client.post("/acts", body)[0] == 400, body
    for key in ("", "x" * 101, "\n"):
        status, answer = client.post("/acts", {"key": key, "act": {"type": "Burn"}})
        assert (status, answer["refused"][0]["code"]) == (400, "bad-key")
    assert client.training.inputs == []
    assert client.hosted.inputs == 0


def test_malformed_requests_cause_no_error(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", rounds=1, seats=1, mode="manual", seed="fuzz")
    exam = ChairClient(house, "Noor", exam="practice")
    client.follow(a.Ask)
    requests = Requests(Random("training requests"), (), (client.session, exam.session))
    routes = [route for route in requests.routes() if route[1].startswith(("/api/training", "/api/exams"))]
    assert len(routes) == 14
    answered = 0
    for method, path in routes:
        for request in requests.to(method, path, EXAMPLES):
            headers = [pair for pair in request.headers if pair[0] == b"content-type"]
            reply = asyncio.run(
                http(
                    house.app,
                    request.method,
                    request.path,
                    query=request.query,
                    token=house.tokens["Noor"],
                    body=request.body,
                    more=headers,
                )
            )
            assert reply.status < 500, request
            answered += reply.status < 400
    assert answered > EXAMPLES
    house.serving.training._rooms.clear()
    assert client.get()[0] == 200


BAD_OPENINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "unknown-rulebook": (404, {"rulebook": "uth-xx"}),
    "bad-mode": (400, {"rulebook": "uth-ma", "mode": "robot"}),
    "bad-rounds": (400, {"rulebook": "uth-ma", "rounds": 51}),
    "bad-session": (400, {"rulebook": "uth-ma", "seats": 7}),
    "bad-seed": (400, {"rulebook": "uth-ma", "seed": "\x00"}),
    "bad-body": (400, {"rulebook": "uth-ma", "way": "sideways"}),
}


def test_bad_openings_are_refused(house: ChairHouse) -> None:
    for code, (expected, body) in BAD_OPENINGS.items():
        status, answer = house.call("Noor", "POST", "/api/training", body)
        assert (status, answer["refused"][0]["code"]) == (expected, code), answer
    status, answer = house.call(
        "Noor", "POST", "/api/training", {"rulebook": "uth-ma", "tables": {"trips": "Z"}}
    )
    assert status == 400
    assert answer["refused"]
    assert house.call("Noor", "GET", "/api/training")[1] == {"sessions": []}


def test_an_act_with_a_known_key_counts_once(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1)
    first = {"key": "one", "act": {"type": "TakeStep", "what": "receive the cards"}}
    status, answer = client.post("/acts", first)
    assert status == 200
    assert not answer.get("repeated")
    status, again = client.post("/acts", first)
    assert status == 200
    assert again["repeated"] is True
    assert again["entries"] == answer["entries"]
    assert again["view"]["log"] == answer["view"]["log"]
    assert len(client.training.inputs) == client.hosted.inputs == 1
    status, other = client.post("/acts", {"key": "one", "act": {"type": "CallFloor"}})
    assert (status, other["refused"][0]["code"]) == (409, "key-used")
    assert len(client.training.inputs) == 1


def test_an_act_that_finds_the_queue_full_can_be_sent_again(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1)
    room, waiting = client.hosted, house.serving.training._queue.waiting
    waiting["Noor"] = 8
    body = {"key": "busy", "act": {"type": "TakeStep", "what": "receive the cards"}}
    status, answer = client.post("/acts", body)
    assert (status, answer["refused"][0]["code"]) == (429, "too-fast")
    assert client.hosted is room
    waiting.clear()
    status, answer = client.post("/acts", body)
    assert (status, len(answer["view"]["log"])) == (200, 1)
    assert client.hosted is room


def test_a_person_has_a_limited_number_of_open_sessions(house: ChairHouse) -> None:
    clients = [ChairClient(house, "Noor", rounds=1) for _ in range(10)]
    status, answer = house.call("Noor", "POST", "/api/training", {"rulebook": "uth-ma"})
    assert (status, answer["refused"][0]["code"]) == (409, "too-many-sessions")
    status, view = house.call("Noor", "DELETE", clients[0].path)
    assert (status, view["progress"]) == (200, "aborted")
    status, answer = clients[0].act(a.CallFloor())
    assert (status, answer["refused"][0]["code"]) == (409, "session-over")
    ChairClient(house, "Noor", rounds=1)
    listed = house.call("Noor", "GET", "/api/training")[1]["sessions"]
    assert len(listed) == 11
    assert [one["session"] for one in listed if one["progress"] == "aborted"] == [clients[0].session]
    house.person("Jun")
    ChairClient(house, "Jun", rounds=1)


def test_the_record_is_secret_until_the_session_is_over(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", mode="manual", rounds=1, seats=1, seed="secret seed")
    client.follow(a.TurnUp)
    status, answer = client.get("/record")
    assert (status, answer["refused"][0]["code"]) == (409, "session-open")
    assert not any(b"secret seed" in body for _, _, _, body in house.replies)
    client.follow()
    status, record = client.get("/record")
    assert status == 200
    plan, inputs = read_session(record)
    score = replay_session(plan, inputs, load("uth-ma")).score
    assert msgspec.to_builtins(score)["payments"] == client.get("/score")[1]["payments"] > 0
    assert client.get()[1]["seed"] == "secret seed"


def test_times_are_those_of_the_server(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", rounds=1)
    start = client.view["clock"]
    house.now += 41.5
    _, answer = client.act(a.TakeStep(what="receive the cards"))
    assert answer["entries"][0]["time"] == start + 42_500
    assert answer["view"]["clock"] == start + 42_500
    house.now -= 3600
    _, answer = client.act(a.CallFloor())
    assert answer["entries"][0]["time"] == start + 42_500


def test_a_round_that_is_not_closed_has_no_review(house: ChairHouse) -> None:
    client = ChairClient(house, "Noor", rounds=2, seats=1, mode="manual")
    for number in ("0", "1", "2", "99999"):
        assert client.get(f"/rounds/{number}")[0] == 404
    assert client.get("/rounds/one")[0] == 400
    assert client.get("/score")[1]["rounds"] == 0
