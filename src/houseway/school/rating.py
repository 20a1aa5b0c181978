"""The rating of a player: three ladders, each with its uncertainty, and the score sheet of an exam.

A ladder is a set of positions; `skill_estimate` has the scale and the model. How positions are chosen never
biases a ladder: only dealt positions, and those that were chosen without regard to the player, count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from houseway.school.choice_model import expected_loss
from houseway.school.decision_values import CLOSE, ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import Street
from houseway.school.practice_positions import Origin, PracticePosition, dealt_position
from houseway.school.skill_estimate import Item, SkillEstimate, estimate_skill
from houseway.school.themes import THIN
from houseway.shoe.seeded_draws import SeedDraws

Ladder = Literal["money", "recall", "whole game"]
LADDERS: Final[Mapping[Ladder, str]] = {
    "money": "positions in which the reference player gives up 0.007 antes or more on average",
    "recall": "nearly equal choices: the best one leads by at least 0.01 and less than 0.06 antes",
    "whole game": "decisions dealt at random, as in the game",
}
"""The ladders, and the positions that count on each."""
LEAST_DECISIONS: Final = 100
"""The number of decisions that a rating needs."""
COSTLY: Final = 0.007
"""The ladder "money" has the positions in which the reference player gives up this much or more."""
RATED: Final[frozenset[Origin]] = frozenset({"dealt", "mixed"})
"""The origins that count. The others depend on the player: their weak kinds, misses or wishes."""
EXAM_DECISIONS: Final = 50


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An answered position, with all that a rating needs."""

    item: Item
    origin: Origin


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's place on a ladder."""

    ladder: Ladder
    decisions: int
    """The number of decisions that count."""
    estimate: SkillEstimate | None
    """None below 100 decisions."""

    @property
    def words(self) -> str:
        """The rating in words."""
        if self.estimate is None:
            return f"Not enough decisions yet: {self.decisions} of {LEAST_DECISIONS}"
        low, high = self.estimate.low, self.estimate.high
        between = f"{low:.2f} or more" if high == float("inf") else f"{low:.2f} to {high:.2f}"
        return f"{self.estimate.skill:.2f} (95 % interval: {between}), from {self.decisions:,} decisions"


def answer_of(valued: ValuedDecision, origin: Origin) -> RatedAnswer | None:
    """Return an answer; None if the position is never graded.

    That depends on the position only, never on the choice: the best choice leads by less than 0.01 antes,
    or somebody else decided.
    """
    if valued.lead < CLOSE or valued.decision.by:
        return None
    top = valued.values[valued.best]
    gaps = sorted(float(top - value) for name, value in valued.values.items() if name != valued.best)
    return RatedAnswer(Item(tuple(gaps), float(valued.loss)), origin)


def counts(ladder: Ladder, answer: RatedAnswer) -> bool:
    """True if an answer counts on a ladder."""
    if ladder == "whole game":
        return answer.origin == "dealt"
    if answer.origin not in RATED:
        return False
    gaps = answer.item.gaps
    if ladder == "recall":
        return gaps[0] < float(THIN)
    return expected_loss(map(Fraction, gaps)) >= COSTLY


def rate(ladder: Ladder, answers: Iterable[RatedAnswer]) -> Rating:
    """Return the rating of a player on a ladder."""
    items = [answer.item for answer in answers if counts(ladder, answer)]
    return Rating(ladder, len(items), estimate_skill(items) if len(items) >= LEAST_DECISIONS else None)


# --- the exam ---


@dataclass(frozen=True, slots=True)
class ExamMistake:
    """A wrong answer in an exam."""

    number: int
    """The number of the decision, from 1."""
    shown: PracticePosition
    valued: ValuedDecision


@dataclass(frozen=True, slots=True)
class StreetScore:
    """The answers on one street."""

    graded: int
    right: int
    lost: Fraction


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The result of an exam. Close calls count as neither right nor wrong."""

    decisions: int
    graded: int
    right: int
    lost: Fraction
    """The antes given up over all decisions."""
    reference: float
    """The antes that the reference player of `choice_model` gives up here on average."""
    streets: Mapping[Street, StreetScore]
    mistakes: tuple[ExamMistake, ...]
    """The wrong answers, costliest first."""
    answers: tuple[RatedAnswer, ...]
    """The answers for the rating; all were dealt."""


def exam_positions(game: GameValues, seed: str) -> tuple[PracticePosition, ...]:
    """Return the 50 dealt decisions of an exam. They do not depend on the answers."""
    name = f"exam {game.terms.hash}"
    return tuple(dealt_position(game, SeedDraws(seed, f"{name} {n}")) for n in range(EXAM_DECISIONS))


def score_sheet(positions: Sequence[PracticePosition], choices: Sequence[str]) -> ScoreSheet:
    """Return the score sheet of an exam; raise ValueError if an answer is missing or is not a choice."""
    if len(positions) != len(choices):
        raise ValueError(
            f"an exam of {len(positions)} decisions needs as many answers (got {len(choices)})"
        )
    valued = [shown.position.answer(choice) for shown, choice in zip(positions, choices, strict=True)]
    graded = [one for one in valued if one.lead >= CLOSE]
    by_street: dict[Street, list[ValuedDecision]] = defaultdict(list)
    for one in graded:
        by_street[one.decision.street].append(one)
    mistakes = [
        ExamMistake(number, shown, one)
        for number, (shown, one) in enumerate(zip(positions, valued, strict=True), 1)
        if one.lead >= CLOSE and one.loss
    ]
    return ScoreSheet(
        decisions=len(valued),
        graded=len(graded),
        right=len(graded) - len(mistakes),
        lost=_lost(graded),
        reference=sum(
            expected_loss(shown.position.gaps) for shown in positions if not shown.position.close
        ),
        streets={
            street: StreetScore(len(rows), sum(one.right for one in rows), _lost(rows))
            for street, rows in by_street.items()
        },
        mistakes=tuple(sorted(mistakes, key=lambda one: (-one.valued.loss, one.number))),
        answers=tuple(answer for one in valued if (answer := answer_of(one, "dealt")) is not None),
    )


def _lost(rows: Iterable[ValuedDecision]) -> Fraction:
    return sum((one.loss for one in rows), Fraction(0))
