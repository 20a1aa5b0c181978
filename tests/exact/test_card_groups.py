"""Side bets on new fact groups, and side bets against the dealer: values alone and with the main game, and simulated rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from houseway.cards import cards
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.terms import Terms, read_terms
from houseway.exact import UnsolvableError, outcomes, solve, wagers, whole_bet
from houseway.exact.flop_cells import flop_cells, parts
from houseway.exact.wager_values import own_cases
from houseway.rules.fact_groups import GROUPS, Inputs
from houseway.rules.fact_groups.base import CardGroup, Payment
from houseway.rules.loader import load
from houseway.simulate import figures, plan, run
from simulate.first_rounds import first_rounds

DEALS = 27_813_810_024_000
ACE = 12

RULEBOOK = """
[rulebook]
id = "suited"
title = "The card with two side bets"
extends = "uth-card"

[options.offered]
value = ["ante", "blind", "play", "trips", "pocket_pairs", "suited_flop", "big_win"]
silent = true

[wager.big_win]
looks = "showdown"
silent = true
beside = { value = ["ante"], silent = true }
pays = [
  { when = { folded = false, contest = "win", hand = "flush or better" }, pays = "9 to 1", silent = true },
  { when = { folded = false, contest = "tie" }, pays = "push", silent = true },
  { pays = "lose", silent = true },
]

[wager.pocket_pairs]
looks = "pocket_pair"
silent = true
beside = { value = ["ante"], silent = true }
pays = [
  { when = { hand = "pair of aces" }, pays = "30 to 1", silent = true },
  { when = { hand = "other pair" }, pays = "5 to 1", silent = true },
  { pays = "lose", silent = true },
]

[wager.suited_flop]
looks = "flop_suits"
silent = true
beside = { value = ["ante"], silent = true }
pays = [
  { when = { hand = "five of a suit" }, pays = "100 to 1", silent = true },
  { when = { hand = "four of a suit" }, pays = "10 to 1", silent = true },
  { pays = "lose", silent = true },
]

[[pass]]
name = "folds, as they happen"
hands = ["folded", "held"]
wagers = ["ante", "blind", "big_win"]
silent = true

[[pass]]
name = "hands with a play wager"
hands = ["standing"]
wagers = ["ante", "blind", "play", "trips", "pocket_pairs", "suited_flop", "big_win"]
direction = { value = "counter-clockwise", silent = true }
silent = true

[[pass]]
name = "what folded hands kept"
hands = ["folded", "held"]
wagers = ["trips", "pocket_pairs", "suited_flop"]
direction = { value = "counter-clockwise", silent = true }
silent = true
"""


class PocketPair(CardGroup):
    """A fact group with three values: a pair of aces in the hole, another pair, or no pair."""

    name = "pocket_pair"
    about = "A side bet on the player's two cards"
    values = ("pair of aces", "other pair", "no pair")

    @staticmethod
    def index(first: int, second: int) -> int:
        if first // 4 != second // 4:
            return 2
        return 0 if first // 4 == ACE else 1


SUIT_DIGIT = [6**suit for suit in range(4)] * 13
"""Each card's suit as a digit: the sum for five cards tells how many there are of each suit."""
FLOP_INDEX = {
    sum(count * 6**suit for suit, count in enumerate(counts)): 5 - max(3, *counts)
    for counts in product(range(6), repeat=4)
    if sum(counts) == 5
}
"""The group's index by that sum, computed once because a million sets of cards are counted."""


class FlopSuits(CardGroup):
    """A fact group: how many of the hole cards and flop cards have the same suit."""

    name = "flop_suits"
    about = "A side bet on the two cards and the flop"
    reads = Inputs.HOLE_AND_FLOP
    values = ("five of a suit", "four of a suit", "fewer")

    @staticmethod
    def index(one: int, two: int, three: int, four: int, five: int) -> int:
        held = SUIT_DIGIT[one] + SUIT_DIGIT[two] + SUIT_DIGIT[three] + SUIT_DIGIT[four] + SUIT_DIGIT[five]
        return FLOP_INDEX[held]


