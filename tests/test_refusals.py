"""Every refusal: a stable code, the clause if a document states one, the place, a sentence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import houseway
from houseway.engine.refusals import Refused
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.testing import refused, settled

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"
SEAT: dict[str, Any] = {"seat": 1, "hole": "As Ah", "ante": "10", "play": 4}
FOUR = {"seat": 1, "cards": "As Ad Kh Kd", "hands": ["As Ad"], "wager": "10"}

# code, rulebook, extra fields of the seat, extra fields of the round, clause, place
ULTIMATE: list[tuple[str, str, dict[str, Any], dict[str, Any], str | None, str]] = [
    ("above-maximum", "uth-sd", {}, {"limits": {"ante": {"max": "5"}}}, "SD-2-d", "seats[0].ante"),
    ("above-maximum", "uth-proc", {"ante": "26"}, {}, "PROC-H.1", "seats[0].ante"),
    ("ante-blind-unequal", "uth-ma", {"blind": "5"}, {}, "MA-1.ante-a", "seats[0].blind"),
    ("bad-amount", "uth-ma", {"ante": "ten"}, {}, None, "seats[0].ante"),
    ("bad-amount", "uth-ma", {"ante": True}, {}, None, "seats[0].ante"),
    ("bad-amount", "uth-ma", {}, {"limits": {"ante": {"max": "x"}}}, None, "limits.ante.max"),
    ("bad-cards", "uth-ma", {"hole": "As Xh"}, {}, None, "seats[0].hole"),
    ("bad-cards", "uth-ma", {"hole": None}, {}, None, "seats[0].hole"),
    ("bad-house", "uth-ma", {}, {"house": "rounding"}, None, "house"),
    ("bad-limits", "uth-ma", {}, {"limits": 5}, None, "limits"),
    ("bad-limits", "uth-ma", {}, {"limits": {"ante": "5"}}, None, "limits.ante"),
    ("bad-meters", "uth-ma", {}, {"meters": "5"}, None, "meters"),
    ("bad-player", "uth-ma", {"player": 7}, {}, None, "seats[0].player"),
    ("bad-setting", "uth-ma", {}, {"house": {"rounding": "sideways"}}, "house.rounding", "house.rounding"),
    ("bad-setting", "uth-ma", {}, {"house": {"decks": 3}}, "MA-2.b", "house.decks"),
    ("bad-setting", "uth-proc", {}, {"house": {"max_payout": "lots"}}, "PROC-H.4-a", "house.max_payout"),
    ("bad-setting", "uth-proc", {}, {"house": {"max_payout": "0"}}, "PROC-H.4-a", "house.max_payout"),
    ("bad-setting", "uth-proc", {}, {"house": {"max_payout": 1.5}}, "PROC-H.4-a", "house.max_payout"),
    ("bad-setting", "uth-ma", {}, {"house": {"match_play": "yes"}}, "MA-6.a-b", "house.match_play"),
    ("bad-setting", "uth-sd", {}, {"house": {"seed": 5}}, "house.seed", "house.seed"),
    ("bad-setting", "uth-sd", {}, {"house": {"seed": {"mian": "5"}}}, "house.seed", "house.seed"),
    ("bad-setting", "uth-sd", {}, {"house": {"seed": {"main": "x"}}}, "house.seed", "house.seed"),
    ("bad-tables", "uth-ma", {}, {"tables": "B"}, None, "tables"),
    ("bad-tips", "uth-sd", {"tips": "2"}, {}, None, "seats[0].tips"),
    ("below-minimum", "uth-sd", {}, {"limits": {"ante": {"min": "15", "max": "20"}}}, "SD-2-a", "seats[0].ante"),
    ("below-minimum", "uth-proc", {"ante": "2"}, {}, "PROC-H.2-a", "seats[0].ante"),
    ("bet-limit", "uth-sd", {"ante": "200"}, {}, "SD-1-d", "seats[0]"),
    ("bet-limit", "uth-sd", {"ante": "300"}, {"house": {"bet_limit_scope": "wager"}}, "SD-1-d", "seats[0].play"),
    ("cover-all-alone", "uth-ma", {"ante": None, "play": None, "cover_all": "5"}, {}, "MA-12.a", "seats[0].cover_all"),
    ("feeds-too-much", "uth-ma", {}, {"house": {"feed": 60, "reserve_feed": 41}}, "house.feed", "house.feed"),
    ("tables-differ", "uth-ma", {}, {"tables": {"trips": "B"}, "house": {"trips_table": "A"}}, "house.trips_table", "tables.trips"),
    ("limits-above-bet-limit", "uth-sd", {}, {"limits": {"ante": {"max": "200"}}}, "SD-1-c", "limits.ante"),
    ("limits-open", "uth-sd", {}, {"limits": {"ante": {"min": "5"}}}, "SD-1-c", "limits.ante"),
    ("limits-crossed", "uth-ma", {}, {"limits": {"ante": {"min": "9", "max": "5"}}}, None, "limits.ante"),
    ("match-play-chips", "uth-ma", {"match_play": "11"}, {"house": {"match_play": True}}, "MA-6.a-b", "seats[0].match_play"),
    ("match-play-off", "uth-ma", {"match_play": "5"}, {}, "MA-6.a-b", "seats[0].match_play"),
    ("maximum-too-high", "uth-proc", {}, {"limits": {"ante": {"max": "30"}}}, "PROC-H.1", "limits.ante"),
    ("minimum-not-offered", "uth-proc", {}, {"limits": {"ante": {"min": "4"}}}, "PROC-H.2-a", "limits.ante"),
    ("no-initial-bet", "uth-sd", {"ante": None, "play": None}, {}, "SD-2-a", "seats[0]"),
    ("no-seats", "uth-ma", {}, {"seats": []}, None, "seats"),
    ("no-such-seat", "uth-ma", {"seat": 7}, {}, "house.seats", "seats[0].seat"),
    ("not-offered", "uth-card", {"progressive": "5"}, {}, "CARD-1", "seats[0].progressive"),
    ("not-offered", "uth-proc", {"cover_all": "5"}, {}, "PROC-O.1", "seats[0].cover_all"),
    ("play-missing", "uth-ma", {"play": None}, {}, "MA-7.f.5", "seats[0].play"),
    ("play-size", "uth-sd", {"play": 5}, {}, "SD-7-b", "seats[0].play"),
    ("play-size", "uth-ma", {"play": "4"}, {"mode": "device"}, "MA-9.a-c", "seats[0].play"),
    ("play-without-ante", "uth-sd", {"ante": None, "trips": "5"}, {}, "SD-2-c", "seats[0].play"),
    ("progressive-alone", "uth-ma", {"ante": None, "play": None, "progressive": "5"}, {}, "MA-13.b", "seats[0].progressive"),
    ("progressive-amount", "uth-ma", {"progressive": "1"}, {}, "MA-13.a", "seats[0].progressive"),
    ("progressive-amount", "uth-sd", {"progressive": "5"}, {"tables": {"progressive": "PMG-01"}}, "SD-18-PMG-a", "seats[0].progressive"),
    ("progressive-amount", "uth-sd", {"progressive": "1"}, {"house": {"progressive_wager": "2"}}, "SD-18-e", "seats[0].progressive"),
    ("setting-needs", "uth-ma", {}, {"house": {"decks": 2}}, "MA-2.a-a", "house.decks"),
    ("tip-alone", "uth-sd", {"ante": None, "play": None, "trips": "5", "tips": {"ante": "1"}}, {}, "SD-3-a", "seats[0].tips.ante"),
    ("tip-not-offered", "uth-sd", {"tips": {"progressive": "1"}}, {}, "SD-3-a", "seats[0].tips.progressive"),
    ("tip-not-offered", "uth-card", {"tips": {"ante": "1"}}, {}, "CARD-1", "seats[0].tips.ante"),
    ("tip-play-size", "uth-sd", {"tips": {"ante": "2", "play": "10"}}, {}, "SD-3-c", "seats[0].tips.play"),
    ("too-many-copies", "uth-ma", {"hole": "As Qd"}, {}, None, "seats[0].hole"),
    ("trips-alone", "uth-card", {"ante": None, "play": None, "trips": "5"}, {}, "CARD-22", "seats[0].trips"),
    ("unknown-key", "uth-ma", {"antee": "5"}, {}, None, "seats[0].antee"),
    ("unknown-key", "uth-ma", {"envy": "5"}, {}, None, "seats[0].envy"),
    ("unknown-key", "uth-ma", {}, {"boards": "5"}, None, "boards"),
    ("unknown-meter", "uth-ma", {}, {"meters": {"mega": "5"}}, None, "meters.mega"),
    ("unknown-meter", "uth-card", {}, {"meters": {"main": "5"}}, None, "meters.main"),
    ("unknown-mode", "uth-proc", {}, {"mode": "manual"}, "PROC-D.0-a", "mode"),
    ("unknown-setting", "uth-ma", {}, {"house": {"ronding": "down"}}, None, "house.ronding"),
    ("unknown-table", "uth-ma", {}, {"tables": {"progressive": "PTMGL03"}}, "MA-13.e-a", "tables.progressive"),
    ("unknown-table-kind", "uth-ma", {}, {"tables": {"cover_all": "7"}}, None, "tables.cover_all"),
    ("unknown-wager", "uth-ma", {}, {"limits": {"bonus": {"max": "5"}}}, None, "limits.bonus"),
    ("unknown-wager", "uth-ma", {}, {"limits": {"blind": {"max": "5"}}}, None, "limits.blind"),
    ("unknown-wager", "uth-ma", {}, {"limits": {"play": {"max": "5"}}}, None, "limits.play"),
    ("bad-setting", "uth-ma", {}, {"house": {"posted_limits": {"ante": {"max": "5"}}}}, "house.posted_limits", "house.posted_limits"),
    ("unknown-table", "uth-ma", {}, {"house": {"trips_table": "Z"}}, None, "house.trips_table"),
    ("bad-amount", "uth-ma", {"ante": "1" * 5000}, {}, None, "seats[0].ante"),
    ("bad-cards", "uth-ma", {"hole": "A\u017f Kd"}, {}, None, "seats[0].hole"),
    ("bad-cards", "uth-ma", {"hole": "ac kd\u00a0"}, {}, None, "seats[0].hole"),
    ("bad-cards", "uth-ma", {"hole": "\u212ah Kd"}, {}, None, "seats[0].hole"),
    ("wrong-mode", "uth-ma", {"cover_all": "5"}, {"mode": "manual"}, "MA-12.d", "seats[0].cover_all"),
    ("wrong-number-of-cards", "uth-ma", {}, {"board": "Qd 9s 7h 4c"}, None, "board"),
]  # fmt: skip

SHOOTOUT: list[tuple[str, dict[str, Any], dict[str, Any], str | None, str]] = [
    ("bad-hands", {"hands": 5}, {}, None, "seats[0].hands"),
    ("bad-hands", {"hands": []}, {}, None, "seats[0].hands"),
    ("bonus-alone", {"wager": None, "bonus": "5"}, {}, "TS-4-a", "seats[0].bonus"),
    ("bet-limit", {"wager": "1001"}, {}, "SD-1-c", "seats[0]"),
    ("no-initial-bet", {"wager": None}, {}, "TS-4-a", "seats[0]"),
    ("not-among-the-four", {"hands": ["As Ac"]}, {}, "TS-8-a", "seats[0].hands"),
    ("not-among-the-four", {}, {"dealer_keeps": "2c 2d"}, "TS-11-b", "dealer_keeps"),
    ("second-bonus", {"hands": ["As Ad", "Kh Kd"], "bonus": ["5", "6"]}, {}, "TS-9-f", "seats[0].bonus"),
    ("second-bonus", {"hands": ["As Ad", "Kh Kd"], "bonus": ["0", "5"]}, {}, "TS-9-e", "seats[0].bonus"),
    ("split-not-allowed", {"cards": "As Ad Kh Qd", "hands": ["As Ad", "Kh Qd"]}, {}, "TS-9-a", "seats[0].hands"),
    ("split-wager-unequal", {"hands": ["As Ad", "Kh Kd"], "wager": ["10", "5"]}, {}, "TS-9-d", "seats[0].wager"),
    ("too-many-amounts", {"bonus": ["5", "5"]}, {}, None, "seats[0].bonus"),
    ("unknown-key", {"ante": "5"}, {}, None, "seats[0].ante"),
    ("wrong-number-of-cards", {"hands": ["As Ad Kh"]}, {}, "TS-8-a", "seats[0].hands[0]"),
    ("wrong-number-of-cards", {}, {"dealer": "Qc 3s 2s"}, None, "dealer"),
]  # fmt: skip


def with_change(seat: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in {**seat, **change}.items() if v is not None}


@pytest.mark.parametrize(
    ("code", "rulebook", "seat", "about", "clause", "where"),
    ULTIMATE,
    ids=[f"{c[1]} {c[0]}" for c in ULTIMATE],
)
def test_a_bad_ultimate_round_is_refused_with_code_clause_and_place(
    code: str, rulebook: str, seat: dict[str, Any], about: dict[str, Any], clause: str | None, where: str
) -> None:
    data = {
        "rulebook": rulebook,
        "board": BOARD,
        "dealer": DEALER,
        "seats": [with_change(SEAT, seat)],
        **about,
    }
    check(data, code, clause, where)


@pytest.mark.parametrize(
    ("code", "seat", "about", "clause", "where"), SHOOTOUT, ids=[c[0] for c in SHOOTOUT]
)
def test_a_bad_shootout_round_is_refused_with_code_clause_and_place(
    code: str, seat: dict[str, Any], about: dict[str, Any], clause: str | None, where: str
) -> None:
    data = {
        "rulebook": "shootout-sd", "board": BOARD, "dealer": "Qc 3s 5h 6h", "seats": [with_change(FOUR, seat)], **about,
    }  # fmt: skip
    check(data, code, clause, where)


def check(data: dict[str, Any], code: str, clause: str | None, where: str) -> None:
    answer = Window().settle(data)
    assert isinstance(answer, Refused)
    refusals = [r for r in answer.refused if r.code == code]
    assert refusals, answer.refused
    assert (refusals[0].clause, refusals[0].where) == (clause, where)
    assert len(refusals[0].message) > 10


def test_the_rounds_settle_before_they_are_changed() -> None:
    for rulebook in ("uth-ma", "uth-sd", "uth-card", "uth-proc"):
        assert settled(rulebook, BOARD, DEALER, SEAT).net("play") == "40.00"
    assert settled("shootout-sd", BOARD, "Qc 3s 5h 6h", FOUR).net("wager") == "10.00"


def test_a_round_of_the_other_game_is_refused_once() -> None:
    for rulebook, seat in (("shootout-sd", SEAT), ("uth-ma", FOUR)):
        refusals = refused(rulebook, BOARD, DEALER, seat, {**seat, "seat": 2})
        assert [(r.code, r.where) for r in refusals] == [("wrong-game", "seats")]


def test_an_unreadable_amount_causes_no_further_refusals() -> None:
    refusals = refused("uth-ma", BOARD, DEALER, {**SEAT, "ante": "ten", "trips": "5"})
    assert [r.code for r in refusals] == ["bad-amount"]


def test_an_unknown_progressive_table_causes_only_one_refusal() -> None:
    refusals = refused(
        "uth-sd", BOARD, DEALER, {**SEAT, "progressive": "5"}, tables={"progressive": "PTMGL01"}
    )
    assert [r.code for r in refusals] == ["unknown-table"]
    assert "UTHP-01, UTHP-02, PMG-01, PMG-02" in refusals[0].message


def test_all_progressive_wagers_at_a_table_must_be_equal() -> None:
    seats = ({**SEAT, "progressive": "1"}, {**SEAT, "seat": 2, "hole": "Kc Kd", "progressive": "5"})
    refusals = refused("uth-sd", BOARD, DEALER, *seats, tables={"progressive": "UTHP-01"})
    assert [(r.code, r.where) for r in refusals] == [("progressive-unequal", "seats[1].progressive")]
    # With equal wagers of $5, the meter starts at five times the house's seed for a dollar.
    alike = [{**seat, "progressive": "5"} for seat in seats]
    assert settled("uth-sd", BOARD, DEALER, *alike, tables={"progressive": "UTHP-01"}).meters == {
        "main": "50000.00"
    }


def test_each_limit_of_a_round_overrides_only_its_posted_limit(tmp_path: Path) -> None:
    file = tmp_path / "posted.toml"
    file.write_text(
        '[rulebook]\nid = "p"\ntitle = "P"\nextends = "uth-ma"\n[posted.ante]\nmin = "5"\nmax = "50"\n',
        encoding="utf-8",
    )
    refusals = refused(str(file), BOARD, DEALER, {**SEAT, "ante": "60"}, limits={"ante": {"min": "10"}})
    assert [(r.code, r.where) for r in refusals] == [
        ("above-maximum", f"seats[0].{w}") for w in ("ante", "blind")
    ]


def test_several_positions_count_for_the_posted_bet_limit() -> None:
    limits = {"ante": {"max": "100"}}
    assert settled("uth-sd", BOARD, DEALER, SEAT, limits=limits).net("play") == "40.00"
    refusals = refused("uth-sd", BOARD, DEALER, SEAT, limits=limits, house={"more_positions": True})
    assert [(r.code, r.clause) for r in refusals] == [("limits-above-bet-limit", "SD-1-c")]


def test_one_player_at_two_positions_is_refused_unless_the_house_allows_it() -> None:
    both = ({**SEAT, "player": "Ann"}, {**SEAT, "seat": 2, "hole": "Kc Kd", "player": "Ann"})
    for rulebook, clause in (("uth-ma", "MA-11"), ("uth-card", "CARD-29")):
        refusals = refused(rulebook, BOARD, DEALER, *both)
        assert [(r.code, r.clause, r.where) for r in refusals] == [
            ("more-than-one-position", clause, "seats[1]")
        ]
    assert settled("uth-sd", BOARD, DEALER, *both, house={"more_positions": True}).seat_net(2) == "50.00"


def test_a_duplicate_seat_and_an_invalid_seat_are_refused() -> None:
    refusals = refused("uth-ma", BOARD, DEALER, SEAT, {**SEAT, "hole": "Kc Kd"})
    assert [r.code for r in refusals] == ["seat-twice"]
    answer = Window().settle({"rulebook": "uth-ma", "board": BOARD, "dealer": DEALER, "seats": [5]})
    assert isinstance(answer, Refused)
    assert [r.code for r in answer.refused] == ["bad-seat"]


def test_a_round_needs_a_rulebook() -> None:
    for data, code in (
        ({}, "no-rulebook"),
        (7, "not-a-round"),
        ({"rulebook": "uth-m"}, "unknown-rulebook"),
    ):
        answer = Window().settle(data)
        assert isinstance(answer, Refused)
        assert [r.code for r in answer.refused] == [code]


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"rulebook": "uth-mx"}, "there is no rulebook or file 'uth-mx'; "),
        ({"house": {"rounding": "sideways"}}, "'sideways' is not a choice; "),
        ({"dealer": BOARD[:2] + " 2s"}, "appears twice, but the deck has only one"),
        (
            {"seats": [{**SEAT, "play": 5}]},
            "play must be 4, 3, 2 or 1 times the ante, or 0 for a fold (got 5)",
        ),
        ({"seats": [{**SEAT, "seat": 9}]}, "seats are numbered 1 to 6 from the dealer's left"),
    ],
)
def test_the_sentences_of_common_refusals(about: dict[str, Any], sentence: str) -> None:
    data = {"rulebook": "uth-ma", "board": BOARD, "dealer": DEALER, "seats": [SEAT], **about}
    answer = Window().settle(data)
    assert isinstance(answer, Refused)
    assert [r.message for r in answer.refused if sentence in r.message]


def test_every_code_in_the_engine_is_tested_here() -> None:
    engine = Path(houseway.__file__).parent / "engine"
    text = "".join(f.read_text(encoding="utf-8") for f in engine.glob("*.py"))
    text += (Path(houseway.__file__).parent / "rules" / "posted_limits.py").read_text(encoding="utf-8")
    written = set(re.findall(r'(?:Refusal|Finding|refusals\.add)\(\s*"([a-z-]+)"', text))
    provoked = {case[0] for case in (*ULTIMATE, *SHOOTOUT)}
    provoked |= {
        "wrong-game",
        "progressive-unequal",
        "more-than-one-position",
        "seat-twice",
        "bad-seat",
        "no-rulebook",
        "not-a-round",
        "rulebook-unsound",
        "unknown-rulebook",
    }
    # A warning does not refuse a round; a rulebook without a house way is not sound; only a live table needs
    # a posted minimum.
    assert written - provoked == {"minimum-above-cap", "no-house-way", "no-minimum"}


FLAT = """
[rulebook]
id = "flat"
title = "A flat hundred for a straight flush on trips"
extends = "uth-card"

[tables.trips.CARD.rows]
"straight flush" = "$100"
"""


def test_any_wager_can_pay_a_flat_amount(tmp_path: Path) -> None:
    file = tmp_path / "flat.toml"
    file.write_text(FLAT, encoding="utf-8")
    paid = settled(str(file), "9h Th Jh 2c 3d", "Kc Qc", hole="7h 8h", ante="10", trips="5", play=1)
    assert (paid.net("trips"), paid.line("trips").odds) == ("100.00", None)


def test_the_cache_of_terms_is_bounded() -> None:
    window = Window()
    for n in range(300):
        data = {"rulebook": "uth-ma", "board": BOARD, "dealer": DEALER, "seats": [SEAT]}
        answer = window.settle({**data, "limits": {"ante": {"max": str(100 + n)}}})
        assert isinstance(answer, Settlement)
    assert len(window._terms) <= 256
