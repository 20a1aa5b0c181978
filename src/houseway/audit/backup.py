"""Make and restore backups. A backup is a verified copy of a server's whole database in a SQLite file.

The server may be running. `houseway audit verify` and every other command can read a backup. A backup has
the database as it was at one moment. Its watermark, a file beside it, has the heads of all records at that
moment.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

import msgspec
from sqlalchemy import Connection, text

from houseway import __version__
from houseway.audit.atomic_files import atomic_file, put_new
from houseway.audit.house_log import read_head_text
from houseway.audit.kept_heads import KeptHead
from houseway.audit.sql.copy_rows import RowSum, copy_rows, require_empty, row_sums
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.sql.sqlite import SqliteStore
from houseway.audit.store import Head, Store, StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import VerificationReport
from houseway.audit.verify_house import verify_house

FORMAT: Final = "houseway backup"
PRIVATE: Final = 0o600
SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""

Checked = Callable[[VerificationReport], None]
"""A function that is called with the report of each record."""


class Watermark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state of a house at the moment of a backup."""

    format: str
    version: int
    houseway: str
    """The version of houseway that made the backup."""
    at: str
    sha256: str
    """The hash of the backup file."""
    rows: dict[str, int]
    """The number of rows in each database table."""
    heads: dict[str, str]
    """The head of each record as EVENTS:CHAIN, the format that `houseway audit verify --at-least` takes."""

    def head(self, stream: str) -> Head | None:
        """Return the head of a record, or None if the record was not there yet."""
        text = self.heads.get(stream)
        return read_head_text(text) if text else None


def watermark_file(backup: Path) -> Path:
    """Return the path of the watermark of a backup."""
    return backup.with_name(f"{backup.name}.json")


def backup_name(at: datetime) -> str:
    """Return the file name of a backup made at this time."""
    return f"houseway-{at:%Y%m%dT%H%M%SZ}.db"


def back_up(where: str | Path, target: Path, checked: Checked = lambda report: None) -> Watermark:
    """Copy a house into a new SQLite file, verify the copy and return its watermark.

    The house may be running. Raises StoreError if the copy is incomplete, and FileExistsError if the target
    exists. If a record itself has faults, they are in its report, which is passed to `checked`, and the
    copy is kept.
    """
    if target.exists():
        raise FileExistsError(17, "the file exists; choose another name", str(target))
    with closing(_sql_store(where, read_only=True)) as source, _private_folder(target.parent) as folder:
        copy = folder / "copy.db"
        with closing(SqliteStore(copy)) as made:
            with source.snapshot_of_all() as reading, made.one_transaction() as writing:
                at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
                sums = copy_rows(reading, writing)
                heads = _heads(reading)
            _compare(sums, made)
            made.to_one_file()
        with closing(SqliteStore(copy, read_only=True)) as made:
            _verify(made, None, checked)
        rows = {name: found.rows for name, found in sums.items()}
        mark = Watermark(FORMAT, 1, __version__, at, _sha256(copy), rows, heads)
        with copy.open("rb") as file:
            os.fsync(file.fileno())
        put_new(copy, target)
    with atomic_file(watermark_file(target), PRIVATE) as file:
        file.write(msgspec.json.format(msgspec.json.encode(mark), indent=2) + b"\n")
    return mark


def restore(backup: Path, where: str | Path, checked: Checked = lambda report: None) -> Watermark | None:
    """Copy a backup into an empty database and verify it. Return its watermark, if there is one.

    Raises StoreError if the database is not empty, if the backup has faults, or if the backup does not
    match its watermark.
    """
    mark = read_watermark(backup)
    if mark is not None and _sha256(backup) != mark.sha256:
        raise StoreError(f"{backup} has changed since it was made; its watermark has another hash")
    with _readable(backup) as source:
        faulty = _verify(source, mark, checked)
        if faulty:
            raise StoreError(f"{backup} has faults in {', '.join(faulty)}; nothing was restored")
        with closing(_sql_store(where)) as target:
            with target.one_transaction() as writing:
                require_empty(writing, target.where)
                with source.snapshot_of_all() as reading:
                    sums = copy_rows(reading, writing)
            _compare(sums, target)
            faulty = _verify(target, mark, lambda report: None)
            if faulty:
                raise StoreError(f"{target.where} has faults in {', '.join(faulty)}; do not use it")
    return mark


def read_watermark(backup: Path) -> Watermark | None:
    """Return the watermark beside a backup, or None if there is no such file."""
    file = watermark_file(backup)
    try:
        mark = msgspec.json.decode(file.read_bytes(), type=Watermark)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise StoreError(f"{file} is not the watermark of a backup: {error}") from error
    if (mark.format, mark.version) != (FORMAT, 1):
        raise StoreError(f"{file} is from a newer houseway; update houseway")
    return mark


def _sql_store(where: str | Path, *, read_only: bool = False) -> SqlStore:
    store = open_store(where, read_only=read_only)
    if not isinstance(store, SqlStore):
        raise StoreError(f"{where} is not a database; name a SQLite file or postgresql://…")
    return store


@contextmanager
def _private_folder(beside: Path | None) -> Iterator[Path]:
    """Yield a temporary folder that only this user can read: in `beside`, or in the system's temporary
    folder."""
    folder = Path(mkdtemp(prefix=".houseway-backup-", dir=beside))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _readable(backup: Path) -> Iterator[SqliteStore]:
    """Yield a copy of a backup, upgraded to this version's schema. The backup itself is not changed.

    Errors name the backup, not the copy.
    """
    if not backup.is_file():
        raise StoreError(f"there is no backup at {backup}")
    with backup.open("rb") as file:
        if file.read(len(SQLITE)) != SQLITE:
            raise StoreError(f"{backup} is not a backup; give a file that `houseway backup` wrote")
    with _private_folder(None) as folder:
        copy = folder / backup.name
        shutil.copyfile(backup, copy)
        try:
            source = SqliteStore(copy)
        except StoreError as error:
            raise StoreError(str(error).replace(str(copy), str(backup))) from error
        source.where = str(backup)
        with closing(source):
            yield source


def _heads(reading: Connection) -> dict[str, str]:
    rows = reading.execute(text("SELECT name, events, chain FROM streams"))
    return {name: f"{events}:{bytes(chain).hex()}" for name, events, chain in sorted(rows)}


def _compare(sums: dict[str, RowSum], made: SqlStore) -> None:
    """Raise StoreError if the rows of the copy differ from the rows that were read."""
    with made.snapshot_of_all() as reading:
        there = row_sums(reading)
    for name, found in sums.items():
        if there.get(name) != found:
            raise StoreError(f"{made.where}: the rows of {name} are not the ones that were read; try again")


def _verify(store: Store, mark: Watermark | None, checked: Checked) -> list[str]:
    """Verify all records of the house. Return the names of records that have faults.

    A record that does not contain its head in the watermark has a fault.
    """
    heads = (
        {stream: [KeptHead(read_head_text(text))] for stream, text in mark.heads.items()} if mark else {}
    )
    faulty = []
    for report in verify_house(store, kept=heads):
        checked(report)
        if not report.sound:
            faulty.append(report.stream)
    return faulty


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