@pytest.fixture(scope="module", autouse=True)
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A rulebook whose side bets depend on two groups that only this module defines."""
    added = {group.name: group for group in (PocketPair(), FlopSuits())}
    assert isinstance(GROUPS, dict)
    GROUPS.update(added)
    rulebook = tmp_path_factory.mktemp("suited") / "suited.toml"
    rulebook.write_text(RULEBOOK)
    yield rulebook
    for name in added:
        del GROUPS[name]


@pytest.fixture(scope="module")
def terms(file: Path) -> Terms:
    return read_terms(load(str(file)), {})[0]


def test_a_side_bet_on_the_hole_cards_has_the_counts_computed_by_hand(terms: Terms) -> None:
    value = wagers(terms)["pocket_pairs"]["pocket_pairs"]
    # Of 1,326 pairs of cards, 6 are pairs of aces and 72 are pairs of the twelve other ranks.
    assert [(case.hand, case.ways) for case in value.cases] == [
        ("pair of aces", 6),
        ("other pair", 72),
        ("no pair", 1_248),
    ]
    assert value.value == Fraction(6 * 30 + 72 * 5 - 1_248, 1_326)
    assert (value.hits, value.deals) == (78, 1_326)


def test_a_side_bet_on_the_flop_has_the_counts_computed_by_hand(terms: Terms) -> None:
    value = wagers(terms)["suited_flop"]["suited_flop"]
    # There are 4 · C(13, 5) and 4 · C(13, 4) · 39 sets of five cards. Each has ten choices of the two hole cards.
    assert [case.ways for case in value.cases] == [51_480, 1_115_400, 25_989_600 - 1_166_880]


def test_a_side_bet_against_the_dealer_is_counted_under_best_play(terms: Terms) -> None:
    value = wagers(terms)["big_win"]["big_win"]
    assert value.deals == DEALS
    # One hand in 30,940 is a royal flush. One board in 649,740 is a royal flush, and then both hands tie.
    royal = [case for case in value.cases if case.hand == "royal flush"]
    assert {case.outcome.result for case in royal} == {"win", "push"}
    assert sum(case.ways for case in royal) * 30_940 == DEALS
    assert sum(case.ways for case in royal if case.outcome.result == "push") * 649_740 == DEALS


def test_each_wager_has_the_same_value_with_the_main_game(terms: Terms) -> None:
    solution = solve(terms)
    stakes = {"ante": 1_000, "trips": 500, "pocket_pairs": 500, "suited_flop": 100, "big_win": 200}
    bet = whole_bet(solution, terms, stakes)
    assert bet.deals == DEALS
    for name, tables in wagers(terms).items():
        (value,) = tables.values()
        assert bet.paid[name] == stakes[name] * value.value
    assert sum(bet.paid[name] for name in ("ante", "blind", "play")) == 1_000 * outcomes(solution).value
    # A pair of aces often wins the main game and is paid 30 to 1 in the same round. So the total varies more than the
    # results of separate wagers.
    alone = [500**2 * wagers(terms)["pocket_pairs"]["pocket_pairs"].variance]
    main = whole_bet(solution, terms, {"ante": 1_000})
    both = whole_bet(solution, terms, {"ante": 1_000, "pocket_pairs": 500})
    assert both.variance > main.variance + sum(alone)


def test_states_are_divided_only_as_far_as_the_staked_wagers_need(terms: Terms) -> None:
    assert parts(terms, {"ante": 1, "trips": 1}).max() == 0
    assert parts(terms, {"ante": 1, "pocket_pairs": 1}).max() == 2
    assert parts(terms, {"ante": 1, "pocket_pairs": 1, "suited_flop": 1}).max() == 6


def test_simulated_rounds_agree_with_the_exact_values(file: Path) -> None:
    sides = ("pocket_pairs", "suited_flop")
    table = plan(str(file), rounds=200_000, side=sides, seed="planted")
    played = figures(table, run(table))
    assert played.far == ()
    for name in sides:
        assert played[name].exact is not None
        assert played[name].variance is not None
    assert played["pocket_pairs"].exact == Fraction(-708, 1_326)
    assert sum(played["pocket_pairs"].outcomes.values()) == 200_000


def test_every_simulated_round_is_paid_as_it_is_settled(file: Path) -> None:
    sides = ("trips", "pocket_pairs", "suited_flop")
    table = plan(str(file), rounds=2_000, seats=3, side=sides, seed="planted")
    won: Counter[str] = Counter()
    for played, nets in first_rounds(table, 400):
        settled = Window().settle(played)
        assert isinstance(settled, Settlement)
        expected = {(seat, name): net for seat, row in enumerate(nets, 1) for name, net in row.items()}
        paid = {(line.seat, line.wager): int(100 * Fraction(line.net)) for line in settled.lines}
        assert {key: paid.get(key, 0) for key in expected} == expected, played
        won.update(name for (_, name), net in expected.items() if net > 0)
    assert all(won[name] for name in sides)


class Hearts(CardGroup):
    """A group that wrongly distinguishes suits."""

    name = "pocket_pair"
    about = "A side bet on hearts"
    values = ("two hearts", "other cards", "none")

    @staticmethod
    def index(first: int, second: int) -> int:
        return 0 if first % 4 == second % 4 == 2 else 1


class InOrder(Hearts):
    """A group that wrongly distinguishes the first card from the second."""

    @staticmethod
    def index(first: int, second: int) -> int:
        return int(first < second)


class IndexTooLarge(Hearts):
    """A group whose index exceeds its values."""

    @staticmethod
    def index(first: int, second: int) -> int:
        return 3 if first // 4 == second // 4 else 2


class FlopOfHearts(CardGroup):
    """A group on the flop that wrongly distinguishes suits."""

    name = "flop_suits"
    about = "A side bet on hearts"
    reads = Inputs.HOLE_AND_FLOP
    values = FlopSuits.values

    @staticmethod
    def index(*five: int) -> int:
        return int(all(card % 4 == 2 for card in five[2:]))


class MiddleAce(FlopOfHearts):
    """A group that wrongly depends on which card of the flop is in the middle."""

    @staticmethod
    def index(*five: int) -> int:
        return int(five[3] // 4 == ACE)


class LowestInMiddle(FlopOfHearts):
    """A group that wrongly depends on the order in which the flop is dealt."""

    @staticmethod
    def index(*five: int) -> int:
        return int(five[3] // 4 < min(five[2] // 4, five[4] // 4))


class RotatedFlop(FlopOfHearts):
    """A group that wrongly depends on the cyclic order of the flop, which is the same after a rotation."""

    @staticmethod
    def index(*five: int) -> int:
        first, second, third = (card // 4 for card in five[2:])
        return int((second - first) * (third - second) * (first - third) > 0)


@pytest.mark.parametrize(
    ("group", "wager", "sentence"),
    [
        (
            Hearts(),
            "pocket_pairs",
            "2h 3h and 2c 3c; a group may test whether suits match, but not which suit it is",
        ),
        (InOrder(), "pocket_pairs", "2d 2c and 2c 2d; the order of the cards must not matter"),
        (
            IndexTooLarge(),
            "pocket_pairs",
            r"returns index 3 for 2d 2c; index must return 0 to 2 \(3 values\)",
        ),
        (
            FlopOfHearts(),
            "suited_flop",
            "a group may test whether suits match, but not which suit it is",
        ),
        (MiddleAce(), "suited_flop", "the order of the cards must not matter"),
        (
            LowestInMiddle(),
            "suited_flop",
            "'flop_suits' has different values for .*; the order of the cards",
        ),
        (RotatedFlop(), "suited_flop", "'flop_suits' has different values for .*; the order of the cards"),
    ],
)
def test_a_group_that_cannot_be_counted_is_refused(
    monkeypatch: pytest.MonkeyPatch, terms: Terms, group: CardGroup, wager: str, sentence: str
) -> None:
    monkeypatch.setitem(terms.groups, wager, group)
    with pytest.raises(UnsolvableError, match=sentence):
        flop_cells(terms, wager)


def test_a_misread_pair_is_noticed(terms: Terms, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(PocketPair):
        @staticmethod
        def index(first: int, second: int) -> int:
            return 2 - (first // 4 == second // 4)

    monkeypatch.setitem(terms.groups, "pocket_pairs", Wrong())
    assert [case.ways for case in own_cases(terms, "pocket_pairs")] != [6, 72, 1_248]


@pytest.mark.parametrize(
    ("group", "hole", "reason"),
    [
        (PocketPair(), "As Ah", "Pair of aces in the two hole cards pays 30 to 1"),
        (FlopSuits(), "Kd 4d", "Five of a suit in the hole cards and the flop pays 30 to 1"),
    ],
)
def test_a_groups_reason_names_the_cards_that_pay(group: CardGroup, hole: str, reason: str) -> None:
    settled = Payment(
        result="win",
        odds="30 to 1",
        from_seat=0,
        folded=False,
        hole=cards(hole),
        flop=cards("Qd 9d 7d"),
        own=None,
        dealer=None,
        unqualified=False,
        pays_by_hand=True,
        first_five=None,
        highest=lambda: None,
    )
    assert group.reason(settled) == reason


def test_card_numbers_follow_the_order_of_the_deck() -> None:
    assert [card.number for card in cards("2c 2d 2h 2s 3c As")] == [0, 1, 2, 3, 4, 51]
