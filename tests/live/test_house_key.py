"""The house's key: a lost key is not replaced silently, and a key that others can read is refused."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from houseway.audit.archive import Archive, import_record
from houseway.audit.export import export_lines
from houseway.audit.signatures import Signer
from houseway.audit.store import HouseStore, StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.engine import commands as c
from houseway.live import LiveTable, TableServices
from houseway.live.house_key import key_history
from houseway.live.record_files import key_file, open_house
from houseway.rules.loader import load


def play(store: HouseStore, signer: Signer, stream: str = "table:1") -> LiveTable:
    """Open a table and take snapshots often."""
    opening = c.OpenTable(designated=("ultimate",), examples=True)
    services = TableServices(store, signer, snapshot_every=5)
    live = LiveTable.open(services, stream, load("uth-ma"), {}, opening)
    assert isinstance(live, LiveTable)
    for command in (c.Sit(seat=1, player="Ann", account="Ann"), c.Bet(seat=1, wagers={"ante": 1000})):
        live.advance()
        live.send(command)
    live.advance()
    return live


def house_with_records(db: Path) -> str:
    """Create a house with one table, and return its public key."""
    store, key = open_house(db)
    with closing(store):
        assert key.created
        assert not key.replaced
        play(store, key.signer)
        return key.signer.public.hex()


def test_a_house_keeps_its_key(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    public = house_with_records(db)
    store, key = open_house(db)
    with closing(store):
        assert (key.signer.public.hex(), key.created, key.replaced) == (public, False, "")
        assert [period.key for period in key_history(store)] == [public]


def test_a_lost_key_is_not_replaced_silently(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    public = house_with_records(db)
    key_file(db).unlink()
    for _ in range(2):
        with pytest.raises(
            StoreError, match=f"house.db.key is missing, .* signed with {public[:16]}…; restore"
        ):
            open_house(db)
    assert not key_file(db).exists()


def test_another_key_is_refused(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    house_with_records(db)
    key_file(db).unlink()
    Signer.kept(key_file(db))
    with pytest.raises(StoreError, match="is another key"):
        open_house(db)


def test_the_key_of_a_record_without_a_key_history_is_required(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    with closing(open_store(db)) as store:
        play(store, Signer.kept(key_file(db)))
        assert key_history(store) == ()
    store, key = open_house(db)
    with closing(store):
        assert not key.created
        assert key_history(store)
    key_file(db).unlink()
    with pytest.raises(StoreError, match="is missing"):
        open_house(db)


def test_a_new_key_signs_the_records_again_and_is_stored(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    old = house_with_records(db)
    key_file(db).unlink()
    store, key = open_house(db, new_key=True)
    new = key.signer.public
    with closing(store):
        assert (key.created, key.replaced) == (True, old)
        assert [period.key for period in key_history(store)] == [old, new.hex()]
        assert store.snapshots("table:1")
        live = LiveTable.resume(TableServices(store, key.signer, snapshot_every=5), "table:1")
        live.send(c.Check(seat=1))
        live.advance()
        for stream in store.streams():
            report = verify(store, stream, key=new)
            assert report.sound, report.faults
    store, key = open_house(db)
    with closing(store):
        assert key.signer.public == new


def test_a_forged_head_is_not_signed_again(tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    house_with_records(db)
    key_file(db).unlink()
    with closing(open_store(db)) as store:
        store._writing().exec_driver_sql(  # type: ignore[attr-defined]
            "UPDATE streams SET signature = zeroblob(64) WHERE name = 'table:1'"
        )
    with pytest.raises(StoreError, match=r"table:1: the signature of the head is invalid"):
        open_house(db, new_key=True)


def test_an_imported_record_keeps_its_key(tmp_path: Path) -> None:
    db, file = tmp_path / "house.db", tmp_path / "moved.jsonl"
    with closing(open_store(tmp_path / "other.db")) as other:
        play(other, Signer(bytes(32)), "elsewhere")
        file.write_bytes(b"".join(export_lines(other, "elsewhere", secrets=True)))
    house_with_records(db)
    with closing(open_store(db)) as store:
        import_record(store, Archive(file))
    store, _ = open_house(db)
    store.close()
    key_file(db).unlink()
    store, key = open_house(db, new_key=True)
    with closing(store):
        head, own = store.head("elsewhere"), store.head("table:1")
        assert head is not None
        assert own is not None
        assert head.key == Signer(bytes(32)).public
        assert own.key == key.signer.public


@pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have these file permissions")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_can_read_is_refused(mode: int, tmp_path: Path) -> None:
    db = tmp_path / "house.db"
    house_with_records(db)
    key_file(db).chmod(mode)
    with pytest.raises(StoreError, match=r"other users .*; run: chmod 600 .*house.db.key"):
        open_house(db)
    key_file(db).chmod(0o400)
    store, _ = open_house(db)
    store.close()
