"""The first rounds of a simulation, as data that `Window.settle` can settle again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from houseway.cards import DECK, Card, codes
from houseway.exact.kernels.shootout import BOARD, FOUR
from houseway.exact.shootout_strategies import SPLIT
from houseway.money import dollars
from houseway.simulate import Plan
from houseway.simulate.chunk_runner import AWARD, stream
from houseway.simulate.shootout import Shootout
from houseway.simulate.ultimate import Ultimate


def first_rounds(
    plan: Plan, number: int, chunk: int = 0
) -> Iterator[tuple[dict[str, Any], list[dict[str, int]]]]:
    """Yield the first rounds of a chunk as data for `Window.settle`, with the net of each hand's wagers in cents.

    Shares of a meter are not included, because they are computed only after the whole run.
    """
    game = plan.game
    counts, memory = game.buffers(number)
    awards = np.empty((number * plan.seats, AWARD), np.int64)
    game.play(stream(plan.seed, chunk), number, counts, awards, memory)
    names = (*plan.bets.wagers, "envy")
    most = memory.nets.shape[1] // plan.seats
    for cards, actions, nets in zip(memory.cards, memory.actions.tolist(), memory.nets, strict=True):
        dealt = [DECK[n] for n in cards]
        laid_out = (
            _shootout(game, dealt, actions)
            if isinstance(game, Shootout)
            else _ultimate(game, dealt, actions)
        )
        played = {"rulebook": plan.told["rulebook"], **plan.told["terms"], **laid_out}
        hands = [_hands_of(action) if isinstance(game, Shootout) else 1 for action in actions]
        rows = [nets[seat * most + hand] for seat, count in enumerate(hands) for hand in range(count)]
        yield played, [dict(zip(names, map(int, row), strict=True)) for row in rows]


def _ultimate(game: Ultimate, dealt: Sequence[Card], actions: Sequence[int]) -> dict[str, Any]:
    stakes = {name: dollars(stake) for name, stake in game.bets.stakes.items() if name != "play"}
    seats = [
        {
            "seat": seat + 1,
            "hole": codes(dealt[7 + 2 * seat : 9 + 2 * seat]),
            **stakes,
            "play": game.bets.sizes[action],
        }
        for seat, action in enumerate(actions)
    ]
    return {"board": codes(dealt[:5]), "dealer": codes(dealt[5:7]), "seats": seats}


def _shootout(game: Shootout, dealt: Sequence[Card], actions: Sequence[int]) -> dict[str, Any]:
    seats = []
    for seat, action in enumerate(actions):
        four = dealt[BOARD + FOUR * (seat + 1) :][:FOUR]
        pair = [card for place, card in enumerate(four) if action >> place & 1]
        rest = [card for place, card in enumerate(four) if not action >> place & 1]
        hands = [codes(pair), codes(rest)][: _hands_of(action)]
        stakes: dict[str, Any] = {name: dollars(stake) for name, stake in game.bets.stakes.items()}
        if "bonus" in stakes:
            stakes["bonus"] = [stakes["bonus"]] * len(hands)
        seats.append({"seat": seat + 1, "cards": codes(four), "hands": hands, **stakes})
    return {"board": codes(dealt[:BOARD]), "dealer": codes(dealt[BOARD:][:FOUR]), "seats": seats}


def _hands_of(action: int) -> int:
    """Return the number of hands that a seat of Texas Shootout has after an action."""
    return 1 + (action >= SPLIT)
