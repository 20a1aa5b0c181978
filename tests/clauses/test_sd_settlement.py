"""South Dakota, Ultimate Texas Hold'em: how ante, blind, play and trips are settled, and in which order."""

from typing import Any

import pytest

from houseway.testing import SettledRound, settled

BOOK = "uth-sd"
LOW = "Qd 9s 7h 4c 2d"
SEVENS = ("7c 7d", "7s Kh 9d 4c 2s", "Kc Kd")
"""Hole, board and dealer: three sevens lose to three kings."""
TIE = ("2c 2d", "As Ks Qd Jc Th", "3c 3d")
WINNERS = {
    "royal flush": ("As Ks", "Qs Js Ts 4d 4c", "2c 3d"),
    "straight flush": ("7h 8h", "9h Th Jh 2c 2d", "Ac Kd"),
    "four of a kind": ("9c 9d", "9h 9s 4d Kc 2s", "3h 5c"),
    "full house": ("Kh 3d", "Ks Kd 7c 7h 2s", "4c 5d"),
    "flush": ("Qh 4h", "Ah 9h 6h Kc 2d", "As Kd"),
    "straight": ("Jc Td", "9s 8h 7d Kc 2c", "Kd Ks"),
}
TRIPS = {"UTH-01": "SD-17-t1", "UTH-02": "SD-17-t2", "UTH-03": "SD-17-t3", "UTH-04": "SD-17-t4"}


def settle_one_seat(hand: tuple[str, str, str], **seat: Any) -> SettledRound:
    """A round of one seat: hole cards, board and dealer's cards, then the wagers."""
    hole, board, dealer = hand
    return settled(BOOK, board, dealer, hole=hole, **seat)


def base(paid: SettledRound) -> tuple[str, str, str]:
    """The nets of ante, blind and play."""
    return paid.net("ante"), paid.net("blind"), paid.net("play")


@pytest.mark.clause("SD-2-h", "SD-13.b-a", "SD-15-a")
def test_aces_beat_queens_and_win_ante_and_play_at_even_money() -> None:
    paid = settle_one_seat(("As Ah", LOW, "Qc 3s"), ante="10", play=4)
    assert (paid.net("ante"), paid.net("play")) == ("10.00", "40.00")
    assert (paid.clause("ante"), paid.clause("play")) == ("SD-15-a", "SD-15-a")


@pytest.mark.clause("SD-15-a")
def test_the_stakes_of_a_win_are_returned() -> None:
    paid = settle_one_seat(("As Ah", LOW, "Qc 3s"), ante="10", play=3)
    assert base(paid) == ("10.00", "0.00", "30.00")
    seat = paid.settlement.seats[0]
    assert (seat.staked, seat.returned, seat.net) == ("50.00", "90.00", "40.00")


@pytest.mark.clause("SD-2-i", "SD-16-b", "SD-16-t")
def test_the_blind_depends_on_the_hand_and_on_the_dealer() -> None:
    won = settle_one_seat(WINNERS["straight"], ante="10", play=1)
    assert (won.net("blind"), won.line("blind").odds) == ("10.00", "1 to 1")
    lost = settle_one_seat(("7c 6d", "Ts 9s 8h 2c 3c", "Qh Jd"), ante="10", play=1)
    assert (lost.net("blind"), lost.clause("blind")) == ("-10.00", "SD-16-a")


@pytest.mark.clause("SD-2-g", "SD-17-a")
def test_trips_is_paid_even_if_the_hand_loses() -> None:
    paid = settle_one_seat(SEVENS, ante="10", trips="5", play=1, tables={"trips": "UTH-01"})
    assert base(paid) == ("-10.00", "-10.00", "-10.00")
    assert (paid.net("trips"), paid.line("trips").odds) == ("15.00", "3 to 1")


@pytest.mark.clause("SD-17-b", "SD-13.b-c")
def test_trips_loses_below_three_of_a_kind_even_if_the_hand_wins() -> None:
    paid = settle_one_seat(("As Qh", "Ah Qd 7h 4c 2d", "Kc Ks"), ante="10", trips="5", play=4)
    assert (paid.net("play"), paid.net("trips")) == ("40.00", "-5.00")
    assert paid.clause("trips") == "SD-17-b"


@pytest.mark.clause("SD-13.b-c")
def test_trips_does_not_depend_on_the_dealer_qualifying() -> None:
    two_pair = settle_one_seat(("7c 9h", "7s Kh 9d 4c 2s", "Kc Qd"), ante="10", trips="5", play=1)
    three = settle_one_seat(("7c 7d", "7s Kh 9d 4c 2s", "Kc Qd"), ante="10", trips="5", play=1)
    assert (two_pair.net("trips"), three.net("trips")) == ("-5.00", "15.00")


