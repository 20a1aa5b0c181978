"""Progressives: the fixed part, the shares of meters, the return at seed, and break-even with and without envy."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from exact.games import terms_of
from houseway.cards import DECK
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.terms import read_terms
from houseway.exact.progressive_values import Progressive
from houseway.exact.wager_prices import wagers
from houseway.rules.loader import load
from houseway.rules.rulebook import Rulebook

FIVES = 2_598_960
SEVENS = 133_784_560
TABLES = [
    ("uth-ma", "PTMGL01"), ("uth-ma", "PTMGL02"), ("uth-ma", "PTMGL04"), ("uth-ma", "PTMGLML01"),
    ("uth-ma", "PTMGLML02"), ("uth-ma", "PTMGLML03"), ("uth-sd", "UTHP-01"), ("uth-sd", "UTHP-02"),
    ("uth-sd", "PMG-01"), ("uth-sd", "PMG-02"),
]  # fmt: skip
# Deals with each class of hole cards and flop, and with each class of all seven cards.
DEALS = [
    ("Ah Kh", "Qh Jh Th 2c 3d"), ("Ah Kh", "Qh Jh 2c Th 3d"), ("2c 3d", "Ah Kh Qh Jh Th"),
    ("Ah Th", "Kh 2c Qh Jh 3d"), ("9h 8h", "7h 6h 5h 2c Kd"), ("9h 9c", "9d 9s 5h 2c Kd"),
    ("9h 9c", "9d 5s 5h 2c Kd"), ("Ah 9h", "2h 5h 7h Kc Jd"), ("9h 8c", "7d 6s 5h 2c Kd"),
    ("9h 9c", "9d 5h 2c Kd Js"), ("9h 9c", "5d 5h 2c Kd Js"), ("9h 9c", "5h 2c Kd Js 3d"),
    ("Ah 9c", "5h 2c Kd Js 3d"),
]  # fmt: skip


@cache
def priced(ref: str) -> dict[str, Progressive]:
    return progressives(load(ref))


def progressives(book: Rulebook) -> dict[str, Progressive]:
    """Return the values of the progressives only, because the other wagers of a rulebook take long."""
    alone = {name: wager for name, wager in book.wagers.items() if not wager.group.on_whole_table}
    tables = wagers(terms_of(replace(book, wagers=alone)))["progressive"]
    return {name: value for name, value in tables.items() if isinstance(value, Progressive)}


def percent_text(part: Fraction) -> str:
    return f"{float(100 * part):.4f}"


@pytest.mark.parametrize(
    ("ref", "table", "fixed", "at_seed"),
    [
        ("uth-ma", "PTMGL01", "53.0569", "55.9812"),
        ("uth-ma", "PTMGL02", "53.0569", "55.9812"),
        ("uth-sd", "PMG-01", "53.0569", "55.9812"),
        ("uth-sd", "PMG-02", "53.0569", "55.9812"),
        ("uth-ma", "PTMGL04", "53.0569", "54.5960"),
        ("uth-ma", "PTMGLML01", "53.0569", "55.9812"),
        ("uth-ma", "PTMGLML02", "47.9669", "56.8935"),
        ("uth-ma", "PTMGLML03", "45.8540", "54.7807"),
    ],
)
def test_fixed_part_and_return_at_seed_are_the_published_ones(
    ref: str, table: str, fixed: str, at_seed: str
) -> None:
    value = priced(ref)[table]
    assert (percent_text(value.fixed), percent_text(value.returned)) == (fixed, at_seed)
    assert value.returned == value.returned_at({}) == value.returned_at(value.seeds)
    assert value.deals == FIVES


def test_every_table_is_priced() -> None:
    assert [(ref, name) for ref in ("uth-ma", "uth-sd") for name in priced(ref)] == TABLES


def test_break_even_is_exact_for_one_meter_and_for_two() -> None:
    assert f"{float(priced('uth-ma')['PTMGL01'].break_even('main')):.2f}" == "160530.53"
    assert f"{float(priced('uth-ma')['PTMGL04'].break_even('main')):.2f}" == "30500.80"
    two = priced("uth-ma")["PTMGLML01"]
    # Of 2,598,960 hands, four royal flushes take the major meter and 36 straight flushes the minor meter.
    assert two.shares == {"major": Fraction(4, FIVES), "minor": Fraction(36, FIVES)}
    assert (1 - two.fixed) * FIVES == 1_220_032
    minor = Fraction(20_000)
    major = two.break_even("major", meters={"minor": minor})
    assert 4 * major + 36 * minor == 1_220_032
    assert two.returned_at({"major": major, "minor": minor}) == 1


def test_envy_is_worth_the_same_for_each_other_hand() -> None:
    value = priced("uth-ma")["PTMGL01"]
    assert value.envy == Fraction(4 * 1000 + 36 * 300, FIVES)
    assert f"{float(value.envy):.6f}" == "0.005695"
    for others in range(6):
        meter = value.break_even("main", others)
        assert value.returned_at({"main": meter}, others) == 1
        # Multiplied by 2,598,960, a dollar on the meter is worth 7.6 and another hand is worth 14,800.
        assert value.break_even("main") - meter == others * Fraction(14_800 * 10, 76)
    assert priced("uth-ma")["PTMGL04"].envy == Fraction(40 * 250, FIVES)
    assert priced("uth-ma")["PTMGL02"].envy == priced("uth-sd")["PMG-02"].envy == value.envy
    assert priced("uth-sd")["UTHP-01"].envy == 0


def test_royal_flushes_in_seven_cards_are_counted_by_how_they_are_made() -> None:
    value = priced("uth-sd")["UTHP-01"]
    # Below royal flushes, 37,260, 224,848 and 3,473,184 hands are paid 250, 100 and 10 for one.
    below = Fraction(37_260 * 250 + 224_848 * 100 + 3_473_184 * 10, SEVENS)
    assert percent_text(below) == "49.7304"
    assert value.fixed == below + Fraction(3_000, 649_740)
    royals = {case.hand: Fraction(case.ways, value.deals) for case in value.cases if "royal" in case.hand}
    assert royals["royal flush, first five"] == royals["royal flush, community"] == Fraction(1, 649_740)
    assert sum(royals.values()) == Fraction(1, 30_940)
    seven = royals["royal flush, first seven"]
    assert value.shares == {"main": Fraction(1, 649_740) + seven / 20}
    second = priced("uth-sd")["UTHP-02"]
    assert second.shares == {"main": Fraction(1, 649_740) + seven}
    assert [case.hand for case in second.cases][:2] == [
        "royal flush, first five or first seven",
        "royal flush, community",
    ]


def test_meters_for_a_wager_five_times_as_large_are_five_times_as_high() -> None:
    value = priced("uth-ma")["PTMGL01"]
    assert value.stake == 500
    assert value.seeds["main"] == 10_000
    book = load("uth-sd")
    game = read_terms(book, {"house": {"seed": {"main": "2000"}, "progressive_wager": "2"}})[0]
    price = wagers(game)["progressive"]["PMG-01"]
    assert isinstance(price, Progressive)
    assert price.stake == 200
    assert price.seeds["main"] == 2_000
    assert price.returned == price.fixed + Fraction(76, 10 * FIVES) * 2_000


@pytest.mark.parametrize(("ref", "table"), TABLES)
def test_settlement_pays_the_outcomes_that_were_priced(ref: str, table: str) -> None:
    value, window = priced(ref)[table], Window()
    stake = str(value.stake // 100)
    met = set()
    for hole, board in DEALS:
        used = {*hole.split(), *board.split()}
        dealer = " ".join([str(card) for card in DECK if str(card) not in used][:2])
        seat = {"seat": 1, "hole": hole, "ante": "5", "progressive": stake, "play": 1}
        settled = window.settle(
            {
                "rulebook": ref,
                "tables": {"progressive": table},
                "board": board,
                "dealer": dealer,
                "seats": [seat],
            }
        )
        assert isinstance(settled, Settlement)
        net = next(Fraction(line.net) for line in settled.lines if line.wager == "progressive")
        read = settled.hands[0]
        hand = read.first_five or read.reads
        if hand == "royal flush" and value.deals != FIVES:
            royal = {"Ah", "Kh", "Qh", "Jh", "Th"}
            first = {*hole.split(), *board.split()[:3]} >= royal
            hand += (
                ", community"
                if set(board.split()) == royal
                else ", first five"
                if first
                else ", first seven"
            )
        case = next(c for c in value.cases if c.hand == hand or _joined(c.hand, hand))
        assert net == case.net * value.stake / 100
        met.add(case.hand)
    assert met == {case.hand for case in value.cases}


def _joined(case: str, hand: str) -> bool:
    """True if a case combines several ways to make a royal flush, and this hand is one of them."""
    name, _, how = hand.partition(", ")
    return bool(how) and case.startswith(name) and how in case.partition(", ")[2].split(" or ")


def test_settlement_pays_the_counted_envy() -> None:
    seats = [
        {"seat": 1, "hole": "2c 3d", "ante": "5", "progressive": "5", "play": 1},
        {"seat": 2, "hole": "9h 8h", "ante": "5", "play": 1},
    ]
    settled = Window().settle(
        {
            "rulebook": "uth-ma",
            "tables": {"progressive": "PTMGL01"},
            "board": "7h 6h 5h 2d Kd",
            "dealer": "As Ac",
            "seats": seats,
        }
    )
    assert isinstance(settled, Settlement)
    (paid,) = (Fraction(line.net) for line in settled.lines if line.wager == "envy")
    # The part of envy for straight flushes: 36 five-card hands, each with this amount for each dollar of the wager.
    royal = Fraction(4 * 1000, FIVES)
    assert priced("uth-ma")["PTMGL01"].envy - royal == 36 * paid / 5 / FIVES


def test_a_meter_that_pays_nothing_has_no_break_even() -> None:
    with pytest.raises(ValueError, match=r"PTMGL01 pays no share of 'mega'; its meters are main"):
        priced("uth-ma")["PTMGL01"].break_even("mega")
