"""Detect stalled tables: an automatic act was refused, or a dealer has no possible act."""

from __future__ import annotations

from dataclasses import dataclass

from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.persons import HOUSE, THE_HOUSE
from houseway.engine.refusals import Refusal
from houseway.engine.rulings import HOUSE_EFFECTS
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import due
from houseway.live.clock import Clock
from houseway.live.recorded_table import RecordedTable


@dataclass
class Stall:
    """The stall of one table, from the moment it is noticed until the table continues."""

    _now: RecordedTable
    _clock: Clock | None
    _patience: float
    """Seconds until the house must resolve the stall."""
    _reason: str = ""
    _acted: int = 0
    """The last event of the table when it stalled."""
    _since: float = 0.0
    _occurrence: tuple[str | int, ...] = ()
    """The round, step and reason of the last stall."""

    def note(self, reason: str) -> None:
        """Note that the table is stalled.

        It is the same stall as long as the same step of the round fails for the same reason.
        """
        state, now = self._now.state, due(self._now.table, self._now.state)
        occurrence = (state.round.number, now.step.name if now is not None else "", reason)
        self._reason, self._acted = reason, self._now.acted
        if occurrence != self._occurrence and self._clock is not None:
            self._occurrence, self._since = occurrence, self._clock.now()

    @property
    def reason(self) -> str:
        """The reason in a sentence for the viewers; empty if the table is not stalled."""
        return self._reason if self._now.acted == self._acted else ""

    @property
    def void_reason(self) -> str:
        """The reason for the house's ruling that voids the round of the stalled table."""
        return f"{self.reason}; no floor person resolved it within {self._patience:g} seconds"

    @property
    def overdue(self) -> bool:
        """True if the house must resolve the stall now."""
        if self._clock is None or not self.reason:
            return False
        return self._clock.now() - self._since >= self._patience


def void_ruling(table: Table, state: State, reason: str) -> c.MakeRuling | None:
    """Return the house's ruling that voids the round; None if there is no round to void.

    The ruling returns every wager of the round or, if a player could not pay back a settled wager, only the
    unsettled wagers.
    """
    for effect in reversed(HOUSE_EFFECTS):
        ruling = c.MakeRuling(by=HOUSE, name=THE_HOUSE, reason=reason, effect=effect)
        if not isinstance(decide(table, state, ruling), Refusal):
            return ruling
    return None
