"""Compute the results of each two-card hand of Texas Shootout, for every possible pair of discards, against
a dealer who follows the house way.

Discards matter only because they cannot be dealt again. The results for all discards are found by inclusion
and exclusion: take the sum over all boards and dealer hands, subtract the sums over the deals that contain
one of the discards, and add the sums over the deals that contain both.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANKS as RANK_LETTERS
from houseway.cards import SUITS
from houseway.exact.board_counts import CORES
from houseway.exact.kernels import shootout as kernels
from houseway.exact.kernels.atoms import RANKS
from houseway.exact.kernels.compiler import FOLDER, fingerprint
from houseway.exact.kernels.shootout import CARDS, FOUR, LOW_BITS
from houseway.exact.numbering import Integers, pair_of
from houseway.exact.shootout_game import PAIRS, RANK, SUIT, ShootoutArrays
from houseway.rules.rulebook import Rulebook

Whole = NDArray[Any]
"""Python integers of any size."""
Two = tuple[int, int]
Progress = Callable[[int, int], None]

STARTS: Final = tuple(
    (high, low, suited) for high in range(RANKS) for low in range(high + 1) for suited in (True, False)
)
"""The 182 two-card hands: the two ranks, and True if suited. A suited pair is two copies of one card."""
NAMES: Final = tuple(
    f"{RANK_LETTERS[high]}{RANK_LETTERS[low]}{'s' if suited else 'o'}" for high, low, suited in STARTS
)
VERSION = fingerprint(Path(__file__).parent)
"""A hash of the counting modules. It is computed at import, so a file that is edited later does not change
it."""
ABOUT = (
    "The net result of each two-card hand of Texas Shootout against the house way, summed over all boards "
    "and dealer hands: alone, and for every two discards."
)


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """The results of the 182 two-card hands, summed over all boards and all four-card dealer hands."""

    alone: Whole
    """The sums if only the hand's own two cards are out of the shoe."""
    by_discards: Whole
    """The sums if two discards are also out of the shoe, for every two discards. The hand has the cards
    that `two_cards` returns."""


def two_cards(start: int) -> Two:
    """Return the cards that stand for a two-card hand."""
    high, low, suited = STARTS[start]
    return high * len(SUITS), low * len(SUITS) + (not suited)


def discard_indices(hands: Integers, discards: Integers) -> tuple[Integers, Integers]:
    """Return the indexes into `Hands.by_discards` for rows of two cards and their two discards.

    The suits of the discards are renamed to match the cards of `two_cards`.
    """
    swap = (RANK[hands[:, 0]] < RANK[hands[:, 1]])[:, None]
    high, low = np.where(swap, hands[:, ::-1], hands).T
    suited = SUIT[high] == SUIT[low]
    start = 2 * pair_of(RANK[high], RANK[low]) + ~suited
    names = _renamed()[SUIT[high], SUIT[low]]
    one, other = (
        len(SUITS) * RANK[d] + np.take_along_axis(names, SUIT[d][:, None], 1)[:, 0] for d in discards.T
    )
    return start, pair_of(one, other)


@cache
def _renamed() -> Integers:
    """For every two suits, return a renaming of all suits in which the first becomes clubs and the second
    diamonds."""
    names = np.empty((len(SUITS), len(SUITS), len(SUITS)), np.int64)
    for order in permutations(range(len(SUITS))):
        names[order[0], order[1], list(order)] = range(len(SUITS))
        names[order[0], order[0], list(order)] = range(len(SUITS))
    return names


def worth(game: ShootoutArrays, hand: Two, left: Integers) -> int:
    """Sum the results of a hand over all four-card dealer hands and boards of the remaining cards."""
    total = 0
    for number in range(len(game.views)):
        low, high = _meet(game, number, hand, left, deep=False)
        total += int(low[0]) + (int(high[0]) << LOW_BITS)
    return total


