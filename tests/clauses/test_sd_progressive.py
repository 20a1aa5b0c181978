"""South Dakota, Ultimate Texas Hold'em: the progressive wager, its tables and its meter."""

from typing import Any

import pytest

from houseway.testing import SettledRound, refused, settled

BOOK = "uth-sd"
ROYAL = ("As Ks", "Qs Js Ts 4d 4c")
"""Hole cards and board that make a royal flush with the flop."""
LATE_ROYAL = ("As Ks", "Qs Js 4d Ts 2c")
QUADS = ("9c 9d", "9h 9s 4d Kc 2s")
FULL_HOUSE = ("Kh 3d", "Ks Kd 7c 7h 2s")
FLUSH = ("Qh 4h", "Ah 9h 6h Kc 2d")
STRAIGHT = ("Jc Td", "9s 8h 7d Kc 2c")
THREE = ("7c 7d", "7s Kh 9d 4c 2s")


def bet(
    table: str, hand: tuple[str, str], meter: str = "20000", stake: str = "1", **given: Any
) -> SettledRound:
    """Settle a progressive with trips alone, against a dealer who has a small pair."""
    hole, board = hand
    about = {"tables": {"trips": "UTH-01", "progressive": table}, "meters": {"main": meter}}
    return settled(BOOK, board, "3c 3h", hole=hole, trips="5", progressive=stake, **about, **given)


@pytest.mark.clause("SD-18-a", "SD-2-g")
def test_a_royal_flush_wins_the_progressive_whatever_the_dealer_holds() -> None:
    for dealer in ("4h 4s", "2c 3d"):
        paid = settled(
            BOOK, ROYAL[1], dealer, hole=ROYAL[0], ante="5", play=4, progressive="1",
            tables={"progressive": "UTHP-02"}, meters={"main": "9000"},
        )  # fmt: skip
        assert (paid.net("progressive"), paid.line("progressive").odds) == ("8999.00", "100 %")


@pytest.mark.clause("SD-18-b")
@pytest.mark.parametrize(
    ("hand", "net"),
    [(("7c Kd", "7s Kh 9d 4c 2s"), "-1.00"), (("7c Kd", "7s Kh 9d 7d 2s"), "-1.00"), (THREE, "8.00")],
    ids=["two pair", "two pair in five cards, a full house in seven", "three of a kind"],
)
def test_the_link_table_loses_below_three_of_a_kind(hand: tuple[str, str], net: str) -> None:
    paid = bet("PMG-01", hand)
    assert (paid.net("progressive"), paid.meters) == (net, {"main": "20000.00"})
    assert (paid.clause("progressive") == "SD-18-b") == (net == "-1.00")


@pytest.mark.clause("SD-18-UTHP01-a")
def test_uthp01_pays_the_whole_meter_for_a_royal_in_the_first_five() -> None:
    paid = bet("UTHP-01", ROYAL, meter="12345.00")
    assert (paid.net("progressive"), paid.clause("progressive")) == ("12344.00", "SD-18-UTHP01-a")


@pytest.mark.clause("SD-18-UTHP01-b")
def test_uthp01_pays_five_percent_for_a_royal_in_the_first_seven() -> None:
    paid = bet("UTHP-01", LATE_ROYAL, meter="12000")
    assert (paid.net("progressive"), paid.meters) == ("599.00", {"main": "11400.00"})
    assert paid.clause("progressive") == "SD-18-UTHP01-b"


@pytest.mark.parametrize(
    ("table", "net", "clause"),
    [
        pytest.param("UTHP-01", "2999.00", "SD-18-UTHP01-c", marks=pytest.mark.clause("SD-18-UTHP01-c")),
        pytest.param("UTHP-02", "999.00", "SD-18-UTHP02-b", marks=pytest.mark.clause("SD-18-UTHP02-b")),
    ],
)
def test_a_royal_on_the_board_is_paid_to_each_bettor_from_the_tray(
    table: str, net: str, clause: str
) -> None:
    seats: list[dict[str, Any]] = [
        {"hole": "2c 2d", "trips": "5", "progressive": "1"},
        {"hole": "9c 8d", "trips": "5", "progressive": "1"},
        {"hole": "9d 8c", "trips": "5"},
    ]
    paid = settled(
        BOOK, "As Ks Qs Js Ts", "3c 3d", *seats, tables={"progressive": table}, meters={"main": "12000"}
    )
    assert [(x.seat, x.net, x.clause) for x in paid.lines("progressive")] == [
        (2, net, clause),
        (1, net, clause),
    ]
    assert paid.meters == {"main": "12000.00"}


