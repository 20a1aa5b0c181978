"""Bots that come to a house over the network: a seat, a style and a socket, as any client has."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from houseway.bots import bot
from houseway.client import House
from houseway.client.messages import SeenRound, Style
from houseway.engine import commands as c
from houseway.engine.codec import written
from houseway.live.wishes import short_of_chips, table_of, wish


class Guest:
    """A bot at one seat of a house's table. It sees what its seat is told and nothing else."""

    def __init__(self, house: House, table: str, style: Style = "practical", seat: int = 0) -> None:
        self._table = table_of(house.sheet(table))
        self._at = house.sit(table, seat)
        self.seat = self._at.sight.yours.seat
        self._bot = bot(style, f"{table}/{self.seat}")

    def play(self, rounds: int) -> Iterator[SeenRound]:
        """Play so many rounds, each given when it is over; fewer where the table closes."""
        while rounds > 0:
            waits = self._at.sight.waits
            if waits.why == "closed":
                return
            if self.seat not in waits.seats:
                self._at.next(None)
            elif waits.why == "next":
                yield self._at.sight.seen
                rounds -= 1
                self._say_ready()
            else:
                self._answer(bet=waits.why == "bets")

    def _answer(self, *, bet: bool) -> None:
        if bet and short_of_chips(self._at.sight):
            self._send(c.Leave(seat=self.seat))
            self._send(c.Sit(seat=self.seat))
        wanted = wish(self._bot, self._table, self._at.sight, bet=bet)
        if wanted is not None:
            self._send(wanted)
        if bet:
            # A bot that cannot bet sits the round out.
            self._say_ready()

    def _send(self, command: c.Command) -> None:
        """What is refused is left: at its deadline the table plays for a bot as for anybody."""
        self._at.answer(msgspec.Raw(written(command)))

    def _say_ready(self) -> None:
        self._at.ready()
        self._at.ping()

    def close(self) -> None:
        """Go; the seat stays."""
        self._at.close()
