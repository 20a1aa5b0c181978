"""Practice over the API: modes, grades, hidden answers, the exam, kept progress, the daily position and links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest

from discovered import ULTIMATE
from houseway.cards import cards
from houseway.exact.advice import odds
from houseway.live.offload import AbandonedError, run_now
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook
from houseway.school.decision_values import CLOSE
from houseway.school.game_values import game_values
from houseway.school.position_kinds import KINDS
from houseway.school.position_links import HASH_LETTERS
from houseway.school.practice_positions import PracticePosition
from houseway.school.practice_progress import PracticeProgress, RepeatRequest
from houseway.school.rating import EXAM_DECISIONS, LEAST_DECISIONS
from houseway.school.themes import THEMES
from houseway.server.practice_desk import COUNTS, KEEP_EVERY, SET, RunningPractice, read_progress
from houseway.server.session_desk import HOURS, MOST_EACH
from school.test_practice_positions import counted  # noqa: F401 (a fixture)
from server.chair_client import ChairHouse

SPOT = {"street", "cards", "board", "wagers", "choices", "number", "badge"}
"""The fields of an unanswered position."""
HASH = load("uth-ma").hash[:HASH_LETTERS]
LINK = f"uth-ma~{HASH}~9d7c~6h4hQsAd4c"


@pytest.fixture
def house() -> Iterator[ChairHouse]:
    house = ChairHouse()
    house.person("Noor")
    yield house
    house.close()


class PracticeClient:
    """A person who practises. The tests read the answers on the server's side."""

    def __init__(self, house: ChairHouse, who: str = "Noor", **order: Any) -> None:
        self.house, self.who = house, who
        order = {"rulebook": "uth-ma", "seed": "s", **order}
        status, self.state = house.call(who, "POST", "/api/practice", order)
        assert status == 201, self.state
        self.path = f"/api/practice/{self.state['session']}"

    @property
    def running(self) -> RunningPractice:
        return self.house.serving.practices.sessions[self.state["session"]]

    @property
    def asked(self) -> PracticePosition:
        assert self.running.asked is not None
        return self.running.asked

    def post(self, part: str, body: Any = None) -> tuple[int, Any]:
        return self.house.call(self.who, "POST", f"{self.path}/{part}", body)

    def send(self, choice: str, step: int | None = None, time: int = 1500) -> tuple[int, Any]:
        step = self.running.step if step is None else step
        return self.post("answers", {"step": step, "choice": choice, "time": time})

    def answer(self, *, right: bool = True) -> Any:
        values = self.asked.position.values
        status, reply = self.send((max if right else min)(values, key=lambda name: values[name]))
        assert status == 200, reply
        return reply


def test_a_session_is_graded_with_exact_values_and_ends_with_a_score_sheet(house: ChairHouse) -> None:
    client = PracticeClient(house)
    assert (client.state["count"], client.state["mode"]) == (SET, "mixed")
    terms, lost, expected = game_values(load("uth-ma")).terms, Fraction(0), []
    for n in range(SET):
        asked, decision = client.asked, client.asked.position.decision
        status, reply = client.send(asked.position.best if n % 3 else asked.position.decision.choices[0])
        assert status == 200, reply
        # The values are those of `houseway odds`.
        values = odds(terms, decision.hole, decision.board).values
        shown = {
            one["choice"]: Fraction(int(one["num"]), int(one["den"])) for one in reply["analysis"]["values"]
        }
        assert shown == values
        chosen = next(one["choice"] for one in reply["analysis"]["values"] if one["yours"])
        loss = max(values.values()) - values[chosen]
        lead = asked.position.lead
        expected.append("close" if (loss or lead) < CLOSE else "wrong" if loss else "right")
        lost += loss if lead >= CLOSE else 0
        assert reply["marks"] == expected
        assert reply["analysis"]["verdict"] == expected[-1]
        assert ("result" in reply) == (n == SET - 1)
    assert {"wrong", "right"} <= set(expected)
    result = reply["result"]
    assert Fraction(result["lost"]) == Fraction(f"{float(lost):.4f}")
    assert result["right"] == expected.count("right")
    assert len(result["mistakes"]) == expected.count("wrong")
    assert "against perfect play: 2.1850 % of the ante" in result["edge"]
    assert result["ratings"][0]["words"].startswith("Not enough decisions yet: ")
    assert "skill" not in result["ratings"][0]
    assert client.send("check", step=SET)[0] == 409
    assert "spot" not in house.call("Noor", "GET", client.path)[1]


