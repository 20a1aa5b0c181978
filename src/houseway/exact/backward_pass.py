"""Solve the game backward, from the river to the deal: the value of every choice, and the best choices.

The value of a flop is a sum over its turns and rivers. It is computed in two parts: a sum that
ignores suits and, for each suit on the flop, a correction for the boards on which that suit can make a
flush. Corrections are indexed by suit pair: the rank of each hole card, and whether the card is in the suit
(see `kernels/atoms`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.board_counts import CORES, Layout, cells, layout, spread, spread_buffers, spread_sum
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms, boards, flops, rivers, suits
from houseway.exact.kernels.boards import Matchups
from houseway.exact.numbering import Integers, pair_of
from houseway.exact.pay_arrays import DEALER_HANDS, DEALS_PER_HAND, PayArrays, too_large
from houseway.ranking import HandClass

STARTS = atoms.RANKS**2
BOARD_ORDERS = 10
"""The number of ways to divide five board cards into a flop and two more cards."""
ROW, COLUMN = np.indices((atoms.RANKS, atoms.RANKS)).reshape(2, STARTS)
COMBOS = np.select([ROW > COLUMN, ROW < COLUMN], [4, 12], 6)
"""How many pairs of cards each starting hand represents. Suited hands are below the diagonal.

Row and column 0 are the twos. A printed grid starts with the aces, so its suited hands are above the
diagonal.
"""


class StreetChoices(NamedTuple):
    """The choices on each street: 0 is a check or fold, and n is the n-th play size."""

    start: NDArray[np.int8]
    """The choice for each starting hand."""
    flop: NDArray[np.int8]
    """The choice in each state after the flop."""
    river: NDArray[np.int8]
    """The choices on boards with three or more cards of a suit. Indexes: the board and the suit pair."""
    river_by_rank: NDArray[np.int8]
    """The choices on all other boards. Indexes: the ranks of the board and of the hole cards."""


@dataclass(frozen=True, slots=True, eq=False)
class BackwardPass:
    """The sums and choices of a backward pass. The sums are integers: results added up over deals."""

    choices: StreetChoices
    by_rank: Integers
    by_suit: Integers
    """The sums for each state and choice after the flop, in two parts.

    `by_rank` ignores suits; it is indexed by the ranks of the flop and the hole cards. `by_suit` has the
    corrections for one suit, indexed by flop and suit pair.
    """
    starts: Integers
    """For each starting hand and choice before the flop, the sum over all deals in which the player has one
    given pair of cards of this starting hand."""

    @property
    def total(self) -> int:
        """The sum of the results of all deals if these choices are made."""
        made = self.starts[np.arange(STARTS), self.choices.start]
        return sum(int(worth) * int(combos) for worth, combos in zip(made, COMBOS, strict=True))


def run(
    pays: PayArrays, order: tuple[HandClass, ...], threads: int, forced: StreetChoices | None = None
) -> BackwardPass:
    """Compute the sums and the best choices. If `forced` choices are given, they are kept."""
    plan = layout()
    plain, flush = cells(order, pays.qualifier)
    before, after, _ = pays.streets
    shapes = (STARTS, len(states().base), flush.ways.shape, plain.ways.shape)
    choices = forced or StreetChoices(*(np.empty(shape, np.int8) for shape in shapes))
    is_forced = forced is not None
    game = game_of(pays, [(1, size) for size in after.sizes])
    ranked = np.empty((atoms.RANK_BOARDS, 1 + len(after.sizes), atoms.PAIRS), _width(pays))
    spread(
        lambda a, b: rivers.price_ranks(a, b, plain, game, choices.river_by_rank, is_forced, ranked),
        atoms.RANK_BOARDS,
        threads,
    )
    by_rank = _by_rank(plan, ranked, threads)
    by_suit = _by_suit(plan, flush, game, ranked, choices.river, forced=is_forced, threads=threads)
    sums = spread_sum(
        lambda a, b, into: flops.choose_states(
            a, b, states(), by_rank, by_suit, after.checks, choices.flop, is_forced, into
        ),
        len(choices.flop),
        threads,
        STARTS,
    )
    counts = start_counts(order, pays.qualifier)
    linear = pays.linear()
    standing, play = ((counts * linear[:, at : at + 4]).sum(axis=(1, 2)) for at in (0, 4))
    starts = np.stack([sums // COMBOS, *(standing + size * play for size in before.sizes)], axis=1)
    if forced is None:
        first = 0 if before.checks else 1
        choices.start[:] = first + np.argmax(starts[:, first:], axis=1)
    return BackwardPass(choices, by_rank, by_suit, starts)


def game_of(
    pays: PayArrays, mixes: Iterable[tuple[int, int]], dealers: int = DEALER_HANDS
) -> rivers.GameArrays:
    """Return, as arrays for the kernels, the payments of each option after the river and those in `mixes`.

    Each pair in `mixes` adds one payment: the first number times the result of ante and blind
    (`standing`), plus the second number times the result of a 1x play wager (`play`).
    """
    river = pays.streets[2]
    standing, play, folded = np.split(pays.linear(dealers)[:, None], 3, axis=2)
    mixes = [*((1, size) for size in river.sizes), *mixes]
    played = [one * standing + other * play for one, other in mixes]
    options = len(river.sizes) + river.folds
    return rivers.GameArrays(
        np.concatenate([folded] * river.folds + played, axis=1), options, int(not river.folds)
    )


def _width(pays: PayArrays) -> type[np.signedinteger]:
    """Return the narrowest integer type that can hold the sum over the rivers after a turn.

    Raise an error if a starting hand's sum over all deals overflows a 64-bit integer.
    """
    if pays.largest * DEALS_PER_HAND * int(COMBOS.max()) >= 2**63:
        raise too_large(pays)
    return np.int32 if pays.largest * 2 * DEALER_HANDS * 48 < 2**31 else np.int64


def _by_rank(plan: Layout, ranked: NDArray[np.signedinteger], threads: int) -> Integers:
    """Sum the values of rank boards over rivers and turns, for each choice after the flop.

    The sums are indexed by the ranks of the flop and of the hole cards; suits are ignored.
    """
    options = ranked.shape[1]
    turns = np.empty((atoms.RANK_TURNS, options, atoms.PAIRS), ranked.dtype)
    sums = np.empty((atoms.RANK_FLOPS, options, atoms.PAIRS), np.int64)
    for step, further, into in ((plan.rank_turns, ranked, turns), (plan.rank_flops, turns, sums)):
        work = partial(rivers.sum_ranks, step, plan.held, further, into)
        spread(work, len(into), threads)
    # Turn and river are counted in both orders.
    return np.ascontiguousarray(sums.transpose(1, 0, 2)).reshape(options, -1) // 2


def _by_suit(plan: Layout, flush: Matchups, game: rivers.GameArrays, ranked: NDArray[np.signedinteger],
             choices: NDArray[np.int8], *, forced: bool, threads: int) -> Integers:  # fmt: skip
    """Sum the corrections for one suit over rivers and turns, for each flop and suit pair.

    The last sum is zero (see `flops.NOTHING`).
    """
    options = ranked.shape[1]
    sums = np.zeros((options, flops.NOTHING + 1), np.int64)
    carried = _zero_cells((0, 0, 0), options, ranked.dtype)
    sizes = [(len(view.outside), len(view.turns), len(view.flops)) for view in plan.suit_views]
    # The views have two, one and no cards outside the suit, in this order. Each view's sums are added to
    # the next view's (see `kernels/suits`).
    for view, next_size in zip(plan.suit_views, (*sizes[1:], (0, 0, 0)), strict=True):
        below = [_zero_cells(next_size, options, ranked.dtype) for _ in range(threads)]
        work = partial(suits.price_boards, view, flush, game, ranked, choices, forced, carried, sums)
        spread_buffers(work, below, len(view.outside))
        carried, *others = below
        for other in others:
            for into, part in zip(carried, other, strict=True):
                into += part
    return sums


def _zero_cells(size: tuple[int, int, int], options: int, width: np.dtype[np.signedinteger]) -> suits.Cells:
    """Return arrays of zeros for sums. `size` has three lengths: sets of outside cards, turns and flops."""
    outside, turns, flop_count = size
    return suits.Cells(
        np.zeros((outside, turns, options, atoms.SUIT_PAIRS), width),
        np.zeros((outside, flop_count, options, atoms.SUIT_PAIRS), np.int64),
    )


@lru_cache(maxsize=2)
def start_counts(order: tuple[HandClass, ...], qualifier: int) -> Integers:
    """Count the deals in which each starting hand ends in each hand class.

    The counts do not depend on pay tables.
    The four columns are the number of boards and, summed over these boards, the numbers of dealer hands
    that do not qualify, that lose, and that tie. Each board counts once for each of its ten flops.
    """
    plain, flush = cells(order, qualifier)

    def by_rank(start: int, stop: int, counts: Integers) -> None:
        boards.count_hands(start, stop, plain, counts)

    def by_suit(start: int, stop: int, counts: Integers) -> None:
        boards.count_hands(start, stop, flush, counts)
        boards.discount_ranks(start, stop, layout().flush, flush.ways, plain, counts)

    ranks = spread_sum(by_rank, atoms.RANK_BOARDS, CORES, (atoms.PAIRS, len(order), 4))
    suit = spread_sum(by_suit, atoms.FLUSH_BOARDS, CORES, (atoms.SUIT_PAIRS, len(order), 4))
    corrections = [suit[at] for at in suit_pairs()]
    return np.asarray(BOARD_ORDERS * np.sum([ranks[pair_of(ROW, COLUMN)], *corrections], axis=0))


def suit_pairs() -> list[Integers]:
    """Return the suit pair of each starting hand with respect to each of the four suits."""
    out = atoms.RANKS
    neither = pair_of(ROW + out, COLUMN + out)
    suited = ROW > COLUMN
    one = np.where(suited, pair_of(ROW, COLUMN), pair_of(ROW, COLUMN + out))
    other = np.where(suited, neither, pair_of(ROW + out, COLUMN))
    return [one, other, neither, neither]
