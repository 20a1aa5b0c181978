"""Personal streams: encrypted under a key per person, chained, bounded, and erased without breaking the
chain, on every kind of store."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from houseway.audit.archive import Archive
from houseway.audit.backup import back_up, restore
from houseway.audit.encrypted_store import EncryptedStore
from houseway.audit.export import export_lines
from houseway.audit.memory_store import MemoryStore
from houseway.audit.personal_entries import KINDS, key_name
from houseway.audit.sql import migrate
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.store import Head, HouseStore, Store, StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.streams import HOUSE_LOG, is_table, personal_stream
from houseway.audit.verify import VerificationReport, verify
from houseway.audit.verify_house import verify_house
from houseway.cli.app import main
from houseway.engine.refusals import Refusal
from houseway.live import personal_streams
from houseway.live.house_log_writer import HouseLog
from houseway.live.personal_streams import PersonalStreams
from record.batches import batch
from record.places import KINDS as STORES
from record.places import Place
from record.recorded import SIGNER, ticking
from record.servers import Server
from record.tables import metadata
from record.test_store_schema import differences, downgrade

ANN = personal_stream("Ann")


@pytest.fixture(params=STORES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    location = Place.new(request.param, tmp_path, request)
    yield location
    location.close()


@pytest.fixture
def sqlite(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    location = Place.new("sqlite", tmp_path, request)
    yield location
    location.close()


class House:
    """A store with a house log and personal streams."""

    def __init__(self, store: Any) -> None:
        clock = ticking()
        self.store: HouseStore = store
        self.log = HouseLog(store, SIGNER, lambda: next(clock))
        self.log.open()
        self.streams = PersonalStreams(store, SIGNER, self.log, lambda: next(clock))

    def add(self, handle: str, n: int, kind: str = "drill", **more: Any) -> int:
        added = self.streams.append(handle, kind, {"n": n}, **more)
        assert isinstance(added, int)
        return added

    def bodies(self, handle: str, *args: Any) -> list[Any]:
        return [entry.body for entry in self.streams.entries(handle, *args)]


def reports(store: Store) -> dict[str, VerificationReport]:
    return {report.stream: report for report in verify_house(store, key=SIGNER.public)}


def fault_codes(store: Store, stream: str = ANN) -> list[str]:
    return [fault.code for fault in reports(store)[stream].faults]


def edit(place: Place, statement: str, **values: Any) -> None:
    """Change a database behind houseway's back."""
    with closing(sqlite3.connect(place.where)) as connection, connection:
        assert connection.execute(statement, values).rowcount


# --- appending and reading ---


def test_progress_is_read_back_in_order_by_kind_and_number(place: Place) -> None:
    house = House(place.open())
    assert [house.add("Ann", 1), house.add("Ann", 2, "find"), house.add("Ann", 3)] == [1, 2, 3]
    assert house.streams.append("Bob", "training", b"a file\n") == 1
    assert house.bodies("Ann") == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert house.bodies("Ann", "drill") == [{"n": 1}, {"n": 3}]
    assert house.bodies("Ann", None, 2) == [{"n": 3}]
    assert house.bodies("ANN") == house.bodies("Ann")
    assert house.bodies("Bob") == ["a file\n"]
    assert house.bodies("Cid") == []
    house.log.checkpoint()
    again = place.reopen(house.store)
    assert [report.sound for report in reports(again).values()] == [True] * 3
    assert PersonalStreams(again, SIGNER).entries("Ann")[2].kind == "drill"


