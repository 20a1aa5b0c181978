"""The contract of a store, tested in memory and on SQLite and PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.store import Batch, DuplicateKeyError, Head, StaleHeadError, Store, StoreError
from houseway.audit.store_factory import open_store

from .batches import batch, signed
from .places import DATABASES, KINDS, Place

START = Head.first("table 1")


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    location = Place.new(request.param, tmp_path, request)
    yield location
    location.close()


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()


in_a_database = pytest.mark.parametrize("place", DATABASES, indirect=True)


def put(store: Store, done: Batch, after: Head = START, stream: str = "table 1") -> Head:
    store.append(stream, after, done)
    return done.signed.head


def contents(store: Store, stream: str = "table 1") -> tuple[object, ...]:
    """Return everything a store returns for a record."""
    at = store.snapshots(stream)
    return (
        store.streams(),
        store.head(stream),
        list(store.entries(stream)),
        at,
        [store.snapshot(stream, events) for events in at],
    )


def test_a_missing_record_is_empty(store: Store) -> None:
    assert store.streams() == []
    assert store.head("table 1") is None
    assert list(store.entries("table 1")) == []
    assert store.keyed("table 1", "k") is None
    assert store.text("d") is None
    assert store.secret("table 1", "seed") is None
    assert store.snapshots("table 1") == []
    assert store.snapshot("table 1") is None
    assert store.snapshot("table 1", 4) is None


def test_entries_are_stored_in_order(store: Store) -> None:
    first = batch(START, b"one", b"two", keys=["a", "b"])
    head = put(store, first)
    second = batch(head, b"three", keys=["c"], sealed=b"")
    put(store, second, head)
    assert store.head("table 1") == second.signed
    assert list(store.entries("table 1")) == [*first.entries, *second.entries]
    assert store.keyed("table 1", "b") == first.entries[1]
    assert store.keyed("table 1", "z") is None


def test_entries_can_be_read_after_a_given_event(store: Store) -> None:
    done = batch(START, b"one", b"two", b"three")  # two events each: 1 and 2, 3 and 4, 5 and 6
    put(store, done)
    assert [entry.public for entry in store.entries("table 1", 2)] == [b"two", b"three"]
    # The second entry begins with event 3, so it is not after event 3.
    assert [entry.public for entry in store.entries("table 1", 3)] == [b"three"]
    assert list(store.entries("table 1", 6)) == []


def test_an_empty_key_finds_no_entry(store: Store) -> None:
    put(store, batch(START, b"one", b"two", b"three"))
    assert store.keyed("table 1", "") is None
    assert [entry.key for entry in store.entries("table 1")] == ["", "", ""]


def test_a_batch_on_an_outdated_head_is_rejected(store: Store) -> None:
    head = put(store, batch(START, b"one"))
    before = contents(store)
    late = batch(START, b"two", texts={"d": "text"}, secrets={"s": b"seed"}, body=b"body")
    with pytest.raises(StaleHeadError, match="table 1 has 2 events, not 0; read the record again"):
        store.append("table 1", START, late)
    with pytest.raises(StaleHeadError, match="table 1 has 2 events, not 9"):
        store.append("table 1", Head(9, head.chain), late)
    assert contents(store) == before
    assert store.text("d") is None
    assert store.secret("table 1", "s") is None


def test_a_batch_on_another_chain_is_rejected(store: Store) -> None:
    head = put(store, batch(START, b"one"))
    before = contents(store)
    other = Head(head.events, bytes(32))
    with pytest.raises(StaleHeadError, match="event 2 has changed since you read it"):
        store.append("table 1", other, batch(other, b"two"))
    assert contents(store) == before


def test_all_heads_are_read_at_once(store: Store) -> None:
    assert store.heads() == {}
    one, two = batch(START, b"one"), batch(Head.first("table 2"), b"two", b"three")
    put(store, one)
    put(store, two, Head.first("table 2"), "table 2")
    assert store.heads() == {"table 1": one.signed, "table 2": two.signed}


def test_the_first_batch_must_follow_the_first_head_of_its_own_record(store: Store) -> None:
    elsewhere = Head.first("table 2")
    with pytest.raises(StaleHeadError):
        store.append("table 1", elsewhere, batch(elsewhere, b"one"))
    assert store.streams() == []


@pytest.mark.parametrize("keys", [["new", "a"], ["new", "new"]], ids=["on record", "twice in the batch"])
def test_a_batch_with_a_repeated_key_is_rejected_completely(store: Store, keys: list[str]) -> None:
    head = put(store, batch(START, b"one", keys=["a"], secrets={"s": b"old"}))
    before = contents(store)
    double = batch(head, b"two", b"three", keys=keys, texts={"d": "text"}, secrets={"s": b"new"}, body=b"b")
    with pytest.raises(DuplicateKeyError, match=f"table 1: the key '{keys[1]}' is already on record"):
        store.append("table 1", head, double)
    assert contents(store) == before
    assert store.keyed("table 1", "new") is None
    assert store.text("d") is None
    assert store.secret("table 1", "s") == b"old"
    # The record can still be continued.
    put(store, batch(head, b"two", keys=["b"]), head)
    assert [entry.key for entry in store.entries("table 1")] == ["a", "b"]


def test_keys_are_separate_per_record(store: Store) -> None:
    put(store, batch(START, b"one", keys=["a"]))
    other = Head.first("table 2")
    put(store, batch(other, b"other", keys=["a"]), other, "table 2")
    one, two = store.keyed("table 1", "a"), store.keyed("table 2", "a")
    assert one is not None
    assert two is not None
    assert (one.public, two.public) == (b"one", b"other")
    assert [entry.public for entry in store.entries("table 2")] == [b"other"]


def test_texts_are_stored_once(store: Store) -> None:
    head = put(store, batch(START, b"one", texts={"d": "the first", "e": "Fünf Bücher ♠"}))
    put(store, batch(head, b"two", texts={"d": "another"}), head)
    assert store.text("d") == "the first"
    assert store.text("e") == "Fünf Bücher ♠"


def test_secrets_are_separate_per_record_and_a_new_value_replaces_the_old(store: Store) -> None:
    head = put(store, batch(START, b"one", secrets={"seed": b"old", "nonces": bytes(range(256))}))
    put(store, batch(head, b"two", secrets={"seed": b"new"}), head)
    assert store.secret("table 1", "seed") == b"new"
    assert store.secret("table 1", "nonces") == bytes(range(256))
    assert store.secret("table 2", "seed") is None


def test_snapshots_are_ordered_and_the_last_is_the_default(store: Store) -> None:
    first = batch(START, b"one", body=b"after one")
    head = put(store, first)
    bare = batch(head, b"two")
    head = put(store, bare, head)
    last = batch(head, b"three", body=b"after three")
    head = put(store, last, head)
    assert store.snapshots("table 1") == [2, 6]
    assert store.snapshot("table 1", 2) == first.snapshot
    assert store.snapshot("table 1", 4) is None
    assert store.snapshot("table 1") == last.snapshot
    # A batch may have only a snapshot. It replaces an earlier snapshot at the same head.
    again = batch(head, body=b"after three, again")
    put(store, again, head)
    assert store.snapshot("table 1", 6) == again.snapshot
    assert store.snapshots("table 1") == [2, 6]


def test_a_batch_may_contain_only_a_new_signature_of_the_head(store: Store) -> None:
    empty = batch(START)
    put(store, empty)
    assert store.head("table 1") == empty.signed
    put(store, batch(START, b"one"))
    assert [entry.seq for entry in store.entries("table 1")] == [1]


@pytest.mark.parametrize(
    "name", ["Tisch Ärger", "桌 1", "♠♥♦♣", "a'b\"c;--", "%s :of ?", "x" * 500, "\u00c9", "E\u0301"]
)
def test_names_may_have_any_characters(store: Store, name: str) -> None:
    start = Head.first(name)
    done = batch(start, name.encode(), keys=[name], secrets={name: b"s"}, texts={name: name})
    put(store, done, start, name)
    assert store.streams() == [name]
    assert store.head(name) == done.signed
    assert store.keyed(name, name) == done.entries[0]
    assert store.secret(name, name) == b"s"
    assert store.text(name) == name
    assert store.head(name.swapcase() + "?") is None


def test_every_store_sorts_records_by_name_in_the_same_order(store: Store) -> None:
    names = ["b", "B", "a", "ä", "Z", "10", "9"]
    for name in names:
        start = Head.first(name)
        put(store, batch(start, b"x"), start, name)
    assert store.streams() == ["10", "9", "B", "Z", "a", "b", "ä"]


def test_parts_may_be_empty_binary_or_a_megabyte(store: Store) -> None:
    parts = (b"", bytes(range(256)), os.urandom(1 << 20), b"\0")
    big = batch(START, *parts, sealed=parts[2], body=parts[2])
    put(store, big)
    assert tuple(entry.public for entry in store.entries("table 1")) == parts
    assert all(entry.sealed == parts[2] for entry in store.entries("table 1"))
    assert store.snapshot("table 1") == big.snapshot


def test_event_numbers_may_exceed_32_bits(store: Store) -> None:
    far = Head(2**40, bytes(32))
    put(store, Batch(entries=(), signed=signed(far)))
    done = batch(far, b"one", body=b"b")
    put(store, done, far)
    assert [entry.seq for entry in store.entries("table 1")] == [2**40 + 1]
    assert store.snapshots("table 1") == [2**40 + 2]


def test_an_iteration_over_entries_does_not_see_later_appends(store: Store) -> None:
    head = START
    for n in range(600):  # more than a database returns at once
        head = put(store, batch(head, b"%d" % n, count=1), head)
    reading = store.entries("table 1")
    first = next(reading)
    head = put(store, batch(head, b"later"), head)
    assert [first.public, *(entry.public for entry in reading)] == [b"%d" % n for n in range(600)]
    assert [entry.public for entry in store.entries("table 1", 600)] == [b"later"]


def test_a_reopened_record_is_unchanged(place: Place, store: Store) -> None:
    done = batch(START, b"one", keys=["a"], texts={"d": "text"}, secrets={"s": b"seed"}, body=b"body")
    head = put(store, done)
    before = contents(store)
    store = place.reopen(store)
    assert contents(store) == before
    assert (store.text("d"), store.secret("table 1", "s")) == ("text", b"seed")
    with pytest.raises(DuplicateKeyError):
        store.append("table 1", head, batch(head, b"two", keys=["a"]))
    put(store, batch(head, b"two", keys=["b"]), head)
    assert [entry.key for entry in store.entries("table 1")] == ["a", "b"]


@in_a_database
def test_a_closed_store_rejects_reads_and_writes(store: Store) -> None:
    head = put(store, batch(START, b"one"))
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed; open it again"):
        store.append("table 1", head, batch(head, b"two"))
    with pytest.raises(StoreError, match="is closed; open it again"):
        store.head("table 1")


@in_a_database
def test_a_record_can_be_read_while_it_is_written(place: Place, store: Store) -> None:
    head = put(store, batch(START, b"one"))
    reader = place.open(read_only=True)
    assert [entry.public for entry in reader.entries("table 1")] == [b"one"]
    reading = reader.entries("table 1")
    head = put(store, batch(head, b"two"), head)
    assert reader.head("table 1") == store.head("table 1")
    assert [entry.public for entry in reading] == [b"one"]
    assert [entry.public for entry in reader.entries("table 1")] == [b"one", b"two"]
    with pytest.raises(StoreError, match="open for reading only; open it for writing"):
        reader.append("table 1", head, batch(head, b"three"))


@in_a_database
def test_a_second_writer_is_rejected_with_the_process_id_of_the_first(
    place: Place, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.audit.sql.postgres.PATIENCE", 100)
    head = put(store, batch(START, b"one"))
    with pytest.raises(StoreError, match=rf"process {os.getpid()} is already writing to .*; stop it"):
        open_store(place.where)
    # The first writer is not affected, and its lock is released when it ends.
    put(store, batch(head, b"two"), head)
    store.close()
    assert len(list(place.open().entries("table 1"))) == 2


WRITER = """
import os, sys
from houseway.audit.store_factory import open_store
from houseway.audit.store import Head
from record.batches import batch

