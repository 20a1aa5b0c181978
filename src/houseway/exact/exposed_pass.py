"""The pass from the river back to the deal for a player who has seen cards of the dealer's.

It is the factored count of `backward`, made once for each rank or two ranks seen: a flop is worth a base
that knows ranks alone and a correction for each suit on it, and a suit sees each of the dealer's cards in
it or outside it. Then every hand meets every flop.
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
from houseway.exact.kernels import atoms, exposed
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import Pays, too_large
from houseway.ranking import HandClass

Sums = NDArray[np.signedinteger]
Kind = type[np.signedinteger]
Under = tuple[Integers, NDArray[np.uint8], Sums]
"""What is known of a cell by rank alone: its board, its pair, and the cells these are places in."""
Look = tuple[bool, ...]
"""Which of the seen cards are in a suit."""
DECK = CARDS.size
BITS = np.int64(1) << np.arange(DECK)
RENAMED = 6
"""As many deals as the names of three suits make alike."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Seen cards of the dealer's, and how many there are alike but for the names of suits."""

    ranks: tuple[int, ...]
    suits: tuple[int, ...]
    alike: int

    @property
    def cards(self) -> int:
        """A bit for each card."""
        return sum(1 << int(CARDS[card]) for card in zip(self.ranks, self.suits, strict=True))

    @property
    def looks(self) -> tuple[Look, ...]:
        """The cards as each suit sees them."""
        return tuple(tuple(own == suit for own in self.suits) for suit in range(len(SUITS)))


def shown(cards: int) -> list[list[Shown]]:
    """All that one or two seen cards can be up to the names of suits, those of the same ranks together."""
    if cards == 1:
        return [[Shown((rank,), (0,), 4)] for rank in range(atoms.RANKS)]
    return [
        [Shown((low, high), (0, 1), 6)]
        if low == high
        else [Shown((low, high), (0, 0), 4), Shown((low, high), (0, 1), 12)]
        for low, high in combinations_with_replacement(range(atoms.RANKS), 2)
    ]


