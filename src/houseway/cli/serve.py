"""`houseway serve`: run the server with its page and its API."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import webbrowser
from inspect import signature
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

from cyclopts import Parameter

from houseway.audit.atomic_files import atomic_file
from houseway.audit.store import StoreBusyError, StoreError
from houseway.cli.output import BadInputError, file_problem, skipped_rulebooks, write
from houseway.cli.serve_settings import COMMAND_LINE_ONLY, settings_lines
from houseway.engine.refusals import Refusal
from houseway.server.log_lines import without_secrets
from houseway.wording import printable

if TYPE_CHECKING:
    from houseway.server.house import HouseServer

PORTS = range(1, 65536)
BACKLOG = 2048
MOST_DAYS = 3650


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    db: str = "",
    key: Path | None = None,
    origin: list[str] | None = None,
    behind_proxy: list[str] | None = None,
    internal_address: str = "",
    secrets_key: Path | None = None,
    heads: Path | None = None,
    metrics_host: str = "127.0.0.1",
    metrics_port: int = 0,
    log_format: Literal["text", "json"] = "text",
    role_days: int = 30,
    invitation_days: int = 7,
    open_page: Annotated[bool, Parameter(name="--open", negative="")] = False,
    owner: Annotated[bool, Parameter(negative="")] = False,
    owner_file: Path | None = None,
    new_key: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    show_config: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Run the server: live tables in the browser, with play chips.

    Every event is recorded before players see it. After any stop, even a crash, the server resumes
    unfinished rounds with the same cards.

    Every option except --new-key and --show-config can also be set in the environment (--db as HOUSEWAY_DB)
    and, except --config itself, in a file (--config).

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 lets others on your network join.
    port
        The port to listen on.
    db
        The database: a file, or postgresql://user@host/database; default: house.db in your data folder.
    key
        The file with the signing key; default: beside the database file, or house.key in your data folder.
    origin
        Another website whose pages may use the API, such as https://tables.example; may be repeated.
    behind_proxy
        The address or network of a trusted proxy that terminates TLS in front of the server, such as
        127.0.0.1 or 10.0.0.0/8; may be repeated. The proxy must set X-Forwarded-For and X-Forwarded-Proto.
    internal_address
        Share a PostgreSQL database with other servers, which reach this one at HOST:PORT, such as
        10.0.0.5:8000. Each table runs on one server; if that server fails, another one continues the table.
    secrets_key
        A file with a key, under which seeds and hidden cards are encrypted in the database. If there is no
        such file, a new key is saved there. Keep a copy: without the key, no table can be resumed.
    heads
        A folder outside the database for the newest signed head of the house log. At the next start, the
        server refuses a database that does not contain it: an older copy.
    metrics_host
        The address to serve metrics on. Never choose an address that strangers can reach.
    metrics_port
        Serve metrics for Prometheus on this port; default: no metrics.
    log_format
        The format of the log on stderr: text (logfmt) or json.
    role_days
        The days after which a role expires, counted from the last visit of the person who has it.
    invitation_days
        The days after which an unused invitation expires.
    open_page
        Open the page in your browser.
    owner
        Print a link. The first person who opens it becomes the floor supervisor of every table.
    owner_file
        Write the owner link to this file, readable only by you, instead of printing it. An existing file
        is kept.
    new_key
        Sign the records with a new key, because the old one is lost. The record notes the change.
    config
        A TOML file with settings: the options by their names, such as port = 8000.
    show_config
        Print every setting with its value and its source, and exit.
    """
    from houseway.audit.store_factory import open_leases
    from houseway.live.record_files import data_folder, key_file, open_house
    from houseway.server.house import HouseServer
    from houseway.server.log_lines import configure_logs
    from houseway.server.people import Expiry
    from houseway.server.web_server import run

    where = db or str(data_folder() / "house.db")
    key = key or key_file(where)
    if show_config:
        write("\n".join(settings_lines(_in_force(locals()))))
        return 0
    if port not in PORTS:
        raise BadInputError(f"--port must be 1 to {PORTS[-1]} (got {port})")
    if metrics_port and metrics_port not in PORTS:
        raise BadInputError(f"--metrics-port must be 1 to {PORTS[-1]} (got {metrics_port})")
    if owner and log_format == "json":
        raise BadInputError(
            "--owner prints a secret link, which must not be in the log; use --owner-file FILE"
        )
    for option, days in (("--role-days", role_days), ("--invitation-days", invitation_days)):
        if not 1 <= days <= MOST_DAYS:
            raise BadInputError(f"{option} must be 1 to {MOST_DAYS} (got {days})")
    if internal_address:
        _check_internal(internal_address, new_key=new_key)
    proxies = tuple(map(_network, behind_proxy or ()))
    listening = _listen(host, port)
    try:
        place = where if "://" in where else Path(where)
        store, house_key = open_house(
            place, key, new_key=new_key, secrets_key=secrets_key, shared=bool(internal_address)
        )
    except StoreError as error:
        listening.close()
        second = "; give a second server its own --db FILE" if isinstance(error, StoreBusyError) else ""
        raise BadInputError(f"{error}{second}") from error
    configure_logs(log_format)
    try:
        if heads is not None:
            with file_problem("write", heads):
                heads.mkdir(parents=True, exist_ok=True)
        house = HouseServer(
            store,
            house_key.signer,
            host=host,
            origins=tuple(origin or ()),
            proxies=proxies,
            where=where,
            expiry=Expiry(role_days, invitation_days),
            heads=heads,
            leases=open_leases(where, internal_address) if internal_address else None,
        )
        house.house_log.check()
        _serve_metrics(house, metrics_host, metrics_port)
    except (StoreError, ValueError) as error:
        store.close()
        listening.close()
        raise BadInputError(str(error)) from error
    public = house_key.signer.public.hex()
    if house_key.created:
        house.log.write("key-created", key=public, file=str(key))
    if house_key.replaced:
        house.log.write("key-replaced", key=public, replaces=house_key.replaced)
    address = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}"
    say = _say if log_format == "text" else logging.getLogger("houseway").info
    say(f"houseway {house.version}: {address}")
    say(f"records in {store.where}; stop with Ctrl-C")
    for problem in skipped_rulebooks():
        say(problem)
    if owner:
        say(f"floor supervisor's link: {address}{_invite(house)}")
    if owner_file is not None and not owner_file.exists():
        _write_link(owner_file, f"{(origin or [address])[0].rstrip('/')}{_invite(house)}")
    if open_page:
        webbrowser.open(address)
    run(house, listening, _end)
    return _end()


