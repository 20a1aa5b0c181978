"""Rounds of Ultimate Texas Hold'em that the second settler refuses, with the clause."""

from typing import Any

import pytest

from houseway.second_settler import settle

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"
ROYAL_BOARD = "Qs Js Ts 4d 4c"


def refusing_clauses(book: str, *seats: dict[str, Any], **more: Any) -> list[str | None]:
    """The clauses of the problems; empty if the round settles."""
    data = {"rulebook": book, "board": BOARD, "dealer": DEALER, "seats": list(seats)}
    return [problem["clause"] for problem in settle(data | more).get("refused", [])]


def seat(number: int = 1, hole: str = "As Ah", **bets: Any) -> dict[str, Any]:
    """A seat with a $10 ante and a 1x play by default."""
    whole = {"seat": number, "hole": hole, "ante": "10", "play": 1} | bets
    return {key: value for key, value in whole.items() if value is not None}


ALONE: dict[str, Any] = {"ante": None, "play": None}


@pytest.mark.parametrize(
    ("book", "bets", "clause"),
    [
        ("uth-sd", {"blind": "5"}, "SD-2-e"),
        ("uth-card", {"blind": "5"}, "CARD-5-a"),
        ("uth-proc", {"blind": "5"}, "PROC-D.1-a"),
        ("uth-ma", {"blind": "5"}, "MA-1.ante-a"),
        ("uth-sd", {**ALONE, "blind": "5"}, "SD-2-b"),
        ("uth-card", {**ALONE, "trips": "5"}, "CARD-22"),
        ("uth-proc", {**ALONE, "trips": "5"}, "PROC-D.1-b"),
        ("uth-ma", {**ALONE, "trips": "5"}, "MA-6.c-a"),
        ("uth-sd", ALONE, "SD-2-a"),
        ("uth-ma", {**ALONE, "progressive": "5"}, "MA-13.b"),
        ("uth-sd", {**ALONE, "progressive": "1"}, "SD-2-f"),
        ("uth-ma", {**ALONE, "cover_all": "5"}, "MA-12.a"),
        ("uth-ma", {"progressive": "1"}, "MA-13.a"),
        ("uth-ma", {"progressive": "10"}, "MA-13.a"),
        ("uth-sd", {"progressive": "5"}, "SD-18-PMG-a"),
        ("uth-card", {"progressive": "5"}, "CARD-1"),
        ("uth-proc", {"progressive": "5"}, "PROC-O.1"),
        ("uth-sd", {"cover_all": "5"}, None),
        ("uth-card", {"tips": {"ante": "1"}}, "CARD-1"),
        ("uth-ma", {"tips": {"ante": "1"}}, None),
        ("uth-ma", {"match_play": "10"}, "MA-6.a-b"),
        ("uth-sd", {"play": 5}, "SD-7-b"),
        ("uth-sd", {"play": "4"}, "SD-7-b"),
        ("uth-ma", {"play": None}, "MA-9.e"),
        ("uth-sd", {"ante": None, "trips": "5"}, "SD-2-c"),
        ("uth-sd", {**ALONE, "trips": "5", "tips": {"ante": "1"}}, "SD-3-a"),
        ("uth-sd", {"tips": {"ante": "2", "play": "10"}}, "SD-3-c"),
        ("uth-sd", {"tips": {"play": "2"}}, "SD-3-c"),
        ("uth-sd", {"play": 0, "tips": {"ante": "2", "play": "2"}}, "SD-3-c"),
        ("uth-proc", {"ante": "30"}, "PROC-H.1"),
        ("uth-proc", {"ante": "2"}, "PROC-H.2-a"),
        ("uth-proc", {"trips": "26"}, "PROC-H.1"),
        ("uth-sd", {"ante": "170", "play": 4}, "SD-1-d"),
        ("uth-ma", {"ante": "0"}, None),
        ("uth-ma", {"trips": "-5"}, None),
        ("uth-ma", {"trips": "5.005"}, None),
        ("uth-ma", {"trips": 5.5}, None),
        ("uth-ma", {"trip": "5"}, None),
        ("uth-ma", {"hole": "As"}, None),
        ("uth-ma", {"hole": "As 1h"}, None),
        ("uth-ma", {"hole": "As Qd"}, None),
        ("uth-ma", {"seat": 7}, None),
    ],
)
def test_a_bad_seat_is_refused_with_the_clause(book: str, bets: dict[str, Any], clause: str | None) -> None:
    assert clause in refusing_clauses(book, seat(**bets))


