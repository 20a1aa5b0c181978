"""Drives a bot at a seat: reads the seat's view, has the bot choose, and sends what it wants.

The same driver plays at the server's tables, at the terminal's own table and over a socket; a seat is how
it reaches the table.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from houseway.bots import Bot, decisions
from houseway.client.messages import Sight, TableSheet
from houseway.engine import commands as c
from houseway.engine.codec import read_command
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.engine.views import SeatView
from houseway.rules.loading import RulebookError, load

Wanted = Literal["bet", "decision", ""]
"""What a table wants from a bot now; empty for nothing."""


class OtherRulesError(ValueError):
    """The server deals by other rules than this program has; the sentence says which."""


def table_of(sheet: TableSheet) -> Table:
    """The rules of a server's table, read from the rulebook here; OtherRulesError if it differs."""
    sentence = f"the house deals {sheet.card.rulebook} by another text than this program has"
    try:
        terms, wrong = read_terms(load(sheet.card.rulebook), sheet.given)
    except RulebookError as error:
        raise OtherRulesError(f"{sentence}: {error}") from error
    if wrong or terms.hash != sheet.hash:
        raise OtherRulesError(f"{sentence}; install the version the house has")
    return Table(terms)


def seat_view(sight: Sight) -> SeatView:
    """A sight as a bot reads it."""
    yours = sight.yours
    says = tuple(choice.says for choice in yours.choices)
    return SeatView(sight.layout, yours.seat, yours.cards, says, yours.spots)


def offered(sight: Sight) -> list[Option]:
    """Everything a sight offers, ready to be sent."""
    return [
        Option(read_command(msgspec.json.encode(choice.command)), choice.says, choice.costs, choice.clause)
        for choice in sight.yours.choices
    ]


def short_of_chips(sight: Sight) -> bool:
    """True if a seat cannot pay for the smallest wager that gets it dealt in."""
    least = min((spot.least for spot in sight.yours.spots if not spot.beside), default=0)
    return sight.yours.chips < least


class BotSeat(Protocol):
    """How a bot reaches its seat."""

    number: int

    def wanted(self) -> Wanted:
        """What the table wants from the bot now."""

    def sight(self) -> Sight:
        """The seat's view."""

    def send(self, command: c.Command) -> bool:
        """Send a command; True if it is done."""

    def ready(self) -> None:
        """Say that the bot has wagered all it wants."""


class BotDriver:
    """Bets and decides for one bot. If the table refuses, it acts for the seat at the deadline."""

    def __init__(self, bot: Bot, table: Table, seat: BotSeat) -> None:
        self._bot = bot
        self._table = table
        self._seat = seat

    def play(self) -> None:
        """Do what the table wants now, if it wants anything."""
        wanted = self._seat.wanted()
        if wanted == "bet":
            self._bet()
        elif wanted == "decision":
            self.send(self.decide(self._seat.sight()))

    def decide(self, sight: Sight) -> c.Command | None:
        """The bot's answer to the dealer; None if it has no choice. Safe in a thread of its own."""
        options = decisions(offered(sight))
        return self._bot.choose(self._table, seat_view(sight), options).command if options else None

    def send(self, decision: c.Command | None) -> None:
        """Send a decision, unless the table has gone on meanwhile."""
        if decision is not None and self._seat.wanted() == "decision":
            self._seat.send(decision)

    def _bet(self) -> None:
        """Bet once a round; a bot that cannot afford it takes fresh chips first."""
        if short_of_chips(self._seat.sight()):
            self._take_fresh_chips()
        wagers = self._bot.bet(self._table, seat_view(self._seat.sight()))
        bet = c.Bet(seat=self._seat.number, wagers=wagers)
        if wagers and not self._seat.send(bet):
            # The bot bet more than it has.
            self._take_fresh_chips()
            self._seat.send(bet)
        # A bot that cannot bet sits the round out.
        self._seat.ready()

    def _take_fresh_chips(self) -> None:
        """Leave, and sit down again with fresh chips."""
        self._seat.send(c.Leave(seat=self._seat.number))
        self._seat.send(c.Sit(seat=self._seat.number))
