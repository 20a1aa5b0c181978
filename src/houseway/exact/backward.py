"""One pass from the river back to the deal: what every choice is worth, and the best ones.

A flop's worth is a sum over its turns and rivers. It is written as a base that knows ranks alone and, for
each suit on the flop, a correction summed over the boards on which that suit can make a flush.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from houseway.exact.counts import ByRank, Layout, cells, layout, pair_of, spread
from houseway.exact.kernels import atoms, boards, flops, rivers, suits
from houseway.exact.kernels.boards import Met
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
    game = game_of(pays, [(1, size) for size in after.sizes])
    ranked = np.empty((atoms.RANK_BOARDS, 1 + len(after.sizes), atoms.PAIRS), _width(pays))
    spread(
        lambda a, b: rivers.price_ranks(
            a, b, plain, game, choices.river_by_rank, forced is not None, ranked
        ),
        atoms.RANK_BOARDS,
        threads,
    )
    by_rank = _by_rank(plan, ranked, threads)
    by_suit = _by_suit(plan, flush, game, ranked, choices.river, forced=forced is not None, threads=threads)
    sums = _choose(plan, by_rank, by_suit, checks=after.checks, at=choices.flop, forced=forced is not None,
                   threads=threads)  # fmt: skip
    counts = start_counts(order, pays.qualifier)
    linear = pays.linear()
    standing, play = ((counts * linear[:, at : at + 4]).sum(axis=(1, 2)) for at in (0, 4))
    starts = np.stack([sums // COMBOS, *(standing + size * play for size in before.sizes)], axis=1)
    if forced is None:
        first = 0 if before.checks else 1
        choices.start[:] = first + np.argmax(starts[:, first:], axis=1)
    return Pass(choices, by_rank, by_suit, starts)


def game_of(pays: Pays, mixes: Iterable[tuple[int, int]], dealers: int = DEALER_HANDS) -> rivers.Game:
    """A game as the kernels price it: the options after the river, then mixes of standing and play."""
    river = pays.streets[2]
    standing, play, folded = np.split(pays.linear(dealers)[:, None], 3, axis=2)
    mixes = [*((1, size) for size in river.sizes), *mixes]
    played = [one * standing + other * play for one, other in mixes]
    options = len(river.sizes) + river.folds
    return rivers.Game(
        np.concatenate([folded] * river.folds + played, axis=1), options, int(not river.folds)
    )


def _no_choices(plan: Layout, plain: Met, flush: Met) -> Choices:
    shapes = (STARTS, len(plan.base), flush.ways.shape, plain.ways.shape)
    return Choices(*(np.empty(shape, np.int8) for shape in shapes))


def _width(pays: Pays) -> type[np.signedinteger]:
    """The narrowest whole numbers that hold a turn's sum, once a starting hand's sum fits the widest."""
    if pays.largest * DEALS_PER_HAND * int(COMBOS.max()) >= 2**63:
        raise too_large(pays)
    return np.int32 if pays.largest * 2 * DEALER_HANDS * 48 < 2**31 else np.int64


def _by_rank(plan: Layout, ranked: NDArray[np.signedinteger], threads: int) -> NDArray[np.int64]:
    """Sum rank boards over rivers and turns: for each table by rank flop and pair."""
    tables = ranked.shape[1]
    turns = np.empty((atoms.RANK_TURNS, tables, atoms.PAIRS), ranked.dtype)
    sums = np.empty((atoms.RANK_FLOPS, tables, atoms.PAIRS), np.int64)
    for at, further, into in ((plan.rank_turns, ranked, turns), (plan.rank_flops, turns, sums)):
        _sum_ranks(at, plan.held, further, into, threads)
    # A turn and a river come in two orders and count once.
    return np.ascontiguousarray(sums.transpose(1, 0, 2)).reshape(tables, -1) // 2


def _sum_ranks(at: ByRank, held: NDArray[np.int32], further: NDArray[np.signedinteger],
               into: NDArray[np.signedinteger], threads: int) -> None:  # fmt: skip
    spread(lambda a, b: rivers.sum_ranks(a, b, at.grown, at.used, held, further, into), len(into), threads)


def _by_suit(plan: Layout, flush: Met, game: rivers.Game, ranked: NDArray[np.signedinteger],
             choices: NDArray[np.int8], *, forced: bool, threads: int) -> NDArray[np.int64]:  # fmt: skip
    """Sum each suit's corrections over rivers and turns, by flop and class, with a zero at the end."""
    tables = ranked.shape[1]
    sums = np.zeros((tables, flops.NOTHING + 1), np.int64)
    handed = _room(None, tables, ranked.dtype)
    for sight, fewer in zip(plan.sights, (*plan.sights[1:], None), strict=True):
        below = [_room(fewer, tables, ranked.dtype) for _ in range(threads)]
        work = partial(
            _price_boards, sight, flush, game, ranked, choices, forced, handed, list(below), sums
        )
        spread(work, len(sight.outside), threads)
        first, *others = below
        for other in others:
            for into, part in zip(first, other, strict=True):
                into += part
        handed = first
    return sums


