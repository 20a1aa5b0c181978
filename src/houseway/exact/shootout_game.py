"""The data of a Texas Shootout rulebook that the exact analysis needs: groupings of the cards, the dealer's
hands under the house way, and the payments of the primary wager.

A hand's strength depends on suits only if the board has three or more cards of one suit. So every sum over
boards is first computed by rank alone, and then corrected for each suit on the boards on which that suit
can make a flush.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, gcd, lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, SUITS, Card
from houseway.engine.terms import read_terms
from houseway.exact.board_counts import rank_strengths
from houseway.exact.kernels import shootout as kernels
from houseway.exact.kernels.atoms import RANKS, SUIT_PAIRS
from houseway.exact.kernels.shootout import BOARD, CARDS, FOUR, ORDERS, SEVEN, DealerFours, ShootoutView
from houseway.exact.numbering import (
    Integers,
    grown,
    multiset_number,
    multisets,
    pair_of,
    repeats,
    with_pair,
)
from houseway.exact.pay_arrays import UnsolvableError, net
from houseway.ranking import Evaluator, HandClass, evaluator
from houseway.rules.house_way import HouseWay
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook
from houseway.wording import several

RANK: Final = np.array([c.rank for c in DECK], np.int64)
SUIT: Final = np.array([c.suit for c in DECK], np.int64)
PAIRS: Final = multisets(2, CARDS)
"""Every two cards, the lower first. The second may be another copy of the first."""
Strong = NDArray[np.int16]
KEEPS: Final = tuple(combinations(range(FOUR), 2))
"""The six ways to keep two of four positions. The reversed list has the discards of each way."""


@dataclass(frozen=True, slots=True, eq=False)
class ShootoutArrays:
    """All data of a rulebook that the counting needs."""

    decks: int
    unit: int
    """The number of integer units in a primary wager."""
    scale: int
    """The weight of one four-card dealer hand. It makes all shares integers."""
    places: Integers
    """The class of each strength."""
    views: tuple[ShootoutView, ...]
    """A grouping of the cards for each suit, then a grouping by rank alone."""
    fours: tuple[DealerFours, ...]
    """The four-card dealer hands in each of these groupings."""
    lines: tuple[Fraction, ...]
    """How often each line of the house way decides, if no cards are known."""
    kept: Integers
    """For each two cards, the number of four-card dealer hands that keep them, multiplied by `scale`."""


@cache
def read_game(book: Rulebook) -> ShootoutArrays:
    """Return the data of a rulebook. The odds of the primary wager are the same as in settlement."""
    way = book.house_way
    if book.game != SHOOTOUT or way is None:
        raise UnsolvableError(
            f"{book.id} is not a Texas Shootout rulebook with a house way; use one, such as shootout-sd"
        )
    if book.option("keep") != 2:
        raise UnsolvableError(
            f"{book.id}: a player keeps {several(book.option('keep'), 'card')}; only two can be counted"
        )
    decks = book.ranking.decks
    by = book.ranking.evaluator
    places = np.frombuffer(by.places, np.uint8).astype(np.int64)
    pays = _pays(book)
    unit = lcm(*(pay.denominator for row in pays for pay in row))
    value = np.array([[int(pay * unit) for pay in row] for row in pays], np.float64)[:, places]
    views = _views(by.order, decks, value)
    dealt, shares = _fours(way)
    step = gcd(*map(int, np.unique(shares)))
    fours = tuple(_sorted(view, dealt, shares // step) for view in views)
    game = ShootoutArrays(
        decks, unit, ORDERS // step, places, views, fours, *_distribution(way, dealt, shares // step, decks)
    )
    _check_size(book, game, int(abs(value).max()))
    return game


def _check_size(book: Rulebook, game: ShootoutArrays, largest: int) -> None:
    """Raise an error for odds whose sums would overflow."""
    boards = comb(CARDS * game.decks, BOARD) * largest
    ranks = np.bincount(pair_of(RANK[PAIRS[:, 0]], RANK[PAIRS[:, 1]]), weights=game.kept)
    if boards * comb(BOARD, 2) >= 2**53 or boards * int(ranks.max()) >= 2**63:
        raise UnsolvableError(
            f"{book.id}: the primary wager may win {largest}/{game.unit} times its stake, which overflows "
            "when summed over all boards; lower the odds or use simpler ones"
        )


def _pays(book: Rulebook) -> list[list[Fraction]]:
    """Return the net results of a unit primary wager that loses, ties or wins, for each hand class."""
    terms = read_terms(book, {})[0]
    if [w.name for w in terms.wagers if not w.optional and w.group.against_dealer] != ["wager"]:
        raise UnsolvableError(f"{book.id}: the main game must be one primary wager settled at showdown")
    if terms.qualifier is not None:
        raise UnsolvableError(f"{book.id}: the dealer must always play; remove the qualifier")
    cells = book.domain(terms.groups["wager"]).cells()
    pays: list[list[Fraction]] = [[], [], []]
    for cell, outcome in zip(cells, terms.outcomes["wager"], strict=True):
        folded, qualifies, contest, _ = cell
        if folded == "no" and qualifies:
            if outcome is None:
                raise UnsolvableError(
                    f"{book.id}: the primary wager has no row for contest {contest!r}; add one"
                )
            pays[("lose", "tie", "win").index(contest)].append(net(outcome, f"{book.id}: wager"))
    return pays


def _views(
    order: tuple[HandClass, ...], decks: int, value: NDArray[np.float64]
) -> tuple[ShootoutView, ...]:
    nothing = np.zeros_like(value)
    ranks, suit = (
        view._replace(value=value, under=under)
        for view, under in zip(_tables(order, decks), (nothing, value), strict=True)
    )
    suits = (suit._replace(atom=np.where(s == SUIT, RANK, RANK + RANKS)) for s in range(len(SUITS)))
    return *suits, ranks


@cache
def _tables(order: tuple[HandClass, ...], decks: int) -> tuple[ShootoutView, ShootoutView]:
    """Return boards by rank alone, and boards with three or more cards of a suit, without payments."""
    by = evaluator(order, decks)
    ranked = rank_strengths(by, SEVEN, decks)[with_pair(BOARD)].T.astype(np.int16, order="C")
    boards = [
        (*inside, *outside)
        for size in (5, 4, 3)
        for inside in combinations_with_replacement(range(RANKS), size)
        for outside in combinations_with_replacement(range(RANKS, 2 * RANKS), BOARD - size)
    ]
    listed = np.array(boards, np.int64)
    plain = ranked.take(multiset_number(np.sort(listed % RANKS)), axis=1)
    suit = _view(2 * RANKS, listed, plain, np.empty((SUIT_PAIRS, len(listed)), np.int16))
    kernels.read_suit(suit, by_suit(by, decks))
    return _view(RANKS, multisets(BOARD), ranked, ranked), suit


def _view(atoms: int, boards: Integers, plain: Strong, strong: Strong) -> ShootoutView:
    again = repeats(boards)
    begins = np.cumsum([0, *(len(multisets(size, atoms)) for size in range(FOUR + 1))])
    marks = [
        begins[size] + multiset_number(boards[:, places])
        for size in range(BOARD)
        for places in combinations(range(BOARD), size)
    ]
    plus = [begins[size + 1] + grown(multisets(size, atoms), atoms) for size in range(FOUR)]
    first, second = multisets(2, atoms).T.copy()
    held = (boards < RANKS).sum(axis=1)
    value = np.zeros((3, 0))
    return ShootoutView(
        atom=RANK,
        boards=boards.astype(np.int8),
        again=again.astype(np.int8),
        twins=(again + 1).prod(axis=1).astype(np.int8),
        marks=np.stack(marks, axis=1).astype(np.int32),
        strong=strong,
        plain=plain,
        ranks=pair_of(first % RANKS, second % RANKS),
        inside=(first < RANKS).astype(np.int64) + (second < RANKS),
        stops=np.array([(held >= least).sum() for least in (5, 4, 3)]),
        first=first,
        second=second,
        plus=np.concatenate(plus).astype(np.int32),
        value=value,
        under=value,
    )


def by_suit(by: Evaluator, decks: int) -> Strong:
    """Return the strengths of five, six and seven cards of one suit, or 0 if the decks do not contain
    them."""
    clubs = [c for c in DECK if c.suit == 0]
    return np.array(
        [
            by.strength([clubs[r] for r in held]) if max(map(held.count, held)) <= decks else 0
            for size in (5, 6, 7)
            for held in multisets(size).tolist()
        ],
        np.int16,
    )


def grades_of(way: HouseWay) -> Integers:
    """Return the house way's grade of each two cards. Of four cards, the dealer keeps the two with the
    lowest grade."""
    grades = {(a, b): _grade(way, a, b) for a in DECK for b in DECK}
    order = {grade: n for n, grade in enumerate(sorted(set(grades.values())))}
    return np.array([[order[grades[a, b]] for b in DECK] for a in DECK], np.int64)


def _fours(way: HouseWay) -> tuple[NDArray[np.int8], Integers]:
    """List every set of four cards with each two of them that the dealer may keep, and count the dealing
    orders for each."""
    fours = multisets(FOUR, CARDS)
    kept = orders_kept(grades_of(way), fours)
    row, keep = np.nonzero(kept)
    places = np.hstack([KEEPS, KEEPS[::-1]])
    dealt = np.take_along_axis(fours[row], places[keep], axis=1)
    # Copies of a card are interchangeable, so rows that differ only in the copy are combined.
    _, first, same = np.unique(dealt @ CARDS ** np.arange(FOUR), return_index=True, return_inverse=True)
    shares = np.bincount(same, kept[row, keep]).astype(np.int64)
    return dealt[first].astype(np.int8), shares


def orders_kept(grades: Integers, fours: Integers) -> Integers:
    """Return in how many of the 24 dealing orders the house way keeps each two of four positions."""
    dealt = np.stack([grades[fours[:, one], fours[:, other]] for one, other in KEEPS], axis=1)
    best = dealt == dealt.min(axis=1, keepdims=True)
    return np.asarray(_first_kept()[best @ (1 << np.arange(len(KEEPS)))])


@cache
def _first_kept() -> Integers:
    """Return how many dealing orders select each way to keep two cards, if several ways share the lowest
    grade.

    The first index is the set of these ways, as a bit mask.
    """
    counts = np.zeros((1 << len(KEEPS), len(KEEPS)), np.int64)
    for order in permutations(range(FOUR)):
        ways = [KEEPS.index((min(pair), max(pair))) for pair in combinations(order, 2)]
        for best in range(1, len(counts)):
            counts[best, next(way for way in ways if best >> way & 1)] += 1
    return counts


def _grade(way: HouseWay, one: Card, other: Card) -> tuple[int, int, int, bool]:
    """Return the grade of two cards: by line, then by higher card, then by lower card, then suited cards
    first."""
    low, high = sorted((one.rank, other.rank))
    return way.keep((one, other))[1], -high, -low, one.suit != other.suit


def _sorted(view: ShootoutView, dealt: NDArray[np.int8], shares: Integers) -> DealerFours:
    atoms = view.atom[dealt.astype(np.int64)]
    kept = pair_of(atoms[:, 0], atoms[:, 1])
    discards = pair_of(atoms[:, 2], atoms[:, 3])
    order = np.lexsort((discards, kept))
    starts = np.searchsorted(kept[order], np.arange(len(view.first) + 1))
    return DealerFours(dealt[order].copy(), shares[order].copy(), discards[order].astype(np.int16), starts)


def _distribution(
    way: HouseWay, dealt: NDArray[np.int8], shares: Integers, decks: int
) -> tuple[tuple[Fraction, ...], Integers]:
    """Return how often each line decides, and how many four-card hands of a full shoe keep each two
    cards."""
    cards = dealt.astype(np.int64)
    again = repeats(cards)
    fours = (decks - again).prod(axis=1) * shares // (again + 1).prod(axis=1)
    pairs = pair_of(cards[:, 0], cards[:, 1])
    kept = np.zeros(len(PAIRS), np.int64)
    np.add.at(kept, pairs, fours)
    lines = [0] * len(way.lines)
    for number, (one, other) in enumerate(PAIRS):
        lines[way.keep((DECK[one], DECK[other]))[1] - 1] += int(kept[number])
    return tuple(Fraction(line, sum(lines)) for line in lines), kept
