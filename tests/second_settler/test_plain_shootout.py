"""Acceptance checks of the second settler for Texas Shootout. Both hand readers must find the best of all 21 five-card hands."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import Any

import pytest

from houseway.second_settler import settle
from houseway.second_settler.hands import NAME, cards, one_deck, six_decks
from houseway.second_settler.house_way import keep, line

LOW = "Qd 9s 7h 4c 2d"
ACES = {"seat": 1, "cards": "As Ah 5c 3c", "hands": ["As Ah"], "wager": "10"}


def shootout(board: str, dealer: str, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Settle a round."""
    data = {"rulebook": "shootout-sd", "board": board, "dealer": dealer, "seats": list(seats)}
    return settle(data | more)


def keeping(seat: int, hole: str, wager: str = "10", **more: Any) -> dict[str, Any]:
    """A seat that keeps the hole cards and discards two others."""
    return {"seat": seat, "cards": f"{hole} 5c 3c", "hands": [hole], "wager": wager, **more}


def rows(output: dict[str, Any]) -> list[tuple[int, int, str, str]]:
    """Seat, hand, wager and net of each line."""
    assert "refused" not in output, output
    return [(x["seat"], x["hand"], x["wager"], x["net"]) for x in output["lines"]]


def test_the_primary_wager_wins_even_money_and_loses_ties() -> None:
    assert rows(shootout(LOW, "Kc Qs 3c 5c", keeping(1, "As Ah")))[0][3] == "10.00"
    tie = shootout("As Kd Qc Jh Tc", "2c 3d 4h 6s", keeping(1, "2h 2d"))
    assert (tie["lines"][0]["net"], tie["lines"][0]["clause"]) == ("-10.00", "TS-15-b")
    quarter = shootout(LOW, "Kc 8c 3c 5c", keeping(1, "As Ah", "25"))
    assert (quarter["lines"][0]["net"], quarter["lines"][0]["clause"]) == ("25.00", "TS-15-d")


BONUS_HANDS = (
    ("Kd Kd", "Kd Kd Kd 3c 9s"),
    ("As Ks", "Qs Js Ts 4d 4c"),
    ("6h 7h", "3h 4h 5h Kd Kc"),
    ("8c 8d", "8h 8s 8s Kc 2d"),
    ("9c 9d", "9h 9s 4d Kc 2s"),
    ("Kh 3d", "Ks Kd 7c 7h 2s"),
    ("Ks Ks", "9s 9s 2s 7d 4h"),
    ("As 2d", "3s 4h 5c Kd Kc"),
    ("7c 7d", "7s Kh 9d 4c 2s"),
)


@pytest.mark.parametrize(
    ("table", "pays"),
    [
        ("A", ("5000", "500", "100", "50", "5", "3", "2", "1", "-1")),
        ("B", ("1000", "200", "75", "40", "7", "3", "2", "1", "-1")),
    ],
)
def test_each_bonus_table_pays_as_printed(table: str, pays: tuple[str, ...]) -> None:
    for (hole, board), amount in zip(BONUS_HANDS, pays, strict=True):
        output = shootout(board, "6c 6c Jd Th", keeping(1, hole, bonus="1"), tables={"bonus": table})
        bonus = output["lines"][1]
        clause = f"TS-16-t{table}" if amount != "-1" else "TS-16-b"
        assert (bonus["net"], bonus["clause"]) == (f"{amount}.00", clause)


def test_the_bonus_can_win_while_the_primary_wager_loses() -> None:
    output = shootout("Ks Kd 9s 9s 2s", "9c Kc 4d 5h", keeping(1, "As 4s", bonus="5"))
    assert rows(output) == [(1, 1, "wager", "-10.00"), (1, 1, "bonus", "10.00")]


def test_split_hands_are_settled_in_order_and_each_can_win_envy() -> None:
    split = {
        "seat": 1,
        "cards": "8h 8c 7h 7c",
        "hands": ["8h 7h", "8c 7c"],
        "wager": "25",
        "bonus": ["5", "5"],
    }
    output = shootout(
        "9h Th Jh 2c 3d", "Ac Ad 4s 5s", split, keeping(2, "Kh Qh", bonus="4"), keeping(3, "2h 2s")
    )
    assert rows(output) == [
        (3, 1, "wager", "10.00"),
        (2, 1, "wager", "10.00"),
        (2, 1, "bonus", "400.00"),
        (1, 1, "wager", "25.00"),
        (1, 1, "bonus", "500.00"),
        (1, 2, "wager", "25.00"),
        (1, 2, "bonus", "5.00"),
        (1, 1, "envy", "50.00"),
        (1, 2, "envy", "50.00"),
        (1, 2, "envy", "50.00"),
    ]
    envy = [line["from"] for line in output["lines"] if line["wager"] == "envy"]
    assert envy == [{"seat": 2, "hand": 1}, {"seat": 2, "hand": 1}, {"seat": 1, "hand": 1}]
    one = {**split, "bonus": "5"}
    assert len([r for r in rows(shootout("9h Th Jh 2c 3d", "Ac Ad 4s 5s", one)) if r[3]]) == 3


