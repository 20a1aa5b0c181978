"""The server's log: one line per event, without secrets; the last events are listed for the floor."""

from __future__ import annotations

import json
import logging
import re
import shlex
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from houseway.audit.store import StoreError
from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.live.remote_bot import RemoteBot
from houseway.server.event_log import EVENTS, RECENT, EventLog
from houseway.server.log_lines import FIELDS, JsonLines, Logfmt, fields_of, without_secrets
from server.houses import Process, Running, running

ROOT = Path(__file__).parents[2]
TOKEN = "dGhpcyBpcyBub3QgYSByZWFsIHRva2VuLCBidXQgaXQ"
assert len(TOKEN) == 43


def logfmt(line: str) -> dict[str, str]:
    """Read a line as a program would: fields separated by spaces, values in double quotes."""
    return dict(part.split("=", 1) for part in shlex.split(line))


def record(message: str, **fields: str) -> logging.LogRecord:
    made = logging.LogRecord("houseway", logging.WARNING, __file__, 1, message, None, None)
    setattr(made, FIELDS, fields)
    return made


@pytest.mark.parametrize(
    "text", ["plain", "two words", 'a "quoted" word', "a=b", "", "back\\slash", "é ♠ 漢"]
)
@pytest.mark.parametrize(
    ("formatter", "read"), [(Logfmt(), logfmt), (JsonLines(), json.loads)], ids=["text", "json"]
)
def test_a_line_can_be_read_back(
    formatter: logging.Formatter, read: Callable[[str], Any], text: str
) -> None:
    fields = read(formatter.format(record("a sentence", event="store-trouble", reason=text)))
    assert fields["event"] == "store-trouble"
    assert fields["level"] == "warning"
    assert fields["message"] == "a sentence"
    assert fields.get("reason", "") == text
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", fields["time"])


@pytest.mark.parametrize("formatter", [Logfmt(), JsonLines()], ids=["text", "json"])
def test_an_event_is_one_line_whatever_it_contains(formatter: logging.Formatter) -> None:
    try:
        raise StoreError("first\nsecond\x1b[2J")
    except StoreError as error:
        made = record("broken\r\n", reason=str(error))
        made.exc_info = (type(error), error, error.__traceback__)
    line = formatter.format(made)
    assert "\n" not in line
    assert "\r" not in line
    assert "\x1b" not in line
    assert "StoreError" in line


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("postgresql://ann:hunter2@db/house: no answer", "hunter2"),
        ("postgresql://ann:hunter2:x@db/house", "hunter2"),
        ("host=db password=hunter2 user=ann", "hunter2"),
        ("host=db password='hunter 2'", "hunter"),
        (f"GET /join/{TOKEN}", TOKEN),
        (f"Bearer {TOKEN}", TOKEN),
        ("the table cannot continue: As is not there", "As"),
        ("the card 10♠ is face up", "10♠"),
        ("('Kd', 'Th')", "Kd"),
    ],
)
def test_secrets_are_hidden(text: str, secret: str) -> None:
    assert secret not in without_secrets(text)
    for formatter in (Logfmt(), JsonLines()):
        assert secret not in formatter.format(record(text, reason=text))


def test_ordinary_text_is_not_changed() -> None:
    text = "tagus-1a2b3c4d: event 17 of 2026-11-17T15:00:00.000Z has changed (postgresql://ann@db/house)"
    assert without_secrets(text) == text


def test_significant_events_are_warnings() -> None:
    warned = {event for event, (level, _) in EVENTS.items() if level == logging.WARNING}
    assert {
        "store-trouble",
        "table-stuck",
        "key-created",
        "key-replaced",
        "lock-lost",
        "record-fault",
    } <= warned


