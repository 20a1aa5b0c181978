"""A round that was played: its events, the states they led to, and the round as data for the cashier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houseway.audit.resettlement import RoundData
from houseway.engine import events as e
from houseway.engine.settlement import SettlementLine, settlement_line
from houseway.engine.state import State
from houseway.rules.loader import load


@dataclass(slots=True)
class Played:
    """A round as it was played: every event since the one before, with the state after it."""

    number: int
    start: State
    given: Mapping[str, Any]
    events: list[e.Event] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    @property
    def end(self) -> State:
        """The state after the last event."""
        return self.states[-1]

    def data(self) -> dict[str, Any] | None:
        """The round as the cashier's window takes it; None where it is void or was changed half way."""
        return as_data(self)


def lines(state: State) -> list[SettlementLine]:
    """What the round under way has settled, as `houseway settle` writes it."""
    return [settlement_line(settled) for settled in state.round.settled]


def as_data(played: Played) -> dict[str, Any] | None:
    """The round as the cashier's window takes it; None where it is void or a hand left it half way."""
    found = RoundData(load(played.end.rulebook), played.given)
    for event, before in zip(played.events, [played.start, *played.states], strict=False):
        found.take(event, before)
    return found.data(played.end)