def test_the_database_has_no_word_of_the_progress_in_plain_text(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.streams.append("Ann", "review", {"remark": "misread the kicker"})
    assert house.bodies("Ann") == [{"remark": "misread the kicker"}]
    house.store.close()
    files = Path(sqlite.where).parent.glob("record.db*")
    content = b"".join(file.read_bytes() for file in files)
    assert b"person:ann" in content
    assert b"kicker" not in content
    assert b"review" not in content


def test_progress_with_the_same_key_counts_once(place: Place) -> None:
    house = House(place.open())
    assert house.add("Ann", 1, key="session 7") == house.add("Ann", 2, key="session 7") == 1
    assert house.add("Ann", 3, key="session 8") == 2
    assert house.add("Bob", 4, key="session 7") == 1
    assert house.bodies("Ann") == [{"n": 1}, {"n": 3}]


def test_several_entries_are_stored_all_or_none(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(place.open())
    house.add("Ann", 1)
    several = [{"n": n} for n in (2, 3, 4)]
    assert house.streams.append_all("Ann", "rounds", several, key="file") == 2
    assert house.streams.append_all("Ann", "rounds", several, key="file") == 2
    assert house.bodies("Ann", "rounds") == several
    # The third entry would exceed the limit, and a body in the middle cannot be stored.
    monkeypatch.setattr(personal_streams, "MOST_ENTRIES", 6)
    refusal = house.streams.append_all("Ann", "rounds", several)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "progress-full"
    refusal = house.streams.append_all("Ann", "rounds", [{"n": 5}, b"\xff"])
    assert isinstance(refusal, Refusal)
    assert len(house.bodies("Ann")) == 4
    house.log.checkpoint()
    assert [report.sound for report in reports(place.reopen(house.store)).values()] == [True] * 2


def test_a_personal_stream_is_no_table() -> None:
    assert is_table("loire-1")
    assert not is_table(ANN)
    assert ANN == "person:ann"


# --- limits ---


def test_what_is_not_allowed_is_refused_and_nothing_is_stored() -> None:
    house = House(MemoryStore())

    def code(kind: str, body: Any) -> str:
        refused = house.streams.append("Ann", kind, body)
        assert isinstance(refused, Refusal)
        return refused.code

    assert code("diary", {}) == "unknown-kind"
    assert code("drill", b"\xff") == "bad-progress"
    assert code("drill", {"at": object()}) == "bad-progress"
    assert code("drill", {"text": "x" * personal_streams.MOST_BODY}) == "progress-too-long"
    assert house.store.head(ANN) is None
    assert set(KINDS) >= {"drill", "training", "exam", "find", "review"}


def test_a_person_stores_a_bounded_number_of_entries_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(personal_streams, "MOST_ENTRIES", 3)
    house = House(MemoryStore())
    for n in range(3):
        house.add("Ann", n)
    refused = house.streams.append("Ann", "drill", {})
    assert isinstance(refused, Refusal)
    assert refused.code == "progress-full"
    assert "you have 3 entries" in refused.message
    monkeypatch.setattr(personal_streams, "MOST_BYTES", 400)
    assert house.streams.append("Bob", "drill", {"text": "x" * 250}) == 1
    refused = house.streams.append("Bob", "drill", {"text": "x" * 250})
    assert isinstance(refused, Refusal)
    assert "400 bytes" in refused.message
    # Erasing makes room.
    assert house.streams.erase("Ann")
    assert house.add("Ann", 9) == 5


# --- erasing ---


def test_erasing_deletes_the_key_and_the_contents_and_keeps_the_chain(place: Place) -> None:
    house = House(place.open())
    for n in (1, 2, 3):
        house.add("Ann", n)
    house.add("Bob", 7)
    house.log.checkpoint()
    key = house.store.secret(ANN, key_name(1))
    before = [entry.public for entry in house.store.entries(ANN)]
    assert house.streams.erase("Ann")
    assert not house.streams.erase("Ann")
    assert not house.streams.erase("Cid")
    assert key is not None
    assert house.store.secret(ANN, key_name(1)) is None
    assert house.bodies("Ann") == []
    assert [entry.sealed for entry in house.store.entries(ANN)] == [b""] * 4
    assert [entry.public for entry in house.store.entries(ANN)][:3] == before
    assert house.bodies("Bob") == [{"n": 7}]
    house.log.close()
    again = place.reopen(house.store)
    found = reports(again)
    assert all(report.sound for report in found.values())
    assert found[ANN].events == 4
    assert [note.partition(", at")[0] for note in found[ANN].notes] == ["erased: 3 entries"]
    assert found[ANN].lacked == ()
    assert found[personal_stream("Bob")].notes == ()


def test_a_person_can_start_again_after_erasing(place: Place) -> None:
    house = House(place.open())
    house.add("Ann", 1, key="session 7")
    old = house.store.secret(ANN, key_name(1))
    house.streams.erase("Ann")
    assert house.add("Ann", 2, key="session 7") == 3
    assert house.bodies("Ann") == [{"n": 2}]
    assert house.store.secret(ANN, key_name(2)) not in (None, old)
    house.streams.erase("Ann")
    assert len(house.streams.erasures("Ann")) == 2
    assert house.add("Ann", 3) == 5
    house.log.checkpoint()
    report = reports(house.store)[ANN]
    assert report.sound
    assert len(report.notes) == 2
    assert house.bodies("Ann") == [{"n": 3}]


def test_the_erased_key_is_not_left_in_the_file(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    key, sealed = house.store.secret(ANN, key_name(1)), next(iter(house.store.entries(ANN))).sealed
    assert key is not None
    house.streams.erase("Ann")
    house.store.close()
    content = b"".join(file.read_bytes() for file in Path(sqlite.where).parent.glob("record.db*"))
    assert key not in content
    assert sealed not in content


def _on_disk(place: Place) -> bytes:
    """The bytes of the database and of its write-ahead log."""
    return b"".join(file.read_bytes() for file in Path(place.where).parent.glob("record.db*"))


def test_the_erased_key_is_not_left_in_the_log_of_an_open_store(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    key, sealed = house.store.secret(ANN, key_name(1)), next(iter(house.store.entries(ANN))).sealed
    assert key is not None
    assert key in _on_disk(sqlite)
    house.streams.erase("Ann")
    assert key not in _on_disk(sqlite)
    assert sealed not in _on_disk(sqlite)


def test_a_key_that_a_reader_holds_in_the_log_leaves_with_the_next_batch(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    key = house.store.secret(ANN, key_name(1))
    assert key is not None
    assert isinstance(house.store, SqlStore)
    with house.store.snapshot_of_all() as reader:
        reader.exec_driver_sql("SELECT count(*) FROM sqlite_master").fetchall()
        assert house.streams.erase("Ann")
        assert key in _on_disk(sqlite)
    house.add("Bob", 1)
    assert key not in _on_disk(sqlite)


def test_the_command_line_reports_an_erased_stream(
    sqlite: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    house.streams.erase("Ann")
    house.log.close()
    house.store.close()
    assert main(["audit", "verify", sqlite.where]) == 0
    assert "erased: 1 entry" in capsys.readouterr().out
    assert main(["audit", "verify", sqlite.where, "--json"]) == 0
    printed = {one["stream"]: one for one in json.loads(capsys.readouterr().out)}
    assert printed[ANN]["sound"]
    assert printed[ANN]["notes"][0].startswith("erased: 1 entry")


# --- verification ---


def attacked(sqlite: Place, statement: str, **values: Any) -> list[str]:
    """Return the faults of Ann's stream after a change of the database."""
    house = House(sqlite.open())
    for n in (1, 2, 3):
        house.add("Ann", n)
    house.log.close()
    house.store.close()
    edit(sqlite, statement, **values)
    with closing(open_store(sqlite.where, read_only=True)) as store:
        return fault_codes(store)


def test_a_key_that_disappears_without_a_tombstone_is_a_fault(sqlite: Place) -> None:
    assert attacked(sqlite, "DELETE FROM secrets WHERE stream = 'person:ann'") == ["secret"]


def test_a_removed_or_changed_sealed_part_is_a_fault(sqlite: Place) -> None:
    where = "WHERE stream = 'person:ann' AND seq = 2"
    assert attacked(sqlite, f"UPDATE entries SET sealed = x'' {where}") == ["sealed"]


def test_a_sealed_part_that_was_moved_is_a_fault(sqlite: Place) -> None:
    other = "SELECT sealed FROM entries WHERE stream = 'person:ann' AND seq = 1"
    statement = f"UPDATE entries SET sealed = ({other}) WHERE stream = 'person:ann' AND seq = 2"
    assert attacked(sqlite, statement) == ["sealed"]


def test_a_changed_public_part_is_a_fault(sqlite: Place) -> None:
    statement = "UPDATE entries SET public = replace(public, '\"entries\":2', '\"entries\":1')"
    assert attacked(sqlite, f"{statement} WHERE stream = 'person:ann' AND seq = 2") != []


def test_a_removed_stream_is_missing_from_the_house_log(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    house.log.close()
    house.store.close()
    for table in ("entries WHERE stream", "secrets WHERE stream", "streams WHERE name"):
        edit(sqlite, f"DELETE FROM {table} = 'person:ann'")
    with closing(open_store(sqlite.where, read_only=True)) as store:
        assert fault_codes(store) == ["missing-record"]


def test_a_key_that_comes_back_after_erasing_is_a_fault(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    key = house.store.secret(ANN, key_name(1))
    house.streams.erase("Ann")
    house.log.close()
    house.store.close()
    edit(sqlite, "INSERT INTO secrets VALUES ('person:ann', 'key 1', :key)", key=key)
    with closing(open_store(sqlite.where, read_only=True)) as store:
        assert fault_codes(store) == ["erased"]


def test_an_entry_cannot_be_read_under_another_name(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    house.add("Bob", 2)
    house.store.close()
    sealed = "SELECT sealed FROM entries WHERE stream = 'person:ann'"
    edit(sqlite, f"UPDATE entries SET sealed = ({sealed}) WHERE stream = 'person:bob'")
    key = "SELECT value FROM secrets WHERE stream = 'person:ann'"
    edit(sqlite, f"UPDATE secrets SET value = ({key}) WHERE stream = 'person:bob'")
    with closing(open_store(sqlite.where)) as store, pytest.raises(StoreError, match="cannot be read"):
        PersonalStreams(store, SIGNER).entries("Bob")


def test_an_export_of_a_personal_stream_has_no_contents_and_no_key(tmp_path: Path) -> None:
    house = House(MemoryStore())
    house.add("Ann", 1)
    for secrets in (False, True):
        lines = [json.loads(line) for line in export_lines(house.store, ANN, secrets=secrets)]
        assert [line["line"] for line in lines] == ["record", "entry"]
        assert "sealed" not in lines[1]
    (tmp_path / "ann.jsonl").write_bytes(b"".join(export_lines(house.store, ANN)))
    report = verify(Archive(tmp_path / "ann.jsonl"), ANN)
    assert report.sound
    assert "1 entry" in report.lacked[0]


class ErasedWhileRead(MemoryStore):
    """A store in which a running server erases a stream while verification reads it."""

    then: Any = None
    seen_tombstone = False

    def everything(self, stream: str) -> Iterator[Any]:
        before = list(super().everything(stream))
        if stream == ANN and self.then is not None:
            erase, self.then = self.then, None
            erase()
            if self.seen_tombstone:
                # The first page was read before the erasure, the last one after it.
                before += [*super().everything(stream)][len(before) :]
        return iter(before)


@pytest.mark.parametrize("seen_tombstone", [False, True])
def test_a_stream_may_be_erased_while_it_is_verified(seen_tombstone: bool) -> None:
    house = House(store := ErasedWhileRead())
    house.add("Ann", 1)
    house.log.checkpoint()
    store.seen_tombstone = seen_tombstone
    store.then = lambda: house.streams.erase("Ann")
    report = reports(store)[ANN]
    assert store.then is None
    assert report.faults == ()
    assert reports(store)[ANN].notes != ()


# --- the secrets key, backups, migrations ---


def test_the_key_of_a_person_is_encrypted_with_the_secrets_key(sqlite: Place) -> None:
    inner: Any = sqlite.open()
    house = House(EncryptedStore(inner, bytes(32)))
    house.add("Ann", 1)
    house.log.checkpoint()
    shown, stored = house.store.secret(ANN, key_name(1)), inner.secret(ANN, key_name(1))
    assert shown is not None
    assert stored is not None
    assert shown not in stored
    assert house.bodies("Ann") == [{"n": 1}]
    assert reports(house.store)[ANN].sound
    # Without the secrets key, the chain is checked, and the report says that the contents were not.
    report = reports(inner)[ANN]
    assert report.sound
    assert "1 entry" in report.lacked[0]
    assert house.streams.erase("Ann")
    assert inner.secret(ANN, key_name(1)) is None


def test_a_backup_from_before_the_erasure_still_has_the_progress(sqlite: Place, tmp_path: Path) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    house.log.checkpoint()
    back_up(sqlite.where, tmp_path / "before.db")
    house.streams.erase("Ann")
    house.log.close()
    back_up(sqlite.where, tmp_path / "after.db")
    for name, left, notes in (("before", [{"n": 1}], 0), ("after", [], 1)):
        restore(tmp_path / f"{name}.db", tmp_path / f"{name}-restored.db")
        with closing(open_store(tmp_path / f"{name}-restored.db")) as store:
            entries = PersonalStreams(store, SIGNER).entries("Ann")
            assert [entry.body for entry in entries] == left
            report = reports(store)[ANN]
            assert report.sound
            assert len(report.notes) == notes


def test_a_database_of_version_0006_gets_classes_and_personal_streams(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    for kind in ("sqlite", "postgres"):
        place = Place.new(kind, tmp_path, request)
        start = Head.first("t")
        with closing(open_store(place.where)) as store:
            assert isinstance(store, SqlStore)
            done = batch(start, b"one", texts={"d": "text"}, secrets={"seed": b"s"})
            store.append("t", start, done)
            store.keep("name", b"value")
            downgrade(store, "0006")
        with closing(open_store(place.where)) as store:
            assert isinstance(store, SqlStore)
            assert differences(store, metadata) == []
            assert list(store.entries("t")) == list(done.entries)
            assert (store.text("d"), store.secret("t", "seed"), store.kept_as("name")) == (
                "text", b"s", b"value"
            )  # fmt: skip
            streams = PersonalStreams(store, SIGNER)
            assert streams.append("Ann", "drill", {"n": 1}) == 1
            assert [entry.body for entry in streams.entries("Ann")] == [{"n": 1}]


def test_a_database_with_a_newer_schema_is_refused(sqlite: Place) -> None:
    sqlite.open().close()
    edit(sqlite, f"UPDATE {migrate.VERSIONS} SET version_num = '0009'")
    for read_only in (False, True):
        with pytest.raises(
            StoreError, match=r"from a newer houseway \(schema 0009; this version supports up to 0008\)"
        ):
            open_store(sqlite.where, read_only=read_only)


def test_an_entry_of_a_newer_houseway_is_refused_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(MemoryStore())
    monkeypatch.setitem(KINDS, "drill", 2)
    house.add("Ann", 1)
    monkeypatch.setitem(KINDS, "drill", 1)
    with pytest.raises(StoreError, match="'drill' with format 2, which this houseway does not know"):
        house.bodies("Ann")


# --- several writers ---


def test_threads_of_one_server_append_to_one_stream(sqlite: Place) -> None:
    house = House(sqlite.open())
    numbers: list[int] = []

    def work(start: int) -> None:
        numbers.extend(house.add("Ann", start + n) for n in range(5))

    threads = [threading.Thread(target=work, args=(100 * n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 21))
    assert sorted(body["n"] for body in house.bodies("Ann")) == sorted(
        100 * n + m for n in range(4) for m in range(5)
    )
    house.log.checkpoint()
    assert reports(house.store)[ANN].sound


def test_two_servers_share_the_streams_of_one_database(postgres: Server) -> None:
    where = postgres.database()
    one, two = House(open_store(where, shared=True)), House(open_store(where, shared=True))
    houses, numbers = (one, two), list[int]()

    def work(house: House) -> None:
        numbers.extend(house.add("Ann", n, key=f"session {n}") for n in range(10))

    threads = [threading.Thread(target=work, args=(house,)) for house in houses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Both servers sent the same ten sessions, and each session was stored once.
    assert sorted(numbers) == sorted([*range(1, 11), *range(1, 11)])
    assert sorted(body["n"] for body in two.bodies("Ann")) == list(range(10))
    assert one.streams.erase("Ann")
    assert two.bodies("Ann") == []
    assert two.add("Ann", 99) == 12
    assert one.bodies("Ann") == [{"n": 99}]
    for house in houses:
        house.log.checkpoint()
    assert all(report.sound for report in reports(one.store).values())
    # The database itself refuses a second entry with the same number.
    engine = create_engine(where.replace("postgresql://", "postgresql+psycopg://"))
    with engine.connect() as connection, pytest.raises(Exception, match="entries_pkey"):
        connection.execute(
            text(
                "INSERT INTO entries SELECT stream, seq, count, 'other', public, sealed, chain FROM entries"
            )
        )
    engine.dispose()
    for house in houses:
        house.store.close()


def test_verifying_one_stream_does_not_need_the_house_log(sqlite: Place) -> None:
    house = House(sqlite.open())
    house.add("Ann", 1)
    report = verify(house.store, ANN, key=SIGNER.public)
    assert report.sound
    assert HOUSE_LOG in house.store.streams()
