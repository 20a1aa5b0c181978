"""Acceptance checks of the second settler for Ultimate Texas Hold'em, with expected amounts written by hand."""

from typing import Any

import pytest

from houseway.second_settler import settle

BOOKS = ("uth-sd", "uth-card", "uth-proc", "uth-ma")
LOW = "Qd 9s 7h 4c 2d"  # the board most checks use
SEVENS = ("7c 7d", "7s Kh 9d 4c 2s", "Kc Kd")  # three sevens lose to three kings
STRAIGHT = ("Jc Td", "9s 8h 7d Kc 2c", "Kd Ks")
TIE = ("2c 2d", "As Ks Qd Jc Th", "3c 3d")
# A winning hand of each class, royal flush down to straight: hole, board, dealer.
WINNERS = (
    ("As Ks", "Qs Js Ts 4d 4c", "2c 3d"),
    ("7h 8h", "9h Th Jh 2c 2d", "Ac Kd"),
    ("9c 9d", "9h 9s 4d Kc 2s", "3h 5c"),
    ("Kh 3d", "Ks Kd 7c 7h 2s", "4c 5d"),
    ("Qh 4h", "Ah 9h 6h Kc 2d", "As Kd"),
    STRAIGHT,
)


def settle_one_seat(book: str, cards: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    """A round of one seat; tables, meters, house, limits and mode go to the round."""
    data: dict[str, Any] = {"rulebook": book, "board": cards[1], "dealer": cards[2]}
    for key in ("tables", "meters", "house", "limits", "mode"):
        if key in more:
            data[key] = more.pop(key)
    data["seats"] = [{"seat": 1, "hole": cards[0], **more}]
    return settle(data)


def nets(output: dict[str, Any]) -> dict[str, str]:
    """Net by wager, in line order."""
    assert "refused" not in output, output
    return {line["wager"]: line["net"] for line in output["lines"]}


def order(output: dict[str, Any]) -> list[tuple[int, str]]:
    """Seats and wagers in line order."""
    return [(line["seat"], line["wager"]) for line in output["lines"]]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("cards", "play", "ante", "blind", "played"),
    [
        (("As Ah", LOW, "Qc 3s"), 4, "10.00", "0.00", "40.00"),
        (("9c 8s", LOW, "Qc 3s"), 1, "-10.00", "-10.00", "-10.00"),
        (("As Ah", LOW, "Kc 8c"), 4, "0.00", "0.00", "40.00"),
        (("Kh 5s", LOW, "Ac 8c"), 1, "0.00", "-10.00", "-10.00"),
        (("Qh 5s", LOW, "As Ah"), 1, "-10.00", "-10.00", "-10.00"),
        (("As Ah", "Qd Qs 7h 4c 2d", "Kc 8c"), 4, "10.00", "0.00", "40.00"),
        (TIE, 2, "0.00", "0.00", "0.00"),
        (STRAIGHT, 4, "10.00", "10.00", "40.00"),
        (("7c 6d", "Ts 9s 8h 2c 3c", "Qh Jd"), 1, "-10.00", "-10.00", "-10.00"),
        (("Ah 2c", "3d 4s 5h Kc Kd", "Qc Jc"), 3, "10.00", "10.00", "30.00"),
        (("8c 3d", LOW, "Kc 8h"), 0, "-10.00", "-10.00", None),
    ],
)
def test_ante_blind_and_play_are_settled_by_result(
    book: str, cards: tuple[str, str, str], play: int, ante: str, blind: str, played: str | None
) -> None:
    output = nets(settle_one_seat(book, cards, ante="10", play=play))
    assert (output["ante"], output["blind"], output.get("play")) == (ante, blind, played)


@pytest.mark.parametrize("book", BOOKS)
def test_the_blind_pays_by_class_of_hand(book: str) -> None:
    paid = [nets(settle_one_seat(book, cards, ante="10", play=1))["blind"] for cards in WINNERS]
    assert paid == ["5000.00", "500.00", "100.00", "30.00", "15.00", "10.00"]


