"""Massachusetts: folds, and the order of settlement."""

from typing import Any

import pytest

from houseway.testing import SettledRound, settled

BOARD, DEALER = "7s Kh 9d 4c 2s", "Kc Kd"
MODES = ["manual", "device"]
HOLES = {2: "As Ah", 4: "7c 7d", 6: "Qs Jd"}
"""The hole cards by seat: a pair of aces, three sevens and no pair, all below the dealer's three kings."""


def seats(**each: dict[str, Any]) -> list[dict[str, Any]]:
    """Seats 2, 4 and 6 with $10 antes; `s4={...}` adds the actions of seat 4."""
    return [
        {"seat": n, "hole": hole, "ante": "10", "play": 1, **each.get(f"s{n}", {})}
        for n, hole in HOLES.items()
    ]


def settle_round(mode: str, *players: dict[str, Any], dealer: str = DEALER, **given: Any) -> SettledRound:
    """The round of these players."""
    return settled("uth-ma", BOARD, dealer, *players, mode=mode, **given)


def seats_in_order(paid: SettledRound) -> list[int]:
    """Seats in the order of settlement, one entry for each run of lines."""
    order = [seat for seat, _ in paid.order()]
    return [seat for n, seat in enumerate(order) if n == 0 or order[n - 1] != seat]


FOLDS = [
    pytest.param("manual", "MA-7.f.5.ii", marks=pytest.mark.clause("MA-7.f.5.ii"), id="by hand"),
    pytest.param("device", "MA-9.e.2", marks=pytest.mark.clause("MA-9.e.2"), id="by machine"),
]


@pytest.mark.parametrize(("mode", "clause"), FOLDS)
def test_a_fold_loses_ante_and_blind_at_once(mode: str, clause: str) -> None:
    paid = settle_round(mode, *seats(s4={"ante": "25", "play": 0}))
    assert [(x.seat, x.wager, x.net, x.clause) for x in paid.lines()][:2] == [
        (4, "ante", "-25.00", clause),
        (4, "blind", "-25.00", clause),
    ]
    assert paid.seat_net(4) == "-50.00"


@pytest.mark.parametrize(("mode", "clause"), FOLDS)
def test_a_folded_ante_is_lost_even_if_the_dealer_has_no_pair(mode: str, clause: str) -> None:
    paid = settle_round(mode, *seats(s4={"play": 0}), dealer="Qc 3d")
    assert (paid.net("ante", 4), paid.clause("ante", 4)) == ("-10.00", clause)
    assert (paid.net("ante", 2), paid.net("ante", 6)) == ("0.00", "0.00")


@pytest.mark.parametrize(
    "mode",
    [
        pytest.param("manual", marks=pytest.mark.clause("MA-7.f.5"), id="by hand"),
        pytest.param("device", marks=pytest.mark.clause("MA-9.e"), id="by machine"),
    ],
)
def test_folds_are_taken_clockwise_as_players_act(mode: str) -> None:
    paid = settle_round(mode, *seats(s2={"play": 0}, s4={"play": 0}, s6={"play": 0}))
    assert seats_in_order(paid) == [2, 4, 6]


HELD = [
    pytest.param("manual", marks=pytest.mark.clause("MA-7.f.5.ii.a"), id="by hand"),
    pytest.param("device", marks=pytest.mark.clause("MA-9.e.2.i"), id="by machine"),
]


@pytest.mark.parametrize("mode", HELD)
def test_a_folded_hand_keeps_its_trips(mode: str) -> None:
    paid = settle_round(mode, {"hole": "7c 7d", "ante": "10", "trips": "5", "play": 0})
    assert [paid.net(w) for w in ("ante", "blind", "trips")] == ["-10.00", "-10.00", "15.00"]


