"""The printed rules card: which hands win, lose and push, at which odds, and the payout limit."""

from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing import settled

BOARD = "Qd 9s 7h 4c 2d"
QUEENS, ACE_HIGH, KING_HIGH = "Qc 3s", "Ac 8c", "Kc 8c"
SEVENS: dict[str, Any] = {"board": "7s Kh 9d 4c 2s", "hole": "7c 7d"}

HANDS = {
    "royal flush": ("Qh Jh Th 2c 2d", "9s 9d", "Ah Kh"),
    "straight flush": ("9h Th 2c 2d Jh", "Ac Kd", "7h 8h"),
    "four of a kind": ("Ks Kd 7c 7h 2s", "Ah Ad", "7s 7d"),
    "full house": ("Ks Kd 7c 7h 2s", "Ah Ad", "Kh 3d"),
    "flush": ("Ah 9h 6h Kc 2d", "As Kd", "Qh 4h"),
    "straight": ("9s 8h 7d Kc 2c", "Kd Ks", "Jc Td"),
    "three of a kind": ("7s Kh 9d 4c 2s", "Kc Qd", "7c 7d"),
}
"""Board, dealer and the hole cards of a player who wins with the hand."""


@pytest.mark.clause("CARD-15")
def test_a_hand_better_than_the_dealers_wins_even_money_on_ante_and_play() -> None:
    paid = settled("uth-card", BOARD, QUEENS, hole="As Ah", ante="10", play=4)
    assert (paid.net("ante"), paid.net("play")) == ("10.00", "40.00")
    assert (paid.line("ante").odds, paid.line("play").odds) == ("1 to 1", "1 to 1")
    assert (paid.clause("ante"), paid.clause("play")) == ("CARD-15", "CARD-15")


@pytest.mark.clause("CARD-16")
def test_a_lower_hand_than_the_dealers_loses_all_three() -> None:
    paid = settled("uth-card", BOARD, QUEENS, hole="9c 8s", ante="10", play=1)
    assert [paid.net(w) for w in ("ante", "blind", "play")] == ["-10.00", "-10.00", "-10.00"]
    assert [paid.clause(w) for w in ("ante", "blind", "play")] == ["CARD-16", "CARD-16", "CARD-16"]
    assert paid.seat_net() == "-30.00"


@pytest.mark.clause("CARD-16", "CARD-21")
def test_a_losing_hand_also_gets_its_ante_back_if_the_dealer_has_no_pair() -> None:
    paid = settled("uth-card", BOARD, ACE_HIGH, hole="Kh 5s", ante="10", play=1)
    assert [paid.result(w) for w in ("ante", "blind", "play")] == ["push", "lose", "lose"]
    assert [paid.clause(w) for w in ("ante", "blind", "play")] == ["CARD-21", "CARD-16", "CARD-16"]


@pytest.mark.clause("CARD-17")
def test_equal_hands_push_ante_blind_and_play() -> None:
    paid = settled("uth-card", "As Ks Qd Jc Th", "3c 3d", hole="2c 2d", ante="10", play=2)
    assert [paid.result(w) for w in ("ante", "blind", "play")] == ["push", "push", "push"]
    assert [paid.clause(w) for w in ("ante", "blind", "play")] == ["CARD-17", "CARD-17", "CARD-17"]
    assert paid.seat_net() == "0.00"


@pytest.mark.clause("CARD-18")
@pytest.mark.parametrize(
    ("hand", "won", "odds"),
    [
        ("royal flush", "5000.00", "500 to 1"),
        ("straight flush", "500.00", "50 to 1"),
        ("four of a kind", "100.00", "10 to 1"),
        ("full house", "30.00", "3 to 1"),
        ("flush", "15.00", "3 to 2"),
        ("straight", "10.00", "1 to 1"),
    ],
)
def test_the_blind_is_paid_by_the_printed_odds(hand: str, won: str, odds: str) -> None:
    board, dealer, hole = HANDS[hand]
    paid = settled("uth-card", board, dealer, hole=hole, ante="10", play=1)
    assert (paid.net("blind"), paid.line("blind").odds) == (won, odds)
    assert paid.clause("blind") == "CARD-18"