# --- hidden answers ---


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_a_twin_position_with_other_values_gives_the_same_frame(house: ChairHouse, rulebook: str) -> None:
    """Two positions with the same cards, and with other values, kind, themes and difficulty, look the same."""
    client = PracticeClient(house, rulebook=rulebook, seed="twin")
    for _ in range(8):
        asked = client.asked
        _, before = house.call("Noor", "GET", client.path)
        assert set(before["spot"]) <= SPOT
        assert all(set(one) == {"choice", "title", "effect", "key"} for one in before["spot"]["choices"])
        names = list(asked.position.values)
        values = dict(zip(reversed(names), asked.position.values.values(), strict=True))
        kind = next(one for one in KINDS.values() if one != asked.kind)
        values = {name: values[name] for name in names}
        best = max(values, key=lambda name: values[name])
        client.running.asked = replace(
            asked,
            position=replace(asked.position, values=values, best=best),
            kind=kind,
            themes=tuple(THEMES.values()),
            difficulty=Decimal(-5),
            origin="repeated" if asked.badge else "dealt",
        )
        _, twin = house.call("Noor", "GET", client.path)
        assert msgspec.json.encode(twin) == msgspec.json.encode(before)
        client.running.asked = asked
        # The next position comes with the analysis of this one, and without its own answer.
        following = client.answer()["next"]
        assert set(following) <= SPOT


def test_an_exam_shows_no_grade_until_it_is_over_and_then_a_score_sheet(house: ChairHouse) -> None:
    client = PracticeClient(house, mode="exam")
    assert client.state["count"] == EXAM_DECISIONS
    for n in range(1, EXAM_DECISIONS):
        assert "badge" not in client.state["spot"]
        reply = client.answer(right=n % 5 > 0)
        assert not {"analysis", "result"} & set(reply)
        assert reply["marks"] == ["answered"] * n
    status, refused = client.post("repeats", {"number": 1})
    assert (status, refused["refused"][0]["code"]) == (409, "exam")
    result = client.answer()["result"]
    assert (result["answered"], len(result["mistakes"])) == (
        EXAM_DECISIONS,
        result["graded"] - result["right"],
    )
    assert result["mistakes"] == sorted(result["mistakes"], key=lambda one: -float(one["lost"]))
    assert sum(one["graded"] for one in result["streets"]) == result["graded"]
    whole = result["ratings"][2]
    assert whole["words"] == f"Not enough decisions yet: {result['graded']} of {LEAST_DECISIONS}"
    # Every answer counts on this ladder, so a second exam makes a rating with its interval.
    while True:
        second = PracticeClient(house, mode="exam", seed=f"again {whole['decisions']}")
        for n in range(EXAM_DECISIONS):
            reply = second.answer(right=n % 5 > 0)
        whole = reply["result"]["ratings"][2]
        if whole["decisions"] >= LEAST_DECISIONS:
            break
    assert whole["low"] < whole["skill"] < whole["high"]


# --- modes ---


