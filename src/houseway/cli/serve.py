"""`houseway serve`: the house, with its page and its API."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, NoReturn

from cyclopts import Parameter

from houseway.audit.store import OwnedError, StoreError
from houseway.cli.output import BadInputError, usable_rulebooks

PORTS = range(1, 65536)
BACKLOG = 2048


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    db: str = "",
    origin: list[str] | None = None,
    open_page: Annotated[bool, Parameter(name="--open", negative="")] = False,
    owner: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Open the house: live tables in the browser, with play chips.

    Every act is on record before anybody is told of it. Stopped in whatever way, the house takes up every
    unfinished round with the same cards when it opens again.

    Parameters
    ----------
    host
        The address it listens on; 0.0.0.0 lets friends on the same network in.
    port
        The port it listens on.
    db
        Where its records are kept: a file, or postgresql://user@host/database; by default a file in your
        own data folder.
    origin
        Another page that may talk to the house, as https://tables.example; give one option for each.
    open_page
        Show the page in your browser.
    owner
        Print a link that makes whoever opens it first the floor of every table.
    """
    from houseway.live.record_files import data_folder, keep
    from houseway.server.house import Serving
    from houseway.server.web_server import run

    if port not in PORTS:
        raise BadInputError(f"--port {port}: ports are numbered from 1 to {PORTS[-1]}")
    where = db or str(data_folder() / "house.db")
    listening = _listen(host, port)
    try:
        store, signer = keep(where if "://" in where else Path(where))
    except StoreError as error:
        listening.close()
        second = "; a second house keeps its own: --db FILE" if isinstance(error, OwnedError) else ""
        raise BadInputError(f"{error}{second}") from error
    try:
        house = Serving(store, signer, host=host, origins=tuple(origin or ()), where=where)
    except (StoreError, ValueError) as error:
        store.close()
        listening.close()
        raise BadInputError(str(error)) from error
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}"
    print(f"houseway {house.version}: {address}", file=sys.stderr)  # noqa: T201
    print(f"records in {store.where}; stop with Ctrl-C", file=sys.stderr)  # noqa: T201
    usable_rulebooks()
    if owner:
        link = house.people.invite("*", "floor").link
        print(f"the floor's invitation: {address}{link}", file=sys.stderr)  # noqa: T201
    if open_page:
        webbrowser.open(address)
    run(house, listening, _end)
    return _end()


def _listen(host: str, port: int) -> socket.socket:
    """A socket taken before anything else is, so that a busy port is told in a sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # Who comes early waits a moment: the page may be shown before the tables are taken up.
        listening.listen(BACKLOG)
    except (OSError, UnicodeError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or error
        advice = "stop what listens there, or give another --port"
        raise BadInputError(f"cannot listen on {host}:{port}: {why}; {advice}") from error
    return listening


def _end() -> NoReturn:
    """End the process: what the solver still counts in its threads is not waited for."""
    sys.stderr.flush()
    os._exit(0)
