"""Rounds that a person typed: a hand history, or a CSV file with one hand in each row.

A round comes in the format of `houseway settle`, and the engine settles it. The decisions follow from the
play wager: the hand checked at every betting point before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from houseway.cards import Card, cards
from houseway.engine.finished_round import FinishedRound, PlayerHand
from houseway.engine.read_shootout import may_split
from houseway.engine.refusals import Refusal
from houseway.engine.settle import Settler
from houseway.engine.settle_json import read_round, wrong_game
from houseway.engine.terms import Terms
from houseway.rules.options import SHOOTOUT
from houseway.school.played_rounds import PlayedRound, RoundOutcome, wager_result
from houseway.school.player_decisions import (
    CHECK,
    FOLD,
    FOUR_CARDS,
    STREETS,
    Decision,
    keep_names,
    setting_name,
    split_names,
)


@dataclass(frozen=True, slots=True)
class TypedRound:
    """A round as it was typed, with the terms that it was played under."""

    name: str
    """The name or the number that errors mention."""
    terms: Terms
    data: Mapping[str, Any]
    """The round in the format of `houseway settle`."""


def read_typed(typed: TypedRound, number: int) -> tuple[PlayedRound, ...] | tuple[Refusal, ...]:
    """Return the round of each seat, or every reason to refuse the round."""
    terms, data = typed.terms, dict(typed.data)
    other = wrong_game(data, terms)
    if other is not None:
        return (other,)
    finished, refusals = read_round(data, terms)
    if refusals:
        return tuple(dict.fromkeys(refusals))
    settler = Settler(terms, finished)
    settled = [line for n in range(len(terms.plan.passes)) for line in settler.settle_pass(n)]
    rounds = []
    for seat in dict.fromkeys(hand.seat for hand in finished.hands):
        hands = [hand for hand in finished.hands if hand.seat == seat]
        lines = [line for line in settled if line.seat == seat and not line.for_dealer]
        results = tuple(wager_result(line) for line in lines)
        net = sum(result.net for result in results) - sum(sum(hand.tips.values()) for hand in hands)
        outcome = RoundOutcome(finished.board, finished.dealer, results, net, hands=len(finished.hands))
        dealt = next(each for each in data["seats"] if each.get("seat", seat) == seat)
        decisions, stake = _decisions(terms, hands, dealt, finished)
        player = hands[0].player if isinstance(hands[0].player, str) else ""
        rounds.append(PlayedRound(number, seat, stake, decisions, outcome, player))
    return tuple(rounds)


def _decisions(
    terms: Terms, hands: Sequence[PlayerHand], dealt: Mapping[str, Any], finished: FinishedRound
) -> tuple[tuple[Decision, ...], int]:
    """Return a seat's decisions and its stake."""
    first = hands[0]
    if terms.rulebook.game == SHOOTOUT:
        four = cards(dealt["cards"])
        played = [hand.cards for hand in hands]
        names = [*keep_names(four).values()]
        names += split_names(four).values() if may_split(four, terms) else ()
        choice = setting_name(four, played)
        return (Decision(FOUR_CARDS, four, (), choice, tuple(names)),), first.stakes.get("wager", 0)
    ante = first.stakes.get("ante", 0)
    if not ante:
        return (), 0
    times = first.stakes.get("play", 0) // ante
    return play_decisions(terms, first.cards, finished.board, times), ante


def play_decisions(
    terms: Terms, hole: Sequence[Card], board: Sequence[Card], times: int
) -> tuple[Decision, ...]:
    """Return the decisions of a hand that made a play wager of `times` antes; 0 for a fold."""
    decisions = []
    for stage in sorted(terms.rulebook.stages, key=lambda stage: stage.board):
        sizes = sorted(stage.sizes.value) if stage.sizes else []
        choices = [CHECK] * (stage.check is not None) + [FOLD] * (stage.fold is not None)
        choices += [f"{size}x" for size in sizes]
        choice = f"{times}x" if times in sizes else FOLD if stage.fold is not None else CHECK
        shown = tuple(board[: stage.board])
        decisions.append(Decision(STREETS[stage.board], tuple(hole), shown, choice, tuple(choices)))
        if choice != CHECK:
            break
    return tuple(decisions)
