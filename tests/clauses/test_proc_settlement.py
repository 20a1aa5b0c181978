"""The dealing procedures: which wagers win, lose and push, and the order in which a dealer settles."""

from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing import settled

BOARD = "Qd 9s 7h 4c 2d"
QUEENS, ACE_HIGH, KING_HIGH = "Qc 3s", "Ac 8c", "Kc 8c"
SEVENS: dict[str, Any] = {"hole": "7c 7d", "ante": "5", "trips": "5"}
ON_SEVENS = "7s Kh 9d 4c 2s"
THREE: tuple[dict[str, Any], ...] = (
    {"seat": 1, "hole": "As Ah", "ante": "5", "play": 4},
    {"seat": 3, "hole": "9c 3h", "ante": "10", "trips": "3", "play": 2},
    {"seat": 5, "hole": "Kh 5s", "ante": "5", "play": 1},
)


@pytest.mark.clause("PROC-D.8-b")
def test_the_dealer_qualifies_with_a_pair() -> None:
    qualifier = loader.load("uth-proc").options["qualifier"]
    assert (qualifier.value, qualifier.clause("device")) == ("pair", "PROC-D.8-b")
    without = settled("uth-proc", BOARD, KING_HIGH, hole="As Ah", ante="5", play=4)
    assert (without.result("ante"), without.net("play")) == ("push", "20.00")
    qualified = settled("uth-proc", BOARD, QUEENS, hole="As Ah", ante="5", play=4)
    assert qualified.net("ante") == "5.00"


@pytest.mark.clause("PROC-D.8-c")
def test_the_player_does_not_win_just_because_the_dealer_fails_to_qualify() -> None:
    paid = settled("uth-proc", BOARD, ACE_HIGH, hole="Kh 5s", ante="5", play=1)
    assert [paid.net(w) for w in ("ante", "blind", "play")] == ["0.00", "-5.00", "-5.00"]


@pytest.mark.clause("PROC-Q.1-a")
def test_a_qualified_dealer_settles_from_right_to_left() -> None:
    paid = settled("uth-proc", BOARD, QUEENS, *THREE)
    assert paid.order() == [
        (5, "ante"), (5, "blind"), (5, "play"),
        (3, "ante"), (3, "blind"), (3, "play"), (3, "trips"),
        (1, "ante"), (1, "blind"), (1, "play"),
    ]  # fmt: skip


@pytest.mark.clause("PROC-Q.2")
def test_beating_the_dealer_wins_even_money_on_play_and_ante() -> None:
    paid = settled("uth-proc", BOARD, QUEENS, hole="As Ah", ante="5", play=4)
    assert (paid.net("ante"), paid.net("play")) == ("5.00", "20.00")
    assert (paid.line("ante").odds, paid.line("play").odds) == ("1 to 1", "1 to 1")
    assert (paid.clause("ante"), paid.clause("play")) == ("PROC-Q.2", "PROC-Q.2")


@pytest.mark.clause("PROC-Q.3")
def test_losing_to_the_dealer_loses_play_ante_and_blind() -> None:
    paid = settled("uth-proc", BOARD, QUEENS, hole="9c 8s", ante="5", play=1)
    assert [paid.net(w) for w in ("ante", "blind", "play")] == ["-5.00", "-5.00", "-5.00"]
    assert [paid.clause(w) for w in ("ante", "blind", "play")] == ["PROC-Q.3", "PROC-Q.3", "PROC-Q.3"]
    assert paid.seat_net() == "-15.00"


@pytest.mark.clause("PROC-Q.4")
def test_equal_hands_push_play_ante_and_blind() -> None:
    paid = settled("uth-proc", "As Ks Qd Jc Th", "3c 3d", hole="2c 2d", ante="5", play=1)
    assert [paid.result(w) for w in ("ante", "blind", "play")] == ["push", "push", "push"]
    assert [paid.clause(w) for w in ("ante", "blind", "play")] == ["PROC-Q.4", "PROC-Q.4", "PROC-Q.4"]


