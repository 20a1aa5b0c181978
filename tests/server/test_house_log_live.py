"""The house log of a running server: heads for viewers, roles, starts, stops, and the file of the newest head."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from houseway.audit.entries import read_public
from houseway.audit.house_log import (
    Checkpoint,
    HouseClosed,
    HouseOpened,
    RoleGranted,
    StreamsOpened,
    read_log_entry,
)
from houseway.audit.kept_heads import HeadDocument, read_heads
from houseway.audit.signatures import is_genuine
from houseway.audit.store import HouseStore
from houseway.audit.store_factory import open_store
from houseway.audit.streams import HOUSE_LOG
from houseway.audit.verify_house import verify_house
from houseway.cli.app import main
from houseway.client import AtTable, House
from houseway.client import messages as m
from houseway.engine import events as e
from houseway.live.house_log_writer import HEAD_FILE
from server.houses import Running, running


def play_a_round(at: AtTable) -> None:
    """Bet the ante and check or fold until the round is closed."""
    before = at.head
    for _ in range(40):
        waits, yours = at.view.waits, at.view.yours
        if at.head is not before:
            return
        if waits.why in ("bets", "players") and yours.seat not in waits.ready:
            assert isinstance(
                at.send({"type": "Bet", "seat": yours.seat, "wagers": {"ante": 1000}}), m.Answered
            )
            at.ready()
        elif waits.why == "decision" and yours.seat in waits.seats:
            kinds = {choice.command["type"]: choice.command for choice in yours.choices}
            at.send(kinds.get("Check") or kinds["Fold"])
        else:
            at.ready()
        at.ping()
    raise AssertionError("the round does not end")


def log_events(store: HouseStore) -> list[Any]:
    return [read_log_entry(stored.public).events[0] for stored in store.entries(HOUSE_LOG)]


def seated(house: Running, name: str = "Ann") -> tuple[House, str, AtTable]:
    person = House(house.url)
    person.introduce(name)
    table = person.open_table(m.OpenTable(rulebook="uth-ma", clock=0)).table
    return person, table, person.sit(table, 1)


def test_a_seat_gets_a_signed_head_when_a_round_closes() -> None:
    with running() as house:
        person, table, at = seated(house)
        with at:
            play_a_round(at)
            head = at.head
            assert head is not None
            document = HeadDocument(**msgspec.structs.asdict(head))
            assert (document.stream, document.signed.key) == (table, house.serving.house.signer.public)
            assert is_genuine(table, document.signed)
            ends = {s.last: s for s in house.serving.store.entries(table)}
            assert ends[head.events].chain.hex() == head.chain
            closed = [
                seq
                for s in ends.values()
                for seq, event in enumerate(read_public(s.public).events, s.seq)
                if isinstance(event, e.RoundClosed)
            ]
            assert closed[-1] <= head.events
            assert person.contains(head)
            assert not person.contains(msgspec.structs.replace(head, chain="00" * 32))
            assert not person.contains(msgspec.structs.replace(head, events=head.events + 1000))
            newest = person.head(table, head.events - 1)
            assert newest.head.events >= head.events


def test_a_server_logs_its_starts_tables_roles_and_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("houseway.server.house.CHECKPOINT_EVERY", 0.05)
    db, heads = tmp_path / "house.db", tmp_path / "heads"
    heads.mkdir()
    for name in ("Ann", "Bea"):
        with running(db=db, heads=heads) as house:
            host, table, at = seated(house, name)
            with at:
                play_a_round(at)
            guest = House(house.url)
            guest.introduce(f"{name}'s guest")
            guest.accept(host.invite(table, "dealer").invitation)
    with closing(open_store(db, read_only=True)) as store:
        # The house log, and for each host a table, an account and the rounds that the host played.
        assert [r.faults for r in verify_house(store)] == [() for _ in range(7)]
        events = log_events(store)
        assert [type(event) for event in events].count(HouseOpened) == 2
        assert isinstance(events[-1], HouseClosed)
        granted = [event for event in events if isinstance(event, RoleGranted)]
        assert [(g.person, g.roles, g.by.split()[0]) for g in granted] == [
            ("ann", ("floor",), "house"),
            ("ann's guest", ("dealer",), "invitation"),
            ("bea", ("floor",), "house"),
            ("bea's guest", ("dealer",), "invitation"),
        ]
        named = [set(event.heads) for event in events if isinstance(event, StreamsOpened)]
        assert len(named) == 6
        assert any(table in event.heads for event in events if isinstance(event, Checkpoint))
        (kept,) = read_heads(heads / HEAD_FILE)
        signed = store.head(HOUSE_LOG)
        assert signed is not None
        assert kept == HeadDocument.of(HOUSE_LOG, signed)
    assert main(["audit", "verify", str(db), "--against", str(heads / HEAD_FILE)]) == 0
    assert "house:log: sound" in capsys.readouterr().out


def test_a_server_does_not_start_with_an_older_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heads = tmp_path / "heads"
    heads.mkdir()
    with running(db=tmp_path / "new.db", heads=heads):
        pass
    with running(db=tmp_path / "older.db"):
        pass
    assert main(["serve", "--port", "1", "--db", str(tmp_path / "older.db"), "--heads", str(heads)]) == 2
    assert "is an older copy" in capsys.readouterr().err


def test_heads_of_a_failed_checkpoint_are_in_the_next_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as house:
        _, table, at = seated(house)
        at.close()
        log = house.serving.house_log
        monkeypatch.setattr(log, "_append", _fail)
        with pytest.raises(RuntimeError):
            log.checkpoint()
        monkeypatch.undo()
        assert log.behind
        log.checkpoint()
        assert not log.behind
        last = log_events(house.serving.store)[-1]
        assert isinstance(last, Checkpoint)
        assert table in last.heads


def _fail(*_: object) -> None:
    raise RuntimeError("no disk")
