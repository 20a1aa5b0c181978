"""`houseway serve`: run the server with its page and its API."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import time
import webbrowser
from inspect import signature
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn
from urllib.parse import urlsplit

from cyclopts import Parameter

from houseway.audit.atomic_files import atomic_file
from houseway.audit.store import StoreBusyError, StoreError
from houseway.cli.output import BadInputError, file_problem, skipped_rulebooks, write
from houseway.cli.serve_settings import COMMAND_LINE_ONLY, settings_lines
from houseway.engine.refusals import Refusal
from houseway.errors import InputError
from houseway.server.log_lines import without_secrets
from houseway.wording import printable

if TYPE_CHECKING:
    from houseway.server.certificate_desk import CertificateDesk
    from houseway.server.exam_library import ExamLibrary
    from houseway.server.house import HouseServer

PORTS = range(1, 65536)
BACKLOG = 2048
MOST_DAYS = 3650
MOST_WAIT = 100_000
"""The largest number of seconds, hours or rounds to wait for people."""


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
    certificate_key: Path | None = None,
    certificate_name: str = "",
    training: Annotated[Path | None, Parameter(name=["--training", "--school"])] = None,
    metrics_host: str = "127.0.0.1",
    metrics_port: int = 0,
    log_format: Literal["text", "json"] = "text",
    role_days: int = 30,
    invitation_days: int = 7,
    away_seconds: int = 30,
    decision_seconds: int = 300,
    ready_seconds: int = 60,
    opening_seconds: int = 10,
    stalled_seconds: int = 120,
    unattended_hours: int = 48,
    held_rounds: int = 3,
    idle_rounds: int = 3,
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

    --new-key and --show-config work only on the command line. Every other option can also be set in the
    environment (--db is HOUSEWAY_DB) and, except --config, in the file that --config names.

    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 lets others on your network join.
    port
        The port to listen on.
    db
        The database: a file, or postgresql://user@host/database; default: house.db in your data folder.
        If the file does not exist, a new database is created; its folder must exist.
    key
        The file with the signing key; default: the name of the database file with .key added, such as
        house.db.key, in the same folder. With PostgreSQL, the default is house.key in your data folder.
    origin
        Another website whose pages may use the API, such as https://tables.example; may be repeated.
        --empty-origin means none, even if the environment or the settings file names some.
    behind_proxy
        The address or network of a trusted proxy that terminates TLS in front of the server, such as
        127.0.0.1 or 10.0.0.0/8; may be repeated. The proxy must set X-Forwarded-For and X-Forwarded-Proto.
        --empty-behind-proxy means none, even if the environment or the settings file names some.
    internal_address
        Share a PostgreSQL database with other servers, which reach this one at HOST:PORT, such as
        10.0.0.5:8000. Each table runs on one server; if that server fails, another one continues the table.
    secrets_key
        A file with a key, under which seeds and hidden cards are encrypted in the database. If there is no
        such file, a new key is saved there. Keep a copy: without the key, no table can be resumed.
    heads
        A folder outside the database for the newest signed head of the house log. At the next start, the
        server refuses a database that does not contain this head, because it is an older copy.
    certificate_key
        The file with the key that signs certificates of exams passed in a class; create it with `houseway
        certificate key FILE`. Default: the server signs no certificates.
    certificate_name
        The name of your house in certificates; default: the name in FILE.public.json, which `houseway
        certificate key FILE` wrote.
    training
        A folder with TOML files of your own exams and scenarios, besides those of the program. The server
        checks them when it starts, and does not start if one has a problem. --school is the old name of
        this option.
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
    away_seconds
        The seconds that a disconnected player may take to decide at a table without a clock, if others are
        waiting. The table waits four times as long for a disconnected dealer or floor supervisor.
    decision_seconds
        The seconds that a connected player may take to decide at a table without a clock, if others are
        waiting. If no other player is waiting, a connected player has no limit, and a disconnected player
        has --decision-seconds instead of --away-seconds.
    ready_seconds
        The seconds that a player may take to bet or to say ready at a table without a clock, if others are
        waiting.
    opening_seconds
        The seconds that players' programs may take to open their salts (random bytes that help to decide
        the cut) before the deck is discarded.
    stalled_seconds
        The seconds until the server refunds the round of a table that cannot continue, if no floor
        supervisor is connected.
    unattended_hours
        The hours until the server refunds a round that waits for a floor supervisor, if none is connected.
    held_rounds
        The rounds for which the seat of a disconnected player is held.
    idle_rounds
        The number of consecutive rounds in which a connected player may miss the time for betting. After
        that, the server removes the player if no floor supervisor is connected.
    open_page
        Open the page in your browser.
    owner
        Print a link. The first person who opens it becomes the floor supervisor of every table.
    owner_file
        Write the owner link to this file, readable only by you, instead of printing it. An existing file
        is kept.
    new_key
        Sign the records with a new key, if the old one is lost or you replace it. The house log records the
        change.
    config
        A TOML file with settings: the options by their names, such as port = 8000.
    show_config
        Print every setting with its value and its source, and exit.
    """
    from houseway.audit.store_factory import open_leases
    from houseway.live.clock import Patience
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
    waits = {
        "--away-seconds": away_seconds,
        "--decision-seconds": decision_seconds,
        "--ready-seconds": ready_seconds,
        "--opening-seconds": opening_seconds,
        "--stalled-seconds": stalled_seconds,
        "--unattended-hours": unattended_hours,
        "--held-rounds": held_rounds,
        "--idle-rounds": idle_rounds,
    }
    for option, value in waits.items():
        if not 1 <= value <= MOST_WAIT:
            raise BadInputError(f"{option} must be 1 to {MOST_WAIT} (got {value})")
    if internal_address:
        _check_internal(internal_address, new_key=new_key)
    origins = tuple(map(_origin, origin or ()))
    proxies = tuple(map(_network, behind_proxy or ()))
    certificates = _certificates(certificate_key, certificate_name)
    library = _exam_library(training)
    listening = _listen(host, port)
    try:
        place = where if "://" in where else Path(where)
        created = isinstance(place, Path) and not place.exists()
        store, house_key = open_house(
            place, key, new_key=new_key, secrets_key=secrets_key, shared=bool(internal_address)
        )
    except StoreError as error:
        listening.close()
        second = "; give a second server its own --db FILE" if isinstance(error, StoreBusyError) else ""
        raise BadInputError(f"{error}{second}") from error
    configure_logs(log_format)
    say = _say if log_format == "text" else logging.getLogger("houseway").info
    if created:
        say(f"{store.where} did not exist; created a new, empty database")
    try:
        if heads is not None:
            with file_problem("write", heads):
                heads.mkdir(parents=True, exist_ok=True)
        house = HouseServer(
            store,
            house_key.signer,
            host=host,
            origins=origins,
            proxies=proxies,
            where=where,
            expiry=Expiry(role_days, invitation_days),
            heads=heads,
            leases=open_leases(where, internal_address) if internal_address else None,
            certificates=certificates,
            exam_library=library,
            patience=Patience(
                away=away_seconds,
                decision=decision_seconds,
                ready=ready_seconds,
                opening=opening_seconds,
                stalled=stalled_seconds,
                unattended=3600.0 * unattended_hours,
                rounds_away=held_rounds,
                rounds_idle=idle_rounds,
            ),
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
    say(f"houseway {house.version}: {address}")
    say(f"records in {store.where}; stop with Ctrl-C")
    for problem in skipped_rulebooks():
        say(problem)
    if owner:
        say(f"floor supervisor's link: {address}{_invite(house)}")
    if owner_file is not None and not owner_file.exists():
        _write_link(owner_file, f"{(origins or (address,))[0]}{_invite(house)}")
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


def _origin(text: str) -> str:
    """Return an origin without a slash at the end."""
    try:
        parts = urlsplit(text.removesuffix("/"))
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or parts.geturl() != f"{parts.scheme}://{parts.netloc}" or "@" in parts.netloc:
        sentence = f"--origin must be a scheme and a host, such as https://tables.example (got {text!r})"
        raise BadInputError(sentence)
    return parts.geturl()


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
            "--new-key works only while no other server uses the database; stop all servers, and run this"
            " without --internal-address"
        )


def _certificates(key: Path | None, name: str) -> CertificateDesk | None:
    """Return the desk that signs certificates with a key."""
    from houseway.server.certificate_desk import CertificateDesk

    if key is None and name:
        raise BadInputError("--certificate-name needs a key; add --certificate-key FILE")
    try:
        return CertificateDesk(key, name, time.time) if key is not None else None
    except InputError as error:
        raise BadInputError(f"certificates cannot be signed: {error}") from error


def _exam_library(folder: Path | None) -> ExamLibrary | None:
    """Return the exams and scenarios of a folder, with those of the program."""
    from houseway.server.exam_library import ExamLibraryError, read_exam_library

    try:
        return read_exam_library(folder) if folder is not None else None
    except ExamLibraryError as error:
        raise BadInputError(*str(error).splitlines()) from error


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
