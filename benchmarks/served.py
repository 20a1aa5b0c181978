"""A house in a process of its own, run as `houseway serve` runs it, under limits of one's own."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect

from houseway.client import House
from houseway.client import messages as m
from houseway.live.record_files import keep
from houseway.server.house import Serving
from houseway.server.limits import Limits
from houseway.server.web_server import run

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from server.houses import Cold, free_port

PAGE, TICK = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def house(port: int, where: str, limits: Limits) -> None:
    """The house, its records durable, without a solver to warm up."""
    store, signer = keep(Path(where))
    serving = Serving(store, signer, limits=limits)
    serving.solver = Cold()
    # Whoever is dropped for what it sends is told in the log; a benchmark does not show it.
    logging.disable(logging.CRITICAL)
    run(serving, socket.create_server(("127.0.0.1", port), backlog=4096))


def echo(port: int) -> None:
    """A socket that says what it hears, and nothing else."""

    async def endpoint(websocket: WebSocket) -> None:
        await websocket.accept()
        try:
            while True:
                await websocket.send_text(await websocket.receive_text())
        except WebSocketDisconnect:
            return

    app = Starlette(routes=[WebSocketRoute("/", endpoint)])
    config = uvicorn.Config(
        app, port=port, log_level="critical", access_log=False, ws_per_message_deflate=False
    )
    uvicorn.Server(config).run()


class Child:
    """A process and what it has used so far."""

    def __init__(self, pid: int, port: int) -> None:
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._proc = Path(f"/proc/{pid}")

    def seconds(self) -> float:
        """Processor time."""
        parts = (self._proc / "stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / TICK

    def held(self) -> float:
        """Megabytes."""
        return int((self._proc / "statm").read_text().split()[1]) * PAGE / 1e6


@contextmanager
def child(work: Callable[..., None], *given: Any) -> Iterator[Child]:
    """Run something that listens on a port, its first argument; it is there once it listens."""
    port = free_port()
    process = get_context("spawn").Process(target=work, args=(port, *given))
    process.start()
    assert process.pid is not None
    try:
        for _ in range(600):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield Child(process.pid, port)
    finally:
        process.terminate()
        process.join()


async def enter(person: House, url: str, table: str, role: str) -> ClientConnection:
    """A socket of somebody at a table."""
    ticket: m.Ticket = person.ask("POST", "/api/tickets", {"table": table}, m.Ticket)
    line = await opened(f"{url.replace('http', 'ws')}/api/socket")
    asked = m.Enter(ticket=ticket.ticket, table=table, role=role)
    await line.send(msgspec.json.encode(asked).decode())
    return line


async def opened(url: str) -> ClientConnection:
    """A bare socket."""
    return await connect(url, compression=None, max_size=None, max_queue=None, ping_interval=None)


def percentile(times: list[float], percent: float) -> float:
    """In milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


async def echoes(url: str, sockets: int, seconds: float) -> list[float]:
    """Round trips of a bare echo, one after the other on each of some sockets."""
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def one() -> None:
        async with await opened(url) as line:
            while (began := time.perf_counter()) < until:
                await line.send("x" * 200)
                await line.recv()
                times.append(time.perf_counter() - began)

    await asyncio.gather(*(one() for _ in range(sockets)))
    return times
