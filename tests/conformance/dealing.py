"""Constructed deals: cards that give the player a chosen class of hand and a chosen result against the dealer.

Hands are ranked by the second settler, so that nothing here depends on the engine under test.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from houseway.testing.random_rounds import five_of

_hands = import_module("houseway.second_settler.hands")
NUMBER: dict[str, int] = _hands.NUMBER
NAME: dict[int, str] = _hands.NAME
one_deck: Callable[[Sequence[int]], tuple[int, ...]] = _hands.one_deck
six_decks: Callable[[Sequence[int]], tuple[int, ...]] = _hands.six_decks

CLASSES = (
    "high card", "pair", "two pair", "three of a kind", "straight",
    "flush", "full house", "four of a kind", "straight flush", "royal flush",
)  # fmt: skip
HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
BOOKS = ("uth-sd", "uth-card", "uth-proc", "uth-ma")
MODES = {
    "uth-sd": ("manual", "device"),
    "uth-card": ("manual", "device"),
    "uth-proc": ("device",),
    "uth-ma": ("manual", "device"),
}


class Made(NamedTuple):
    """A round before its expected result is computed: its description, its data, and more clauses that it shows."""

    about: str
    round: dict[str, Any]
    clauses: tuple[str, ...] = ()


class Deal(NamedTuple):
    """Cards for one player, the board and the dealer, with the cards left for others."""

    hole: str
    board: str
    dealer: str
    rest: tuple[int, ...]

    def pair(self, n: int) -> str:
        """Two cards for another seat."""
        return text(self.rest[2 * n : 2 * n + 2])


Wanted = Callable[[tuple[int, ...], tuple[int, ...]], bool]


def text(cards: Sequence[int]) -> str:
    """Cards as written."""
    return " ".join(NAME[c] for c in cards)


def numbers(cards: str) -> list[int]:
    """Cards as numbers."""
    return [NUMBER[c] for c in cards.split()]


def five(rng: Random, kind: int) -> list[int]:
    """Five cards of just this class."""
    while True:
        hand = [NUMBER[str(c)] for c in five_of(rng, CLASSES[kind])]
        if one_deck(hand)[0] == kind:
            return hand


def placed(rng: Random, kind: int, own: int, *, flop: bool) -> tuple[list[int], list[int], list[int]]:
    """Return hole cards, a board and the rest of the deck. The board and `own` hole cards make this class."""
    cards = five(rng, kind)
    rest = [c for c in NAME if c not in cards]
    rng.shuffle(rest)
    hole = cards[:own] + [rest.pop() for _ in range(2 - own)]
    spots = [0, 1, 2] if flop and own == 2 else rng.sample(range(5), 5 - own)
    at = dict(zip(spots, cards[own:], strict=True))
    board = [at[n] if n in at else rest.pop() for n in range(5)]
    rng.shuffle(hole)
    return hole, board, rest


def deal(
    rng: Random, kind: int, test: Wanted, owns: Sequence[int] = (2, 1, 2), *, flop: bool = False
) -> Deal:
    """Return a deal in which the player's best hand has this class and `test` accepts both hands."""
    for _ in range(5000):
        hole, board, rest = placed(rng, kind, rng.choice(owns), flop=flop)
        player = one_deck(hole + board)
        if player[0] != kind:
            continue
        for two in combinations(rest[:40], 2):
            if test(player, one_deck([*two, *board])):
                left = tuple(c for c in rest if c not in two)
                return Deal(text(hole), text(board), text(two), left)
    raise LookupError(f"no deal of {CLASSES[kind]}")


def win(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """The player beats a dealer who qualifies."""
    return player > dealer and dealer[0] >= PAIR


def win_open(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """The player beats a dealer who does not qualify."""
    return player > dealer and dealer[0] < PAIR


def tie(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """The hands are equal."""
    return player == dealer


def lose(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """The dealer's hand is better, pair or not."""
    return player < dealer


def lose_open(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """The dealer's hand is better and does not qualify."""
    return player < dealer and dealer[0] < PAIR


def lose_pair(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """The dealer's hand is better and qualifies."""
    return player < dealer and dealer[0] >= PAIR


def anything(player: tuple[int, ...], dealer: tuple[int, ...]) -> bool:
    """Accept any two hands."""
    return True


CONTESTS: dict[str, tuple[Wanted, tuple[int, ...], tuple[int, ...]]] = {
    "beats a dealer who qualifies": (win, tuple(range(PAIR, ROYAL + 1)), (2, 2, 1)),
    "beats a dealer without a pair": (
        win_open,
        (HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, STRAIGHT_FLUSH, ROYAL),
        (2, 2, 1),
    ),
    "ties": (tie, tuple(range(HIGH, ROYAL + 1)), (0, 0, 1)),
    "loses to a dealer who qualifies": (lose_pair, tuple(range(HIGH, ROYAL)), (2, 1, 0)),
    "loses to a dealer without a pair": (lose_open, (HIGH,), (2, 1)),
}
"""Results against the dealer: the test of both hands, the classes that can have it, and the number of hole cards used.

A full house or four of a kind needs a pair on the board, so the dealer then has one.
"""


@lru_cache(maxsize=1)
def showdowns() -> tuple[tuple[str, int, tuple[Deal, ...]], ...]:
    """Return a few deals for each class and each result against the dealer that it can have."""
    rng = Random(20_181_615)
    return tuple(
        (name, kind, tuple(deal(rng, kind, test, owns) for _ in range(4)))
        for name, (test, kinds, owns) in CONTESTS.items()
        for kind in kinds
    )


def cycle(*values: Any) -> Iterator[Any]:
    """Yield the values in turn, forever."""
    while True:
        yield from values
