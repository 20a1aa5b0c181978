"""`houseway audit follow` as a service: its log, its metrics, its exit code, and a database that fails."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from auditor.test_payments_audited import Misprinted
from houseway.audit.sql.sqlite import SqliteStore
from houseway.audit.store import UnavailableError
from houseway.audit.store_factory import open_store
from houseway.auditor.follower import Auditor
from houseway.cli.app import main
from houseway.engine import events as e
from record.recorded import house, recorded
from record.servers import Server, need_postgres, server
from server.houses import PATIENCE, free_port

SCRIPT = Path(__file__).parents[2] / "deploy" / "create-auditor.sh"


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    need_postgres()
    with server() as started:
        yield started


def eventually(check: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_an_alarm_reaches_the_log_the_metrics_and_the_exit_code(tmp_path: Path) -> None:
    file, log, port = tmp_path / "house.db", tmp_path / "log", free_port()
    command = [sys.executable, "-m", "houseway", "audit", "follow", str(file), "--every", "0.1"]
    with closing(SqliteStore(file)) as store:
        playing = Misprinted(house(store), "table:1", "uth-card", "", irregular=0, seed="misprint")
        playing.play(1)
        with log.open("w") as lines:
            process = subprocess.Popen(
                [*command, "--log-format", "json", "--metrics-port", str(port)], stderr=lines
            )
        try:
            eventually(lambda: "auditor-started" in log.read_text())
            paid = False
            while not paid:
                (played,) = playing.play(1)
                paid = any(
                    isinstance(event, e.WagerSettled) and event.odds == "4 to 1" for event in played.events
                )
            eventually(lambda: "audit-alarm" in log.read_text())
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as reply:
                metrics = reply.read().decode()
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 1
    events = [json.loads(line) for line in log.read_text().splitlines()]
    assert [event["event"] for event in events if event["event"] != "audit-alarm"] == [
        "auditor-started",
        "auditor-stopped",
    ]
    alarm = next(event for event in events if event["event"] == "audit-alarm")
    assert (alarm["level"], alarm["table"], alarm["kind"]) == ("warning", "table:1", "payment")
    assert "trips" in alarm["reason"]
    assert 'houseway_audit_alarms_total{kind="payment"} 0.0' not in metrics
    assert 'houseway_audit_alarms_total{kind="frequency"} 0.0' in metrics


def test_the_auditor_continues_after_the_database_has_failed(postgres: Server) -> None:
    url = postgres.database()
    with closing(open_store(url)) as store:
        recorded("uth-card", "manual", 2, at=house(store), irregular=0, seed="outage")
    with closing(open_store(url, read_only=True)) as reading:
        auditor = Auditor(reading)
        assert not list(auditor.poll())

        def poll() -> None:
            with pytest.raises(UnavailableError):
                list(auditor.poll())

        postgres.restart(poll)
        eventually(lambda: _answers(auditor))
        with closing(open_store(url)) as store:
            recorded("uth-card", "manual", 2, at=house(store), stream="table:2", irregular=0, seed="more")
        # An outage is not a fault of the record, and no round is counted twice.
        assert not list(auditor.poll())
        assert auditor.counts.rounds == 4


def _answers(auditor: Auditor) -> bool:
    try:
        return not list(auditor.poll())
    except UnavailableError:
        return False


@pytest.mark.skipif(shutil.which("psql") is None, reason="psql is not installed")
def test_the_auditors_database_user_can_follow_and_cannot_write(
    postgres: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    url = postgres.database()
    with closing(open_store(url)) as store:
        recorded("uth-card", "manual", 3, at=house(store), irregular=0, seed="reader")
    name, folder = url.partition("@/")[2].split("?host=")
    settings = {"AUDITOR_PASSWORD": "it's secret", "POSTGRES_USER": "house", "POSTGRES_DB": name}
    environment = {**os.environ, **settings, "PGHOST": folder}
    subprocess.run(["sh", SCRIPT], env=environment, check=True, capture_output=True)
    auditors = url.replace("house@", "auditor@")
    assert main(["audit", "follow", auditors, "--once"]) == 0
    assert "3 rounds audited" in capsys.readouterr().out
    with psycopg.connect(auditors) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("DELETE FROM entries")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--metrics-port", "70000"], "--metrics-port must be 1 to 65535 (got 70000)"),
        (["--json", "--log-format", "json"], "choose one"),
    ],
)
def test_options_that_contradict_are_refused(
    options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "follow", "nowhere.db", *options]) == 2
    assert sentence in capsys.readouterr().err
