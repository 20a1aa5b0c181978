"""`people`: list the people of a house and their roles, revoke roles and tokens, create recovery links."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime

from cyclopts import App

from houseway.audit.store_factory import open_store
from houseway.cli.output import BadInputError, write, write_json
from houseway.client.messages import Role
from houseway.live.offload import run_now
from houseway.server.people import EVERYWHERE, OPERATOR, People
from houseway.wording import printable, several

people = App(name="people", help="List people and roles, revoke them, create recovery links.")


@contextmanager
def _people(db: str) -> Iterator[People]:
    """Yield the people in a database. The server may be running: people need no single writer."""
    with closing(open_store(db, read_only=True)) as store:
        yield People(store)


def _no_person(handle: str, db: str) -> BadInputError:
    return BadInputError(f"there is no person {handle!r}; see houseway people list {db}")


@people.command(name="list")
def list_people(db: str, /, *, json: bool = False) -> None:
    """List the handles: when each was created and last used, and whether it can sign in.

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
        notes = ", no token" * (not row.token) + ", not on record" * (row.recorded_at is None)
        write(f"{printable(row.handle)}: created {created}, last here {last}{notes}")
    write(several(len(rows), "handle"))


@people.command
def roles(db: str, /, *, table: str = "", json: bool = False) -> None:
    """List the roles that people have, who gave them and when they expire.

    Parameters
    ----------
    db
        The database of the house: a SQLite file or postgresql://….
    table
        Only the roles at this table; * is the role at every table.
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
    """Take a role from a person. It takes effect within a second, also if the server is running.

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


def _place(table: str) -> str:
    return "every table" if table == EVERYWHERE else printable(table)


def _dates(created_at: int, last_seen_at: int) -> dict[str, str]:
    times = {"created_at": created_at, "last_seen_at": last_seen_at}
    return {name: f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d}" for name, at in times.items()}