class SeenPass:
    """A game made ready to be priced for one seen card of the dealer's after another, or for both.

    The arrays are large; each turn of the work writes them anew and reads nothing older.
    """

    def __init__(self, pays: Pays, order: tuple[HandClass, ...], cards: int, threads: int) -> None:
        self.pays, self.cards, self.threads = pays, cards, threads
        self.by_rank, self.by_suit = views(order)
        rest = DECK - 2 - cards
        self.runouts = comb(rest - 3, 2)
        """Turns and rivers after a flop."""
        self.dealers = comb(rest - 5, 2 - cards)
        """Hands the dealer may hold after the river."""
        self.tables = exposed.PLAYED + len(pays.streets[2].sizes)
        self.cell, self.width = self._widths(comb(rest, 3))
        self._boards = self._cells(atoms.FLUSH_BOARDS, atoms.CLASSES, self.cell)
        self._turns = self._cells(atoms.FLUSH_TURNS, atoms.CLASSES, self.width)
        self._flops = self._cells(atoms.FLUSH_FLOPS, atoms.CLASSES, self.width)
        self._rank_boards = self._cells(atoms.RANK_BOARDS, atoms.PAIRS, self.cell)
        self._rank_turns = self._cells(atoms.RANK_TURNS, atoms.PAIRS, self.width)
        self.rank_flops = self._cells(atoms.RANK_FLOPS, atoms.PAIRS, self.width)
        # One flop more, of zeros, for a suit that is not on the flop.
        self.by_hand = np.zeros(
            (2**cards, atoms.FLUSH_FLOPS + 1, self.tables, exposed.HELD, atoms.RANKS**2), self.width
        )

    def _widths(self, flop_count: int) -> tuple[Kind, Kind]:
        """The narrowest whole numbers for a board's sums and for a flop's; all flops' fit the widest."""
        board = self.pays.largest * self.dealers
        # A correction is the difference of two sums, and has both orders of turn and river in it; that is
        # less than what a sum comes to for all the flops that are alike.
        flop = RENAMED * board * self.runouts
        if flop * flop_count >= 2**63:
            raise too_large(self.pays)
        return _narrowest(2 * board), _narrowest(flop)

    def _cells(self, size: int, hands: int, kind: Kind) -> Sums:
        return np.zeros((self.tables, size, hands), kind)

    def _spread(self, kernel: Callable[..., None], size: int, *given: Any) -> None:
        spread(lambda start, stop: kernel(start, stop, *given), size, self.threads)

    def met(self, many: list[Shown], *, by_card: bool) -> Iterator[tuple[Shown, Integers]]:
        """For seen cards of the same ranks a row for each hand, or for each card of the flop and hand.

        A row is what the kernel `choose` sums, over all flops that can be.
        """
        looks = sorted({look for one in many for look in one.looks})
        self.count(many[0].ranks, looks)
        card = BITS[:, None] if by_card else np.zeros((1, 1), np.int64)
        for one in many:
            at = np.array([looks.index(look) for look in one.looks], np.int64)
            sums = _over_all_flops(self._choose(one, at, by_card=by_card), len(set(one.suits)))
            possible = (hands().cards.ravel() & (card | one.cards) == 0) & (card & one.cards == 0)
            yield one, sums.transpose(0, 2, 1)[possible]

    def count(self, ranks: tuple[int, ...], looks: list[Look]) -> None:
        """Price boards and sum them up to flops: by rank alone, then as a suit may see the seen cards."""
        nothing = self._cells(1, 1, self.cell)
        alone = (np.zeros(atoms.RANK_BOARDS, np.int64), np.zeros(atoms.PAIRS, np.uint8), nothing)
        self._sum(self.by_rank, ranks, alone, self._rank_boards, self._rank_turns, self.rank_flops)
        under = (self.by_suit.boards.ranks, self.by_suit.boards.pair, self._rank_boards)
        for look, by_hand in zip(looks, self.by_hand, strict=False):
            cards = tuple(rank + (not own) * atoms.RANKS for rank, own in zip(ranks, look, strict=True))
            self._sum(self.by_suit, cards, under, self._boards, self._turns, self._flops)
            self._spread(exposed.lay_out, atoms.FLUSH_FLOPS, self._flops, by_hand)

    def _sum(self, view: ExposedView, cards: tuple[int, ...], under: Under, boards: Sums, turns: Sums,
             into: Sums) -> None:  # fmt: skip
        held = np.bincount(cards, minlength=len(view.gone)).astype(np.int8)
        # Unless the dealer may hold two of the suit, only the player's two make a flush on a thin board.
        narrow = view.gone.shape[1] if max(cards) < atoms.RANKS else atoms.PAIRS
        possible = np.all(view.boards.copies >= held, axis=1)
        price, given = self._pricing(view, cards)
        self._spread(price, boards.shape[1], view.order, view.place, view.thin_boards, possible, narrow,
                     self.pays.qualifier, *given, *under, boards)  # fmt: skip
        left = np.arange(atoms.COPIES + 1)[:, None, None]
        times = (left - view.gone - held[:, None]).astype(self.width)
        for step, thin, further, sums in (
            (view.turns, view.thin_boards, boards, turns),
            (view.flops, view.thin_turns, turns, into),
        ):
            self._spread(exposed.sum_further, sums.shape[1], step, thin, held, narrow, times, further, sums)
        into //= 2  # A turn and a river come in two orders and count once.

    def _pricing(
        self, view: ExposedView, cards: tuple[int, ...]
    ) -> tuple[Callable[..., None], tuple[Any, ...]]:
        """The kernel that prices boards, and what it alone asks for."""
        if len(cards) == 2:
            return exposed.price_two, (atoms.two(*cards), self._brings())
        game = game_of(self.pays, [(1, 0), (0, 1)], self.dealers)
        return exposed.price_one, (*cards, view.boards, game)

    def _brings(self) -> Sums:
        """What each table comes to once the dealer's hand is known, by qualifying, contest and class."""
        pays, river = self.pays, self.pays.streets[2]
        choices = [pays.standing + size * pays.play for size in river.sizes]
        if river.folds:
            choices.insert(0, pays.folded)
        chosen = np.argmax(choices, axis=0)
        played = [chosen == n + river.folds for n in range(len(river.sizes))]
        tables = np.stack([np.max(choices, axis=0), pays.standing, pays.play, *played], axis=1)
        return np.ascontiguousarray(tables.reshape(2, self.tables, -1), self.cell)

    def _choose(self, one: Shown, looks: Integers, *, by_card: bool) -> Integers:
        street = self.pays.streets[1]
        sizes = np.array(street.sizes, np.int64)
        listed, held = flops(len(set(one.suits))), hands()
        shape = (DECK if by_card else 1, self.tables + len(sizes), *held.cards.shape)
        return spread_sum(
            lambda start, stop, sums: exposed.choose(
                start, stop, listed, looks, one.cards, held, self.rank_flops, self.by_hand, street.checks,
                sizes, by_card, sums,
            ),
            len(listed.cards),
            self.threads,
            shape,
        )  # fmt: skip


def _narrowest(bound: int) -> Kind:
    return next(kind for kind in (np.int16, np.int32, np.int64) if bound <= np.iinfo(kind).max)


def _over_all_flops(sums: Integers, suits: int) -> Integers:
    """Sums over the listed flops as sums over all: each hand's mean over the names of suits not seen."""
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
