"""Caddy runs deploy/Caddyfile.servers in front of three servers that share one PostgreSQL."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from record.servers import Server
from server.failing import SharedProcess
from server.houses import free_port

FILE = Path(__file__).parents[2] / "deploy" / "Caddyfile.servers"
NAMES = ("houseway:8000", "houseway-2:8000", "houseway-3:8000")
"""The servers in the file, by their names in compose.servers.yaml."""
BET = {"type": "Bet", "seat": 1, "wagers": {"ante": 1000, "blind": 1000}}
PATIENCE = 30.0
"""Seconds within which Caddy must answer. The file promises less, but a busy machine is slow."""


def need_caddy() -> None:
    if shutil.which("caddy") is None:
        if os.environ.get("CI"):
            raise RuntimeError("the load balancer's test needs Caddy")
        pytest.skip("Caddy is not installed")


@contextmanager
def caddy(folder: Path, servers: list[SharedProcess]) -> Iterator[str]:
    """Run Caddy with the file, its servers replaced, and return its address."""
    text = FILE.read_text(encoding="utf-8")
    for name, server in zip(NAMES, servers, strict=True):
        assert text.count(f"{name} ") == 1
        text = text.replace(f"{name} ", f"127.0.0.1:{server.port} ")
    port = free_port()
    site = f"localhost:{port}"
    config = folder / "Caddyfile"
    # No certificates are requested. The interface for administrators has a fixed port, which may be in use.
    config.write_text(
        f"{{\n\tadmin off\n\tauto_https off\n\thttp_port {port}\n}}\n{text}", encoding="utf-8"
    )
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(config)]
    env = {**os.environ, "SITE": site, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "caddy.log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            yield f"http://{site}"
        finally:
            process.terminate()
            process.wait(10)


def end(server: SharedProcess) -> None:
    """Kill a server, unless it was killed before the test failed."""
    if server.process.poll() is None:
        server.kill()


def wait_for_tables(house: House, *tables: str) -> None:
    """Wait until a server answers and lists these tables. A dead server's table has no owner for a while."""
    until = time.monotonic() + PATIENCE
    listed: list[str] = []
    while time.monotonic() < until:
        with suppress(HouseError):
            listed = [card.table for card in house.tables()]
            if listed == list(tables):
                return
        time.sleep(0.1)
    raise AssertionError(f"the servers list {listed}, not {tables}")


def seated_again(house: House, table: str) -> AtTable:
    """Return a connection to seat 1, as soon as a server has the table again."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return house.at(table, "seat 1")
        except HouseError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


@pytest.mark.slow
def test_players_reach_a_table_through_caddy_after_its_server_was_killed(
    postgres: Server, tmp_path: Path
) -> None:
    need_caddy()
    url, key = postgres.database(), tmp_path / "house.key"
    servers = [SharedProcess(tmp_path, f"server-{n}", url, key) for n in range(3)]
    with ExitStack() as stack:
        for server in servers:
            server.start()
            stack.callback(end, server)
        site = stack.enter_context(caddy(tmp_path, servers))
        house = House(site)
        wait_for_tables(house)
        house.introduce("Ann")
        table = house.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        with house.sit(table, 1) as seat:
            assert isinstance(seat.send(BET, "bet"), m.Answered)
            seat.ready()
            while not seat.view.yours.cards:
                seat.next(PATIENCE)
            cards = seat.view.yours.cards
        # Any of the servers may have the table. One after another is killed and started again.
        for server in servers:
            server.kill()
            wait_for_tables(house, table)
            server.start()
        with seated_again(house, table) as seat:
            assert seat.view.yours.cards == cards
            assert isinstance(seat.send({"type": "Check", "seat": 1}, "check"), m.Answered)
