"""Played rounds are kept under each person's handle, and reviewed, exported, imported and erased over the API."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import pytest

from houseway.audit.store import DamagedError, StoreBusyError, StoreError
from houseway.cards import DECK, cards
from houseway.exact.advice import odds
from houseway.live.offload import run_now
from houseway.rules.loader import load
from houseway.school import round_packs
from houseway.school.typed_csv import MOST_BYTES
from houseway.server import play_history, review_import, reviewed_games
from houseway.server.play_history import KIND, MOST_TRIES, PlayHistory
from houseway.server.rulebook_library import plain_terms
from scripted import Scripted
from server.calling import http
from server.class_house import ClassHouse

ERASE = {"confirm": "erase my progress"}
BOARD, ANN, BOB, DEALER = "Jh 9c 8h 5s 2d", "Jd 3c", "Ah Kh", "Qd Ts"
CHECKS = ["check", "check", "1x"]
GOOD = "rulebook,hole,board,dealer,play\nuth-ma,Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x\nuth-ma,As Ad,2h 7c 9s Td 3h,Kc 8d,4x\n"


def order(bob: str = BOB) -> str:
    """Return the order of a deck: the board, the cards of both seats, the dealer's cards."""
    known = " ".join([BOARD, ANN, bob, DEALER]).split()
    return " ".join([*known, *(str(card) for card in DECK if str(card) not in known)])


class Table:
    """A live table of a server, with people who play over the API."""

    def __init__(self, house: ClassHouse, rulebook: str = "uth-ma", **seats: int) -> None:
        self.house, self.seats = house, seats
        host = next(iter(seats))
        card = house.post("/api/tables", host, {"rulebook": rulebook, "clock": 0, "name": "Charles"})
        self.id = card["table"]
        for handle, seat in seats.items():
            self.act(handle, {"type": "Sit", "seat": seat})

    def act(self, handle: str, command: dict[str, Any]) -> None:
        body = {"type": "do", "key": secrets.token_hex(8), "command": command}
        self.house.post(f"/api/tables/{self.id}/commands", handle, body)

    def view(self, handle: str) -> Any:
        return self.house.get(f"/api/tables/{self.id}/view?as=seat:{self.seats[handle]}", handle)["view"]

    def play(self, **choices: list[str]) -> None:
        """Play a round. Each person bets $10 and makes these choices."""
        for handle, seat in self.seats.items():
            self.act(handle, {"type": "Bet", "seat": seat, "wagers": {"ante": 1000, "blind": 1000}})
        self.ready()
        for _ in range(20):
            waits = self.house.get(f"/api/tables/{self.id}/view")["view"]["waits"]
            if waits["why"] != "decision":
                return
            handle = next(name for name, seat in self.seats.items() if seat in waits["seats"])
            options = self.view(handle)["yours"]["choices"]
            wanted = choices[handle].pop(0)
            self.act(handle, next(one["command"] for one in options if wanted in one["says"]))
        raise AssertionError("the round does not end")

    def ready(self) -> None:
        for handle in self.seats:
            self.house.post(f"/api/tables/{self.id}/ready", handle, {"type": "ready", "ready": True})


def house_with(
    *orders: str, where: Path | None = None, people: tuple[str, ...] = ("Ann", "Bob")
) -> ClassHouse:
    return ClassHouse(*people, where=where, maker=lambda: Scripted([*orders]))


@pytest.fixture
def house() -> Iterator[ClassHouse]:
    with closing(house_with(order())) as target:
        yield target


def rounds_of(house: ClassHouse, handle: str) -> list[Any]:
    """Return the stored rounds of a person, read from the store."""
    return run_now(house.serving.progress.entries(handle, KIND))


