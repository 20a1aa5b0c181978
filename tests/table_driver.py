"""The test kit's driver with more actions and queries: single steps, events, settlements."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from houseway.cards import cards, codes
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.dealer_act import Act, next_act
from houseway.engine.meters import MICRO
from houseway.engine.refusals import Refusal
from houseway.money import dollars
from houseway.testing import Driver as PublicDriver
from houseway.testing.driver import with_cards

Event = TypeVar("Event", bound=e.Event)


class Driver(PublicDriver):
    """A table whose dealer takes single steps and whose events can be queried."""

    # --- the dealer ---

    def open(self, **given: Any) -> Self:
        """Open the table."""
        return self._open(**given)

    def refuses(self, command: c.Command) -> Refusal:
        """Send a command that must be refused, check that nothing changed, and return the refusal."""
        return self._refused(command)

    def step(self, **given: Any) -> tuple[e.Event, ...]:
        """Perform the dealer's next act with cards off the shoe."""
        return self._step(**given)

    def ready(self) -> Self:
        """Perform the dealer's acts until wagers are taken."""
        return self._ready()

    @property
    def act(self) -> Act | None:
        """The dealer's next act, or None if a player must act first."""
        return next_act(self.table, self.state)

    def until(self, step: str) -> Self:
        """Perform the dealer's acts until a step is due; players whose turn it is check, then fold."""
        return self._act_until(lambda: self.next == step, step)

    def pass_turn(self) -> None:
        """Act for the player whose turn it is: check, or fold, or keep the first two cards."""
        self._pass_turn()

    def perform(self, step: str, **given: Any) -> tuple[e.Event, ...]:
        """Perform a step that must be accepted; cards come off the shoe unless they are given."""
        return self.send(self.performing(step, **given))

    def performing(self, step: str, **given: Any) -> c.Perform:
        """The command that performs a step. If the step is due, it has the cards and values that the automatic
        dealer would send."""
        act = self.act
        if act is not None and act.step == step:
            return with_cards(act.command(() if "cards" in given else self.shoe.take(act.cards)), given)
        return with_cards(c.Perform(step=step), given)

    # --- players and irregularities ---

    def betting(self, seat: int, **wagers: Any) -> c.Bet:
        """The command that places wagers; takes the seat and opens the round first."""
        return self._bet(seat, **wagers)

    def split(self, seat: int, first: str, second: str, bonus: Any = 0) -> Self:
        """Split a seat's four cards."""
        return self.keep(seat, first, second, bonus)

    def reporting(self, kind: str, **given: Any) -> c.Report:
        """The command that reports an irregularity."""
        named = cards(given.pop("cards", ""))
        return c.Report(kind=kind, cards=named, **given)

    # --- queries ---

    def seen(self, kind: type[Event]) -> list[Event]:
        """Every event of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind: type[Event]) -> Event:
        """The last event of a kind."""
        events = self.seen(kind)
        assert events, f"no {kind.__name__} happened"
        return events[-1]

    @property
    def dealer(self) -> str:
        """The dealer's cards."""
        return codes(self.state.round.dealer)

    def settled(self, wager: str, seat: int = 1, hand: int = 1) -> e.WagerSettled:
        """The settlement of a wager."""
        lines = [
            s
            for s in self.state.round.settled
            if (s.wager, s.seat, s.hand) == (wager, seat, hand) and not s.for_dealer and not s.coupon
        ]
        assert len(lines) == 1, f"{len(lines)} settlements of {wager} at seat {seat}"
        return lines[0]

    def meter(self, name: str = "main") -> str:
        """The amount on a meter, in dollars."""
        return dollars(self.state.meters[name] // MICRO)

    def says(self) -> list[str]:
        """The dealer's script so far."""
        return [line.says for line in self.script]


def table(rulebook: str, *, open: bool = True, purpose: str = "live", **given: Any) -> Driver:  # noqa: A002
    """A table of a rulebook, open and ready for wagers, with the driver of this module."""
    driver = Driver(rulebook, **given)
    return driver.open(purpose=purpose).ready() if open else driver
