"""Massachusetts, sections 9 and 10: how ante, blind, play and trips are settled against the dealer."""

from typing import Any

import pytest

from houseway.testing import SettledRound, settled

LOW = "Qd 9s 7h 4c 2d"
BASE = ("ante", "blind", "play")

# Hole, board and a dealer's hand that loses to it.
ROYAL = ("As Ks", "Qs Js Ts 4d 4c", "2c 3d")
STRAIGHT_FLUSH = ("7h 8h", "9h Th Jh 2c 2d", "Ac Kd")
FOUR = ("9c 9d", "9h 9s 4d Kc 2s", "3h 5c")
FULL_HOUSE = ("Kh 3d", "Ks Kd 7c 7h 2s", "4c 5d")
FLUSH = ("Qh 4h", "Ah 9h 6h Kc 2d", "As Kd")
STRAIGHT = ("Jc Td", "9s 8h 7d Kc 2c", "Kd Ks")
THREE = ("7c 7d", "7s Kh 9d 4c 2s", "Kc Qd")
PAIR = ("As Ah", LOW, "Qc 3s")
CLASSES = (ROYAL, STRAIGHT_FLUSH, FOUR, FULL_HOUSE, FLUSH, STRAIGHT, THREE)


def against(cards: tuple[str, str, str], **given: Any) -> SettledRound:
    """One player's hand on a board against the dealer's."""
    hole, board, dealer = cards
    return settled("uth-ma", board, dealer, hole=hole, **given)


@pytest.mark.clause("MA-10.b", "MA-9.h.2-a")
def test_ante_and_play_pay_even_money() -> None:
    paid = against(PAIR, ante="25", play=4)
    assert (paid.net("ante"), paid.net("play")) == ("25.00", "100.00")
    assert (paid.clause("ante"), paid.clause("play")) == ("MA-10.b", "MA-10.b")


@pytest.mark.clause("MA-9.h.2-a", "MA-10.b", "MA-10.c")
def test_a_higher_hand_is_paid_on_ante_blind_and_play() -> None:
    paid = against(STRAIGHT, ante="10", blind="10", play=4)
    assert [paid.net(w) for w in BASE] == ["10.00", "10.00", "40.00"]


@pytest.mark.clause("MA-10.c")
@pytest.mark.parametrize(
    ("cards", "result", "net"),
    [
        pytest.param(ROYAL, "win", "5000.00", id="royal flush, 500 to 1"),
        pytest.param(STRAIGHT_FLUSH, "win", "500.00", id="straight flush, 50 to 1"),
        pytest.param(FOUR, "win", "100.00", id="four of a kind, 10 to 1"),
        pytest.param(FULL_HOUSE, "win", "30.00", id="full house, 3 to 1"),
        pytest.param(FLUSH, "win", "15.00", id="flush, 3 to 2"),
        pytest.param(STRAIGHT, "win", "10.00", id="straight, 1 to 1"),
        pytest.param(THREE, "push", "0.00", id="three of a kind, push"),
        pytest.param(PAIR, "push", "0.00", id="pair, push"),
    ],
)
def test_the_blind_pays_by_the_winning_hand(cards: tuple[str, str, str], result: str, net: str) -> None:
    paid = against(cards, ante="10", blind="10", play=1)
    assert (paid.result("blind"), paid.net("blind")) == (result, net)
    assert paid.clause("blind") == ("MA-10.c" if result == "win" else "MA-9.h.2-b")


@pytest.mark.clause("MA-9.h.2-b")
def test_the_blind_is_not_paid_below_a_straight() -> None:
    paid = against(PAIR, ante="10", blind="10", play=4)
    assert (paid.result("blind"), paid.net("blind"), paid.clause("blind")) == ("push", "0.00", "MA-9.h.2-b")


@pytest.mark.clause("MA-9.h.1")
def test_a_lower_hand_loses_ante_blind_and_play() -> None:
    paid = against(("9c 8s", LOW, "Qc 3s"), ante="10", blind="10", play=1)
    assert [(paid.net(w), paid.clause(w)) for w in BASE] == [("-10.00", "MA-9.h.1")] * 3
    assert paid.seat_net() == "-30.00"


@pytest.mark.clause("MA-9.h.3", "MA-1.push", "MA-5.c-b")
def test_equal_hands_push_ante_blind_and_play() -> None:
    paid = against(("2c 2d", "As Ks Qd Jc Th", "3c 3d"), ante="10", play=2)
    assert [(paid.result(w), paid.net(w)) for w in BASE] == [("push", "0.00")] * 3
    assert [paid.clause(w) for w in BASE] == ["MA-9.h.3"] * 3


@pytest.mark.clause("MA-9.g-a")
def test_the_dealer_does_not_qualify_below_a_pair() -> None:
    no_pair = against(("As Ah", LOW, "Kc 8c"), ante="10", play=4)
    assert [no_pair.net(w) for w in BASE] == ["0.00", "0.00", "40.00"]
    # The smallest pair on the same board, the deuces, qualifies.
    pair = against(("As Ah", LOW, "Kc 2c"), ante="10", play=4)
    assert [pair.net(w) for w in BASE] == ["10.00", "0.00", "40.00"]


