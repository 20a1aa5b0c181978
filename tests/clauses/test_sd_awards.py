"""South Dakota, Ultimate Texas Hold'em: several awards in one round, the meter's reset, and envy."""

from typing import Any

import pytest

from houseway.testing import SettledRound, refused, settled

BOOK = "uth-sd"
FLOP = "9h Th Jh 2s 4c"
LINK = {"progressive": "PMG-01"}


def seat(number: int, hole: str, progressive: str = "1", **more: Any) -> dict[str, Any]:
    """A seat with a $5 ante played at the end, and the progressive unless it is "0"."""
    return {"seat": number, "hole": hole, "ante": "5", "play": 1, "progressive": progressive, **more}


def table(*seats: dict[str, Any], board: str = FLOP, dealer: str = "Ad As", **given: Any) -> SettledRound:
    """A round at the link table with a meter of $20,000 by default."""
    about: dict[str, Any] = {"tables": LINK, "meters": {"main": "20000"}, **given}
    return settled(BOOK, board, dealer, *seats, **about)


def envy(paid: SettledRound, number: int) -> list[str]:
    """Every envy payment of a seat."""
    return [line.net for line in paid.lines("envy", number)]


@pytest.mark.clause("SD-6-d")
def test_the_progressive_is_paid_after_everything_else() -> None:
    paid = table(
        seat(1, "Kh 7d", trips="5"), seat(2, "Qd 6s", "0", trips="5"),
        board="Ks Kd 7c 2h 4s", dealer="Ad 3c",
    )  # fmt: skip
    assert paid.order() == [
        (2, "play"), (2, "ante"), (2, "blind"), (2, "trips"),
        (1, "play"), (1, "ante"), (1, "blind"), (1, "trips"), (1, "progressive"),
    ]  # fmt: skip
    assert paid.net("progressive") == "49.00"


@pytest.mark.clause("SD-18.a.v")
@pytest.mark.parametrize(
    ("awards", "royal", "straight_flush", "left"),
    [
        ({}, "21999.00", "999.00", "9000.00"),
        ({"awards": "sequential"}, "21999.00", "999.00", "9000.00"),
        ({"awards": "shared"}, "19999.00", "1999.00", "10000.00"),
    ],
    ids=["by default", "sequential", "shared"],
)
def test_the_house_procedure_decides_how_two_awards_are_paid(
    awards: dict[str, str], royal: str, straight_flush: str, left: str
) -> None:
    paid = table(
        seat(5, "Ah Kh"), seat(2, "8h 9h"), board="Th Jh Qh 2s 4c", meters={"main": "22000"},
        house={"seed": {"main": "10000"}, **awards},
    )  # fmt: skip
    assert (paid.net("progressive", 5), paid.net("progressive", 2)) == (royal, straight_flush)
    assert paid.meters == {"main": left}
    house = paid.settlement.settings["house"]
    assert {name: house[name] for name in awards} == awards


@pytest.mark.clause("SD-18.a.v")
def test_there_is_no_third_procedure() -> None:
    terms: dict[str, Any] = {"tables": LINK, "house": {"awards": "first come"}}
    (no,) = refused(BOOK, FLOP, "Ad As", seat(1, "7h 8h"), **terms)
    assert (no.code, no.clause) == ("bad-setting", "SD-18.a.v")


@pytest.mark.clause("SD-18.a.vi-b")
def test_a_full_award_resets_the_meter_to_seed_plus_reserve() -> None:
    royal = seat(1, "Ah Kh")
    terms: dict[str, Any] = {"board": "Th Jh Qh 2s 4c", "meters": {"main": "31000"}}
    house = {"seed": {"main": "10000"}, "reserve": {"main": "750"}}
    paid = table(royal, **terms, house=house)
    assert (paid.net("progressive"), paid.meters) == ("30999.00", {"main": "10750.00"})
    assert table(royal, **terms).meters == {"main": "10000.00"}


@pytest.mark.clause("SD-18.a.vi-c")
def test_awards_are_paid_counter_clockwise() -> None:
    paid = table(seat(2, "7h 8h"), seat(5, "Qh Kh"))
    assert [line.seat for line in paid.lines("progressive")] == [5, 2]
    assert (paid.net("progressive", 5), paid.net("progressive", 2)) == ("1999.00", "1799.00")
    assert paid.meters == {"main": "16200.00"}


@pytest.mark.clause("SD-18-PMG-c", "SD-18.b.i-b")
def test_a_royal_flush_pays_each_other_bettor_a_thousand() -> None:
    paid = table(seat(1, "8c 3d"), seat(2, "9c 4d"), seat(3, "Ah Kh"), board="Th Jh Qh 2s 4c")
    assert (envy(paid, 1), envy(paid, 2), envy(paid, 3)) == (["1000.00"], ["1000.00"], [])
    assert paid.clause("envy", 1) == "SD-18-PMG-c"


@pytest.mark.clause("SD-18-PMG-c", "SD-18.b.i-a")
def test_envy_needs_a_progressive_wager() -> None:
    paid = table(seat(1, "8c 3d"), seat(2, "9c 4d", "0"), seat(3, "7h 8h"))
    assert (envy(paid, 1), envy(paid, 2)) == (["300.00"], [])


