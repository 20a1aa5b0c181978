"""What a game needs of its table: a transport, in this process or over a socket."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol

from houseway.client.following import Step
from houseway.client.messages import FromHouse, View
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.refusals import Refusal
from houseway.errors import InputError
from houseway.play.seen_round import SeenRound
from houseway.play.telling import Said

Why = Literal["bet", "decide", "act", "cards", "over", "left"]
Told = list[Said] | Refusal
"""What followed from a request: sentences, or why it is refused."""


class PlayError(InputError, ValueError):
    """A game that cannot be opened or continued; the sentence says why."""


class Awaited(NamedTuple):
    """What the person is awaited for: wagers, a decision, a dealer's act, cards to type, the next round."""

    why: Why
    seat: int = 0
    cards: int = 0
    place: str = ""


class CardsWanted(NamedTuple):
    """Cards of a real table that the person types next."""

    number: int
    place: str


class Transport(Protocol):
    """The way to a table: messages in, commands out."""

    shared: bool
    """True if other people play too, so that things happen while the person is awaited."""
    sender: str
    """What tells this person's keys from those of the person's other programs."""

    @property
    def busy(self) -> bool:
        """True while the table goes on by itself, or cannot be reached."""

    @property
    def problem(self) -> str:
        """Why the table cannot be reached; empty if it can."""

    @property
    def cards_wanted(self) -> CardsWanted | None:
        """The cards to type before the table goes on."""

    @property
    def unoffered(self) -> tuple[str, ...]:
        """Wagers of the rulebook that this table does not offer."""

    @property
    def seq(self) -> int:
        """The last event known."""

    @property
    def steps(self) -> list[Step]:
        """The updates of the last message, each with the view after it."""

    def view(self, seat: int) -> View:
        """The table as it was sent last, to the person at one of the person's seats."""

    def receive(self, seconds: float) -> FromHouse | None:
        """The next message, if one comes in time."""

    def do(self, command: c.Command, key: str, *, late: bool) -> None:
        """Send a command under its key; with `late` it counts although others have acted since."""

    def ready(self) -> None:
        """Say that the table may go on, and have it answer with a pong."""

    def type_cards(self, text: str) -> str:
        """Give the cards of a real table; returns what is wrong with them, or nothing."""

    def salt(self) -> str:
        """A random salt for the players' cut."""

    def finish(self) -> Refusal | None:
        """Close a table of the person's own, once the person has left it."""

    def lately(self) -> Iterable[e.Event]:
        """The events of the last two rounds, if they are at hand."""

    def rounds(self, before: int | None) -> list[SeenRound]:
        """Rounds on record with a number below `before`, the oldest first."""

    def farewell(self, number: int, *, left: bool) -> str:
        """What becomes of the game when the person quits in a round, or has left."""

    def lose(self) -> None:
        """Note that the table does not answer."""

    def close(self) -> None:
        """Close the transport; a seat at a server's table stays the person's."""
