"""Mistakes alike told together: the same street, the same error, the same kind of hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import RANK_WORDS
from houseway.exact.backward import COLUMN, ROW, Choices
from houseway.exact.counts import alone, cells, first_five, layout, multisets, strengths
from houseway.exact.kernels import atoms
from houseway.exact.mistakes import STREETS, Losses, Mistake, chosen, mistake
from houseway.exact.solution import DEALS, Solution
from houseway.ranking import HandClass, evaluator

ON_FLOP: dict[int, HandClass] = {1: "high card", 2: "pair", 3: "three of a kind"}
"""What a flop is by itself, by how often its commonest rank is on it."""

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Alike:
    """Mistakes of one kind on one street, and what they cost together."""

    street: str
    hand: str
    """The kind of hand: "king high, unsuited", "pair", "three of a kind on the flop"."""
    does: str
    should: str
    deals: int
    """In how many deals one of them happens."""
    cost: Fraction
    """What they cost of each ante together, all deals counted."""
    example: Mistake
    """The costliest of them."""

    @property
    def loss(self) -> Fraction:
        """Antes lost each time, on average."""
        return self.cost * DEALS / self.deals


class _Kind(NamedTuple):
    street: str
    hand: str
    does: str
    should: str


def alike(solution: Solution, made: Choices, streets: Sequence[Losses]) -> tuple[Alike, ...]:
    """Every mistake of choices under a solved game, those alike together, costliest first."""
    lost: dict[_Kind, int] = {}
    deals: dict[_Kind, int] = {}
    worst: dict[_Kind, tuple[int, int, int]] = {}
    for street, each in enumerate(streets):
        for kind, members in _kinds(solution, made, street, each):
            lost[kind] = lost.get(kind, 0) + int(each.lost[members].sum())
            deals[kind] = deals.get(kind, 0) + int(each.deals[members].sum())
            most = members[int(each.lost[members].argmax())]
            worst[kind] = max(worst.get(kind, (0, 0, 0)), (int(each.lost[most]), street, int(most)))
    unit = solution.pays.unit * DEALS
    return tuple(
        Alike(
            *kind,
            deals[kind],
            Fraction(lost[kind], unit),
            mistake(solution, made, streets, *worst[kind][1:]),
        )
        for kind in sorted(lost, key=lambda kind: -lost[kind])
    )


def _kinds(
    solution: Solution, made: Choices, street: int, each: Losses
) -> Iterator[tuple[_Kind, Integers]]:
    """The kinds of mistakes among a street's losses, and which losses are of each."""
    wrong = np.flatnonzero(each.lost)
    at = each.at[wrong]
    does, should, named = chosen(solution, made, street)
    hands, words = _HANDS[street](solution, at)
    size = len(named)
    keys = (hands * size + does[at]) * size + should[at]
    for key in np.unique(keys).tolist():
        rest, right = divmod(key, size)
        hand, did = divmod(rest, size)
        kind = _Kind(STREETS[street], words[hand], named[did], named[right])
        yield kind, wrong[keys == key]


def _starts(_: Solution, at: Integers) -> tuple[Integers, list[str]]:
    """Starting hands by their higher card; pairs are one kind."""
    high, suited = np.maximum(ROW, COLUMN)[at], (ROW > COLUMN)[at]
    words = [f"{rank} high, {kind}" for rank in RANK_WORDS for kind in ("unsuited", "suited")]
    return np.where((ROW == COLUMN)[at], len(words), 2 * high + suited), [*words, "pair in hand"]


def _flops(solution: Solution, at: Integers) -> tuple[Integers, list[str]]:
    """States after the flop by the class of their five cards."""
    flop = layout().base[at] // atoms.PAIRS
    by_flop = [solution.order.index(ON_FLOP[_commonest(held)]) for held in multisets(3).tolist()]
    return _by_class(solution, first_five(solution.order)[at], np.array(by_flop)[flop], "on the flop")


def _commonest(ranks: list[int]) -> int:
    return max(map(ranks.count, ranks))


def _boards(solution: Solution, at: Integers, number: int) -> tuple[Integers, list[str]]:
    """Hands on boards seen by rank alone, number 0, or on those with three or more of a suit."""
    plan, by = layout(), evaluator(solution.order, 1)
    view = (plan.by_rank, plan.flush)[number]
    _, suited, places = strengths(by)
    shown = places[np.maximum(alone(by)[view.ranks], suited[view.masks])]
    hands = cells(solution.order, solution.pays.qualifier)[number].place
    return _by_class(solution, hands.ravel()[at], shown[at // hands.shape[1]], "on the board")


def _by_class(solution: Solution, places: NDArray[np.integer], shown: NDArray[np.integer],
              where: str) -> tuple[Integers, list[str]]:  # fmt: skip
    """Hands by class, apart where the community cards alone make the class."""
    words: list[str] = []
    for name in solution.order:
        words += name, name if name == solution.order[-1] else f"{name} {where}"
    return 2 * places.astype(np.int64) + (places == shown), words


_HANDS = (_starts, _flops, partial(_boards, number=1), partial(_boards, number=0))
"""How the hands of a street's losses are told apart, in the order of `STREETS`."""
