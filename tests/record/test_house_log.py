"""The house log reveals a removed table, an older copy, missing seeds and changed roles."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import create_engine, text

from houseway.audit.archive import Archive, import_record
from houseway.audit.entries import read_public
from houseway.audit.export import export_lines
from houseway.audit.house_log import (
    Checkpoint,
    HouseClosed,
    HouseOpened,
    RoleGranted,
    RoleRevoked,
    SecretsErased,
    StreamsFound,
    StreamsOpened,
    read_log_entry,
    roles_digest,
)
from houseway.audit.kept_heads import HeadDocument, KeptHead, chain_at, read_heads
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.sql.people_rows import HandleLimits, NewPerson
from houseway.audit.store import Batch, Head, HouseStore, StaleHeadError, Store, StoreError
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.verify import verify
from houseway.audit.verify_house import verify_house
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.live import LiveTable, TableServices
from houseway.live import house_log_writer as writer
from houseway.live.house_log_writer import HEAD_FILE, HouseLog
from houseway.live.record_files import key_file, open_house
from houseway.rules.loader import load
from houseway.shoe import SeededEntropy
from record.places import Place
from record.recorded import SIGNER, copy_records, forged, ticking

DATABASES = ("sqlite", "postgres")


def faults(store: Store, kept: Mapping[str, list[KeptHead]] | None = None) -> dict[str, list[str]]:
    """Return the codes of all faults, by record."""
    reports = verify_house(store, key=SIGNER.public, kept=kept)
    return {report.stream: [fault.code for fault in report.faults] for report in reports if report.faults}


def log_events(store: Store) -> list[Any]:
    """Return the events of the house log."""
    return [read_log_entry(stored.public).events[0] for stored in store.entries(HOUSE_LOG)]


def services(store: HouseStore, log: HouseLog | None) -> TableServices:
    """Return table services with a fixed clock and seeded randomness."""
    clock = ticking()
    return TableServices(store, SIGNER, SeededEntropy("log"), lambda: next(clock), log=log)


def opened(house: TableServices, stream: str) -> LiveTable:
    """Open a table."""
    opening = c.OpenTable(designated=("ultimate",), examples=True)
    live = LiveTable.open(house, stream, load("uth-ma"), {"tables": {"trips": "B"}}, opening)
    assert isinstance(live, LiveTable)
    return live


def play(live: LiveTable) -> None:
    """Play one round with an account, and leave."""
    live.advance()
    live.send(c.Sit(seat=1, player="Ann", account="Ann"))
    live.advance()
    live.send(c.Bet(seat=1, wagers={"ante": 1000}))
    live.advance()
    live.send(c.Play(seat=1, times=4))
    live.advance()
    live.send(c.Leave(seat=1))


def give(store: HouseStore, log: HouseLog | None, person: str, table: str, *roles: str) -> None:
    """Give a person roles as the server does. Without a log, do it as an intruder would."""
    rows = store.people_rows()
    rows.add(
        NewPerson(person, person.title(), person, f"token of {person}"),
        HandleLimits(9**9, 9**9, 0, 0, 0),
        1,
    )
    if log is not None:
        rows.prepare(person, table, roles, "house", 1)
        log.role_granted(person, table, roles, "house")
    rows.grant(person, table, roles, "house", 1, 2)


class Grown:
    """A house with two tables and a person with roles, all in its log."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.store: HouseStore = place.open()  # type: ignore[assignment]
        clock = ticking()
        self.log = HouseLog(self.store, SIGNER, lambda: next(clock))
        assert self.log.open() == []
        at = services(self.store, self.log)
        self.tables = [opened(at, "north"), opened(at, "south")]
        for live in self.tables:
            play(live)
        self.grant("ann", "north", "floor")
        self.log.checkpoint()

    def grant(self, person: str, table: str, *roles: str) -> None:
        give(self.store, self.log, person, table, *roles)

    def change(self, *statements: str) -> None:
        """Change the database as an intruder would."""
        self.store.close()
        where = self.place.where
        url = (
            where.replace("postgresql://", "postgresql+psycopg://")
            if "://" in where
            else f"sqlite:///{where}"
        )
        engine = create_engine(url)
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
        engine.dispose()
        self.store = self.place.open(read_only=True)  # type: ignore[assignment]


@pytest.fixture(params=DATABASES)
def grown(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Grown]:
    place = Place.new(request.param, tmp_path, request)
    yield Grown(place)
    place.close()


TABLES = ("streams", "entries", "secrets", "snapshots")