def test_each_person_gets_the_review_of_their_own_round(house: ClassHouse) -> None:
    table = Table(house, Ann=1, Bob=2)
    assert house.refusal("GET", f"/api/me/rounds/1?table={table.id}", "Ann") == (404, "no-round")
    table.play(Ann=[*CHECKS], Bob=["4x"])
    review = house.get(f"/api/me/rounds/1?table={table.id}", "Ann")
    assert (review["name"], review["seat"], review["stake"]) == ("Charles", 1, 1000)
    first, flop, river = review["decisions"]
    assert (first["best"], flop["best"], flop["choice"], river["choice"]) == ("check", "2x", "check", "1x")
    exact = odds(plain_terms(load("uth-ma")), cards(ANN), cards(BOARD)[:3]).values
    assert {one["choice"]: Fraction(int(one["num"]), int(one["den"])) for one in flop["choices"]} == exact
    assert flop["verdict"] == "Cost you 0.3410 antes, $3.41."
    assert review["outcome"]["net"] == -3000
    assert review["outcome"]["dealer_reads"] == "straight, queen high"
    parts = review["split"]
    total = sum(Fraction(int(one["num"]), int(one["den"])) for one in parts["steps"])
    assert total == Fraction(int(parts["result"]["num"]), int(parts["result"]["den"])) == -3
    bob = house.get("/api/me/rounds/last", "Bob")
    assert [one["hole"] for one in bob["decisions"]] == [BOB.split()]
    play = house.get("/api/me/play", "Ann")
    assert (play["rounds"], play["totals"]["decisions"], play["totals"]["errors"]) == (1, 3, 1)
    assert play["rating"]["words"].startswith("Not enough decisions yet: ")


def test_nobody_gets_the_round_of_another_person(house: ClassHouse) -> None:
    table = Table(house, Ann=1)
    table.play(Ann=[*CHECKS])
    mine = house.get("/api/me/rounds/last", "Ann")["id"]
    for path in (f"/api/me/rounds/{mine}", f"/api/me/rounds/1?table={table.id}", "/api/me/rounds/last"):
        assert house.refusal("GET", path, "Bob") == (404, "no-round")
        assert house.refusal("GET", path) == (401, "no-session")
    assert house.get("/api/me/play", "Bob")["games"] == []
    assert len(house.send("GET", "/api/me/rounds", "Bob").body.splitlines()) == 1


@pytest.mark.parametrize(("ann", "bob"), [(CHECKS, "4x"), (["check", "check", "fold"], "check")])
def test_a_twin_round_with_other_cards_of_another_seat_has_the_same_review(
    ann: list[str], bob: str
) -> None:
    """Only Bob's cards differ, which Ann never sees. Everything that is stored about Ann must be the same."""
    seen: list[Any] = []
    for cards_of_bob in (BOB, "4s 6d"):
        with closing(house_with(order(cards_of_bob))) as house:
            table = Table(house, Ann=1, Bob=2)
            table.play(Ann=[*ann], Bob=[bob, "check", "fold"])
            shown = table.view("Ann")["table"]
            review = house.get("/api/me/rounds/last", "Ann")
            assert review["outcome"]["dealer"] == shown.get("dealer", [])
            assert review["outcome"]["board"] == shown["board"]
            play, lines = house.get("/api/me/play", "Ann"), house.send("GET", "/api/me/rounds", "Ann").body
            stored = [entry.body for entry in rounds_of(house, "Ann")]
            text = json.dumps([review, play, lines.decode(), stored])
            for changing in (table.id, review["at"]):
                text = text.replace(changing, "")
            seen.append(text)
    assert seen[0] == seen[1]


def test_rounds_are_there_after_a_restart_and_stored_then_if_the_server_stopped_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = tmp_path / "house.db"

    async def down(history: PlayHistory, closed: Any) -> None:
        raise StoreError("the database does not answer")

    with closing(house_with(order(), where=where)) as house:
        # The server stops before the rounds are stored.
        monkeypatch.setattr(PlayHistory, "_store", down)
        Table(house, Ann=1, Bob=2).play(Ann=[*CHECKS], Bob=["4x"])
        assert rounds_of(house, "Ann") == []
        tokens = house.tokens
    monkeypatch.undo()
    with closing(house_with(where=where, people=())) as house:
        house.tokens = tokens
        assert house.get("/api/me/rounds/last", "Ann")["outcome"]["net"] == -3000
        assert len(rounds_of(house, "Ann")) == len(rounds_of(house, "Bob")) == 1
        house.send("DELETE", "/api/me/progress", "Ann", ERASE)
        assert house.refusal("GET", "/api/me/rounds/last", "Ann") == (404, "no-round")
    with closing(house_with(where=where, people=())) as house:
        # Erased rounds do not come back from the table's record.
        house.tokens = tokens
        assert house.get("/api/me/play", "Ann")["rounds"] == 0
        assert house.get("/api/me/play", "Bob")["rounds"] == 1


