"""Players for the tests of leaks: ordinary error, and one planted leak. They are written from the cards alone, without the
code that they test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import exp
from random import Random

from houseway.cards import DECK
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.school.decision_values import ValuedDecision, value_decision
from houseway.school.game_values import game_values
from houseway.school.played_rounds import PlayedRound
from houseway.school.player_decisions import BEFORE, FLOP, RIVER, Decision, Street
from houseway.school.position_kinds import kind_of
from houseway.school.round_review import ReviewedDecision, ReviewedRound

POOL = 3_000
"""The number of dealt rounds from which the players' rounds are drawn."""
STREETS: tuple[tuple[Street, int, tuple[str, ...]], ...] = (
    (BEFORE, 0, ("check", "3x", "4x")),
    (FLOP, 3, ("check", "2x")),
    (RIVER, 5, ("fold", "1x")),
)


@dataclass(frozen=True, slots=True)
class Spot:
    """A decision before the player makes it: its values as floats, for the players, and as in a review."""

    hole: tuple[str, ...]
    board: tuple[str, ...]
    values: Mapping[str, float]
    reviews: Mapping[str, ReviewedDecision]
    """The reviewed decision for each choice."""


Player = Callable[[Random, Spot], str]


@cache
def pool() -> tuple[tuple[Spot, Spot, Spot], ...]:
    """Dealt rounds: the decisions on all three streets."""
    rng, game = Random(2026), game_values(read_terms(load("uth-ma"), {})[0])
    rounds = []
    for _ in range(POOL):
        dealt = rng.sample(DECK, 7)
        spots = []
        for street, shown, names in STREETS:
            decision = Decision(street, tuple(dealt[:2]), tuple(dealt[2 : 2 + shown]), names[0], names)
            first = value_decision(game, decision)
            kind = kind_of(game.terms, decision)
            reviews = {name: ReviewedDecision(chosen(first, name), kind) for name in names}
            hole, board = (tuple(map(str, cards)) for cards in (decision.hole, decision.board))
            spots.append(Spot(hole, board, {n: float(v) for n, v in first.values.items()}, reviews))
        rounds.append((spots[0], spots[1], spots[2]))
    return tuple(rounds)


def chosen(valued: ValuedDecision, name: str) -> ValuedDecision:
    """The same decision with another choice."""
    loss = valued.values[valued.best] - valued.values[name]
    return replace(valued, decision=replace(valued.decision, choice=name), loss=loss)


def hesitant(temperature: float) -> Player:
    """A player who errs more often if the choices are close: logit choice."""

    def choose(rng: Random, spot: Spot) -> str:
        top = max(spot.values.values())
        weights = [exp((value - top) / temperature) for value in spot.values.values()]
        return rng.choices(list(spot.values), weights)[0]

    return choose


def careless(rate: float) -> Player:
    """A player who sometimes chooses without looking, whatever is at stake."""

    def choose(rng: Random, spot: Spot) -> str:
        if rng.random() < rate:
            return rng.choice(list(spot.values))
        return max(spot.values, key=lambda name: spot.values[name])

    return choose


def mixed(temperature: float, rate: float) -> Player:
    """A player who is both hesitant and careless."""
    one, other = hesitant(temperature), careless(1.0)
    return lambda rng, spot: (other if rng.random() < rate else one)(rng, spot)


EVEN: dict[str, Player] = {
    "hesitant, 0.02": hesitant(0.02),
    "hesitant, 0.05": hesitant(0.05),
    "hesitant, 0.1": hesitant(0.1),
    "hesitant, 0.3": hesitant(0.3),
    "careless, 1 %": careless(0.01),
    "careless, 5 %": careless(0.05),
    "careless, 20 %": careless(0.2),
    "both": mixed(0.05, 0.03),
}


# Planted leaks.


@dataclass(frozen=True, slots=True)
class PlantedLeak:
    """A habit: what the player always does in one kind of position."""

    kind: str
    """The name of the kind under which the school must list it."""
    applies: Callable[[Sequence[str], Sequence[str]], bool]
    does: str


def ranks(cards: Sequence[str]) -> list[int]:
    return sorted(("23456789TJQKA".index(card[0]) + 2 for card in cards), reverse=True)


