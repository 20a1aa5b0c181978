"""After a power cut, all acknowledged events are on disk. The files are rebuilt from the data that SQLite had synced."""

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

from .kill_script import STREAM, house, next_command, resume_or_open
from .power import Disk, File, Note

ENTRIES = sample("power cuts")
OLD = (3, 51, 2)


class PowerError(AssertionError):
    """An acknowledged event is missing after a power cut."""


def play_on_disk(folder: Path, kind: type[SqliteStore], version: tuple[int, ...]) -> Disk:
    """Play a table and return its disk with the log of operations."""
    disk = Disk(f"{folder.name} {kind.__name__}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "library", lambda: disk.library(version))
        with closing(kind(folder / "record.db")) as store:
            live = resume_or_open(house(store))
            for _ in range(ENTRIES):
                assert isinstance(live.send(next_command(live)), Accepted)
                disk.notes.append(Note("acknowledged", at=live.head.events, data=live.head.chain))
    return disk


def power_cuts(disk: Disk, folder: Path, rng: Random) -> Iterator[tuple[Head, Path]]:
    """Yield records after power cuts at every sync and acknowledgement, and at some of the writes between them.

    Each record is rebuilt twice: from synced data only, and with a random part of the unsynced data.
    """
    acknowledged = Head.first(STREAM)
    for note, files in disk.moments():
        if note.kind == "acknowledged":
            acknowledged = Head(note.at, note.data)
        if not acknowledged.events or (note.kind == "write" and rng.random() >= 0.05):
            continue
        for chance in (None, rng):
            yield acknowledged, rebuild(files, folder, chance)


def rebuild(files: dict[str, File], folder: Path, rng: Random | None) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, file in files.items():
        content = file.after_power_cut(rng)
        if content is not None:
            (folder / name).write_bytes(content)
    return folder / "record.db"


def check(acknowledged: Head, path: Path) -> None:
    """Check that all acknowledged events are there, that the chain is unbroken, and that the file is not corrupt."""
    try:
        with closing(SqliteStore(path)) as store:
            sound = store._writing().exec_driver_sql("PRAGMA integrity_check").scalar()
            head, chains = Head.first(STREAM), {}
            for stored in store.entries(STREAM):
                assert link(head.chain, stored.public) == stored.chain
                head = Head(stored.last, stored.chain)
                chains[head.events] = head.chain
    except StoreError as error:
        raise PowerError(f"after {acknowledged.events} events: {error}") from error
    if sound != "ok":
        raise PowerError(f"after {acknowledged.events} events the file is not sound: {sound}")
    if chains.get(acknowledged.events) != acknowledged.chain:
        raise PowerError(f"{acknowledged.events} events were acknowledged, {head.events} were found")


def check_all(disk: Disk, folder: Path, seed: str) -> int:
    count = 0
    for acknowledged, path in power_cuts(disk, folder, Random(seed)):
        check(acknowledged, path)
        count += 1
    return count


class Frequent(SqliteStore):
    """A store that checkpoints its write-ahead log so often that even a short record has checkpoints."""

    def _settle(self, connection: Connection) -> str:
        about = super()._settle(connection)
        connection.exec_driver_sql("PRAGMA wal_autocheckpoint = 50")
        return about


@pytest.mark.parametrize("version", [SOUND, OLD], ids=["write-ahead log", "rollback journal"])
def test_everything_acknowledged_survives_a_power_cut(tmp_path: Path, version: tuple[int, ...]) -> None:
    (tmp_path / "played").mkdir()
    disk = play_on_disk(tmp_path / "played", Frequent, version)
    kinds = [(note.kind, note.name) for note in disk.notes]
    first, last = kinds.index(("acknowledged", "")), len(kinds) - kinds[::-1].index(("acknowledged", ""))
    assert kinds[first:last].count(("sync", "record.db")) >= 3, "the database file itself was not written"
    assert check_all(disk, tmp_path / "found", "power") > 2 * ENTRIES
    # The last rebuilt record can be continued normally.
    with closing(SqliteStore(tmp_path / "found" / "record.db")) as store:
        live = LiveTable.resume(house(store), STREAM)
        assert live.head.events == max(note.at for note in disk.notes if note.kind == "acknowledged")
        assert isinstance(live.send(next_command(live)), Accepted)


class NeverSyncs(SqliteStore):
    """Planted fault: never syncs."""

    level = "OFF"

    def _settle(self, connection: Connection) -> str:
        about = super()._settle(connection)
        connection.exec_driver_sql(f"PRAGMA synchronous = {self.level}")
        return about.replace("EXTRA", self.level)


class SyncsAtCheckpoints(NeverSyncs):
    """Planted fault: syncs its write-ahead log only at checkpoints."""

    level = "NORMAL"


class LeavesFolderUnsynced(NeverSyncs):
    """Planted fault, with a rollback journal: does not sync the folder after deleting the journal."""

    level = "FULL"


@pytest.mark.parametrize(
    ("kind", "version"),
    [(NeverSyncs, SOUND), (SyncsAtCheckpoints, SOUND), (NeverSyncs, OLD), (LeavesFolderUnsynced, OLD)],
)
def test_a_store_that_leaves_out_a_sync_is_detected(
    tmp_path: Path, kind: type[SqliteStore], version: tuple[int, ...]
) -> None:
    (tmp_path / "played").mkdir()
    disk = play_on_disk(tmp_path / "played", kind, version)
    with pytest.raises(PowerError):
        check_all(disk, tmp_path / "found", "power")
