"""The mistakes of a strategy: a list of the costliest, with sample cards, and groups by kind of hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from heapq import nlargest
from itertools import product

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, RANK_WORDS, SUITS, Card, codes
from houseway.exact import backward_pass, forward_counts
from houseway.exact.backward_pass import COLUMN, ROW, StreetChoices
from houseway.exact.board_counts import CORES, board_places, cells, first_five, layout
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms
from houseway.exact.kernels.boards import Matchups
from houseway.exact.numbering import Integers, multisets
from houseway.exact.pay_arrays import DEALER_HANDS, DEALS_PER_HAND
from houseway.exact.solution import DEALS, Solution, hand_name, labels
from houseway.ranking import HandClass, evaluator

LISTED = 10
FLOP_DEALS = 1_081 * DEALER_HANDS
"""The number of deals of turn, river and dealer hand when hole cards and flop are known."""
STREETS = ("before the flop", "after the flop", "after the river", "after the river")
"""The street of each `Losses`.

The river has two: boards with three or more cards of a suit, and all others.
"""
WAITS = ("check", "check", "fold", "fold")
IN_SUIT, OTHERS = SUITS.index("s"), (2, 1, 0)
ON_FLOP: dict[int, HandClass] = {1: "high card", 2: "pair", 3: "three of a kind"}
"""The class of a flop alone, by the number of its cards that have the same rank."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A hand that a strategy misplays. It stands for all equivalent hands."""

    hand: str
    """A starting hand, or two sample cards."""
    board: str
    """Empty, the flop, or five cards in rank order."""
    does: str
    should: str
    loss: Fraction
    """The loss in antes each time, if later streets are played in the best way."""
    deals: int
    """The number of deals in which the mistake happens."""

    @property
    def cost(self) -> Fraction:
        """The average cost per deal, in antes."""
        return self.loss * self.deals / DEALS


@dataclass(frozen=True, slots=True)
class Mistakes:
    """A group of mistakes of one kind on one street, and their total cost."""

    street: str
    hand: str
    """The kind of hand, such as "king high, unsuited", "pair" or "three of a kind on the flop"."""
    does: str
    should: str
    deals: int
    """The number of deals in which one of the mistakes happens."""
    cost: Fraction
    """The total cost of the group: the average loss per deal, in antes."""
    example: Mistake
    """The costliest mistake of the group."""

    @property
    def loss(self) -> Fraction:
        """The average loss in antes each time one of the mistakes happens."""
        return self.cost * DEALS / self.deals


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """The losses from wrong choices on one street."""

    street: int
    unit: int
    """The number of integer units in one ante."""
    at: Integers
    """The starting hand, state or cell of each loss."""
    deals: Integers
    lost: Integers
    """The loss in integer units, summed over the deals."""
    does: NDArray[np.int8]
    should: NDArray[np.int8]
    names: tuple[str, ...]
    """The names of the choices."""

    def mistake(self, n: int) -> Mistake:
        """Return one of the losses as a mistake with sample cards."""
        deals = int(self.deals[n])
        choices = self.names[self.does[n]], self.names[self.should[n]]
        loss = Fraction(int(self.lost[n]), self.unit * deals)
        return Mistake(*_SAMPLES[self.street](int(self.at[n])), *choices, loss, deals)


def mistakes(streets: Sequence[Losses]) -> tuple[Mistake, ...]:
    """Return the costliest mistakes, costliest first."""
    worst = nlargest(
        LISTED,
        ((int(each.lost[n]), street, n) for street, each in enumerate(streets) for n in _most(each.lost)),
    )
    return tuple(streets[street].mistake(n) for _, street, n in worst)


def _most(lost: Integers) -> list[int]:
    order = np.argpartition(-lost, LISTED - 1)[:LISTED] if len(lost) > LISTED else np.arange(len(lost))
    return [int(n) for n in order if lost[n]]


def group_mistakes(solution: Solution, streets: Sequence[Losses]) -> tuple[Mistakes, ...]:
    """Return all mistakes in groups of one kind, costliest group first."""
    kinds: dict[tuple[str, ...], list[tuple[Losses, Integers]]] = {}
    for each in streets:
        for kind, members in _kinds(solution, each):
            kinds.setdefault(kind, []).append((each, members))
    groups = []
    for (street, hand, does, should), parts in kinds.items():
        lost = sum(int(each.lost[members].sum()) for each, members in parts)
        deals = sum(int(each.deals[members].sum()) for each, members in parts)
        worst = [(each, int(members[each.lost[members].argmax()])) for each, members in parts]
        each, most = max(worst, key=lambda part: (part[0].lost[part[1]], part[0].street))
        cost = Fraction(lost, solution.pays.unit * DEALS)
        groups.append(Mistakes(street, hand, does, should, deals, cost, each.mistake(most)))
    return tuple(sorted(groups, key=lambda kind: -kind.cost))


