"""Acceptance checks of the second settler for progressives, envy and Cover All."""

from typing import Any

import pytest

from houseway.second_settler import settle
from second_settler.test_plain import nets, order, settle_one_seat

FIVES = {  # hole, board: class made on the first five cards
    "royal": ("As Ks", "Qs Js Ts 4d 4c"),
    "straight flush": ("7h 8h", "9h Th Jh 2c 2d"),
    "four": ("9c 9d", "9h 9s 4d Kc 2s"),
    "full house": ("9c 9d", "9h 4s 4d Kc 2s"),
    "flush": ("2h 8h", "9h Th Jh 2c 2d"),
    "straight": ("7c 8h", "9h Th Jh 2c 2d"),
    "three": ("9c 9d", "9h 4s 2d 4c Kd"),
    "two pair": ("9c 4d", "9h 4s 2d 7c Kd"),
}


def paid(book: str, table: str, made: str, stake: str, **more: Any) -> tuple[str, dict[str, str]]:
    """The net of the progressive, and the meters after the round."""
    hole, board = FIVES[made]
    more = {"tables": {"progressive": table}, "ante": "10", "play": 1, **more}
    output = settle_one_seat(book, (hole, board, "3c 5d"), progressive=stake, **more)
    return nets(output)["progressive"], output["meters"]


@pytest.mark.parametrize(
    ("book", "table", "stake", "fixed"),
    [
        ("uth-sd", "PMG-01", 1, (300, 50, 40, 30, 9, 0)),
        ("uth-sd", "PMG-02", 5, (300, 50, 40, 30, 9, 0)),
        ("uth-ma", "PTMGL01", 5, (300, 50, 40, 30, 9, 0)),
        ("uth-ma", "PTMGL02", 5, (300, 50, 40, 30, 9, 0)),
        ("uth-ma", "PTMGL04", 5, (300, 50, 40, 30, 9, 0)),
        ("uth-ma", "PTMGLML01", 5, (300, 50, 40, 30, 9, 0)),
        ("uth-ma", "PTMGLML02", 5, (None, 50, 40, 30, 10, 0)),
        ("uth-ma", "PTMGLML03", 5, (None, 50, 40, 30, 9, 0)),
    ],
)
def test_fixed_progressive_awards_pay_as_printed(
    book: str, table: str, stake: int, fixed: tuple[int | None, ...]
) -> None:
    for made, times in zip(list(FIVES)[2:], fixed, strict=True):
        if times is None:
            continue
        net, _ = paid(book, table, made, str(stake))
        assert net == f"{times * stake - stake}.00", made


@pytest.mark.parametrize(
    ("book", "table", "made", "before", "award", "after"),
    [
        ("uth-sd", "PMG-01", "straight flush", {"main": "20000"}, 2000, {"main": "18000.00"}),
        ("uth-sd", "PMG-01", "royal", {"main": "31000"}, 31000, {"main": "10000.00"}),
        ("uth-sd", "PMG-01", "full house", {"main": "20000"}, 50, {"main": "20000.00"}),
        ("uth-sd", "UTHP-01", "royal", {"main": "12345"}, 12345, {"main": "10000.00"}),
        ("uth-sd", "UTHP-02", "royal", {"main": "9000"}, 9000, {"main": "10000.00"}),
        ("uth-ma", "PTMGL01", "straight flush", {"main": "60000"}, 6000, {"main": "54000.00"}),
        ("uth-ma", "PTMGL01", "royal", {}, 50000, {"main": "50000.00"}),
        ("uth-ma", "PTMGL04", "straight flush", {"main": "7000"}, 7000, {"main": "5000.00"}),
        ("uth-ma", "PTMGL04", "royal", {"main": "7000"}, 7000, {"main": "5000.00"}),
        (
            "uth-ma",
            "PTMGLML01",
            "straight flush",
            {"major": "80000", "minor": "6200"},
            6200,
            {"major": "80000.00", "minor": "5000.00"},
        ),
        (
            "uth-ma",
            "PTMGLML02",
            "four",
            {"minor": "1900"},
            1900,
            {"mega": "50000.00", "major": "5000.00", "minor": "1250.00"},
        ),
    ],
)
def test_a_share_of_the_meter_is_paid_and_taken_off_it(
    book: str, table: str, made: str, before: dict[str, str], award: int, after: dict[str, str]
) -> None:
    stake = 5 if book == "uth-ma" else 1
    net, meters = paid(book, table, made, str(stake), meters=before)
    assert (net, meters) == (f"{award - stake}.00", after)


def test_the_reserve_and_the_seed_follow_the_size_of_the_wager() -> None:
    house: dict[str, Any] = {"reserve": {"main": "750"}}
    net, meters = paid("uth-sd", "PMG-01", "royal", "1", meters={"main": "31000"}, house=house)
    assert (net, meters) == ("30999.00", {"main": "10750.00"})
    house = {"progressive_wager": "2"}
    net, meters = paid("uth-sd", "PMG-01", "royal", "2", house=house)
    assert (net, meters) == ("19998.00", {"main": "20000.00"})


