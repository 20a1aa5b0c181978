"""What the deals of a solved game come to: how often each choice is made, each net result, variance."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from houseway.exact import backward
from houseway.exact.counts import Cells, Layout, cells, layout
from houseway.exact.kernels import atoms, flops, forward
from houseway.exact.pays import DEALER_HANDS, Pays
from houseway.exact.solution import DEALS, Solution, labels
from houseway.ranking import HandClass


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Every deal of a game under its solution's choices, counted."""

    actions: Mapping[str, int]
    """Deals that end with each choice: "4x" to "1x", "fold"."""
    nets: Mapping[Fraction, int]
    """Deals by what they bring, in antes, lowest first."""
    folded: Mapping[HandClass, int]
    """Deals folded by the class of the hand given up."""
    average_bet: Fraction
    value: Fraction
    variance: Fraction
    states_reached: int
    """Suit-distinct states after the flop that a check before it leads to."""
    tied_states: int
    """Suit-distinct states after the flop in which the two best choices are worth the same."""
    tied_rivers: int
    """Hands on boards reached without a play in which the two best choices are worth the same."""
    seconds: float
    counts: Mapping[str, NDArray[np.int64]] = field(repr=False)
    """For each choice the deals by dealer qualifying, contest and class of hand."""

    @property
    def element_of_risk(self) -> Fraction:
        """What the house wins of each unit wagered."""
        return -self.value / self.average_bet