def removed(stream: str) -> list[str]:
    """Return the statements that remove a record without a trace."""
    return [f"DELETE FROM {t} WHERE {'name' if t == 'streams' else 'stream'} = '{stream}'" for t in TABLES]


# --- an honest house ---


def test_an_honest_house_verifies(grown: Grown) -> None:
    assert faults(grown.store) == {}
    kinds = [type(event) for event in log_events(grown.store)]
    assert kinds[0] is HouseOpened
    assert kinds.count(StreamsOpened) == 3
    """Two tables and one account."""
    assert (kinds[-2], kinds[-1]) == (RoleGranted, Checkpoint)
    assert set(log_events(grown.store)[-1].heads) == {"account:Ann", "north", "south"}
    first = read_public(next(iter(grown.store.entries("south"))).public)
    assert "south" in log_events(grown.store)[first.log - 1].heads


# --- the five deletions ---


def test_a_removed_table_is_found(grown: Grown) -> None:
    grown.change(*removed("south"))
    found = faults(grown.store)
    assert found["south"] == ["missing-record"]


def test_removed_seeds_are_found(grown: Grown) -> None:
    grown.change("DELETE FROM secrets WHERE stream = 'north'")
    assert faults(grown.store) == {"north": ["secret", "secret"]}


def test_changed_roles_are_found(grown: Grown) -> None:
    grown.change("UPDATE role_grants SET place = '*' WHERE person = 'ann'")
    assert faults(grown.store) == {HOUSE_LOG: ["roles"]}


def test_a_removed_role_is_found(grown: Grown) -> None:
    grown.change("DELETE FROM role_grants WHERE person = 'ann'")
    assert faults(grown.store) == {HOUSE_LOG: ["roles"]}


def test_a_revoked_role_is_no_fault_before_and_after_the_log_has_it(grown: Grown) -> None:
    assert grown.store.people_rows().revoke("ann", "north", "floor", "operator")
    assert faults(grown.store) == {}
    grown.log.log_revocations()
    assert log_events(grown.store)[-1] == RoleRevoked(
        person="ann", table="north", roles=("floor",), by="operator"
    )
    assert faults(grown.store) == {}
    grown.grant("ann", "north", "floor")
    assert faults(grown.store) == {}
    grown.change("UPDATE role_grants SET expires_at = 1, revoked_by = NULL WHERE person = 'ann'")
    assert faults(grown.store) == {}


def test_a_grant_interrupted_by_a_crash_is_revoked_at_the_next_start(grown: Grown) -> None:
    grown.store.people_rows().prepare("ann", "south", ["dealer"], "house", 1)
    assert faults(grown.store) == {}
    grown.log.role_granted("ann", "south", ["dealer"], "house")
    assert faults(grown.store) == {}
    assert HouseLog(grown.store, SIGNER).open() == []
    assert isinstance(log_events(grown.store)[-1], RoleRevoked)
    assert faults(grown.store) == {}


def test_a_revoked_role_that_is_restored_without_the_log_is_found(grown: Grown) -> None:
    grown.store.people_rows().revoke("ann", "north", "floor", "operator")
    grown.log.log_revocations()
    grown.change("UPDATE role_grants SET expires_at = 1, revoked_by = NULL WHERE person = 'ann'")
    assert faults(grown.store) == {HOUSE_LOG: ["roles"]}


def test_an_older_copy_is_detected_with_a_kept_head(grown: Grown) -> None:
    older = copied(grown.store)
    play_more(grown)
    kept = [KeptHead(signed.head) for signed in [grown.store.head(HOUSE_LOG)] if signed]
    assert faults(grown.store, {HOUSE_LOG: kept}) == {}
    assert faults(older) == {}
    assert faults(older, {HOUSE_LOG: kept}) == {HOUSE_LOG: ["rollback"]}


def test_an_entry_with_an_earlier_time_is_found(grown: Grown) -> None:
    copy = copy_records(grown.store, "north")
    forged(copy, 20, lambda entry: replace(entry, at="2025-11-15T20:00:00Z"), "north")
    assert [fault.code for fault in verify(copy, "north").faults] == ["time"]


def test_a_clock_set_back_in_a_record_from_before_the_house_log_is_not_a_fault() -> None:
    store = MemoryStore()
    play(opened(services(store, None), "old"))
    forged(store, 20, lambda entry: replace(entry, at="2025-11-15T20:00:00Z"), "old")
    report = verify(store, "old")
    assert report.faults == ()
    assert any("the clock was set back 1 time" in lack for lack in report.lacked)


def play_more(grown: Grown) -> None:
    """Play one more round, and log a checkpoint."""
    play(grown.tables[0])
    grown.log.checkpoint()


