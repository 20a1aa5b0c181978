"""One pass from the river back to the deal: what every choice is worth, and the best ones.

A flop's worth is a sum over its turns and rivers. It is written as a base that knows ranks alone and, for
each suit on the flop, a correction summed over the boards on which that suit can make a flush.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houseway.exact.counts import Cells, Layout, cells, layout, spread
from houseway.exact.kernels import atoms, flops, rivers
from houseway.exact.pays import DEALER_HANDS, DEALS_PER_HAND, Pays, too_large
from houseway.ranking import HandClass

STARTS = atoms.RANKS**2
BOARD_ORDERS = 10
"""The ways in which five cards are a flop and two more."""
ROW, COLUMN = np.indices((atoms.RANKS, atoms.RANKS)).reshape(2, STARTS)
COMBOS = np.select([ROW > COLUMN, ROW < COLUMN], [4, 12], 6)
"""How many pairs of cards each starting hand of the grid is: suited below the diagonal."""


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """One choice for each cell and state, by number: 0 is the check or fold, n the n-th size."""

    start: NDArray[np.int8]
    flop: NDArray[np.int8]
    river: NDArray[np.int8]
    """On boards that hold three or more of a suit."""
    river_by_rank: NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """What a backward pass found, in whole numbers summed over deals."""

    choices: Choices
    by_rank: NDArray[np.int64]
    by_suit: NDArray[np.int64]
    """A flop state's sums for each choice: by rank flop and pair, and the corrections by flop and class."""
    starts: NDArray[np.int64]
    """For each starting hand and choice before the flop the sum over the deals of one such hand."""

    @property
    def total(self) -> int:
        """The sum over all deals under the choices made."""
        made = self.starts[np.arange(STARTS), self.choices.start]
        return sum(int(worth) * int(combos) for worth, combos in zip(made, COMBOS, strict=True))


