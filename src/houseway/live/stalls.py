"""Stalled tables: an automatic act was refused, or the record cannot be written, and nothing happens."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from typing import Final

from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.persons import HOUSE, THE_HOUSE
from houseway.engine.refusals import Refusal
from houseway.engine.rulings import HOUSE_EFFECTS
from houseway.engine.turn_order import due
from houseway.live.clock import STALLED, Clock
from houseway.live.live_table import LiveTable

REFUSED: Final = "refused"
RECORD: Final = "record"
RECORD_UNAVAILABLE: Final = (
    "the record of this table cannot be read or written at the moment; nothing is lost, try again"
)


@dataclass
class Stall:
    """The stall of one table, from its first sign until the table moves on."""

    _live: LiveTable
    _clock: Clock | None
    _why: str = ""
    _shown: str = ""
    _acted: int = 0
    """The last event of the table when it stalled."""
    _since: float = 0.0
    _occurrence: tuple[str | int, ...] = ()
    """The reason, round, step and detail of the stall that was logged last."""

    def note(self, why: str, detail: str) -> None:
        """Note that the table is stalled, and log each occurrence once; `why` is "refused" or "record".

        It is the same occurrence as long as the same step of the round fails for the same reason.
        """
        state, now = self._live.state, due(self._live.table, self._live.state)
        step = now.step.name if now is not None else ""
        occurrence = (why, state.round.number, step, detail)
        self._why, self._acted = why, self._live.acted
        self._shown = RECORD_UNAVAILABLE if why == RECORD else detail
        # A game in the terminal ends with the error.
        if occurrence == self._occurrence or self._clock is None:
            return
        self._occurrence, self._since = occurrence, self._clock.now()
        line = {
            "event": "table stalled",
            "table": self._live.stream,
            "seq": self._live.head.events,
            "round": state.round.number,
            "step": step,
            "why": why,
            "detail": detail,
        }
        logging.getLogger("houseway.live").warning(json.dumps(line))

    def written(self) -> None:
        """Note that the record can be written again."""
        if self._why == RECORD:
            self._why, self._occurrence = "", ()

    @property
    def reason(self) -> str:
        """The reason in a sentence for the viewers; empty if the table is not stalled."""
        moved_on = self._why == REFUSED and self._live.acted != self._acted
        return "" if not self._why or moved_on else self._shown

    @property
    def overdue(self) -> bool:
        """True if an act was refused and the house must resolve the stall now."""
        if self._clock is None or self._why != REFUSED or not self.reason:
            return False
        return self._clock.now() - self._since >= STALLED

    def ruling(self, reason: str) -> c.MakeRuling | None:
        """Return the house's ruling that voids the round; None if there is no round to void.

        It returns every wager of the round, or the unsettled ones if a player could not pay back the rest.
        """
        for effect in reversed(HOUSE_EFFECTS):
            ruling = c.MakeRuling(by=HOUSE, name=THE_HOUSE, reason=reason, effect=effect)
            if not isinstance(decide(self._live.table, self._live.state, ruling), Refusal):
                return ruling
        return None