def test_a_wrong_row_is_named_and_nothing_is_imported(house: ClassHouse) -> None:
    wrong = GOOD + "uth-ma,Jd,Jh 9c 8h 5s 2d,Qd Ts,fold\nuth-ma,Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,5x\n"
    reply = house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": wrong})
    rows = {(one["row"], one["column"]): one["sentence"] for one in reply["problems"]}
    assert sorted(rows) == [(4, "hole"), (5, "play")]
    assert rows[4, "hole"] == "hole must have 2 cards, not 1"
    assert reply["imported"] == 0
    assert house.get("/api/me/play", "Ann")["rounds"] == 0


def test_an_import_an_export_an_erasure_and_an_import_again(house: ClassHouse) -> None:
    Table(house, Ann=1).play(Ann=[*CHECKS])
    file = {"name": "hands.csv", "text": GOOD}
    assert house.post("/api/me/rounds", "Ann", file) == {"imported": 2, "known": 0}
    assert house.post("/api/me/rounds", "Ann", file) == {"imported": 0, "known": 2}
    before = house.get("/api/me/play", "Ann")
    assert (before["rounds"], before["totals"]["decisions"]) == (3, 7)
    lines = house.send("GET", "/api/me/rounds", "Ann").body.decode()
    assert len(rounds_of(house, "Ann")) == 2
    house.send("DELETE", "/api/me/progress", "Ann", ERASE)
    assert house.get("/api/me/play", "Ann")["rounds"] == 0
    assert house.post("/api/me/rounds", "Ann", {"name": "mine", "text": lines})["imported"] == 3
    assert house.get("/api/me/play", "Ann")["totals"] == before["totals"]
    # A round that its rulebook does not allow is refused, with its line.
    broken = lines.replace('"Jd 3c"', '"Jd Jd"', 1)
    stopped = house.post("/api/me/rounds", "Bob", {"name": "x", "text": broken})
    assert [one["row"] for one in stopped["problems"]] == [2]
    assert house.get("/api/me/play", "Bob")["rounds"] == 0


def test_a_record_of_several_players_asks_for_the_player(house: ClassHouse) -> None:
    table = Table(house, Ann=1, Bob=2)
    table.play(Ann=[*CHECKS], Bob=["4x"])
    text = house.send("GET", f"/api/tables/{table.id}/export?as=seat:1", "Ann").body.decode()
    house.introduce("Cleo")
    order = {"name": "record.jsonl", "text": text}
    players = house.post("/api/me/rounds", "Cleo", order)["players"]
    assert [one["player"] for one in players] == ["Ann", "Bob"]
    assert house.get("/api/me/play", "Cleo")["rounds"] == 0
    assert house.post("/api/me/rounds", "Cleo", {**order, "player": "Ann"})["imported"] == 1
    assert house.get("/api/me/rounds/last", "Cleo")["decisions"][0]["hole"] == ANN.split()
    # A forged record is refused: here, a player acts at an empty seat.
    wrong = re.sub(r'(\\"type\\":\\"Checked\\",[^}]*?\\"seat\\":)1\b', r"\g<1>6", text)
    forged = {**order, "text": wrong}
    assert forged["text"] != text
    assert house.refusal("POST", "/api/me/rounds", "Cleo", {**forged, "player": "Ann"}) == (400, "bad-file")
    # Ann's own round is stored already.
    assert house.post("/api/me/rounds", "Ann", order)["known"] == 1


def test_only_an_import_may_be_large(house: ClassHouse) -> None:
    large = {"name": "hands.csv", "text": GOOD + "\n" * 100_000}
    assert house.post("/api/me/rounds", "Ann", large)["imported"] == 2
    assert house.refusal("POST", "/api/session", "", {"handle": "x" * 100_000}) == (413, "too-long")
    huge = {"name": "hands.csv", "text": "\n" * (MOST_BYTES + 1)}
    assert house.refusal("POST", "/api/me/rounds", "Ann", huge) == (413, "too-long")