def by_discards(game: ShootoutArrays, number: int, hand: Two, left: Integers) -> tuple[int, Whole]:
    """Return one view's part of a hand's result: the total, and the result for every two discards.

    `left` counts the cards that remain in the shoe.
    """
    view = game.views[number]
    low, high = _meet(game, number, hand, left, deep=True)
    sums = low.astype(object) + (high.astype(object) << LOW_BITS)
    atoms = view.plus.shape[1]
    rows = 1 + atoms + len(view.first)
    boards = sums[:rows]
    cards = sums[rows : rows + CARDS * (1 + 2 * atoms)].reshape(CARDS, -1)
    pairs = sums[rows + CARDS * (1 + 2 * atoms) :].reshape(-1, FOUR)
    one, other = PAIRS.T
    a, b = view.atom[one], view.atom[other]
    by_pair = boards[0] - boards[1 + a] - boards[1 + b] + boards[view.plus[1 + a, b]]
    # The sums count a dealer hand once for each copy of a discard that it may contain.
    for card, own, its in ((one, a, b), (other, b, a)):
        held = cards[card, 0] - cards[card, 1 + own] - cards[card, 1 + its] + cards[card, 1 + atoms + its]
        by_pair -= held // np.maximum(left[card], 1)
    ways = np.where(one == other, left[one] * (left[one] - 1) // 2, left[one] * left[other])
    by_pair += (pairs[:, 0] - pairs[:, 1] - pairs[:, 2] + pairs[:, 3]) // np.maximum(ways, 1)
    return boards[0], by_pair


def _meet(
    game: ShootoutArrays, number: int, hand: Two, left: Integers, *, deep: bool
) -> tuple[Integers, Integers]:
    view = game.views[number]
    atoms = view.plus.shape[1]
    deeper = atoms + len(view.first) + CARDS * (1 + 2 * atoms) + len(PAIRS) * FOUR
    low, high = np.zeros((2, 1 + deeper * deep), np.int64)
    kernels.meet_dealer(view, game.fours[number], _pair(game, number, hand), left, deep, low, high)
    return low, high


def _pair(game: ShootoutArrays, number: int, hand: Two) -> int:
    one, other = game.views[number].atom[list(hand)]
    return int(pair_of(one, other))


def left_by(game: ShootoutArrays, cards: Sequence[int]) -> Integers:
    """Count the cards that remain in a full shoe when these cards are taken out."""
    left = np.full(CARDS, game.decks, np.int64)
    np.subtract.at(left, list(cards), 1)
    return left


def count_hands(
    game: ShootoutArrays, threads: int | None = None, progress: Progress | None = None
) -> Hands:
    """Compute the results of the 182 two-card hands, alone and with every two discards."""
    with ThreadPoolExecutor(threads or CORES) as pool:
        counted = []
        for done, one in enumerate(pool.map(lambda start: _count_hand(game, start), range(len(STARTS))), 1):
            counted.append(one)
            if progress is not None:
                progress(done, len(STARTS))
    return Hands(
        np.array([alone for alone, _ in counted], object), np.array([table for _, table in counted], object)
    )


def _count_hand(game: ShootoutArrays, start: int) -> tuple[int, Whole]:
    hand = two_cards(start)
    left = left_by(game, hand)
    alone: int = 0
    table: Whole = np.zeros(len(PAIRS), object)
    for number, mirrors in _mirrored(hand):
        once, by_pair = by_discards(game, number, hand, left)
        alone += once * len(mirrors)
        for mirror in mirrors:
            table += by_pair[mirror]
    return alone, table


def count_classes(game: ShootoutArrays, start: int) -> Integers:
    """Count, for a two-card hand and every two discards, the boards that give the hand each class."""
    hand = two_cards(start)
    left = left_by(game, hand)
    one, other = PAIRS.T
    classes = int(game.places.max()) + 1
    table = np.zeros((len(PAIRS), classes), np.int64)
    for number, mirrors in _mirrored(hand):
        view = game.views[number]
        atoms = view.plus.shape[1]
        counts = np.zeros((classes, 1 + atoms + len(view.first)))
        of_suit = number < len(SUITS)
        kernels.count_classes(view, _pair(game, number, hand), left, game.places, of_suit, counts)
        a, b = view.atom[one], view.atom[other]
        by_pair = counts[:, :1] - counts[:, 1 + a] - counts[:, 1 + b] + counts[:, view.plus[1 + a, b]]
        for mirror in mirrors:
            table += by_pair.T[mirror].astype(np.int64)
    return table


def _mirrored(hand: Two) -> list[tuple[int, list[Integers]]]:
    """Return the numbers of the views to count. With each, return the reorderings of discards to add up.

    Suits that the hand does not have are interchangeable. Only one of them is counted; its results are
    reordered for the other suits.
    """
    held = sorted({int(SUIT[card]) for card in hand})
    others = [suit for suit in range(len(SUITS)) if suit not in held]
    same = np.arange(len(PAIRS))
    return [
        *((number, [same]) for number in (*held, len(SUITS))),
        (others[0], [_swapped(others[0], suit) for suit in others]),
    ]


def _swapped(one: int, other: int) -> Integers:
    """Return, for every set of two cards, the index of the same cards after two suits are exchanged."""
    names = np.arange(len(SUITS))
    names[[one, other]] = other, one
    cards = len(SUITS) * RANK + names[SUIT]
    return pair_of(cards[PAIRS[:, 0]], cards[PAIRS[:, 1]])


def path_of(book: Rulebook, folder: Path = FOLDER) -> Path:
    """Return the cache file of a rulebook.

    A change to the rulebook or to a counting module changes its name.
    """
    return folder / f"shootout-{book.hash[:16]}-{VERSION}.json"


def stored(book: Rulebook, folder: Path = FOLDER) -> Hands | None:
    """Return the stored counts, or None if the file is missing or damaged."""
    try:
        document = json.loads(path_of(book, folder).read_text("ascii"))
        if document["hash"] != book.hash or document["digest"] != _digest(document):
            return None
        alone = np.array([document["alone"][name] for name in NAMES], object)
        table = np.array([document["discards"][name] for name in NAMES], object)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Hands(alone, table) if table.shape == (len(NAMES), len(PAIRS)) else None


def store(book: Rulebook, hands: Hands, folder: Path = FOLDER) -> None:
    """Store the counts. Write errors are ignored, because the counts can be computed again."""
    document: dict[str, Any] = {
        "about": ABOUT,
        "rulebook": book.id,
        "hash": book.hash,
        "alone": dict(zip(NAMES, hands.alone.tolist(), strict=True)),
        "discards": dict(zip(NAMES, hands.by_discards.tolist(), strict=True)),
    }
    document["digest"] = _digest(document)
    try:
        # Write to a temporary file and rename it, so that no reader sees a partial file.
        handle, aside = tempfile.mkstemp(dir=folder, suffix=".json")
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(document, file, indent=None)
        Path(aside).replace(path_of(book, folder))
    except OSError:
        return


def _digest(document: dict[str, Any]) -> str:
    content = json.dumps([document["hash"], document["alone"], document["discards"]], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()
