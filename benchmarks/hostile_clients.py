"""Measure how a hundred flooders and a hundred slow readers affect the other players at their tables.

Victims place wagers and wait for each update. Periods without and with the attack alternate, so that other
load on the machine affects both equally. The house, the victims and the attackers each run in their own
process. Flooders send as fast as they can and reconnect when they are dropped; slow readers watch the
victims' tables without reading. The limits are the house's defaults, except for the limits per address
(`LIMITS`), because all clients come from one address. A second measurement also lifts the limits on
commands and patience. With --servers, several servers share one PostgreSQL: the first one owns the tables,
and all clients connect to the last one, which passes their messages on.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace
from served import Child, child, enter, house, percentile
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.server.limits import Limits
from record.servers import server as postgres_server

FRAMES: Final = 5000
BROKEN: Final = ("{", "[", '"', "null,", '{"type":"do","key":', "\\u0000", "0e999999", '{"type":{}}', "ÿ")
LIMITS: Final = Limits(handshakes=1e6, openings=1e6, requests=1e6, connections=10**6)
VICTIMS, FLOODERS, SLOW = 10, 100, 100
PERIODS: Final = 4
SECONDS: Final = 15.0
"""The length of each period, without and with the attack."""
ARRIVING, LEAVING = 8.0, 4.0
"""Seconds for the attackers to reach the tables, and to disconnect."""
COMMAND: Final = '{"type":"do","key":"k","command":{"type":"Fold","seat":1}}'
PAUSE: Final = 0.1
"""Seconds between two wagers of a victim; a dropped flooder waits ten times as long."""


class Frame(msgspec.Struct):
    """The part of a frame that a victim reads."""

    type: str
    seq: int = 0
    key: str = ""


decoder: Final = msgspec.json.Decoder(Frame)


async def wagers(socket: ClientConnection, until: float, times: list[float]) -> None:
    """Wager repeatedly, and add the seconds until the seat gets each update to `times`."""
    number = 0
    while time.perf_counter() < until:
        number += 1
        bet = {"type": "Bet", "seat": 1, "wagers": {"ante": 500 + 100 * (number % 2)}}
        key, began, update = f"{until}.{number}", time.perf_counter(), (0, 0.0)
        await socket.send(msgspec.json.encode({"type": "do", "key": key, "command": bet}).decode())
        async for text in socket:
            frame = decoder.decode(text)
            if frame.type == "told":
                update = frame.seq, time.perf_counter()
            elif frame.type == "answered" and frame.key == key:
                # A table sends updates before it replies.
                assert update[0] >= frame.seq
                times.append(update[1] - began)
                break
        await asyncio.sleep(PAUSE)


def attack(url: str, tables: list[str], on: Event) -> None:
    """Run all attackers while `on` is set, at idle priority: real attackers have their own processors."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    asyncio.run(_attack(url, tables, on))


async def _attack(url: str, tables: list[str], on: Event) -> None:
    people = [House(url) for _ in range(FLOODERS + SLOW)]
    for number, person in enumerate(people):
        person.introduce(f"Attacker {number}")
    while True:
        while not on.is_set():
            await asyncio.sleep(PAUSE)
        attacks = []
        for number, person in enumerate(people):
            attacker = _flood if number < FLOODERS else _read_nothing
            attacks.append(attacker(person, url, tables[number % len(tables)], on))
        await asyncio.gather(*attacks)


async def _flood(person: House, url: str, table: str, on: Event) -> None:
    while on.is_set():
        with suppress(WebSocketException, HouseError, OSError):
            async with await enter(person, url, table, "rail") as socket:
                while on.is_set():
                    await asyncio.wait_for(socket.send(COMMAND), SECONDS)
                    await asyncio.sleep(0)
        await asyncio.sleep(10 * PAUSE)


async def _read_nothing(person: House, url: str, table: str, on: Event) -> None:
    with suppress(WebSocketException, HouseError, OSError):
        socket = await enter(person, url, table, "rail")
        socket.transport.pause_reading()
        while on.is_set():
            await asyncio.sleep(PAUSE)
        socket.transport.abort()