def _in_force(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the settings in force, by option."""
    names = {"open_page": "open"}
    options = {
        names.get(name, name.replace("_", "-")): parameters[name] for name in signature(serve).parameters
    }
    listed = {name: value for name, value in options.items() if name not in COMMAND_LINE_ONLY}
    listed["db"] = without_secrets(parameters["where"])
    listed["metrics-port"] = listed["metrics-port"] or None
    return {name: "" if value is None else value for name, value in listed.items()}


def _say(sentence: str) -> None:
    sys.stderr.write(f"{printable(sentence)}\n")


def _serve_metrics(house: HouseServer, host: str, port: int) -> None:
    if not port:
        return
    try:
        house.metrics.serve(host, port)
    except OSError as error:
        advice = "stop the program that uses it, or choose another --metrics-port"
        raise BadInputError(f"cannot serve metrics on {host}:{port}: {error.strerror}; {advice}") from error


def _invite(house: HouseServer) -> str:
    """Return the path of a new invitation to the role of floor supervisor at every table."""
    invitation = asyncio.run(house.people.invite("*", "floor"))
    if isinstance(invitation, Refusal):
        raise BadInputError(invitation.message)
    return invitation.link


def _write_link(file: Path, link: str) -> None:
    with file_problem("write", file), atomic_file(file, 0o600, new=True) as opened:
        opened.write(f"{link}\n".encode())


def _network(text: str) -> str:
    """Return the network that a text names."""
    try:
        return str(ip_network(text))
    except ValueError as error:
        sentence = f"--behind-proxy must be an IP address or a network, such as 10.0.0.0/8 (got {text!r})"
        raise BadInputError(sentence) from error


def _check_internal(address: str, *, new_key: bool) -> None:
    from houseway.server.relay import split_address

    try:
        split_address(address)
    except ValueError as error:
        sentence = f"--internal-address must be HOST:PORT, such as 10.0.0.5:8000 (got {address!r})"
        raise BadInputError(sentence) from error
    if new_key:
        raise BadInputError(
            "--new-key needs the database alone; stop all servers, and run this without --internal-address"
        )


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
