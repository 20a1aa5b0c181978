"""Measure how attacks before login affect players at their tables, and the memory of the house.

Victims place wagers and wait for each update, alone and under attack, in alternating periods. In the first
attack, each of four connections sends an endless stream: pipelined requests, headers or a path. In the
second, a thousand connections send one whole request and then a single byte of the next. The attackers come
from a different network and reconnect when they are dropped.
"""

from __future__ import annotations

import asyncio
import os
import resource
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from hostile_clients import ARRIVING, LEAVING, LIMITS, PAUSE, PERIODS, VICTIMS, Periods, seat_victims
from msgspec.structs import replace
from served import Child, child, house, percentile

from houseway.server.limits import Limits

ATTACKER: Final = "127.0.1.1"
HEAD: Final = b"GET /api/house HTTP/1.1\r\nhost: 127.0.0.1\r\n"
STREAMS: Final = (
    (b"", HEAD + b"\r\n"),
    (HEAD, b"a:b\r\n"),
    (HEAD + b"x: ", b"x"),
    (b"GET /", b"x"),
)
"""The beginning of each stream, and the bytes that it repeats."""
BLOCK: Final = 1 << 18
SLOW: Final = 1000
REAL: Final = replace(LIMITS, connections=Limits().connections, requests=Limits().requests)
"""`LIMITS`, but with the default limits on connections and requests. The victims also share one address."""
Attacker = Callable[[int, int, Event], Coroutine[Any, Any, None]]


async def _connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(ATTACKER, 0))


async def _stream(port: int, number: int, on: Event) -> None:
    """Send one stream for as long as the house accepts it, then begin again."""
    first, more = STREAMS[number % len(STREAMS)]
    block = more * (BLOCK // len(more))
    while on.is_set():
        with suppress(OSError):
            _, writer = await _connect(port)
            try:
                writer.write(first)
                while on.is_set():
                    writer.write(block)
                    async with asyncio.timeout(1):
                        await writer.drain()
            finally:
                writer.transport.abort()
        await asyncio.sleep(PAUSE)


async def _send_slowly(port: int, number: int, on: Event) -> None:
    """Send a whole request and one byte of the next, and wait to be dropped."""
    while on.is_set():
        with suppress(OSError):
            reader, writer = await _connect(port)
            try:
                writer.write(HEAD + b"\r\nG")
                while on.is_set():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(1):
                            if not await reader.read(1 << 16):
                                break
            finally:
                writer.transport.abort()
        await asyncio.sleep(10 * PAUSE)


ATTACKS: Final[dict[str, tuple[Attacker, int]]] = {
    "endless streams before login": (_stream, len(STREAMS)),
    f"{SLOW} slow second requests": (_send_slowly, SLOW),
}


def attack(name: str, url: str, on: Event) -> None:
    """Run an attack while `on` is set, at idle priority: real attackers have their own processors."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    asyncio.run(_attack(name, urlsplit(url).port or 0, on))


async def _attack(name: str, port: int, on: Event) -> None:
    attacker, count = ATTACKS[name]
    while True:
        while not on.is_set():
            await asyncio.sleep(PAUSE)
        await asyncio.gather(*(attacker(port, number, on) for number in range(count)))


async def measure(served: Child, name: str) -> None:
    """Compare the victims' times and the memory of the house with and without an attack."""
    sockets, _ = await seat_victims([served])
    context = get_context("spawn")
    on = context.Event()
    attackers = context.Process(target=attack, args=(name, served.url, on), daemon=True)
    attackers.start()
    await asyncio.sleep(ARRIVING)
    alone, attacked = Periods("alone"), Periods(name)
    print(
        f"{f'{VICTIMS} victims, ms from a wager to the update':<52}{'p50':>8}{'p99':>8}{'server CPU':>12}"
    )
    most = calm = 0.0
    for _ in range(PERIODS):
        await alone.watch([served], sockets)
        calm = calm or served.memory()
        on.set()
        await asyncio.sleep(ARRIVING / 4)
        await attacked.watch([served], sockets)
        most = max(most, served.memory())
        on.clear()
        await asyncio.sleep(LEAVING)
    attackers.terminate()
    attackers.join()
    for periods in (alone, attacked):
        wagers = f"all {len(periods.times)} wagers, {periods.words}"
        periods.show(wagers, periods.times, periods.cpu_share / PERIODS)
    rise = percentile(attacked.times, 50) / percentile(alone.times, 50) - 1
    print(f"{'p50 under attack':<52}{rise:>+8.0%}")
    print(f"{'memory of the house under attack':<52}{most - calm:>+8.0f} MB")


def main() -> None:
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    for name in ATTACKS:
        with (
            tempfile.TemporaryDirectory() as folder,
            child(house, str(Path(folder) / "house.db"), REAL) as served,
        ):
            asyncio.run(measure(served, name))


if __name__ == "__main__":
    main()
