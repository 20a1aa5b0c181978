"""Compare HTTP servers: processor time of a WebSocket echo and of a small request, and two attacks.

Every server runs the same small application in a separate process. In the first attack, one connection
sends pipelined requests as fast as it can and reads nothing. In the second, many connections send one whole
request and one byte of the next. The last line is houseway itself: uvicorn with h11 behind houseway's own
limits on connections. A server that is not installed is skipped; pip install -e '.[bench]' installs all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from served import PAGE, child, echoes, house, percentile, processor_seconds
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from houseway.server.limits import Limits
from server.houses import free_port

CLIENTS: Final = 20
SLOW: Final = 200
BLOCK: Final = 1 << 18
GET: Final = b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
PAUSE: Final = 0.02
STARTING: Final = 30.0


async def answer(request: Request) -> PlainTextResponse:
    return PlainTextResponse("ok")


async def endpoint(websocket: WebSocket) -> None:
    await websocket.accept()
    with suppress(WebSocketDisconnect):
        while True:
            await websocket.send_text(await websocket.receive_text())


app: Final = Starlette(routes=[Route("/healthz", answer), WebSocketRoute("/", endpoint)])


@dataclass(frozen=True)
class Candidate:
    """A server, and the command that runs it on a port."""

    name: str
    needs: tuple[str, ...]
    command: tuple[str, ...]
    """The arguments of Python. PORT stands for the port."""


UVICORN: Final = ("-m", "uvicorn", "http_servers:app", "--port", "PORT", "--log-level", "critical")
SANSIO: Final = ("--ws", "websockets-sansio", "--ws-per-message-deflate", "false", "--http")
CANDIDATES: Final = (
    Candidate("uvicorn, h11", ("uvicorn", "h11"), (*UVICORN, *SANSIO, "h11")),
    Candidate("uvicorn, httptools", ("uvicorn", "httptools"), (*UVICORN, *SANSIO, "httptools")),
    Candidate(
        "hypercorn",
        ("hypercorn",),
        ("-m", "hypercorn", "http_servers:app", "--bind", "127.0.0.1:PORT", "--worker-class", "uvloop"),
    ),
    Candidate(
        "granian",
        ("granian",),
        ("-m", "granian", "http_servers:app", "--interface", "asgi", "--port", "PORT", "--no-log"),
    ),
)


class Served:
    """A running server with all its processes."""

    def __init__(self, pid: int, port: int) -> None:
        self._pid = pid
        self.port = port

    def seconds(self) -> float:
        return processor_seconds(self._pid, family=True)

    def memory(self) -> float:
        """The resident memory of all processes, in megabytes."""
        return sum(
            int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE / 1e6
            for process in _family(self._pid)
        )


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(process for one in children for process in _family(int(one)))]


@contextmanager
def started(candidate: Candidate) -> Iterator[Served]:
    port = free_port()
    command = [sys.executable, *(part.replace("PORT", str(port)) for part in candidate.command)]
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    process = subprocess.Popen(
        command,
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + STARTING
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield Served(process.pid, port)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            family = _family(process.pid)
            for one in family:
                os.kill(one, signal.SIGKILL)
            process.wait()


# --- processor time ---


async def requests(port: int, seconds: float) -> list[float]:
    """The times of small requests on connections that stay open."""
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def one() -> None:
        while time.perf_counter() < until:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            # Some servers close a connection after a thousand requests.
            with suppress(EOFError, OSError):
                while (began := time.perf_counter()) < until:
                    writer.write(GET)
                    await reader.readuntil(b"\r\n\r\n")
                    await reader.readexactly(2)
                    times.append(time.perf_counter() - began)
            writer.close()

    await asyncio.gather(*(one() for _ in range(CLIENTS)))
    return times


def cost(served: Served, kind: str, seconds: float) -> float:
    """The processor time of one echo or one request, in milliseconds."""
    before = served.seconds()
    if kind == "echo":
        times = asyncio.run(echoes(f"ws://127.0.0.1:{served.port}/", CLIENTS, seconds))
    else:
        times = asyncio.run(requests(served.port, seconds))
    return 1000 * (served.seconds() - before) / len(times)


# --- attacks ---


async def others(port: int, seconds: float) -> list[float]:
    """The times of requests of another client, each on a new connection."""
    times, until = [], time.perf_counter() + seconds
    while (began := time.perf_counter()) < until:
        try:
            async with asyncio.timeout(max(until - began, PAUSE)):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(GET)
                await reader.readuntil(b"\r\n\r\n")
                writer.close()
        except (OSError, TimeoutError, EOFError):
            pass
        times.append(time.perf_counter() - began)
        await asyncio.sleep(PAUSE)
    return times


async def pipelined(served: Served, seconds: float) -> tuple[float, float, float]:
    """Attack with pipelined requests; return the growth of memory in megabytes, and the median time of the
    others' requests before and during the attack in milliseconds."""
    calm, before = await others(served.port, min(seconds, 2)), served.memory()
    most = before

    async def flood() -> None:
        block = GET * (BLOCK // len(GET))
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", served.port)
                while not writer.is_closing():
                    writer.write(block)
                    await writer.drain()
            await asyncio.sleep(PAUSE)

    async def watch() -> None:
        nonlocal most
        while True:
            most = max(most, served.memory())
            await asyncio.sleep(5 * PAUSE)

    tasks = asyncio.create_task(flood()), asyncio.create_task(watch())
    times = await others(served.port, seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return most - before, percentile(calm, 50), percentile(times, 50)


async def slow_second(served: Served, seconds: float) -> int:
    """Send one whole request and one byte on many connections; return how many are open at the end."""
    readers = []
    for _ in range(SLOW):
        reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
        writer.write(GET)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"G")
        readers.append((reader, writer))
    await asyncio.sleep(seconds)

    still = 0
    for reader, writer in readers:
        try:
            async with asyncio.timeout(PAUSE):
                while await reader.read(BLOCK):
                    pass
        except TimeoutError:
            still += 1
        except OSError:
            pass
        writer.transport.abort()
    return still


# --- output ---


def row(name: str, *figures: str) -> None:
    print(f"{name:<28}" + "".join(f"{figure:>14}" for figure in figures), flush=True)


def attacks(served: Served, seconds: float, waiting: float) -> tuple[str, ...]:
    grown, calm, attacked = asyncio.run(pipelined(served, seconds))
    still = asyncio.run(slow_second(served, waiting))
    return f"{grown:+.0f} MB", f"{calm:.1f} ms", f"{attacked:.1f} ms", f"{still} of {SLOW}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5, help="the length of each measurement")
    parser.add_argument(
        "--waiting", type=float, default=15, help="seconds before slow connections are counted"
    )
    options = parser.parse_args()
    row("", "echo", "request", "pipelining:", "others' p50", "others' p50", "slow second:")
    row("", "CPU", "CPU", "memory", "before", "during", f"open, {options.waiting:.0f} s")
    for candidate in CANDIDATES:
        missing = [name for name in candidate.needs if find_spec(name) is None]
        if missing:
            row(candidate.name, f"skipped: {', '.join(missing)} is not installed")
            continue
        with started(candidate) as served:
            costs = [cost(served, kind, options.seconds) for kind in ("echo", "request")]
            row(
                candidate.name,
                *(f"{each:.3f} ms" for each in costs),
                *attacks(served, options.seconds, options.waiting),
            )
    with (
        tempfile.TemporaryDirectory() as folder,
        child(house, str(Path(folder) / "house.db"), Limits()) as running,
    ):
        row(
            "houseway",
            "",
            "",
            *attacks(Served(running.pid, running.port), options.seconds, options.waiting),
        )


if __name__ == "__main__":
    main()
