"""Exports have the right contents for each role, and imports lose nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from houseway.audit import export
from houseway.audit.archive import Archive
from houseway.audit.entries import RecordEntry, read_entry, read_public
from houseway.audit.export import export_lines
from houseway.audit.memory_store import MemoryStore
from houseway.audit.roles import read_role, visible_parts
from houseway.audit.store import StoreError
from houseway.audit.verify import verify
from houseway.cards import DECK, Card
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.codec import hidden_fields
from houseway.engine.legal import spots
from houseway.live import LiveTable
from houseway.rules.loader import load, rulebook_ids
from houseway.second_settler import DOCUMENTS
from random_play import modes_of
from record.recorded import Recorded, house, recorded, verify_and_import
from scripted import Scripted

EVERYWHERE = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


def export_to(file: Path, playing: Recorded, role: str = "rail", *, secrets: bool = False) -> Archive:
    file.write_bytes(b"".join(export_lines(playing.house.store, playing.stream, role, secrets=secrets)))
    return Archive(file)


@pytest.fixture(scope="module")
def played() -> Recorded:
    return recorded("uth-ma", "manual", 3, seed="export", irregular=0.05, at=house(every=50))


# --- contents ---


@pytest.mark.parametrize("role", ["rail", "seat 1", "surveillance"])
@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_an_export_for_any_role_verifies(rulebook: str, mode: str, role: str, tmp_path: Path) -> None:
    playing = recorded(rulebook, mode, 4, seed="roles", irregular=0.04)
    archive = export_to(tmp_path / "record.jsonl", playing, role)
    report = verify(archive, playing.stream)
    assert report.faults == ()
    assert report.rounds == 4
    assert any(stored.sealed for stored in archive.entries(playing.stream)) or role != "surveillance"
    for stored in archive.entries(playing.stream):
        assert not stored.sealed or role != "rail"
        entry = read_public(stored.public)
        assert not list(hidden_in(entry))
        assert not any(getattr(entry.command, name) for name in hidden_fields(entry.command))
    assert any("seeds" in lack for lack in report.lacked)
    assert any("hidden cards" in lack for lack in report.lacked) == (role != "surveillance")


def test_cards_that_the_automatic_dealer_deals_to_all_places_are_not_in_an_export_for_a_seat() -> None:
    """docs/record.md: cards dealt in one command are sealed together."""
    playing = recorded("uth-ma", "manual", 3, seed="together", irregular=0)
    store, stream = playing.house.store, playing.stream
    assert any(len(one.end.seats) > 1 for one in playing.rounds)
    rail, seat = (list(export_lines(store, stream, role)) for role in ("rail", "seat 1"))
    assert seat == rail
    assert list(export_lines(store, stream, "surveillance")) != rail


def test_the_public_parts_of_an_export_are_those_of_the_record(played: Recorded, tmp_path: Path) -> None:
    lines = export_to(tmp_path / "record.jsonl", played)._path.read_text(encoding="utf-8").splitlines()
    header, *rest = map(json.loads, lines)
    assert header["stream"] == "table:1"
    assert header["text"] == played.book.text
    stored = list(played.house.store.entries("table:1"))
    assert [line["public"].encode() for line in rest] == [entry.public for entry in stored]
    assert [line["chain"] for line in rest] == [entry.chain.hex() for entry in stored]
    assert not any("sealed" in line for line in rest)
    assert any(entry.sealed for entry in stored)


def test_surveillance_sees_the_cards_of_a_round_after_it_is_closed(tmp_path: Path) -> None:
    playing = recorded("uth-sd", "manual", 2, seed="open", irregular=0, by_hand=0)
    closed = playing.live.head.events
    while not playing.state.round.looking:
        playing.step()
    parts = visible_parts(playing.house.store, playing.stream, "surveillance")
    sealed = [entry.seq for entry in playing.house.store.entries(playing.stream) if entry.sealed]
    assert [seq for seq in sealed if seq in parts] == [seq for seq in sealed if seq <= closed] != []
    assert any(seq > closed for seq in sealed)
    report = verify(export_to(tmp_path / "record.jsonl", playing, "surveillance"), playing.stream)
    assert report.sound
    assert any("hidden cards are missing" in lack for lack in report.lacked)


def hidden_in(entry: RecordEntry) -> Iterator[tuple[e.Event, tuple[Card, ...]]]:
    for event in entry.events:
        for name in hidden_fields(event):
            if getattr(event, name):
                yield event, getattr(event, name)


@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_an_export_for_a_seat_has_only_the_cards_of_that_seat(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 8, seed="own", irregular=0.03, by_hand=1)
    store = playing.house.store
    mine: dict[int, set[int]] = {n: visible_parts(store, playing.stream, f"seat {n}") for n in range(1, 7)}
    assert any(mine.values())
    for stored in store.entries(playing.stream):
        for number in (n for n, parts in mine.items() if stored.seq in parts):
            for event, _ in hidden_in(read_entry(stored)):
                owner = getattr(event, "to", None) or f"seat {getattr(event, 'seat', 0)}"
                assert owner == f"seat {number}"


def test_the_next_player_does_not_see_the_previous_players_cards() -> None:
    playing = recorded("uth-sd", "manual", 4, seed="guests", irregular=0, by_hand=1)
    number = min(playing.rounds[-1].end.round.players)
    assert visible_parts(playing.house.store, playing.stream, f"seat {number}")
    playing.must(c.Leave(seat=number))
    playing.must(c.Sit(seat=number, player="another player", chips=100_000))
    assert not visible_parts(playing.house.store, playing.stream, f"seat {number}")


# --- secrecy ---


class Plain(Recorded):
    """Players who make no wagers that depend on the cards of a folded hand."""

    def random_bet(self, number: int, plain: int = 0) -> c.Bet:
        entry = self.table.terms.ways_in[0]
        least = {spot.wager: max(spot.least, 100) for spot in spots(self.table, self.state, number)}
        return c.Bet(seat=number, wagers={name: least[name] for name in entry if name in least})


def posted_limits(rulebook: str) -> dict[str, Any]:
    """Return the limits that a table must post if its rulebook has a bet limit."""
    free = {"ante", "trips"} if load(rulebook).bet_limit is not None else set()
    return {"limits": {name: {"min": "1", "max": "100"} for name in sorted(free)}} if free else {}


def record_plain(rulebook: str, mode: str, orders: list[str]) -> Recorded:
    playing = Plain(
        house(),
        "table:1",
        rulebook,
        mode,
        given={"mode": mode, **posted_limits(rulebook)},
        irregular=0.01,
        seed="twins",
        maker=Scripted(orders),
    )
    for _ in playing.play(len(orders) - 2):
        pass
    return playing


def visible_cards(playing: Recorded, role: str) -> set[tuple[int, Card]]:
    """Return the cards that a role has seen in each round, from the record: face-up cards and the role's own cards."""
    cards: set[tuple[int, Card]] = set()
    parts = visible_parts(playing.house.store, playing.stream, role)
    shuffles = 0
    for stored in playing.house.store.entries(playing.stream):
        entry = read_entry(stored)
        for event in entry.events:
            shuffles += isinstance(event, e.DeckShuffled)
            for name in event.__struct_fields__:
                value = getattr(event, name)
                if isinstance(value, tuple) and (name not in hidden_fields(event) or stored.seq in parts):
                    cards.update((shuffles, card) for card in value if isinstance(card, Card))
    return cards