@pytest.mark.clause("MA-9.g-b")
def test_without_a_pair_the_ante_is_returned_and_the_rest_is_settled() -> None:
    paid = against(("Kh 5s", LOW, "Ac 8c"), ante="10", play=1)
    assert [(paid.result(w), paid.net(w), paid.clause(w)) for w in BASE] == [
        ("push", "0.00", "MA-9.g-b"),
        ("lose", "-10.00", "MA-9.h.1"),
        ("lose", "-10.00", "MA-9.h.1"),
    ]


@pytest.mark.clause("MA-9.g-b")
def test_a_winning_ante_is_only_returned_when_the_dealer_has_no_pair() -> None:
    paid = against(("As Ah", LOW, "Kc 8c"), ante="10", play=4)
    assert (paid.result("ante"), paid.net("ante"), paid.clause("ante")) == ("push", "0.00", "MA-9.g-b")
    assert paid.net("play") == "40.00"


@pytest.mark.clause("MA-1.trips-b", "MA-9.h.4-b")
def test_three_sevens_lose_to_three_kings_and_trips_is_paid() -> None:
    paid = against(("7c 7d", "7s Kh 9d 4c 2s", "Kc Kd"), ante="10", trips="5", play=2)
    assert [paid.net(w) for w in BASE] == ["-10.00", "-10.00", "-20.00"]
    assert (paid.result("trips"), paid.net("trips")) == ("win", "15.00")


@pytest.mark.clause("MA-1.trips-b")
def test_less_than_three_of_a_kind_loses_trips() -> None:
    paid = against(("Ks 9c", "Kh 9d 7s 4c 2s", "Qc 3d"), ante="10", trips="5", play=1)
    assert (paid.result("trips"), paid.net("trips")) == ("lose", "-5.00")
    assert paid.clause("trips") == "MA-1.trips-b"


@pytest.mark.clause("MA-6.c-b")
def test_losing_trips_does_not_affect_the_other_wagers() -> None:
    paid = against(PAIR, ante="10", trips="5", play=4)
    assert paid.net("trips") == "-5.00"
    assert [paid.net(w) for w in BASE] == ["10.00", "0.00", "40.00"]


TRIPS = {
    "A": (500, 400, 300, 90, 70, 40, 30),
    "B": (500, 400, 300, 80, 60, 50, 30),
    "C": (500, 400, 300, 80, 70, 40, 30),
    "D": (500, 400, 200, 70, 60, 50, 30),
}


@pytest.mark.parametrize(
    ("table", "dollars"),
    [pytest.param(t, d, marks=pytest.mark.clause(f"MA-10.d-{t}"), id=t) for t, d in TRIPS.items()],
)
def test_trips_is_paid_by_the_selected_table(table: str, dollars: tuple[int, ...]) -> None:
    paid = [against(cards, ante="10", trips="10", play=1, tables={"trips": table}) for cards in CLASSES]
    assert [p.net("trips") for p in paid] == [f"{won}.00" for won in dollars]
    assert {p.clause("trips") for p in paid} == {f"MA-10.d-{table}"}


COUPON: dict[str, Any] = {"ante": "10", "match_play": "10", "house": {"match_play": True}}


@pytest.mark.clause("MA-6.a-b")
@pytest.mark.parametrize(
    ("cards", "result", "chips", "coupon", "blind"),
    [
        pytest.param(PAIR, "win", "10.00", "10.00", "0.00", id="win"),
        pytest.param(("9c 8s", LOW, "Qc 3s"), "lose", "-10.00", "0.00", "-10.00", id="lose"),
        pytest.param(("As Ah", LOW, "Kc 8c"), "push", "0.00", "0.00", "0.00", id="dealer has no pair"),
        pytest.param(("2c 2d", "As Ks Qd Jc Th", "3c 3d"), "push", "0.00", "0.00", "0.00", id="tie"),
    ],
)
def test_a_coupon_beside_the_ante_wins_its_face_value(
    cards: tuple[str, str, str], result: str, chips: str, coupon: str, blind: str
) -> None:
    paid = against(cards, play=1, **COUPON)
    assert (paid.result("ante"), paid.net("ante"), paid.net("blind")) == (result, chips, blind)
    (beside,) = [x for x in paid.lines() if x.coupon]
    assert (beside.wager, beside.coupon, beside.stake) == ("ante", "10.00", "0.00")
    assert (beside.result, beside.net, beside.clause) == (result, coupon, "MA-6.a-b")


@pytest.mark.clause("MA-6.a-b")
def test_a_coupon_does_not_count_for_the_size_of_the_play_wager() -> None:
    paid = against(PAIR, play=4, **COUPON)
    assert (paid.line("blind").stake, paid.line("play").stake) == ("10.00", "40.00")
    assert paid.seat_net() == "60.00"
