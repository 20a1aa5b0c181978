"""Sessions of "Find the mistake" over HTTP: no reply has an answer before the report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from houseway.client.find_messages import FindMistake, MistakeReport, ReportMistake
from houseway.rules.loader import readable_clauses
from houseway.server.find_sessions import LONGEST_AGE, MOST_SESSIONS, FindSessions
from houseway.server.rulebook_library import RefusedError
from server.houses import Running, running


@pytest.fixture(scope="module")
def house() -> Iterator[Running]:
    with running() as server:
        yield server


class Watcher:
    """A person who keeps every reply as text."""

    def __init__(self, url: str, handle: str) -> None:
        self.url, self.token = url, ""
        self.replies: list[str] = []
        self.token = self.send("POST", "/api/session", {"handle": handle})["token"]

    def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        data = json.dumps(body).encode() if body is not None else None
        with urlopen(Request(self.url + path, data, headers, method=method), timeout=60) as answer:
            self.replies.append(answer.read().decode())
        return json.loads(self.replies[-1])

    def refusal(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        with pytest.raises(HTTPError) as error:
            self.send(method, path, body)
        return error.value.code, json.loads(error.value.read())["refused"][0]["code"]


def test_no_reply_has_the_answer_before_the_report(house: Running) -> None:
    watcher = Watcher(house.url, "Iris")
    watcher.send("POST", "/api/find", {"rulebook": "uth-ma", "level": 2, "rounds": 6})
    for number in range(1, 7):
        watcher.replies.clear()
        watcher.send("GET", "/api/find")
        steps = json.loads(watcher.replies[0])["replay"]["steps"]
        before = list(watcher.replies)
        # A second report and the next round are refused at the wrong time.
        assert watcher.refusal("POST", "/api/find/next", {}) == (409, "report-first")
        report = {"round": number, "report": {}, "used": 5, "shown": [0] * len(steps)}
        judged = watcher.send("POST", "/api/find/report", report)
        answer = judged["judgement"]["answer"]
        hidden = [answer.get("name", ""), answer.get("clause") or "", *answer.get("facts", [])]
        for text in before:
            assert not any(words and words in text for words in hidden)
            assert '"judged"' not in text
            assert '"answer"' not in text
            assert not any(f'"{clause}"' in text for clause in readable_clauses())
        assert judged["judgement"]["outcome"] == ("missed" if answer.get("name") else "right")
        assert judged["tally"]["rounds"] == number
        assert watcher.refusal("POST", "/api/find/report", report) == (409, "already-reported")
        # The answer may be read again once the round has a report.
        assert watcher.send("GET", "/api/find")["judged"] == judged["judgement"]
        if number < 6:
            assert watcher.send("POST", "/api/find/next", {})["round"] == number + 1
    assert judged["over"] is True
    assert watcher.refusal("POST", "/api/find/next", {}) == (409, "session-over")


def test_what_cannot_be_meant_is_refused(house: Running) -> None:
    watcher = Watcher(house.url, "Odd")
    assert watcher.refusal("GET", "/api/find") == (404, "no-find-session")
    for body, code in (
        ({"rulebook": "uth-xx"}, (404, "unknown-rulebook")),
        ({"rulebook": "uth-ma", "mode": "magic"}, (400, "bad-mode")),
        ({"rulebook": "uth-ma", "level": 4}, (400, "bad-level")),
        ({"rulebook": "uth-ma", "rounds": 101}, (400, "bad-rounds")),
        ({"rulebook": "uth-ma", "answer": True}, (400, "bad-body")),
    ):
        assert watcher.refusal("POST", "/api/find", body) == code
    watcher.send("POST", "/api/find", {"rulebook": "uth-proc"})
    for report, code in (
        ({"round": 2, "report": {}}, (409, "other-round")),
        ({"round": 1, "report": {"family": "luck"}}, (400, "bad-report")),
        ({"round": 1, "report": {"step": 9999}}, (400, "bad-report")),
        ({"round": 1, "report": {"family": "amount", "amount": 10**15}}, (400, "bad-report")),
        ({"round": 1, "report": {}, "shown": [0] * 999}, (400, "bad-report")),
        ({"round": 1, "report": {"family": "amount"}}, (400, "incomplete-report")),
        (
            {"round": 1, "report": {"family": "amount", "seat": 1, "wager": "ante"}},
            (400, "incomplete-report"),
        ),
        ({"round": 1, "report": {"family": "reading"}}, (400, "incomplete-report")),
        ({"round": 1, "report": {"family": "cards", "place": "moon"}}, (400, "bad-report")),
        ({"round": 1, "report": {"family": "cards", "seat": 1, "place": "deck"}}, (400, "bad-report")),
    ):
        assert watcher.refusal("POST", "/api/find/report", report) == code
    # A part that the watcher does not know is listed. A part that the report names is not unknown.
    for unknown, code in (
        (["amount"], (400, "incomplete-report")),
        (["seat", "wager", "amount"], (400, "bad-report")),
        (["colour"], (400, "bad-body")),
    ):
        report = {"round": 1, "report": {"family": "amount", "seat": 1, "unknown": unknown}}
        assert watcher.refusal("POST", "/api/find/report", report) == code
    # Nothing was judged, and another person does not see the session.
    assert watcher.send("GET", "/api/find")["tally"] == {}
    assert Watcher(house.url, "Other").refusal("GET", "/api/find") == (404, "no-find-session")
    watcher.token = ""
    assert watcher.refusal("GET", "/api/find")[0] == 401


def test_a_part_may_be_reported_as_unknown(house: Running) -> None:
    watcher = Watcher(house.url, "Unsure")
    watcher.send("POST", "/api/find", {"rulebook": "uth-proc", "rounds": 1})
    answer = house.serving.finding.session("Unsure")._round.answer
    report = {"family": "amount", "seat": 1, "wager": "ante", "unknown": ["amount"]}
    judged = watcher.send("POST", "/api/find/report", {"round": 1, "report": report})["judgement"]
    assert judged["outcome"] != "right"
    amounts = [part for part in judged["parts"] if part["name"] == "amount"]
    assert [(part["yours"], part.get("is_right")) for part in amounts] == (
        [("no amount", False)] if answer.amounts else []
    )


class Hand:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_sessions_end_after_a_while_and_are_limited_in_number() -> None:
    clock = Hand()
    sessions = FindSessions(clock)
    made = sessions.prepare(FindMistake(rulebook="uth-proc"))
    for number in range(MOST_SESSIONS + 1):
        sessions.keep(f"person {number}", made)
    with pytest.raises(RefusedError):
        sessions.session("person 0")
    assert sessions.session(f"person {MOST_SESSIONS}") is made
    clock.now += LONGEST_AGE + 1
    with pytest.raises(RefusedError):
        sessions.session(f"person {MOST_SESSIONS}")


def test_the_time_to_notice_cannot_be_longer_than_the_time_that_passed() -> None:
    clock = Hand()
    sessions = FindSessions(clock)
    for _ in range(12):
        session = sessions.prepare(FindMistake(rulebook="uth-proc"))
        answer = session._round.answer
        if answer.name:
            break
    seat = answer.seats[0] if answer.seats else 0
    wager = answer.wagers[0] if answer.wagers else ""
    amount = answer.amounts[0] if answer.amounts else None
    place = answer.places[0] if answer.places and not seat else ""
    report = MistakeReport(
        family=answer.families[0], seat=seat, place=place, wager=wager, amount=amount, step=answer.step
    )
    clock.now += 7.5
    steps = len(session.reply().replay.steps)
    reply = session.report(ReportMistake(round=1, report=report, used=60_000, shown=(500,) * steps))
    assert reply.judgement.outcome == "right"
    assert reply.judgement.notice == 7000


def test_results_are_stored_in_the_persons_progress(house: Running) -> None:
    watcher = Watcher(house.url, "Ivo")
    session = watcher.send("POST", "/api/find", {"rulebook": "uth-ma", "level": 2, "rounds": 2})["session"]
    for number in (1, 2):
        judged = watcher.send("POST", "/api/find/report", {"round": number, "report": {}})
        if number == 1:
            watcher.send("POST", "/api/find/next", {})
    entries = watcher.send("GET", "/api/me/progress")["entries"]
    assert [(one["kind"], one["body"]["session"], one["body"]["round"]) for one in entries] == [
        ("find", session, 1),
        ("find", session, 2),
    ]
    last = entries[-1]["body"]
    assert (last["outcome"], last["rulebook"]) == (judged["judgement"]["outcome"], "uth-ma")
    assert last["mistake"] == judged["judgement"]["answer"].get("name", "")