def outcomes(solution: Solution) -> Outcomes:
    """Count every deal of a solved game by what it comes to."""
    began = time.perf_counter()
    pays, choices = solution.pays, solution.found.choices
    plan, at = layout(), cells(solution.order, pays.qualifier)
    before, after, river = pays.streets
    counts: dict[str, NDArray[np.int64]] = {}
    staked: dict[str, int] = {}

    def put(route: NDArray[np.int64], sizes: tuple[int, ...], names: tuple[str, ...]) -> None:
        for name, size, tally in zip(names, sizes, route, strict=True):
            counts[name] = counts[name] + tally if name in counts else tally
            staked[name] = size

    for n, size in enumerate(before.sizes):
        route = tally(solution, _from_the_start(at, choices.start == n + 1), None)
        put(route, (size,), (f"{size}x",))
    checked = choices.start[plan.start] == 0
    for n, size in enumerate(after.sizes):
        route = tally(solution, from_the_flop(at, checked & (choices.flop == n + 1)), None)
        put(route, (size,), (f"{size}x",))
    last = from_the_flop(at, checked & (choices.flop == 0))
    put(tally(solution, last, choices), (0, *river.sizes), labels(river.sizes, "fold"))
    counts = {name: tally for name, tally in counts.items() if tally.any()}
    nets = _nets(pays, counts, staked)
    value = Fraction(sum(net * n for net, n in nets.items())) / DEALS
    squares = Fraction(sum(net * net * n for net, n in nets.items())) / DEALS
    actions = {name: int(tally.sum()) for name, tally in counts.items()}
    bet = Fraction(sum(n * (pays.wagers + staked[name]) for name, n in actions.items()), DEALS)
    folded = counts["fold"].sum(axis=(0, 1)) if "fold" in counts else ()
    return Outcomes(
        actions,
        nets,
        {name: int(n) for name, n in zip(solution.order, folded, strict=False) if n},
        bet,
        value,
        squares - value * value,
        int(checked.sum()),
        int(_tied_states(plan, solution).sum()),
        _tied_rivers(solution, last),
        time.perf_counter() - began,
        counts,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Reached:
    """How many deals reach each cell: on boards that hold three or more of a suit, and on all others."""

    flush: NDArray[np.int64]
    plain: NDArray[np.int64]


def _from_the_start(at: tuple[Cells, Cells], taken: NDArray[np.bool_]) -> Reached:
    """The cells that starting hands reach in all their deals."""
    plain, flush = at
    hands = backward.BOARD_ORDERS * backward.COMBOS * taken
    by_class = np.zeros(atoms.CLASSES, np.int64)
    for seen in backward.classes_by_suit():
        np.add.at(by_class, seen, hands)
    by_pair = np.zeros(atoms.PAIRS, np.int64)
    np.add.at(by_pair, backward.pairs(backward.ROW, backward.COLUMN), hands)
    return _parted(at, flush.ways * by_class, plain.ways * by_pair)


def from_the_flop(at: tuple[Cells, Cells], taken: NDArray[np.bool_]) -> Reached:
    """The cells that states after the flop reach in all their turns and rivers."""
    plan = layout()
    by_rank = np.zeros((atoms.RANK_FLOPS, 1, atoms.PAIRS), np.int64)
    by_suit = np.zeros(flops.NOTHING + 1, np.int64)
    forward.send_states(plan.base, plan.suits, plan.weight, taken, by_rank.reshape(-1), by_suit)
    turns = np.zeros((atoms.FLUSH_TURNS, 1, atoms.CLASSES), np.int64)
    boards = np.zeros((atoms.FLUSH_BOARDS, 1, atoms.CLASSES), np.int64)
    by_flop = by_suit[:-1].reshape(atoms.FLUSH_FLOPS, 1, atoms.CLASSES)
    forward.send_flops(plan.flops, plan.gone, by_flop, turns)
    forward.send_turns(plan.turns, plan.gone, turns, boards)
    rank_turns = np.zeros((atoms.RANK_TURNS, 1, atoms.PAIRS), np.int64)
    ranks = np.zeros((atoms.RANK_BOARDS, 1, atoms.PAIRS), np.int64)
    forward.send_ranks(plan.rank_flops.grown, plan.rank_flops.used, plan.held, by_rank, rank_turns)
    forward.send_ranks(plan.rank_turns.grown, plan.rank_turns.used, plan.held, rank_turns, ranks)
    # A turn and a river come in two orders and count once.
    return _parted(at, boards[:, 0] // 2, ranks[:, 0] // 2)


def _parted(at: tuple[Cells, Cells], flush: NDArray[np.int64], plain: NDArray[np.int64]) -> Reached:
    """Deals seen by rank alone without those on flush boards, and none where cards cannot be."""
    by_rank, by_suit = at
    plain[by_rank.ways == 0] = 0
    plan = layout()
    forward.take_flushes(plan.rank_board, plan.rank_pair, by_suit.ways, flush, plain)
    return Reached(flush, plain)


def tally(solution: Solution, reached: Reached, choices: backward.Choices | None) -> NDArray[np.int64]:
    """Deals by choice after the river, dealer qualifying, contest and class of hand.

    Without `choices` the play was made before and all count as one.
    """
    pays = solution.pays
    plain, flush = cells(solution.order, pays.qualifier)
    river = 1 + len(pays.streets[2].sizes) if choices else 1
    counts = np.zeros((river, *pays.play.shape), np.int64)
    for at, deals, made in (
        (flush, reached.flush, choices and choices.river),
        (plain, reached.plain, choices and choices.river_by_rank),
    ):
        chosen = np.zeros(deals.shape, np.int8) if made is None else made
        forward.tally(*at.all[:4], deals, chosen, pays.qualifier, DEALER_HANDS, counts)
    return counts


def _nets(pays: Pays, counts: Mapping[str, NDArray[np.int64]],
          staked: Mapping[str, int]) -> dict[Fraction, int]:  # fmt: skip
    """Deals by what they bring, from the pay tables and the counts alone."""
    found: Counter[Fraction] = Counter()
    for name, tally in counts.items():
        brings = pays.folded if name == "fold" else pays.standing + staked[name] * pays.play
        for net, number in zip(brings.ravel(), tally.ravel(), strict=True):
            if number:
                found[Fraction(int(net), pays.unit)] += int(number)
    return dict(sorted(found.items()))


def _tied_states(plan: Layout, solution: Solution) -> NDArray[np.bool_]:
    """Whether the two best choices of a state after the flop are worth the same."""
    found = solution.found
    first = 0 if solution.pays.streets[1].checks else 1
    worths = [
        by_rank[plan.base] + by_suit[plan.suits].sum(axis=1)
        for by_rank, by_suit in zip(found.by_rank[first:], found.by_suit[first:], strict=True)
    ]
    if len(worths) < 2:
        return np.zeros(len(plan.base), np.bool_)
    *_, second, best = np.sort(worths, axis=0)
    return np.asarray(second == best)


def _tied_rivers(solution: Solution, reached: Reached) -> int:
    pays = solution.pays
    river = pays.streets[2]
    sizes = np.array(river.sizes, np.int64)
    plain, flush = cells(solution.order, pays.qualifier)
    return sum(
        int(forward.count_tied(*at.all[:4], deals, pays.linear(), river.folds, sizes))
        for at, deals in ((flush, reached.flush), (plain, reached.plain))
    )
