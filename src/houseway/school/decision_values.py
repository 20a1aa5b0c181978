"""Decisions with the exact value of every choice, the loss of the choice made, and close calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from houseway.school.game_values import GameValues
from houseway.school.player_decisions import Decision

CLOSE: Final = Fraction(1, 100)
"""A choice within this many antes of the best other choice is a close call, which counts as neither right
nor wrong."""


@dataclass(frozen=True, slots=True)
class ValuedDecision:
    """A decision with its exact values, in antes (in Texas Shootout: in primary wagers)."""

    decision: Decision
    values: Mapping[str, Fraction]
    """The value of each legal choice, in the order of the choices. Later decisions are made in the best
    way."""
    best: str
    """The choice with the highest value; the first of them if several have it."""
    loss: Fraction
    """The value given up by the choice made; 0 if it is as good as the best."""
    lead: Fraction
    """The difference between the best and the second-best choice; 0 if only one choice is legal."""

    @property
    def value(self) -> Fraction:
        """The value of the choice made."""
        return self.values[self.decision.choice]

    @property
    def right(self) -> bool:
        """True if no choice was better."""
        return not self.loss

    @property
    def close(self) -> bool:
        """True for a close call: the choice is best by less than 0.01 antes, or loses less than 0.01."""
        return (self.loss or self.lead) < CLOSE if len(self.values) > 1 else False

    @property
    def counted_loss(self) -> Fraction:
        """The loss, or 0 for a close call."""
        return Fraction(0) if self.close else self.loss


def value_decision(game: GameValues, decision: Decision) -> ValuedDecision:
    """Return a decision with its values.

    Raises ValueError if a card is unknown or the choice is not legal.
    """
    if not decision.known:
        raise ValueError("a card of this decision is unknown; record the cards that were turned up")
    if decision.choice not in decision.choices:
        raise ValueError(f"{decision.choice!r} is not a legal choice here: {', '.join(decision.choices)}")
    every = game.choice_values(decision)
    unknown = [name for name in decision.choices if name not in every]
    if unknown:
        raise ValueError(f"the rulebook has no choice {unknown[0]!r} here; its choices: {', '.join(every)}")
    values = {name: every[name] for name in decision.choices}
    ranked = sorted(values.values(), reverse=True)
    best = max(values, key=lambda name: values[name])
    lead = ranked[0] - ranked[1] if len(ranked) > 1 else Fraction(0)
    return ValuedDecision(decision, values, best, ranked[0] - values[decision.choice], lead)


def value_decisions(game: GameValues, decisions: Iterable[Decision]) -> tuple[ValuedDecision, ...]:
    """Return decisions with their values. Equal positions are computed once."""
    known: dict[tuple[object, ...], ValuedDecision] = {}
    valued = []
    for decision in decisions:
        key = (decision.hole, decision.board, decision.choices, decision.choice)
        if key not in known:
            known[key] = value_decision(game, decision)
        one = known[key]
        if one.decision is not decision:
            one = ValuedDecision(decision, one.values, one.best, one.loss, one.lead)
        valued.append(one)
    return tuple(valued)
