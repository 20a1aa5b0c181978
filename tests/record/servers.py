"""Start the installed PostgreSQL server for tests, on a private socket."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest

PATIENCE = 60
"""Seconds that a server may take to start."""


def programs() -> Path | None:
    """Return the folder with initdb and postgres."""
    on_path = [
        Path(path).resolve().parent for name in ("postgres", "initdb") if (path := shutil.which(name))
    ]
    from_config = []
    if config := shutil.which("pg_config"):
        output = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        from_config = [Path(output.stdout.strip())]
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (folder for folder in (*on_path, *from_config, *debian) if (folder / "initdb").exists()), None
    )


def server_user() -> tuple[int, int] | tuple[None, None]:
    """Return the user and group for the server, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None, None
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return user.pw_uid, user.pw_gid
    raise RuntimeError("PostgreSQL does not run as root; create a user named postgres")


class Server:
    """A running server that creates a database for each test."""

    def __init__(self, folder: Path, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self._folder = folder
        self._start = start
        self._process = start()
        self._made = 0
        self._reused = ""

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def socket_file(self) -> Path:
        """The socket on which the server listens."""
        return self._folder / ".s.PGSQL.5432"

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://house@/{database}?host={self._folder}"

    def database(self, encoding: str = "UTF8") -> str:
        """Create an empty database and return its address."""
        self._made += 1
        name = f"d{self._made}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}'")
        return self.url(name)

    def emptied(self) -> str:
        """Empty a reused database and return its address. This is much faster than creating a new one."""
        if not self._reused:
            self._reused = self.database()
        with psycopg.connect(self._reused, autocommit=True) as connection:
            connection.execute("DROP SCHEMA public CASCADE")
            connection.execute("CREATE SCHEMA public")
        return self._reused

    def restart(self, while_stopped: Callable[[], object] = lambda: None) -> None:
        """Stop the server and all its connections, and start it again."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE)
        while_stopped()
        self._process = self._start()
        self.wait()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop every process of the server without ending it: connections stay open and get no answer."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        processes = [self._process.pid, *map(int, children.split())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def wait(self) -> None:
        """Wait until the server answers."""
        until = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < until:
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        log = (self._folder / "log").read_text()
        raise RuntimeError(f"PostgreSQL did not start:\n{log}")

    def stop(self) -> None:
        # Shut down at once, without writing to the files, because they are deleted anyway.
        self._process.send_signal(signal.SIGQUIT)
        self._process.wait(PATIENCE)


MEMORY = Path("/dev/shm")
"""A file system in memory, where fsync takes no time."""
ENOUGH = 2_000_000_000
"""The free bytes that it must have, because each test process runs servers there."""


def files_folder(*, in_memory: bool) -> Path:
    """Create the folder for a server's files: in memory if that is asked for and possible, otherwise on disk."""
    fits = in_memory and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH
    return Path(mkdtemp(prefix="pg", dir=MEMORY if fits else "/tmp"))


@contextmanager
def server(*settings: str, in_memory: bool = False) -> Iterator[Server]:
    """Run a server with settings such as `fsync=off`, and delete its files afterwards.

    With `in_memory`, a crash of the machine would lose everything, but no test crashes the machine.
    """
    binaries = programs()
    if binaries is None:
        raise RuntimeError("no PostgreSQL on this machine")
    # The folder is not in pytest's folder, because the server's user cannot enter it, and because the path of a socket must
    # be short.
    folder = files_folder(in_memory=in_memory)
    user, group = server_user()
    if user is not None and group is not None:
        os.chown(folder, user, group)
    data = folder / "data"
    making: list[str | Path] = [
        binaries / "initdb",
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
    serving: list[str | Path] = [binaries / "postgres", "-D", data]
    for one in ("listen_addresses=", f"unix_socket_directories={folder}", *settings):
        serving += ["-c", one]
    try:
        with (folder / "log").open("wb") as log:
            subprocess.run(making, cwd=folder, stdout=log, stderr=log, check=True, user=user, group=group)

        def start() -> subprocess.Popen[bytes]:
            with (folder / "log").open("ab") as log:
                return subprocess.Popen(serving, cwd=folder, stdout=log, stderr=log, user=user, group=group)

        running = Server(folder, start)
        try:
            running.wait()
            yield running
        finally:
            running.stop()
    finally:
        shutil.rmtree(folder)


def need_postgres() -> None:
    """Skip the test if PostgreSQL is missing; in CI, fail instead."""
    if programs() is None:
        reason = (
            "no PostgreSQL server found (looked on PATH, asked pg_config, looked in /usr/lib/postgresql)"
        )
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