def copied(store: HouseStore) -> MemoryStore:
    """Copy a whole house as it is now."""
    copy = MemoryStore()
    for stream in store.streams():
        signed = store.head(stream)
        assert signed is not None
        texts = {load("uth-ma").hash: load("uth-ma").text}
        batch = Batch(entries=list(store.entries(stream)), signed=signed, texts=texts)
        copy.append(stream, Head.first(stream), batch)
        copy._records[stream].secrets = _secrets(store, stream)
    for name, body in store.kept().items():
        copy.keep(name, body)
    for row in store.people_rows().logged_roles():
        give(copy, None, row.person, row.place, row.role)
    return copy


def _secrets(store: HouseStore, stream: str) -> dict[str, bytes]:
    lines = [] if stream == HOUSE_LOG else list(export_lines(store, stream, secrets=True))
    secrets = [line for line in map(json.loads, lines) if {"name", "value"} <= set(line)]
    return {line["name"]: bytes.fromhex(line["value"]) for line in secrets}


# --- other faults ---


def test_a_single_table_that_was_rolled_back_is_found(grown: Grown) -> None:
    older = copied(grown.store)
    play_more(grown)
    now = copied(grown.store)
    now._records["north"] = older._records["north"]
    now._records["account:Ann"] = older._records["account:Ann"]
    assert faults(now) == {"north": ["rollback"], "account:Ann": ["rollback"]}


def test_a_table_that_the_log_does_not_have_is_found(grown: Grown) -> None:
    opened(services(grown.store, None), "west")
    assert faults(grown.store) == {"west": ["unlogged"]}
    grown.log.open()
    assert faults(grown.store) == {}
    assert [set(e.heads) for e in log_events(grown.store) if isinstance(e, StreamsFound)] == [{"west"}]


def test_a_removed_log_is_found(grown: Grown) -> None:
    grown.change(*removed(HOUSE_LOG))
    assert faults(grown.store) == {HOUSE_LOG: ["missing-record"]}
    assert HouseLog(grown.place.reopen(grown.store), SIGNER).open() != []  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (RoleGranted(person="eve", table="*", roles=("floor",), by="house"), "roles"),
        (Checkpoint(heads={}, roles=roles_digest({"eve": {"*": ("floor",)}})), "roles"),
        (Checkpoint(heads={"north": f"1:{'0' * 64}"}, roles=roles_digest({})), "roles"),
        (HouseOpened(key="00" * 32), "key"),
    ],
)
def test_an_inconsistent_log_entry_is_found(event: Any, code: str) -> None:
    grown = Grown(Place("memory", ":memory:"))
    grown.log._append(lambda: [event])
    assert code in faults(grown.store)[HOUSE_LOG]


def test_a_log_entry_with_an_earlier_time_is_found() -> None:
    store = MemoryStore()
    times = iter(["2026-11-15T20:00:00Z", "2026-11-15T19:00:00Z", "2026-11-15T21:00:00Z"])
    log = HouseLog(store, SIGNER, lambda: next(times))
    log.open()
    log._append(lambda: [HouseClosed()])
    entries = [read_log_entry(stored.public) for stored in store.entries(HOUSE_LOG)]
    assert [(e.at, e.clock) for e in entries[-1:]] == [("2026-11-15T20:00:00Z", "2026-11-15T19:00:00Z")]
    assert faults(store) == {}
    log._state.at = ""
    log._clock = lambda: "2025-01-01T00:00:00Z"
    log._append(lambda: [HouseClosed()])
    assert faults(store) == {HOUSE_LOG: ["time"]}


def test_if_the_clock_is_set_back_the_times_of_a_table_do_not_go_back() -> None:
    times = iter(
        [f"2026-11-15T{hour:02d}:00:00Z" for hour in (20, 19, 18)] + ["2026-11-15T21:00:00Z"] * 200
    )
    live = opened(TableServices(MemoryStore(), SIGNER, SeededEntropy("back"), lambda: next(times)), "t")
    play(live)
    assert verify(live.house.store, "t").faults == ()
    entries = [read_public(stored.public) for stored in live.house.store.entries("t")]
    assert [(entry.at[11:13], entry.clock[11:13]) for entry in entries[:4]] == [
        ("20", ""), ("20", "19"), ("20", "18"), ("21", ""),
    ]  # fmt: skip


def test_erased_secrets_are_no_fault_if_the_log_names_them() -> None:
    grown = Grown(Place("memory", ":memory:"))
    assert isinstance(grown.store, MemoryStore)
    grown.store._records["north"].secrets.clear()
    assert set(faults(grown.store)) == {"north"}
    erased = SecretsErased(stream="north", names=("*",), by="operator", reason="retention")
    grown.log._append(lambda: [erased])
    # The sealed cards are still there; only their nonces and seeds are gone.
    assert faults(grown.store) == {}


