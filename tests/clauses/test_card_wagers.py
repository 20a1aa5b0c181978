"""The printed rules card: the wagers, who may make them, and for how much."""

from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing import refused, settled

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"
ACES: dict[str, Any] = {"hole": "As Ah", "ante": "10", "play": 1}


@pytest.mark.clause("CARD-1")
def test_the_wagers_are_ante_blind_play_and_an_optional_trips() -> None:
    book = loader.load("uth-card")
    assert list(book.wagers) == ["ante", "blind", "play", "trips"]
    assert [w.name for w in book.wagers.values() if w.optional] == ["play", "trips"]
    offered = book.options["offered"]
    assert (offered.value, offered.clause()) == (["ante", "blind", "play", "trips"], "CARD-1")


@pytest.mark.clause("CARD-1")
@pytest.mark.parametrize(
    ("more", "code"),
    [
        pytest.param({"progressive": "5"}, "not-offered", id="progressive"),
        pytest.param({"cover_all": "5"}, "not-offered", id="cover all"),
        pytest.param({"tips": {"ante": "1"}}, "tip-not-offered", id="tip"),
    ],
)
def test_no_other_wager_is_offered(more: dict[str, Any], code: str) -> None:
    [reason] = refused("uth-card", BOARD, DEALER, ACES | more)
    assert (reason.code, reason.clause) == (code, "CARD-1")
    with_trips = settled("uth-card", BOARD, DEALER, ACES | {"trips": "5"})
    assert [line.wager for line in with_trips.lines()] == ["ante", "blind", "play", "trips"]


@pytest.mark.clause("CARD-5-a", "CARD-26")
@pytest.mark.parametrize("blind", ["5", "15"])
def test_ante_and_blind_are_equal(blind: str) -> None:
    [reason] = refused("uth-card", BOARD, DEALER, ACES | {"blind": blind})
    assert (reason.code, reason.clause) == ("ante-blind-unequal", "CARD-5-a")
    assert settled("uth-card", BOARD, DEALER, ACES | {"blind": "10"}).net("ante") == "10.00"


@pytest.mark.clause("CARD-26")
def test_two_clauses_require_equal_bets() -> None:
    equals = loader.load("uth-card").wagers["blind"].equals
    assert equals is not None
    assert (equals.value, equals.basis.all) == ("ante", ("CARD-5-a", "CARD-26"))


@pytest.mark.clause("CARD-5-b")
def test_no_player_is_dealt_in_without_ante_and_blind() -> None:
    entry = loader.load("uth-card").entry
    assert entry is not None
    assert (entry.value, entry.clause()) == ((("ante", "blind"),), "CARD-5-b")
    [reason] = refused("uth-card", BOARD, DEALER, {"hole": "As Ah"})
    assert (reason.code, reason.clause) == ("no-initial-bet", "CARD-5-b")
    paid = settled("uth-card", BOARD, DEALER, ACES)
    assert {line.wager for line in paid.lines()} == {"ante", "blind", "play"}


@pytest.mark.clause("CARD-5-b", "CARD-5-a")
def test_an_ante_alone_gets_no_cards() -> None:
    [reason] = refused("uth-card", BOARD, DEALER, ACES | {"blind": "0"})
    assert (reason.code, reason.clause) == ("ante-blind-unequal", "CARD-5-a")
    assert reason.where == "seats[0].blind"


@pytest.mark.clause("CARD-22")
def test_trips_needs_ante_and_blind() -> None:
    [reason] = refused("uth-card", BOARD, DEALER, {"hole": "As Ah", "trips": "5"})
    assert (reason.code, reason.clause) == ("trips-alone", "CARD-22")
    assert settled("uth-card", BOARD, DEALER, ACES | {"trips": "5"}).net("trips") == "-5.00"


@pytest.mark.clause("CARD-6")
def test_trips_is_at_each_players_option() -> None:
    paid = settled("uth-card", BOARD, DEALER, ACES | {"trips": "5"}, ACES | {"hole": "9c 8s"})
    assert [line.wager for line in paid.lines(seat=1)] == ["ante", "blind", "play", "trips"]
    assert [line.wager for line in paid.lines(seat=2)] == ["ante", "blind", "play"]


