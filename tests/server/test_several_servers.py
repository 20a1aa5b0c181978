"""Several servers share one PostgreSQL: clients reach their tables through any server, and tables move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import cast

import psycopg
import pytest
from msgspec.structs import replace

from houseway.audit.entries import read_entry
from houseway.audit.house_log import (
    Checkpoint,
    HouseClosed,
    HouseOpened,
    StreamsOpened,
    head_text,
    read_log_entry,
)
from houseway.audit.sql.leases import Lease, Leases
from houseway.audit.store_factory import open_store
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.verify import verify
from houseway.audit.verify_house import verify_house
from houseway.cli.app import main
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from houseway.live.offload import DIRECT
from houseway.server import ownership
from houseway.server.event_log import EventLog
from houseway.server.metrics import Metrics
from record.servers import Server, need_postgres, server
from server.houses import GENEROUS, Running, free_port, running
from server.test_probes import status

BET = {"type": "Bet", "seat": 1, "wagers": {"ante": 1000, "blind": 1000}}


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server(in_memory=True) as started:
        yield started


@pytest.fixture
def servers(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Running]]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url = postgres.database()
    with ExitStack() as stack:
        yield [stack.enter_context(running(GENEROUS, url, shared=True)) for _ in range(2)]


def eventually(check: Callable[[], object], seconds: float = 30) -> None:
    """Wait until a check returns true and raises no HouseError."""
    until = time.monotonic() + seconds
    while True:
        try:
            if check():
                return
        except HouseError:
            pass
        assert time.monotonic() < until, "the check never became true"
        time.sleep(0.05)


def at(person: House, running: Running) -> House:
    """Return a person's connection to another server."""
    return House(running.url, person.token)


def guest(running: Running, others: list[Running], handle: str) -> House:
    """Introduce a person at one server, and wait until the others know them."""
    person = House(running.url)
    person.introduce(handle)
    for other in others:
        eventually(lambda other=other: at(person, other).me())  # type: ignore[misc]
    return person


def read_until(at: AtTable, wanted: Callable[[AtTable], bool]) -> None:
    until = time.monotonic() + 15
    while not wanted(at):
        assert time.monotonic() < until
        at.next(15)


def test_a_client_reaches_its_table_through_any_server(servers: list[Running]) -> None:
    here, there = servers
    ann = guest(here, [there], "Ann")
    table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    assert list(here.serving.hall.tables) == [table]
    away = at(ann, there)
    # The first request to the other server, even before it has read the new lease.
    assert away.sheet(table).card.table == table
    eventually(lambda: [card.table for card in away.tables()] == [table])
    with away.sit(table, 1) as seat, ann.at(table) as spectator:
        assert seat.role == "seat 1"
        answer = seat.send(BET)
        assert isinstance(answer, m.Answered)
        read_until(spectator, lambda at: at.seq >= answer.seq)
        assert isinstance(seat.send(BET, "again"), m.Answered)
        seat.ping()
        # An error of the owner is passed on with its status, code and sentence.
        with pytest.raises(HouseError, match="seat 2 is not yours"):
            away.coach(table, 2)
    assert away.rounds(table) == []
    # A long answer is passed on as it arrives.
    export = f"/api/tables/{table}/export"
    assert status(there, export) == status(here, export)
    assert status(there, export)[1].count(b"\n") > 3
    assert list(there.serving.hall.tables) == []
    with pytest.raises(HouseError, match="there is no table 'nowhere-1'"):
        away.sheet("nowhere-1")


def test_another_server_passes_on_the_owners_refusal_of_a_role(servers: list[Running]) -> None:
    here, there = servers
    ann = guest(here, [there], "Ann")
    table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    with pytest.raises(HouseError, match="seat 3 is not yours"):
        at(ann, there).at(table, "seat 3")