@pytest.mark.clause("SD-18.b.i-a")
def test_a_player_who_folded_keeps_the_right_to_envy() -> None:
    folded = {**seat(1, "8c 3d"), "play": 0}
    paid = table(folded, seat(3, "7h 8h"))
    assert (envy(paid, 1), paid.net("ante")) == (["300.00"], "-5.00")


@pytest.mark.clause("SD-18-PMG-d")
@pytest.mark.parametrize(
    ("hole", "board", "due"),
    [("7h 8h", FLOP, "1500.00"), ("Ah Kh", "Th Jh Qh 2s 4c", "5000.00")],
    ids=["straight flush", "royal flush"],
)
def test_envy_at_the_five_dollar_table(hole: str, board: str, due: str) -> None:
    terms: dict[str, Any] = {"board": board, "tables": {"progressive": "PMG-02"}}
    paid = table(seat(1, "8c 3d", "5"), seat(2, hole, "5"), **terms)
    assert (envy(paid, 1), envy(paid, 2)) == ([due], [])
    assert paid.clause("envy", 1) == "SD-18-PMG-d"


@pytest.mark.clause("SD-18-e")
@pytest.mark.parametrize(
    ("hole", "board", "due"),
    [("7h 8h", FLOP, "600.00"), ("Ah Kh", "Th Jh Qh 2s 4c", "2000.00")],
    ids=["straight flush", "royal flush"],
)
def test_envy_scales_with_a_changed_wager(hole: str, board: str, due: str) -> None:
    paid = table(seat(1, "8c 3d", "2"), seat(2, hole, "2"), board=board, house={"progressive_wager": "2"})
    assert envy(paid, 1) == [due]


@pytest.mark.clause("SD-18.b.i-b")
def test_envy_is_never_paid_for_the_players_own_hand_or_the_dealers() -> None:
    own = table(
        seat(1, "8c 3d", player="Ann"), seat(2, "7h 8h", player="Ann"), seat(3, "9c 4d", player="Bob"),
        house={"more_positions": True},
    )  # fmt: skip
    assert (envy(own, 1), envy(own, 2), envy(own, 3)) == ([], [], ["300.00"])
    dealers = table(seat(1, "8c 3d"), dealer="7h 8h")
    assert envy(dealers, 1) == []


@pytest.mark.clause("SD-18.b.i-b")
def test_the_hand_is_read_on_the_hole_cards_and_the_flop() -> None:
    late = table(seat(1, "8c 3d"), seat(2, "7h 8h"), board="9h Th 2s Jh 4c")
    assert (late.net("blind", 2), envy(late, 1)) == ("250.00", [])
    flopped = table(seat(1, "8c 3d"), seat(2, "7h 8h"), board="9h Th Jh 2s 4c")
    assert envy(flopped, 1) == ["300.00"]


@pytest.mark.clause("SD-18.b.i-c")
def test_a_hand_without_the_side_bet_gets_its_normal_pays_only() -> None:
    paid = table(seat(1, "8c 3d"), seat(3, "7h 8h", "0", trips="5"))
    assert [(x.wager, x.net) for x in paid.lines(seat=3)] == [
        ("play", "5.00"), ("ante", "5.00"), ("blind", "250.00"), ("trips", "200.00"),
    ]  # fmt: skip
    assert envy(paid, 1) == ["300.00"]
    other = table(seat(1, "7h 8h"), seat(3, "Qh Kh", "0"))
    assert (envy(other, 1), envy(other, 3)) == (["300.00"], [])


@pytest.mark.clause("SD-18.b.iii-a")
def test_envy_is_paid_at_the_end_of_the_round() -> None:
    paid = table(seat(1, "8c 3d"), seat(2, "9c 4d"), seat(3, "7h 8h"))
    wagers = [wager for _, wager in paid.order()]
    assert wagers[-2:] == ["envy", "envy"]
    assert wagers[-5:-2] == ["progressive"] * 3
    assert [line.seat for line in paid.lines("envy")] == [2, 1]


@pytest.mark.clause("SD-18.b.iii-b")
def test_each_hand_that_triggers_envy_is_paid_for() -> None:
    paid = table(seat(1, "7h 8h"), seat(2, "Qh Kh"), seat(4, "6d 3d"))
    assert (envy(paid, 4), envy(paid, 1), envy(paid, 2)) == (["300.00", "300.00"], ["300.00"], ["300.00"])
    without = table(seat(1, "7h 8h", "0"), seat(2, "Qh Kh", "0"), seat(4, "6d 3d"))
    assert (envy(without, 4), envy(without, 1)) == (["300.00", "300.00"], [])


@pytest.mark.clause("SD-18-UTHP01-d", "SD-18-PMG-c")
def test_envy_exists_only_in_tables_with_its_column() -> None:
    terms: dict[str, Any] = {"tables": {"progressive": "UTHP-01"}}
    uthp = table(seat(1, "8c 3d"), seat(3, "7h 8h"), **terms)
    assert (envy(uthp, 1), uthp.net("progressive", 3)) == ([], "249.00")
    assert envy(table(seat(1, "8c 3d"), seat(3, "7h 8h")), 1) == ["300.00"]