@pytest.mark.clause("CARD-19")
@pytest.mark.parametrize(
    ("board", "dealer", "hole"),
    [
        pytest.param(BOARD, QUEENS, "As Ah", id="pair of aces"),
        pytest.param("7s Kh 9d 4c 2s", "Kc Qd", "7c 7d", id="three sevens"),
        pytest.param(BOARD, KING_HIGH, "Ac Jh", id="ace high"),
    ],
)
def test_a_win_below_a_straight_pushes_the_blind(board: str, dealer: str, hole: str) -> None:
    paid = settled("uth-card", board, dealer, hole=hole, ante="10", play=1)
    assert paid.result("play") == "win"
    assert (paid.result("blind"), paid.net("blind"), paid.clause("blind")) == ("push", "0.00", "CARD-19")


@pytest.mark.clause("CARD-20")
def test_a_tied_straight_is_not_paid_on_the_blind() -> None:
    paid = settled("uth-card", "As Ks Qd Jc Th", "3c 3d", hole="2c 2d", ante="10", play=1)
    assert (paid.result("blind"), paid.net("blind")) == ("push", "0.00")


@pytest.mark.clause("CARD-20")
def test_a_losing_straight_is_not_paid_on_the_blind() -> None:
    paid = settled("uth-card", "9s 8h 7d Kc 2c", "Jd Ts", hole="6c 5d", ante="10", play=1)
    assert (paid.result("blind"), paid.net("blind")) == ("lose", "-10.00")
    won = settled("uth-card", "9s 8h 7d Kc 2c", "6d 5s", hole="Jc Td", ante="10", play=1)
    assert won.net("blind") == "10.00"


@pytest.mark.clause("CARD-21")
def test_the_ante_pushes_when_the_dealer_has_less_than_a_pair() -> None:
    paid = settled("uth-card", BOARD, KING_HIGH, hole="As Ah", ante="10", play=4)
    assert (paid.result("ante"), paid.net("play")) == ("push", "40.00")
    assert paid.clause("ante") == "CARD-21"


@pytest.mark.clause("CARD-21")
def test_a_pair_on_the_board_is_the_dealers_pair() -> None:
    paid = settled("uth-card", "Qd Qs 7h 4c 2d", KING_HIGH, hole="As Ah", ante="10", play=4)
    assert (paid.net("ante"), paid.net("play")) == ("10.00", "40.00")
    qualifier = loader.load("uth-card").options["qualifier"]
    assert (qualifier.value, qualifier.basis.also) == ("pair", ("CARD-21",))


@pytest.mark.clause("CARD-13")
def test_a_fold_costs_ante_and_blind_and_leaves_trips() -> None:
    paid = settled("uth-card", dealer="Kc Kd", ante="10", trips="5", play=0, **SEVENS)
    assert (paid.net("ante"), paid.net("blind"), paid.net("trips")) == ("-10.00", "-10.00", "15.00")
    assert (paid.clause("ante"), paid.clause("blind")) == ("CARD-13", "CARD-13")


@pytest.mark.clause("CARD-13")
def test_a_folded_ante_is_not_returned() -> None:
    paid = settled("uth-card", BOARD, KING_HIGH, hole="As Ah", ante="10", play=0)
    assert (paid.net("ante"), paid.net("blind")) == ("-10.00", "-10.00")


@pytest.mark.clause("CARD-4")
def test_three_of_a_kind_pays_trips_on_the_final_five() -> None:
    paid = settled("uth-card", dealer="Kc Qd", ante="10", trips="5", play=1, **SEVENS)
    assert (paid.net("trips"), paid.line("trips").odds) == ("15.00", "3 to 1")


@pytest.mark.clause("CARD-23")
def test_trips_is_lost_below_three_of_a_kind() -> None:
    two_pair = settled("uth-card", BOARD, QUEENS, hole="9c 7c", ante="10", trips="5", play=1)
    assert (two_pair.net("trips"), two_pair.clause("trips")) == ("-5.00", "CARD-23")
    three = settled("uth-card", dealer="Kc Qd", ante="10", trips="5", play=1, **SEVENS)
    assert three.result("trips") == "win"


