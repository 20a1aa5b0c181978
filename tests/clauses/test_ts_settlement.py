"""South Dakota, Texas Shootout: the dealer's house way, the primary wager, and the order of settlement."""

from typing import Any

import pytest

from houseway.cards import cards
from houseway.rules import loader
from houseway.testing import settled

BOOK = "shootout-sd"
LOW = "Qd 9s 7h 4c 2d"
DEALER = "Kc Qs 8h 3c"


def seat(two: str, number: int = 1, **more: Any) -> dict[str, Any]:
    """A seat that keeps two cards of four, with a primary wager of $10 by default."""
    return {"seat": number, "cards": f"{two} 6c 3d", "hands": [two], "wager": "10", **more}


@pytest.mark.clause("TS-2", "TS-15-a")
def test_each_player_plays_only_against_the_dealer() -> None:
    paid = settled(BOOK, LOW, DEALER, seat("As Ah", 1), seat("Ks Kh", 2), seat("Ac Ad", 3))
    assert [(line.seat, line.net) for line in paid.lines()] == [(3, "10.00"), (2, "10.00"), (1, "10.00")]
    sevens_and_aces = settled(BOOK, LOW, DEALER, seat("7s 5h", 1), seat("As Ah", 2))
    assert (sevens_and_aces.net("wager", 1), sevens_and_aces.net("wager", 2)) == ("-10.00", "10.00")


@pytest.mark.clause("TS-11-b")
@pytest.mark.parametrize(
    ("four", "pair", "line"),
    [
        ("Kd Kc 7s 2h", "Kd Kc", "pair of eights or higher"),
        ("Ah Jd 7s 7c", "Ah Jd", "ace with a jack or higher"),
        ("Ah Td 7s 7c", "7s 7c", "unsuited pair, twos to sevens"),
        ("7s 7s 7c 2h", "7s 7s", "suited pair, twos to sevens"),
        ("Kc Qs 8h 3c", "Kc Qs", "both ten or higher, unsuited"),
        ("Ah 9h 5d 4d", "Ah 9h", "ace-high suited"),
        ("9c 8c 5d 3h", "9c 8c", "connected suited"),
        ("8c 8d 9s 9h", "9s 9h", "pair of eights or higher"),
        ("9c 9d 9c 4h", "9c 9c", "pair of eights or higher"),
    ],
)
def test_the_dealer_keeps_two_cards_by_the_house_way(four: str, pair: str, line: str) -> None:
    way = loader.load(BOOK).house_way
    assert way is not None
    two, number = way.keep(cards(four))
    assert (" ".join(map(str, two)), way.lines[number - 1].text) == (pair, line)


@pytest.mark.clause("TS-11-b")
def test_the_dealers_discards_do_not_play() -> None:
    # Ace and jack are kept, so the sevens that would have made three of a kind are gone.
    paid = settled(BOOK, "7d Kd Qc 9h 2s", "Ah Jd 7s 7c", seat("Ks 4h"))
    assert paid.net("wager") == "10.00"


@pytest.mark.clause("TS-11-b")
def test_the_dealer_never_splits() -> None:
    rule = loader.load(BOOK).options["dealer_splits"]
    assert (rule.value, rule.clause()) == (False, "TS-11-b")
    # Dealt two pairs, the dealer keeps the higher one, so the discarded fours do not make four of a kind with
    # the fours on the board.
    paid = settled(BOOK, "4h 4s Qd 7c 2d", "Td Tc 4c 4d", seat("Qh Js"))
    assert paid.net("wager") == "10.00"


@pytest.mark.clause("TS-11-c")
def test_a_hand_not_set_by_the_house_way_is_recorded_as_wrong() -> None:
    board, four = "Qd 9s 8h 4c 3d", "Kd Kc 7s 2h"
    wrong = settled(BOOK, board, four, seat("As Jc"), dealer_keeps="7s 2h")
    assert (wrong.settlement.house_way, wrong.net("wager")) == ("Kd Kc", "10.00")
    for fields in ({}, {"dealer_keeps": "Kc Kd"}):
        right = settled(BOOK, board, four, seat("As Jc"), **fields)
        assert (right.settlement.house_way, right.net("wager")) == (None, "-10.00")