@pytest.mark.parametrize(
    ("table", "quads", "clause"),
    [
        pytest.param("UTHP-01", "99.00", "SD-18-UTHP01-d", marks=pytest.mark.clause("SD-18-UTHP01-d")),
        pytest.param("UTHP-02", "74.00", "SD-18-UTHP02-c", marks=pytest.mark.clause("SD-18-UTHP02-c")),
    ],
)
def test_the_fixed_payments_of_uthp_end_with_a_full_house(table: str, quads: str, clause: str) -> None:
    straight_flush = ("7h 8h", "9h Th 2c Jh 2d")
    hands = (straight_flush, QUADS, FULL_HOUSE, FLUSH, STRAIGHT, THREE)
    paid = [bet(table, hand) for hand in hands]
    assert [p.net("progressive") for p in paid] == ["249.00", quads, "9.00", "-1.00", "-1.00", "-1.00"]
    assert {p.clause("progressive") for p in paid} == {clause}
    assert {p.meters["main"] for p in paid} == {"20000.00"}


@pytest.mark.clause("SD-18-UTHP02-a")
@pytest.mark.parametrize("hand", [ROYAL, LATE_ROYAL], ids=["in the first five", "in the first seven"])
def test_uthp02_pays_the_whole_meter_for_any_royal(hand: tuple[str, str]) -> None:
    paid = bet("UTHP-02", hand, meter="9000")
    assert (paid.net("progressive"), paid.clause("progressive")) == ("8999.00", "SD-18-UTHP02-a")


@pytest.mark.clause("SD-18-PMG-a")
@pytest.mark.parametrize(("table", "wrong", "right"), [("PMG-01", "5", "1"), ("PMG-02", "1", "5")])
def test_each_link_table_is_played_with_its_printed_wager(table: str, wrong: str, right: str) -> None:
    fields: dict[str, Any] = {"hole": THREE[0], "trips": "5", "tables": {"progressive": table}}
    (no,) = refused(BOOK, THREE[1], "3c 3h", **fields, progressive=wrong)
    assert (no.code, no.clause) == ("progressive-amount", "SD-18-PMG-a")
    paid = settled(BOOK, THREE[1], "3c 3h", **fields, progressive=right)
    assert paid.line("progressive").stake == f"{right}.00"


@pytest.mark.clause("SD-18-PMG-b")
@pytest.mark.parametrize(
    ("hand", "one", "five"),
    [
        (ROYAL, "19999.00", "19995.00"),
        (("7h 8h", "9h Th Jh 2c 2d"), "1999.00", "1995.00"),
        (QUADS, "299.00", "1495.00"),
        (("Kh 7d", "Ks Kd 7c 7h 2s"), "49.00", "245.00"),
        (FLUSH, "39.00", "195.00"),
        (STRAIGHT, "29.00", "145.00"),
        (THREE, "8.00", "40.00"),
    ],
    ids=["royal", "straight flush", "quads", "full house", "flush", "straight", "three of a kind"],
)
def test_both_link_tables_pay_the_same_multiples(hand: tuple[str, str], one: str, five: str) -> None:
    assert bet("PMG-01", hand).net("progressive") == one
    assert bet("PMG-02", hand, stake="5").net("progressive") == five