@pytest.mark.clause("PROC-Q.5")
@pytest.mark.parametrize(
    ("board", "dealer", "hole", "won"),
    [
        pytest.param("Ah 9h 6h Kc 2d", "As Kd", "Qh 4h", "7.50", id="flush"),
        pytest.param("Qh Jh Th 2c 2d", "9s 9d", "Ah Kh", "2500.00", id="royal flush"),
        pytest.param("9h Th 2c 2d Jh", "Ac Kd", "7h 8h", "250.00", id="straight flush"),
        pytest.param("Ks Kd 7c 7h 2s", "Ah Ad", "7s 7d", "50.00", id="four of a kind"),
        pytest.param("Ks Kd 7c 7h 2s", "Ah Ad", "Kh 3d", "15.00", id="full house"),
        pytest.param("9s 8h 7d Kc 2c", "Kd Ks", "Jc Td", "5.00", id="straight"),
    ],
)
def test_a_winning_straight_or_better_wins_the_blind(board: str, dealer: str, hole: str, won: str) -> None:
    paid = settled("uth-proc", board, dealer, hole=hole, ante="5", play=1)
    assert (paid.net("blind"), paid.clause("blind")) == (won, "PROC-Q.5")


@pytest.mark.clause("PROC-Q.6")
def test_a_win_below_a_straight_pushes_the_blind() -> None:
    paid = settled("uth-proc", BOARD, QUEENS, hole="As Ah", ante="5", play=1)
    assert (paid.result("blind"), paid.net("blind"), paid.clause("blind")) == ("push", "0.00", "PROC-Q.6")


@pytest.mark.clause("PROC-Q.7", "PROC-O.3")
def test_three_of_a_kind_wins_trips() -> None:
    paid = settled("uth-proc", ON_SEVENS, "Kc Qd", SEVENS | {"play": 1})
    assert (paid.net("trips"), paid.line("trips").odds) == ("15.00", "3 to 1")
    assert paid.clause("trips") == "PROC-Q.7"


@pytest.mark.clause("PROC-Q.7")
def test_less_than_three_of_a_kind_loses_trips() -> None:
    paid = settled("uth-proc", BOARD, QUEENS, hole="9c 7c", ante="5", trips="5", play=1)
    assert (paid.result("trips"), paid.net("trips"), paid.clause("trips")) == ("lose", "-5.00", "PROC-Q.7")


@pytest.mark.clause("PROC-Q.7")
@pytest.mark.parametrize(
    ("table", "full", "four"),
    [
        pytest.param(None, "40.00", "150.00", id="not chosen"),
        pytest.param("A", "45.00", "150.00", id="A"),
        pytest.param("B", "40.00", "150.00", id="B"),
        pytest.param("C", "40.00", "150.00", id="C"),
        pytest.param("D", "35.00", "100.00", id="D"),
    ],
)
def test_the_trips_odds_are_those_of_the_layout(table: str | None, full: str, four: str) -> None:
    fields = {"tables": {"trips": table}} if table else {}
    players: list[dict[str, Any]] = [
        {"hole": "Kh 3d", "ante": "5", "trips": "5", "play": 4},
        {"hole": "7s 7d", "ante": "5", "trips": "5", "play": 4},
    ]
    paid = settled("uth-proc", "Ks Kd 7c 7h 2s", "Ah Ad", *players, **fields)
    assert (paid.net("trips", seat=1), paid.net("trips", seat=2)) == (full, four)


@pytest.mark.clause("PROC-N.1-a")
def test_without_a_pair_the_antes_are_returned_from_right_to_left() -> None:
    one, four = THREE[0], THREE[2] | {"seat": 4}
    paid = settled("uth-proc", BOARD, KING_HIGH, one, four | {"hole": "Ac 5s"})
    assert [(line.seat, line.result) for line in paid.lines("ante")] == [(4, "push"), (1, "push")]
    assert [line.clause for line in paid.lines("ante")] == ["PROC-N.1-a", "PROC-N.1-a"]


@pytest.mark.clause("PROC-N.1-a")
def test_a_folded_ante_is_not_refunded() -> None:
    folded = {"seat": 2, "hole": "8h 3d", "ante": "5", "trips": "5", "play": 0}
    paid = settled("uth-proc", BOARD, KING_HIGH, THREE[0], folded)
    assert (paid.result("ante", seat=1), paid.result("ante", seat=2)) == ("push", "lose")