def test_an_imported_record_of_another_house_is_no_fault(tmp_path: Path) -> None:
    grown = Grown(Place("memory", ":memory:"))
    other = TableServices(MemoryStore(), Signer(bytes(32)), SeededEntropy("other"))
    opened(other, "away")
    file = tmp_path / "away.jsonl"
    file.write_bytes(b"".join(export_lines(other.store, "away")))
    import_record(grown.store, Archive(file))
    for _ in range(2):
        reports = {report.stream: report for report in verify_house(grown.store)}
        assert all(report.sound for report in reports.values())
        grown.log.open()
    found = [event for event in log_events(grown.store) if isinstance(event, StreamsFound)]
    assert [event.without_secrets for event in found] == [("away",)]


# --- old databases, restarts and other servers ---


def test_the_first_start_logs_an_old_database() -> None:
    store = MemoryStore()
    at = services(store, None)
    play(opened(at, "old"))
    give(store, None, "ann", "*", "floor")
    (*_, last) = verify_house(store)
    assert last.sound
    assert "no house log" in last.lacked[-1]
    log = HouseLog(store, SIGNER, at.clock)
    assert log.open() == []
    assert faults(store) == {}
    assert {*log._state.heads} == {"old", "account:Ann"}
    store._records.pop("old")
    assert "missing-record" in faults(store)["old"]


def test_the_server_reports_inconsistencies_when_it_starts() -> None:
    grown = Grown(Place("memory", ":memory:"))
    store = grown.store
    assert isinstance(store, MemoryStore)
    older = copied(store)
    play_more(grown)
    store._records["north"] = older._records["north"]
    del store._records["south"]
    give(store, None, "ann", "*", "floor")
    problems = " ".join(HouseLog(store, SIGNER).open())
    assert "north has" in problems
    assert "south is missing" in problems
    assert "roles" in problems
    # After this start, verification still reports the faults.
    assert {"north", "south", HOUSE_LOG} <= set(faults(store))


def test_a_log_continues_from_its_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "SNAPSHOT_EVERY", 3)
    grown = Grown(Place("memory", ":memory:"))
    for _ in range(3):
        play_more(grown)
    assert grown.store.snapshots(HOUSE_LOG)
    again = HouseLog(grown.store, SIGNER)
    again._catch_up()
    assert again._state == grown.log._state
    assert faults(grown.store) == {}
    at = grown.store.snapshots(HOUSE_LOG)[-1]
    snapshot = grown.store.snapshot(HOUSE_LOG, at)
    assert snapshot is not None
    forged_body = SIGNER.snapshot(HOUSE_LOG, snapshot.signed.head, snapshot.body.replace(b"ann", b"eve"))
    grown.store._records[HOUSE_LOG].snapshots[at] = forged_body  # type: ignore[attr-defined]
    assert faults(grown.store) == {HOUSE_LOG: ["snapshot"]}


def test_a_kept_head_with_another_chain_is_found() -> None:
    grown = Grown(Place("memory", ":memory:"))
    head = grown.tables[0].head
    assert faults(grown.store, {"north": [KeptHead(head)]}) == {}
    assert faults(grown.store, {"north": [KeptHead(replace(head, chain=bytes(32)))]}) == {
        "north": ["rollback"]
    }
    assert faults(grown.store, {"gone": [KeptHead(head)]}) == {"gone": ["missing-record"]}