@pytest.mark.parametrize(
    ("book", "table", "clause", "pays"),
    [
        ("uth-sd", "UTH-01", "SD-17-t1", (500, 400, 300, 90, 70, 40, 30)),
        ("uth-sd", "UTH-02", "SD-17-t2", (500, 400, 300, 80, 60, 50, 30)),
        ("uth-sd", "UTH-03", "SD-17-t3", (500, 400, 300, 80, 70, 40, 30)),
        ("uth-sd", "UTH-04", "SD-17-t4", (500, 400, 200, 70, 60, 50, 30)),
        ("uth-card", "CARD", "CARD-24", (500, 400, 300, 80, 60, 50, 30)),
        ("uth-ma", "A", "MA-10.d-A", (500, 400, 300, 90, 70, 40, 30)),
        ("uth-ma", "B", "MA-10.d-B", (500, 400, 300, 80, 60, 50, 30)),
        ("uth-ma", "C", "MA-10.d-C", (500, 400, 300, 80, 70, 40, 30)),
        ("uth-ma", "D", "MA-10.d-D", (500, 400, 200, 70, 60, 50, 30)),
        ("uth-proc", "B", "PROC-Q.7", (500, 400, 300, 80, 60, 50, 30)),
        ("uth-proc", "D", "PROC-Q.7", (500, 400, 200, 70, 60, 50, 30)),
    ],
)
def test_each_trips_table_pays_as_printed(
    book: str, table: str, clause: str, pays: tuple[int, ...]
) -> None:
    for cards, amount in zip((*WINNERS, SEVENS), pays, strict=True):
        output = settle_one_seat(book, cards, tables={"trips": table}, ante="10", play=0, trips="10")
        line = output["lines"][-1]
        assert (line["wager"], line["net"], line["clause"]) == ("trips", f"{amount}.00", clause)


@pytest.mark.parametrize("book", BOOKS)
def test_trips_is_paid_to_losing_and_folded_hands(book: str) -> None:
    assert nets(settle_one_seat(book, SEVENS, ante="10", play=1, trips="5")) == {
        "ante": "-10.00",
        "blind": "-10.00",
        "play": "-10.00",
        "trips": "15.00",
    }
    folded = settle_one_seat(book, SEVENS, ante="10", play=0, trips="5")
    assert nets(folded) == {"ante": "-10.00", "blind": "-10.00", "trips": "15.00"}
    assert folded["seats"] == [{"seat": 1, "staked": "25.00", "returned": "20.00", "net": "-5.00"}]
    lost = settle_one_seat(book, ("8c 3d", LOW, "Kc 8h"), ante="10", play=0, trips="5")
    assert lost["seats"][0]["net"] == "-25.00"
    two_pair = nets(settle_one_seat(book, ("Qh 9h", LOW, "Kc 8c"), ante="10", play=1, trips="5"))
    assert two_pair["trips"] == "-5.00"


def test_trips_is_paid_on_a_tie_and_without_an_ante_in_south_dakota() -> None:
    tie = settle_one_seat("uth-sd", TIE, tables={"trips": "UTH-01"}, ante="10", play=2, trips="5")
    assert nets(tie)["trips"] == "20.00"
    assert nets(settle_one_seat("uth-sd", SEVENS, trips="5")) == {"trips": "15.00"}


def test_three_to_two_is_rounded_by_the_house_setting() -> None:
    flush = WINNERS[4]
    assert nets(settle_one_seat("uth-proc", flush, ante="5", play=1))["blind"] == "7.50"
    for rounding, won in (("down", "7.51"), ("up", "7.52"), ("nearest", "7.52")):
        output = settle_one_seat("uth-ma", flush, house={"rounding": rounding}, ante="5.01", play=1)
        assert nets(output)["blind"] == won


SEATS = [
    {"seat": 1, "hole": "As Ah", "ante": "5", "trips": "5", "play": 4},
    {"seat": 2, "hole": "8d 3d", "ante": "5", "trips": "5", "play": 0},
    {"seat": 3, "hole": "4d 4h", "ante": "5", "trips": "5", "play": 0},
    {"seat": 4, "hole": "6c 3h", "ante": "5", "play": 0},
    {"seat": 5, "hole": "Kh 5s", "ante": "5", "play": 1},
]


