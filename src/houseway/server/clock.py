"""The clock of the server's event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from houseway.live.clock import Timer


class LoopClock:
    """The clock of the running event loop."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def later(self, seconds: float, then: Callable[[], None]) -> Timer:
        return asyncio.get_running_loop().call_later(seconds, then)
