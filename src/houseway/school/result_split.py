"""The result of a finished round, split exactly into house edge, luck and choices.

Before the cards, a round is worth the value of best play: that is the house edge. Each deal of cards then
changes the value of the best choice; the sum of these changes, with the showdown, is luck. Each choice
gives up its loss. So, in antes and as exact fractions:

    result = house edge + luck - losses of the choices + change by limits and rounding

Side bets are separate. For each, luck is the result minus its expectation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from houseway.school.decision_values import ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.played_rounds import PlayedRound, WagerResult
from houseway.school.player_decisions import FLOP, RIVER

Cause = Literal["house edge", "your cards", "flop", "turn and river", "board", "dealer", "choice", "limits"]
DEALT_BEFORE: Final[dict[str, Cause]] = {FLOP: "flop", RIVER: "turn and river"}
"""The cards dealt before each street, besides the player's own cards."""


@dataclass(frozen=True, slots=True)
class SplitStep:
    """One step from the start of a round to its result."""

    cause: Cause
    amount: Fraction
    """The change in antes: negative for the house edge and for losses."""
    choice: str = ""
    """The choice made, if the cause is a choice."""


@dataclass(frozen=True, slots=True)
class SideBetResult:
    """A side bet of one round, in cents."""

    wager: str
    hand: int
    stake: int
    net: int
    expected: Fraction | None
    """The exact expectation of the bet; None if it depends on more than the rulebook, such as a meter."""

    @property
    def luck(self) -> Fraction | None:
        """The result minus the expectation."""
        return None if self.expected is None else self.net - self.expected


@dataclass(frozen=True, slots=True)
class ResultSplit:
    """The parts of a round's result. The main game is in antes; side bets are in cents."""

    steps: tuple[SplitStep, ...]
    """From the house edge to the showdown, in order. They add up to `result`."""
    result: Fraction
    """The net result of the main game's wagers, in antes."""
    side_bets: tuple[SideBetResult, ...]
    other: int
    """Cents of the seat's result that are in no wager: tips for the dealer, coupons, corrected payments."""

    @property
    def house_edge(self) -> Fraction:
        """The expectation of best play before the cards are dealt."""
        return self._sum("house edge")

    @property
    def choices(self) -> Fraction:
        """The sum of the losses of the choices: 0 or negative."""
        return self._sum("choice")

    @property
    def limits(self) -> Fraction:
        """The change made by payout limits and by rounding to coins."""
        return self._sum("limits")

    @property
    def luck(self) -> Fraction:
        """The result minus the expectation of the choices made."""
        return self.result - self.house_edge - self.choices - self.limits

    def _sum(self, cause: Cause) -> Fraction:
        return sum((step.amount for step in self.steps if step.cause == cause), Fraction(0))


def split_result(
    game: GameValues, played: PlayedRound, decisions: Sequence[ValuedDecision]
) -> ResultSplit | None:
    """Return the parts of a round's result.

    Returns None for a round that is running, void, without a main wager or without a decision, or if the
    value of the game has not been counted. `decisions` are all decisions of the round.
    """
    outcome = played.outcome
    if outcome is None or outcome.void or not played.stake or not decisions or game.value is None:
        return None
    main = [line for line in outcome.wagers if line.wager in game.main]
    result = Fraction(sum(line.net for line in main), played.stake)
    steps = [SplitStep("house edge", game.value)]
    reached = game.value
    for number, valued in enumerate(decisions):
        street = valued.decision.street
        dealt = "your cards" if not number else DEALT_BEFORE.get(street, "board")
        best = valued.values[valued.best]
        steps.append(SplitStep(dealt, best - reached))
        steps.append(SplitStep("choice", -valued.loss, valued.decision.choice))
        reached = valued.value
    limits = sum((line.limits for line in main), Fraction(0)) / played.stake
    steps.append(SplitStep("dealer", result - limits - reached))
    if limits:
        steps.append(SplitStep("limits", limits))
    side = tuple(
        _side_bet(game, line, outcome.hands) for line in outcome.wagers if line.wager not in game.main
    )
    return ResultSplit(tuple(steps), result, side, outcome.net - sum(line.net for line in outcome.wagers))


def _side_bet(game: GameValues, line: WagerResult, hands: int) -> SideBetResult:
    worth = game.side_bet(line.wager, hands)
    return SideBetResult(
        line.wager, line.hand, line.stake, line.net, None if worth is None else worth * line.stake
    )
