"""Work queues have limits, and one queue does not block another."""

from __future__ import annotations

import asyncio
import gc
import threading

import pytest

from houseway.server.rulebook_library import RefusedError
from houseway.server.work_queue import WAITING, WAITING_EACH, WorkQueue, without_collections


def test_a_queue_is_limited_and_does_not_block_another() -> None:
    release, begun = threading.Event(), threading.Semaphore(0)

    def slow() -> str:
        begun.release()
        assert release.wait(30)
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
            asyncio.create_task(proving.do(sender, slow)) for sender in others for _ in range(WAITING_EACH)
        ]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError):
            await proving.do("z", slow)
        # This queue runs one job at a time, and the other queue still works.
        assert await replaying.do("a", lambda: "seen") == "seen"
        assert begun.acquire(timeout=30)
        assert not begun.acquire(blocking=False)
        release.set()
        assert await asyncio.gather(*waiting) == ["done"] * WAITING
        assert not proving.waiting
        proving.close()
        replaying.close()

    asyncio.run(run())


def test_the_garbage_collector_is_off_until_all_large_work_has_ended() -> None:
    assert gc.isenabled()
    with without_collections():
        with without_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="wrong"), without_collections():
        raise ValueError("wrong")
    assert gc.isenabled()