def without_hashes(lines: list[bytes]) -> list[Any]:
    """Return an export without the parts that depend on hidden cards: digests, chain and signature."""
    read = [json.loads(line) for line in lines]
    for line in read:
        for name in ("chain", "signature"):
            line.pop(name, None)
        if "public" in line:
            line["public"] = json.loads(line["public"])
            line["public"].pop("seal", None)
    return read


@pytest.mark.parametrize("role", ["rail", "seat 1", "seat 2"])
@pytest.mark.parametrize(("rulebook", "mode"), [place for place in EVERYWHERE if place[0] != "shootout-sd"])
def test_hidden_cards_do_not_change_an_export(rulebook: str, mode: str, role: str) -> None:
    """Records that differ only in cards hidden from a role have the same export for that role."""
    rng = Random(f"{rulebook} {mode} {role}")
    for _ in range(4):
        orders = [rng.sample(DECK, 52) for _ in range(8)]
        playing = record_plain(rulebook, mode, [" ".join(map(str, order)) for order in orders])
        visible = visible_cards(playing, role)
        others = []
        for n, order in enumerate(orders, 1):
            hidden = [card for card in order if (n, card) not in visible]
            mixed = iter(rng.sample(hidden, len(hidden)))
            others.append([card if (n, card) in visible else next(mixed) for card in order])
        twin = record_plain(rulebook, mode, [" ".join(map(str, order)) for order in others])
        one, two = (list(export_lines(p.house.store, p.stream, role)) for p in (playing, twin))
        assert without_hashes(one) == without_hashes(two)
        # If a device deals and every folded hand is shown, a record may have no hidden card.
        hides = bool(visible_cards(playing, "surveillance") - visible)
        assert one != two if hides else mode == "device" and rulebook not in DOCUMENTS


def test_an_export_that_leaks_hidden_cards_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        export, "visible_parts", lambda store, stream, _: visible_parts(store, stream, "surveillance")
    )
    with pytest.raises(AssertionError):
        test_hidden_cards_do_not_change_an_export("uth-ma", "manual", "rail")


# --- import ---


