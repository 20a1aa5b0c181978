"""The kernels give the same values as a slow recursion over a table, in which `legal` lists the choices and `settle` pays.

All cards except a few are dead, so that every deal of the others can be played and settled one by one. This module
reads no pay table, ranks no hand and knows no betting points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from exact.games import terms_of
from houseway import exact
from houseway.cards import DECK, Card, cards, codes
from houseway.engine import commands as c
from houseway.engine.dealer_act import next_act
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve
from houseway.engine.legal import legal
from houseway.engine.refusals import Refusal
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import turn
from houseway.rules.loader import load
from houseway.testing import table

SEAT, ANTE = 1, 10
Cards = tuple[Card, ...]
BOOKS = ["uth-ma", "uth-sd", "uth-card"]
"""Rulebooks dealt by hand, in which the dealer's cards are hidden until the showdown."""
NINE = 7
CHANGED = """
[rulebook]
id = "changed"
title = "Massachusetts with other payments"
extends = "uth-ma"

[options.qualifier]
value = "two pair"
silent = true

[tables.blind.blind]
silent = true

[tables.blind.blind.rows]
"royal flush" = "100 to 1"
"straight flush" = "50 to 1"
"four of a kind" = "7 to 1"
"full house" = "5 to 2"
"flush" = "2 to 1"
"straight" = "3 to 2"
"""


class SlowOdds:
    """A hand played out at a table with few cards left, over every choice and every deal."""

    def __init__(self, ref: str, hole: Cards, left: Sequence[Card]) -> None:
        self.ref, self.hole, self.left = ref, hole, tuple(left)
        self.dead = tuple(card for card in DECK if card not in {*hole, *left})
        self.window = Window()
        self.settled = cache(self.settle)

    def odds(self, board: Cards = ()) -> dict[str, Fraction]:
        """The value of each choice once this much of the board is face up."""
        at = table(self.ref, mode="manual").bet(SEAT, ante=ANTE)
        # The dealer's hand is unknown here, so the dealer gets dead cards.
        first, second, *_ = self.dead
        state = self.dealt(at.table, at.state, [self.hole[0], first, self.hole[1], second])
        for shown in (board[:3], board[3:]):
            if shown:
                state = self.accepted(at.table, state, c.Check(by=f"seat {SEAT}", seat=SEAT))
                state = self.turned(at.table, state, shown)
        return self.values(at.table, state, board)

    def turned(self, at: Table, state: State, shown: Cards) -> State:
        """Burn a dead card and turn up the board's next cards."""
        burned = self.dead[2 if len(shown) == 3 else 3]
        return self.dealt(at, state, [burned, *shown])

    def values(self, at: Table, state: State, board: Cards) -> dict[str, Fraction]:
        """The value of each legal choice, in antes."""
        worths: dict[str, Fraction] = {}
        rest = [card for card in self.left if card not in board]
        for option in legal(at, state, f"seat {SEAT}"):
            match option.command:
                case c.Play(times=times):
                    worths[f"{times}x"] = self.mean(board, rest, times)
                case c.Fold():
                    worths["fold"] = self.mean(board, rest, 0)
                case c.Check():
                    further = list(combinations(rest, 3 if not board else 2))
                    checked = self.accepted(at, state, option.command)
                    worth = [
                        max(self.values(at, self.turned(at, checked, more), board + more).values())
                        for more in further
                    ]
                    worths["check"] = sum(worth, Fraction()) / len(worth)
        return worths

    def mean(self, board: Cards, rest: Sequence[Card], times: int) -> Fraction:
        """The mean net of a hand played at this multiple, or folded, over all boards and dealers."""
        nets = [
            self.settled(tuple(sorted(board + more, key=DECK.index)), dealer, times)
            for more in combinations(rest, 5 - len(board))
            for dealer in combinations([card for card in rest if card not in more], 2)
        ]
        return Fraction(sum(nets), ANTE * 100 * len(nets))

    def settle(self, board: Cards, dealer: Cards, times: int) -> int:
        """The seat's net in cents, all its wagers together."""
        seat = {"seat": SEAT, "hole": codes(self.hole), "ante": str(ANTE), "play": times}
        data = {"rulebook": self.ref, "board": codes(board), "dealer": codes(dealer), "seats": [seat]}
        settled = self.window.settle(data)
        assert isinstance(settled, Settlement), settled
        return sum(int(Fraction(line.net) * 100) for line in settled.lines)

    def dealt(self, at: Table, state: State, cards: list[Card]) -> State:
        """The dealer's acts with these cards, until the seat must decide."""
        while turn(at, state) is None:
            act = next_act(at, state)
            assert act is not None
            state = self.accepted(at, state, act.command(tuple(cards[: act.cards])))
            del cards[: act.cards]
        assert not cards
        return state

    def accepted(self, at: Table, state: State, command: c.Command) -> State:
        """The state after a command that must be accepted."""
        answer = decide(at, state, command)
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            state = evolve(state, event)
        return state


