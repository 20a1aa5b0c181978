"""`people`: list the people of a house and their roles, revoke roles and tokens, create recovery links,
export and erase a person's progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from cyclopts import App

from houseway.audit.encrypted_store import with_secrets_key
from houseway.audit.handles import folded
from houseway.audit.store import HouseStore
from houseway.audit.store_factory import open_store
from houseway.cli.output import BadInputError, write, write_json
from houseway.client.messages import Role
from houseway.live.house_key import key_history, open_key
from houseway.live.offload import run_now
from houseway.live.personal_streams import PersonalReader
from houseway.live.record_files import key_file
from houseway.live.table_services import now
from houseway.server.people import EVERYWHERE, OPERATOR, People
from houseway.server.progress import ProgressStore, export_progress
from houseway.wording import printable, several

people = App(
    name="people",
    help=(
        "List people and roles, revoke roles and tokens, create recovery links, export or erase training"
        " data."
    ),
)


@contextmanager
def _people(db: str) -> Iterator[People]:
    """Yield the people in a database. The server may be running: only records are limited to one writer."""
    with closing(open_store(db, read_only=True)) as store:
        yield People(store)


def _no_person(handle: str, db: str) -> BadInputError:
    return BadInputError(f"there is no person {handle!r}; see houseway people list {db}")


@people.command(name="list")
def list_people(db: str, /, *, json: bool = False) -> None:
    """List the handles: when each was created and last used, and whether it is signed out.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    json
        Print one JSON document.
    """
    with closing(open_store(db, read_only=True)) as store:
        rows = store.people_rows().everyone()
    if json:
        write_json({"people": [{"handle": row.handle, **_dates(row.created_at, row.last_seen_at),
                                "recorded": row.recorded_at is not None, "signed_in": bool(row.token)}
                               for row in rows]})  # fmt: skip
        return
    for row in rows:
        created, last = _dates(row.created_at, row.last_seen_at).values()
        notes = ", signed out" * (not row.token) + ", never at a table" * (row.recorded_at is None)
        write(f"{printable(row.handle)}: created {created}, last used {last}{notes}")
    write(several(len(rows), "handle"))


@people.command
def roles(db: str, /, *, table: str = "", json: bool = False) -> None:
    """List the roles that people have, who gave them and when they expire.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    table
        Only the roles at this table; * lists the roles that apply at every table.
    json
        Print one JSON document.
    """
    with _people(db) as known:
        grants = run_now(known.grants(table or None))
    if json:
        write_json({"grants": grants})
        return
    for grant in grants:
        by = f"given by {printable(grant.granted_by)} " if grant.granted_by else "given "
        write(
            f"{printable(grant.handle)}: {grant.role} at {_place(grant.table)},"
            f" {by}{grant.granted_at[:10]}, expires {grant.expires_at[:10]}"
        )
    write(several(len(grants), "role"))


@people.command
def revoke_role(db: str, handle: str, role: Role, /, *, table: str = EVERYWHERE) -> None:
    """Revoke a person's role. This takes effect within a second, even while the server runs.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    handle
        The person.
    role
        The role.
    table
        The table; default: the role at every table.
    """
    with _people(db) as known:
        refused = run_now(known.take(handle, table, role, OPERATOR))
    if refused is not None:
        raise BadInputError(refused.message)
    write(f"{printable(handle)} no longer has the role {role} at {_place(table)}")


@people.command
def revoke_token(db: str, handle: str, /) -> None:
    """Sign a person out everywhere. The handle stays taken; a recovery link gives access again.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    handle
        The person.
    """
    with _people(db) as known:
        revoked = run_now(known.revoke(handle, OPERATOR))
    if not revoked:
        raise _no_person(handle, db)
    write(f"{printable(handle)} is signed out")


@people.command
def recovery_link(db: str, handle: str, /, *, address: str = "http://127.0.0.1:8000") -> None:
    """Print a link that signs a person in on a new device, once. The old token then stops working.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    handle
        The person.
    address
        The address of the server, as players see it.
    """
    with _people(db) as known:
        link = run_now(known.recovery(handle))
    if link is None:
        raise _no_person(handle, db)
    write(f"{address.rstrip('/')}{link.link}")
    write(f"The link works once, for {link.hours} hours. Send it to {printable(handle)} only.")


@people.command
def progress(db: str, handle: str, /, *, secrets_key: Path | None = None) -> None:
    """Print what the server stores about a person's training, as one JSON document.

    The person can download the same document from the page. Use this if the person has lost access.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    handle
        The person.
    secrets_key
        The file with the key of a database whose secrets are encrypted (serve --secrets-key).
    """
    store = with_secrets_key(open_store(db, read_only=True), secrets_key, writes=False)
    with closing(store):
        shown = _known_handle(store, handle, db)
        keys = key_history(store)
        streams = PersonalReader(store, bytes.fromhex(keys[-1].key) if keys else b"")
        write_json(export_progress(store, streams, shown, now()))


@people.command
def erase_progress(
    db: str, handle: str, /, *, key: Path | None = None, secrets_key: Path | None = None
) -> None:
    """Erase what the server stores about a person's training. This cannot be undone.

    The person can do this on the page. Use this command if the person has lost access, or after you
    restored a backup from before the person erased it. Stop the server first.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    handle
        The person.
    key
        The file with the house's signing key; default: where the server expects it.
    secrets_key
        The file with the key of a database whose secrets are encrypted (serve --secrets-key).
    """
    # Check the name first: a database that is opened for writing would be created if it does not exist.
    with closing(open_store(db, read_only=True)) as store:
        shown = _known_handle(store, handle, db)
    with closing(with_secrets_key(open_store(db), secrets_key, writes=False)) as store:
        signer = open_key(store, key or key_file(db)).signer
        gone = run_now(ProgressStore(store, signer).erase(shown, OPERATOR))
    if gone.erased:
        write(f"the progress of {printable(shown)} is erased; backups from before still have it")
    else:
        write(f"{printable(shown)} has no progress to erase")


def _known_handle(store: HouseStore, handle: str, db: str) -> str:
    """Return a handle as its person chose it."""
    row = store.people_rows().by_name(folded(handle), 0)
    if row is None:
        raise _no_person(handle, db)
    return row.handle


def _place(table: str) -> str:
    return "every table" if table == EVERYWHERE else printable(table)


def _dates(created_at: int, last_seen_at: int) -> dict[str, str]:
    times = {"created_at": created_at, "last_seen_at": last_seen_at}
    return {name: f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}" for name, at in times.items()}
