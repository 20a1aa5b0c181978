"""The review of a round: every decision with its values, its reason and its kind, and the result split.

The decisions are reviewed from the cards that the player could see. The outcome is a separate part, so a
page can show it last.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from houseway.school.choice_reasons import Reason, reason_for
from houseway.school.decision_values import ValuedDecision, value_decisions
from houseway.school.game_values import GameValues
from houseway.school.played_rounds import PlayedRound
from houseway.school.position_kinds import Kind, kind_of
from houseway.school.reason_words import reason_words, verdict_words
from houseway.school.result_split import ResultSplit, split_result


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """A valued decision with its kind."""

    valued: ValuedDecision
    kind: Kind


@dataclass(frozen=True, slots=True)
class ExplainedDecision:
    """A decision with its reason, and both as sentences."""

    valued: ValuedDecision
    kind: Kind
    reason: Reason
    verdict: str
    because: str


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    """The review of one round of one seat."""

    played: PlayedRound
    decisions: tuple[ReviewedDecision, ...]
    """The decisions whose cards are known."""
    split: ResultSplit | None
    """None if the round has no such split (see `split_result`)."""
    unit: str
    """The wager in whose units values are stated: "ante" or "wager"."""

    @property
    def loss(self) -> Fraction:
        """The losses of all decisions, close calls excluded."""
        return sum((each.valued.counted_loss for each in self.decisions), Fraction(0))

    @property
    def close_loss(self) -> Fraction:
        """The losses of close calls, which count as neither right nor wrong."""
        return sum((each.valued.loss for each in self.decisions if each.valued.close), Fraction(0))


def review_round(game: GameValues, played: PlayedRound) -> ReviewedRound:
    """Return the review of a round."""
    known = [decision for decision in played.decisions if decision.known]
    valued = value_decisions(game, known)
    decisions = tuple(ReviewedDecision(each, kind_of(game.terms, each.decision)) for each in valued)
    split = split_result(game, played, valued) if len(known) == len(played.decisions) else None
    return ReviewedRound(played, decisions, split, game.unit)


def review_rounds(game: GameValues, rounds: Iterable[PlayedRound]) -> tuple[ReviewedRound, ...]:
    """Return the reviews of rounds of one game."""
    return tuple(review_round(game, played) for played in rounds)


def explain_decision(game: GameValues, reviewed: ReviewedDecision, stake: int) -> ExplainedDecision:
    """Return a decision with its reason in words. `stake` is the ante in cents."""
    reason = reason_for(game, reviewed.valued)
    verdict = verdict_words(reviewed.valued, stake, game.unit)
    return ExplainedDecision(reviewed.valued, reviewed.kind, reason, verdict, reason_words(reason))