def _room(sight: suits.Sight | None, tables: int, width: np.dtype[np.signedinteger]) -> suits.Handed:
    """Room for what is handed down to cards with so many outside; none for nobody."""
    turns, cards = (len(sight.turns), len(sight.flops)) if sight else (0, 0)
    outside = len(sight.outside) if sight else 0
    return suits.Handed(
        np.zeros((outside, turns, tables, atoms.CLASSES), width),
        np.zeros((outside, cards, tables, atoms.CLASSES), np.int64),
    )


def _price_boards(sight: suits.Sight, flush: Met, game: rivers.Game, ranked: NDArray[np.signedinteger],
                  choices: NDArray[np.int8], forced: bool, handed: suits.Handed, spare: list[suits.Handed],
                  sums: NDArray[np.int64], first: int, last: int) -> None:  # fmt: skip
    below = spare.pop()  # There is one for each thread; a thread gives it back when it is done.
    suits.price_boards(first, last, sight, flush, game, ranked, choices, forced, handed, below, sums)
    spare.append(below)


def _choose(plan: Layout, by_rank: NDArray[np.int64], by_suit: NDArray[np.int64], *, checks: bool,
            at: NDArray[np.int8], forced: bool, threads: int) -> NDArray[np.int64]:  # fmt: skip
    """Choose in every state after the flop; what it brings, summed by starting hand."""

    def work(start: int, stop: int) -> NDArray[np.int64]:
        sums = np.zeros(STARTS, np.int64)
        flops.choose_states(start, stop, plan.base, plan.suits, plan.start, plan.weight, by_rank, by_suit,
                            checks, at, forced, sums)  # fmt: skip
        return sums

    return np.asarray(np.sum(spread(work, len(plan.base), threads), axis=0))


@lru_cache(maxsize=2)
def start_counts(order: tuple[HandClass, ...], qualifier: int) -> NDArray[np.int64]:
    """Every deal of a starting hand by its class at the end; no pay table changes it.

    Counted are boards in the orders in which they may come, and over them the dealer's hands that do
    not qualify, that are beaten, that tie.
    """
    plan = layout()
    plain, flush = cells(order, qualifier)
    threads = os.cpu_count() or 1

    def by_pair(start: int, stop: int) -> NDArray[np.int64]:
        found = np.zeros((atoms.PAIRS, len(order), 4), np.int64)
        boards.count_hands(start, stop, plain, found)
        return found

    def by_class(start: int, stop: int) -> NDArray[np.int64]:
        found = np.zeros((atoms.CLASSES, len(order), 4), np.int64)
        boards.count_hands(start, stop, flush, found)
        boards.discount_ranks(start, stop, plan.flush, flush.ways, plain, found)
        return found

    ranks = np.sum(spread(by_pair, atoms.RANK_BOARDS, threads), axis=0)
    suit = np.sum(spread(by_class, atoms.FLUSH_BOARDS, threads), axis=0)
    seen = [suit[at] for at in classes_by_suit()]
    return np.asarray(BOARD_ORDERS * np.sum([ranks[pair_of(ROW, COLUMN)], *seen], axis=0))


def classes_by_suit() -> list[NDArray[np.int64]]:
    """The class of each starting hand's cards as each of the four suits sees them."""
    out = atoms.RANKS
    neither = pair_of(ROW + out, COLUMN + out)
    suited = ROW > COLUMN
    one = np.where(suited, pair_of(ROW, COLUMN), pair_of(ROW, COLUMN + out))
    other = np.where(suited, neither, pair_of(ROW + out, COLUMN))
    return [one, other, neither, neither]
