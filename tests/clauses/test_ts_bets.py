"""South Dakota, Texas Shootout: the primary wager, the bonus beside it, the cards kept, and splits."""

from typing import Any

import pytest

from houseway.testing import refused, settled

BOOK = "shootout-sd"
LOW = "Qd 9s 7h 4c 2d"
DEALER = "Kc Qs 8h 3c"
ACES: dict[str, Any] = {"cards": "As Ah Tc 8d", "hands": ["As Ah"]}
BOARD = "9h 4d 4s Kc 7s"
PAIRS: dict[str, Any] = {"cards": "9s 9d 4h 4c", "hands": ["9s 9d", "4h 4c"]}
"""A split of nines and fours. With BOARD, the hands make nines full and four fours."""


def why(board: str = LOW, **seat: Any) -> list[tuple[str, str | None]]:
    """Code and clause of every refusal."""
    return [(r.code, r.clause) for r in refused(BOOK, board, DEALER, **seat)]


@pytest.mark.clause("TS-4-a")
def test_the_primary_wager_is_required() -> None:
    assert why(**ACES, bonus=["5"]) == [("bonus-alone", "TS-4-a")]
    assert why(**ACES) == [("no-initial-bet", "TS-4-a")]
    assert settled(BOOK, LOW, DEALER, **ACES, wager="10").net("wager") == "10.00"


@pytest.mark.clause("TS-5-a")
def test_the_bonus_is_an_optional_wager_besides_the_primary() -> None:
    both = settled(BOOK, LOW, DEALER, **ACES, wager="10", bonus=["5"])
    assert {line.wager: line.stake for line in both.lines()} == {"wager": "10.00", "bonus": "5.00"}
    without = settled(BOOK, LOW, DEALER, **ACES, wager="10")
    assert without.order() == [(1, "wager")]


@pytest.mark.clause("TS-8-a")
@pytest.mark.parametrize(
    ("hands", "code"),
    [
        (["Kd Kc 7s"], "wrong-number-of-cards"),
        (["Kd"], "wrong-number-of-cards"),
        (["Kd As"], "not-among-the-four"),
        (["Kd Kd"], "not-among-the-four"),
    ],
    ids=["three cards", "one card", "a card never dealt", "one card twice"],
)
def test_exactly_two_of_the_four_cards_are_played(hands: list[str], code: str) -> None:
    four: dict[str, Any] = {"cards": "Kd Kc 7s 2h", "wager": "10"}
    assert why(**four, hands=hands) == [(code, "TS-8-a")]
    assert settled(BOOK, LOW, DEALER, **four, hands=["Kd Kc"]).net("wager") == "10.00"


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (["7c 7d", "7c 2h"], "7c is used twice, but it was dealt once (the four cards: 7c 7d 2h 2d)"),
        (["7c Ks"], "Ks is not among the four cards, 7c 7d 2h 2d"),
        (["7c 7c", "Ks Qs"], "Ks Qs are not among the four cards, 7c 7d 2h 2d"),
    ],
)
def test_the_refusal_names_the_card_at_fault(hands: list[str], message: str) -> None:
    refusals = refused(BOOK, LOW, DEALER, cards="7c 7d 2h 2d", hands=hands, wager="10")
    assert [refusal.message for refusal in refusals] == [message]


@pytest.mark.clause("TS-9-a")
@pytest.mark.parametrize(
    ("four", "hands"),
    [
        ("9s 9d 4h 4c", ["9s 9d", "4h 4c"]),
        ("9s 9d 4h 4c", ["9s 4h", "9d 4c"]),
        ("6s 6s 6d 6h", ["6s 6s", "6d 6h"]),
    ],
    ids=["two pair by rank", "two pair the other way", "four of a kind, with the six of spades twice"],
)
def test_two_pair_or_four_of_a_kind_may_be_split(four: str, hands: list[str]) -> None:
    paid = settled(BOOK, BOARD, DEALER, cards=four, hands=hands, wager="10")
    assert [(line.wager, line.hand, line.stake) for line in paid.lines()] == [
        ("wager", 1, "10.00"),
        ("wager", 2, "10.00"),
    ]
    refusal = why(cards="9s 9d 9h 4c", hands=["9s 9d", "9h 4c"], wager="10")
    assert refusal == [("split-not-allowed", "TS-9-a")]


