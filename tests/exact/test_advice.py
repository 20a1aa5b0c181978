"""The value of each choice for a hand: the fast methods give the same values as dealing every card."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from exact.games import solution, terms, terms_of, with_sizes
from houseway import exact
from houseway.cards import DECK, Card, cards, codes
from houseway.engine.terms import Terms
from houseway.ranking import read
from houseway.rules.loader import load
from samples import LONG


def by_hand(
    game: Terms, hole: tuple[Card, ...], board: tuple[Card, ...], dead: tuple[Card, ...]
) -> Fraction:
    """Return the value of a 1x play after the river in the standard game, computed with the readable evaluator alone."""
    order = game.order
    mine = read((*hole, *board), order)
    pays: dict[str, Fraction | int] = {
        "royal flush": 500, "straight flush": 50, "four of a kind": 10, "full house": 3,
        "flush": Fraction(3, 2), "straight": 1,
    }  # fmt: skip
    total = Fraction(0)
    hands = list(combinations([c for c in DECK if c not in (*hole, *board, *dead)], 2))
    for dealt in hands:
        dealer = read((*dealt, *board), order)
        qualifies = dealer.name != "high card"
        if mine.key > dealer.key:
            total += 1 + qualifies + pays.get(mine.name, 0)
        elif mine.key < dealer.key:
            total -= 2 + qualifies
    return total / len(hands)


@pytest.mark.parametrize(
    ("hole", "board", "dead"),
    [
        ("9c 9d", "9h 9s 2c 3d 7h", ""),
        ("Ah 4h", "Kh 9h 6h 6c 2d", "As Ks"),
        ("7c 2d", "Ks Qs 9s 5s 3s", "Ah Ad Ac"),
        ("8d 3c", "Kc Kd 6h 6s Js", "2c 2d 2h 2s 3d 3h 3s"),
    ],
)
def test_values_after_the_river_match_a_comparison_with_every_dealer_hand(
    hole: str, board: str, dead: str
) -> None:
    known = cards(hole), cards(board), cards(dead)
    advice = exact.odds(terms(), *known)
    assert advice.values == {"fold": -2, "1x": by_hand(terms(), *known)}
    assert advice.best == ("1x" if advice.values["1x"] > -2 else "fold")


def test_values_after_the_flop_match_dealing_every_card() -> None:
    # The value after a flop is the mean of the values with one dead card, over all remaining cards, because an unknown
    # dead card changes nothing.
    rng = Random("flops")
    for _ in range(2 if LONG else 1):
        hole, flop = rng.sample(DECK, 2), rng.sample(DECK, 3)
        if set(hole) & set(flop):
            flop = [c for c in DECK if c not in hole][10:13]
        left = [c for c in DECK if c not in (*hole, *flop)]
        seen = [exact.odds(terms(), hole, flop, [c]).values["2x"] for c in left]
        assert sum(seen, Fraction(0)) / len(left) == exact.odds(terms(), hole, flop).values["2x"]


def test_a_dead_card_changes_the_values() -> None:
    hole, flop = cards("Kh Qh"), cards("Jh Th 2c")
    free = exact.odds(terms(), hole, flop).values["2x"]
    without_royal = exact.odds(terms(), hole, flop, cards("Ah")).values["2x"]
    without_two = exact.odds(terms(), hole, flop, cards("2d")).values["2x"]
    assert without_royal < free < without_two


def test_advice_before_the_flop_matches_the_solved_starting_hand() -> None:
    by_hand = {h.hand: h for h in solution().starting_hands}
    for hole, name in (
        ("Ah Kh", "AKs"),
        ("Kc Ah", "AKo"),
        ("2c 2d", "22"),
        ("Td 9d", "T9s"),
        ("9c Td", "T9o"),
    ):
        advice = exact.odds(terms(), cards(hole))
        assert (advice.values, advice.best) == (by_hand[name].values, by_hand[name].best)


def test_the_choices_have_the_rulebooks_sizes() -> None:
    game = terms_of(with_sizes(load("uth-ma"), (5,), (1, 3), (2,)))
    hole, board = cards("Ah Ad"), cards("Ac 7d 2s 9h Jc")
    assert list(exact.odds(game, hole).values) == ["check", "5x"]
    assert list(exact.odds(game, hole, board[:3]).values) == ["check", "1x", "3x"]
    assert list(exact.odds(game, hole, board).values) == ["fold", "2x"]
    assert exact.odds(game, hole, board[:3]).best == "3x"


@pytest.mark.parametrize(
    ("hole", "board", "dead", "says"),
    [
        ("Ah", "", "", "a hand must have two cards \\(got Ah\\)"),
        ("Ah Kh", "2c 3c 4c 5c", "", "give 0, 3 or 5 board cards \\(got 4\\)"),
        ("Ah Kh", "Ah 3c 4c", "", "only once \\(repeated: Ah\\)"),
        ("Ah Kh", "", "2c 2c", "only once \\(repeated: 2c\\)"),
        ("Ah Kh", "", codes(DECK[:44]), "44 dead cards leave too few"),
    ],
)
def test_impossible_cards_are_refused(hole: str, board: str, dead: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        exact.odds(terms(), cards(hole), cards(board), cards(dead))


@pytest.mark.exhaustive
def test_the_value_with_dead_cards_is_the_mean_over_each_further_dead_card() -> None:
    # With dead cards before the flop, every board is dealt. The value must equal the mean of the values with one more
    # dead card, over all remaining cards.
    progress: list[tuple[int, int]] = []
    hole, dead = cards("Kd Qh"), cards("2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s")
    advice = exact.odds(
        terms(), hole, (), dead, progress=lambda done, total: progress.append((done, total))
    )
    assert progress[-1][0] == progress[-1][1] == len(progress)
    left = [c for c in DECK if c not in (*hole, *dead)]
    more = [exact.odds(terms(), hole, (), (*dead, c)).values["4x"] for c in left]
    assert sum(more, Fraction(0)) / len(left) == advice.values["4x"]
    assert exact.odds(terms(), hole).values["4x"] != advice.values["4x"]