@pytest.mark.clause("SD-6-a")
def test_the_wagers_of_a_hand_are_settled_in_the_order_play_ante_blind_trips() -> None:
    paid = settle_one_seat(("As Ah", LOW, "Qc 3s"), ante="10", trips="5", play=4)
    assert [wager for _, wager in paid.order()] == ["play", "ante", "blind", "trips"]


@pytest.mark.clause("SD-12-b")
def test_a_fold_forfeits_ante_blind_and_trips() -> None:
    paid = settle_one_seat(("8c 3d", LOW, "Kc 8h"), ante="10", trips="5", play=0)
    assert [(x.wager, x.net) for x in paid.lines()] == [
        ("ante", "-10.00"),
        ("blind", "-10.00"),
        ("trips", "-5.00"),
    ]
    assert (paid.seat_net(), paid.clause("ante"), paid.clause("blind")) == ("-25.00", "SD-12-b", "SD-12-b")


@pytest.mark.clause("SD-12-b", "SD-13.a-a")
def test_a_folded_player_loses_even_with_the_better_hand() -> None:
    paid = settle_one_seat(("Kh 5s", "Td 9s 7h 4c 2d", "Jc 3s"), ante="10", play=0)
    assert (paid.net("ante"), paid.net("blind")) == ("-10.00", "-10.00")
    stayed = settle_one_seat(("Kh 5s", "Td 9s 7h 4c 2d", "Jc 3s"), ante="10", play=1)
    assert base(stayed) == ("0.00", "0.00", "10.00")


@pytest.mark.clause("SD-12-b", "SD-18-PMG-b")
def test_the_progressive_is_not_forfeited_by_a_fold() -> None:
    terms: dict[str, Any] = {"tables": {"progressive": "PMG-01"}, "meters": {"main": "20000"}}
    paid = settle_one_seat(
        ("Qd 5c", "8c 8d 8h Ks 2s", "Ad 6s"), ante="10", progressive="1", play=0, **terms
    )
    assert (paid.net("ante"), paid.net("progressive")) == ("-10.00", "8.00")


@pytest.mark.clause("SD-12-c")
def test_a_fold_with_three_of_a_kind_is_paid_on_trips() -> None:
    paid = settle_one_seat(SEVENS, ante="10", trips="5", play=0)
    nets = (paid.net("ante"), paid.net("blind"), paid.net("trips"))
    assert nets == ("-10.00", "-10.00", "15.00")


@pytest.mark.clause("SD-12-c", "SD-12-d")
def test_folded_hands_are_collected_together_before_any_other() -> None:
    seats: list[dict[str, Any]] = [
        {"seat": 1, "hole": "As Ah", "ante": "10", "play": 4},
        {"seat": 2, "hole": "8c 3d", "ante": "10", "trips": "5", "play": 0},
        {"seat": 3, "hole": "Ks Kh", "ante": "10", "trips": "5", "play": 4},
        {"seat": 4, "hole": "6c 3h", "ante": "10", "trips": "5", "play": 0},
    ]
    paid = settled(BOOK, LOW, "Qc 3s", *seats)
    assert paid.order() == [
        (4, "ante"), (4, "blind"), (4, "trips"), (2, "ante"), (2, "blind"), (2, "trips"),
        (3, "play"), (3, "ante"), (3, "blind"), (3, "trips"), (1, "play"), (1, "ante"), (1, "blind"),
    ]  # fmt: skip
    assert (paid.seat_net(2), paid.seat_net(4)) == ("-25.00", "-25.00")


@pytest.mark.clause("SD-13.a-a")
@pytest.mark.parametrize(
    ("hole", "dealer", "play"),
    [("As Ah", "Kc 8c", "40.00"), ("Kh 5s", "Ac 8c", "-40.00")],
    ids=["the player wins", "the player loses"],
)
def test_the_ante_is_returned_when_the_dealer_does_not_qualify(hole: str, dealer: str, play: str) -> None:
    paid = settle_one_seat((hole, LOW, dealer), ante="10", play=4)
    assert (paid.result("ante"), paid.net("ante"), paid.clause("ante")) == ("push", "0.00", "SD-13.a-a")
    assert paid.net("play") == play