def test_the_tables_of_a_server_that_stops_continue_elsewhere_at_once(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url = postgres.database()
    with running(GENEROUS, url, shared=True) as there:
        with running(GENEROUS, url, shared=True) as here:
            ann = guest(here, [there], "Ann")
            table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
            with ann.sit(table, 1) as seat:
                assert isinstance(seat.send(BET, "bet"), m.Answered)
                seat.ready()
                read_until(seat, lambda at: bool(at.view.yours.cards))
                cards, seq = seat.view.yours.cards, seat.seq
            began = time.monotonic()
        away = at(ann, there)
        eventually(lambda: table in there.serving.hall.tables)
        took = time.monotonic() - began
        assert took < 30
        with away.at(table, "seat 1") as seat:
            assert (seat.view.yours.cards, seat.seq) == (cards, seq)
            again = seat.send(BET, "bet")
            assert isinstance(again, m.Answered)
            assert again.repeated
            assert isinstance(seat.send({"type": "Check", "seat": 1}), m.Answered)
        fences = [read_entry(entry).fence for entry in there.serving.store.entries(table)]
        assert fences == sorted(fences)
        assert set(fences) == {1, 2}
        assert verify(there.serving.store, table).sound


def test_a_server_that_was_paused_does_not_write_and_relays_to_the_new_owner(
    servers: list[Running],
) -> None:
    here, there = servers
    ann = guest(here, [there], "Ann")
    table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    eventually(lambda: [card.table for card in at(ann, there).tables()] == [table])
    assert here.serving.owned is not None
    url = str(here.serving.owned._leases._store._engine.url.render_as_string(hide_password=False))
    seat = ann.sit(table, 1)
    runner = here.serving.hall.tables[table]
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        # Another server takes the table, as if the first server had been stopped for a while.
        assert there.serving.owned is not None
        taken = connection.execute(
            "UPDATE leases SET server = %s, fence = fence + 1 RETURNING fence",
            [there.serving.owned._leases.server],
        ).fetchone()
    assert taken == (2,)
    answer = None
    with suppress(HouseError):
        answer = seat.send(BET)
    assert answer is None or isinstance(answer, m.Rejected)
    # The socket is closed with the code `moving`, and the old owner relays the client to the new one.
    eventually(lambda: table in there.serving.hall.tables)
    eventually(lambda: table not in here.serving.hall.tables)
    seat.close()
    eventually(lambda: ann.view(table, "seat 1"))
    with ann.at(table, "seat 1") as again:
        assert isinstance(again.send(BET, "second"), m.Answered)
    assert runner._given_away
    fences = [read_entry(entry).fence for entry in there.serving.store.entries(table)]
    assert fences == sorted(fences)
    assert fences[-1] == 2


def test_a_table_of_a_house_with_one_server_gets_an_owner(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url = postgres.database()
    with running(GENEROUS, url) as alone:
        ann = House(alone.url)
        ann.introduce("Ann")
        table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        closed = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        ann.command(closed, {"type": "CloseTable", "by": "floor"}, "close")
        eventually(lambda: not next(c for c in ann.tables() if c.table == closed).open)
    with running(GENEROUS, url, shared=True) as shared:
        person = at(ann, shared)
        assert status(shared, "/readyz")[0] == 200
        assert table in shared.serving.hall.tables
        with person.sit(table, 1) as seat:
            assert isinstance(seat.send(BET), m.Answered)
        assert {card.table: card.open for card in person.tables()}[table]
        assert person.sheet(closed).card.open is False
    with running(GENEROUS, url) as alone:
        with at(ann, alone).at(table, "seat 1") as seat:
            assert isinstance(seat.send(BET, "more"), m.Answered)
        fences = [read_entry(entry).fence for entry in alone.serving.store.entries(table)]
        assert fences[0] == fences[-1] == 0
        assert max(fences) > 0
        assert verify(alone.serving.store, table).sound


def test_the_limit_on_tables_per_person_holds_for_all_servers_together(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url, limits, order = postgres.database(), replace(GENEROUS, tables=3), m.OpenTable(rulebook="uth-ma")
    with running(limits, url, shared=True) as there:
        with running(limits, url, shared=True) as here:
            ann = guest(here, [there], "Ann")
            sides = [ann, at(ann, there)] * 3

            def opened(person: House) -> str:
                try:
                    return person.open_table(order).table
                except HouseError as error:
                    return error.refused[0].code

            with ThreadPoolExecutor(6) as threads:
                tables = list(threads.map(opened, sides))
            assert tables.count("too-many-tables") == 3
            # The three may all be tables of one server; the other passes the command on.
            table = next(table for table in tables if table != "too-many-tables")
            ann.command(table, {"type": "CloseTable", "by": "floor"}, "close")
            eventually(lambda: at(ann, there).open_table(order))
            assert opened(ann) == "too-many-tables"
            # Another server crashed after it had counted a table, before it had a lease.
            there.serving.store.people_rows().host("ann", "lost", 4)
        assert opened(at(ann, there)) == "too-many-tables"
        # The tables of a server that stops still count, wherever they continue.
        with running(limits, url, shared=True) as third:
            assert opened(at(ann, third)) == "too-many-tables"
            left = {card.table for card in at(ann, third).tables() if card.open}
            eventually(lambda: {*there.serving.hall.tables, *third.serving.hall.tables} >= left)
            at(ann, third).command(left.pop(), {"type": "CloseTable", "by": "floor"}, "close 2")
            eventually(lambda: at(ann, third).open_table(order))
            assert opened(at(ann, third)) == "too-many-tables"


def test_a_closed_table_needs_no_owner_and_every_lobby_lists_it(servers: list[Running]) -> None:
    here, there = servers
    ann = guest(here, [there], "Ann")
    table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    ann.command(table, {"type": "CloseTable", "by": "floor"}, "close")
    eventually(lambda: [(c.table, c.open) for c in ann.tables()] == [(table, False)])
    away = at(ann, there)
    eventually(lambda: [(c.table, c.open) for c in away.tables()] == [(table, False)])
    owned = here.serving.owned
    assert owned is not None
    eventually(lambda: owned.held == 0)
    assert away.sheet(table).card.open is False
    assert away.rounds(table) == []


def test_a_session_that_ends_closes_its_sockets_at_every_server(servers: list[Running]) -> None:
    here, there = servers
    ann = guest(here, [there], "Ann")
    table = ann.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    with ann.at(table) as spectator:
        at(ann, there).ask("DELETE", "/api/session")
        # The socket may get other messages before the last one.
        assert next(message.code for message in spectator if isinstance(message, m.Bye)) == "no-session"


def test_the_servers_write_one_house_log(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url, tables = postgres.database(), 6
    with running(GENEROUS, url, shared=True) as there:
        with running(GENEROUS, url, shared=True) as here:
            hosts = [guest(here, [there], "Ann"), guest(there, [here], "Bob")]
            with ThreadPoolExecutor(2 * tables) as threads:
                # Both servers race for the next event of the log, and open tables that share a meter.
                order = m.OpenTable(rulebook="uth-ma", clock=0, link="jackpot")
                opened = list(threads.map(lambda host: host.open_table(order).table, hosts * tables))
            assert len(set(opened)) == 2 * tables
            invitation = hosts[0].invite(opened[0], "dealer").invitation
            hosts[1].accept(invitation)
            # The other server reads the role from the database.
            at(hosts[0], there).revoke_role("Bob", opened[0], "dealer")
        eventually(lambda: len(there.serving.hall.tables) == 2 * tables)
        with at(hosts[0], there).sit(opened[0], 1) as seat:
            assert isinstance(seat.send(BET), m.Answered)
    with closing(open_store(url, read_only=True)) as store:
        reports = verify_house(store)
        assert [(report.stream, fault) for report in reports for fault in report.faults] == []
        log = [read_log_entry(stored.public).events[0] for stored in store.entries(HOUSE_LOG)]
        head = store.head(opened[0])
    # The second server starts before the first stops, and the new owner continues the table's heads.
    starts = [type(event) for event in log if isinstance(event, HouseOpened | HouseClosed)]
    assert starts == [HouseOpened, HouseOpened, HouseClosed, HouseClosed]
    assert {stream for event in log if isinstance(event, StreamsOpened) for stream in event.heads} > set(
        opened
    )
    last = [
        event.heads[opened[0]]
        for event in log
        if isinstance(event, Checkpoint) and opened[0] in event.heads
    ]
    assert head is not None
    assert last[-1] == head_text(head.head)


class CountedLeases:
    """Leases that only count their renewals."""

    server, seconds, renewals = "a", 6.0, 0

    def renew(self, cards: Mapping[str, bytes]) -> list[Lease]:
        self.renewals += 1
        return []

    def wait(self, seconds: float) -> list[str]:
        time.sleep(0.01)
        return []

    def leave(self) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_server_whose_event_loop_hangs_does_not_renew_its_leases(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ownership, "HANGS", 0.3)
    monkeypatch.setattr(ownership, "AGAIN", 0.05)
    leases = CountedLeases()

    async def hang() -> tuple[int, int]:
        owned = ownership.Ownership(cast("Leases", leases), EventLog(), Metrics(), DIRECT)
        await owned.start()
        await asyncio.sleep(0.5)
        while_well = leases.renewals
        time.sleep(0.6)
        before = leases.renewals
        time.sleep(0.6)
        while_hung = leases.renewals - before
        await asyncio.sleep(0.5)
        assert leases.renewals > before
        # A process that was stopped continues long after its event loop has last answered.
        owned._answered -= 100
        before = leases.renewals
        await asyncio.sleep(1)
        assert leases.renewals > before
        await owned.leave()
        return while_well, while_hung

    while_well, while_hung = asyncio.run(hang())
    assert while_well > 1
    assert while_hung == 0


def test_a_wrong_internal_address_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for options, sentence in (
        (["--internal-address", "nowhere"], "--internal-address must be HOST:PORT"),
        (
            ["--internal-address", "a:8000", "--new-key"],
            "--new-key works only while no other server uses the database",
        ),
        (["--internal-address", "a:8000", "--db", str(tmp_path / "a.db")], "share only a PostgreSQL"),
    ):
        port = str(free_port())
        assert main(["serve", "--port", port, "--key", str(tmp_path / "key"), *options]) == 2
        assert sentence in capsys.readouterr().err