@pytest.mark.parametrize(
    ("order", "topic"),
    [
        ({"mode": "street", "street": "after the flop"}, "after the flop"),
        ({"mode": "endless", "theme": "kicker-fight"}, THEMES["kicker-fight"].words),
        ({"mode": "endless", "kind": "flop-hidden-pair"}, KINDS["flop-hidden-pair"].words),
        ({"mode": "timed"}, ""),
        ({"mode": "leaks"}, ""),
    ],
)
def test_every_mode_shows_its_positions(house: ChairHouse, order: dict[str, str], topic: str) -> None:
    client = PracticeClient(house, **order)
    assert (client.state.get("topic", ""), client.state["count"]) == (topic, COUNTS[client.state["mode"]])
    for _ in range(4):
        asked = client.asked
        if order["mode"] == "street":
            assert asked.position.street == order["street"]
        if order["mode"] == "endless":
            named = {asked.kind.name, *(theme.name for theme in asked.themes)}
            assert (order.get("kind") or order.get("theme")) in named
        client.answer()
    status, ended = client.post("end")
    assert (status, ended["result"]["answered"], "spot" in ended) == (200, 4, False)


def test_weak_kinds_are_practised_without_being_named(house: ChairHouse) -> None:
    first = PracticeClient(house, mode="endless", kind="jack-low-kicker")
    for _ in range(3):
        first.answer(right=False)
    client = PracticeClient(house, mode="leaks", seed="weak")
    assert list(client.running.practice.weak) == ["jack-low-kicker"]
    seen = []
    for _ in range(12):
        _, state = house.call("Noor", "GET", client.path)
        assert "jack with a kicker" not in msgspec.json.encode(state).decode()
        seen.append(client.asked.origin)
        client.answer()
    assert "weak kind" in seen
    assert set(seen) - {"weak kind", "repeated"}

    async def leaks(handle: str, book: Rulebook) -> dict[str, float]:
        return {"flop-hidden-pair": 0.5}

    # Leaks that were found in the person's play come first.
    house.serving.practices.play_leaks = leaks
    assert list(PracticeClient(house, mode="leaks").running.practice.weak) == ["flop-hidden-pair"]


@pytest.mark.parametrize(
    ("order", "status", "code"),
    [
        ({"rulebook": "uth-xx"}, 404, "unknown-rulebook"),
        ({"rulebook": "uth-ma", "mode": "lucky"}, 400, "bad-body"),
        ({"rulebook": "uth-ma", "mode": "street"}, 400, "bad-practice"),
        ({"rulebook": "uth-ma", "mode": "street", "street": "four cards"}, 400, "no-position"),
        ({"rulebook": "uth-ma", "mode": "endless", "kind": "split-best"}, 400, "bad-practice"),
        ({"rulebook": "uth-ma", "mode": "endless", "theme": "split-best"}, 400, "no-position"),
    ],
)
def test_a_session_that_cannot_start_is_refused(
    house: ChairHouse, order: dict[str, str], status: int, code: str
) -> None:
    answered = house.call("Noor", "POST", "/api/practice", order)
    assert (answered[0], answered[1]["refused"][0]["code"]) == (status, code)
    assert house.serving.practices.sessions == {}


def test_texas_shootout_says_that_it_is_being_solved(house: ChairHouse) -> None:
    _, menu = house.call("Noor", "GET", "/api/practice?rulebook=shootout-sd")
    assert (menu["ready"], menu["sentence"]) == (False, house.serving.solver.sentence)
    house.serving.practices.preparation = lambda book: "Texas Shootout is being solved: 3 of 9."
    _, menu = house.call("Noor", "GET", "/api/practice?rulebook=shootout-sd")
    assert (menu["ready"], menu["sentence"]) == (False, "Texas Shootout is being solved: 3 of 9.")
    status, reply = house.call("Noor", "POST", "/api/practice", {"rulebook": "shootout-sd"})
    assert (status, reply["refused"][0]["code"]) == (409, "not-solved")


# --- answers and sessions ---


def test_an_answer_that_is_sent_twice_counts_once_and_a_bad_one_changes_nothing(house: ChairHouse) -> None:
    client = PracticeClient(house)
    status, reply = client.send("dance")
    assert (status, reply["refused"][0]["code"]) == (400, "unknown-choice")
    assert (client.running.step, client.running.marks) == (0, [])
    best = client.asked.position.best
    first = client.send(best, step=0)
    assert client.send("check", step=0) == first
    assert len(client.running.marks) == 1
    status, reply = client.send("check", step=5)
    assert (status, reply["refused"][0]["code"]) == (409, "other-step")
    assert client.post("answers", {"step": -1, "choice": "check"})[0] == 400