def _kinds(solution: Solution, each: Losses) -> Iterator[tuple[tuple[str, ...], Integers]]:
    """Yield each kind of mistake among a street's losses, with the indexes of these losses."""
    wrong = np.flatnonzero(each.lost)
    hands, words = _HANDS[each.street](solution, each.at[wrong])
    shape = (len(words), len(each.names), len(each.names))
    keys = np.ravel_multi_index((hands, each.does[wrong], each.should[wrong]), shape)
    for key in np.unique(keys):
        hand, does, should = np.unravel_index(key, shape)
        kind = (STREETS[each.street], words[hand], each.names[does], each.names[should])
        yield kind, wrong[keys == key]


def losses(solution: Solution, made: StreetChoices) -> tuple[Losses, ...]:
    """Return the losses before the flop, after the flop, and on boards with and without a possible flush.

    On each street, the strategy's choice is compared with the best choice in the states that the strategy's
    earlier choices lead to. Later streets are played in the best way. So the losses of the streets add up
    to the total cost.
    """
    best, worth, plan = solution.result.choices, solution.result.starts, states()
    everything = np.arange(backward_pass.STARTS)
    lost = (worth[everything, best.start] - worth[everything, made.start]) * backward_pass.COMBOS
    start = (everything, backward_pass.COMBOS * DEALS_PER_HAND, lost)
    checked = made.start[plan.start] == 0
    wrong = np.flatnonzero(checked & (made.flop != best.flop))
    right, chosen = (_state_worth(solution, wrong, by.flop[wrong]) for by in (best, made))
    weight = plan.weight[wrong].astype(np.int64)
    flop = (wrong, weight * FLOP_DEALS, weight * (right - chosen))
    plain, flush = cells(solution.order, solution.pays.qualifier)
    by_rank, by_suit = forward_counts.reached(solution, checked & (made.flop == 0), CORES)
    river = _river(solution, flush, by_suit, best.river, made.river)
    river_by_rank = _river(solution, plain, by_rank, best.river_by_rank, made.river_by_rank)
    listed = []
    for street, (at, deals, lost) in enumerate((start, flop, river, river_by_rank)):
        does, should = (choices[street].ravel()[at] for choices in (made, best))
        names = labels(solution.pays.streets[min(street, 2)].sizes, WAITS[street])
        listed.append(Losses(street, solution.pays.unit, at, deals, lost, does, should, names))
    return tuple(listed)


def _state_worth(solution: Solution, at: Integers, chosen: NDArray[np.int8]) -> Integers:
    """Return the value of each state after the flop if its choice is made, summed over all later cards."""
    result, plan = solution.result, states()
    corrections = result.by_suit[chosen[:, None], plan.suits[at]].sum(axis=1)
    return np.asarray(result.by_rank[chosen, plan.base[at]] + corrections)


def _river(solution: Solution, at: Matchups, deals: NDArray[np.int32], best: NDArray[np.int8],
           made: NDArray[np.int8]) -> tuple[Integers, Integers, Integers]:  # fmt: skip
    """Return the cells with a wrong choice after the river, the number of their deals, and the losses."""
    pays = solution.pays
    wrong = np.flatnonzero((made != best) & (deals > 0))
    hands = [each.ravel()[wrong].astype(np.int64) for each in (at.below, at.wins, at.ties)]
    parts = pays.linear()[at.place.ravel()[wrong]]
    standing, play, folded = (
        parts[:, n] + sum(parts[:, n + k] * number for k, number in enumerate(hands, 1)) for n in (0, 4, 8)
    )
    sizes = np.array([0, *pays.streets[2].sizes])

    def worth(choice: NDArray[np.int8]) -> Integers:
        chosen = choice.ravel()[wrong]
        return np.where(chosen == 0, folded, standing + sizes[chosen] * play)

    number = deals.ravel()[wrong].astype(np.int64)
    return wrong, number * DEALER_HANDS, number * (worth(best) - worth(made))


