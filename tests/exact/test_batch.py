"""Batch evaluation gives every hand the same strength as the readable evaluator."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest

from houseway.cards import DECK
from houseway.exact import hand_strengths, strengths
from houseway.ranking import evaluator, read
from houseway.rules.loader import load

BOOKS = ["uth-ma", "shootout-sd"]


def random_hands(ref: str, size: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Return random hands. Some are drawn from few cards, so that strong hands are common."""
    rng = np.random.default_rng(20_261_116)
    decks = load(ref).ranking.decks
    few = np.repeat(np.arange(32, 52), decks)
    suited = np.repeat(np.arange(2, 52, 4), decks)
    shoe = np.repeat(np.arange(52), decks)
    rows = [
        rng.choice(pool, 7, replace=False) for n in range(size) for pool in ((shoe, few, suited)[n % 3],)
    ]
    return np.array(rows, np.uint8)


@pytest.mark.parametrize("ref", BOOKS)
def test_the_batch_and_the_readable_evaluator_agree(ref: str) -> None:
    ranking = load(ref).ranking
    hands = random_hands(ref, 600)
    batch = strengths(hands, ranking)
    keys = [read([DECK[n] for n in row], ranking.order).key for row in hands]
    ordered = {key: n for n, key in enumerate(sorted(set(keys)))}
    assert np.unique(batch, return_inverse=True)[1].tolist() == [ordered[key] for key in keys]
    fast = evaluator(ranking.order, ranking.decks)
    assert [fast.places[int(s)] for s in batch] == [-key[0] for key in keys]


@pytest.mark.parametrize("ref", BOOKS)
def test_every_combination_of_ranks_has_the_right_strength(ref: str) -> None:
    ranking = load(ref).ranking
    fast = evaluator(ranking.order, ranking.decks)
    held = [h for h in combinations_with_replacement(range(13), 7) if max(map(h.count, h)) <= 4]
    # The suits alternate, so no hand has five cards of one suit or the same card twice.
    hands = np.array([[4 * rank + n % 4 for n, rank in enumerate(h)] for h in held], np.uint8)
    batch = strengths(hands, ranking, threads=2)
    assert batch.tolist() == [fast.strength([DECK[n] for n in row]) for row in hands]


def flushes(decks: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Every set of five, six or seven ranks in one suit, completed with cards of another suit; the suits alternate."""
    rows: list[list[int]] = []
    for size in (5, 6, 7):
        for held in combinations_with_replacement(range(13), size):
            if max(map(held.count, held)) <= decks:
                suit = len(rows) % 4
                rest = [4 * rank + (suit + 1) % 4 for rank in (len(rows) % 13, (len(rows) + 5) % 13)]
                rows.append([*(4 * rank + suit for rank in held), *rest][:7])
    return np.array(rows, np.uint8)


@pytest.mark.parametrize("ref", BOOKS)
def test_every_flush_has_the_right_strength(ref: str) -> None:
    ranking = load(ref).ranking
    fast = evaluator(ranking.order, ranking.decks)
    hands = flushes(ranking.decks)
    # C(13, n) sets with one deck; C(12 + n, n) multisets with six decks, minus the 13 with seven equal cards.
    assert len(hands) == {1: 1287 + 1716 + 1716, 6: 6188 + 18_564 + 50_388 - 13}[ranking.decks]
    batch = strengths(hands, ranking)
    assert batch.tolist() == [fast.strength([DECK[n] for n in row]) for row in hands]


def test_the_numbers_of_hands_and_threads_do_not_change_the_strengths() -> None:
    ranking = load("shootout-sd").ranking
    hands = np.random.default_rng(3).integers(0, 52, (3_001, 7), np.uint8)
    whole = strengths(hands, ranking)
    for size in (1, 511, 512, 513, 3_001):
        for threads in (1, 2, 3):
            assert (strengths(hands[:size], ranking, threads=threads) == whole[:size]).all()


def test_a_wrong_entry_of_the_tables_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking = load("uth-ma").ranking
    hands = flushes(1)
    right = strengths(hands, ranking)
    tables = hand_strengths._tables(ranking.order, ranking.decks)
    wrong = np.where(tables.suited.slots == right.max(), right.max() - 1, tables.suited.slots)
    mistaken = tables._replace(suited=tables.suited._replace(slots=wrong.astype(np.uint16)))
    monkeypatch.setattr(hand_strengths, "_tables", lambda order, decks: mistaken)
    # Hands with a royal flush have none, one or two lower cards of its suit: 1 + 8 + C(8, 2).
    assert int((strengths(hands, ranking) != right).sum()) == 1 + 8 + 28


def test_an_invalid_hand_is_refused() -> None:
    ranking = load("uth-ma").ranking
    with pytest.raises(ValueError, match="rows of seven cards"):
        strengths(np.zeros((3, 5), np.uint8), ranking)
    with pytest.raises(ValueError, match=r"card numbers must be 0 to 51 \(got 52\)"):
        strengths(np.full((1, 7), 52, np.uint8), ranking)
    assert len(strengths(np.zeros((0, 7), np.uint8), ranking)) == 0
