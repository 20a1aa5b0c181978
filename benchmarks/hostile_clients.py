"""What a hundred flooders and a hundred slow readers do to the others at their tables.

Victims wager and wait until they are told, first alone and then under attack, in one run. House, victims
and attackers each have a process. Flooders send as fast as they can and come back when they are thrown
out; slow readers watch the victims' tables and read nothing. The limits are the house's own, but for
handshakes: all of them come from one address.
"""

from __future__ import annotations

import asyncio
import os
import resource
import tempfile
import time
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import msgspec
from served import Child, child, enter, house, percentile
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.server.limits import Limits

LIMITS: Final = Limits(handshakes=1e6, openings=1e6)
VICTIMS, FLOODERS, SLOW = 10, 100, 100
SECONDS: Final = 20.0
PAUSE: Final = 0.1
"""Between two wagers of a victim, and before a flooder who was thrown out comes back ten times that."""


class Seen(msgspec.Struct):
    """What a victim reads of a frame."""

    type: str
    seq: int = 0
    key: str = ""


PATIENCE: Final = 10.0
"""Seconds the attackers have to come to an end."""

decoder: Final = msgspec.json.Decoder(Seen)


async def wagers(socket: ClientConnection, until: float, times: list[float]) -> None:
    """Wager again and again; how long until the seat itself is told."""
    number = 0
    while time.perf_counter() < until:
        number += 1
        bet = {"type": "Bet", "seat": 1, "wagers": {"ante": 500 + 100 * (number % 2)}}
        key, began, told = f"{until}.{number}", time.perf_counter(), (0, 0.0)
        await socket.send(msgspec.json.encode({"type": "do", "key": key, "command": bet}).decode())
        async for text in socket:
            frame = decoder.decode(text)
            if frame.type == "told":
                told = frame.seq, time.perf_counter()
            elif frame.type == "answered" and frame.key == key:
                # A table tells everybody before it answers.
                assert told[0] >= frame.seq
                times.append(told[1] - began)
                break
        await asyncio.sleep(PAUSE)


def attack(url: str, tables: list[str], seconds: float) -> None:
    """Everybody who means harm; they yield the processor, because in the world they have their own."""
    os.nice(19)
    asyncio.run(_attack(url, tables, time.perf_counter() + seconds))


async def _attack(url: str, tables: list[str], until: float) -> None:
    people = [House(url) for _ in range(FLOODERS + SLOW)]
    for number, person in enumerate(people):
        person.introduce(f"Attacker {number}")
    harm = []
    for number, person in enumerate(people):
        does = _flood if number < FLOODERS else _stare
        harm.append(does(person, url, tables[number % len(tables)], until))
    await asyncio.gather(*harm)


async def _flood(person: House, url: str, table: str, until: float) -> None:
    while time.perf_counter() < until:
        with suppress(WebSocketException, HouseError, OSError):
            socket = await enter(person, url, table, "rail")
            while time.perf_counter() < until:
                await socket.send('{"type":"do","key":"k","command":{"type":"Fold","seat":1}}')
                await asyncio.sleep(0)
        await asyncio.sleep(10 * PAUSE)


async def _stare(person: House, url: str, table: str, until: float) -> None:
    with suppress(WebSocketException, HouseError, OSError):
        socket = await enter(person, url, table, "rail")
        socket.transport.pause_reading()
        await asyncio.sleep(max(0.0, until - time.perf_counter()))


async def measured(served: Child) -> None:
    sockets, tables = [], []
    for number in range(VICTIMS):
        person = House(served.url)
        person.introduce(f"victim {number}")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        person.command(table, {"type": "Sit", "seat": 1}, "sit")
        sockets.append(await enter(person, served.url, table, "seat 1"))
        tables.append(table)
    head = f"{VICTIMS} victims, ms from a wager until its seat is told"
    print(f"{head:<52}{'p50':>12}{'p99':>10}{'wagers':>10}{'house':>9}{'p99':>9}")
    alone = 0.0
    for words in ("alone", f"{FLOODERS} flooders, {SLOW} slow readers", "alone again"):
        attackers = get_context("spawn").Process(target=attack, args=(served.url, tables, SECONDS + 10))
        if "flooders" in words:
            attackers.start()
            await asyncio.sleep(8)
        times: list[float] = []
        used, began = served.seconds(), time.perf_counter()
        await asyncio.gather(*(wagers(socket, began + SECONDS, times) for socket in sockets))
        share = (served.seconds() - used) / (time.perf_counter() - began)
        half, most = percentile(times, 50), percentile(times, 99)
        alone = alone or most
        print(
            f"{words:<52}{half:>12.1f}{most:>10.1f}{len(times):>10}{share:>9.0%}{most / alone - 1:>+9.0%}"
        )
        if "flooders" in words:
            attackers.join(PATIENCE)
            attackers.terminate()
            attackers.join()


def main() -> None:
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with (
        tempfile.TemporaryDirectory() as folder,
        child(house, str(Path(folder) / "house.db"), LIMITS) as served,
    ):
        asyncio.run(measured(served))


if __name__ == "__main__":
    main()
