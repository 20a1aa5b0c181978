"""Sends what happens at a table to its viewers: each role its own view, moments once for all."""

from __future__ import annotations

from collections.abc import Mapping

from houseway.client.messages import Entered, Sight, Sitter, Waits
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.engine.views import layout_of
from houseway.live import LiveTable, audience
from houseway.live.delivery import Watcher
from houseway.live.recent import recent
from houseway.server.audience import Audience, Common
from houseway.server.seen import SeenTable
from houseway.server.sights import encoder, moment, sight


class TableDelivery:
    """The viewers of one table and the views they get."""

    def __init__(self, live: LiveTable, left_out: tuple[str, ...]) -> None:
        self._live = live
        self._left_out = left_out
        self._audience = Audience()
        """Viewers who read message version 1."""
        self._updates = audience.Audience(live, left_out)
        self._seen = SeenTable(live.table)
        self.view = self._updates.view

    @property
    def watchers(self) -> set[Watcher]:
        """All viewers."""
        return self._audience.watchers | self._updates.watchers

    def has(self, role: str) -> bool:
        """True if a viewer has this role."""
        return self._audience.has(role) or self._updates.has(role)

    def lose(self, watcher: Watcher) -> None:
        """Forget a viewer who is gone."""
        self._audience.lose(watcher)
        self._updates.lose(watcher)

    def restart(self) -> None:
        """Read the round from the record again; every viewer gets a whole view next."""
        self._seen = SeenTable(self._live.table)
        self._audience.anew()
        self._updates.restart()
        self.place()
        for _, event in recent(self._live, 1):
            self._seen.follow(event)

    def record(self, seq: int, event: e.Event, after: State) -> None:
        """Take in an event that is on record now."""
        self._seen.follow(event)
        self._updates.record(seq, event, after)
        self._audience.happened(seq, encoder.encode(moment(self._live.table, seq, event, after)))

    def place(self) -> None:
        """Give every viewer the role that fits who sits where now."""
        self._audience.place({n: seat.player for n, seat in self._live.state.seats.items()})
        self._updates.place()

    def welcome(
        self, watcher: Watcher, since: int | None, waits: Waits, people: Mapping[int, Sitter]
    ) -> None:
        """Send the table to a viewer who enters, with what happened after event `since`."""
        if watcher.version == 2:
            self._updates.welcome(watcher, since, waits, people)
            return
        sight = self.sight(watcher.role, waits, people)
        self._audience.welcome(
            watcher, Entered(seq=self._live.head.events, role=watcher.role, sight=sight), since
        )

    def send(self, waits: Waits, people: Mapping[int, Sitter]) -> None:
        """Send every viewer what is new."""
        self._updates.send(waits, people)
        common = self._common(waits, people)
        seq, state = self._live.head.events, self._live.state
        self._audience.tell(seq, common, lambda role, common: self._view(role, common).yours, state)

    def sight(self, role: str, waits: Waits, people: Mapping[int, Sitter]) -> Sight:
        """The table as a role sees it now, in message version 1."""
        return self._view(role, self._common(waits, people))

    def _common(self, waits: Waits, people: Mapping[int, Sitter]) -> Common:
        """The parts of a view that are the same for everyone."""
        layout = layout_of(self._live.table, self._live.state)
        return Common(layout, waits, dict(people), self._seen.round())

    def _view(self, role: str, common: Common) -> Sight:
        return sight(
            self._live.table,
            self._live.state,
            role,
            waits=common.waits,
            people=common.people,
            seen=common.seen,
            left_out=self._left_out,
            salt=self._live.house.entropy.live,
            layout=common.layout,
        )