def test_the_page_for_operators_lists_every_event() -> None:
    page = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z-]+)` \| (warning|info) \|", page, re.MULTILINE)
    assert listed == [(event, logging.getLevelName(level).lower()) for event, (level, _) in EVENTS.items()]


def test_only_the_last_events_are_remembered() -> None:
    log = EventLog()
    for n in range(RECENT + 5):
        log.write("table-stuck", table=f"t{n}")
    assert [event.table for event in log.recent()] == [f"t{n}" for n in range(RECENT + 4, 4, -1)]


def test_a_table_is_reported_once_when_it_is_stuck_and_once_when_it_continues(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = EventLog()
    with caplog.at_level(logging.INFO, "houseway"):
        for trouble in ("", "no disk", "no disk", "still no disk", "", ""):
            log.table_changed("loire-1", trouble)
    assert [event.event for event in log.recent()] == ["table-continues", "table-stuck"]
    assert [entry.levelname for entry in caplog.records] == ["WARNING", "INFO"]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, ...]]:
    """Return the event, the message and the tables of each line about stuck tables, and clear the log."""
    fields = [fields_of(record) for record in caplog.records]
    caplog.clear()
    tables = [one for one in fields if one["event"] in ("table-stuck", "table-continues")]
    return [
        (one["event"], one["message"], one.get("table") or one["tables"], one.get("count", "1"))
        for one in tables
    ]


def test_an_outage_of_the_database_is_one_line_for_all_tables(caplog: pytest.LogCaptureFixture) -> None:
    log, timers, no_disk = EventLog(), list[Callable[[], None]](), "no disk"
    log.later = lambda seconds, then: timers.append(then)
    with caplog.at_level(logging.INFO, "houseway"):
        for n in range(40):
            log.table_changed(f"t{n}", no_disk, unavailable=True)
        # A table with a problem of its own has its own line, at once.
        log.table_changed("loire-1", "the table cannot continue: a hand is short")
        ((_, _, table, _),) = lines(caplog)
        assert table == "loire-1"
        (report,) = timers
        report()
        several = "tables cannot continue; they try again every few seconds"
        named = "t0, t1, t2, t3, t4, …"
        assert lines(caplog) == [("table-stuck", several, named, "40")]
        # The outage lasts: more tables join, and some continue for a moment.
        log.table_changed("t40", no_disk, unavailable=True)
        log.table_changed("t3", "")
        log.table_changed("t3", no_disk, unavailable=True)
        for n in range(40):
            log.table_changed(f"t{n}", "")
        assert lines(caplog) == []
        log.table_changed("t40", "")
        assert lines(caplog) == [("table-continues", "the tables that were stuck continue", named, "41")]
        # The next outage is over before its line is due, and concerns one table.
        log.table_changed("t1", no_disk, unavailable=True)
        log.table_changed("t1", "")
        assert [line[0::2] for line in lines(caplog)] == [("table-stuck", "t1"), ("table-continues", "t1")]
        timers[1]()
        # A table that moves to another server neither continues here nor holds up the end of the outage.
        log.table_changed("t1", no_disk, unavailable=True)
        timers[2]()
        log.forget("t1")
        assert [line[0] for line in lines(caplog)] == ["table-stuck"]
    # The floor of each table sees its own events, as before.
    assert [event.event for event in log.recent("t40")] == ["table-continues", "table-stuck"]


# --- a running server ---


def test_many_tables_in_an_outage_leave_two_lines(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("houseway.server.event_log.GATHER", 0.5)
    with running() as house, caplog.at_level(logging.INFO, "houseway"):
        person = new_person(house, "Flo")
        tables = [person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table for _ in range(4)]

        def broken(*_: object) -> None:
            raise StoreError("/var/lib/house.db: database or disk is full")

        def sit(table: str) -> None:
            command = {"key": "1", "command": {"type": "Sit", "seat": 1}}
            person.ask("POST", f"/api/tables/{table}/commands", command)

        with monkeypatch.context() as patch:
            patch.setattr(house.serving.store._store, "append", broken)  # type: ignore[attr-defined]
            for table in tables:
                with pytest.raises(HouseError, match="nothing is lost"):
                    sit(table)
            time.sleep(1)
            assert [(event, count) for event, _, _, count in lines(caplog)] == [("table-stuck", "4")]
        for table in tables:
            sit(table)
        assert [(event, count) for event, _, _, count in lines(caplog)] == [("table-continues", "4")]


def events(person: House, query: str = "") -> list[str]:
    reply: m.HouseEvents = person.ask("GET", f"/api/events{query}", gives=m.HouseEvents)
    return [event.event for event in reply.events]


def new_person(house: Running, handle: str) -> House:
    person = House(house.url)
    person.introduce(handle)
    return person


def test_store_trouble_is_logged_and_shown_to_the_floor(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with running() as house:
        floor, other = new_person(house, "Flo"), new_person(house, "Otto")
        table = floor.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        elsewhere = other.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table

        def broken(*_: object) -> None:
            raise StoreError("/var/lib/house.db: database or disk is full")

        commands = f"/api/tables/{table}/commands"
        floor.ask("POST", commands, {"key": "1", "command": {"type": "Sit", "seat": 1}})
        bet = {"key": "2", "command": {"type": "Bet", "seat": 1, "wagers": {"ante": 1000}}}
        inner = house.serving.store._store  # type: ignore[attr-defined]
        monkeypatch.setattr(inner, "append", broken)
        for _ in range(3):
            with pytest.raises(HouseError, match="nothing is lost"):
                floor.ask("POST", commands, bet)
        # The command could not be recorded, so the table retries.
        assert events(floor, f"?table={table}") == ["table-stuck", "store-trouble"]
        monkeypatch.undo()
        floor.ask("POST", commands, bet)
        assert events(floor, f"?table={table}")[:2] == ["table-continues", "store-recovered"]
        monkeypatch.setattr(inner, "append", broken)
        # The dealer's next step is due, but it cannot be recorded.
        floor.ask("POST", f"/api/tables/{table}/ready", {"type": "ready"})
        assert events(floor, f"?table={table}")[:2] == ["table-stuck", "store-trouble"]
        # The floor of another table sees the house's events, not this table's.
        assert events(other, f"?table={elsewhere}")[:2] == ["store-trouble", "store-recovered"]
        reply: dict[str, Any] = floor.ask("GET", f"/api/events?table={table}")
        monkeypatch.undo()
        floor.ask("POST", f"/api/tables/{table}/ready", {"type": "ready"})
        assert events(floor, f"?table={table}")[:2] == ["table-continues", "store-recovered"]
    assert "/var" not in json.dumps(reply)
    lines = [Logfmt().format(entry) for entry in caplog.records if entry.name == "houseway"]
    # Four failures with one success between them are two lines: one for each series of failures.
    trouble, _ = (line for line in lines if "event=store-trouble" in line)
    assert 'reason="/var/lib/house.db: database or disk is full"' in trouble


def test_only_the_floor_sees_the_events() -> None:
    with running() as house:
        floor, stranger = new_person(house, "Flo"), new_person(house, "Sam")
        table = floor.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        for person, query in (
            (stranger, ""),
            (stranger, f"?table={table}"),
            (floor, ""),
            (floor, "?table=loire-0"),
        ):
            with pytest.raises(HouseError, match="only the floor supervisor"):
                events(person, query)
        with pytest.raises(HouseError, match="sign in"):
            events(House(house.url))
        house.run(house.serving.people.give("Sam", "*", "floor"))
        house.serving.log.write("store-trouble")
        assert events(stranger) == ["store-trouble"]


def test_a_stranger_does_not_see_the_path_of_the_database() -> None:
    with running() as house:
        stranger, owner = new_person(house, "Sam"), new_person(house, "Olive")
        house.run(house.serving.people.give("Olive", "*", "floor"))
        hall = house.serving.hall
        hall.problems["loire-1"] = "loire-1 cannot be resumed: /var/lib/house.db: disk I/O error"
        house.serving.store.keep("table:loire-2", b"{}")
        for person in (House(house.url), stranger):
            reply: dict[str, Any] = person.ask("GET", "/api/house")
            assert reply["checks"]["wrong"] == ["loire-1: ask the operator"]
        assert owner.ask("GET", "/api/house")["checks"]["wrong"] == [hall.problems["loire-1"]]
        with pytest.raises(HouseError, match="loire-2 cannot be resumed; ask the operator why"):
            stranger.ask("GET", "/api/tables/loire-2")


def test_a_refusal_from_the_database_names_no_path(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as house:
        person = new_person(house, "Sam")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        where = "/var/lib/house.db"
        inner = house.serving.store._store  # type: ignore[attr-defined]
        inner.where = where

        def broken(*_: object) -> None:
            raise StoreError(f"{where}: disk I/O error")

        monkeypatch.setattr("houseway.server.replays.proofs", broken)
        with pytest.raises(HouseError) as caught:
            person.ask("GET", f"/api/tables/{table}/rounds/1/proofs")
    assert where not in str(caught.value)


@pytest.mark.parametrize("kind", ["text", "json"])
def test_the_log_of_a_server_has_no_secrets(kind: str, tmp_path: Path) -> None:
    """Play two rounds, stop the server, and read every line of its log."""
    db = tmp_path / "house.db"
    house = Process(db, "--log-format", kind, "--owner-file", str(tmp_path / "link")).start()
    person = House(house.url)
    person.introduce("Marguerite")
    table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0, pace="brisk")).table
    with closing(RemoteBot(person, table, "practical")) as guest:
        list(guest.play(2))
    assert house.process is not None
    assert house.process.stderr is not None
    house.process.terminate()
    text = house.process.stderr.read()
    house.process.stderr.close()
    house.process.wait(30)
    link = (tmp_path / "link").read_text().strip()
    assert (tmp_path / "link").stat().st_mode & 0o777 == 0o600
    read = logfmt if kind == "text" else json.loads
    lines = [read(line) for line in text.splitlines() if kind == "json" or line.startswith("time=")]
    assert {"key-created", "server-started", "server-stopped"} <= {line["event"] for line in lines}
    (created,) = (line for line in lines if line["event"] == "key-created")
    assert created["level"] == "warning"
    for secret in (
        person.token,
        link.rpartition("/")[2],
        "Marguerite",
        (tmp_path / "house.db.key").read_text().strip(),
    ):
        assert secret not in text
    assert link.startswith(f"{house.url}/join/")


def test_a_fault_in_a_record_is_logged(tmp_path: Path) -> None:
    from pysqlite3 import dbapi2 as sqlite  # type: ignore[import-untyped, unused-ignore]

    db = tmp_path / "house.db"
    house = Process(db).start()
    person = House(house.url)
    person.introduce("Ann")
    table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    house.stop()
    with closing(sqlite.connect(str(db))) as connection:
        changed = "UPDATE entries SET public = replace(public, 'red', 'rod') WHERE seq = 1 AND stream = ?"
        connection.execute(changed, (table,))
        connection.commit()
    house = Process(db, "--log-format", "json").start()
    assert house.process is not None
    assert house.process.stderr is not None
    found = {}
    while "record-fault" not in found:
        line = json.loads(house.process.stderr.readline())
        found[line["event"]] = line
    house.stop()
    assert found["record-fault"]["table"] == table
    assert found["record-fault"]["level"] == "warning"
