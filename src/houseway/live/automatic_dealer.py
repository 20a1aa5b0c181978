"""The acts that follow by themselves: the dealer's, and the floor's while no floor person is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from houseway.engine import commands as c
from houseway.engine.answers import DEADLINE, is_floor
from houseway.engine.legal import legal
from houseway.engine.machine import next_act
from houseway.engine.order import turn
from houseway.live.audience import Audience
from houseway.live.phase import Awaited, Phase, floors_word
from houseway.live.presence import Presence
from houseway.live.table import LiveTable


class Conduct(NamedTuple):
    """How far a table goes on by itself."""

    paced: bool = False
    """True if it takes one step at a time, when asked to."""
    deals: bool = False
    """True if it also deals when the dealer on record is a person, as at a real table that is followed."""
    floor_steps: bool = True
    """False if the person in the dealer's chair takes the floor's steps as well."""


@dataclass
class AutomaticDealer:
    """Names the next command that waits for nobody."""

    _live: LiveTable
    _phase: Phase
    _presence: Presence
    _audience: Audience
    _conduct: Conduct

    @property
    def played(self) -> bool:
        """True if a person watches the table, or is ready without being connected."""
        return bool(self._audience.watchers) or self._phase.person_ready

    def next_command(self) -> c.Command | None:
        """The command due now; None while a person is awaited."""
        table, state, phase = self._live.table, self._live.state, self._phase
        if state.section == "closed":
            return None
        if phase.over:
            # A player without a connection is not waited for, and is enough to go on.
            if phase.unready or not (self._presence.persons() or phase.person_ready):
                return None
            phase.begin_next()
        word = floors_word(table, state)
        if word is not None:
            return None if self._audience.has("floor") else word
        if turn(table, state) is not None:
            return None
        betting = phase.betting
        if betting and (leave := self._presence.leave_due()) is not None:
            return leave
        if state.dealer == "person" and not self._conduct.deals:
            return self._floors_step() if self._conduct.floor_steps else None
        if betting:
            waits = not phase.wagered or phase.unready or phase.bots_unready or phase.room_for_a_player
            if waits or not self.played:
                return None
            phase.ready.clear()
        return self._dealers_act()

    def instead(self, awaited: Awaited) -> c.Command | None:
        """The command for a player, dealer or floor who let the deadline pass."""
        if awaited.why == "decision":
            return c.ActFor(by=DEADLINE, seat=awaited.seats[0])
        if awaited.why == "floor":
            return floors_word(self._live.table, self._live.state)
        return self._dealers_act()

    def _dealers_act(self) -> c.Command | None:
        if self._conduct.deals:
            options = legal(self._live.table, self._live.state, "dealer")
            return options[0].command if options else None
        act = next_act(self._live.table, self._live.state)
        return None if act is None or self._live.held else act.command()

    def _floors_step(self) -> c.Command | None:
        """A step that belongs to the floor, when a person deals and no one of the floor is there."""
        act = next_act(self._live.table, self._live.state)
        if act is None or not is_floor(act.by) or self._audience.has("floor"):
            return None
        return act.command()
