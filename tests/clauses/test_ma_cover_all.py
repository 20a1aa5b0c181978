"""Massachusetts, section 12: the Cover All bonus, on the highest hand at the table."""

from typing import Any

import pytest

from houseway.engine import events as e
from houseway.testing import SettledRound, refused, settled
from houseway.testing.driver import stacked
from table_driver import table

# A board, the dealer's cards, the highest hand, and others below it.
TABLES = {
    "royal flush": ("Qs Js Ts 4d 4c", "5h 6h", ["As Ks", "2c 3d", "2d 3c", "2h 3h", "5c 6d", "5d 6c"]),
    "straight flush": ("7h 8h 9h 2c 2d", "Ad Jc", ["5h 6h", "3c 4d", "3d 4c", "Kc Qd", "Kd Qc", "Ac Jd"]),
    "four of a kind": ("9h 9s 4d Kc 2s", "Qd Jc", ["9c 9d", "3c 5d", "3d 5c", "6c 7d", "6d 7c", "Qc Jd"]),
    "full house": ("Ks Kd 7c 7h 2s", "Qd Jc", ["Kh 3d", "4c 5d", "4d 5c", "6c 8d", "6d 8c", "Qc Jd"]),
    "flush": ("Ah 9h 6h Kc 2d", "As Kd", ["Qh 4h", "3c 5d", "3d 5c", "7c Td", "7d Tc", "Jc 8d"]),
    "three of a kind": ("7s Kh 9d 4c 2s", "Kc Qd", ["7c 7d", "Qc Jd", "3c 8d", "3d 8c", "Ac Jh", "Ad Tc"]),
}
COLUMNS = {
    7: ("MA-12.f", {"royal flush": 350, "straight flush": 150, "four of a kind": 100, "full house": 20}),
    6: ("MA-12.k-6", {"royal flush": 400, "straight flush": 200, "four of a kind": 150, "full house": 20}),
    5: ("MA-12.k-5", {"royal flush": 500, "straight flush": 200, "four of a kind": 175, "full house": 25}),
    4: ("MA-12.k-4", {"royal flush": 625, "straight flush": 350, "four of a kind": 200, "full house": 30}),
    3: ("MA-12.k-3", {"royal flush": 750, "straight flush": 400, "four of a kind": 250, "full house": 40}),
    2: ("MA-12.k-2", {"royal flush": 1000, "straight flush": 500, "four of a kind": 350, "full house": 60}),
}
"""Winnings of $5 by the number of hands dealt, the dealer's included: five times the printed odds."""


def covered(highest: str, hands: int, **seat_1: Any) -> SettledRound:
    """A round with this many hands: seat 1 has the highest and $5 on Cover All, the others fold."""
    board, dealer, holes = TABLES[highest]
    first = {"hole": holes[0], "ante": "10", "cover_all": "5", "play": 1, **seat_1}
    folds = [{"hole": hole, "ante": "10", "play": 0} for hole in holes[1 : hands - 1]]
    return settled("uth-ma", board, dealer, first, *folds, mode="device")


@pytest.mark.parametrize(
    ("hands", "highest", "won", "clause"),
    [
        pytest.param(
            hands, hand, won, clause, marks=pytest.mark.clause(clause, "MA-12.k"), id=f"{hands}, {hand}"
        )
        for hands, (clause, column) in COLUMNS.items()
        for hand, won in column.items()
    ],
)
def test_the_matrix_pays_by_hands_dealt(hands: int, highest: str, won: int, clause: str) -> None:
    paid = covered(highest, hands)
    assert (paid.net("cover_all"), paid.clause("cover_all")) == (f"{won}.00", clause)


@pytest.mark.clause("MA-12.c")
def test_payouts_depend_on_the_number_of_hands_dealt() -> None:
    lines = [covered("straight flush", hands).line("cover_all") for hands in (2, 4, 7)]
    assert [line.odds for line in lines] == ["100 to 1", "70 to 1", "30 to 1"]
    assert [line.net for line in lines] == ["500.00", "350.00", "150.00"]