def _flop(at: int) -> tuple[str, str]:
    n, *hole = states().cards[at].tolist()
    flop = [card for card in DECK if states().flop_ranks_by_suit[n][card.suit] >> card.rank & 1]
    return _written([DECK[card] for card in hole]), _written(flop)


def _flush(at: int) -> tuple[str, str]:
    """Return sample cards for a cell on a board with three or more cards of a suit. The suit is spades."""
    board, hand = divmod(at, atoms.SUIT_PAIRS)
    mask, *outside = layout().boards[board].tolist()
    pair = multisets(2, atoms.ATOMS)[hand].tolist()
    hole = [(a % atoms.RANKS, (IN_SUIT,) if a < atoms.RANKS else OTHERS) for a in pair]
    shown = [(rank, (IN_SUIT,)) for rank in range(atoms.RANKS) if mask >> rank & 1]
    return _first(_dealt([*hole, *shown, *((rank, OTHERS) for rank in outside if rank >= 0)]))


def _plain(at: int) -> tuple[str, str]:
    """Return sample cards for a cell on a rank board. No three board cards have the same suit."""
    board, hand = divmod(at, atoms.PAIRS)
    ranks = [*multisets(2)[hand].tolist(), *multisets(5)[board].tolist()]
    turned = [tuple((suit + n) % len(SUITS) for suit in range(len(SUITS))) for n in range(len(ranks))]
    return _first(
        dealt
        for dealt in _dealt(list(zip(ranks, turned, strict=True)))
        if max([card.suit for card in dealt[2:]].count(suit) for suit in range(len(SUITS))) < 3
    )


def _dealt(rank_suits: Sequence[tuple[int, tuple[int, ...]]]) -> Iterator[list[Card]]:
    """Yield every way to give each rank one of its allowed suits without repeating a card."""
    for suits in product(*(may for _, may in rank_suits)):
        cards = [DECK[len(SUITS) * rank + suit] for (rank, _), suit in zip(rank_suits, suits, strict=True)]
        if len(set(cards)) == len(cards):
            yield cards


def _first(ways: Iterator[list[Card]]) -> tuple[str, str]:
    dealt = next(ways)
    return _written(dealt[:2]), _written(dealt[2:])


def _written(cards: Sequence[Card]) -> str:
    return codes(sorted(cards, key=lambda card: -card.rank))


def _starts(_: Solution, at: Integers) -> tuple[Integers, list[str]]:
    """Group starting hands by their higher card and whether they are suited. All pairs are one group."""
    high, suited = np.maximum(ROW, COLUMN)[at], (ROW > COLUMN)[at]
    words = [f"{rank} high, {kind}" for rank in RANK_WORDS for kind in ("unsuited", "suited")]
    return np.where((ROW == COLUMN)[at], len(words), 2 * high + suited), [*words, "pair in hand"]


def flop_kinds(solution: Solution, at: Integers) -> tuple[Integers, list[str]]:
    """Group states after the flop by the class of their five cards."""
    flop = states().base[at] // atoms.PAIRS
    most = [max(map(ranks.count, ranks)) for ranks in multisets(3).tolist()]
    shown = np.array([solution.order.index(ON_FLOP[number]) for number in most])[flop]
    return _by_class(solution, first_five(solution.order)[at], shown, "on the flop")


def board_kinds(solution: Solution, at: Integers, number: int) -> tuple[Integers, list[str]]:
    """Group hands by class, on rank boards (number 0) or on boards with three or more cards of a suit
    (number 1)."""
    shown = board_places((layout().by_rank, layout().flush)[number], evaluator(solution.order, 1))
    hands = cells(solution.order, solution.pays.qualifier)[number].place
    return _by_class(solution, hands.ravel()[at], shown[at // hands.shape[1]], "on the board")


def _by_class(solution: Solution, places: NDArray[np.integer], shown: NDArray[np.integer],
              where: str) -> tuple[Integers, list[str]]:  # fmt: skip
    """Group hands by class.

    If the community cards alone make the class, the hand is in a separate group.
    """
    words: list[str] = []
    for name in solution.order:
        words += name, name if name == solution.order[-1] else f"{name} {where}"
    return 2 * places.astype(np.int64) + (places == shown), words


_SAMPLES = (lambda at: (hand_name(at), ""), _flop, _flush, _plain)
"""Functions that return sample cards for a starting hand, state or cell, in the order of `STREETS`."""
_HANDS = (_starts, flop_kinds, partial(board_kinds, number=1), partial(board_kinds, number=0))
"""Functions that group the hands of a street's losses, in the order of `STREETS`."""