def test_an_answer_to_a_session_that_was_ended_in_another_tab_is_refused(house: ChairHouse) -> None:
    client = PracticeClient(house, mode="endless", kind="jack-low-kicker")
    client.answer()
    assert client.post("end")[0] == 200
    for _ in range(2):
        status, reply = client.send("check", step=1)
        assert (status, reply["refused"][0]["code"]) == (409, "other-step")


def test_sessions_belong_to_one_person_are_bounded_and_age_out(house: ChairHouse) -> None:
    house.person("Otto")
    client = PracticeClient(house)
    for method, path, body in (
        ("GET", client.path, None),
        ("POST", f"{client.path}/answers", {"step": 0, "choice": "check"}),
        ("POST", f"{client.path}/repeats", {"number": 1}),
        ("POST", f"{client.path}/end", None),
    ):
        assert house.call("Otto", method, path, body)[0] == 404
        assert house.call("nobody", method, path, body)[0] == 401
    assert house.call("nobody", "GET", "/api/practice?rulebook=uth-ma")[0] == 401
    others = [PracticeClient(house, seed=str(n)) for n in range(MOST_EACH)]
    assert house.call("Noor", "GET", client.path)[0] == 404
    desk = house.serving.practices
    assert len(desk.sessions) == MOST_EACH
    late = max(one.used for one in desk.sessions.values()) + HOURS * 3600 + 1
    desk._ticks = lambda: late
    status, reply = house.call("Noor", "GET", others[-1].path)
    assert (status, reply["refused"][0]["code"]) == (404, "no-practice")
    assert desk.sessions == {}


# --- progress ---


def test_progress_is_kept_exported_and_erased_and_a_miss_returns(tmp_path: Path) -> None:
    house = ChairHouse(tmp_path / "house.db")
    house.person("Noor")
    client = PracticeClient(house)
    missed = client.asked.position.decision
    client.answer(right=False)
    asked = client.asked.position.decision
    client.answer()
    assert client.post("repeats", {"number": 2})[0] == 200
    assert client.post("repeats", {"number": 3})[0] == 400
    token, now = house.tokens["Noor"], house.now
    house.close()
    # A second server on the same database, an hour later.
    again = ChairHouse(tmp_path / "house.db", now=now + 3600)
    again.tokens["Noor"] = token
    _, menu = again.call("Noor", "GET", "/api/practice?rulebook=uth-ma")
    assert (menu["answered"], menu["due"], menu["weak"]) == (2, 2, True)
    _, other = again.call("Noor", "GET", "/api/practice?rulebook=uth-sd")
    assert "due" not in other
    returned: set[tuple[Any, Any]] = set()
    session = PracticeClient(again, seed="other")
    for _ in range(SET - 1):
        if session.asked.origin == "repeated":
            returned.add((session.asked.position.decision.hole, session.asked.position.decision.board))
        session.answer()
    assert returned <= {(missed.hole, missed.board), (asked.hole, asked.board)}
    assert returned
    _, export = again.call("Noor", "GET", "/api/me/progress")
    assert {entry["kind"] for entry in export["entries"]} == {"practice"}
    assert export["entries"][0]["body"]["notes"][0]["link"].startswith("uth-ma~")
    running = session.running
    assert again.call("Noor", "DELETE", "/api/me/progress", {"confirm": "erase my progress"})[0] == 200
    assert again.call("Noor", "GET", session.path)[0] == 404
    # An answer that was being graded during the erasure does not reach the store.
    running.unstored.append(RepeatRequest(link=LINK, at="2026-11-18T12:00:00Z"))
    run_now(again.serving.practices._keep(running))
    _, menu = again.call("Noor", "GET", "/api/practice?rulebook=uth-ma")
    assert ("answered" in menu, "due" in menu) == (False, False)
    again.close()