def is_pair(hole: Sequence[str]) -> bool:
    return hole[0][0] == hole[1][0]


def in_one_suit(cards: Sequence[str]) -> int:
    return max(Counter(card[1] for card in cards).values())


def groups(cards: Sequence[str]) -> list[int]:
    return sorted(Counter(card[0] for card in cards).values(), reverse=True)


def has_straight(cards: Sequence[str]) -> bool:
    held = {1 if rank == 14 else rank for rank in ranks(cards)} | set(ranks(cards))
    return any(set(range(low, low + 5)) <= held for low in range(1, 11))


def high(rank: int, low: int, top: int) -> Callable[[Sequence[str], Sequence[str]], bool]:
    """Hole cards with this high card and a kicker in this range, before the flop."""
    return lambda hole, board: not board and ranks(hole)[0] == rank and low <= ranks(hole)[1] <= top


def on_flop(test: Callable[[Sequence[str], Sequence[str]], bool]) -> Callable[..., bool]:
    return lambda hole, board: len(board) == 3 and test(hole, board)


def on_river(test: Callable[[Sequence[str], Sequence[str]], bool]) -> Callable[..., bool]:
    return lambda hole, board: len(board) == 5 and test(hole, board)


def matches(hole: Sequence[str], board: Sequence[str]) -> int:
    """How many hole cards pair a board card."""
    return sum(card[0] in {shown[0] for shown in board} for card in hole)


PLANTED = (
    PlantedLeak("pair-66-aa", lambda h, b: not b and is_pair(h) and ranks(h)[0] >= 6, "check"),
    PlantedLeak("ace-high", lambda h, b: high(14, 2, 13)(h, b), "check"),
    PlantedLeak("king-high-kicker", high(13, 8, 12), "check"),
    PlantedLeak("queen-low-kicker", high(12, 2, 7), "4x"),
    PlantedLeak("queen-high-kicker", high(12, 8, 11), "check"),
    PlantedLeak("jack-low-kicker", high(11, 2, 7), "4x"),
    PlantedLeak(
        "flop-hidden-pair",
        on_flop(lambda h, b: not is_pair(h) and groups(b)[0] == 1 and matches(h, b) == 1),
        "check",
    ),
    PlantedLeak(
        "flop-board-pair",
        on_flop(lambda h, b: not is_pair(h) and groups(b)[0] == 2 and not matches(h, b) and in_one_suit((*h, *b)) < 4),
        "2x",
    ),
    PlantedLeak("flop-two-pair", on_flop(lambda h, b: groups((*h, *b))[:2] == [2, 2]), "check"),
    PlantedLeak(
        "river-own-pair",
        on_river(
            lambda h, b: groups(b)[0] == 1 and groups((*h, *b))[:2] == [2, 1] and in_one_suit((*h, *b)) < 5
        ),
        "fold",
    ),
    PlantedLeak(
        "river-two-pair-or-trips",
        on_river(
            lambda h, b: groups((*h, *b))[:2] in ([2, 2], [3, 1])
            and groups((*h, *b))[:2] != groups(b)[:2]
            and in_one_suit((*h, *b)) < 5
            and not has_straight((*h, *b))
        ),
        "fold",
    ),
    PlantedLeak(
        "river-paired-board-many",
        on_river(lambda h, b: groups(b)[:2] == [2, 1] and groups((*h, *b))[:2] == [2, 1] and ranks(h)[0] < 11),
        "1x",
    ),
)  # fmt: skip


def with_leak(base: Player, leak: PlantedLeak) -> Player:
    """A player with ordinary error and one habit."""
    return lambda rng, spot: leak.does if leak.applies(spot.hole, spot.board) else base(rng, spot)


def played(player: Player, rng: Random) -> Iterator[ReviewedRound]:
    """The reviews of a player's rounds, without end."""
    number = 0
    while True:
        number += 1
        made = []
        for spot in rng.choice(pool()):
            choice = player(rng, spot)
            made.append(spot.reviews[choice])
            if choice != "check":
                break
        round_ = PlayedRound(number, 1, 1000, tuple(each.valued.decision for each in made))
        yield ReviewedRound(round_, tuple(made), None, "ante")


def loss_of(reviews: Sequence[ReviewedRound]) -> Fraction:
    return sum((review.loss for review in reviews), Fraction(0))
