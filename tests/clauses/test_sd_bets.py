"""South Dakota, Ultimate Texas Hold'em: the bets needed to be dealt in, their amounts, and dealer tips."""

from typing import Any

import pytest

from houseway.rules import loader
from houseway.testing import refused, settled

BOOK = "uth-sd"
LOW = "Qd 9s 7h 4c 2d"
DEALER = "Qc 3s"


def why(*seats: dict[str, Any], **given: Any) -> list[tuple[str, str | None]]:
    """Code and clause of every refusal on the usual board."""
    return [(r.code, r.clause) for r in refused(BOOK, LOW, DEALER, *seats, **given)]


@pytest.mark.clause("SD-2-a")
def test_a_player_without_an_initial_bet_is_not_dealt_in() -> None:
    assert why(hole="As Ah") == [("no-initial-bet", "SD-2-a")]
    at_five: dict[str, Any] = {"hole": "As Ah", "play": 4, "limits": {"ante": {"min": "5", "max": "100"}}}
    assert why(**at_five, ante="3", blind="3") == [("below-minimum", "SD-2-a")] * 2
    assert settled(BOOK, LOW, DEALER, **at_five, ante="5", blind="5").net("ante") == "5.00"


@pytest.mark.clause("SD-2-b")
@pytest.mark.parametrize(
    ("bets", "wrong"),
    [
        ({}, [("no-initial-bet", "SD-2-a")]),
        ({"ante": "5", "blind": "0", "play": 1}, [("ante-blind-unequal", "SD-2-b")]),
        ({"blind": "5"}, [("ante-blind-unequal", "SD-2-b")]),
        ({"ante": "5", "blind": "0", "play": 1, "trips": "5"}, [("ante-blind-unequal", "SD-2-b")]),
    ],
    ids=["nothing", "ante without blind", "blind without ante", "trips does not stand in for the blind"],
)
def test_an_incomplete_initial_bet_is_refused(bets: dict[str, Any], wrong: list[tuple[str, str]]) -> None:
    assert why(hole="As Ah", **bets) == wrong


@pytest.mark.clause("SD-2-b", "SD-2-c")
@pytest.mark.parametrize(
    ("bets", "lines"),
    [
        ({"trips": "5"}, ["trips"]),
        ({"ante": "5", "blind": "5", "play": 1}, ["play", "ante", "blind"]),
    ],
    ids=["trips alone", "ante and blind"],
)
def test_either_initial_bet_gets_a_player_dealt_in(bets: dict[str, Any], lines: list[str]) -> None:
    paid = settled(BOOK, LOW, DEALER, hole="As Ah", **bets)
    assert [wager for _, wager in paid.order()] == lines
    entry = loader.load(BOOK).entry
    assert entry is not None
    assert entry.value == (("ante", "blind"), ("trips",))


@pytest.mark.clause("SD-2-c")
def test_trips_alone_has_no_play_wager_and_the_other_rulebooks_refuse_it() -> None:
    alone: dict[str, Any] = {"hole": "As Ah", "trips": "5"}
    assert settled(BOOK, LOW, DEALER, **alone).net("trips") == "-5.00"
    assert why(**alone, play=0) == [("play-without-ante", "SD-2-c")]
    for other in ("uth-card", "uth-proc", "uth-ma"):
        assert refused(other, LOW, DEALER, **alone)
    entry = loader.load(BOOK).entry
    assert entry is not None
    assert "SD-2-c" in entry.basis.all


@pytest.mark.clause("SD-2-d")
def test_an_initial_bet_outside_the_posted_limits_is_refused() -> None:
    posted: dict[str, Any] = {"hole": "As Ah", "play": 4, "limits": {"ante": {"max": "50"}}}
    above = refused(BOOK, LOW, DEALER, **posted, ante="55")
    assert {(r.code, r.clause) for r in above} == {("above-maximum", "SD-2-d")}
    assert "$50" in above[0].message
    assert settled(BOOK, LOW, DEALER, **posted, ante="50").net("ante") == "50.00"