def test_a_surveillance_export_is_imported_completely(played: Recorded, tmp_path: Path) -> None:
    archive = export_to(tmp_path / "record.jsonl", played, "surveillance")
    store = MemoryStore()
    assert verify_and_import(archive, store).sound
    assert list(store.entries("table:1")) == list(played.house.store.entries("table:1"))
    assert store.head("table:1") == played.house.store.head("table:1")
    again = b"".join(export_lines(store, "table:1", "surveillance"))
    assert again == archive._path.read_bytes()
    with pytest.raises(StoreError, match="it can be read but not continued"):
        LiveTable.resume(house(store), "table:1")


def test_a_table_imported_with_its_secrets_continues_the_same_deck(tmp_path: Path) -> None:
    playing = recorded("uth-ma", "device", 3, seed="moving", irregular=0, by_hand=0, at=house(every=50))
    while not playing.state.round.looking:
        playing.step()
    archive = export_to(tmp_path / "house.jsonl", playing, secrets=True)
    store = MemoryStore()
    report = verify_and_import(archive, store)
    assert report.sound
    assert report.lacked == ()
    assert store.snapshots("table:1") == playing.house.store.snapshots("table:1") != []
    assert b"".join(export_lines(store, "table:1", secrets=True)) == archive._path.read_bytes()
    moved = LiveTable.resume(house(store), "table:1")
    assert moved.state == playing.live.state
    stayed = playing.live
    deck = stayed.state.playing.name
    here, there = stayed.shoes.of(deck), moved.shoes.of(deck)
    assert here is not None
    assert there is not None
    assert there.peek(there.left) == here.peek(here.left)


def tampered(name: str) -> Callable[[list[bytes]], list[bytes]]:
    return {
        "a line changed": lambda lines: [*lines[:12], lines[12].replace(b'"count":', b'"count":1', 1), *lines[13:]],
        "a line missing": lambda lines: lines[:12] + lines[13:],
        "lines exchanged": lambda lines: [*lines[:12], lines[13], lines[12], *lines[14:]],
        "the end missing": lambda lines: lines[:-1],
        "half a line": lambda lines: [*lines[:12], lines[12][:40] + b"\n", *lines[13:]],
    }[name]  # fmt: skip


@pytest.mark.parametrize(
    ("done", "line"),
    [
        ("a line changed", 13),
        ("a line missing", 13),
        ("lines exchanged", 13),
        ("the end missing", 0),
        ("half a line", 13),
    ],
)
def test_an_unsound_record_is_not_imported(
    done: str, line: int, played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, into = tmp_path / "record.jsonl", tmp_path / "house.db"
    lines = list(export_lines(played.house.store, played.stream, "surveillance"))
    file.write_bytes(b"".join(tampered(done)(lines)))
    assert main(["audit", "import", str(file), "--into", str(into)]) == 1
    errors = capsys.readouterr().err
    assert f"{file}, line {line or len(lines) - 1}: " in errors
    assert "nothing was imported" in errors
    assert not into.exists()


def test_import_and_export_through_the_command_line_and_sqlite(
    played: Recorded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, into, again = (str(tmp_path / name) for name in ("one.jsonl", "house.db", "two.jsonl"))
    export_to(Path(file), played, "surveillance")
    assert main(["audit", "import", file, "--into", into]) == 0
    assert (
        "imported; you can read and verify this record, but not continue its game"
        in capsys.readouterr().out
    )
    assert main(["audit", "verify", into]) == 0
    assert main(["audit", "export", into, "--as", "surveillance", "-o", again]) == 0
    assert Path(again).read_bytes() == Path(file).read_bytes()
    assert main(["audit", "import", file, "--into", into]) == 2
    assert "table:1 is already in the store" in capsys.readouterr().err
    assert main(["audit", "export", into, "--as", "ghost"]) == 2
    assert "'ghost' is not a role" in capsys.readouterr().err


def test_a_role_is_read_from_its_text() -> None:
    assert read_role("seat:3") == "seat 3"
    assert read_role("surveillance") == "surveillance"
    for wrong in ("seat", "seat:", "seat:0", "seat:x", "seat:٣", "dealer", ""):
        with pytest.raises(ValueError, match="is not a role"):
            read_role(wrong)


def test_a_file_with_secrets_is_readable_only_by_its_owner(played: Recorded, tmp_path: Path) -> None:
    file, out = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    export_to(file, played, secrets=True)
    assert main(["audit", "export", str(file), "--secrets", "-o", str(out)]) == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert out.read_bytes() == file.read_bytes()
    text = b"".join(chain(export_lines(played.house.store, played.stream, "surveillance")))
    assert b'"line":"secret"' not in text
    assert b'"line":"snapshot"' not in text


def test_seeds_are_exported_only_on_explicit_request() -> None:
    playing = recorded("uth-sd", "manual", 1, seed="seeds", irregular=0, by_hand=0)
    with pytest.raises(ValueError, match="pass secrets=True instead"):
        next(export_lines(playing.house.store, playing.stream, "house"))