@pytest.mark.parametrize(
    ("hole", "board", "amount"),
    [
        ("Kd Kd", "Kd Kd Kd 3c 9s", "1000.00"),
        ("As Ks", "Qs Js Ts 4d 4c", "250.00"),
        ("6h 7h", "3h 4h 5h Kd Kc", "50.00"),
        ("8c 8d", "8h 8s 8s Kc 2d", "10.00"),
    ],
)
def test_envy_pays_by_class_of_hand(hole: str, board: str, amount: str) -> None:
    seats = [keeping(1, "2c 4c", bonus="5"), keeping(2, "2c 4c", bonus="25"), keeping(3, hole)]
    output = shootout(board, "6c Jd Td 4h", *seats, keeping(4, "2c 4c", bonus="4.99"))
    envy = [row for row in rows(output) if row[2] == "envy"]
    assert envy == [(2, 1, "envy", amount), (1, 1, "envy", amount)]


@pytest.mark.parametrize(
    ("four", "two"),
    [
        ("Kd Kc 7s 2h", "Kd Kc"),
        ("Ah Jd 7s 7c", "Ah Jd"),
        ("8c 8d Ah Kh", "8c 8d"),
        ("As Ts 3d 3d", "3d 3d"),
        ("As Ts 3d 3c", "3d 3c"),
        ("As 2s Td 9d", "As 2s"),
        ("Kc Qd Jd 2c", "Qd Jd"),
        ("Kc Qd 9c 8c", "Kc Qd"),
        ("Ad Tc 9h 2s", "Ad Tc"),
        ("9h 8h Kd 2d", "Kd 2d"),
        ("Jc 9d 8d 2h", "Jc 9d"),
        ("9c 8c Td 9d", "9c 9d"),
        ("Td 8d 7d 2c", "8d 7d"),
        ("9c 7d 6h 2s", "7d 6h"),
        ("Tc 8c 6d 4d", "Tc 8c"),
        ("Tc 8d 6c 2h", "Tc 6c"),
        ("9c 7d 5h 3s", "9c 7d"),
        ("Kd Kc Kd 2h", "Kd Kd"),
    ],
)
def test_the_house_way_keeps_two_of_four_cards(four: str, two: str) -> None:
    assert " ".join(NAME[card] for card in keep(cards(four))) == two


def test_a_dealers_hand_that_breaks_the_house_way_counts_and_is_reported() -> None:
    wrong = shootout(LOW, "Kd Kc 7s 2h", keeping(1, "9h 8h"), dealer_keeps="7s 2h")
    assert wrong["house_way"] == "Kd Kc"
    assert wrong["lines"][0]["net"] == "-10.00"  # two pair
    right = shootout(LOW, "Kd Kc 7s 2h", keeping(1, "9h 8h"), dealer_keeps="KC kd")
    assert "house_way" not in right


REFUSED: list[tuple[dict[str, Any], str | None]] = [
    ({"cards": "9s 9d 9h 4c", "hands": ["9s 9d", "9h 4c"]}, "TS-9-a"),
    ({"cards": "9s 9d 4h 3c", "hands": ["9s 9d", "4h 3c"]}, "TS-9-a"),
    ({"hands": ["As Kh"]}, "TS-8-a"),
    ({"hands": ["As Ah 5c"]}, None),
    ({"hands": []}, "TS-8-a"),
    ({"wager": "0"}, None),
    ({"wager": "-5"}, None),
    ({"wager": "5.001"}, None),
    ({"wager": ["10", "10"]}, "TS-9-d"),
    ({"wager": "1000", "bonus": "1"}, "SD-1-c"),
    ({"ante": "5"}, None),
    ({"seat": 8}, None),
    ({"cards": "9s 9d 4h 4c", "hands": ["9s 9d", "4h 4c"], "wager": ["10", "5"]}, "TS-9-d"),
    ({"cards": "9s 9d 4h 4c", "hands": ["9s 9d", "4h 4c"], "bonus": ["10", "11"]}, "TS-9-f"),
    ({"cards": "9s 9d 4h 4c", "hands": ["9s 9d", "4h 4c"], "bonus": ["0", "5"]}, "TS-9-e"),
]


@pytest.mark.parametrize(("change", "clause"), REFUSED)
def test_a_bad_seat_is_refused_with_the_clause(change: dict[str, Any], clause: str | None) -> None:
    output = shootout(LOW, "Kd Kc 7s 2h", ACES | change)
    assert [problem["clause"] for problem in output["refused"]] == [clause]