def stored_notes(house: ChairHouse, who: str = "Noor") -> list[list[str]]:
    """The links of the stored notes, entry by entry."""
    entries = run_now(house.serving.progress.entries(who, "practice"))
    return [[note["link"] for note in entry.body["notes"]] for entry in entries]


@pytest.mark.parametrize("committed", [True, False])
def test_answers_after_a_write_that_was_given_up_are_stored_too(
    house: ChairHouse, monkeypatch: pytest.MonkeyPatch, *, committed: bool
) -> None:
    client, desk = PracticeClient(house), house.serving.practices
    append = desk.keeper.append

    async def give_up(*args: Any, **more: Any) -> int:
        if committed:
            await append(*args, **more)
        raise AbandonedError("the database does not answer")

    links = []
    with monkeypatch.context() as patch:
        patch.setattr(desk.keeper, "append", give_up)
        for _ in range(2):
            client.answer()
            links.append(client.running.progress.answers[-1].link)
        run_now(desk._keep(client.running))
        client.answer()
        links.append(client.running.progress.answers[-1].link)
        run_now(desk._keep(client.running))
    assert stored_notes(house) == ([links[:2]] if committed else [])
    run_now(desk._keep(client.running))
    run_now(desk._keep(client.running))
    assert stored_notes(house) == [links[:2], links[2:]]


def test_groups_of_answers_at_the_same_time_are_stored_apart(house: ChairHouse) -> None:
    house.pace = 0
    client = PracticeClient(house)
    for _ in range(2):
        client.answer()
        run_now(house.serving.practices._keep(client.running))
    assert [len(notes) for notes in stored_notes(house)] == [1, 1]


def test_a_position_returns_once_and_requests_are_stored_in_groups(house: ChairHouse) -> None:
    client = PracticeClient(house, mode="endless", kind="jack-low-kicker")
    for _ in range(KEEP_EVERY - 1):
        client.answer()
    for _ in range(3):
        assert client.post("repeats", {"number": 2})[0] == 200
    assert client.running.unstored == []
    (notes,) = stored_notes(house)
    assert (len(notes), notes[-1]) == (KEEP_EVERY, notes[1])
    # After the end, a request is stored at once.
    assert client.post("end")[0] == 200
    for _ in range(2):
        assert client.post("repeats", {"number": 1})[0] == 200
    assert stored_notes(house)[1:] == [notes[:1]]


