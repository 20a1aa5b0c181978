"""Leases on a real PostgreSQL: one owner per table, and no writes without the current fencing number."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import psycopg
import pytest

from houseway.audit.entries import RecordEntry, compose
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.sql import leases as leases_module
from houseway.audit.sql import postgres as postgres_module
from houseway.audit.sql.leases import Leases
from houseway.audit.sql.postgres import PostgresStore
from houseway.audit.store import Batch, Head, LeaseLostError, StaleHeadError, StoreBusyError, StoreError
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.engine import commands as c
from houseway.engine import events as e

from .batches import batch
from .servers import Server as Database

START = Head.first("t")


class TwoServers:
    """Two servers that share one database, with their leases."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self.url = url
        self.stores = [self._open(stack) for _ in range(2)]
        self.leases = [Leases(store, f"server-{n}:8000", 30) for n, store in enumerate(self.stores)]
        for leases in self.leases:
            stack.callback(leases.close)
            leases.renew()

    def _open(self, stack: ExitStack) -> PostgresStore:
        store = open_store(self.url, shared=True)
        assert isinstance(store, PostgresStore)
        stack.callback(store.close)
        return store

    def expire(self, n: int) -> None:
        """Let the row of a server expire."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(
                "UPDATE servers SET expires_at = clock_timestamp() - interval '1 second' WHERE id = %s",
                [self.leases[n].server],
            )


@pytest.fixture
def two(postgres: Database) -> Iterator[TwoServers]:
    with ExitStack() as stack:
        yield TwoServers(postgres.emptied(), stack)


def test_a_table_has_one_owner_and_its_number_only_grows(two: TwoServers) -> None:
    a, b = two.leases
    assert a.add("t") == 1
    with pytest.raises(StoreError, match="t already has a lease"):
        b.add("t")
    assert b.take("t") == 0
    assert [(x.stream, x.server, x.fence, x.address, x.alive) for x in b.renew()] == [
        ("t", a.server, 1, "server-0:8000", True)
    ]
    two.expire(0)
    lease = b.lease("t")
    assert lease is not None
    assert not lease.alive
    assert b.take("t") == 2
    # The old owner is back. It no longer owns the table, and cannot take it from a server that renews its row.
    assert [(x.server, x.fence) for x in a.renew()] == [(b.server, 2)]
    assert a.take("t") == 0
    b.leave()
    assert a.take("t") == 3
    a.end("t")
    assert a.renew() == []
    assert a.lease("t") is None
    assert (a.take("t"), b.take("t")) == (0, 0)


def test_if_many_servers_take_a_table_at_once_only_one_gets_it(two: TwoServers) -> None:
    two.leases[0].add("t")
    two.leases[0].leave()
    takers = [Leases(two.stores[n % 2], "", 30) for n in range(6)]
    for taker in takers:
        taker.renew()
        taker._disconnect()
    fences: list[int] = []
    ready = threading.Barrier(len(takers))

    def take(taker: Leases) -> None:
        ready.wait()
        fences.append(taker.take("t"))

    threads = [threading.Thread(target=take, args=[taker]) for taker in takers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(fences) == [0] * (len(takers) - 1) + [2]


def fences_of_waiting_takers(two: TwoServers) -> list[int]:
    """Let two servers wait for the same table. Return the fencing number of each, or 0 if it did not get the table."""
    two.leases[0].add("t")
    two.leases[0].leave()
    takers = [Leases(store, "", 30) for store in two.stores]
    fences: list[int] = []
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    threads = [threading.Thread(target=lambda t=t: fences.append(t.take("t"))) for t in takers]
    with psycopg.connect(two.url) as other, psycopg.connect(two.url, autocommit=True) as looking:
        other.execute("SELECT FROM leases WHERE stream = 't' FOR SHARE")
        for thread in threads:
            thread.start()
        until = time.monotonic() + 10
        while looking.execute(waiting).fetchone() != (2,):
            assert time.monotonic() < until
        # Both servers were unknown when they began to wait, and renew their rows in the meantime.
        for taker in takers:
            taker.renew()
        other.rollback()
    for thread in threads:
        thread.join()
    for taker in takers:
        taker._disconnect()
    return sorted(fences)


def test_servers_that_wait_for_the_same_table_do_not_take_it_from_each_other(two: TwoServers) -> None:
    assert fences_of_waiting_takers(two) == [0, 2]


def test_taking_a_table_without_the_lock_leads_to_two_owners(
    two: TwoServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases_module, "_LOCK", "SELECT")
    assert fences_of_waiting_takers(two) == [2, 3]


def test_a_server_that_leaves_notifies_the_others(two: TwoServers) -> None:
    a, b = two.leases
    a.add("t")
    b.renew()
    assert b.wait(0.01) == []
    a.leave()
    assert b.wait(5) == ["leases"]


def test_only_the_owner_writes(two: TwoServers) -> None:
    (a, b), (left, right) = two.stores, two.leases
    left.add("t")
    a.append("t", START, one := batch(START, b"one", fence=1))
    for store, fence in ((a, 0), (a, 2), (b, 0)):
        with pytest.raises(LeaseLostError, match="t: another server owns this table; repeat the request"):
            store.append("t", one.signed.head, batch(one.signed.head, b"two", fence=fence))
    for fence in (0, 1):
        with pytest.raises(LeaseLostError, match="u: no server owns this table"):
            a.append("u", Head.first("u"), batch(Head.first("u"), b"one", fence=fence))
    two.expire(0)
    # An expired lease is still valid if no other server has taken the table.
    a.append("t", one.signed.head, done := batch(one.signed.head, b"two", fence=1))
    assert right.take("t") == 2
    with pytest.raises(LeaseLostError):
        a.append("t", done.signed.head, batch(done.signed.head, b"three", fence=1))
    b.append("t", done.signed.head, batch(done.signed.head, b"three", fence=2))
    assert [entry.public for entry in a.entries("t")] == [b"one", b"two", b"three"]


def test_a_refused_batch_does_not_affect_the_others_in_its_transaction(two: TwoServers) -> None:
    store, leases = two.stores[0], two.leases[0]
    for stream in ("a", "b"):
        leases.add(stream)
    errors: dict[str, Exception] = {}

    def write(stream: str, fence: int) -> None:
        first = Head.first(stream)
        try:
            store.append(stream, first, batch(first, b"one", fence=fence))
        except StoreError as error:
            errors[stream] = error

    writing = [threading.Thread(target=write, args=args) for args in (("a", 1), ("b", 7))]
    with store._alone():
        for thread in writing:
            thread.start()
        while len(store._waiting) < 2:
            time.sleep(0.01)
    for thread in writing:
        thread.join()
    assert store.streams() == ["a"]
    assert isinstance(errors.pop("b"), LeaseLostError)
    assert not errors


def test_all_servers_append_to_the_house_log_and_to_ledgers_without_a_lease(two: TwoServers) -> None:
    a, b = two.stores
    for stream in ("house:log", "account:ann", "meter:m"):
        first = Head.first(stream)
        a.append(stream, first, one := batch(first, b"one"))
        with pytest.raises(StaleHeadError) as stale:
            b.append(stream, first, batch(first, b"two"))
        assert stale.value.stream == stream
        b.append(stream, one.signed.head, batch(one.signed.head, b"two"))
        assert [entry.public for entry in a.entries(stream)] == [b"one", b"two"]


def with_ledger(stream: str, ledger: str, after: Head, fence: int) -> tuple[Head, Batch]:
    first = Head.first(stream)
    both = batch(first, b"one", fence=fence)
    return first, Batch(
        entries=both.entries, signed=both.signed, fence=fence, also=[(ledger, after, batch(after, b"x"))]
    )


def test_if_two_servers_change_a_ledger_at_once_only_one_succeeds(two: TwoServers) -> None:
    (a, b), (left, right) = two.stores, two.leases
    left.add("t")
    right.add("u")
    ledger = Head.first("meter:m")
    a.append("t", *with_ledger("t", "meter:m", ledger, 1))
    with pytest.raises(StaleHeadError) as stale:
        b.append("u", *with_ledger("u", "meter:m", ledger, 1))
    assert stale.value.stream == "meter:m"
    assert b.head("u") is None


def test_a_server_that_stops_in_a_transaction_delays_others_for_two_seconds_at_most(
    two: TwoServers,
) -> None:
    (a, b), (left, right) = two.stores, two.leases
    left.add("t")
    right.add("u")
    ledger = Head.first("meter:m")
    a.append("t", *with_ledger("t", "meter:m", ledger, 1))
    after = a.head("meter:m")
    assert after is not None
    cursor = a._begin()
    cursor.execute("UPDATE streams SET events = events")
    until = time.monotonic() + 20
    while b.head("u") is None:
        assert time.monotonic() < until, "the stopped server still holds the meter"
        try:
            b.append("u", *with_ledger("u", "meter:m", after.head, 1))
        except StaleHeadError:
            raise
        except StoreError:
            continue


def test_servers_that_share_a_database_exclude_a_single_writer(
    postgres: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_module, "PATIENCE", 300)
    url = postgres.emptied()
    with closing(open_store(url, shared=True)) as one, closing(open_store(url, shared=True)) as other:
        with pytest.raises(StoreBusyError, match="is already writing"):
            open_store(url)
        one.keep("a", b"1")
        other.keep("b", b"2")
        assert one.kept() == {"a": b"1", "b": b"2"}
    with closing(open_store(url)), pytest.raises(StoreBusyError):
        open_store(url, shared=True)


def test_a_shared_server_never_writes_again_after_a_single_writer(postgres: Database) -> None:
    url = postgres.emptied()
    with closing(open_store(url, shared=True)) as shared:
        assert isinstance(shared, PostgresStore)
        shared._disconnect()
        open_store(url).close()
        with pytest.raises(StoreError, match="another process has written to it"):
            shared.keep("a", b"1")


def test_only_postgresql_can_be_shared(tmp_path: Any) -> None:
    for where in (":memory:", str(tmp_path / "a.db")):
        if where == ":memory:":
            assert isinstance(open_store(where), MemoryStore)
            continue
        with pytest.raises(StoreError, match="servers can share only a PostgreSQL database"):
            open_store(where, shared=True)


def entry(head: Head, fence: int) -> Any:
    command = c.OpenTable(designated=("uth",))
    made = RecordEntry(
        seq=head.events + 1,
        at="",
        by="floor",
        engine="0",
        fence=fence,
        command=command,
        events=(e.TableIdled(),),
    )
    return compose(head.chain, b"", made)


def test_old_tables_get_a_fencing_number_above_those_on_record(two: TwoServers) -> None:
    left = two.leases[0]
    stored = entry(START, 41)
    signer = Signer(b"s" * 32)
    left.add("t")
    head = Head(1, stored.chain)
    two.stores[0].append("t", START, Batch(entries=[stored], signed=signer.head("t", head), fence=1))
    with psycopg.connect(two.url, autocommit=True) as connection:
        connection.execute("DELETE FROM leases")
    left.add_missing(["t", "u"])
    left.add_missing(["t"])
    assert sorted((x.stream, x.fence, x.alive) for x in left.renew()) == [("t", 42, False), ("u", 1, False)]
    assert left.take("t") == 43


def test_a_store_that_skips_the_lease_check_lets_two_owners_write(
    two: TwoServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: without the lease check, the old owner can still write. `verify` reports this."""
    (a, b), (left, right) = two.stores, two.leases
    left.add("t")
    heads = [START]

    def write(store: PostgresStore, fence: int) -> None:
        stored = entry(heads[-1], fence)
        head = Head(heads[-1].events + stored.count, stored.chain)
        signed = Signer(b"s" * 32).head("t", head)
        store.append("t", heads[-1], Batch(entries=[stored], signed=signed, fence=fence))
        heads.append(head)

    write(a, 1)
    two.expire(0)
    assert right.take("t") == 2
    write(b, 2)
    with pytest.raises(LeaseLostError):
        write(a, 1)
    assert "fence" not in {fault.code for fault in verify(a, "t").faults}
    monkeypatch.setattr(postgres_module.PostgresStore, "_require_lease", lambda *args: None)
    write(a, 1)
    faults = [fault.message for fault in verify(a, "t").faults if fault.code == "fence"]
    assert faults == ["event 3 was written under lease 1, after lease 2: two servers wrote this record"]