@pytest.mark.clause("CARD-2")
def test_an_earlier_play_bet_may_be_larger() -> None:
    sizes = [s.sizes.value if s.sizes else () for s in loader.load("uth-card").stages]
    assert [max(at_point, default=0) for at_point in sizes] == [4, 2, 1]


@pytest.mark.clause("CARD-3")
def test_no_player_has_to_fold_before_all_cards_are_seen() -> None:
    before, flop, river = loader.load("uth-card").stages
    assert [s.board for s in (before, flop, river)] == [0, 3, 5]
    assert before.check is not None
    assert flop.check is not None
    assert (before.fold, flop.fold) == (None, None)
    assert river.fold is not None


@pytest.mark.clause("CARD-8")
def test_before_the_flop_a_player_checks_or_bets_three_or_four_times_the_ante() -> None:
    before = loader.load("uth-card").stages[0]
    assert before.sizes is not None
    assert (before.sizes.value, before.sizes.clause()) == ((3, 4), "CARD-8")
    assert before.check is not None
    assert before.check.clause("manual") == "CARD-8"


@pytest.mark.clause("CARD-8")
@pytest.mark.parametrize(("play", "staked"), [(3, "30.00"), (4, "40.00")])
def test_three_and_four_times_are_accepted(play: int, staked: str) -> None:
    assert settled("uth-card", BOARD, DEALER, ACES | {"play": play}).line("play").stake == staked


@pytest.mark.clause("CARD-8")
@pytest.mark.parametrize("play", [5, 6, -1, "4"])
def test_no_other_multiple_is_a_play_bet(play: object) -> None:
    [reason] = refused("uth-card", BOARD, DEALER, ACES | {"play": play})
    assert (reason.code, reason.clause) == ("play-size", "CARD-8")


@pytest.mark.clause("CARD-10-a", "CARD-10-b")
def test_after_the_flop_a_player_checks_or_bets_twice_the_ante() -> None:
    flop = loader.load("uth-card").stages[1]
    assert flop.check is not None
    assert flop.check.clause("manual") == "CARD-10-a"
    assert flop.sizes is not None
    assert (flop.sizes.value, flop.sizes.clause()) == ((2,), "CARD-10-b")
    assert settled("uth-card", BOARD, DEALER, ACES | {"play": 2}).line("play").stake == "20.00"


@pytest.mark.clause("CARD-12-a", "CARD-12-b")
def test_on_the_river_a_player_folds_or_bets_the_ante_once() -> None:
    river = loader.load("uth-card").stages[2]
    assert river.check is None
    assert river.fold is not None
    assert river.fold.clause("manual") == "CARD-12-a"
    assert river.sizes is not None
    assert (river.sizes.value, river.sizes.clause()) == ((1,), "CARD-12-b")
    assert settled("uth-card", BOARD, DEALER, ACES).line("play").stake == "10.00"


@pytest.mark.clause("CARD-12-a")
def test_a_player_folds_or_plays() -> None:
    assert [r.code for r in refused("uth-card", BOARD, DEALER, hole="As Ah", ante="10")] == ["play-missing"]
    folded = settled("uth-card", BOARD, DEALER, ACES | {"play": 0})
    assert [line.wager for line in folded.lines()] == ["ante", "blind"]


@pytest.mark.clause("CARD-27")
@pytest.mark.parametrize("seat", [7, 0, None])
def test_a_player_without_a_seat_may_not_wager(seat: int | None) -> None:
    assert [r.code for r in refused("uth-card", BOARD, DEALER, ACES | {"seat": seat})] == ["no-such-seat"]
    assert settled("uth-card", BOARD, DEALER, ACES | {"seat": 6}).net("ante", seat=6) == "10.00"
    seated = loader.load("uth-card").options["seated"]
    assert (seated.value, seated.clause()) == ("seated to the end of the round", "CARD-27")


@pytest.mark.clause("CARD-29")
def test_a_player_may_have_only_one_position() -> None:
    here = ACES | {"seat": 2, "player": "Ann"}
    beside = {"seat": 3, "hole": "9c 8s", "ante": "10", "play": 1}
    [reason] = refused("uth-card", BOARD, DEALER, here, beside | {"player": "Ann"})
    assert (reason.code, reason.clause) == ("more-than-one-position", "CARD-29")
    paid = settled("uth-card", BOARD, DEALER, here, beside | {"player": "Bob"})
    assert (paid.seat_net(2), paid.seat_net(3)) == ("20.00", "-30.00")