def test_a_session_from_before_an_erasure_neither_stays_nor_stores(
    house: ChairHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, progress = house.serving.practices, house.serving.progress
    client = PracticeClient(house)
    client.answer(right=False)
    run_now(desk._keep(client.running))
    client.answer()
    # Another server erases the progress.
    running = client.running
    assert run_now(progress.erase("Noor")).erased
    run_now(desk._keep(running))
    assert (stored_notes(house), running.unstored, desk.sessions) == ([], [], {})
    # The progress is erased while a session starts that has read it already.
    earlier = PracticeClient(house)
    earlier.answer(right=False)
    run_now(desk._keep(earlier.running))
    question = desk._question

    async def erase_first(session: RunningPractice) -> Any:
        await desk.forget("Noor")
        await progress.erase("Noor")
        return await question(session)

    with monkeypatch.context() as patch:
        patch.setattr(desk, "_question", erase_first)
        status, reply = house.call("Noor", "POST", "/api/practice", {"rulebook": "uth-ma"})
    assert (status, reply["refused"][0]["code"]) == (409, "progress-erased")
    assert desk.sessions == {}
    assert PracticeClient(house).running.progress == PracticeProgress()


def test_a_damaged_entry_is_skipped() -> None:
    class Entry:
        def __init__(self, body: Any) -> None:
            self.body = body

    damaged = [{}, {"notes": [{"type": "answer"}]}, {"notes": [{"type": "repeat", "link": "x", "at": "y"}]}]
    assert read_progress(map(Entry, damaged)) == PracticeProgress()


# --- single positions ---


def test_the_daily_position_is_the_same_for_everyone_in_the_house(house: ChairHouse) -> None:
    house.person("Otto")
    path = "/api/daily-position?rulebook=uth-ma"
    first = house.call("nobody", "GET", path)
    assert first[0] == 200
    assert first == house.call("Noor", "GET", path) == house.call("Otto", "GET", path)
    assert set(first[1]) == {"link", "rulebook", "title", "spot", "date"}
    assert set(first[1]["spot"]) <= SPOT
    house.now += 24 * 3600
    _, tomorrow = house.call("nobody", "GET", path)
    assert (tomorrow["date"] > first[1]["date"], tomorrow["spot"] != first[1]["spot"]) == (True, True)
    # Another house has another position.
    other = ChairHouse(now=house.now - 24 * 3600)
    assert other.call("nobody", "GET", path)[1]["spot"] != first[1]["spot"]
    other.close()


def test_a_link_opens_for_guests_first_without_and_then_with_its_analysis(house: ChairHouse) -> None:
    status, shared = house.call("nobody", "GET", f"/api/positions/{LINK}")
    assert (status, shared["link"], set(shared["spot"]) <= SPOT) == (200, LINK, True)
    assert shared["spot"]["cards"] == ["9d", "7c"]
    _, wrong = house.call("nobody", "GET", f"/api/positions/{LINK}/analysis?choice=1x")
    assert (wrong["verdict"], wrong["sentence"]) == ("wrong", "Cost you 0.1000 antes, $1.00.")
    # 23 cards beat a pair of fours with a nine: the picture shows each of them.
    assert len(wrong["picture"]["against"]) == 23
    assert not set(wrong["picture"]["against"]) & {*shared["spot"]["cards"], *shared["spot"]["board"]}
    _, plain = house.call("nobody", "GET", f"/api/positions/{LINK}/analysis")
    assert (
        "sentence" in plain and plain["sentence"] != "",
        any(one["yours"] for one in plain["values"]),
    ) == (
        False,
        False,
    )
    for path, code in (
        ("/api/positions/nothing", "bad-link"),
        (f"/api/positions/{LINK.replace(HASH, HASH[::-1])}", "bad-link"),
        (f"/api/positions/{LINK.replace('uth-ma', 'uth-xx')}", "unknown-rulebook"),
        (f"/api/positions/{LINK}/analysis?choice=4x", "unknown-choice"),
    ):
        _, refused = house.call("nobody", "GET", path)
        assert refused["refused"][0]["code"] == code


@pytest.mark.parametrize("rulebook", ULTIMATE)
def test_folding_loses_what_its_button_says(rulebook: str) -> None:
    """The button says "lose $20.00" before the answer, so this must not depend on the position."""
    game = game_values(load(rulebook))
    for text in ("2c 3d|9h 8h Jh Kd Qs", "As Ah|9h 8c 4d Kd Qs", "2c 3d|2h 2d 2s Kd Ks"):
        hole, board = map(cards, text.split("|"))
        assert odds(game.terms, hole, board).values["fold"] == -2


@pytest.mark.usefixtures("counted")
def test_texas_shootout_is_practised_with_four_cards(house: ChairHouse) -> None:
    house.serving.practices.preparation = lambda book: ""
    client = PracticeClient(house, rulebook="shootout-sd")
    spot = client.state["spot"]
    assert (spot["street"], len(spot["cards"]), "board" in spot and spot["board"]) == ("four cards", 4, [])
    assert [choice["key"] for choice in spot["choices"]] == [
        str(n + 1) for n in range(len(spot["choices"]))
    ]
    effects = {choice["effect"] for choice in spot["choices"]}
    assert effects <= {"no bet", "bet $10.00 more"}
    analysis = client.answer()["analysis"]
    assert (analysis["unit"], "picture" in analysis) == ("wager", False)
    assert any("worth" in one for one in analysis["because"])
