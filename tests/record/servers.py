"""A real PostgreSQL for the tests: found on this machine, started on a socket of its own, stopped by its id."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

PATIENCE = 60
"""Seconds a server may take to start; then something is wrong."""


def programs() -> Path | None:
    """The folder with initdb and postgres."""
    on_path = [
        Path(found).resolve().parent for name in ("postgres", "initdb") if (found := shutil.which(name))
    ]
    asked = []
    if config := shutil.which("pg_config"):
        said = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        asked = [Path(said.stdout.strip())]
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in (*on_path, *asked, *debian) if (folder / "initdb").exists()), None)


def as_whom() -> tuple[int, int] | tuple[None, None]:
    """The user and group the server runs as: it refuses to be root."""
    if os.geteuid() != 0:
        return None, None
    for name in ("postgres", "nobody"):
        try:
            found = pwd.getpwnam(name)
        except KeyError:
            continue
        return found.pw_uid, found.pw_gid
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres or nobody")


class Server:
    """A running server; each test asks it for a database of its own."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self._folder = folder
        self._process = process
        self._made = 0
        self._kept = ""

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://house@/{database}?host={self._folder}"

    def database(self, encoding: str = "UTF8") -> str:
        """The address of a new, empty database."""
        self._made += 1
        name = f"d{self._made}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}'")
        return self.url(name)

    def emptied(self) -> str:
        """The address of a database with nothing in it, always the same one: far quicker than a new one."""
        if not self._kept:
            self._kept = self.database()
        with psycopg.connect(self._kept, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self._kept

    def stop(self) -> None:
        # At once, nothing written back: the files go too.
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(PATIENCE)


@contextmanager
def server(*settings: str) -> Iterator[Server]:
    """A server with settings like `fsync=off`, its files gone afterwards."""
    found = programs()
    if found is None:
        raise RuntimeError("no PostgreSQL on this machine")
    # Not below pytest's own folder: the server's user may not enter it, and a socket's path is short.
    folder = Path(mkdtemp(prefix="pg", dir="/tmp"))
    user, group = as_whom()
    if user is not None and group is not None:
        os.chown(folder, user, group)
    data = folder / "data"
    making: list[str | Path] = [
        found / "initdb",
        "-D",
        data,
        "-A",
        "trust",
        "-U",
        "house",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    serving: list[str | Path] = [found / "postgres", "-D", data]
    for one in ("listen_addresses=", f"unix_socket_directories={folder}", *settings):
        serving += ["-c", one]
    try:
        with (folder / "log").open("wb") as log:
            subprocess.run(making, cwd=folder, stdout=log, stderr=log, check=True, user=user, group=group)
            process = subprocess.Popen(serving, cwd=folder, stdout=log, stderr=log, user=user, group=group)
        running = Server(folder, process)
        try:
            _await(running, process, folder / "log")
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder)


def _await(running: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        try:
            psycopg.connect(running.url()).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}")


def need_postgres() -> None:
    """Skip where there is no PostgreSQL, saying so; a submission's tests may not do without."""
    if programs() is None:
        reason = (
            "no PostgreSQL server found (looked on PATH, asked pg_config, looked in /usr/lib/postgresql)"
        )
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