@pytest.mark.clause("MA-12.c")
def test_folds_do_not_change_the_column_of_the_matrix() -> None:
    board, dealer, holes = TABLES["full house"]
    for play in (0, 1):
        others = [{"hole": hole, "ante": "10", "play": play} for hole in holes[1:3]]
        first = {"hole": holes[0], "ante": "10", "cover_all": "5", "play": 1}
        paid = settled("uth-ma", board, dealer, first, *others, mode="device")
        assert paid.line("cover_all").odds == "6 to 1"


@pytest.mark.clause("MA-12.b")
@pytest.mark.parametrize(
    ("highest", "net"), [("full house", "30.00"), ("flush", "-5.00"), ("three of a kind", "-5.00")]
)
def test_the_printed_matrix_pays_from_a_full_house_up(highest: str, net: str) -> None:
    paid = covered(highest, 4)
    assert paid.net("cover_all") == net
    assert paid.clause("cover_all") == ("MA-12.k-4" if net == "30.00" else "MA-12.k")


@pytest.mark.clause("MA-12.f", "MA-12.k")
@pytest.mark.parametrize(("hands", "clause"), [(7, "MA-12.f"), (6, "MA-12.k"), (2, "MA-12.k")])
def test_a_losing_line_cites_the_matrix(hands: int, clause: str) -> None:
    paid = covered("flush", hands)
    assert (paid.net("cover_all"), paid.clause("cover_all")) == ("-5.00", clause)


@pytest.mark.clause("MA-12.b")
@pytest.mark.parametrize(
    ("highest", "net", "clause"),
    [
        ("full house", "30.00", "MA-12.k-4"),
        ("flush", "0.00", "MA-12.b"),
        ("three of a kind", "0.00", "MA-12.b"),
        ("two pair", "-5.00", "MA-12.k"),
    ],
)
def test_a_house_may_return_the_stake_from_three_of_a_kind_up(highest: str, net: str, clause: str) -> None:
    board, dealer, holes = TABLES.get(highest, ("Ks 9d 7c 4h 2s", "Qd Jc", ["Kh 9c", "3c 5d", "3d 5c"]))
    first = {"hole": holes[0], "ante": "10", "cover_all": "5", "play": 1}
    folds = [{"hole": hole, "ante": "10", "play": 0} for hole in holes[1:3]]
    paid = settled("uth-ma", board, dealer, first, *folds, mode="device", house={"cover_all_low": "push"})
    assert (paid.net("cover_all"), paid.clause("cover_all")) == (net, clause)


@pytest.mark.clause("MA-12.b", "MA-12.e")
@pytest.mark.parametrize(("low", "back"), [("lose", 0), ("push", 500)])
def test_three_of_a_kind_loses_or_pushes_by_the_house_setting(low: str, back: int) -> None:
    """Seat 1 has three sevens, the highest hand of two; the device shows no odds for it."""
    board, dealer, holes = TABLES["three of a kind"]
    deck = stacked("device", board, dealer, holes[0])
    t = table("uth-ma", mode="device", deck=deck, house={"cover_all_low": low})
    t.bet(1, ante=10, cover_all=5).deal().play(1, 4).finish()
    assert "three of a kind" not in t.last(e.PayoutsShown).odds
    line = t.settled("cover_all")
    assert (line.back, line.clause) == (back, "MA-12.b" if back else "MA-12.k")


@pytest.mark.clause("MA-12.b", "MA-12.k")
def test_the_highest_hand_may_be_the_dealers_or_another_players() -> None:
    # The dealer has kings full, and there is one player: the column for 2 hands.
    one = settled("uth-ma", "Ks Kd 7c 7h 2s", "Kh 3d", hole="As Ah", ante="10", cover_all="5", play=4)
    assert (one.net("ante"), one.net("cover_all")) == ("-10.00", "60.00")
    two = settled(
        "uth-ma",
        "Ks Kd 7c 7h 2s",
        "Qd Jc",
        {"hole": "Kh 3d", "ante": "10", "play": 1},
        {"hole": "4c 5d", "ante": "10", "cover_all": "5", "play": 1},
    )
    assert two.net("cover_all", seat=2) == "40.00"


