"""Settlement as a whole: money is conserved, a refused round moves no money, no input crashes it."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.cards import DECK, codes
from houseway.cli.settle import settle_text
from houseway.engine.refusals import Refused
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.money import cents
from houseway.rules.loader import load, rulebook_ids
from houseway.testing import random_round, refused, settled

BOARD, DEALER = "Qd 9s 7h 4c 2d", "Qc 3s"


def signed(amount: str) -> int:
    return -cents(amount[1:]) if amount.startswith("-") else cents(amount)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_money_is_conserved_to_the_cent(rulebook: str) -> None:
    """Lines and seats agree: net = returned - staked, with tips counted separately and coupons left out."""
    rng = Random(f"conserved {rulebook}")
    book = load(rulebook)
    window = Window()
    for _ in range(1500):
        answer = window.settle(random_round(rng, book))
        assert isinstance(answer, Settlement)
        for total in answer.seats:
            own = [x for x in answer.lines if x.seat == total.seat]
            staked = sum(signed(x.stake) for x in own)
            tips = sum(signed(x.stake) for x in own if x.for_whom)
            net = sum(signed(x.net) for x in own if not x.for_whom) - tips
            assert signed(total.staked) == staked
            assert signed(total.net) == net == signed(total.returned) - staked
        tip_total = sum(signed(x.stake) + signed(x.net) for x in answer.lines if x.for_whom)
        assert signed(answer.dealer_tips) == tip_total >= 0
        assert all(signed(c.due) > signed(c.paid) == signed(c.limit) for c in answer.caps)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_wager_is_settled_once(rulebook: str) -> None:
    rng = Random(f"once {rulebook}")
    book = load(rulebook)
    window = Window()
    for _ in range(500):
        given_round = random_round(rng, book)
        answer = window.settle(given_round)
        assert isinstance(answer, Settlement)
        marks = [(x.seat, x.hand, x.wager, x.for_whom, x.coupon, str(x.from_hand)) for x in answer.lines]
        assert len(set(marks)) == len(marks)
        for seat in given_round["seats"]:
            made = {w for w in book.wagers if seat.get(w, "0") not in ("0", 0) and w != "play"}
            lines = {x.wager for x in answer.lines if x.seat == seat["seat"] and not x.for_whom}
            assert made <= lines


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_order_of_seats_in_the_data_does_not_matter(rulebook: str) -> None:
    rng = Random(f"order {rulebook}")
    book = load(rulebook)
    window = Window()
    for _ in range(200):
        one = random_round(rng, book)
        other = copy.deepcopy(one)
        rng.shuffle(other["seats"])
        assert window.settle(one) == window.settle(other)


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_settling_does_not_change_its_input(rulebook: str) -> None:
    rng = Random(f"unchanged {rulebook}")
    given_round = random_round(rng, load(rulebook))
    before = copy.deepcopy(given_round)
    assert Window().settle(given_round) == Window().settle(given_round)
    assert given_round == before


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 500)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6)
    | st.sampled_from(["Ah Kd", "5", "trips"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = (
    "rulebook",
    "mode",
    "tables",
    "limits",
    "house",
    "meters",
    "board",
    "dealer",
    "dealer_keeps",
    "seats",
)
SEAT = ("seat", "player", "hole", "cards", "hands", "ante", "blind", "play", "trips", "progressive", "cover_all",
        "tips", "match_play", "wager", "bonus")  # fmt: skip


@given(st.data(), st.sampled_from(rulebook_ids()), st.integers(0, 10**6))
def test_a_spoilt_round_never_crashes(data: st.DataObject, rulebook: str, seed: int) -> None:
    given_round: dict[str, Any] = random_round(Random(seed), load(rulebook))
    for _ in range(data.draw(st.integers(1, 3))):
        if data.draw(st.booleans()):
            given_round[data.draw(st.sampled_from(KEYS))] = data.draw(JSON)
        elif isinstance(given_round.get("seats"), list) and given_round["seats"]:
            seat = given_round["seats"][0]
            if isinstance(seat, dict):
                seat[data.draw(st.sampled_from(SEAT))] = data.draw(JSON)
    # Parsed as the command parses its input, because it treats numbers with a decimal point specially.
    answer = settle_text(Window(), json.dumps(given_round).encode())
    assert isinstance(answer, (Settlement, Refused))
    if isinstance(answer, Refused):
        assert answer.refused
        assert all(r.code and r.message for r in answer.refused)


@given(JSON)
def test_data_that_is_not_a_round_is_refused(value: Any) -> None:
    assert isinstance(Window().settle(value), Refused)


def test_all_problems_of_a_round_are_reported_together() -> None:
    refusals = refused(
        "uth-ma", BOARD, "As Ks",
        {"hole": "As Qd", "ante": "10", "blind": "5", "play": 5},
        {"hole": "2c 3c", "trips": "5"},
        house={"luck": 7},
    )  # fmt: skip
    assert {r.code for r in refusals} == {
        "too-many-copies", "ante-blind-unequal", "play-size", "trips-alone", "unknown-setting",
    }  # fmt: skip
    assert {r.where for r in refusals if r.code == "too-many-copies"} == {"seats[0].hole"}


def test_zero_on_an_optional_wager_means_no_wager() -> None:
    paid = settled("uth-ma", BOARD, DEALER, hole="As Ah", ante="10", trips="0", progressive="0", play=4)
    assert [x.wager for x in paid.lines()] == ["ante", "blind", "play"]


def test_a_fraction_of_a_cent_is_rounded_once_by_the_house_setting() -> None:
    flush = {"hole": "Qh 4h", "ante": "5.01", "play": 1}
    for rounding, net in (("down", "7.51"), ("nearest", "7.52"), ("up", "7.52")):
        paid = settled("uth-ma", "Ah 9h 6h Kc 2d", "As Kd", flush, house={"rounding": rounding})
        assert paid.net("blind") == net


def test_a_settlement_names_its_rulebook_and_settings() -> None:
    paid = settled("uth-sd", BOARD, DEALER, hole="As Ah", ante="10", play=4).settlement
    assert paid.rulebook == "uth-sd"
    assert paid.hash == load("uth-sd").hash
    assert paid.settings["tables"]["trips"] == "UTH-02"
    assert paid.settings["house"]["seed"] == {"main": "10000.00"}


def test_the_settlement_shows_the_hands_it_read() -> None:
    settlement = settled("uth-ma", BOARD, "Kc 8c", hole="As Ah", ante="10", play=4).settlement
    assert (settlement.dealer.reads, settlement.dealer.qualifies) == ("high card", False)
    assert [(h.seat, h.reads, h.folded, h.first_five) for h in settlement.hands] == [
        (1, "pair", False, None)
    ]
    assert (
        settled("uth-ma", BOARD, DEALER, hole="As Ah", ante="10", play=4).settlement.dealer.qualifies
        is True
    )
    four = {"cards": "As Ad Kh Kd", "hands": ["As Ad"], "wager": "10"}
    assert settled("shootout-sd", BOARD, "Qc 3s 5h 6h", four).settlement.dealer.qualifies is None


def test_a_meter_without_a_seed_is_at_zero() -> None:
    paid = settled(
        "uth-sd", BOARD, DEALER, hole="As Ah", ante="5", progressive="1", play=1, house={"seed": {}}
    )
    assert paid.meters == {"main": "0.00"}


def test_seven_copies_of_a_card_are_too_many_for_six_decks() -> None:
    six = settled(
        "shootout-sd", "Kd Kd Kd 2c 3c", "Kd 4c 5c 9s", cards="Kd Kd 8s 7s", hands=["Kd Kd"], wager="5"
    )
    assert six.result("wager") == "win"
    seven = refused(
        "shootout-sd", "Kd Kd Kd 2c 3c", "Kd Kd 5c 9s", cards="Kd Kd 8s 7s", hands=["Kd Kd"], wager="5"
    )
    assert [r.code for r in seven] == ["too-many-copies"]


@given(st.permutations(DECK))
def test_a_royal_flush_is_never_beaten(deck: list[Any]) -> None:
    royal = [c for c in DECK if c.suit == 2 and c.rank >= 8]
    rest = [c for c in deck if c not in royal]
    paid = settled(
        "uth-ma",
        codes(royal[:3] + rest[:2]),
        codes(rest[2:4]),
        hole=codes(royal[3:]),
        ante="10",
        play=4,
    )
    assert paid.result("play") == "win"