@pytest.mark.clause("CARD-24")
@pytest.mark.parametrize(
    ("hand", "won", "odds"),
    [
        ("royal flush", "500.00", "50 to 1"),
        ("straight flush", "400.00", "40 to 1"),
        ("four of a kind", "300.00", "30 to 1"),
        ("full house", "80.00", "8 to 1"),
        ("flush", "60.00", "6 to 1"),
        ("straight", "50.00", "5 to 1"),
        ("three of a kind", "30.00", "3 to 1"),
    ],
)
def test_trips_is_paid_by_the_printed_odds(hand: str, won: str, odds: str) -> None:
    board, dealer, hole = HANDS[hand]
    paid = settled("uth-card", board, dealer, hole=hole, ante="10", trips="10", play=1)
    assert (paid.net("trips"), paid.line("trips").odds) == (won, odds)
    assert paid.clause("trips") == "CARD-24"


@pytest.mark.clause("CARD-25")
def test_one_hand_is_paid_at_most_fifty_thousand() -> None:
    board, dealer, hole = HANDS["royal flush"]
    paid = settled("uth-card", board, dealer, hole=hole, ante="120", trips="20", play=4)
    assert [paid.net(w) for w in ("ante", "blind", "play", "trips")] == [
        "120.00",
        "49880.00",
        "0.00",
        "0.00",
    ]
    assert [paid.line(w).cut for w in ("ante", "blind", "play", "trips")] == [
        None, "10120.00", "480.00", "1000.00",
    ]  # fmt: skip
    assert paid.seat_net() == "50000.00"
    [cut] = paid.settlement.caps
    assert (cut.clause, cut.limit, cut.due, cut.paid) == ("CARD-25", "50000.00", "61600.00", "50000.00")


@pytest.mark.clause("CARD-25")
def test_the_limit_applies_to_each_hand_separately() -> None:
    board, dealer, hole = "Qh Jh Th 2c 2d", "9s 9d", "Ah Kh"
    paid = settled(
        "uth-card", board, dealer,
        {"hole": hole, "ante": "99", "play": 4}, {"hole": "3s 3c", "ante": "5000", "play": 4},
    )  # fmt: skip
    assert paid.seat_net(1) == "49995.00"
    assert paid.seat_net(2) == "-30000.00"
    assert paid.settlement.caps == []
    [cap] = loader.load("uth-card").caps
    assert (cap.limit, cap.or_minimum_bettor, cap.basis.clause("manual")) == (5_000_000, False, "CARD-25")


@pytest.mark.clause("CARD-30")
def test_winning_trips_is_paid_when_all_other_wagers_lose() -> None:
    paid = settled("uth-card", dealer="Kc Kd", ante="10", trips="5", play=2, **SEVENS)
    assert [paid.result(w) for w in ("ante", "blind", "play")] == ["lose", "lose", "lose"]
    assert paid.net("trips") == "15.00"


@pytest.mark.clause("CARD-30")
def test_winning_trips_is_paid_after_a_fold() -> None:
    paid = settled("uth-card", dealer="Kc Kd", ante="10", trips="5", play=0, **SEVENS)
    assert (paid.net("trips"), paid.seat_net()) == ("15.00", "-5.00")


@pytest.mark.parametrize("mode", ["manual", "device"])
def test_settlement_follows_the_massachusetts_order_because_the_card_gives_none(mode: str) -> None:
    play: dict[str, Any] = {"ante": "10", "trips": "5"}
    paid = settled(
        "uth-card", "7s Kh 9d 4c 2s", "Kc Qd",
        {"hole": "As Ah", "play": 4, **play}, {"hole": "7c 7d", "play": 0, **play},
        {"hole": "9c 8c", "play": 1, **play}, {"hole": "6c 5d", "play": 0, "ante": "10"},
        mode=mode,
    )  # fmt: skip
    assert paid.order() == [
        (2, "ante"), (2, "blind"), (4, "ante"), (4, "blind"),
        (3, "ante"), (3, "blind"), (3, "play"), (3, "trips"),
        (1, "ante"), (1, "blind"), (1, "play"), (1, "trips"),
        (2, "trips"),
    ]  # fmt: skip
