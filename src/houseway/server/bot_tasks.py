"""Bots at the server's tables: each has its own task and waits a moment before it acts."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Final

from houseway.audit.store import StoreError
from houseway.bots import Style, bot
from houseway.live.bot_driver import BotDriver, RunnerSeat
from houseway.live.runner import TableRunner
from houseway.server.handle_rules import BOT
from houseway.server.solver import Solver

NAMES: Final = ("Ines", "Otto", "Vera", "Jun", "Theo", "Ada", "Luca", "Noor")
THINKS: Final = {"brisk": (0.1, 0.3), "normal": (0.4, 1.2), "unhurried": (0.8, 2.2)}
"""For each pace of a table: the shortest and the longest wait, in seconds, before a bot acts."""


def bot_name(names_in_use: set[str]) -> str:
    """Return a bot's handle that is not one of these names."""
    names = (f"{name}{'' if n == 1 else f' {n}'} {BOT}" for n in range(1, 9) for name in NAMES)
    return next(name for name in names if name not in names_in_use)


class BotTask:
    """A bot at one seat."""

    def __init__(self, runner: TableRunner, seat: int, name: str, style: Style, solver: Solver) -> None:
        self._runner = runner
        self._seat = RunnerSeat(runner, seat, name)
        player = bot(style, f"{runner.stream}/{seat}", lambda: solver.ready)
        self._driver = BotDriver(player, runner.table, self._seat)
        self._slow = style == "best"
        self._rng = Random(f"{runner.stream}/{name}")
        self._task: asyncio.Task[None] | None = None
        runner.after_send.append(self.look)

    def look(self) -> None:
        """Start the task if the table is waiting for this bot."""
        if self._runner.trouble:
            # The runner retries the write and then calls this again.
            return
        waits_for = self._seat.wanted() if self._task is None else ""
        if waits_for and (waits_for == "decision" or self._runner.phase.in_use):
            self._task = asyncio.get_running_loop().create_task(self._think())

    async def _think(self) -> None:
        try:
            least, most = THINKS[self._runner.plan.order.pace]
            await asyncio.sleep(self._rng.uniform(least, most))
            if self._slow and self._seat.wanted() == "decision":
                await self._driver.send(await asyncio.to_thread(self._driver.decide, self._seat.view()))
            else:
                await self._driver.play()
        except StoreError:
            # The runner retries the write.
            return
        finally:
            self._task = None
        await self._runner.go_on()

    def stop(self) -> None:
        """Stop watching the table and cancel the task."""
        if self.look in self._runner.after_send:
            self._runner.after_send.remove(self.look)
        if self._task is not None:
            self._task.cancel()