@pytest.mark.parametrize("mode", HELD)
def test_trips_of_folded_hands_is_settled_last_and_from_the_right(mode: str) -> None:
    folded = {"play": 0, "trips": "5"}
    paid = settle_round(mode, *seats(s4=folded, s6=folded))
    assert paid.order() == [
        (4, "ante"),
        (4, "blind"),
        (6, "ante"),
        (6, "blind"),
        (2, "ante"),
        (2, "blind"),
        (2, "play"),
        (6, "trips"),
        (4, "trips"),
    ]
    # Held whether or not trips wins: seat 4 has three sevens, seat 6 nothing.
    assert (paid.net("trips", 4), paid.net("trips", 6)) == ("15.00", "-5.00")


@pytest.mark.clause("MA-9.h-a")
@pytest.mark.parametrize("mode", MODES)
def test_hands_with_a_play_wager_are_settled_from_the_right(mode: str) -> None:
    assert seats_in_order(settle_round(mode, *seats())) == [6, 4, 2]


@pytest.mark.clause("MA-9.g-b")
@pytest.mark.parametrize("mode", MODES)
def test_antes_are_returned_in_each_players_turn_from_the_right(mode: str) -> None:
    paid = settle_round(mode, *seats(s6={"hole": "Js Td"}), dealer="Qc 3d")
    assert paid.order() == [(n, w) for n in (6, 4, 2) for w in ("ante", "blind", "play")]
    assert [paid.clause("ante", n) for n in (6, 4, 2)] == ["MA-9.g-b"] * 3
    assert [paid.net("play", n) for n in (6, 4, 2)] == ["-10.00", "10.00", "10.00"]


@pytest.mark.clause("MA-9.h-c")
def test_one_player_is_settled_at_a_time_whatever_the_outcome() -> None:
    # Against a pair of kings only seat 4 wins; the losers are not settled first.
    paid = settle_round(
        "manual", *seats(s2={"hole": "Qs Jd", "trips": "5"}, s6={"hole": "Tc 8s"}), dealer="Ks 3d"
    )
    assert seats_in_order(paid) == [6, 4, 2]
    assert [paid.result("ante", n) for n in (6, 4, 2)] == ["lose", "win", "lose"]


@pytest.mark.clause("MA-9.h.4-a")
def test_trips_is_settled_after_ante_blind_and_play() -> None:
    paid = settle_round("manual", {"hole": "7c 7d", "ante": "10", "trips": "5", "play": 2})
    assert paid.order() == [(1, "ante"), (1, "blind"), (1, "play"), (1, "trips")]


@pytest.mark.clause("MA-13.c")
@pytest.mark.parametrize("mode", MODES)
def test_the_progressive_is_settled_after_trips_in_the_players_turn(mode: str) -> None:
    side = {"trips": "5", "progressive": "5"}
    paid = settle_round(mode, *seats(s4=side, s6=side), tables={"progressive": "PTMGL01"})
    base = ["ante", "blind", "play"]
    assert paid.order() == [
        *[(6, w) for w in [*base, "trips", "progressive"]],
        *[(4, w) for w in [*base, "trips", "progressive"]],
        *[(2, w) for w in base],
    ]


@pytest.mark.clause("MA-13.c")
def test_a_folded_hands_progressive_is_settled_after_its_trips() -> None:
    folded = {"play": 0, "trips": "5", "progressive": "5"}
    paid = settle_round("manual", *seats(s4=folded, s2={"play": 0, "progressive": "5"}))
    assert paid.order()[-4:] == [(6, "play"), (4, "trips"), (4, "progressive"), (2, "progressive")]
    assert paid.net("progressive", 4) == "40.00"


@pytest.mark.clause("MA-7.f.7")
@pytest.mark.parametrize("mode", MODES)
def test_dealt_by_hand_or_by_machine_the_settlement_is_the_same(mode: str) -> None:
    paid = settle_round(mode, *seats(s2={"play": 4}, s4={"trips": "5"}, s6={"play": 0}), dealer="Ks 3d")
    assert [(x.seat, x.wager, x.net) for x in paid.lines()] == [
        (6, "ante", "-10.00"),
        (6, "blind", "-10.00"),
        (4, "ante", "10.00"),
        (4, "blind", "0.00"),
        (4, "play", "10.00"),
        (4, "trips", "15.00"),
        (2, "ante", "10.00"),
        (2, "blind", "0.00"),
        (2, "play", "40.00"),
    ]
