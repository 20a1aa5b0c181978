"""A position: the cards a player sees, with the exact value of every choice, before the player answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from houseway.cards import Card
from houseway.school.decision_values import CLOSE, ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import (
    FOUR_CARDS,
    STREETS,
    Decision,
    Street,
    keep_names,
    split_names,
)


@dataclass(frozen=True, slots=True)
class Position:
    """A decision without an answer."""

    decision: Decision
    """The cards and the choices. `choice` is empty."""
    values: Mapping[str, Fraction]
    """The value of each choice, in the order of the choices."""
    best: str
    """The choice with the highest value; the first of them if several have it."""

    @property
    def street(self) -> Street:
        """The street of the decision."""
        return self.decision.street

    @property
    def gaps(self) -> tuple[Fraction, ...]:
        """How much each choice other than the best gives up, smallest first."""
        top = self.values[self.best]
        return tuple(sorted(top - value for name, value in self.values.items() if name != self.best))

    @property
    def lead(self) -> Fraction:
        """The difference between the best and the second-best choice; 0 if there is only one choice."""
        return self.gaps[0] if self.gaps else Fraction(0)

    @property
    def close(self) -> bool:
        """True if the best choice leads by less than 0.01 antes. Such a position is never graded."""
        return self.lead < CLOSE

    def answer(self, choice: str) -> ValuedDecision:
        """Return the decision with the player's choice.

        Raises ValueError if the position does not have this choice.
        """
        if choice not in self.values:
            raise ValueError(f"{choice!r} is not a choice here; the choices: {', '.join(self.values)}")
        loss = self.values[self.best] - self.values[choice]
        return ValuedDecision(
            replace(self.decision, choice=choice), self.values, self.best, loss, self.lead
        )


def position(game: GameValues, hole: Sequence[Card], board: Sequence[Card] = ()) -> Position:
    """Return a position with every choice that the rulebook offers.

    Raises ValueError if the cards are not a position of the game.
    """
    decision = Decision(FOUR_CARDS if game.shootout else STREETS[len(board)], (*hole,), (*board,), "", ())
    values = game.choice_values(decision)
    if game.shootout:
        names = [
            name for name in (*keep_names(hole).values(), *split_names(hole).values()) if name in values
        ]
    else:
        names = sorted(values, key=_size)
    listed = {name: values[name] for name in names}
    best = max(listed, key=lambda name: listed[name])
    return Position(replace(decision, choices=tuple(names)), listed, best)


def _size(choice: str) -> int:
    """Return the number of antes that a choice plays: 0 for a check or a fold."""
    return int(choice[:-1]) if choice[:-1].isdigit() else 0