class Racing(MemoryStore):
    """A store in which another writer sometimes appends to the log just before an append."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self.rng = rng
        self.rival: HouseLog | None = None
        self.dies = False
        self._busy = False

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        if self.dies and self.rng.random() < 0.15:
            # The process is killed before the write, or after it without getting the result.
            if self.rng.random() < 0.5:
                super().append(stream, after, batch)
            raise StoreError("killed")
        if self.rival is not None and not self._busy and self.rng.random() < 0.3:
            self._busy = True
            self.rival._append(lambda: [HouseClosed()])
            self._busy = False
        super().append(stream, after, batch)


@pytest.mark.parametrize("seed", range(12))
def test_an_honest_house_verifies_after_its_process_is_killed(seed: int) -> None:
    rng = Random(seed)
    store = Racing(rng)
    tables: list[str] = []
    for life in range(8):
        store.dies = False
        log = HouseLog(store, SIGNER)
        assert log.open() == []
        store.rival = HouseLog(store, SIGNER)
        at = TableServices(store, SIGNER, SeededEntropy(f"{seed}/{life}"), snapshot_every=20, log=log)
        store.dies = True
        try:
            for step in range(rng.randint(1, 12)):
                _act(rng, at, log, tables, f"{life}-{step}")
        except StoreError as error:
            assert str(error) == "killed" or isinstance(error, StaleHeadError)  # noqa: PT017
        assert faults(store) == {}, (seed, life)


def _act(rng: Random, at: TableServices, log: HouseLog, tables: list[str], name: str) -> None:
    match rng.randrange(4):
        case 0:
            tables.append(f"t{name}")
            opened(at, f"t{name}")
        case 1 if there := [t for t in tables if at.store.head(t)]:
            live = LiveTable.resume(at, rng.choice(there))
            play(live)
        case 2:
            give(at.store, log, f"p{name}", "*", "floor")  # type: ignore[arg-type]
        case _:
            log.checkpoint()


# --- the key ---


@pytest.mark.parametrize("old_there", [True, False])
def test_a_new_key_is_in_the_log(tmp_path: Path, *, old_there: bool) -> None:
    db = tmp_path / "house.db"
    store, key = open_house(db)
    with closing(store):
        log = HouseLog(store, key.signer)
        log.open()
        opened(TableServices(store, key.signer, log=log), "north")
    file = key_file(db)
    old = file.rename(file.with_name(f"{file.name}.old"))
    if not old_there:
        old.unlink()
    store, new = open_house(db, new_key=True)
    with closing(store):
        assert new.replaced == key.signer.public.hex()
        (changed,) = (event for event in log_events(store) if type(event).__name__ == "KeyChanged")
        assert (changed.old, changed.new) == (new.replaced, new.signer.public.hex())
        assert bool(changed.by_old) == old_there
        assert all(report.sound for report in verify_house(store, key=new.signer.public))
        assert HouseLog(store, new.signer).open() == []
        assert all(report.sound for report in verify_house(store, key=new.signer.public))
        forgery = replace(changed, old="11" * 32)
        HouseLog(store, new.signer)._append(lambda: [forgery])
        assert "key" in [f.code for r in verify_house(store) for f in r.faults if r.stream == HOUSE_LOG]


# --- the file outside the database, and the commands ---


def test_an_older_database_is_refused_if_a_newer_head_was_kept_outside(tmp_path: Path) -> None:
    store, heads = MemoryStore(), tmp_path / "heads"
    heads.mkdir()
    log = HouseLog(store, SIGNER, heads=heads)
    log.open()
    older = copied(store)
    opened(services(store, log), "north")
    log.checkpoint()
    (kept,) = read_heads(heads / HEAD_FILE)
    signed = store.head(HOUSE_LOG)
    assert signed is not None
    assert kept == HeadDocument.of(HOUSE_LOG, signed)
    HouseLog(store, SIGNER, heads=heads).check()
    with pytest.raises(StoreError, match="older copy"):
        HouseLog(older, SIGNER, heads=heads).check()


def test_the_commands_keep_and_compare_heads(
    tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    grown = Grown(Place.new("sqlite", tmp_path, request))
    grown.store.close()
    older = tmp_path / "older.db"
    with sqlite3.connect(grown.place.where) as source, sqlite3.connect(older) as target:
        source.backup(target)
    grown.store = grown.place.open()  # type: ignore[assignment]
    log = HouseLog(grown.store, SIGNER)
    log.open()
    play(LiveTable.resume(services(grown.store, log), "north"))
    log.checkpoint()
    grown.store.close()
    kept = tmp_path / "head.json"
    assert main(["audit", "head", grown.place.where]) == 0
    kept.write_text(capsys.readouterr().out)
    assert main(["audit", "verify", grown.place.where, "--against", str(kept)]) == 0
    assert main(["audit", "verify", str(older)]) == 0
    capsys.readouterr()
    assert main(["audit", "verify", str(older), "--against", str(kept)]) == 1
    assert f"the head in {kept} is missing (rollback)" in capsys.readouterr().out
    kept.write_text(kept.read_text().replace('"events":', '"events":1'))
    with pytest.raises(StoreError, match="signature"):
        read_heads(kept)


def test_the_chain_at_an_event_is_the_chain_of_the_entry_that_ends_there() -> None:
    live = opened(services(MemoryStore(), None), "t")
    play(live)
    store, ends = live.house.store, {0: Head.first("t").chain}
    ends |= {stored.last: stored.chain for stored in live.house.store.entries("t")}
    assert max(ends) == live.head.events
    for events in range(live.head.events + 3):
        assert chain_at(store, "t", events) == ends.get(events)
