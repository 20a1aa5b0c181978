"""Work that takes the house a while: who waits for it, and who does not."""

from __future__ import annotations

import asyncio
import threading

import pytest

from houseway.server.rulebook_library import RefusedError
from houseway.server.work_queue import WAITING, WAITING_EACH, WorkQueue


def test_a_line_is_as_long_as_it_says_and_holds_no_other_up() -> None:
    go_on, begun = threading.Event(), threading.Semaphore(0)

    def slow() -> str:
        begun.release()
        assert go_on.wait(30)
        return "done"

    async def run() -> None:
        proving, replaying = WorkQueue("proving"), WorkQueue("replaying", 2)
        waiting = [asyncio.create_task(proving.do("a", slow)) for _ in range(WAITING_EACH)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError) as refused:
            await proving.do("a", slow)
        assert (refused.value.status, refused.value.refused[0].code) == (429, "too-fast")
        others = "bcdefgh"[: WAITING // WAITING_EACH - 1]
        waiting += [
            asyncio.create_task(proving.do(who, slow)) for who in others for _ in range(WAITING_EACH)
        ]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError):
            await proving.do("z", slow)
        # One piece of work at a time, and what another line does goes on.
        assert await replaying.do("a", lambda: "seen") == "seen"
        assert begun.acquire(timeout=30)
        assert not begun.acquire(blocking=False)
        go_on.set()
        assert await asyncio.gather(*waiting) == ["done"] * WAITING
        assert not proving.waiting
        proving.close()
        replaying.close()

    asyncio.run(run())
