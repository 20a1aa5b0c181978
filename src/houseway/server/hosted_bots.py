"""Bots at a table of the house: clients like any other, only without a socket.

A bot is told what its seat is told and answers with a command under a key; what it may do is looked up
as for anybody.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

import msgspec

from houseway.audit.store import StoreError
from houseway.bots import bot
from houseway.client.messages import Answered, Do, Person, Ready, Style
from houseway.engine import commands as c
from houseway.engine.codec import written
from houseway.live.wishes import short_of_chips, wish
from houseway.server.hosted import HostedTable
from houseway.server.people import BOT

NAMES: Final = ("Ines", "Otto", "Vera", "Jun", "Theo", "Ada", "Luca", "Noor")
THINKS: Final = {"brisk": (0.1, 0.3), "normal": (0.4, 1.2), "unhurried": (0.8, 2.2)}
"""Seconds a bot thinks, by pace."""


def bot_name(taken: set[str]) -> str:
    """A handle for a bot that nobody at the table has."""
    names = (f"{name}{'' if n == 1 else f' {n}'} {BOT}" for n in range(1, 9) for name in NAMES)
    return next(name for name in names if name not in taken)


class HostedBot:
    """A bot at one seat."""

    def __init__(
        self, hosted: HostedTable, seat: int, name: str, style: Style, ready: Callable[[], bool]
    ) -> None:
        self._hosted = hosted
        self._seat = seat
        self._me = Person(handle=name)
        self._bot = bot(style, f"{hosted.live.stream}/{seat}", ready)
        self._slow = style == "best"
        self._rng = Random(f"{hosted.live.stream}/{name}")
        self._keys = 0
        self._task: asyncio.Task[None] | None = None
        hosted.after_flush.append(self.look)

    def look(self) -> None:
        """See whether something is wanted of it, and think about it if so."""
        if self._hosted.trouble:
            # The table tries again by itself, and lets everybody look then.
            return
        if self._task is None and self._wanted() and (self._hosted.played or not self._hosted.betting):
            self._task = asyncio.get_running_loop().create_task(self._think())

    def _wanted(self) -> str:
        sight_waits = self._hosted.waits()
        state = self._hosted.live.state
        if self._seat not in state.seats or state.seats[self._seat].player != self._me.handle:
            return ""
        if sight_waits.why == "decision" and sight_waits.seats == (self._seat,):
            return "decision"
        betting = self._hosted.betting and self._seat not in self._hosted.ready
        return "bet" if betting else ""

    async def _think(self) -> None:
        try:
            least, most = THINKS[self._hosted.plan.order.pace]
            await asyncio.sleep(self._rng.uniform(least, most))
            await self._answer(self._wanted())
        except StoreError:
            # The table tries again by itself.
            return
        finally:
            self._task = None
        self._hosted.go_on()

    async def _answer(self, wanted: str) -> None:
        if not wanted:
            return
        if wanted == "bet" and short_of_chips(self._hosted.sight(f"seat {self._seat}")):
            self._anew()
        now, table = self._hosted.sight(f"seat {self._seat}"), self._hosted.table
        if self._slow and wanted == "decision":
            chosen = await asyncio.to_thread(wish, self._bot, table, now, bet=False)
        else:
            chosen = wish(self._bot, table, now, bet=wanted == "bet")
        taken = chosen is None or self._wanted() != wanted or self._send(chosen)
        if wanted == "bet":
            if not taken and chosen is not None:
                # One that bets more than it has makes room for a fresh one.
                self._anew()
                self._send(chosen)
            self._hosted.say_ready(self._me, Ready())

    def _anew(self) -> None:
        """Leave, and sit down again with fresh chips."""
        self._send(c.Leave(seat=self._seat))
        self._send(c.Sit(seat=self._seat))

    def _send(self, command: c.Command) -> bool:
        """Whether a command is taken; where it is not, the table plays for the bot at its deadline."""
        self._keys += 1
        key = f"{self._hosted.seq}.{self._keys}"
        answer = self._hosted.do(self._me, Do(key=key, command=msgspec.Raw(written(command))))
        return isinstance(answer, Answered)

    def stop(self) -> None:
        """Look no more, and leave be what it thinks about."""
        if self.look in self._hosted.after_flush:
            self._hosted.after_flush.remove(self.look)
        if self._task is not None:
            self._task.cancel()