@pytest.mark.parametrize(
    ("book", "more", "clause"),
    [
        ("uth-ma", {"tables": {"trips": "E"}}, "MA-10.d"),
        ("uth-ma", {"tables": {"progressive": "PTMGL03"}}, "MA-13.e-a"),
        ("uth-sd", {"tables": {"trips": "B"}}, None),
        ("uth-sd", {"tables": {"blind": "UTH-01"}}, None),
        ("uth-card", {"tables": {"trips": "B"}}, None),
        ("uth-ma", {"meters": {"mega": "5"}}, None),
        ("uth-card", {"meters": {"main": "5"}}, None),
        ("uth-ma", {"house": {"seed": {"main": "5"}}}, None),
        ("uth-ma", {"house": {"awards": "none"}}, None),
        ("uth-card", {"house": {"max_payout": "5"}}, None),
        ("uth-ma", {"mode": "both"}, None),
        ("uth-ma", {"what": 1}, None),
        ("uth-sd", {"limits": {"ante": {"max": "165"}, "trips": {"max": "35"}}}, "SD-1-c"),
        ("uth-sd", {"limits": {"ante": {"min": "15", "max": "50"}}}, "SD-2-a"),
        ("uth-sd", {"limits": {"ante": {"min": "5"}}}, "SD-1-c"),
        ("uth-sd", {"limits": {"ante": {"max": "5"}}}, "SD-2-d"),
        ("uth-proc", {"limits": {"ante": {"min": "4"}}}, "PROC-H.2-a"),
        ("uth-proc", {"limits": {"ante": {"max": "30"}}}, "PROC-H.1"),
        ("uth-ma", {"limits": {"bonus": {"max": "30"}}}, None),
        ("uth-ma", {"board": "Qd 9s 7h 4c"}, None),
        ("uth-ma", {"dealer": "Qd 3s"}, None),
        ("uth-ma", {"seats": []}, None),
        ("uth-xx", {}, None),
    ],
)
def test_a_bad_round_is_refused_with_the_clause(
    book: str, more: dict[str, Any], clause: str | None
) -> None:
    assert refusing_clauses(book, seat(), **more) == [clause]


def test_rounds_at_a_limit_are_accepted_and_above_it_refused() -> None:
    pmg = {"tables": {"progressive": "PMG-02"}}
    limits = {"ante": {"max": "160"}, "trips": {"max": "35"}}
    assert refusing_clauses("uth-sd", seat(progressive="5"), limits=limits, **pmg) == []
    limits["ante"] = {"max": "165"}
    assert refusing_clauses("uth-sd", seat(progressive="5"), limits=limits, **pmg) == ["SD-1-c"]
    most: dict[str, Any] = {"ante": "150", "trips": "95", "progressive": "5", "tips": {"trips": "5"}}
    assert refusing_clauses("uth-sd", seat(**most, play=4), **pmg) == ["SD-1-d"]
    assert refusing_clauses("uth-sd", seat(**most, play=3), **pmg) == []
    wager = {"house": {"bet_limit_scope": "wager"}}
    assert refusing_clauses("uth-sd", seat(ante="250", play=4), **wager) == []
    assert refusing_clauses("uth-sd", seat(ante="251", play=4), **wager) == ["SD-1-d"]
    assert refusing_clauses("uth-sd", seat(tips={"ante": "2", "play": "8"}, play=4)) == []
    assert refusing_clauses("uth-sd", seat(trips="5", progressive="1", tips={"trips": "1"}, **ALONE)) == []
    assert refusing_clauses("uth-sd", seat(trips="0", progressive="0", cover_all="0")) == []
    assert refusing_clauses("uth-proc", seat(ante="25", play=4)) == []
    assert refusing_clauses("uth-proc", seat(ante="3"), limits={"ante": {"min": "5"}}) == ["PROC-H.2-a"]
    assert refusing_clauses("uth-card", seat(), tables={"trips": "CARD"}) == []
    assert refusing_clauses("uth-ma", seat(hole="as,AH"), mode="manual") == []
    assert refusing_clauses("uth-ma", seat(cover_all="5"), mode="manual") == ["MA-12.d"]
    on = {"house": {"match_play": True}}
    assert refusing_clauses("uth-ma", seat(match_play="10"), **on) == []
    assert refusing_clauses("uth-ma", seat(match_play="11"), **on) == ["MA-6.a-b"]


def test_a_second_seat_for_one_player_is_refused_unless_the_house_allows_it() -> None:
    both = (seat(player="ann"), seat(2, "Kd Kh", player="ann"))
    assert refusing_clauses("uth-card", *both) == ["CARD-29"]
    assert refusing_clauses("uth-ma", *both) == ["MA-11"]
    assert refusing_clauses("uth-sd", *both) == ["house.more_positions"]
    assert refusing_clauses("uth-sd", *both, house={"more_positions": True}) == []
    assert refusing_clauses("uth-ma", seat(), seat(1, "Kd Kh")) == [None]


def test_all_problems_of_a_round_are_reported_together() -> None:
    clauses = refusing_clauses("uth-ma", seat(blind="5"), seat(2, "As Kd", play=9), mode="x", what=1)
    assert len(clauses) == 5
    assert settle([])["refused"]  # type: ignore[arg-type]


def test_a_players_own_royal_flush_pays_no_envy_at_their_second_seat() -> None:
    seats = [
        seat(1, "As Ks", player="ann", progressive="1"),
        seat(2, "2c 2d", player="ann", progressive="1"),
        seat(3, "5c 5d", progressive="1"),
    ]
    data = {"rulebook": "uth-sd", "board": ROYAL_BOARD, "dealer": DEALER, "seats": seats}
    output = settle({**data, "house": {"more_positions": True}})
    envy = [(x["seat"], x["from"]["seat"]) for x in output["lines"] if x["wager"] == "envy"]
    assert envy == [(3, 1)]
