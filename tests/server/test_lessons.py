"""For newcomers, over the API and without a session: lessons, the words of the game, rules cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from discovered import BOOKS
from houseway.engine.terms import read_terms
from houseway.report.rules_card import rules_card
from houseway.rules.loader import all_clauses, load
from server.chair_client import ChairHouse

PATH = "/api/lessons/first-round"


@pytest.fixture(scope="module")
def house() -> Iterator[ChairHouse]:
    house = ChairHouse()
    house.person("Noor")
    yield house
    house.close()


def take(house: ChairHouse, *choices: str, round_: int = 1) -> Any:
    status, reply = house.call("", "POST", PATH, {"round": round_, "choices": choices})
    assert status == 200, reply
    return reply


def last_view(reply: Any) -> Any:
    """Return the view after all updates, which are JSON merge patches."""
    view = reply["view"]
    for page in reply["pages"]:
        for update in page["updates"]:
            view = merged(view, update.get("patch", {}))
    return view


def merged(value: Any, patch: Any) -> Any:
    if not isinstance(patch, dict) or not isinstance(value, dict):
        return patch
    joined = {**value, **{key: merged(value.get(key, {}), part) for key, part in patch.items()}}
    return {key: part for key, part in joined.items() if part is not None}


def test_a_guest_plays_a_round_page_by_page(house: ChairHouse) -> None:
    first = take(house)
    assert first["rounds"] == ["A pair of aces", "A straight", "A hand to fold"]
    assert (first["fresh"], first["over"]) == (0, False)
    # The table shows the three wagers of the main game and no side bet.
    assert [circle["wager"] for circle in first["sheet"]["circles"]] == ["ante", "blind", "play"]
    [bet] = first["pages"][-1]["choices"]
    assert (bet["choice"], bet["effect"], bet["key"], bet["costs"]) == ("bet", "bet $20.00", "B", 2000)

    asked = take(house, "bet")
    assert asked["fresh"] == len(first["pages"])
    assert asked["pages"][asked["fresh"] - 1]["chosen"] == "bet"
    view = last_view(asked)
    assert view["yours"]["cards"] == [["As", "8h"]]
    assert view["waits"] == {"why": "decision", "seats": [3]}
    assert [one["effect"] for one in asked["pages"][-1]["choices"]] == [
        "no bet",
        "bet $30.00",
        "bet $40.00",
    ]

    ended = take(house, "bet", "4x")
    assert ended["over"]
    table = last_view(ended)["table"]
    lines = {line["wager"]: (line["net"], line["clause"]) for line in table["settled"].values()}
    assert lines == {"ante": (1000, "MA-10.b"), "blind": (0, "MA-9.h.2-b"), "play": (4000, "MA-10.b")}
    assert table["net"] == {"3": 5000}
    explained = {page["wagers"][0]: page for page in ended["pages"] if page.get("wagers")}
    assert set(explained) == {"ante", "blind", "play"}
    assert "straight or better" in explained["blind"]["says"]


def test_hidden_cards_are_in_no_reply_before_they_are_turned(house: ChairHouse) -> None:
    """The dealer's cards and the rest of the board stay with the server."""
    text = str(take(house, "bet"))
    assert all(f"'{card}'" not in text for card in ("Qh", "9s", "Ad", "9c", "4h", "7s", "2d"))
    text = str(take(house, "bet", "check"))
    assert "'Ad'" in text
    assert all(f"'{card}'" not in text for card in ("Qh", "9s", "7s", "2d"))


def test_the_same_choices_give_the_same_reply(house: ChairHouse) -> None:
    assert take(house, "bet", "check", "2x", round_=2) == take(house, "bet", "check", "2x", round_=2)


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        (PATH, {"choices": ["4x"]}, 400, "not-a-choice"),
        (PATH, {"choices": ["bet", "fold"]}, 400, "not-a-choice"),
        (PATH, {"round": 4}, 404, "no-lesson"),
        ("/api/lessons/poker", {}, 404, "no-lesson"),
        (PATH, {"round": 0}, 400, "bad-body"),
        (PATH, {"choices": ["bet"] * 11}, 400, "bad-body"),
        (PATH, {"choices": ["x" * 21]}, 400, "bad-body"),
        (PATH, {"choices": "bet"}, 400, "bad-body"),
    ],
)
def test_a_bad_request_is_refused(house: ChairHouse, path: str, body: Any, status: int, code: str) -> None:
    answer = house.call("", "POST", path, body)
    assert (answer[0], answer[1]["refused"][0]["code"]) == (status, code)


@pytest.mark.parametrize("name", BOOKS)
def test_the_words_of_every_rulebook_have_its_hands_in_order(house: ChairHouse, name: str) -> None:
    status, words = house.call("", "GET", f"/api/rulebooks/{name}/words")
    assert status == 200
    assert [hand["name"] for hand in words["hands"]] == [one.name for one in load(name).ranking.classes]
    assert all(len(hand["cards"]) == 5 and hand["says"] for hand in words["hands"])
    assert len(words["words"]) >= 10


@pytest.mark.parametrize("name", BOOKS)
def test_the_rules_card_has_every_line_and_row_with_known_clauses(house: ChairHouse, name: str) -> None:
    status, card = house.call("", "GET", f"/api/rulebooks/{name}/card")
    assert status == 200
    terms, _ = read_terms(load(name), {})
    blocks = rules_card(terms).blocks
    printed = [line.text for block in blocks for line in getattr(block, "lines", ())]
    rows = [row for block in blocks for row in getattr(block, "rows", ())]
    parts = [part for section in card["sections"] for part in section["parts"]]
    shown = [line["text"] for part in parts for line in part.get("lines", ())]
    assert set(printed) <= set(shown)
    assert len(rows) == sum(len(part.get("rows", ())) for part in parts)
    cited = {
        clause
        for part in parts
        for line in (*part.get("lines", ()), *part.get("rows", ()))
        for clause in line.get("clauses", ())
    }
    assert {one for one in cited if not one.startswith("house.")} <= set(all_clauses())
    # The sections for players come first.
    staff = [section["for_staff"] for section in card["sections"]]
    assert staff == sorted(staff)
    assert card["sections"][0]["title"] == "How a round is played"


def test_the_rules_card_of_a_table_has_its_own_pay_tables_and_limits(house: ChairHouse) -> None:
    order = {"rulebook": "uth-ma", "tables": {"trips": "D"}, "limits": {"ante": {"min": "15", "max": "90"}}}
    status, opened = house.call("Noor", "POST", "/api/tables", order)
    assert status == 201, opened
    status, card = house.call("", "GET", f"/api/tables/{opened['table']}/card")
    assert status == 200
    assert card["table"]
    text = str(card)
    assert "$15 to $90" in text
    assert "20 to 1" in text
    assert "MA-10.d-D" in text
    assert "MA-10.d-A" not in text
    assert house.call("", "GET", "/api/tables/nowhere/card")[0] == 404


def test_every_section_of_a_bundled_rulebook_has_a_topic(house: ChairHouse) -> None:
    for name in BOOKS:
        _, book = house.call("", "GET", f"/api/rulebooks/{name}")
        assert {clause["section"] for clause in book["clauses"]} == set(book["sections"])
