"""What a screen asks of a game: one on this machine, or one at a table of a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from houseway.engine import commands as c
from houseway.engine.legal import Option, Spot
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.engine.views import Layout, SeatSeen, SeatView
from houseway.live.seen import Seen
from houseway.play.telling import Said, Words

Why = Literal["bet", "decide", "act", "cards", "over", "left"]
Told = list[Said] | Refusal
"""What came of a wish: what was told, or why it is not granted."""


class Awaited(NamedTuple):
    """What the person is awaited for: wagers, a decision, a dealer's act, cards to type, the next round."""

    why: Why
    seat: int = 0
    cards: int = 0
    place: str = ""


class Playing(Protocol):
    """A game as a screen draws it and a person plays it."""

    table: Table
    seats: tuple[int, ...]
    """The seats the person acts for: the own one, none in the dealer's chair, all at a real table."""
    you: int
    seat: int
    """The seat the person acts for now."""
    chair: bool
    """Whether the person performs the dealer's acts."""
    shared: bool
    """Whether other people play too, so that things happen while the person is awaited."""
    seen: Seen
    last_bet: dict[str, int]

    @property
    def history(self) -> Sequence[Seen]:
        """The rounds played."""
        ...

    @property
    def layout(self) -> Layout:
        """What lies on the table for everyone."""
        ...

    @property
    def own(self) -> SeatView | None:
        """What the person's seat sees; None where the person does not sit."""
        ...

    @property
    def unoffered(self) -> Sequence[str]:
        """Wagers of the rulebook that this table does not offer."""
        ...

    @property
    def awaited(self) -> Awaited | None:
        """What the person is awaited for; None while the table goes on by itself."""
        ...

    @property
    def waiting(self) -> str:
        """What is waited for where the person is not."""
        ...

    @property
    def clock(self) -> int | None:
        """Seconds until the table goes on without the person; None for as long as it takes."""
        ...

    @property
    def farewell(self) -> str:
        """What becomes of the game when the person quits now."""
        ...

    def options(self) -> list[Option]:
        """What the person may do now."""
        ...

    def spots(self) -> list[Spot]:
        """Where the person's seat may wager now."""
        ...

    def script(self) -> Sequence[Words]:
        """What the dealer has to say and do now, in the dealer's chair."""
        ...

    def step(self) -> list[Said]:
        """One thing that happens by itself."""
        ...

    def listen(self, seconds: float = 0) -> list[Said]:
        """What others did while the person is awaited."""
        ...

    def go_on(self) -> list[Said]:
        """Leave the round that is over behind."""
        ...

    def prompted(self) -> None:
        """The person sees what is awaited now. What is asked for from here on answers that, and counts once
        however often it is asked, until the person sees what came of it."""
        ...

    def ask(self, command: c.Command, part: str = "") -> Told:
        """Send what the person asks for; `part` tells apart what answers one prompt together."""
        ...

    def deal(self) -> Told:
        """No more bets: let the dealer begin, once somebody has wagered."""
        ...

    def type_cards(self, text: str) -> list[Said] | str:
        """Give the cards that were dealt at a real table, or hear what is wrong with them."""
        ...

    def fresh_chips(self) -> Told:
        """Leave and sit down again with fresh play chips."""
        ...

    def leave(self) -> Told:
        """Leave the table for good, between rounds."""
        ...

    def bet(self, wagers: Mapping[str, int]) -> Told:
        """Put wagers on the layout in place of those that lie there; with none take all back."""
        kept = {name: stake for name, stake in wagers.items() if stake}
        if kept:
            return self.ask(c.Bet(seat=self.seat, wagers=kept), f"/wagers {self.seat}")
        return self.ask(c.TakeBack(seat=self.seat), f"/wagers {self.seat}")

    def add_salt(self, salt: str) -> Told:
        """Put a salt of the person's own choosing into the cut, in place of the one that is there."""
        return self.ask(c.AddSalt(by=f"seat {self.seat}", seat=self.seat, salt=salt), "/salt")


class Begun(Protocol):
    """A game with what a person should know of it first."""

    @property
    def game(self) -> Playing:
        """The game."""

    @property
    def resumed(self) -> bool:
        """Whether it goes on where it stood."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is in force that nobody chose."""

    @property
    def where(self) -> str:
        """Where it is played, in a sentence; empty for this machine."""


def place_at(layout: Layout, seat: int) -> SeatSeen | None:
    """A seat as it lies; None where nobody sits."""
    return next((lies for lies in layout.seats if lies.seat == seat), None)


def who_decides(layout: Layout) -> str:
    """Whom the dealer waits for, in words."""
    asked = place_at(layout, layout.turn)
    return f"{asked.player} decides" if asked is not None else "The dealer is at work"