@pytest.mark.clause("PROC-N.1-b", "PROC-N.1-a")
def test_all_antes_are_returned_before_any_hand_is_compared() -> None:
    paid = settled("uth-proc", BOARD, ACE_HIGH, *THREE)
    assert paid.order()[:3] == [(5, "ante"), (3, "ante"), (1, "ante")]
    ante_return = loader.load("uth-proc").options["ante_return"]
    assert (ante_return.value, ante_return.clause("device")) == ("refund_pass", "PROC-N.1-b")


@pytest.mark.clause("PROC-N.2")
def test_after_the_antes_the_rest_is_settled_from_right_to_left() -> None:
    paid = settled("uth-proc", BOARD, ACE_HIGH, *THREE)
    assert paid.order()[3:] == [
        (5, "blind"), (5, "play"),
        (3, "blind"), (3, "play"), (3, "trips"),
        (1, "blind"), (1, "play"),
    ]  # fmt: skip
    assert [paid.seat_net(seat) for seat in (1, 3, 5)] == ["20.00", "17.00", "-10.00"]


@pytest.mark.clause("PROC-N.foot")
def test_practised_dealers_push_each_ante_in_its_turn() -> None:
    paid = settled("uth-proc", BOARD, ACE_HIGH, *THREE, house={"ante_return": "in_sequence"})
    assert paid.order() == [
        (5, "ante"), (5, "blind"), (5, "play"),
        (3, "ante"), (3, "blind"), (3, "play"), (3, "trips"),
        (1, "ante"), (1, "blind"), (1, "play"),
    ]  # fmt: skip
    assert [paid.result("ante", seat=seat) for seat in (1, 3, 5)] == ["push", "push", "push"]
    assert [paid.seat_net(seat) for seat in (1, 3, 5)] == ["20.00", "17.00", "-10.00"]


@pytest.mark.clause("PROC-N.foot")
def test_the_refund_pass_is_a_setting_and_on_by_default() -> None:
    setting = loader.load("uth-proc").house["ante_return"]
    assert setting.choices == ("refund_pass", "in_sequence")
    assert (setting.default, setting.basis.clause("device")) == ("refund_pass", "PROC-N.foot")


@pytest.mark.clause("PROC-N.note-a", "PROC-O.3")
def test_three_of_a_kind_wins_trips_even_after_a_fold() -> None:
    paid = settled("uth-proc", ON_SEVENS, "Kc Qd", SEVENS | {"play": 0})
    assert [paid.net(w) for w in ("ante", "blind", "trips")] == ["-5.00", "-5.00", "15.00"]


@pytest.mark.clause("PROC-N.note-c")
def test_a_fold_with_winning_trips_is_settled_in_its_turn() -> None:
    paid = settled(
        "uth-proc", ON_SEVENS, "Kc Qd",
        {"seat": 1, "hole": "As Ah", "ante": "5", "play": 4},
        SEVENS | {"seat": 3, "play": 0},
        {"seat": 5, "hole": "9c 8c", "ante": "5", "play": 1},
    )  # fmt: skip
    assert paid.order() == [
        (5, "ante"), (5, "blind"), (5, "play"),
        (3, "ante"), (3, "blind"), (3, "trips"),
        (1, "ante"), (1, "blind"), (1, "play"),
    ]  # fmt: skip
    assert [paid.net(w, seat=3) for w in ("ante", "blind", "trips")] == ["-5.00", "-5.00", "15.00"]
    assert (paid.clause("ante", seat=3), paid.clause("blind", seat=3)) == ("PROC-N.note-c", "PROC-N.note-c")


@pytest.mark.clause("PROC-N.note-c")
def test_a_fold_without_winning_trips_is_collected_at_the_fold() -> None:
    paid = settled(
        "uth-proc", ON_SEVENS, "Kc Qd",
        {"seat": 3, "hole": "8h 3d", "ante": "5", "trips": "5", "play": 0},
        {"seat": 5, "hole": "9c 8c", "ante": "5", "play": 1},
    )  # fmt: skip
    assert paid.order()[:3] == [(3, "ante"), (3, "blind"), (3, "trips")]
    held = loader.load("uth-proc").options["held_for"]
    assert (held.value, held.basis.also) == ("winning trips", ("PROC-N.note-c",))
