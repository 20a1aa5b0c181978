"""The counts of Texas Shootout, compared with the rules, with small shoes dealt completely, and with settled rounds."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from random import Random

import numpy as np
import pytest

from counted import SEVEN_OF_312
from houseway import Settlement, load, settle
from houseway.cards import DECK, cards, codes
from houseway.exact.kernels.atoms import pair_index
from houseway.exact.shootout_game import KEEPS, PAIRS, ShootoutArrays, _grade, orders_kept, read_game
from houseway.exact.shootout_hands import (
    NAMES,
    STARTS,
    by_discards,
    count_classes,
    discard_indices,
    left_by,
    two_cards,
    worth,
)
from houseway.rules.house_way import HouseWay

BOOK = load("shootout-sd")
assert BOOK.house_way is not None
WAY = BOOK.house_way
SHOE = [n for n in range(52) for _ in range(6)]


@pytest.fixture(scope="module")
def game() -> ShootoutArrays:
    return read_game(BOOK)


def numbers(text: str) -> list[int]:
    return [card.number for card in cards(text)]


# The house way.


def kept_by_kernel(way: HouseWay, four: list[int]) -> Counter[tuple[int, int]]:
    grades = {(a, b): _grade(way, DECK[a], DECK[b]) for a in four for b in four}
    order = sorted(set(grades.values()))
    table = np.zeros((52, 52), np.int64)
    for (a, b), grade in grades.items():
        table[a, b] = order.index(grade)
    counts: Counter[tuple[int, int]] = Counter()
    for (i, j), share in zip(KEEPS, orders_kept(table, np.array([four]))[0].tolist(), strict=True):
        low, high = sorted((four[i], four[j]))
        counts[low, high] += share
    return +counts


def kept_by_rules(way: HouseWay, four: list[int]) -> Counter[tuple[int, int]]:
    counts: Counter[tuple[int, int]] = Counter()
    for order in permutations(four):
        low, high = sorted(card.number for card in way.keep([DECK[n] for n in order])[0])
        counts[low, high] += 1
    return counts


def random_fours(seed: int, count: int) -> list[list[int]]:
    """Return random four-card hands from a full shoe, and as many from a shoe with few ranks, in which the dealing order
    often decides."""
    rng = Random(seed)
    few = [n for n in SHOE if n // 4 in (5, 6, 12)]
    return [sorted(rng.sample(pile, 4)) for _ in range(count) for pile in (SHOE, few)]


def test_the_counted_house_way_agrees_with_the_rules() -> None:
    fours = random_fours(1, 150)
    wrong = [four for four in fours if kept_by_kernel(WAY, four) != kept_by_rules(WAY, four)]
    assert wrong == []
    assert any(len(kept_by_rules(WAY, four)) > 1 for four in fours)


def test_another_house_way_is_noticed() -> None:
    turned = replace(WAY, lines=(*WAY.lines[1::-1], *WAY.lines[2:]))
    fours = random_fours(1, 150)
    assert any(kept_by_kernel(turned, four) != kept_by_rules(WAY, four) for four in fours)


def test_every_dealing_order_is_counted_if_unsuited_cards_rank_before_suited() -> None:
    lines = tuple(
        replace(WAY.lines[-1], text=text, suited=suited)
        for text, suited in (("unsuited", False), ("rest", None))
    )
    way = replace(WAY, lines=lines)
    # There are three unsuited ways to keep an ace with a king. The dealing order decides between them.
    four = sorted(numbers("As Ah Ks Kd"))
    assert kept_by_kernel(way, four) == kept_by_rules(way, four)


@pytest.mark.exhaustive
def test_the_dealer_keeps_the_cards_the_rules_keep(game: ShootoutArrays) -> None:
    fours = game.fours[-1]
    by_four: dict[tuple[int, ...], Counter[tuple[int, int]]] = {}
    for row, share in zip(fours.dealt.tolist(), fours.shares.tolist(), strict=True):
        low, high = sorted(row[:2])
        by_four.setdefault(tuple(sorted(row)), Counter())[low, high] += share * (24 // game.scale)
    assert len(by_four) == comb(55, 4)
    for four, pairs in by_four.items():
        assert pairs == kept_by_rules(WAY, list(four))


def test_the_dealer_keeps_two_of_every_four_cards(game: ShootoutArrays) -> None:
    assert int(game.kept.sum()) == game.scale * comb(312, 4)
    assert sum(game.lines) == 1
    # Published: 1.285 % of the dealer's hands are below the twelfth line.
    assert round(100 * float(sum(game.lines[12:])), 3) == 1.285


# Small shoes: every possible deal.


def dealt_out(hand: list[int], left: np.ndarray, way: HouseWay, scale: int) -> Fraction:
    """Return the sum of a hand's results over every dealer's four cards and board, with the house way and the evaluator of
    the rules. A tie loses."""
    pile = [n for n in range(52) for _ in range(left[n])]
    strength = BOOK.ranking.evaluator.strength
    mine = [DECK[n] for n in hand]
    keeps: dict[tuple[int, ...], Counter[tuple[int, int]]] = {}
    total = 0
    for places in combinations(range(len(pile)), 4):
        four = tuple(pile[p] for p in places)
        if four not in keeps:
            keeps[four] = kept_by_rules(way, list(four))
        rest = [DECK[pile[p]] for p in range(len(pile)) if p not in places]
        for board in combinations(rest, 5):
            held = strength((*board, *mine))
            for pair, orders in keeps[four].items():
                total += orders * (1 if held > strength((*board, *(DECK[n] for n in pair))) else -1)
    return Fraction(total * scale, 24)


def small_shoe(rng: Random, kinds: list[int], size: int) -> np.ndarray:
    left = np.zeros(52, np.int64)
    while left.sum() < size:
        card = rng.choice(kinds)
        left[card] += left[card] < 6
    return left


FLUSHES = [n for n in range(52) if n % 4 == 0]
FEW_RANKS = [n for n in range(52) if n // 4 in (0, 6, 12)]
SOME_OF_EACH = [*FLUSHES[:9], *FEW_RANKS[:7]]


@pytest.mark.parametrize(
    ("kinds", "seed"),
    [(FLUSHES, 1), (FEW_RANKS, 2), (SOME_OF_EACH, 3), (list(range(52)), 5)],
)
def test_counting_a_small_shoe_matches_dealing_every_card(
    game: ShootoutArrays, kinds: list[int], seed: int
) -> None:
    rng = Random(seed)
    shoe = small_shoe(rng, kinds, 14)
    four = rng.sample([n for n in range(52) for _ in range(shoe[n])], 4)
    hand, discards = four[:2], sorted(four[2:])
    without_hand = shoe.copy()
    np.subtract.at(without_hand, hand, 1)
    without_four = without_hand.copy()
    np.subtract.at(without_four, discards, 1)
    expected = dealt_out(hand, without_four, WAY, game.scale)
    assert worth(game, (hand[0], hand[1]), without_four) == expected
    pair = PAIRS.tolist().index(discards)
    by_view = [by_discards(game, n, (hand[0], hand[1]), without_hand) for n in range(len(game.views))]
    assert sum(counts[pair] for _, counts in by_view) == expected
    assert sum(alone for alone, _ in by_view) == dealt_out(hand, without_hand, WAY, game.scale)


def test_a_dealer_who_keeps_other_cards_is_noticed(game: ShootoutArrays) -> None:
    shoe = small_shoe(Random(2), [n for n in range(52) if n // 4 in (6, 11, 12)], 12)
    hand = [n for n in range(52) if shoe[n]][:2]
    np.subtract.at(shoe, hand, 1)
    turned = replace(WAY, lines=(*WAY.lines[1::-1], *WAY.lines[2:]))
    counted = worth(game, (hand[0], hand[1]), shoe)
    assert counted == dealt_out(hand, shoe, WAY, game.scale)
    assert counted != dealt_out(hand, shoe, turned, game.scale)


# A full shoe.


def test_counting_all_discards_at_once_matches_counting_each_pair(game: ShootoutArrays) -> None:
    hand = numbers("9c 8c")
    left = left_by(game, hand)
    total = np.sum(
        [by_discards(game, n, (hand[0], hand[1]), left)[1] for n in range(len(game.views))], axis=0
    )
    for discards in map(numbers, ("4d 2h", "9c 8s", "8h 8h")):
        start, pair = discard_indices(np.array([hand]), np.array([discards]))
        assert NAMES[start[0]] == "98s"
        assert total[pair[0]] == worth(game, (hand[0], hand[1]), left_by(game, hand + discards))


def test_the_classes_of_seven_cards_from_six_decks_have_the_known_counts(game: ShootoutArrays) -> None:
    one, other = PAIRS.T
    totals = np.zeros(len(SEVEN_OF_312), object)
    for start in range(len(STARTS)):
        hand = two_cards(start)
        left = left_by(game, hand)
        discards = np.where(one == other, left[one] * (left[one] - 1) // 2, left[one] * left[other])
        high, low, suited = STARTS[start]
        suits = (4 if suited else 6 if high == low else 12) * (15 if high == low and suited else 36)
        totals += suits * (discards.astype(object) @ count_classes(game, start).astype(object))
    # Every seven cards are counted once for each choice of the hand's two cards and of the two discards.
    counts = [Fraction(total, comb(7, 2) * comb(305, 2)) for total in totals]
    assert dict(zip(BOOK.ranking.order, counts, strict=True)) == SEVEN_OF_312
    assert sum(counts) == comb(312, 7)


# Settlement.


def value_in_tables(game: ShootoutArrays, hand: list[int], dealer: list[int], board: list[int]) -> float:
    """Return the value of one round, read from the tables that are used for counting."""
    suits = Counter(n % 4 for n in board)
    suit, most = suits.most_common(1)[0]
    view = game.views[suit if most >= 3 else len(game.views) - 1]
    at = np.flatnonzero((view.boards == np.sort(view.atom[board])).all(axis=1))[0]
    mine, yours = (int(view.strong[pair_index(*map(int, view.atom[held])), at]) for held in (hand, dealer))
    return float(view.value[1 + (mine > yours) - (mine < yours), mine])


def random_round(rng: Random) -> tuple[list[int], list[int], list[int]]:
    """Return four cards for the player, four for the dealer, and a board. Half of the rounds have two suits and few ranks,
    so that strong hands and ties are common."""
    pile = SHOE if rng.random() < 0.5 else [n for n in SHOE if n % 4 < 2 and n // 4 > 6]
    dealt = rng.sample(pile, 13)
    return dealt[:4], dealt[4:8], dealt[8:]


def test_the_tables_used_for_counting_pay_as_rounds_are_settled(game: ShootoutArrays) -> None:
    rng = Random(7)
    seen: Counter[str] = Counter()
    for _ in range(600):
        four, dealer, board = random_round(rng)
        text = {"cards": four, "dealer": dealer, "board": board}
        data = {name: codes(DECK[n] for n in held) for name, held in text.items()}
        ranks = sorted(Counter(n // 4 for n in four).values())
        parts = [four[:2], four[2:]] if ranks in ([2, 2], [4]) else [four[:2]]
        paid = settle(
            {
                "rulebook": "shootout-sd",
                "board": data["board"],
                "dealer": data["dealer"],
                "seats": [
                    {
                        "seat": 1,
                        "cards": data["cards"],
                        "hands": [codes(DECK[n] for n in part) for part in parts],
                        "wager": "10",
                    }
                ],
            }
        )
        pair, _ = WAY.keep([DECK[n] for n in dealer])
        assert isinstance(paid, Settlement)
        lines = [line for line in paid.lines if line.wager == "wager"]
        assert len(lines) == len(parts)
        for part, line in zip(parts, sorted(lines, key=lambda line: line.hand), strict=True):
            seen[line.result] += 1
            assert Fraction(line.net) == 10 * value_in_tables(
                game, part, [c.number for c in pair], board
            ), data
        seen["split"] += len(parts) == 2
    assert min(seen["win"], seen["lose"], seen["split"]) > 20
