"""`houseway serve`: run the server with its page and its API."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import webbrowser
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, NoReturn

from cyclopts import Parameter

from houseway.audit.store import StoreBusyError, StoreError
from houseway.cli.output import BadInputError, usable_rulebooks

PORTS = range(1, 65536)
BACKLOG = 2048


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    db: str = "",
    origin: list[str] | None = None,
    behind_proxy: list[str] | None = None,
    secrets_key: Path | None = None,
    open_page: Annotated[bool, Parameter(name="--open", negative="")] = False,
    owner: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Run the server: live tables in the browser, with play chips.

    Every event is recorded before players see it. After any stop, even a crash, the server resumes
    unfinished rounds with the same cards.

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 lets others on your network join.
    port
        The port to listen on.
    db
        The database: a file, or postgresql://user@host/database; default: house.db in your data folder.
    origin
        Another website whose pages may use the API, such as https://tables.example; may be repeated.
    behind_proxy
        The address or network of a trusted proxy that terminates TLS in front of the server, such as
        127.0.0.1 or 10.0.0.0/8; may be repeated. The proxy must set X-Forwarded-For and X-Forwarded-Proto.
    secrets_key
        A file with a key, under which seeds and hidden cards are encrypted in the database. If there is no
        such file, a new key is saved there. Keep a copy: without the key, no table can be resumed.
    open_page
        Open the page in your browser.
    owner
        Print a link. The first person who opens it becomes the floor supervisor of every table.
    """
    from houseway.live.record_files import data_folder, keep
    from houseway.server.house import HouseServer
    from houseway.server.web_server import run

    if port not in PORTS:
        raise BadInputError(f"--port must be 1 to {PORTS[-1]} (got {port})")
    proxies = tuple(map(_network, behind_proxy or ()))
    where = db or str(data_folder() / "house.db")
    listening = _listen(host, port)
    try:
        store, signer = keep(where if "://" in where else Path(where), secrets_key)
    except StoreError as error:
        listening.close()
        second = "; give a second server its own --db FILE" if isinstance(error, StoreBusyError) else ""
        raise BadInputError(f"{error}{second}") from error
    try:
        house = HouseServer(
            store, signer, host=host, origins=tuple(origin or ()), proxies=proxies, where=where
        )
    except (StoreError, ValueError) as error:
        store.close()
        listening.close()
        raise BadInputError(str(error)) from error
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}"
    print(f"houseway {house.version}: {address}", file=sys.stderr)  # noqa: T201
    print(f"records in {store.where}; stop with Ctrl-C", file=sys.stderr)  # noqa: T201
    usable_rulebooks()
    if owner:
        link = asyncio.run(house.people.invite("*", "floor")).link
        print(f"floor supervisor's link: {address}{link}", file=sys.stderr)  # noqa: T201
    if open_page:
        webbrowser.open(address)
    run(house, listening, _end)
    return _end()


def _network(text: str) -> str:
    """Return the network that a text names."""
    try:
        return str(ip_network(text))
    except ValueError as error:
        sentence = f"--behind-proxy must be an IP address or a network, such as 10.0.0.0/8 (got {text!r})"
        raise BadInputError(sentence) from error


def _listen(host: str, port: int) -> socket.socket:
    """Open the socket before anything else, so that a busy port is reported at once."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # Early connections wait in the backlog until the tables are ready.
        listening.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        advice = "stop the program that uses it, or choose another --port"
        raise BadInputError(f"cannot listen on {host}:{port}: {reason}; {advice}") from error
    return listening


def _end() -> NoReturn:
    """Exit at once, without waiting for the solver's threads."""
    sys.stderr.flush()
    os._exit(0)
