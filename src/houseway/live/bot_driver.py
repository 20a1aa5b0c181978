"""Drives a bot at a seat: reads the seat's view, asks the bot for a choice, and sends the command.

The same driver plays at the server's tables, at the terminal's own table and over a socket. Each of them
implements `BotSeat`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

import msgspec

from houseway.bots.players import Bot, decisions
from houseway.client.messages import Answered, Choice, Do, Person, Ready, TableSheet, View
from houseway.engine import commands as c
from houseway.engine.codec import encode_command, read_command
from houseway.engine.legal import Option
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.errors import InputError
from houseway.live.runner import TableRunner
from houseway.rules.loader import RulebookError, load

Wanted = Literal["bet", "decision", ""]
"""The act that the table expects from a bot; empty if none."""


class OtherRulesError(InputError, ValueError):
    """The server's rulebook differs from the one installed here."""


def table_of(sheet: TableSheet) -> Table:
    """Return the rules of a server's table from the local rulebook; raise OtherRulesError if it differs."""
    sentence = f"the server's rulebook {sheet.card.rulebook} differs from the one installed here"
    try:
        terms, wrong = read_terms(load(sheet.card.rulebook), sheet.given)
    except RulebookError as error:
        raise OtherRulesError(f"{sentence}: {error}") from error
    if wrong or terms.hash != sheet.hash:
        raise OtherRulesError(f"{sentence}; install the same version of houseway as the server")
    return Table(terms)


def offered(choices: Iterable[Choice]) -> list[Option]:
    """Return a viewer's choices as options with their commands."""
    return [
        Option(
            read_command(msgspec.json.encode(choice.command)),
            choice.says,
            choice.costs,
            choice.clause,
            amount=choice.amount,
        )
        for choice in choices
    ]


def short_of_chips(view: View) -> bool:
    """True if a seat cannot pay for the smallest wager that it needs to be dealt in."""
    least = min((spot.least for spot in view.yours.spots if not spot.beside), default=0)
    return view.yours.chips < least


class BotSeat(Protocol):
    """A bot's connection to its seat."""

    number: int

    def wanted(self) -> Wanted:
        """Return the act that the table expects from the bot."""

    def view(self) -> View:
        """Return the seat's view."""

    async def send(self, command: c.Command) -> bool:
        """Send a command; return True if it was accepted."""

    async def ready(self) -> None:
        """Say that the bot has finished betting."""


@dataclass
class BotDriver:
    """Bets and decides for one bot.

    If the table refuses its command, the seat gets the default decision when its time runs out.
    """

    _bot: Bot
    _table: Table
    _seat: BotSeat

    async def play(self) -> bool:
        """Bet or decide if the table waits for the bot; otherwise return False."""
        wanted = self._seat.wanted()
        if wanted == "bet":
            await self._bet()
        elif wanted == "decision":
            await self.send(self.decide(self._seat.view()))
        return bool(wanted)

    def decide(self, view: View) -> c.Command | None:
        """Return the bot's decision; None if it has no choice. May run in another thread."""
        options = decisions(offered(view.yours.choices))
        return self._bot.choose(self._table, view, options).command if options else None

    async def send(self, decision: c.Command | None) -> None:
        """Send a decision, unless the table has moved on since."""
        if decision is not None and self._seat.wanted() == "decision":
            await self._seat.send(decision)

    async def _bet(self) -> None:
        """Bet once a round; a bot that cannot afford it takes fresh chips first."""
        view = self._seat.view()
        if not view.table.seats[self._seat.number].hands[1].wagers:
            if short_of_chips(view):
                await self._take_fresh_chips()
                view = self._seat.view()
            await self._wager(self._bot.bet(self._table, view))
        # A bot that cannot bet sits the round out. A bot whose wagers are on the layout keeps them.
        await self._seat.ready()

    async def _wager(self, wagers: dict[str, int]) -> None:
        bet = c.Bet(seat=self._seat.number, wagers=wagers)
        if wagers and not await self._seat.send(bet):
            # The bot bet more than it has.
            await self._take_fresh_chips()
            await self._seat.send(bet)

    async def _take_fresh_chips(self) -> None:
        """Leave, and sit down again with fresh chips."""
        await self._seat.send(c.Leave(seat=self._seat.number))
        await self._seat.send(c.Sit(seat=self._seat.number))


class RunnerSeat:
    """A bot's seat at a table in this process. Each command has a key, like a command of any player."""

    def __init__(self, runner: TableRunner, number: int, name: str) -> None:
        self.number = number
        self._runner = runner
        self._person = Person(handle=name)
        self._keys = 0

    def wanted(self) -> Wanted:
        """Return the act that the table expects from the bot."""
        runner = self._runner
        sitting = runner.state.seats.get(self.number)
        if sitting is None or sitting.player != self._person.handle:
            return ""
        if runner.phase.betting:
            return "" if self.number in runner.phase.ready else "bet"
        waits = runner.phase.awaited()
        return "decision" if waits.why == "decision" and self.number in waits.seats else ""

    def view(self) -> View:
        """Return the seat's view."""
        return self._runner.view(f"seat {self.number}")

    async def send(self, command: c.Command) -> bool:
        """Send a command; return True if it was accepted."""
        self._keys += 1
        key = f"{self._runner.seq}.{self._keys}"
        request = Do(key=key, command=msgspec.Raw(encode_command(command)))
        answer = await self._runner.do(self._person, request)
        return isinstance(answer, Answered)

    async def ready(self) -> None:
        """Say that the bot has finished betting."""
        await self._runner.say_ready(self._person, Ready(seat=self.number))
