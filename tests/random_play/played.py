"""A finished round: its events, the states they led to, and the round as data for `houseway settle`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houseway.audit.engine_resettlement import RoundData
from houseway.engine import events as e
from houseway.engine.settlement import SettlementLine, settlement_line
from houseway.engine.state import State
from houseway.rules.loader import load


@dataclass(slots=True)
class Played:
    """A finished round: every event since the previous round, with the state after it."""

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
        """The round as data for `houseway settle`; None if the round or one of its hands is void."""
        return as_data(self)


def lines(state: State) -> list[SettlementLine]:
    """The settlement lines of the current round, as `houseway settle` writes them."""
    return [settlement_line(settled) for settled in state.round.settled]


def as_data(played: Played) -> dict[str, Any] | None:
    """The round as data for `houseway settle`; None if the round or one of its hands is void."""
    data = RoundData(load(played.end.rulebook), played.given)
    for event, before in zip(played.events, [played.start, *played.states], strict=False):
        data.take(event, before)
    return data.data(played.end)