@contextmanager
def fleet(limits: Limits, servers: int) -> Iterator[list[Child]]:
    """Run some servers that share one PostgreSQL; 0 is one server with SQLite."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        where, shared = str(folder / "house.db"), tuple[str, ...]()
        if servers:
            where = stack.enter_context(postgres_server("max_connections=200")).database()
            shared = (str(folder / "house.key"),)
        yield [stack.enter_context(child(house, where, limits, *shared)) for _ in range(max(1, servers))]


async def seat_victims(running: list[Child]) -> tuple[list[ClientConnection], list[str]]:
    """Open a table at the first server for each victim; return their sockets at the last server, and the
    tables."""
    sockets, tables, url = [], [], running[-1].url
    for number in range(VICTIMS):
        person = House(running[0].url)
        person.introduce(f"victim {number}")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        person.command(table, {"type": "Sit", "seat": 1}, "sit")
        await until_known(person, url)
        sockets.append(await enter(House(url, person.token), url, table, "seat 1"))
        tables.append(table)
    return sockets, tables


async def until_known(person: House, url: str) -> None:
    """Wait until a server has read a new person from the database."""
    while True:
        try:
            await asyncio.to_thread(House(url, person.token).me)
        except HouseError:
            await asyncio.sleep(PAUSE)
        else:
            return


async def measure(running: list[Child], rounds: int = PERIODS) -> None:
    sockets, tables = await seat_victims(running)
    context = get_context("spawn")
    on = context.Event()
    attackers = context.Process(target=attack, args=(running[-1].url, tables, on), daemon=True)
    attackers.start()
    await asyncio.sleep(ARRIVING)
    alone, attacked = Periods("alone"), Periods(f"{FLOODERS} flooders, {SLOW} slow readers")
    head = f"{VICTIMS} victims, ms from a wager to the update"
    print(f"{head:<52}{'p50':>8}{'p99':>8}{'server CPU':>12}")
    before = most = [0.0] * len(running)
    for _ in range(rounds):
        await alone.watch(running, sockets)
        before = before if any(before) else [served.memory() for served in running]
        on.set()
        await asyncio.sleep(ARRIVING)
        await attacked.watch(running, sockets)
        most = [max(served.memory(), peak) for served, peak in zip(running, most, strict=True)]
        on.clear()
        await asyncio.sleep(LEAVING)
    attackers.terminate()
    attackers.join()
    for periods in (alone, attacked):
        periods.show(
            f"all {len(periods.times)} wagers, {periods.words}", periods.times, periods.cpu_share / rounds
        )
    rise = percentile(attacked.times, 99) / percentile(alone.times, 99) - 1
    print(f"{'p99 under attack':<52}{rise:>+16.0%}")
    for number, (calm, peak) in enumerate(zip(before, most, strict=True), 1):
        print(f"{f'memory of server {number} under attack':<52}{peak - calm:>+13.0f} MB")


class Periods:
    """The victims' times in all periods without the attack, or in all periods with it."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.times: list[float] = []
        self.cpu_share = 0.0

    async def watch(self, running: list[Child], sockets: list[ClientConnection]) -> None:
        times: list[float] = []
        used, began = sum(served.seconds() for served in running), time.perf_counter()
        await asyncio.gather(*(wagers(socket, began + SECONDS, times) for socket in sockets))
        share = (sum(served.seconds() for served in running) - used) / (time.perf_counter() - began)
        self.times += times
        self.cpu_share += share
        self.show(self.words, times, share)

    def show(self, words: str, times: list[float], share: float) -> None:
        median, high = percentile(times, 50), percentile(times, 99)
        print(f"{words:<52}{median:>8.1f}{high:>8.1f}{share:>12.0%}", flush=True)


async def nonsense(running: list[Child]) -> None:
    """Time how long the house takes to refuse a malformed frame."""
    person, url = House(running[0].url), running[-1].url
    person.introduce("Babbler")
    table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    await until_known(person, url)
    socket = await enter(House(url, person.token), url, table, "rail")
    rng, times = Random("nonsense"), list[float]()
    for _ in range(FRAMES):
        text = rng.choice(BROKEN) * rng.choice((1, 10, 100))
        began = time.perf_counter()
        await socket.send(text[: LIMITS.frame - 1])
        while decoder.decode(await socket.recv()).type in ("entered", "told"):
            pass
        times.append(time.perf_counter() - began)
    median, worst = percentile(times, 50), percentile(times, 100)
    print(f"{f'{FRAMES} malformed frames, ms':<52}{median:>8.1f}{worst:>8.1f} at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--servers", type=int, default=0, help="servers that share one PostgreSQL; 0 is one with SQLite"
    )
    parser.add_argument("--periods", type=int, default=PERIODS, help="periods without and with the attack")
    options = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with fleet(LIMITS, options.servers) as running:
        asyncio.run(measure(running, options.periods))
    with fleet(replace(LIMITS, commands=1e6, patience=10**6), options.servers) as running:
        asyncio.run(nonsense(running))


if __name__ == "__main__":
    main()
