"""Health probes for operators, and addresses that have no page."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from houseway.audit.store import StoreError
from houseway.server import store_threads
from houseway.server.app import PAGES
from houseway.server.web_files import WEB
from server.houses import GENEROUS, Running, running
from server.test_sockets import request

SAMPLES = {
    "/": "/",
    "/join/{invitation}": "/join/abc",
    "/recover/{recovery}": "/recover/abc",
    "/table/{table}": "/table/tagus-1",
    "/table/{table}/round/{round:int}": "/table/tagus-1/round/3",
    "/lab": "/lab",
    "/rulebooks": "/rulebooks",
    "/rulebooks/{rulebook}": "/rulebooks/uth-ma",
    "/record": "/record",
    "/chair": "/chair",
    "/chair/table/{session}": "/chair/table/abc",
    "/chair/drills": "/chair/drills",
    "/chair/score/{session}": "/chair/score/abc",
    "/chair/find": "/chair/find",
    "/chair/classes": "/chair/classes",
    "/chair/classes/{group}": "/chair/classes/abc",
    "/school/play": "/school/play",
    "/school/review": "/school/review",
    "/school/review/{round}": "/school/review/12-1",
    "/school/review/{table}/{number:int}": "/school/review/tagus-1/3",
    "/school": "/school",
    "/school/practice": "/school/practice",
    "/school/daily": "/school/daily",
    "/school/learn": "/school/learn",
    "/rulebooks/{rulebook}/card": "/rulebooks/uth-ma/card",
    "/school/position/{link}": "/school/position/abc",
}


def status(house: Running, path: str) -> tuple[int, bytes]:
    return request(house, "GET", path)


def test_a_server_with_its_tables_open_is_alive_and_ready() -> None:
    with running() as house:
        assert status(house, "/healthz")[0] == 200
        assert status(house, "/readyz") == (200, b'{"status":"ready"}')


def eventually(house: Running, code: int) -> bytes:
    """Probe until the reply has this status, and return its body."""
    until = time.monotonic() + 10
    while (answer := status(house, "/readyz"))[0] != code:
        assert time.monotonic() < until, answer
        time.sleep(0.02)
    return answer[1]


def test_a_server_that_cannot_write_is_alive_but_not_ready(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise StoreError("/var/lib/house.db: disk I/O error")

    monkeypatch.setattr(store_threads, "CHECK_EVERY", 0.05)
    with running() as house:
        monkeypatch.setattr(house.serving.store, "check", broken)
        body = eventually(house, 503)
        assert status(house, "/healthz")[0] == 200
        shown = json.loads(status(house, "/api/house")[1])["record"]
        time.sleep(0.3)
        monkeypatch.undo()
        eventually(house, 200)
    assert b"the database cannot be written" in body
    # A probe is open to everyone, so it names no path.
    assert b"/var" not in body
    assert shown == {"available": False, "sentence": "the database cannot be written"}
    # One line when the trouble begins, and one when it ends.
    lines = [record.getMessage() for record in caplog.records if record.name == "houseway.store"]
    assert len(lines) == 2
    assert "/var/lib/house.db: disk I/O error" in lines[0]
    assert lines[1].startswith("the record can be written again after")


def test_a_database_that_hangs_is_reported_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_threads, "CHECK_EVERY", 0.05)
    with running(replace(GENEROUS, store_seconds=0.1)) as house:
        monkeypatch.setattr(house.serving.store, "check", lambda: time.sleep(1))
        body = eventually(house, 503)
    assert b"did not answer within 0.1 seconds" in body


@pytest.mark.parametrize("path", ["/nothing", "/metricz", "/table/x/y", "/lab/x", "/table/t/round/x"])
def test_an_unknown_address_is_not_found(path: str) -> None:
    with running() as house:
        assert status(house, path)[0] == 404
        assert request(house, "POST", path, b"{}")[0] == 404


def test_the_server_and_the_page_have_the_same_addresses() -> None:
    text = Path(WEB / "app.js").read_text(encoding="utf-8")
    listed = re.findall(r"^  \[/\^(\S+)\$/, ", text, re.MULTILINE)
    patterns = [re.compile(pattern.replace(r"\/", "/") + "$") for pattern in listed]
    assert len(patterns) == len(PAGES) == len(SAMPLES)
    assert set(SAMPLES) == set(PAGES)
    for path in SAMPLES.values():
        assert sum(bool(pattern.match(path)) for pattern in patterns) == 1, path
    with running() as house:
        for path in SAMPLES.values():
            assert status(house, path)[0] == 200, path
