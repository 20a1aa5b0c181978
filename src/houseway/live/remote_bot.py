"""Bots that play at a server's table over the network, as any client does."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex

import msgspec

from houseway.bots import Style, bot
from houseway.client import AtTable, House
from houseway.client.messages import Answered, View
from houseway.client.player_salts import PlayerSalts
from houseway.engine import commands as c
from houseway.engine.codec import encode_command
from houseway.engine.table_view import TableView
from houseway.live.bot_driver import BotDriver, Wanted, table_of
from houseway.live.offload import run_now
from houseway.shoe.salts import SALT_BYTES


class SocketSeat:
    """A bot's seat at a server's table."""

    def __init__(self, at: AtTable) -> None:
        self.number = at.view.yours.seat
        self._at = at

    def wanted(self) -> Wanted:
        """Return the act that the table expects from the bot."""
        waits = self._at.view.waits
        wants: dict[str, Wanted] = {"bets": "bet", "decision": "decision"}
        return wants.get(waits.why, "") if self.number in waits.seats else ""

    def view(self) -> View:
        """Return the seat's view."""
        return self._at.view

    async def send(self, command: c.Command) -> bool:
        """Send a command; return True if it was accepted."""
        return isinstance(self._at.send(msgspec.Raw(encode_command(command))), Answered)

    async def ready(self) -> None:
        """Say that the bot is ready to continue."""
        self._at.ready(seat=self.number)
        self._at.ping()


class RemoteBot:
    """A bot at one seat of a server's table. It sees only its own seat's view."""

    def __init__(self, house: House, table: str, style: Style = "practical", seat: int = 0) -> None:
        rules = table_of(house.sheet(table))
        self._at = house.sit(table, seat)
        self._seat = SocketSeat(self._at)
        self.seat = self._seat.number
        self.driver = BotDriver(bot(style, f"{table}/{self.seat}"), rules, self._seat)
        self._salts = PlayerSalts(lambda: token_hex(SALT_BYTES), commits=True)
        self._round = 0
        """The round to which the salts belong."""

    def play(self, rounds: int) -> Iterator[TableView]:
        """Play this many rounds and yield each when it is over; fewer if the table closes."""
        while rounds > 0:
            waits = self._at.view.waits
            if waits.why == "closed":
                return
            if self._cut():
                continue
            if self.seat not in waits.seats:
                self._at.next(None)
            elif waits.why == "next":
                yield self._at.view.table
                rounds -= 1
                run_now(self._seat.ready())
            else:
                run_now(self.driver.play())

    def _cut(self) -> bool:
        """Do the bot's part in the players' cut; return False if nothing is due.

        The bot commits to a salt while betting is open, and opens it once betting is closed.
        """
        view = self._at.view
        if view.table.round != self._round:
            self._round = view.table.round
            self._salts.open_round()
        command = self._salts.due(view)
        if command is None:
            return False
        accepted = run_now(self._seat.send(command))
        self._salts.answered(command, refused=not accepted)
        return accepted

    def close(self) -> None:
        """Close the socket; the bot keeps its seat."""
        self._at.close()
