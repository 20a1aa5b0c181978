"""When the power goes, everything acknowledged is on the disk: SQLite's file made anew from what was synced."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection

from houseway.audit.entries import link
from houseway.audit.sql import sqlite
from houseway.audit.sql.sqlite import SOUND, SqliteStore
from houseway.audit.store import Head, StoreError
from houseway.live import Accepted, LiveTable
from samples import sample

from .kill_script import STREAM, house, next_command, taken_up
from .power import Disk, File, Note

ENTRIES = sample("power cuts")
OLD = (3, 51, 2)


class PowerError(AssertionError):
    """Something acknowledged was not found when the power came back."""


def written(folder: Path, kind: type[SqliteStore], version: tuple[int, ...]) -> Disk:
    """The notes of a disk on which a table was played."""
    disk = Disk(f"{folder.name} {kind.__name__}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "library", lambda: disk.library(version))
        with closing(kind(folder / "record.db")) as store:
            live = taken_up(house(store))
            for _ in range(ENTRIES):
                assert isinstance(live.send(next_command(live)), Accepted)
                disk.notes.append(Note("told", at=live.head.events, data=live.head.chain))
    return disk


def power_goes(disk: Disk, folder: Path, rng: Random) -> Iterator[tuple[Head, Path]]:
    """Records as they may be found: after every sync and answer and some of the writes between, once with
    what is sure and once with some of what is not."""
    told = Head.first(STREAM)
    for note, files in disk.moments():
        if note.what == "told":
            told = Head(note.at, note.data)
        if not told.events or (note.what == "write" and rng.random() >= 0.05):
            continue
        for chance in (None, rng):
            yield told, found(files, folder, chance)


def found(files: dict[str, File], folder: Path, rng: Random | None) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, file in files.items():
        content = file.found(rng)
        if content is not None:
            (folder / name).write_bytes(content)
    return folder / "record.db"


def look(told: Head, path: Path) -> None:
    """What was acknowledged is there, the chain holds, and the file is sound."""
    try:
        with closing(SqliteStore(path)) as store:
            sound = store._writing().exec_driver_sql("PRAGMA integrity_check").scalar()
            head, chains = Head.first(STREAM), {}
            for stored in store.entries(STREAM):
                assert link(head.chain, stored.public) == stored.chain
                head = Head(stored.last, stored.chain)
                chains[head.events] = head.chain
    except StoreError as error:
        raise PowerError(f"after {told.events} events: {error}") from error
    if sound != "ok":
        raise PowerError(f"after {told.events} events the file is not sound: {sound}")
    if chains.get(told.events) != told.chain:
        raise PowerError(f"{told.events} events were acknowledged, {head.events} were found")


def look_at_all(disk: Disk, folder: Path, seed: str) -> int:
    looked = 0
    for told, path in power_goes(disk, folder, Random(seed)):
        look(told, path)
        looked += 1
    return looked


class Frequent(SqliteStore):
    """Moves its write-ahead log into the file so often that a short record sees it."""

    def _settle(self, connection: Connection) -> str:
        about = super()._settle(connection)
        connection.exec_driver_sql("PRAGMA wal_autocheckpoint = 50")
        return about


@pytest.mark.parametrize("version", [SOUND, OLD], ids=["write-ahead log", "rollback journal"])
def test_everything_acknowledged_survives(tmp_path: Path, version: tuple[int, ...]) -> None:
    (tmp_path / "played").mkdir()
    disk = written(tmp_path / "played", Frequent, version)
    what = [(note.what, note.name) for note in disk.notes]
    first, last = what.index(("told", "")), len(what) - what[::-1].index(("told", ""))
    assert what[first:last].count(("sync", "record.db")) >= 3, "the file itself was not written meanwhile"
    assert look_at_all(disk, tmp_path / "found", "power") > 2 * ENTRIES
    # What was found last goes on as if nothing had been.
    with closing(SqliteStore(tmp_path / "found" / "record.db")) as store:
        live = LiveTable.resume(house(store), STREAM)
        assert live.head.events == max(note.at for note in disk.notes if note.what == "told")
        assert isinstance(live.send(next_command(live)), Accepted)


class Careless(SqliteStore):
    """Planted: does not sync at all."""

    level = "OFF"

    def _settle(self, connection: Connection) -> str:
        about = super()._settle(connection)
        connection.exec_driver_sql(f"PRAGMA synchronous = {self.level}")
        return about.replace("EXTRA", self.level)


class Usual(Careless):
    """Planted: syncs its write-ahead log only when it is moved into the file."""

    level = "NORMAL"


class Full(Careless):
    """Planted, with a rollback journal: does not sync the folder the journal is deleted from."""

    level = "FULL"


@pytest.mark.parametrize(
    ("kind", "version"), [(Careless, SOUND), (Usual, SOUND), (Careless, OLD), (Full, OLD)]
)
def test_a_store_that_syncs_less_is_found_out(
    tmp_path: Path, kind: type[SqliteStore], version: tuple[int, ...]
) -> None:
    (tmp_path / "played").mkdir()
    disk = written(tmp_path / "played", kind, version)
    with pytest.raises(PowerError):
        look_at_all(disk, tmp_path / "found", "power")
