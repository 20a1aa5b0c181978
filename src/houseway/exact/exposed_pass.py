"""The backward pass for a player who sees one or both of the dealer's cards.

The method of `backward_pass` is repeated for each exposed rank or pair of ranks. A flop has a base
value by rank alone, plus a correction for each suit on it. A correction depends on which of the exposed
cards are in the suit. At the end, the value of every hand is computed on every flop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import SUITS
from houseway.exact.backward_pass import game_of
from houseway.exact.board_counts import spread, spread_sum
from houseway.exact.exposed_views import CARDS, ExposedView, flops, hands, views
from houseway.exact.kernels import atoms, exposed_hands
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import PayArrays, too_large
from houseway.ranking import HandClass

Sums = NDArray[np.signedinteger]
Kind = type[np.signedinteger]
Under = tuple[Integers, NDArray[np.uint8], Sums]
"""Values by rank alone, to be subtracted from other values: the index of the rank board for each board, the
index of the two ranks for each pair of atoms, and the array of values."""
Pattern = tuple[bool, ...]
"""For each exposed card, True if it is in the suit."""
DECK = CARDS.size
BITS = np.int64(1) << np.arange(DECK)
RENAMED = 6
"""The number of ways to rename three suits."""


@dataclass(frozen=True, slots=True)
class ExposedCards:
    """The exposed dealer cards.

    `alike` is the number of sets of cards, including this one, that differ only in the names of suits.
    """

    ranks: tuple[int, ...]
    suits: tuple[int, ...]
    alike: int

    @property
    def cards(self) -> int:
        """A bit mask of the cards."""
        return sum(1 << int(CARDS[card]) for card in zip(self.ranks, self.suits, strict=True))

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """For each suit, a flag for each card: True if the card has this suit."""
        return tuple(tuple(own == suit for own in self.suits) for suit in range(len(SUITS)))


def shown(cards: int) -> list[list[ExposedCards]]:
    """List the possible exposed cards, grouped by ranks. Cards that differ only in the names of suits are
    listed once."""
    if cards == 1:
        return [[ExposedCards((rank,), (0,), 4)] for rank in range(atoms.RANKS)]
    return [
        [ExposedCards((low, high), (0, 1), 6)]
        if low == high
        else [ExposedCards((low, high), (0, 0), 4), ExposedCards((low, high), (0, 1), 12)]
        for low, high in combinations_with_replacement(range(atoms.RANKS), 2)
    ]


class ExposedPass:
    """Computes the sums of every hand if one or both dealer cards are exposed.

    The arrays are large, so the same arrays are used for all exposed cards.
    """

    def __init__(self, pays: PayArrays, order: tuple[HandClass, ...], cards: int, threads: int) -> None:
        self.pays, self.cards, self.threads = pays, cards, threads
        self.by_rank, self.by_suit = views(order)
        rest = DECK - 2 - cards
        self.runouts = comb(rest - 3, 2)
        """The number of turns and rivers after a flop."""
        self.dealers = comb(rest - 5, 2 - cards)
        """The number of possible dealer hands after the river."""
        self.tables = exposed_hands.PLAYED + len(pays.streets[2].sizes)
        self.cell, self.width = self._widths(comb(rest, 3))
        self._boards = self._cells(atoms.FLUSH_BOARDS, atoms.SUIT_PAIRS, self.cell)
        self._turns = self._cells(atoms.FLUSH_TURNS, atoms.SUIT_PAIRS, self.width)
        self._flops = self._cells(atoms.FLUSH_FLOPS, atoms.SUIT_PAIRS, self.width)
        self._rank_boards = self._cells(atoms.RANK_BOARDS, atoms.PAIRS, self.cell)
        self._rank_turns = self._cells(atoms.RANK_TURNS, atoms.PAIRS, self.width)
        self.rank_flops = self._cells(atoms.RANK_FLOPS, atoms.PAIRS, self.width)
        # One extra flop of zeros, for a suit that is not on the flop.
        self.by_hand = np.zeros(
            (2**cards, atoms.FLUSH_FLOPS + 1, self.tables, exposed_hands.HELD, atoms.RANKS**2), self.width
        )

    def _widths(self, flop_count: int) -> tuple[Kind, Kind]:
        """Return the narrowest integer types for board and flop sums; raise an error on 64-bit overflow."""
        board = self.pays.largest * self.dealers
        # The sum over all equivalent flops (up to six) must fit. Corrections then fit too: a correction is
        # the difference of two sums, each with turn and river in both orders, so at most four times the
        # sum of one flop.
        flop = RENAMED * board * self.runouts
        if flop * flop_count >= 2**63:
            raise too_large(self.pays)
        return _narrowest(2 * board), _narrowest(flop)

    def _cells(self, size: int, hands: int, kind: Kind) -> Sums:
        return np.zeros((self.tables, size, hands), kind)

    def _spread(self, kernel: Callable[..., None], size: int, *args: Any) -> None:
        spread(lambda start, stop: kernel(start, stop, *args), size, self.threads)

    def hand_sums(
        self, group: list[ExposedCards], *, by_card: bool
    ) -> Iterator[tuple[ExposedCards, Integers]]:
        """Yield the sums for each member of a group of exposed cards. All members have the same ranks.

        The sums have a row for each hand or, with `by_card`, for each flop card and hand. A row has the
        sums of the kernel `choose` over all possible flops.
        """
        patterns = sorted({pattern for upcards in group for pattern in upcards.patterns})
        self.count(group[0].ranks, patterns)
        card = BITS[:, None] if by_card else np.zeros((1, 1), np.int64)
        for upcards in group:
            at = np.array([patterns.index(pattern) for pattern in upcards.patterns], np.int64)
            sums = _over_all_flops(self._choose(upcards, at, by_card=by_card), len(set(upcards.suits)))
            possible = (hands().cards.ravel() & (card | upcards.cards) == 0) & (card & upcards.cards == 0)
            yield upcards, sums.transpose(0, 2, 1)[possible]

    def count(self, ranks: tuple[int, ...], patterns: list[Pattern]) -> None:
        """Price boards and sum them over rivers and turns, first by rank alone, then for each pattern.

        A pattern says which of the exposed cards are in the suit.
        """
        nothing = self._cells(1, 1, self.cell)
        alone = (np.zeros(atoms.RANK_BOARDS, np.int64), np.zeros(atoms.PAIRS, np.uint8), nothing)
        self._sum(self.by_rank, ranks, alone, self._rank_boards, self._rank_turns, self.rank_flops)
        under = (self.by_suit.boards.ranks, self.by_suit.boards.pair, self._rank_boards)
        for pattern, by_hand in zip(patterns, self.by_hand, strict=False):
            cards = tuple(rank + (not own) * atoms.RANKS for rank, own in zip(ranks, pattern, strict=True))
            self._sum(self.by_suit, cards, under, self._boards, self._turns, self._flops)
            self._spread(exposed_hands.expand_suits, atoms.FLUSH_FLOPS, self._flops, by_hand)

    def _sum(self, view: ExposedView, cards: tuple[int, ...], under: Under, boards: Sums, turns: Sums,
             into: Sums) -> None:  # fmt: skip
        held = np.bincount(cards, minlength=len(view.gone)).astype(np.int8)
        # On a thin board, a flush needs two hole cards of the suit. So the dealer can make a flush only if
        # all exposed cards are in the suit.
        narrow = view.gone.shape[1] if max(cards) < atoms.RANKS else atoms.PAIRS
        possible = np.all(view.boards.copies >= held, axis=1)
        price, args = self._pricing(view, cards)
        self._spread(price, boards.shape[1], view.order, view.place, view.thin_boards, possible, narrow,
                     self.pays.qualifier, *args, *under, boards)  # fmt: skip
        left = np.arange(atoms.COPIES + 1)[:, None, None]
        times = (left - view.gone - held[:, None]).astype(self.width)
        for step, thin, further, sums in (
            (view.turns, view.thin_boards, boards, turns),
            (view.flops, view.thin_turns, turns, into),
        ):
            self._spread(
                exposed_hands.sum_further, sums.shape[1], step, thin, held, narrow, times, further, sums
            )
        into //= 2  # Turn and river are counted in both orders.

    def _pricing(
        self, view: ExposedView, cards: tuple[int, ...]
    ) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """Return the kernel that prices boards, and its extra arguments."""
        if len(cards) == 2:
            return exposed_hands.price_two, (atoms.pair_index(*cards), self._payments())
        game = game_of(self.pays, [(1, 0), (0, 1)], self.dealers)
        return exposed_hands.price_one, (*cards, view.boards, game)

    def _payments(self) -> Sums:
        """Return the results against a known dealer hand.

        Indexes: whether the dealer qualifies, the table of sums (see `kernels/exposed_hands`), and the
        contest (lose, tie or win) combined with the hand class.
        """
        pays, river = self.pays, self.pays.streets[2]
        choices = [pays.standing + size * pays.play for size in river.sizes]
        if river.folds:
            choices.insert(0, pays.folded)
        chosen = np.argmax(choices, axis=0)
        played = [chosen == n + river.folds for n in range(len(river.sizes))]
        tables = np.stack([np.max(choices, axis=0), pays.standing, pays.play, *played], axis=1)
        return np.ascontiguousarray(tables.reshape(2, self.tables, -1), self.cell)

    def _choose(self, upcards: ExposedCards, patterns: Integers, *, by_card: bool) -> Integers:
        street = self.pays.streets[1]
        sizes = np.array(street.sizes, np.int64)
        listed, held = flops(len(set(upcards.suits))), hands()
        shape = (DECK if by_card else 1, self.tables + len(sizes), *held.cards.shape)
        return spread_sum(
            lambda start, stop, sums: exposed_hands.choose(
                start, stop, listed, patterns, upcards.cards, held, self.rank_flops, self.by_hand,
                street.checks, sizes, by_card, sums,
            ),
            len(listed.cards),
            self.threads,
            shape,
        )  # fmt: skip


def _narrowest(bound: int) -> Kind:
    return next(kind for kind in (np.int16, np.int32, np.int64) if bound <= np.iinfo(kind).max)


def _over_all_flops(sums: Integers, suits: int) -> Integers:
    """Convert sums over the listed flops into sums over all flops.

    The result for a hand is the average over all ways to rename the suits that no exposed card has.
    """
    at = hands().at
    first, second = np.nonzero(at)
    places = at[first, second]
    flat = sums.reshape(*sums.shape[:2], -1)
    total = np.zeros_like(flat)
    free = list(permutations(range(suits, len(SUITS))))
    for names in free:
        card = CARDS[:, [*range(suits), *names]].ravel()
        one, other = card[first], card[second]
        renamed = at[np.minimum(one, other), np.maximum(one, other)]
        total[:, :, places] += (flat[card] if len(flat) > 1 else flat)[:, :, renamed]
    return total // len(free)
