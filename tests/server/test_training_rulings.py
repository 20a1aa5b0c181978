"""Rulings over the API: play stops, each answer is judged, and the rulebook's ruling takes effect."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.rules.loader import load
from houseway.server.exam_library import ExamLibrary
from houseway.training import acts as a
from houseway.training.hosted_session import HostedSession
from houseway.training.scenarios.deck import ScenarioCard, ScenarioDeck
from houseway.training.session_file import read_session, replay_session
from server.chair_client import ChairClient, ChairHouse

EXPOSED = ScenarioDeck(name="exposed", cards=(ScenarioCard(kind="exposed card", at="dealer", rounds=(1,)),))


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> ChairClient:
    """A trainee who sees a card of the dealer exposed before every player has acted."""
    monkeypatch.setattr(ExamLibrary, "scenario", lambda library, name: EXPOSED)
    house = ChairHouse()
    house.person("Noor")
    client = ChairClient(
        house, "Noor", mode="device", scenario="exposed", rounds=1, seats=3, seed="exposed card"
    )
    client.follow(a.ReportIrregularity)
    return client


def report(client: ChairClient, **irregularity: Any) -> tuple[int, Any]:
    which = next((one.which for one in client.training.chair.open), 1)
    given = {"kind": "exposed card", "at": "dealer", "which": which, **irregularity}
    return client.post("/rulings", {"key": client.key(), "irregularity": given})


ANSWERS = {
    "hands": "void all",
    "ante": "goes back",
    "blind": "goes back",
    "trips": "goes back",
    "board": "leave it",
    "call": "the floor",
}
"""The answers of a trainee who sends trips back too and leaves the board."""


def test_a_ruling_is_judged_row_by_row(client: ChairClient) -> None:
    seen = client.view["felt"]["exposed"]
    assert [one["place"] for one in seen] == ["dealer"]
    status, answer = report(client)
    assert status == 200
    assert "rows" not in answer
    form = answer["view"]["stopped"]
    assert form["report"]["kind"] == "exposed card"
    asked = [one["question"] for one in form["questions"]]
    assert asked[0] == "hands"
    assert asked[-3:] == ["board", "card", "call"]
    assert {"ante", "blind", "trips"} <= set(asked)
    hands = [hand for seat in client.view["felt"]["seats"] for hand in seat["hands"]]
    laid = {name: sum(hand["wagers"].get(name, 0) for hand in hands) for name in asked[1:-3]}
    client.house.now += 12
    answers = {name: ANSWERS.get(name, "goes back") for name in asked if name != "card"}
    status, judged = client.post("/rulings", {"key": client.key(), "answers": answers})
    assert status == 200
    rows = {row["question"]: row for row in judged["rows"]}
    assert list(rows) == asked
    # MA-14.a: all hands are void, wagers go back, and trips is settled on a complete board.
    for name, right, clause in (
        ("hands", "void all", "MA-14.a-a"),
        ("ante", "goes back", "MA-14.a-a"),
        ("blind", "goes back", "MA-14.a-a"),
        ("trips", "is settled", "MA-14.a-b"),
        ("board", "complete it", "MA-14.a-b"),
    ):
        row = rows[name]
        assert (row["right"], row["judged"], row["clause"]["clause"]) == (right, True, clause), name
        assert row["is_right"] == (answers[name] == right)
        assert row["clause"]["says"]
    assert rows["call"]["judged"] is False
    assert judged["returned_yours"] == sum(laid.values())
    assert judged["returned"] == sum(cents for name, cents in laid.items() if name != "trips")
    assert judged["noticed"] == 1000
    others = {one["rulebook"]: one for one in judged["others"]}
    assert set(others) == {"uth-card", "uth-proc", "uth-sd"}
    assert others["uth-sd"]["clause"] == "SD-5-b"
    assert others["uth-card"]["clause"] == "MA-14.a-a"
    assert others["uth-card"]["words"] == "This document does not cover it; Massachusetts applies"


def test_the_rulebooks_ruling_takes_effect_whatever_the_trainee_ruled(client: ChairClient) -> None:
    start = report(client)[1]["view"]["clock"]
    client.house.now += 30
    status, judged = client.post("/rulings", {"key": client.key(), "answers": {"hands": "play on"}})
    assert status == 200
    client.view = judged["view"]
    assert "stopped" not in client.view
    assert client.training.state.round.void
    entry = client.training.chair.entries[-1]
    assert {change.origin for change in entry.changes} == {"cure"}
    assert entry.time == start
    client.follow()
    _, review = client.get("/rounds/1")
    # Only the ruling was wrong: "play on", and no answer to the other questions.
    wrong = [one for one in review["verdicts"] if not one["right"]]
    assert review["slips"] == len(wrong) > 1
    assert {one["kind"] for one in wrong} == {"wrong ruling"}
    assert (wrong[0]["did"], wrong[0]["due"]) == ("hands: play on", "hands: void all")
    # The record of the session has the ruling, and replays to the same slips.
    _, record = client.get("/record")
    plan, inputs = read_session(record)
    again = replay_session(plan, inputs, load("uth-ma"))
    assert [len(one.slips) for one in again.judgements] == [len(wrong)]


def test_play_is_stopped_between_the_report_and_the_ruling(client: ChairClient) -> None:
    report(client)
    status, answer = client.act(a.Ask(seat=1))
    assert (status, answer["refused"][0]["code"]) == (409, "play-stopped")
    status, answer = report(client)
    assert (status, answer["refused"][0]["code"]) == (409, "play-stopped")
    inputs = len(client.training.inputs)
    for answers in ({"hands": "maybe"}, {"feet": "void all"}):
        status, answer = client.post("/rulings", {"key": client.key(), "answers": answers})
        assert (status, answer["refused"][0]["code"]) == (400, "bad-answer")
    assert len(client.training.inputs) == inputs
    body = {"key": "once", "answers": {"hands": "void all"}}
    status, first = client.post("/rulings", body)
    status, again = client.post("/rulings", body)
    assert (status, again["repeated"]) == (200, True)
    assert again["rows"] == first["rows"]
    assert len(client.training.inputs) == inputs + 1
    status, answer = client.post("/rulings", {"key": "other", "answers": {"hands": "void all"}})
    assert (status, answer["refused"][0]["code"]) == (409, "no-report")


def test_a_wrong_report_is_answered_after_the_ruling_and_not_before(client: ChairClient) -> None:
    status, answer = report(client, kind="machine failure", at="", which=0, device="spare")
    right = report_of_right(client)
    assert status == 200
    assert [one["question"] for one in answer["view"]["stopped"]["questions"]] == right
    status, judged = client.post("/rulings", {"key": client.key(), "answers": {}})
    assert status == 200
    assert judged["happened"] == "What happened: exposed card, dealer."
    assert not any(row["judged"] for row in judged["rows"])


def report_of_right(client: ChairClient) -> list[str]:
    """Return the questions that the right report would raise."""
    wagers = dict.fromkeys(
        name
        for seat in client.view["felt"]["seats"]
        for hand in seat["hands"]
        for name in hand.get("wagers", ())
    )
    return ["hands", *wagers, "board", "card", "call"]


def test_bad_reports_change_nothing(client: ChairClient) -> None:
    inputs = client.hosted.inputs
    for irregularity in ({"kind": "earthquake"}, {"at": "moon"}, {"which": -1}):
        status, answer = report(client, **irregularity)
        assert (status, answer["refused"][0]["code"]) == (400, "bad-act"), answer
    status, answer = client.post("/rulings", {"key": "k"})
    assert (status, answer["refused"][0]["code"]) == (409, "no-report")
    bad = {"kind": "exposed card", "at": "dealer", "which": 1}
    status, answer = client.post("/rulings", {"key": "k", "irregularity": bad, "answers": {"hands": "x"}})
    assert (status, answer["refused"][0]["code"]) == (400, "bad-answer")
    assert client.hosted.inputs == inputs
    assert client.hosted.form is None


def both(client: ChairClient, key: str, which: int = 1) -> tuple[int, Any]:
    """Report and rule in one request."""
    report = {"kind": "exposed card", "at": "dealer", "which": which}
    return client.post("/rulings", {"key": key, "irregularity": report, "answers": {"hands": "void all"}})


def test_a_request_with_both_parts_is_finished_after_a_stop_between_them(client: ChairClient) -> None:
    """The server stored the report and stopped before the ruling. The same request is sent again."""
    (exposed,) = client.training.chair.open
    report(client)
    status, judged = both(client, "again", exposed.which)
    assert status == 200
    assert "stopped" not in judged["view"]
    status, repeated = both(client, "again", exposed.which)
    assert (status, repeated["repeated"], repeated["rows"]) == (200, True, judged["rows"])


def test_an_exam_that_ends_between_report_and_ruling_is_answered(
    client: ChairClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    tick = HostedSession._tick

    def ends(hosted: HostedSession, time: int) -> Any:
        events = tick(hosted, time)
        hosted._aborted = True
        return events

    monkeypatch.setattr(HostedSession, "_tick", ends)
    status, answer = both(client, "late")
    assert (status, answer["view"]["progress"]) == (200, "aborted")