@pytest.mark.parametrize(
    ("table", "hole", "board", "award", "odds", "clause"),
    [
        ("UTHP-01", "As Ks", "Qs Js 4d Ts 2c", 600, "5 %", "SD-18-UTHP01-b"),
        ("UTHP-01", "2c 3d", "As Ks Qs Js Ts", 3000, "3000 to 1", "SD-18-UTHP01-c"),
        ("UTHP-01", "7h 8h", "9h Th 2c Jh 2d", 250, "250 for 1", "SD-18-UTHP01-d"),
        ("UTHP-01", "9c 9d", "9h 9s 4d Kc 2s", 100, "100 for 1", "SD-18-UTHP01-d"),
        ("UTHP-01", "9c 9d", "9h 4h 4d Kc 2s", 10, "10 for 1", "SD-18-UTHP01-d"),
        ("UTHP-01", "Qh 4h", "Ah 9h 6h Kc 2d", 0, None, "SD-18-UTHP01-d"),
        ("UTHP-02", "As Ks", "Qs Js 4d Ts 2c", 12000, "100 %", "SD-18-UTHP02-a"),
        ("UTHP-02", "2c 3d", "As Ks Qs Js Ts", 1000, "1000 to 1", "SD-18-UTHP02-b"),
        ("UTHP-02", "9c 9d", "9h 9s 4d Kc 2s", 75, "75 for 1", "SD-18-UTHP02-c"),
        ("UTHP-02", "7c 7d", "7s Kh 9d 4c 2s", 0, None, "SD-18-UTHP02-c"),
    ],
)
def test_seven_card_progressive_tables_pay_as_printed(
    table: str, hole: str, board: str, award: int, odds: str | None, clause: str
) -> None:
    output = settle_one_seat(
        "uth-sd",
        (hole, board, "3c 5d"),
        tables={"progressive": table},
        meters={"main": "12000"},
        trips="5",
        progressive="1",
    )
    line = output["lines"][-1]
    assert (line["net"], line.get("odds"), line["clause"]) == (f"{award - 1}.00", odds, clause)
    if odds:
        assert output["approvals"][0]["amount"] == f"{award}.00"
        assert output["approvals"][0]["clause"] == "SD-18.a.iv"
    left = {"5 %": "11400.00", "100 %": "10000.00"}.get(odds or "", "12000.00")
    assert output["meters"] == {"main": left}


def table_of(book: str, board: str, holes: dict[int, str], **more: Any) -> dict[str, Any]:
    """Several seats, all with ante 10 and play 1x by default."""
    each = more.pop("each", {})
    seats = [
        {"seat": number, "hole": hole, "ante": "10", "play": 1} | each.get(number, {})
        for number, hole in holes.items()
    ]
    return settle({"rulebook": book, "board": board, "dealer": "3c 3d", "seats": seats, **more})


@pytest.mark.parametrize(
    ("awards", "first", "second", "left"),
    [("sequential", "21999.00", "999.00", "9000.00"), ("shared", "19999.00", "1999.00", "10000.00")],
)
def test_two_percentage_awards_in_one_round_are_sequential_or_shared(
    awards: str, first: str, second: str, left: str
) -> None:
    bet = {"progressive": "1"}
    output = table_of(
        "uth-sd",
        "Th Jh Qh 2c 5d",
        {2: "8h 9h", 5: "Ah Kh"},
        each={2: bet, 5: bet},
        meters={"main": "22000"},
        house={"awards": awards},
    )
    lines = [line for line in output["lines"] if line["wager"] == "progressive"]
    assert [(x["seat"], x["net"]) for x in lines] == [(5, first), (2, second)]
    assert output["meters"] == {"main": left}
    assert [a["seat"] for a in output["approvals"]] == [5, 2]


def test_south_dakota_pays_envy_to_other_progressive_bettors() -> None:
    bet = {"progressive": "1"}
    holes = {1: "7h 8h", 2: "Qh Kh", 4: "Ac Ad"}
    output = table_of("uth-sd", "9h Th Jh 2c 5d", holes, each=dict.fromkeys(holes, bet))
    envy = [line for line in output["lines"] if line["wager"] == "envy"]
    assert [(x["seat"], x["from"]["seat"], x["net"]) for x in envy] == [
        (4, 2, "300.00"),
        (4, 1, "300.00"),
        (2, 1, "300.00"),
        (1, 2, "300.00"),
    ]
    assert {x["clause"] for x in envy} == {"SD-18-PMG-c"}
    alone = table_of("uth-sd", "Qs Js Ts 4d 4c", {1: "2c 2d", 3: "As Ks"}, each={1: bet})
    assert order(alone)[-2:] == [(1, "progressive"), (1, "envy")]
    assert alone["lines"][-1]["net"] == "1000.00"
    five = {"progressive": "5"}
    pmg = table_of(
        "uth-sd",
        "9h Th Jh 2c 5d",
        {1: "7h 8h", 2: "Ac Ad"},
        each={2: five},
        tables={"progressive": "PMG-02"},
    )
    assert (pmg["lines"][-1]["net"], pmg["lines"][-1]["clause"]) == ("1500.00", "SD-18-PMG-d")