@pytest.mark.clause("TS-9-a")
@pytest.mark.parametrize(
    ("four", "hands"),
    [
        ("9s 9d 9h 4c", ["9s 9d", "9h 4c"]),
        ("9s 9d 4h 3c", ["9s 9d", "4h 3c"]),
        ("As Ks Qs Js", ["As Ks", "Qs Js"]),
    ],
    ids=["three of a kind", "one pair", "no pair"],
)
def test_other_hands_may_not_be_split(four: str, hands: list[str]) -> None:
    assert why(BOARD, cards=four, hands=hands, wager="10") == [("split-not-allowed", "TS-9-a")]
    paid = settled(BOOK, BOARD, DEALER, cards=four, hands=hands[:1], wager="10")
    assert len(paid.lines("wager")) == 1


@pytest.mark.clause("TS-9-a")
def test_splitting_is_the_players_choice() -> None:
    paid = settled(BOOK, BOARD, DEALER, cards="9s 9d 4h 4c", hands=["9s 9d"], wager="10")
    assert [(line.wager, line.hand, line.net) for line in paid.lines()] == [("wager", 1, "10.00")]
    refusal = why(cards="9s 9d 4h 3c", hands=["9s 9d", "4h 3c"], wager="10")
    assert refusal == [("split-not-allowed", "TS-9-a")]


@pytest.mark.clause("TS-9-d")
@pytest.mark.parametrize("second", ["5", "15"])
def test_the_second_hand_matches_the_primary_wager(second: str) -> None:
    assert why(BOARD, **PAIRS, wager=["10", second]) == [("split-wager-unequal", "TS-9-d")]
    paid = settled(BOOK, BOARD, DEALER, **PAIRS, wager=["10", "10"])
    assert [line.stake for line in paid.lines("wager")] == ["10.00", "10.00"]


@pytest.mark.clause("TS-9-e")
def test_a_second_bonus_needs_a_first_and_need_not_be_made() -> None:
    assert why(BOARD, **PAIRS, wager="10", bonus=["0", "5"]) == [("second-bonus", "TS-9-e")]
    paid = settled(BOOK, BOARD, DEALER, **PAIRS, wager="10", bonus=["5"])
    assert [(line.hand, line.stake) for line in paid.lines("bonus")] == [(1, "5.00")]


@pytest.mark.clause("TS-9-f")
@pytest.mark.parametrize("second", ["1", "7.50", "10"])
def test_a_second_bonus_may_be_any_amount_up_to_the_first(second: str) -> None:
    assert why(BOARD, **PAIRS, wager="10", bonus=["10", "11"]) == [("second-bonus", "TS-9-f")]
    paid = settled(BOOK, BOARD, DEALER, **PAIRS, wager="10", bonus=["10", second])
    assert [line.hand for line in paid.lines("bonus")] == [1, 2]


@pytest.mark.clause("TS-9-f")
def test_a_second_bonus_keeps_to_the_posted_minimum() -> None:
    posted: dict[str, Any] = {"wager": "10", "limits": {"bonus": {"min": "5", "max": "50"}}}
    below = why(BOARD, **PAIRS, **posted, bonus=["10", "4"])
    assert below == [("below-minimum", "house.posted_limits")]
    assert why(BOARD, **PAIRS, **posted, bonus=["10", "11"]) == [("second-bonus", "TS-9-f")]
    paid = settled(BOOK, BOARD, DEALER, **PAIRS, **posted, bonus=["10", "5"])
    assert [line.stake for line in paid.lines("bonus")] == ["10.00", "5.00"]
