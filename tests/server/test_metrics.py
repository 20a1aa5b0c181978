"""Metrics count the server's events, and no label names a person, a token, a table or a card."""

from __future__ import annotations

import re
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from urllib.request import urlopen

import pytest
from msgspec.structs import replace
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from houseway.audit.store import StoreBusyError, StoreError
from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.engine import commands as c
from houseway.live.remote_bot import RemoteBot
from houseway.server.metrics import KINDS, Metrics
from server.houses import GENEROUS, Running, free_port, running
from server.test_probes import status

Samples = dict[tuple[str, ...], float]


def samples(text: str) -> Samples:
    """Return the values of the metrics, by their name and the values of their labels."""
    return {
        (sample.name, *(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def scrape(house: Running) -> Samples:
    return samples(generate_latest(house.serving.metrics.registry).decode())


def test_play_is_counted_and_no_label_identifies_anyone() -> None:
    with running() as house:
        person = House(house.url)
        person.introduce("Marguerite")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0, pace="brisk")).table
        with closing(RemoteBot(person, table, "practical")) as guest:
            rounds = list(guest.play(3))
            text = generate_latest(house.serving.metrics.registry).decode()
        with pytest.raises(HouseError):
            person.ask("GET", "/api/tables/nowhere")
        after = scrape(house)
    seen = samples(text)
    assert len(rounds) == 3
    # Three rounds need at least a bet and a decision each.
    assert seen["houseway_commands_total", "Sit", "accepted"] == 1
    assert seen["houseway_commands_total", "Bet", "accepted"] >= 3
    decisions = sum(
        seen.get(("houseway_commands_total", kind, "accepted"), 0) for kind in ("Check", "Play", "Fold")
    )
    assert decisions >= 3
    counted = sum(value for name, value in seen.items() if name[0] == "houseway_commands_total")
    assert seen["houseway_command_seconds_count",] == counted
    assert seen["houseway_store_writes_total", "written"] >= counted
    assert seen["houseway_tables", "open"] == 1
    assert seen["houseway_tables", "stuck"] == 0
    assert seen["houseway_sockets",] == 1
    assert seen["houseway_ready",] == 1
    assert seen["houseway_store_trouble",] == 0
    assert after["houseway_requests_refused_total", "no-table"] == 1
    # Cards are two characters; tokens are 43.
    for label in re.findall(r'"([^"]*)"', text):
        assert not re.fullmatch(r"(?:[2-9TJQKA]|10)[shdc♠♥♦♣]", label), label
    for secret in ("Marguerite", "marguerite", person.token, table, "seat"):
        assert secret not in text


def test_the_metrics_know_every_kind_of_command() -> None:
    kinds = {
        kind.__name__ for kind in vars(c).values() if isinstance(kind, type) and issubclass(kind, c.Command)
    }
    assert kinds - {"Command", "SeatCommand"} == KINDS - {"SeatCommand"}


@pytest.mark.parametrize(
    "command", [b'{"type":"Bogus\\u0000 Ann"}', b"[]", b'{"type":7}', b'{"type":"' + b"x" * 9000 + b'"}']
)
def test_text_from_a_client_never_becomes_a_label(command: bytes) -> None:
    import msgspec

    metrics = Metrics()
    request = m.Do(key="k", command=msgspec.Raw(command))
    with metrics.command(request) as timer:
        timer.answered(m.Rejected(refused=()))
    seen = samples(generate_latest(metrics.registry).decode())
    kinds = {name for name in seen if name[0] == "houseway_commands_total"}
    assert kinds == {("houseway_commands_total", "unreadable", "refused")}


def test_refused_connections_are_counted_by_reason() -> None:
    with running(replace(GENEROUS, connections=3)) as house, ExitStack() as held:
        for _ in range(5):
            connection = held.enter_context(closing(HTTPConnection("127.0.0.1", house.port, timeout=5)))
            try:
                connection.request("GET", "/healthz")
                connection.getresponse().read()
            except OSError:
                continue
        seen = scrape(house)
    assert seen["houseway_connections_refused_total", "too many from one network"] == 2
    assert seen["houseway_connections",] == 3


def test_a_failing_store_is_counted_and_a_stuck_table_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as house:
        person = House(house.url)
        person.introduce("Ann")
        table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
        inner = house.serving.store._store  # type: ignore[attr-defined]

        def broken(*_: object) -> None:
            raise StoreError("house.db: disk I/O error")

        monkeypatch.setattr(inner, "append", broken)
        with pytest.raises(HouseError):
            person.ask(
                "POST", f"/api/tables/{table}/commands", {"key": "1", "command": {"type": "Sit", "seat": 1}}
            )
        during = scrape(house)
        monkeypatch.undo()
        person.ask(
            "POST", f"/api/tables/{table}/commands", {"key": "1", "command": {"type": "Sit", "seat": 1}}
        )
        after = scrape(house)
    assert during["houseway_store_writes_total", "failed"] >= 1
    assert during["houseway_store_trouble",] == 1
    assert during["houseway_tables", "stuck"] == 1
    assert during["houseway_commands_total", "Sit", "failed"] == 1
    assert after["houseway_store_trouble",] == 0
    assert after["houseway_tables", "stuck"] == 0


def test_metrics_have_their_own_address() -> None:
    port = free_port()
    with running() as house:
        server, _ = house.serving.metrics.serve("127.0.0.1", port)
        try:
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
                assert b"houseway_tables" in answer.read()
            # The players' port has no metrics, not even for this machine.
            assert status(house, "/metrics")[0] == 404
            with pytest.raises(OSError, match="in use"):
                house.serving.metrics.serve("127.0.0.1", port)
        finally:
            server.shutdown()
            server.server_close()


def test_a_lost_lock_is_logged_as_its_own_kind_of_event(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as house:
        inner = house.serving.store._store  # type: ignore[attr-defined]

        def owned(*_: object) -> None:
            raise StoreBusyError("process 7 is already writing to house.db")

        monkeypatch.setattr(inner, "keep", owned)
        with pytest.raises(StoreError):
            house.serving.store.keep("x", b"")
        assert house.serving.log.recent()[0].event == "lock-lost"