@pytest.mark.clause("SD-18-d")
def test_the_progressive_wager_is_never_returned() -> None:
    paid = settled(
        BOOK, FLUSH[1], "3c 3h", hole=FLUSH[0], ante="5", play=1, progressive="1",
        tables={"progressive": "PMG-01"},
    )  # fmt: skip
    assert (paid.line("progressive").odds, paid.net("progressive")) == ("40 for 1", "39.00")
    seat = paid.settlement.seats[0]
    # Ante, blind and play of $5 win $5, $7.50 and $5 and are returned; the $40 is paid without the $1 wager.
    assert (seat.staked, seat.returned) == ("16.00", "72.50")
    # The royal flush on the board is printed as "to 1", but the $1 wager is not returned either.
    board = settled(
        BOOK, "As Ks Qs Js Ts", "3c 3h", hole="2c 2d", ante="5", play=1, progressive="1",
        tables={"progressive": "UTHP-01"},
    )  # fmt: skip
    assert (board.line("progressive").odds, board.net("progressive")) == ("3000 to 1", "2999.00")


@pytest.mark.clause("SD-18-e", "SD-18.a.vi-b")
def test_the_seed_scales_with_the_wager() -> None:
    ten: dict[str, Any] = {"house": {"seed": {"main": "10000"}}}
    assert bet("UTHP-02", ROYAL, meter="31000", **ten).meters == {"main": "10000.00"}
    assert bet("UTHP-02", ROYAL, meter="31000", stake="2", **ten).meters == {"main": "20000.00"}
    changed: dict[str, Any] = {"house": {"seed": {"main": "10000"}, "progressive_wager": "2"}}
    assert bet("PMG-01", ROYAL, stake="2", **changed).meters == {"main": "20000.00"}


@pytest.mark.clause("SD-18-e")
def test_only_the_changed_wager_is_accepted() -> None:
    fields: dict[str, Any] = {"hole": THREE[0], "trips": "5", "tables": {"progressive": "PMG-01"}}
    fields["house"] = {"progressive_wager": "2"}
    (no,) = refused(BOOK, THREE[1], "3c 3h", **fields, progressive="1")
    assert (no.code, no.clause) == ("progressive-amount", "SD-18-e")
    assert settled(BOOK, THREE[1], "3c 3h", **fields, progressive="2").net("progressive") == "16.00"


@pytest.mark.clause("SD-18.a.i", "SD-18.a.vi-a")
@pytest.mark.parametrize(
    ("table", "hand", "net", "left"),
    [
        ("PMG-01", ("7h 8h", "9h Th Jh 2c 2d"), "1999.00", "18000.00"),
        ("UTHP-01", LATE_ROYAL, "999.00", "19000.00"),
    ],
    ids=["ten percent", "five percent"],
)
def test_a_percentage_is_taken_off_the_meter(
    table: str, hand: tuple[str, str], net: str, left: str
) -> None:
    paid = bet(table, hand)
    assert (paid.net("progressive"), paid.meters) == (net, {"main": left})


@pytest.mark.clause("SD-18.a.i")
def test_a_share_is_paid_in_whole_cents_and_the_rest_stays() -> None:
    paid = bet("UTHP-01", LATE_ROYAL, meter="10000.19")
    assert (paid.net("progressive"), paid.meters) == ("499.00", {"main": "9500.19"})


@pytest.mark.clause("SD-18.a.ii", "SD-18.a.vi-a")
@pytest.mark.parametrize(
    ("table", "hand", "net"),
    [
        ("PMG-01", ("Kh 7d", "Ks Kd 7c 7h 2s"), "49.00"),
        ("PMG-01", THREE, "8.00"),
        ("UTHP-01", FULL_HOUSE, "9.00"),
        ("UTHP-02", QUADS, "74.00"),
    ],
    ids=["$50", "$9", "$10", "$75"],
)
def test_other_awards_leave_the_meter_alone(table: str, hand: tuple[str, str], net: str) -> None:
    paid = bet(table, hand)
    assert (paid.net("progressive"), paid.meters) == (net, {"main": "20000.00"})


@pytest.mark.clause("SD-18.a.iv")
def test_a_supervisor_is_contacted_for_every_progressive_winner() -> None:
    won = bet("PMG-01", THREE).settlement.approvals
    assert [(a.seat, a.wager, a.amount, a.who, a.clause) for a in won] == [
        (1, "progressive", "9.00", "supervisor", "SD-18.a.iv")
    ]
    assert bet("PMG-01", ("7c Kd", "7s Kh 9d 4c 2s")).settlement.approvals == []
