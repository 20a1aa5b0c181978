"""Where a table is between two rounds and in one: who is ready, and what the table waits for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.legal import legal
from houseway.engine.order import turn
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.live.presence import Presence
from houseway.live.table import LiveTable
from houseway.live.viewing import taking_wagers

Why = Literal["bets", "decision", "next", "dealer", "floor", "players", "closed"]


class Awaited(NamedTuple):
    """What the table waits for, and which seats it waits for."""

    why: Why
    seats: tuple[int, ...] = ()


class Saved(NamedTuple):
    """A phase as it was at an event, to return to if what follows is not recorded."""

    seq: int
    over: bool
    ready: frozenset[int]


def floors_word(table: Table, state: State) -> c.Command | None:
    """The floor's answer the table waits for: to a challenge, an approval, a new deck."""
    if state.round.challenged:
        return c.AnswerChallenge(by="supervisor")
    if state.round.asked is not None:
        return c.Approve(by="floor")
    if state.off:
        orders = (option.command for option in legal(table, state, "floor"))
        return next((order for order in orders if isinstance(order, c.ReplaceDeck)), None)
    return None


@dataclass
class Phase:
    """What one table waits for."""

    _live: LiveTable
    _presence: Presence
    over: bool = False
    """True once a round is over, until the next one begins."""
    ready: set[int] = field(default_factory=set)
    """Seats that have wagered all they want, or have seen the round that is over."""
    bots_alone: int = 0
    """The round that bots play among themselves."""

    def awaited(self) -> Awaited:
        """What the table waits for now."""
        state = self._live.state
        if state.section == "closed":
            return Awaited("closed")
        if self.over:
            return Awaited("next", self.unready)
        if floors_word(self._live.table, state) is not None:
            return Awaited("floor")
        asked = turn(self._live.table, state)
        if asked is not None:
            return Awaited("decision", (asked[0],))
        if taking_wagers(self._live.table, state):
            unready = self.unready
            if unready:
                return Awaited("bets", unready)
            return Awaited("dealer" if state.dealer == "person" and self.wagered else "players")
        return Awaited("dealer")

    @property
    def unready(self) -> tuple[int, ...]:
        """The seats of connected people whom the table waits for before it goes on."""
        return tuple(n for n in self._presence.persons() if n not in self.ready)

    @property
    def betting(self) -> bool:
        """True while players may wager."""
        return not self.over and taking_wagers(self._live.table, self._live.state)

    @property
    def wagered(self) -> bool:
        """True if there is a wager on the layout."""
        return any(seat.hands[0].wagers for seat in self._live.state.seats.values())

    @property
    def person_ready(self) -> bool:
        """True if a person, connected or not, is ready."""
        return not all(map(self._presence.is_bot, self.ready))

    @property
    def person_waits(self) -> bool:
        """True if a connected person is ready and waits for the others."""
        return any(n in self.ready for n in self._presence.persons())

    @property
    def bots_unready(self) -> bool:
        """True if a bot has not wagered yet."""
        return any(self._presence.is_bot(n) and n not in self.ready for n in self._live.state.seats)

    @property
    def room_for_a_player(self) -> bool:
        """True while bots give a viewer time to sit down."""
        return self.bots_alone != self._live.state.round.number and not self.person_ready

    def set_ready(self, seat: int, *, ready: bool) -> None:
        """Note whether a seat lets the table go on."""
        self.ready = self.ready | {seat} if ready else self.ready - {seat}

    def begin_next(self) -> None:
        """Leave the round that is over behind."""
        self.over = False
        self.ready.clear()

    def decided(self, event: e.Event) -> None:
        """Take in an event before it is on record."""
        match event:
            case e.PlayerLeft():
                self.ready.discard(event.seat)
            case e.RoundClosed():
                self.over = True
                self.ready.clear()
            case e.RoundOpened():
                self.begin_next()

    def save(self) -> Saved:
        """The phase as it is now."""
        return Saved(self._live.head.events, self.over, frozenset(self.ready))

    def restore(self, saved: Saved) -> None:
        """Return to a phase saved earlier."""
        self.over, self.ready = saved.over, set(saved.ready)