def small(seed: str, known: int, left: int) -> tuple[Cards, Cards]:
    """Return known cards (hand and board), and the cards left in the deck. All are nine or higher, so that strong hands are
    common."""
    drawn = Random(seed).sample([card for card in DECK if card.rank >= NINE], known + left)
    return tuple(drawn[:known]), tuple(drawn[known:])


def compared(ref: str, known: Cards, left: Cards) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """The slow method's and the kernels' values for a hand, its board and the cards left."""
    slow = SlowOdds(ref, known[:2], (*known[2:], *left))
    kernels = exact.odds(terms_of(load(ref)), known[:2], known[2:], slow.dead)
    return slow.odds(known[2:]), dict(kernels.values)


@pytest.fixture
def changed(tmp_path: Path) -> str:
    """The path of a changed rulebook."""
    path = tmp_path / "changed.toml"
    path.write_text(CHANGED, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("ref", BOOKS)
def test_before_the_flop_both_methods_agree(ref: str) -> None:
    # C(10, 3) flops, C(7, 2) turns and rivers, C(5, 2) dealers: 25,200 deals and 2,641 decisions.
    slow, kernels = compared(ref, *small(ref, 2, 10))
    assert slow == kernels
    assert set(slow) == {"check", "3x", "4x"}


@pytest.mark.parametrize("seed", range(8))
def test_before_the_flop_both_methods_agree_with_few_cards_left(seed: int) -> None:
    slow, kernels = compared("uth-ma", *small(f"few {seed}", 2, 7 + seed % 2))
    assert slow == kernels


def test_after_the_flop_both_methods_agree_with_six_ranks() -> None:
    # C(19, 2) turns and rivers of nines and higher, C(17, 2) dealers.
    slow, kernels = compared("uth-ma", *small("six ranks", 5, 19))
    assert slow == kernels
    assert set(slow) == {"check", "2x"}


@pytest.mark.parametrize("ref", BOOKS)
def test_after_the_flop_both_methods_agree(ref: str) -> None:
    slow, kernels = compared(ref, *small(f"flop {ref}", 5, 11))
    assert slow == kernels


@pytest.mark.parametrize("seed", range(10))
def test_after_the_river_both_methods_agree(seed: int) -> None:
    shown = tuple(Random(f"river {seed}").sample(DECK, 7))
    left = tuple(card for card in DECK if card not in shown)
    # At least four cards must be dead: two for the dealer and two to burn.
    for remaining in (left[:-4], left[: 6 + seed]):
        slow, kernels = compared("uth-ma", shown, remaining)
        assert slow == kernels
        assert set(slow) == {"fold", "1x"}


def test_both_methods_agree_under_a_changed_rulebook(changed: str) -> None:
    for known, left in ((2, 8), (5, 10), (7, 12)):
        slow, kernels = compared(changed, *small(f"changed {known}", known, left))
        assert slow == kernels


@pytest.mark.parametrize("shown", ["Kd Qd", "Kd Qd Jd Td 9h", "Kd Qd Jd Td 9h Ad Kc"])
def test_values_under_another_rulebook_are_noticed(changed: str, shown: str) -> None:
    known = cards(shown)
    left = [card for card in small("planted", 0, 24)[1] if card not in known][:8]
    slow, _ = compared(changed, known, tuple(left))
    _, kernels = compared("uth-ma", known, tuple(left))
    assert slow.keys() == kernels.keys()
    assert slow != kernels


@pytest.mark.exhaustive
def test_before_the_flop_both_methods_agree_with_fourteen_cards() -> None:
    slow, kernels = compared("uth-ma", *small("fourteen", 2, 12))
    assert slow == kernels