@pytest.mark.clause("TS-13")
def test_the_best_five_of_seven_cards_count() -> None:
    evaluator = loader.load(BOOK).ranking.evaluator
    board_only = evaluator.strength(cards("2c 3d As Kd Qc Jh Tc"))
    assert evaluator.name(board_only) == "straight"
    assert board_only == evaluator.strength(cards("As Kd Qc Jh Tc"))
    # The first player uses one hole card for a king-high straight, the second uses both for an ace-high
    # straight; each beats the dealer's nines.
    one = settled(BOOK, "Qs Jd Tc 9h 2c", "9d 9c 5s 3h", seat("Ks 4d"))
    both = settled(BOOK, "Qs Jd Tc 5h 2c", "9d 9c 5s 3h", seat("As Kd"))
    assert (one.net("wager"), both.net("wager")) == ("10.00", "10.00")


@pytest.mark.clause("TS-15-a", "TS-15-d")
def test_a_higher_hand_wins_even_money() -> None:
    paid = settled(BOOK, LOW, DEALER, seat("As Ah"))
    assert (paid.result("wager"), paid.net("wager"), paid.line("wager").odds) == ("win", "10.00", "1 to 1")
    assert paid.clause("wager") == "TS-15-d"


@pytest.mark.clause("TS-15-b")
@pytest.mark.parametrize(
    ("board", "two"),
    [("As Kd Qc Jh Tc", "2c 3h"), (LOW, "Qh Kd"), (LOW, "9d 8s")],
    ids=["both play the board", "the same pair and kicker", "a lower pair"],
)
def test_an_equal_or_lower_hand_loses(board: str, two: str) -> None:
    paid = settled(BOOK, board, DEALER, seat(two))
    assert (paid.result("wager"), paid.net("wager")) == ("lose", "-10.00")
    assert paid.clause("wager") == "TS-15-b"


@pytest.mark.clause("TS-15-c")
def test_hands_are_settled_from_the_dealers_right() -> None:
    seats = [seat("As Ah", 1), seat("5s 5h", 2), seat("Ks Kh", 3)]
    paid = settled(BOOK, LOW, DEALER, *seats)
    assert [line.seat for line in paid.lines("wager")] == [3, 2, 1]


@pytest.mark.clause("TS-15-d")
def test_both_hands_of_a_split_are_paid() -> None:
    single = settled(BOOK, LOW, DEALER, seat("As Ah", wager="25"))
    assert single.net("wager") == "25.00"
    split = settled(
        BOOK, "Qd Jc 6c 3h 2s", "Ah Jd 7s 7c", cards="6s 6s 6d 6h", hands=["6s 6s", "6d 6h"], wager="25"
    )
    assert (split.net("wager", 1, 1), split.net("wager", 1, 2)) == ("25.00", "25.00")
    seat_total = split.settlement.seats[0]
    assert (seat_total.staked, seat_total.returned) == ("50.00", "100.00")


@pytest.mark.clause("TS-16-d")
def test_each_hand_settles_its_primary_wager_before_its_bonus() -> None:
    split = {
        "seat": 2, "cards": "9s 9d 4h 4c", "hands": ["9s 9d", "4h 4c"], "wager": "10", "bonus": ["5", "2"],
    }  # fmt: skip
    paid = settled(BOOK, "9h 4d 4s Kc 7s", DEALER, seat("As Ah", 1, bonus=["5"]), split)
    assert [(line.seat, line.hand, line.wager) for line in paid.lines()] == [
        (2, 1, "wager"), (2, 1, "bonus"), (2, 2, "wager"), (2, 2, "bonus"),
        (1, 1, "wager"), (1, 1, "bonus"),
    ]  # fmt: skip