@pytest.mark.clause("MA-12.g")
def test_only_the_highest_hand_pays() -> None:
    # The dealer has three queens, seat 1 a straight flush, four hands.
    paid = settled(
        "uth-ma",
        "7h 8h 9h Qc 2d",
        "Qs Qd",
        {"hole": "5h 6h", "ante": "10", "cover_all": "5", "play": 1},
        {"hole": "Ac Kd", "ante": "10", "play": 0},
        {"hole": "Jc 3s", "ante": "10", "play": 0},
    )
    (line,) = paid.lines("cover_all")
    assert (line.odds, line.net) == ("70 to 1", "350.00")


BETS = {"hole": "As Ah", "ante": "10", "trips": "5", "play": 4}
FOLD = {"hole": "4c 5d", "ante": "10", "play": 0}
KINGS = {"hole": "Kc 3s", "ante": "10", "play": 1}
BASE = [
    (2, "ante", "-10.00"),
    (2, "blind", "-10.00"),
    (3, "ante", "0.00"),
    (3, "blind", "0.00"),
    (3, "play", "0.00"),
    (1, "ante", "-10.00"),
    (1, "blind", "-10.00"),
    (1, "play", "-40.00"),
    (1, "trips", "-5.00"),
]
"""Kings full for the dealer and seat 3, aces and kings for seat 1, a fold at seat 2."""


def settle_base(**side: str) -> list[tuple[int, str, str]]:
    """Settle that round with the same side bet at every seat; return seat, wager and net of each line."""
    players = [{**seat, **side} for seat in (BETS, FOLD, KINGS)]
    paid = settled("uth-ma", "Ks Kd 7c 7h 2s", "Kh 3d", *players, mode="device")
    return [(x.seat, x.wager, x.net) for x in paid.lines()]


@pytest.mark.clause("MA-12.h")
def test_other_wagers_are_settled_as_without_cover_all() -> None:
    assert settle_base() == BASE
    assert settle_base(cover_all="5")[: len(BASE)] == BASE


@pytest.mark.clause("MA-12.j")
def test_cover_all_is_settled_after_all_other_wagers_from_the_right() -> None:
    cover = [(3, "cover_all", "30.00"), (2, "cover_all", "30.00"), (1, "cover_all", "30.00")]
    assert settle_base(cover_all="5") == BASE + cover


@pytest.mark.clause("MA-12.j", "MA-9.e.2.i")
@pytest.mark.parametrize(
    ("side", "net"),
    [
        pytest.param({}, "-5.00", id="racked"),
        pytest.param({"trips": "5"}, "40.00", id="held under the trips wager"),
    ],
)
def test_a_folded_hand_held_for_trips_counts(side: dict[str, str], net: str) -> None:
    paid = settled(
        "uth-ma",
        "9c 9d 4h 4s Kd",
        "Jc 8h",
        {"hole": "9h 2c", "ante": "10", "play": 0, **side},
        {"hole": "Ac Qd", "ante": "10", "cover_all": "5", "play": 4},
        mode="device",
    )
    assert paid.net("cover_all", seat=2) == net


@pytest.mark.clause("MA-12.k")
def test_there_is_no_column_for_eight_hands() -> None:
    board, dealer, holes = TABLES["full house"]
    seven = [{"hole": hole, "ante": "10", "cover_all": "5", "play": 1} for hole in [*holes, "As Ah"]]
    reasons = refused("uth-ma", board, dealer, *seven, mode="device")
    assert [(r.code, r.where) for r in reasons] == [("no-such-seat", "seats[6].seat")]
    six = settled("uth-ma", board, dealer, *seven[:6], mode="device")
    assert [six.net("cover_all", seat) for seat in range(1, 7)] == ["20.00"] * 6
