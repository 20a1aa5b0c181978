"""The dealing procedures: the wagers, who may make them, for how much, and how cards are dealt."""

from typing import Any

import pytest

from houseway.cards import cards
from houseway.ranking.readable_evaluator import read
from houseway.rules import loader
from houseway.testing import refused, settled

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"
ACES: dict[str, Any] = {"hole": "As Ah", "ante": "5", "play": 1}


@pytest.mark.clause("PROC-O.1")
def test_the_wagers_are_ante_blind_play_and_an_optional_trips() -> None:
    book = loader.load("uth-proc")
    assert list(book.wagers) == ["ante", "blind", "play", "trips"]
    assert [w.name for w in book.wagers.values() if w.optional] == ["play", "trips"]
    offered = book.options["offered"]
    assert (offered.value, offered.clause("device")) == (["ante", "blind", "play", "trips"], "PROC-O.1")


@pytest.mark.clause("PROC-O.1")
@pytest.mark.parametrize("wager", ["progressive", "cover_all"])
def test_no_other_bonus_bet_is_offered(wager: str) -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, ACES | {wager: "5"})
    assert (reason.code, reason.clause) == ("not-offered", "PROC-O.1")
    paid = settled("uth-proc", BOARD, DEALER, ACES | {"trips": "5"})
    assert [line.wager for line in paid.lines()] == ["ante", "blind", "play", "trips"]


@pytest.mark.clause("PROC-O.2")
def test_a_hand_is_the_best_five_of_two_own_and_five_common_cards() -> None:
    order = loader.load("uth-proc").ranking.order
    aces = read(cards("As Ah Qd 9s 7h 4c 2d"), order)
    assert aces.name == "pair"
    assert aces.cards == cards("As Ah Qd 9s 7h")


@pytest.mark.clause("PROC-Q.1-b")
def test_own_and_common_cards_make_kings_full() -> None:
    kings = read(cards("Kh 3d Ks Kd 7c 7h 2s"), loader.load("uth-proc").ranking.order)
    assert kings.name == "full house"
    assert [str(card)[0] for card in kings.cards] == ["K", "K", "K", "7", "7"]


@pytest.mark.clause("PROC-D.0-a")
def test_the_game_is_dealt_by_the_device_only() -> None:
    modes = loader.load("uth-proc").options["modes"]
    assert (modes.value, modes.clause("device")) == (["device"], "PROC-D.0-a")
    [reason] = refused("uth-proc", BOARD, DEALER, ACES, mode="manual")
    assert (reason.code, reason.clause) == ("unknown-mode", "PROC-D.0-a")
    assert settled("uth-proc", BOARD, DEALER, ACES, mode="device").settlement.settings["mode"] == "device"
    assert settled("uth-proc", BOARD, DEALER, ACES).settlement.settings["mode"] == "device"


@pytest.mark.clause("PROC-D.1-a")
def test_ante_and_blind_are_equal() -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, ACES | {"blind": "3"})
    assert (reason.code, reason.clause) == ("ante-blind-unequal", "PROC-D.1-a")
    assert settled("uth-proc", BOARD, DEALER, ACES | {"blind": "5"}).net("ante") == "5.00"


@pytest.mark.clause("PROC-D.1-a")
def test_no_player_begins_without_ante_and_blind() -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, {"hole": "As Ah"})
    assert (reason.code, reason.clause) == ("no-initial-bet", "PROC-D.1-a")


@pytest.mark.clause("PROC-D.1-b")
def test_trips_may_be_added_to_ante_and_blind() -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, {"hole": "As Ah", "trips": "5"})
    assert (reason.code, reason.clause) == ("trips-alone", "PROC-D.1-b")
    assert settled("uth-proc", BOARD, DEALER, ACES | {"trips": "5"}).net("trips") == "-5.00"
    assert settled("uth-proc", BOARD, DEALER, ACES).lines("trips") == []


@pytest.mark.clause("PROC-D.3.a-a", "PROC-D.3.b")
def test_before_the_flop_a_player_checks_or_bets_three_or_four_times_the_ante() -> None:
    before = loader.load("uth-proc").stages[0]
    assert before.board == 0
    assert before.fold is None
    assert before.check is not None
    assert before.check.clause("device") == "PROC-D.3.a-a"
    assert before.sizes is not None
    assert (before.sizes.value, before.sizes.clause("device")) == ((3, 4), "PROC-D.3.b")


@pytest.mark.clause("PROC-D.3.b")
@pytest.mark.parametrize(("play", "staked"), [(3, "15.00"), (4, "20.00")])
def test_three_and_four_times_are_accepted(play: int, staked: str) -> None:
    assert settled("uth-proc", BOARD, DEALER, ACES | {"play": play}).line("play").stake == staked


@pytest.mark.clause("PROC-D.3.b")
@pytest.mark.parametrize("play", [5, -1, "3"])
def test_no_other_multiple_is_a_play_bet(play: object) -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, ACES | {"play": play})
    assert (reason.code, reason.clause) == ("play-size", "PROC-D.3.b")


@pytest.mark.clause("PROC-D.5-a", "PROC-D.5-b")
def test_after_the_flop_a_player_checks_or_bets_twice_the_ante() -> None:
    flop = loader.load("uth-proc").stages[1]
    assert flop.board == 3
    assert flop.fold is None
    assert flop.check is not None
    assert flop.check.clause("device") == "PROC-D.5-a"
    assert flop.sizes is not None
    assert (flop.sizes.value, flop.sizes.clause("device")) == ((2,), "PROC-D.5-b")
    assert settled("uth-proc", BOARD, DEALER, ACES | {"play": 2}).line("play").stake == "10.00"


