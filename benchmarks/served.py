"""A house in a separate process, run as `houseway serve` runs it, with chosen limits."""

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

from houseway.audit.store_factory import open_leases
from houseway.client import House
from houseway.client import messages as m
from houseway.live.record_files import keep, open_house
from houseway.server.house import HouseServer
from houseway.server.limits import Limits
from houseway.server.web_server import run

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from server.houses import NoSolver, free_port

PAGE, TICK = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")


def house(port: int, where: str, limits: Limits, key: str = "") -> None:
    """Run a house with durable records, and without a solver to warm up.

    With a key, the house is one of several servers that share a PostgreSQL database.
    """
    if key:
        address = f"127.0.0.1:{port}"
        store, house_key = open_house(where, Path(key), shared=True)
        signer = house_key.signer
        leases = open_leases(where, address)
        serving = HouseServer(store, signer, limits=limits, leases=leases, proxies=("127.0.0.1",))
    else:
        store, signer = keep(Path(where))
        serving = HouseServer(store, signer, limits=limits)
    serving.solver = NoSolver()
    # The log would name every client that is dropped.
    logging.disable(logging.CRITICAL)
    run(serving, socket.create_server(("127.0.0.1", port), backlog=4096))


def echo(port: int) -> None:
    """Run a server that echoes every message."""

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


def processor_seconds(pid: int, *, family: bool = False) -> float:
    """The processor time of a process in seconds; with `family`, its children's time is included."""
    proc = Path(f"/proc/{pid}")
    parts = (proc / "stat").read_text().rpartition(")")[2].split()
    ticks = sum(map(int, parts[11 : 15 if family else 13]))
    living = (proc / f"task/{pid}/children").read_text().split() if family else ()
    return ticks / TICK + sum(processor_seconds(int(process)) for process in living)


class Child:
    """A process, and the resources it has used."""

    def __init__(self, pid: int, port: int) -> None:
        self.pid = pid
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self._proc = Path(f"/proc/{pid}")

    def seconds(self) -> float:
        """The processor time used so far, in seconds."""
        return processor_seconds(self.pid)

    def memory(self) -> float:
        """The resident memory, in megabytes."""
        return int((self._proc / "statm").read_text().split()[1]) * PAGE / 1e6


@contextmanager
def child(work: Callable[..., None], *arguments: Any) -> Iterator[Child]:
    """Run a server in a child process and wait until it listens; its first argument is the port."""
    port = free_port()
    process = get_context("spawn").Process(target=work, args=(port, *arguments))
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
    """Open a socket at a table and enter."""
    ticket: m.Ticket = await asyncio.to_thread(
        person.ask, "POST", "/api/tickets", {"table": table}, m.Ticket
    )
    connection = await open_socket(f"{url.replace('http', 'ws')}/api/socket")
    message = m.Enter(ticket=ticket.ticket, table=table, role=role)
    await connection.send(msgspec.json.encode(message).decode())
    return connection


async def open_socket(url: str) -> ClientConnection:
    """Open a bare socket."""
    return await connect(url, compression=None, max_size=None, max_queue=None, ping_interval=None)


def percentile(times: list[float], percent: float) -> float:
    """A percentile of times in seconds, as milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


async def echoes(url: str, sockets: int, seconds: float) -> list[float]:
    """The times of round trips to a bare echo server, in sequence on each socket."""
    times: list[float] = []
    until = time.perf_counter() + seconds

    async def one() -> None:
        async with await open_socket(url) as connection:
            while (began := time.perf_counter()) < until:
                await connection.send("x" * 200)
                await connection.recv()
                times.append(time.perf_counter() - began)

    await asyncio.gather(*(one() for _ in range(sockets)))
    return times