def test_leaks_are_found_in_the_rounds_of_one_rulebook(house: ClassHouse) -> None:
    # Half of these hands fold a pair of jacks on the river.
    rows = "uth-ma,Jd 3c,Jh 9c 8h 5s 2d,Qd Ts,1x\n" * 20 + "uth-ma,Td 4c,Th 9c 8h 5s 2d,Qd Js,fold\n" * 20
    others = "uth-ma,7d 2c,Kh 9c 8h 5s 3d,Qd Ts,fold\n" * 200
    text = "rulebook,hole,board,dealer,play\n" + rows + others
    house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": text})
    play = house.get("/api/me/play", "Ann")
    found = asyncio.run(house.serving.reviews.leaks("Ann", load("uth-ma")))
    assert list(found) == [leak["kind"] for leak in play["totals"]["leaks"]]
    assert found
    assert asyncio.run(house.serving.reviews.leaks("Ann", load("uth-card"))) == {}


# --- rounds that cannot be stored ---


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the storing of every round of the first table fail."""
    played, tables = PlayHistory._played, list[str]()

    def fail(history: PlayHistory, closed: Any) -> Any:
        tables.append(closed.runner.stream)
        if tables[-1] == tables[0]:
            raise error
        return played(history, closed)

    monkeypatch.setattr(PlayHistory, "_played", fail)


@pytest.mark.parametrize("error", [KeyError("seat"), DamagedError("this record is damaged")])
def test_a_round_that_cannot_be_stored_blocks_no_other_round(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    failing(monkeypatch, error)
    with closing(house_with(order(), order())) as house:
        Table(house, Ann=1, Bob=2).play(Ann=[*CHECKS], Bob=["4x"])
        assert house.get("/api/me/play", "Ann")["rounds"] == 0
        Table(house, Ann=1, Bob=2).play(Ann=[*CHECKS], Bob=["4x"])
        assert house.get("/api/me/rounds/last", "Ann")["outcome"]["net"] == -3000
        assert house.post("/api/me/rounds", "Bob", {"name": "x", "text": GOOD})["imported"] == 2
        house.send("DELETE", "/api/me/progress", "Bob", ERASE)
        assert house.get("/api/me/play", "Bob")["rounds"] == 0
        for _ in range(MOST_TRIES):
            house.get("/api/me/play", "Ann")
        assert not house.serving.played._waiting


@pytest.mark.parametrize("error", [StoreError, StoreBusyError])
def test_a_round_is_stored_later_if_the_database_does_not_answer(
    house: ClassHouse, monkeypatch: pytest.MonkeyPatch, error: type[StoreError]
) -> None:
    async def down(*_: Any) -> None:
        raise error("the database does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(PlayHistory, "_store", down)
        if error is StoreError:
            patch.setattr(house.serving.progress, "text", down)
        Table(house, Ann=1, Bob=2).play(Ann=[*CHECKS], Bob=["4x"])
        for _ in range(2 * MOST_TRIES):
            run_now(house.serving.played.store_waiting())
    assert house.get("/api/me/play", "Ann")["rounds"] == 1


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_round_that_waits_is_erased_with_the_progress(
    house: ClassHouse, monkeypatch: pytest.MonkeyPatch, elsewhere: bool
) -> None:
    with monkeypatch.context() as patch:
        failing(patch, DamagedError("this record is damaged"))
        Table(house, Ann=1, Bob=2).play(Ann=[*CHECKS], Bob=["4x"])
        if elsewhere:
            # The operator, or another server, erases the progress; this server is not told.
            house.append("Ann", "drill", {"right": 1})
            assert run_now(house.serving.progress.erase("Ann")).erased
        else:
            house.send("DELETE", "/api/me/progress", "Ann", ERASE)
    assert house.get("/api/me/play", "Ann")["rounds"] == 0
    assert house.get("/api/me/play", "Bob")["rounds"] == 1


def test_totals_that_were_computed_during_an_erasure_are_not_kept(
    house: ClassHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": GOOD})
    desk = house.serving.reviews
    compute = desk._games.your_play

    def erased_meanwhile(*work: Any) -> Any:
        reply = compute(*work)
        desk.forget("Ann")
        return reply

    with monkeypatch.context() as patch:
        patch.setattr(desk._games, "your_play", erased_meanwhile)
        assert house.get("/api/me/play", "Ann")["rounds"] == 2
    assert not desk._totals
    house.get("/api/me/play", "Ann")
    assert len(desk._totals) == 1


# --- imports ---


def test_two_imports_of_one_file_at_the_same_time_store_it_once(house: ClassHouse) -> None:
    body, token = json.dumps({"name": "hands.csv", "text": GOOD}).encode(), house.tokens["Ann"]

    async def twice() -> list[Any]:
        calls = (http(house.app, "POST", "/api/me/rounds", token=token, body=body) for _ in range(2))
        return [json.loads(reply.body) for reply in await asyncio.gather(*calls)]

    replies = sorted(asyncio.run(twice()), key=lambda reply: reply["imported"])
    assert replies == [{"imported": 0, "known": 2}, {"imported": 2, "known": 0}]
    # A round that a file has twice is stored once.
    header, first, _ = house.send("GET", "/api/me/rounds", "Ann").body.decode().splitlines()
    file = {"name": "mine", "text": "\n".join([header, first, first])}
    assert house.post("/api/me/rounds", "Bob", file) == {"imported": 1, "known": 1}


def test_rounds_are_compared_outside_the_event_loop(
    house: ClassHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[Any] = []
    identity = round_packs.identity

    def noted(stored: Any) -> Any:
        threads.append(current_thread())
        return identity(stored)

    monkeypatch.setattr(play_history, "identity", noted)
    for _ in range(2):
        house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": GOOD})
    assert len(threads) == 6
    assert main_thread() not in threads


def test_the_lines_and_the_problems_of_an_export_are_bounded(
    house: ClassHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": GOOD})
    lines = house.send("GET", "/api/me/rounds", "Ann").body.decode()

    def refused(more: str) -> tuple[int, int, str]:
        reply = house.post("/api/me/rounds", "Bob", {"name": "x", "text": lines + more})
        return len(reply["problems"]), reply.get("more_problems", 0), reply["problems"][-1]["sentence"]

    assert refused("x\n" * 150)[:2] == (100, 50)
    assert refused('{"rulebook":"' + "x" * 200_000 + '"}\n') == (
        1,
        0,
        "the line is too long for a played round",
    )
    monkeypatch.setattr(review_import, "MOST_ROUNDS", 12)
    assert refused("x\n" * 150) == (11, 0, "a file can have at most 12 rounds")


def test_an_own_export_can_be_imported_in_parts_and_with_a_card_too_many(house: ClassHouse) -> None:
    house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": GOOD})
    lines = house.send("GET", "/api/me/rounds", "Ann").body.decode().splitlines()
    for part in ("\n".join(lines[:2]), lines[2]):
        assert house.post("/api/me/rounds", "Bob", {"name": "part", "text": part})["imported"] == 1
    board = '"outcome":{"board":"Jh 9c 8h 5s 2d'
    assert board in lines[1]
    six = lines[1].replace(board, f"{board} 2c")
    assert house.post("/api/me/rounds", "Bob", {"name": "six", "text": six})["imported"] == 1
    assert house.get("/api/me/rounds/last", "Bob")["outcome"]["board"][-1] == "2c"


def test_a_round_under_an_older_rulebook_that_the_server_has_can_be_imported(house: ClassHouse) -> None:
    house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": GOOD})
    lines = house.send("GET", "/api/me/rounds", "Ann").body.decode()
    book = load("uth-ma")
    text = book.text.replace(json.dumps(book.title, ensure_ascii=False), '"An older title"', 1)
    assert text != book.text
    digest = hashlib.sha256(text.encode()).hexdigest()
    file = {"name": "mine", "text": lines.replace(book.hash, digest)}
    assert len(house.post("/api/me/rounds", "Ann", file)["problems"]) == 2
    run_now(house.serving.progress.append("Bob", "drill", {"right": 1}, texts={digest: text}))
    assert house.post("/api/me/rounds", "Ann", file)["imported"] == 2
    play = house.get("/api/me/play", "Ann")
    assert [game["rounds"] for game in play["games"]] == [2, 2]


def test_reviews_of_two_requests_at_the_same_time_do_not_disturb_each_other(
    house: ClassHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.post("/api/me/rounds", "Ann", {"name": "hands.csv", "text": GOOD})
    history = asyncio.run(house.serving.played.history("Ann"))

    class OtherRequest:
        def __call__(self) -> None:
            history.reviews = {}

    monkeypatch.setattr(reviewed_games, "Pauses", OtherRequest)
    assert house.get("/api/me/play", "Ann")["reviewed"] == 2