@pytest.mark.clause("SD-2-a", "SD-2-d")
def test_a_trips_bet_has_its_own_posted_limits() -> None:
    posted: dict[str, Any] = {"hole": "As Ah", "limits": {"trips": {"min": "5", "max": "35"}}}
    assert why(**posted, trips="36") == [("above-maximum", "SD-2-d")]
    assert why(**posted, trips="4") == [("below-minimum", "SD-2-a")]
    assert settled(BOOK, LOW, DEALER, **posted, trips="35").net("trips") == "-35.00"


@pytest.mark.clause("SD-2-e")
def test_the_blind_equals_the_ante() -> None:
    assert why(hole="As Ah", ante="10", blind="5", play=4) == [("ante-blind-unequal", "SD-2-e")]
    equal = settled(BOOK, LOW, DEALER, hole="As Ah", ante="10", blind="10", play=4)
    assert equal.line("blind").stake == "10.00"


@pytest.mark.clause("SD-2-f")
def test_a_progressive_bet_is_optional_and_never_alone() -> None:
    table = {"progressive": "PMG-01"}
    assert why(hole="As Ah", progressive="1", tables=table) == [("progressive-alone", "SD-2-f")]
    beside_trips = settled(BOOK, LOW, DEALER, hole="As Ah", trips="5", progressive="1", tables=table)
    assert beside_trips.net("progressive") == "-1.00"


@pytest.mark.clause("SD-2-f")
def test_only_the_seat_that_bet_the_progressive_has_it() -> None:
    seats: list[dict[str, Any]] = [
        {"seat": 1, "hole": "As Ah", "ante": "5", "play": 1},
        {"seat": 3, "hole": "Ks Kh", "ante": "5", "play": 1, "progressive": "1"},
    ]
    paid = settled(BOOK, LOW, DEALER, *seats, tables={"progressive": "PMG-01"})
    assert [line.seat for line in paid.lines("progressive")] == [3]
    assert (paid.seat_net(1), paid.seat_net(3)) == ("10.00", "9.00")


@pytest.mark.clause("SD-2-j")
def test_every_kind_of_bet_may_be_made_in_the_same_round() -> None:
    paid = settled(
        BOOK, LOW, DEALER, hole="As Ah", ante="5", blind="5", trips="5", progressive="1", play=1,
        tables={"trips": "UTH-01", "progressive": "PMG-01"},
    )  # fmt: skip
    stakes = {line.wager: line.stake for line in paid.lines()}
    assert stakes == {
        "play": "5.00",
        "ante": "5.00",
        "blind": "5.00",
        "trips": "5.00",
        "progressive": "1.00",
    }


@pytest.mark.clause("SD-3-a")
def test_a_tip_needs_the_players_own_wager_on_the_hand() -> None:
    bare = why({"seat": 2, "hole": "As Ah", "tips": {"trips": "1"}})
    assert ("tip-alone", "SD-3-a") in bare
    own = {"seat": 2, "hole": "As Ah", "ante": "5", "play": 1, "tips": {"trips": "1"}}
    assert settled(BOOK, LOW, DEALER, own).tip("trips", 2).stake == "1.00"


@pytest.mark.clause("SD-3-a")
def test_a_tip_on_ante_or_blind_needs_the_players_ante_and_blind() -> None:
    for wager in ("ante", "blind"):
        assert why(hole="As Ah", trips="5", tips={wager: "1"}) == [("tip-alone", "SD-3-a")]
    assert why(hole="As Ah", ante="5", play=1, tips={"progressive": "1"}) == [("tip-not-offered", "SD-3-a")]
    tips = {"ante": "1", "blind": "2", "trips": "3"}
    paid = settled(BOOK, LOW, DEALER, hole="As Ah", ante="5", play=1, tips=tips)
    nets = {w: paid.tip(w).net for w in tips}
    assert nets == {"ante": "1.00", "blind": "0.00", "trips": "-3.00"}
    assert paid.settlement.dealer_tips == "4.00"