@pytest.mark.clause("PROC-D.7-a", "PROC-D.7-b")
def test_after_the_river_a_player_folds_or_bets_the_ante_once() -> None:
    river = loader.load("uth-proc").stages[2]
    assert river.board == 5
    assert river.check is None
    assert river.fold is not None
    assert river.fold.clause("device") == "PROC-D.7-a"
    assert river.sizes is not None
    assert (river.sizes.value, river.sizes.clause("device")) == ((1,), "PROC-D.7-b")
    assert settled("uth-proc", BOARD, DEALER, ACES).line("play").stake == "5.00"


@pytest.mark.clause("PROC-D.7-a")
def test_a_fold_loses_ante_and_blind() -> None:
    paid = settled("uth-proc", BOARD, "Kc 8c", ACES | {"play": 0})
    assert [(line.wager, line.net) for line in paid.lines()] == [("ante", "-5.00"), ("blind", "-5.00")]
    assert (paid.clause("ante"), paid.clause("blind")) == ("PROC-D.7-a", "PROC-D.7-a")


@pytest.mark.clause("PROC-H.1")
@pytest.mark.parametrize(
    ("over", "spots"),
    [
        pytest.param({"ante": "30"}, ["ante", "blind"], id="$30 on ante and blind"),
        pytest.param({"ante": "25.01"}, ["ante", "blind"], id="a cent too much"),
        pytest.param({"trips": "30"}, ["trips"], id="$30 on trips"),
    ],
)
def test_a_spot_takes_at_most_25_dollars(over: dict[str, str], spots: list[str]) -> None:
    reasons = refused("uth-proc", BOARD, DEALER, ACES | over)
    assert [r.where for r in reasons] == [f"seats[0].{spot}" for spot in spots]
    assert {(r.code, r.clause) for r in reasons} == {("above-maximum", "PROC-H.1")}


@pytest.mark.clause("PROC-H.1")
def test_25_dollars_and_four_times_are_accepted() -> None:
    paid = settled("uth-proc", BOARD, DEALER, ACES | {"ante": "25", "trips": "25", "play": 4})
    assert [paid.line(w).stake for w in ("ante", "blind", "play", "trips")] == [
        "25.00", "25.00", "100.00", "25.00",
    ]  # fmt: skip
    limit = loader.load("uth-proc").limits["ante"].maximum
    assert limit is not None
    assert (limit.value, limit.clause("device")) == (2500, "PROC-H.1")


@pytest.mark.clause("PROC-H.1")
def test_no_higher_maximum_can_be_posted() -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, ACES, limits={"ante": {"max": "50"}})
    assert (reason.code, reason.clause) == ("maximum-too-high", "PROC-H.1")
    lower = {"ante": {"min": "5", "max": "20"}}
    assert settled("uth-proc", BOARD, DEALER, ACES, limits=lower).net("ante") == "5.00"


@pytest.mark.clause("PROC-H.1")
@pytest.mark.parametrize(
    ("posted", "most", "clause"), [("50", "$25", "PROC-H.1"), ("20", "$20", "house.posted_limits")],
)  # fmt: skip
def test_a_bet_is_held_to_the_lower_of_the_posted_and_the_documents_maximum(
    posted: str, most: str, clause: str
) -> None:
    reasons = refused("uth-proc", BOARD, DEALER, ACES | {"ante": "100"}, limits={"ante": {"max": posted}})
    above = {(r.clause, r.message) for r in reasons if r.where == "seats[0].ante"}
    assert above == {(clause, f"the ante can be at most {most}, not $100")}


@pytest.mark.clause("PROC-H.2-a")
@pytest.mark.parametrize("minimum", ["4", "1", "10"])
def test_the_minimum_is_3_or_5_dollars(minimum: str) -> None:
    [reason] = refused("uth-proc", BOARD, DEALER, ACES | {"ante": "10"}, limits={"ante": {"min": minimum}})
    assert (reason.code, reason.clause) == ("minimum-not-offered", "PROC-H.2-a")
    for offered in ("3", "5"):
        paid = settled("uth-proc", BOARD, DEALER, ACES | {"ante": "10"}, limits={"ante": {"min": offered}})
        assert paid.net("ante") == "10.00"


@pytest.mark.clause("PROC-H.2-a")
@pytest.mark.parametrize(("minimum", "below"), [("3", "2"), ("5", "4.99"), ("5", "3")])
def test_a_bet_below_the_minimum_is_refused(minimum: str, below: str) -> None:
    limits = {"ante": {"min": minimum}}
    reasons = refused("uth-proc", BOARD, DEALER, ACES | {"ante": below}, limits=limits)
    assert {(r.code, r.clause) for r in reasons} == {("below-minimum", "PROC-H.2-a")}
    paid = settled("uth-proc", BOARD, DEALER, ACES | {"ante": minimum}, limits=limits)
    assert paid.net("ante") == f"{minimum}.00"


@pytest.mark.clause("PROC-H.2-a")
def test_the_minimum_holds_for_trips_as_well() -> None:
    five = {"ante": {"min": "5"}}
    [reason] = refused("uth-proc", BOARD, DEALER, ACES | {"trips": "3"}, limits=five)
    assert (reason.code, reason.clause) == ("below-minimum", "PROC-H.2-a")
    paid = settled("uth-proc", BOARD, DEALER, ACES | {"trips": "3"}, limits={"ante": {"min": "3"}})
    assert paid.net("trips") == "-3.00"