def run(pays: Pays, order: tuple[HandClass, ...], threads: int, forced: Choices | None = None) -> Pass:
    """Price the whole game; with `forced` these choices are made instead of the best ones."""
    plan = layout()
    plain, flush = cells(order, pays.qualifier)
    before, after, _ = pays.streets
    choices = forced or _no_choices(plan, plain, flush)
    # What is kept of a cell: the choice after the river, each play after the flop, then ante with blind
    # and one play alone, of which every play before the flop is made.
    mixes = np.array([*((1, size) for size in after.sizes), (1, 0), (0, 1)], np.int64)
    kept = 1 + len(after.sizes)
    ranked = np.empty((atoms.RANK_BOARDS, kept + 2, atoms.PAIRS), np.int64)
    alone = (np.zeros(atoms.RANK_BOARDS, np.int64), np.zeros(atoms.PAIRS, np.uint8))
    nothing = np.zeros((1, kept + 2, 1), np.int64)
    _price(plain, pays, mixes, nothing, alone, choices.river_by_rank, forced is not None, ranked, threads)
    worths = np.empty((atoms.FLUSH_BOARDS, kept, atoms.CLASSES), _width(pays))
    seen = (plan.rank_board, plan.rank_pair)
    by_class = _price(flush, pays, mixes, ranked, seen, choices.river, forced is not None, worths, threads)
    by_rank, by_suit = _sums(plan, ranked[:, :kept].copy(), worths, threads)
    sums = _choose(plan, by_rank, by_suit, checks=after.checks, at=choices.flop, forced=forced is not None,
                   threads=threads)  # fmt: skip
    by_pair = (ranked[:, kept:] * plain.ways[:, None]).sum(axis=0)
    standing, play = (BOARD_ORDERS * _before(*both) for both in zip(by_pair, by_class, strict=True))
    starts = np.stack([sums // COMBOS, *(standing + size * play for size in before.sizes)], axis=1)
    if forced is None:
        first = 0 if before.checks else 1
        choices.start[:] = first + np.argmax(starts[:, first:], axis=1)
    return Pass(choices, by_rank, by_suit, starts)


def _no_choices(plan: Layout, plain: Cells, flush: Cells) -> Choices:
    shapes = (STARTS, len(plan.base), flush.ways.shape, plain.ways.shape)
    return Choices(*(np.empty(shape, np.int8) for shape in shapes))


def _width(pays: Pays) -> type[np.signedinteger]:
    """The narrowest whole numbers that hold a turn's sum, once a starting hand's sum fits the widest."""
    if pays.largest * DEALS_PER_HAND * max(COMBOS) >= 2**63:
        raise too_large(pays)
    return np.int32 if pays.largest * 2 * DEALER_HANDS * 48 < 2**31 else np.int64


def _price(at: Cells, pays: Pays, mixes: NDArray[np.int64], under: NDArray[np.int64],
           seen: tuple[NDArray[np.int64], NDArray[np.uint8]], choices: NDArray[np.int8], forced: bool,
           worths: NDArray[np.signedinteger], threads: int) -> NDArray[np.int64]:  # fmt: skip
    """Price cells into `worths`; the mixes it has no room for, summed over boards by class."""
    river = pays.streets[2]
    linear, sizes = pays.linear(), np.array(river.sizes, np.int64)

    def work(start: int, stop: int) -> NDArray[np.int64]:
        before = np.zeros((len(mixes) + 1 - worths.shape[1], worths.shape[2]), np.int64)
        rivers.price(start, stop, *at.all, linear, river.folds, sizes, mixes, *seen, under, choices, forced,
                     worths, before)  # fmt: skip
        return before

    return np.asarray(np.sum(spread(work, len(at.ways), threads), axis=0))


def _sums(plan: Layout, ranked: NDArray[np.int64], worths: NDArray[np.signedinteger],
          threads: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:  # fmt: skip
    """Sum cells over rivers and turns: by rank alone, and each suit's correction with a zero at the end."""
    tables = worths.shape[1]
    turns = np.empty((atoms.RANK_TURNS, tables, atoms.PAIRS), np.int64)
    by_rank = np.empty((atoms.RANK_FLOPS, tables, atoms.PAIRS), np.int64)
    rivers.sum_ranks(plan.rank_turns.grown, plan.rank_turns.used, plan.held, ranked, turns)
    rivers.sum_ranks(plan.rank_flops.grown, plan.rank_flops.used, plan.held, turns, by_rank)
    by_rank //= 2  # A turn and a river come in two orders and count once.
    gone = plan.gone.astype(worths.dtype)
    further = np.empty((atoms.FLUSH_TURNS, tables, atoms.CLASSES), worths.dtype)
    by_suit = np.zeros((tables, flops.NOTHING + 1), np.int64)
    spread(
        lambda a, b: rivers.sum_rivers(a, b, plan.turns, gone, worths, further), atoms.FLUSH_TURNS, threads
    )
    spread(
        lambda a, b: rivers.sum_turns(a, b, plan.flops, gone, further, by_suit), atoms.FLUSH_FLOPS, threads
    )
    return by_rank.transpose(1, 0, 2).reshape(tables, -1), by_suit


def _choose(plan: Layout, by_rank: NDArray[np.int64], by_suit: NDArray[np.int64], *, checks: bool,
            at: NDArray[np.int8], forced: bool, threads: int) -> NDArray[np.int64]:  # fmt: skip
    """Choose in every state after the flop; what it brings, summed by starting hand."""

    def work(start: int, stop: int) -> NDArray[np.int64]:
        sums = np.zeros(STARTS, np.int64)
        flops.choose_states(start, stop, plan.base, plan.suits, plan.start, plan.weight, by_rank, by_suit,
                            checks, at, forced, sums)  # fmt: skip
        return sums

    return np.asarray(np.sum(spread(work, len(plan.base), threads), axis=0))


def _before(by_pair: NDArray[np.int64], by_class: NDArray[np.int64]) -> NDArray[np.int64]:
    """A wager's sum over boards for each starting hand: what ranks bring, corrected by the four suits."""
    seen = [by_class[at] for at in classes_by_suit()]
    return np.asarray(np.sum([by_pair[pairs(ROW, COLUMN)], *seen], axis=0))


def classes_by_suit() -> list[NDArray[np.int64]]:
    """The class of each starting hand's cards as each of the four suits sees them."""
    out = atoms.RANKS
    neither = pairs(ROW + out, COLUMN + out)
    suited = ROW > COLUMN
    one = np.where(suited, pairs(ROW, COLUMN), pairs(ROW, COLUMN + out))
    other = np.where(suited, neither, pairs(ROW + out, COLUMN))
    return [one, other, neither, neither]


def pairs(a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of unordered pairs."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    return np.asarray(high * (high + 1) // 2 + low)