def test_a_bad_round_is_refused_with_the_clause() -> None:
    no_primary = {key: value for key, value in ACES.items() if key != "wager"} | {"bonus": "5"}
    assert shootout(LOW, "Kd Kc 7s 2h", no_primary)["refused"][0]["clause"] == "TS-4-a"
    twice = [{**ACES, "player": "ann"}, {**ACES, "player": "ann", "seat": 2}]
    assert shootout(LOW, "Kd Kc 7s 2h", *twice)["refused"][0]["clause"] == "TS-4-b"
    assert "lines" in shootout(LOW, "Kd Kc 7s 2h", *twice, house={"more_positions": True})
    for more in (
        {"tables": {"bonus": "C"}},
        {"dealer_keeps": "7s 3h"},
        {"meters": {"main": "1"}},
        {"house": {"bet_limit_scope": "round"}},
        {"limits": {"wager": {"min": "15", "max": "50"}}},
        {"limits": {"wager": {"min": "5"}}},
        {"limits": {"wager": {"max": "9"}}},
    ):
        assert len(shootout(LOW, "Kd Kc 7s 2h", ACES, **more)["refused"]) == 1, more
    seven = shootout("2d 2d 2d 2d 9s", "2d 2d 7s 2h", {**ACES, "cards": "As Ah 2d 3c"})
    assert [problem["clause"] for problem in seven["refused"]] == [None]
    equal = {"cards": "6s 6s 6d 6h", "hands": ["6s 6d", "6s 6h"], "wager": ["10", "10"]}
    assert "lines" in shootout(LOW, "Kd Kc 7s 2h", ACES | equal | {"bonus": ["10", "1"]})


def five(hand: tuple[int, ...], decks: int) -> tuple[int, ...]:
    """The rank of a five-card hand, found by trying each class in turn."""
    groups = sorted(((n, r) for r, n in Counter(c >> 2 for c in hand).items()), reverse=True)
    shape = [n for n, _ in groups]
    ranks = [r for _, r in groups]
    flush = len({c & 3 for c in hand}) == 1
    top = 0
    if shape == [1] * 5:
        top = ranks[0] if ranks[0] - ranks[4] == 4 else 5 if ranks == [14, 5, 4, 3, 2] else 0
    if shape == [5]:
        return (10 if flush else 8, *ranks)
    if top and flush:
        return (9, top) if decks == 6 else (9,) if top == 14 else (8, top)
    if shape == [4, 1]:
        return (7, *ranks)
    if shape == [3, 2]:
        return (6, *ranks)
    if flush:
        return (5, *sorted((c >> 2 for c in hand), reverse=True))
    if top:
        return (4, top)
    return ({(3, 1): 3, (2, 2): 2, (2, 1): 1, (1, 1): 0}[shape[0], shape[1]], *ranks)


@pytest.mark.parametrize("decks", [1, 6])
def test_each_hand_reader_finds_the_best_of_21_hands(decks: int) -> None:
    draw = random.Random(7)
    small = [card for card in NAME if card & 3 < 2 and card >> 2 in (2, 3, 4, 5, 14, 13)]
    read = one_deck if decks == 1 else six_decks
    for deck in (list(NAME), [card for card in NAME if card & 3 < 2], small):
        for _ in range(1500):
            seven = draw.sample(deck * decks, 7)
            assert read(seven) == max(five(some, decks) for some in combinations(seven, 5))


def test_house_way_reaches_its_last_lines_as_often_as_published() -> None:
    last = 0
    for four in combinations_with_replacement(list(NAME), 4):
        one, two = keep(four)
        high, low = max(one >> 2, two >> 2), min(one >> 2, two >> 2)
        if line(high, low, one & 3 == two & 3) >= 13:
            last += prod(comb(6, copies) for copies in Counter(four).values())
    assert round(100_000 * last / comb(312, 4)) == 1285


TIPPED: dict[str, Any] = {"house": {"tips": True}, "tables": {"bonus": "A"}}


def test_tips_on_the_primary_wager_and_the_bonus_go_to_the_dealer() -> None:
    # Aces win 1 to 1 and no bonus; the dealer keeps the tip on the primary and what it wins.
    aces = keeping(1, "As Ah", bonus=["5"], tips={"wager": "2", "bonus": "1"})
    won = shootout(LOW, "Kc Qs 3c 5c", aces, **TIPPED)
    assert [(x["wager"], x["net"], x.get("for")) for x in won["lines"]] == [
        ("wager", "10.00", None),
        ("wager", "2.00", "dealer"),
        ("bonus", "-5.00", None),
        ("bonus", "-1.00", "dealer"),
    ]
    assert won["dealer_tips"] == "4.00"
    assert won["seats"] == [{"seat": 1, "staked": "18.00", "returned": "20.00", "net": "2.00"}]
    # A flush pays 2 to 1 on the bonus: $1 brings the dealer $3.
    flush = keeping(1, "Ks Ks", bonus=["5"], tips={"bonus": "1"})
    assert shootout("9s 9s 2s 7d 4h", "Kc Qs 3c 5c", flush, **TIPPED)["dealer_tips"] == "3.00"


@pytest.mark.parametrize(
    ("tips", "house"),
    [({"wager": "1"}, {}), ({"bonus": "1"}, {"tips": True}), ({"ante": "1"}, {"tips": True})],
    ids=["not taken", "without the bonus", "no such wager"],
)
def test_bad_tips_are_refused(tips: dict[str, str], house: dict[str, Any]) -> None:
    refused = shootout(LOW, "Kc Qs 3c 5c", keeping(1, "As Ah", tips=tips), house=house)
    assert [x["clause"] for x in refused["refused"]] == ["house.tips"]
