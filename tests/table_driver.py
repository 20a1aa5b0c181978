"""The test kit's driver with more to do and to look at: single steps, irregularities, events, the script."""

from __future__ import annotations

from typing import Any, Self, TypeVar

from houseway.cards import cards, written
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.machine import Act, next_act
from houseway.engine.progressive import MICRO
from houseway.engine.script import Line, script
from houseway.engine.views import View, view
from houseway.money import dollars
from houseway.testing import Driver as PublicDriver
from houseway.testing.table import with_cards

Event = TypeVar("Event", bound=e.Event)


class Driver(PublicDriver):
    """A table with its shoe, its record and the dealer's script."""

    def __init__(self, rulebook: str, **given: Any) -> None:
        super().__init__(rulebook, **given)
        self.script: list[Line] = []

    def _follow(self, event: e.Event) -> None:
        super()._follow(event)
        self.script += script(self.table, self.state, event)

    # --- the dealer ---

    def ready(self) -> Self:
        """The dealer's acts until wagers are taken."""
        return self._ready()

    @property
    def act(self) -> Act | None:
        """The dealer's next act."""
        return next_act(self.table, self.state)

    def until(self, step: str) -> Self:
        """The dealer's acts until a step is due; players who are asked check, then fold."""
        return self._act_until(lambda: self.next == step, step)

    def pass_turn(self) -> None:
        """The player who is asked checks, or folds, or keeps the first two cards."""
        self._pass_turn()

    def perform(self, step: str, **given: Any) -> tuple[e.Event, ...]:
        """Perform a step that must be accepted; cards come off the shoe unless some are given."""
        return self.send(self.performing(step, **given))

    def performing(self, step: str, **given: Any) -> c.Perform:
        """The command that performs a step, as the machine would fill it in; without cards off the shoe
        where another step is due."""
        act = self.act
        if act is not None and act.step == step:
            return with_cards(act.command(() if "cards" in given else self.shoe.take(act.cards)), given)
        return with_cards(c.Perform(step=step), given)

    # --- wagers and irregularities ---

    def betting(self, seat: int, **wagers: Any) -> c.Bet:
        """The command that puts wagers down, the seat taken and the round opened first."""
        return self._bet(seat, **wagers)

    def report(self, kind: str, **given: Any) -> Self:
        """Report an irregularity; cards as text."""
        self.send(self.reporting(kind, **given))
        return self

    def reporting(self, kind: str, **given: Any) -> c.Report:
        """The command that reports an irregularity."""
        named = cards(given.pop("cards", ""))
        return c.Report(kind=kind, cards=named, **given)

    # --- looking ---

    def seen(self, kind: type[Event]) -> list[Event]:
        """Every event of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def last(self, kind: type[Event]) -> Event:
        """The last event of a kind."""
        found = self.seen(kind)
        assert found, f"no {kind.__name__} happened"
        return found[-1]

    @property
    def dealer(self) -> str:
        """The dealer's cards."""
        return written(self.state.round.dealer)

    def chips_of(self, seat: int) -> str:
        """What a seat has in front of it, in dollars."""
        return dollars(self.state.seats[seat].chips)

    def wagers(self, seat: int, hand: int = 1) -> dict[str, str]:
        """What lies on the layout at a seat, in dollars."""
        return {n: dollars(a) for n, a in self.state.seats[seat].hands[hand - 1].wagers.items()}

    def settled(self, wager: str, seat: int = 1, hand: int = 1) -> e.WagerSettled:
        """How a wager was settled."""
        found = [
            s
            for s in self.state.round.settled
            if (s.wager, s.seat, s.hand) == (wager, seat, hand) and not s.for_dealer and not s.coupon
        ]
        assert len(found) == 1, f"{len(found)} settlements of {wager} at seat {seat}"
        return found[0]

    def meter(self, name: str = "main") -> str:
        """What a meter shows, in dollars."""
        return dollars(self.state.meters[name] // MICRO)

    def says(self) -> list[str]:
        """The dealer's script so far."""
        return [line.says for line in self.script]

    def view(self, who: str) -> View:
        """What somebody sees."""
        return view(self.table, self.state, who)


def table(rulebook: str, *, open: bool = True, **given: Any) -> Driver:  # noqa: A002
    """A table of a rulebook, open and ready for wagers; the same as the test kit's."""
    driver = Driver(rulebook, **given)
    return driver.open().ready() if open else driver