store = open_store(sys.argv[1])
start = Head.first("table 1")
store.append("table 1", start, batch(start, b"theirs"))
sys.stdout.write(f"{os.getpid()}\\n")
sys.stdout.flush()
sys.stdin.read()
"""


@in_a_database
def test_the_lock_of_a_dead_writer_is_released(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.audit.sql.postgres.PATIENCE", 100)
    words = [sys.executable, "-c", WRITER, place.where]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words, cwd=Path(__file__).parents[1], stdin=pipe, stdout=pipe, text=True
    ) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) == process.pid
        with pytest.raises(StoreError, match=rf"process {process.pid} is already writing to .*"):
            open_store(place.where)
        with closing(open_store(place.where, read_only=True)) as reader:
            assert [entry.public for entry in reader.entries("table 1")] == [b"theirs"]
        process.kill()
    head = batch(START, b"theirs").signed.head
    put(place.open(), batch(head, b"ours"), head)
    assert len(list(place.open(read_only=True).entries("table 1"))) == 2


# --- appends of several threads ---


@in_a_database
def test_waiting_batches_are_stored_in_one_transaction(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = place.open()
    assert isinstance(store, SqlStore)
    commits, commit = [], store._commit

    def counted(cursor: object) -> None:
        commits.append(1)
        commit(cursor)

    monkeypatch.setattr(store, "_commit", counted)
    results: dict[str, StoreError | None] = {}

    def append(name: str, after: Head, key: str) -> None:
        results[name] = None
        try:
            store.append(name, after, batch(after, b"one", keys=[key]))
        except StoreError as error:
            results[name] = error

    put(store, batch(Head.first("double"), b"zero", keys=["used"]), Head.first("double"), "double")
    double = store.head("double")
    assert double is not None
    writes = [(f"table {n}", Head.first(f"table {n}"), "k") for n in range(6)]
    writes += [("stale", Head(9, bytes(32)), "k"), ("double", double.head, "used")]
    commits.clear()
    with store._alone():
        threads = [Thread(target=append, args=write) for write in writes]
        for thread in threads:
            thread.start()
        until = time.monotonic() + 10
        while len(store._waiting) < len(writes):
            assert time.monotonic() < until
    for thread in threads:
        thread.join()
    assert len(commits) == 1
    errors = {name: type(error) for name, error in results.items() if error is not None}
    assert errors == {"stale": StaleHeadError, "double": DuplicateKeyError}
    again = place.open(read_only=True)
    assert again.streams() == ["double", *(f"table {n}" for n in range(6))]
    assert [entry.key for entry in again.entries("double")] == ["used"]
