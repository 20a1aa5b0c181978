"""The calls that docs/walk-of-a-wager.md lists for one wager happen in that order."""

from __future__ import annotations

import asyncio
import gc
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from houseway.engine import commands as c
from houseway.live import LiveTable
from houseway.live.viewer_messages import encoder
from houseway.server.limits import Buckets, Limits
from houseway.server.sockets import Connection
from server.hosted_rounds import Room
from server.test_sockets import OneTable

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "walk-of-a-wager.md"
ROW = re.compile(r"\| \d+ \| `([\w.]+)` \| `([\w.]+)` \| (once|each event|each role|each viewer) \|")
BACK = re.compile(r"\| `([\w.]+)` \| `([\w.]+)` \|(?! once| each)")
VIEWERS = ("seat 1", "seat 2", "rail", "rail")


class Call(NamedTuple):
    """A call of a function in the package, and the function of the package that made it."""

    name: str
    caller: str


class Trace:
    """Every call of a function in the package, in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._under_way: set[FrameType] = set()
        """Coroutines and generators already called: resuming them is not a new call."""

    def __call__(self, frame: FrameType, kind: str, _: Any) -> None:
        name = _name(frame) if kind == "call" else ""
        if not name or frame in self._under_way:
            return
        if frame.f_code.co_flags & (CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR):
            self._under_way.add(frame)
        caller = frame.f_back
        while caller is not None and not _name(caller):
            caller = caller.f_back
        self.calls.append(Call(name, _name(caller) if caller is not None else ""))

    def counts(self) -> Counter[Call]:
        return Counter(self.calls)


def _name(frame: FrameType) -> str:
    """A function's name in the package; empty for other functions and for nested functions."""
    module = frame.f_globals.get("__name__", "").removeprefix("houseway.")
    name = frame.f_code.co_qualname.replace(".<locals>", "")
    inner = name.endswith(">")
    return "" if inner or module == frame.f_globals.get("__name__", "") else f"{module}.{name}"


class Socket:
    """The server's end of a socket, with a queue for each direction."""

    def __init__(self) -> None:
        self.incoming: asyncio.Queue[str] = asyncio.Queue()
        self.sent: list[str] = []

    async def receive_text(self) -> str:
        return await self.incoming.get()

    async def send_text(self, text: str) -> None:
        self.sent.append(text)

    async def close(self, code: int = 1000) -> None:
        self.sent.append(f"closed {code}")


def bet(trace: Callable[[FrameType, str, Any], None]) -> list[Socket]:
    """Four viewers at a table, and one wager by the first; only the wager is traced."""
    room = Room("uth-ma", [()], seats=(1, 2))
    watching = room.people.introduce("Watcher")
    assert isinstance(watching, tuple)

    async def run() -> list[Socket]:
        sockets = [Socket() for _ in VIEWERS]
        tasks = []
        for socket, role in zip(sockets, VIEWERS, strict=True):
            person = room.persons[int(role[-1])] if role != "rail" else watching[0]
            ticket = room.people.ticket(person, "room").ticket
            enter = {"type": "enter", "ticket": ticket, "table": "room", "role": role, "version": 2}
            socket.incoming.put_nowait(encoder.encode(enter).decode())
            connection = Connection(socket, OneTable(room), Limits(), Buckets(20, 40), lambda handle: 0)  # type: ignore[arg-type]
            tasks.append(asyncio.create_task(connection.run()))
        await wait_until_idle(sockets)
        wager = {"type": "do", "key": "one", "command": c.Bet(seat=1, wagers={"ante": 1000})}
        for socket in sockets:
            socket.sent.clear()
        # A generator of another table, if collected now, would look like a call.
        gc.collect()
        gc.disable()
        sys.setprofile(trace)
        try:
            sockets[0].incoming.put_nowait(encoder.encode(wager).decode())
            await wait_until_idle(sockets)
        finally:
            sys.setprofile(None)
            gc.enable()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return sockets

    return asyncio.run(run())


async def wait_until_idle(sockets: list[Socket]) -> None:
    """Wait until nothing more is sent."""
    sent = -1
    while sent != (now := sum(len(socket.sent) for socket in sockets)):
        sent = now
        await asyncio.sleep(0.2)


@pytest.fixture(scope="module")
def walk() -> tuple[Trace, list[Socket]]:
    trace = Trace()
    # Run once before, so that values computed once per process are not in the trace.
    bet(Trace())
    return trace, bet(trace)


def listed_calls() -> list[tuple[Call, str]]:
    text = PAGE.read_text(encoding="utf-8")
    return [(Call(name, caller), times) for name, caller, times in ROW.findall(text)]


def layers() -> dict[str, int]:
    """The layer number of each part of the package, from the contract that the build checks."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    rows = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return {
        part.strip(" ()"): height for height, row in enumerate(reversed(rows)) for part in row.split("|")
    }


def layer(name: str) -> str:
    return name.partition(".")[0]


def test_the_listed_calls_happen_in_order(walk: tuple[Trace, list[Socket]]) -> None:
    rows = [call for call, _ in listed_calls()]
    assert len(rows) > 20
    missing = [call for call in rows if call not in walk[0].calls]
    assert not missing
    first = {call: walk[0].calls.index(call) for call in rows}
    assert rows == sorted(rows, key=first.__getitem__)


def test_each_listed_call_is_made_by_a_function_listed_before_it(walk: tuple[Trace, list[Socket]]) -> None:
    names = [call.name for call, _ in listed_calls()]
    callers = [call.caller for call, _ in listed_calls()]
    first, *later = callers
    assert layer(first) == "server"
    apart = [caller for n, caller in enumerate(later, 1) if caller not in (first, *names[:n])]
    assert not apart


def test_each_listed_call_is_made_as_often_as_the_page_says(walk: tuple[Trace, list[Socket]]) -> None:
    counts = walk[0].counts()
    events = sum(n for call, n in counts.items() if call.name == "live.audience.Audience.record")
    often = {"once": 1, "each event": events, "each role": len(set(VIEWERS)), "each viewer": len(VIEWERS)}
    assert events
    assert {call: counts[call] for call, _ in listed_calls()} == {
        call: often[times] for call, times in listed_calls()
    }


def test_only_callbacks_call_up_a_layer(walk: tuple[Trace, list[Socket]]) -> None:
    height = layers()
    up = {
        (call.name, call.caller)
        for call in walk[0].calls
        if call.caller and height[layer(call.name)] > height[layer(call.caller)]
    }
    text = PAGE.read_text(encoding="utf-8")
    assert up == set(BACK.findall(text))


def test_every_viewer_gets_the_wager_once(walk: tuple[Trace, list[Socket]]) -> None:
    for role, socket in zip(VIEWERS, walk[1], strict=True):
        updates = [text for text in socket.sent if '"type":"told"' in text]
        assert [text.count('"WagersPlaced"') for text in updates] == [1], role
        answers = [text for text in socket.sent if '"type":"answered"' in text]
        assert len(answers) == (role == "seat 1")


def test_a_duplicate_call_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the wager is signed twice on its way to the record."""
    honest, trace = LiveTable._append, Trace()

    def twice(self: LiveTable) -> None:
        self.house.signer.head(self.stream, self._waiting.head)
        honest(self)

    monkeypatch.setattr(LiveTable, "_append", twice)
    bet(trace)
    signed = [call for call, _ in listed_calls() if call.name == "audit.signatures.Signer.head"]
    counts = Counter(call.name for call in trace.calls)
    assert [counts[call.name] for call in signed] == [2]
