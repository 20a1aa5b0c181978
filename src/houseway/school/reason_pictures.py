"""The picture of a reason as data: the cards that beat the player, the dealer's hands, or a line of hands.

A picture uses only cards that the player can see, as the reason does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from houseway.cards import Card
from houseway.ranking import read
from houseway.school.choice_reasons import Reason, family_of, hand_name
from houseway.school.decision_values import ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import BEFORE, CHECK, FOUR_CARDS, Decision
from houseway.school.position_facts import cards_against
from houseway.school.reason_words import start_words

PictureForm = Literal["cards", "hands", "line"]


@dataclass(frozen=True, slots=True)
class LineHand:
    """A starting hand of the player's family."""

    hand: str
    """The name, such as "K5o"."""
    plays: bool
    """True if the hand plays."""


@dataclass(frozen=True, slots=True)
class ReasonPicture:
    """One picture of a reason."""

    form: PictureForm
    against: tuple[Card, ...] = ()
    """For "cards": the unseen cards that beat the player."""
    ahead: int = 0
    ties: int = 0
    behind: int = 0
    """For "hands": the dealer's hands that the player beats, ties with and loses to."""
    line: tuple[LineHand, ...] = ()
    """For "line": the hands of the family, highest first."""


def reason_picture(game: GameValues, valued: ValuedDecision, reason: Reason) -> ReasonPicture | None:
    """Return the picture of a reason; None if there is nothing to draw but the values."""
    decision, figures = valued.decision, reason.figures
    match reason.kind:
        case "cards against":
            return ReasonPicture("cards", against=cards_against(game.terms, decision.hole, decision.board))
        case "dealer hands":
            return ReasonPicture("hands", (), figures["wins"], figures["ties"], figures["loses"])
        case "flop":
            return ReasonPicture("hands", (), figures["ahead"], figures["ties"], figures["behind"])
        case "starting hand":
            family = family_of(game, hand_name(decision.hole))
            return ReasonPicture(
                "line", line=tuple(LineHand(one.hand, one.best != CHECK) for one in family)
            )
    return None


def held_words(game: GameValues, decision: Decision) -> str:
    """Return the player's hand in words: "jack high", "pair of sevens"; empty for four cards."""
    if decision.street == FOUR_CARDS:
        return ""
    if decision.street == BEFORE:
        return start_words(hand_name(decision.hole))
    return read((*decision.hole, *decision.board), game.terms.order).words