@pytest.mark.parametrize(
    ("table", "royal", "straight"),
    [
        ("PTMGL01", "5000.00", "1500.00"),
        ("PTMGL02", "5000.00", "1500.00"),
        ("PTMGL04", "1250.00", "1250.00"),
        ("PTMGLML01", "5000.00", "1500.00"),
        ("PTMGLML02", "5000.00", "1500.00"),
        ("PTMGLML03", "5000.00", "1500.00"),
    ],
)
def test_massachusetts_pays_envy_by_the_progressive_table(table: str, royal: str, straight: str) -> None:
    for hole, amount in (("As Ks", royal), ("8s 9s", straight)):
        output = table_of(
            "uth-ma",
            "Qs Js Ts 4d 4c",
            {1: "2c 2d", 3: hole},
            each={1: {"progressive": "5", "cover_all": "5", "play": 0}},
            tables={"progressive": table},
        )
        last = output["lines"][-1]
        assert (last["wager"], last["seat"], last["net"]) == ("envy", 1, amount)
        assert (last["from"], last["clause"]) == ({"seat": 3, "hand": 1}, f"MA-13.e-{table}-b")


FILL = ["Ac Ad", "Jc Jd", "6c 6d", "8c 8d", "Qc Qd"]


@pytest.mark.parametrize(
    ("hands", "pays", "clause"),
    [
        (7, (350, 150, 100, 20), "MA-12.f"),
        (6, (400, 200, 150, 20), "MA-12.k-6"),
        (5, (500, 200, 175, 25), "MA-12.k-5"),
        (4, (625, 350, 200, 30), "MA-12.k-4"),
        (3, (750, 400, 250, 40), "MA-12.k-3"),
        (2, (1000, 500, 350, 60), "MA-12.k-2"),
    ],
)
def test_cover_all_pays_by_the_number_of_hands(hands: int, pays: tuple[int, ...], clause: str) -> None:
    tops = (
        ("As Ks", "Qs Js Ts 4d 4c"),
        ("7h 8h", "9h Th Jh 2s 2d"),
        ("9c 9d", "9h 9s 4d Kc 2s"),
        ("Kh 5d", "Ks Kd 7c 7h 2s"),
    )
    for (hole, board), amount in zip(tops, pays, strict=True):
        board_ranks = {card[0] for card in board.split()}
        fill = [two for two in FILL if two[0] not in board_ranks][: hands - 2]
        fill += ["Ts Tc"] if len(fill) < hands - 2 and "T" not in board_ranks else []
        spare = [c + s for c in "5678" for s in "cd"]
        used = " ".join([hole, board, *fill, "3c 3d"]).split()
        while len(fill) < hands - 2:
            fresh = [card for card in spare if card not in used][:2]
            fill.append(" ".join(fresh))
            used += fresh
        holes = {1: hole} | {at + 2: two for at, two in enumerate(fill)}
        output = table_of("uth-ma", board, holes, each={1: {"cover_all": "5"}})
        line = output["lines"][-1]
        assert (line["net"], line["clause"]) == (f"{amount}.00", clause)


def test_cover_all_counts_only_hands_that_are_still_on_the_table() -> None:
    cover = {"cover_all": "5", "play": 0}
    board = "Ks Kd 7c 7h 2s"
    racked = table_of("uth-ma", board, {1: "Kh 5d", 2: "Ac 4d"}, each={1: cover})
    assert nets(racked)["cover_all"] == "-5.00"
    held = table_of("uth-ma", board, {1: "Kh 5d", 2: "Ac 4d"}, each={1: {**cover, "trips": "1"}})
    assert nets(held)["cover_all"] == "40.00"
    dealer = table_of("uth-ma", "3h 3s 7c 8h 2s", {1: "Kh 5d"}, each={1: cover})
    assert nets(dealer)["cover_all"] == "350.00"
    flush = table_of("uth-ma", "Ah 9h 6h Kc 2d", {1: "Qh 4h"}, each={1: {"cover_all": "5"}})
    assert (flush["lines"][-1]["net"], flush["lines"][-1]["clause"]) == ("-5.00", "MA-12.k")


@pytest.mark.parametrize(
    ("awards", "paid_out", "left"),
    [("sequential", [700001, 575000], 500000), ("shared", [350000, 350000], 575001)],
)
def test_two_awards_of_the_whole_meter_are_sequential_or_shared(
    awards: str, paid_out: list[int], left: int
) -> None:
    bet = {"progressive": "5"}
    output = table_of(
        "uth-ma",
        "9h Th Jh 2c 5d",
        {2: "7h 8h", 5: "Qh Kh"},
        each={2: bet, 5: bet},
        tables={"progressive": "PTMGL04"},
        meters={"main": "7000.01"},
        house={"awards": awards, "reserve": {"main": "750"}},
    )
    lines = [line for line in output["lines"] if line["wager"] == "progressive"]
    assert [line["odds"] for line in lines] == ["100 %", "100 %"]
    assert [round(100 * float(line["net"])) + 500 for line in lines] == paid_out
    assert round(100 * float(output["meters"]["main"])) == left