@pytest.mark.clause("SD-3-b")
def test_a_tip_on_the_ante_stays_in_play_without_a_tip_on_the_play() -> None:
    paid = settled(BOOK, LOW, DEALER, hole="As Ah", ante="10", play=4, tips={"ante": "2"})
    assert (paid.tip("ante").for_whom, paid.tip("ante").net) == ("dealer", "2.00")
    assert paid.settlement.dealer_tips == "4.00"
    assert [line.for_whom for line in paid.lines("play")] == [None]


@pytest.mark.clause("SD-3-c")
def test_a_tip_on_the_play_is_the_players_multiple_of_the_tip_on_the_ante() -> None:
    mine: dict[str, Any] = {"hole": "As Ah", "ante": "10", "play": 4}
    paid = settled(BOOK, LOW, DEALER, **mine, tips={"ante": "2", "play": "8"})
    assert (paid.tip("play").stake, paid.tip("play").net) == ("8.00", "8.00")
    assert why(**mine, tips={"ante": "2", "play": "10"}) == [("tip-play-size", "SD-3-c")]
    assert why(**mine, tips={"play": "8"}) == [("tip-play-size", "SD-3-c")]


@pytest.mark.clause("SD-3-c")
def test_tips_are_lost_or_pushed_with_the_hand() -> None:
    mine: dict[str, Any] = {"hole": "8c 3d", "ante": "10", "play": 0}
    folded = settled(BOOK, LOW, DEALER, **mine, tips={"ante": "2"})
    assert (folded.tip("ante").result, folded.settlement.dealer_tips) == ("lose", "0.00")
    assert why(**mine, tips={"ante": "2", "play": "8"}) == [("tip-play-size", "SD-3-c")]
    tied = settled(
        BOOK, "As Ks Qd Jc Th", "3c 3d", hole="2c 2d", ante="10", play=2, tips={"ante": "2", "play": "4"}
    )
    assert (tied.tip("play").result, tied.settlement.dealer_tips) == ("push", "6.00")


@pytest.mark.clause("SD-7-b", "SD-9-b", "SD-11-b")
@pytest.mark.parametrize(
    ("point", "clause", "sizes"),
    [(0, "SD-7-b", (3, 4)), (1, "SD-9-b", (2,)), (2, "SD-11-b", (1,))],
    ids=["before the flop", "after the flop", "after the river"],
)
def test_a_play_wager_is_exactly_a_multiple_of_the_ante(
    point: int, clause: str, sizes: tuple[int, ...]
) -> None:
    stage = loader.load(BOOK).stages[point]
    assert stage.sizes is not None
    assert (stage.sizes.value, stage.sizes.clause()) == (sizes, clause)
    for size in sizes:
        paid = settled(BOOK, LOW, DEALER, hole="As Ah", ante="10", play=size)
        assert paid.line("play").stake == f"{size}0.00"


@pytest.mark.clause("SD-7-b")
@pytest.mark.parametrize("play", [3.5, 5, -1])
def test_any_other_play_wager_is_refused(play: float) -> None:
    assert why(hole="As Ah", ante="10", play=play) == [("play-size", "SD-7-b")]
    assert settled(BOOK, LOW, DEALER, hole="As Ah", ante="10", play=3).net("play") == "30.00"


@pytest.mark.clause("SD-12-a")
def test_a_player_may_fold_only_after_the_turn_and_river() -> None:
    stages = loader.load(BOOK).stages
    assert [stage.board for stage in stages if stage.fold] == [5]
    paid = settled(BOOK, LOW, DEALER, hole="As Ah", ante="10", play=0)
    assert paid.order() == [(1, "ante"), (1, "blind")]