def test_south_dakota_settles_in_the_order_of_its_document() -> None:
    seats = [{**seat, "progressive": "1"} for seat in SEATS]
    data = {"rulebook": "uth-sd", "board": LOW, "dealer": "Kc 8c", "seats": seats}
    folds = [(4, "ante"), (4, "blind"), (3, "ante"), (3, "blind"), (3, "trips")]
    folds += [(2, "ante"), (2, "blind"), (2, "trips")]
    rest = [(5, "play"), (5, "ante"), (5, "blind")]
    rest += [(1, "play"), (1, "ante"), (1, "blind"), (1, "trips")]
    assert order(settle(data)) == folds + rest + [(n, "progressive") for n in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize("book", ["uth-card", "uth-ma"])
def test_massachusetts_and_the_card_settle_in_the_order_of_their_documents(book: str) -> None:
    extra = {"progressive": "5", "cover_all": "5"} if book == "uth-ma" else {}
    seats = [{**seat, **extra} for seat in SEATS]
    output = settle({"rulebook": book, "board": LOW, "dealer": "Kc 8c", "seats": seats})
    expected = [(2, "ante"), (2, "blind"), (3, "ante"), (3, "blind"), (4, "ante"), (4, "blind")]
    expected += [(5, "ante"), (5, "blind"), (5, "play"), (5, "progressive")]
    expected += [(1, "ante"), (1, "blind"), (1, "play"), (1, "trips"), (1, "progressive")]
    # The progressive of a folded hand is not collected at the fold. It is settled later, with the other wagers
    # that folded hands keep.
    expected += [(4, "progressive"), (3, "trips"), (3, "progressive"), (2, "trips"), (2, "progressive")]
    expected += [(n, "cover_all") for n in (5, 4, 3, 2, 1)]
    if book == "uth-card":
        expected = [pair for pair in expected if pair[1] not in extra and pair[1] in PLAIN]
    assert order(output) == expected
    fold = "MA-9.e.2" if book == "uth-ma" else "CARD-13"
    assert output["lines"][0]["clause"] == fold


PLAIN = ("ante", "blind", "play", "trips")


def test_the_casino_procedures_settle_in_one_or_two_passes() -> None:
    data = {"rulebook": "uth-proc", "board": LOW, "dealer": "Kc 8c", "seats": SEATS}
    folds = [(2, "ante"), (2, "blind"), (2, "trips"), (4, "ante"), (4, "blind")]
    tucked = [(3, "ante"), (3, "blind"), (3, "trips")]
    two_pass = [*folds, (5, "ante"), (1, "ante"), (5, "blind"), (5, "play"), *tucked]
    output = settle(data)
    assert order(output) == [*two_pass, (1, "blind"), (1, "play"), (1, "trips")]
    assert {line["clause"] for line in output["lines"][:2]} == {"PROC-D.7-a"}
    assert [line["clause"] for line in output["lines"] if line["seat"] == 3] == [
        "PROC-N.note-c",
        "PROC-N.note-c",
        "PROC-Q.7",
    ]
    one_pass = settle({**data, "house": {"ante_return": "in_sequence"}})
    in_turn = [*folds, (5, "ante"), (5, "blind"), (5, "play"), *tucked, (1, "ante"), (1, "blind")]
    assert order(one_pass) == [*in_turn, (1, "play"), (1, "trips")]
    assert one_pass["seats"] == output["seats"]


def test_tips_are_settled_with_their_wagers() -> None:
    win = settle_one_seat("uth-sd", ("As Ah", LOW, "Qc 3s"), ante="10", play=4, tips={"ante": "2"})
    assert win["dealer_tips"] == "4.00"
    assert win["seats"] == [{"seat": 1, "staked": "62.00", "returned": "110.00", "net": "48.00"}]
    tips = {"ante": "2", "play": "8", "blind": "1", "trips": "1"}
    straight = settle_one_seat("uth-sd", STRAIGHT, ante="10", play=4, tips=tips)
    assert [(x["wager"], "for" in x, x["net"]) for x in straight["lines"]] == [
        ("play", False, "40.00"),
        ("play", True, "8.00"),
        ("ante", False, "10.00"),
        ("ante", True, "2.00"),
        ("blind", False, "10.00"),
        ("blind", True, "1.00"),
        ("trips", True, "5.00"),
    ]
    assert straight["dealer_tips"] == "28.00"
    assert settle_one_seat("uth-sd", TIE, ante="10", play=4, tips={"ante": "2"})["dealer_tips"] == "2.00"
    assert settle_one_seat("uth-sd", SEVENS, ante="10", play=0, tips={"ante": "2"})["dealer_tips"] == "0.00"


def test_a_match_play_coupon_wins_one_to_one_and_never_loses_money() -> None:
    on = {"house": {"match_play": True}, "ante": "10", "match_play": "10"}
    win = settle_one_seat("uth-ma", ("As Ah", LOW, "Qc 3s"), play=4, **on)
    assert win["lines"][1] == {
        "seat": 1,
        "hand": 1,
        "wager": "ante",
        "stake": "0.00",
        "coupon": "10.00",
        "result": "win",
        "odds": "1 to 1",
        "net": "10.00",
        "clause": "MA-6.a-b",
    }
    assert win["seats"][0] == {"seat": 1, "staked": "60.00", "returned": "120.00", "net": "60.00"}
    for cards, result in ((SEVENS, "lose"), (TIE, "push")):
        line = settle_one_seat("uth-ma", cards, play=1, **on)["lines"][1]
        assert (line["result"], line["net"], line["coupon"]) == (result, "0.00", "10.00")


def test_limits_on_winnings_cut_the_last_wagers() -> None:
    royal = WINNERS[0]
    bets = {"ante": "120", "play": 4, "trips": "20"}
    card = settle_one_seat("uth-card", royal, **bets)
    cap = {"seat": 1, "hand": 1, "clause": "CARD-25", "limit": "50000.00", "due": "61600.00"}
    assert card["caps"] == [{**cap, "paid": "50000.00"}]
    assert nets(card) == {"ante": "120.00", "blind": "49880.00", "play": "0.00", "trips": "0.00"}
    assert [line.get("cut") for line in card["lines"]] == [None, "10120.00", "480.00", "1000.00"]
    ma = settle_one_seat("uth-ma", royal, limits={"ante": {"min": "10"}}, **bets)
    assert ma["caps"][0]["paid"] == "50000.00"
    ma = settle_one_seat("uth-ma", royal, limits={"ante": {"min": "100"}}, **{**bets, "trips": "100"})
    assert (ma["caps"][0]["clause"], ma["caps"][0]["limit"]) == ("MA-10.e", "55500.00")
    both = settle_one_seat(
        "uth-ma", royal, cover_all="150", progressive="5", meters={"main": "100000"}, **bets
    )
    assert [(c["clause"], c["due"], c["paid"]) for c in both["caps"]] == [
        ("MA-10.e", "61600.00", "50000.00"),
        ("MA-13.d", "80000.00", "75000.00"),
    ]
    assert nets(both)["cover_all"] == "25000.00"
    assert nets(both)["progressive"] == "99995.00"
    huge = settle_one_seat("uth-ma", royal, limits={"ante": {"min": "200"}}, ante="250", play=4)
    assert [(c["clause"], c["limit"], c["due"]) for c in huge["caps"]] == [
        ("MA-10.e", "111000.00", "126250.00"),
        ("MA-13.d", "75000.00", "111000.00"),
    ]


def test_the_casino_procedures_need_approval_and_have_a_maximum_payout() -> None:
    royal = WINNERS[0]
    output = settle_one_seat("uth-proc", royal, ante="25", play=4)
    assert nets(output)["blind"] == "12500.00"
    assert [(a["wager"], a["amount"], a["who"]) for a in output["approvals"]] == [
        ("blind", "12500.00", "floor supervisor")
    ]
    capped = settle_one_seat("uth-proc", royal, house={"max_payout": "10000"}, ante="25", play=4)
    assert capped["caps"][0]["due"] == "12625.00"
    assert nets(capped) == {"ante": "25.00", "blind": "9975.00", "play": "0.00"}
    quads = settle_one_seat("uth-proc", WINNERS[2], ante="10", play=4, trips="10")
    assert nets(quads)["trips"] == "300.00"
    assert quads["approvals"] == []