@pytest.mark.clause("SD-13.a-b", "SD-16-a", "SD-15-b")
def test_blind_and_play_stay_in_action_against_a_dealer_without_a_pair() -> None:
    paid = settle_one_seat(("Kh 5s", LOW, "Ac 8c"), ante="10", play=1)
    assert base(paid) == ("0.00", "-10.00", "-10.00")
    assert (paid.clause("blind"), paid.clause("play")) == ("SD-16-a", "SD-15-b")
    won = settle_one_seat(("As Ah", LOW, "Kc 8c"), ante="10", play=1)
    assert base(won) == ("0.00", "0.00", "10.00")


@pytest.mark.clause("SD-13.b-b")
def test_a_win_below_a_straight_pushes_the_blind() -> None:
    paid = settle_one_seat(("As Ah", LOW, "Qc 3s"), ante="10", play=4)
    assert (paid.result("blind"), paid.net("blind"), paid.clause("blind")) == ("push", "0.00", "SD-13.b-b")
    lost = settle_one_seat(("Qh 5s", LOW, "As Ah"), ante="10", play=1)
    assert (lost.result("blind"), lost.net("blind")) == ("lose", "-10.00")


@pytest.mark.clause("SD-14-a", "SD-15-c", "SD-13.b-a")
def test_a_tie_pushes_play_ante_and_blind() -> None:
    paid = settle_one_seat(TIE, ante="10", play=2)
    assert [paid.result(w) for w in ("play", "ante", "blind")] == ["push"] * 3
    assert [paid.clause(w) for w in ("play", "ante", "blind")] == ["SD-14-a"] * 3
    seat = paid.settlement.seats[0]
    assert (seat.staked, seat.returned) == ("40.00", "40.00")


@pytest.mark.clause("SD-14-b", "SD-17-t1")
def test_a_tie_still_pays_trips() -> None:
    paid = settle_one_seat(TIE, ante="10", trips="5", play=2, tables={"trips": "UTH-01"})
    assert (paid.net("trips"), paid.line("trips").odds) == ("20.00", "4 to 1")


@pytest.mark.clause("SD-15-b", "SD-16-a", "SD-13.b-a")
def test_the_dealers_higher_hand_takes_ante_blind_and_play() -> None:
    paid = settle_one_seat(("9c 8s", LOW, "Qc 3s"), ante="10", play=1)
    assert base(paid) == ("-10.00", "-10.00", "-10.00")
    assert [paid.clause(w) for w in ("ante", "blind", "play")] == ["SD-15-b", "SD-16-a", "SD-15-b"]


@pytest.mark.clause("SD-16-b")
@pytest.mark.parametrize(("stake", "won"), [("10", "15.00"), ("5", "7.50"), ("5.01", "7.51")])
def test_a_flush_pays_the_blind_three_to_two_exactly(stake: str, won: str) -> None:
    paid = settle_one_seat(WINNERS["flush"], ante=stake, play=1)
    assert (paid.net("blind"), paid.line("blind").odds) == (won, "3 to 2")


@pytest.mark.clause("SD-16-t")
@pytest.mark.parametrize("table", list(TRIPS))
def test_the_blind_schedule_is_the_same_under_every_table(table: str) -> None:
    nets = {
        name: settle_one_seat(hand, ante="10", play=1, tables={"trips": table}).net("blind")
        for name, hand in WINNERS.items()
    }
    assert nets == {
        "royal flush": "5000.00",
        "straight flush": "500.00",
        "four of a kind": "100.00",
        "full house": "30.00",
        "flush": "15.00",
        "straight": "10.00",
    }


@pytest.mark.parametrize(
    ("table", "pays"),
    [
        pytest.param(table, pays, id=table, marks=pytest.mark.clause(TRIPS[table]))
        for table, pays in {
            "UTH-01": ("500.00", "400.00", "300.00", "90.00", "70.00", "40.00", "30.00"),
            "UTH-02": ("500.00", "400.00", "300.00", "80.00", "60.00", "50.00", "30.00"),
            "UTH-03": ("500.00", "400.00", "300.00", "80.00", "70.00", "40.00", "30.00"),
            "UTH-04": ("500.00", "400.00", "200.00", "70.00", "60.00", "50.00", "30.00"),
        }.items()
    ],
)
def test_the_trips_schedule_from_a_royal_flush_down(table: str, pays: tuple[str, ...]) -> None:
    hands = [*WINNERS.values(), SEVENS]
    paid = [settle_one_seat(hand, trips="10", tables={"trips": table}) for hand in hands]
    assert tuple(p.net("trips") for p in paid) == pays
    assert {p.clause("trips") for p in paid} == {TRIPS[table]}
