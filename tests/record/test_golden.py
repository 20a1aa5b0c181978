"""Golden records replay to their recorded hashes with the current code.

The same seed and the same commands give the same bytes in every store.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from discovered import parameters_for
from houseway.audit.archive import Archive, import_record
from houseway.audit.entries import RecordEntry, read_entry
from houseway.audit.export import export_lines
from houseway.audit.memory_store import MemoryStore
from houseway.audit.verify import verify
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.evolve import evolve, fold
from houseway.engine.meters import MICRO
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.live import LiveTable
from houseway.live.table_shoes import TypedShoes
from houseway.rules.loader import rulebook_ids
from houseway.second_settler import DOCUMENTS
from houseway.shoe import TypedShoe
from random_play import modes_of
from record.places import KINDS, Place
from record.recorded import SIGNER, house, recorded, state_hash, verify_and_import
from scripted import Scripted

GOLDEN = Path(__file__).parent / "golden"
HASHES: dict[str, dict[str, Any]] = json.loads((GOLDEN / "hashes.json").read_text(encoding="utf-8"))
MISSING = "has no golden record yet: python tests/record/golden/build.py makes it"
TROUBLE = {
    e.RoundVoided, e.HandVoided, e.CardExposed, e.FaceUpFound, e.CardDrawn, e.ExtraDealt, e.CardSkipped,
    e.WrongNumberFound, e.MispaymentMade, e.WagersReturned,
}  # fmt: skip


def archive(name: str) -> Archive:
    return Archive(GOLDEN / f"{name}.jsonl")


def entries(name: str) -> list[RecordEntry]:
    return [read_entry(stored) for stored in archive(name).entries(f"golden:{name}")]


@pytest.mark.parametrize("book", parameters_for({name.rpartition("-")[0] for name in HASHES}, MISSING))
def test_every_rulebook_and_mode_has_a_golden_record(book: str) -> None:
    names = {name for name in HASHES if not name[-1].isdecimal() and name.rpartition("-")[0] == book}
    assert names == {f"{book}-{mode}" for mode in modes_of(book)}
    assert {file.stem for file in GOLDEN.glob("*.jsonl")} == set(HASHES)
    assert {name.rpartition("-")[0] for name in HASHES} >= set(DOCUMENTS)


@pytest.mark.parametrize("name", HASHES)
def test_a_golden_record_replays_to_its_hashes(name: str) -> None:
    report = verify(archive(name), f"golden:{name}", key=SIGNER.public)
    assert report.faults == ()
    assert report.events == HASHES[name]["events"]
    signed = archive(name).head(f"golden:{name}")
    assert signed is not None
    assert signed.head.chain.hex() == HASHES[name]["chain"]
    events = [event for entry in entries(name) for event in entry.events]
    assert state_hash(fold(events)) == HASHES[name]["table"]


@pytest.mark.parametrize("name", HASHES)
def test_a_golden_record_contains_irregularities(name: str) -> None:
    kinds = {type(event) for entry in entries(name) for event in entry.events}
    assert len(kinds & TROUBLE) >= 2
    assert e.RoundClosed in kinds


@pytest.mark.parametrize("name", HASHES)
def test_a_golden_table_can_be_continued(name: str) -> None:
    store = MemoryStore()
    assert verify_and_import(archive(name), store).sound
    live = LiveTable.resume(house(store), f"golden:{name}")
    assert state_hash(live.state) == HASHES[name]["table"]
    before = live.head.events
    live.advance()
    number = min(live.state.seats)
    for command in (c.Leave(seat=number), c.Sit(seat=number, player="Newcomer", chips=100_000)):
        answer = live.send(command)
        assert not isinstance(answer, Refusal), answer
    assert live.state.seats[number].player == "Newcomer"
    report = verify(store, f"golden:{name}", key=SIGNER.public)
    assert report.faults == ()
    assert report.events == live.head.events > before


def test_a_replay_that_ends_in_a_different_state_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.engine.fold_registry import FOLDS

    kind: type[e.Event] = e.PlayerSeated
    honest = FOLDS[kind]
    monkeypatch.setitem(
        FOLDS, kind, lambda state, event: honest(state, type(event)(**_anonymous_fields(event)))
    )
    name = next(iter(HASHES))
    events = [event for entry in entries(name) for event in entry.events]
    assert state_hash(fold(events)) != HASHES[name]["table"]


def _anonymous_fields(event: e.Event) -> dict[str, Any]:
    return {field: getattr(event, field) for field in event.__struct_fields__} | {"player": "nobody"}


LINKED = sorted((GOLDEN / "linked").glob("*.jsonl"))


def test_golden_linked_tables_agree_with_their_meter_and_accounts() -> None:
    store = MemoryStore()
    for file in LINKED:
        import_record(store, Archive(file))
    reports = [verify(store, stream, key=SIGNER.public) for stream in store.streams()]
    assert [(report.stream, report.events) for report in reports] == [
        ("account:Theo", 8),
        ("golden:north", 68),
        ("golden:south", 131),
        ("meter:north", 6),
    ]
    assert [fault for report in reports for fault in report.faults] == []
    # The only notes are about scripted shoes and about a snapshot in an early format.
    lacked = [lack for report in reports for lack in report.lacked]
    assert sum("had no seal" in lack for lack in lacked) == 2
    assert [lack for lack in lacked if "had no seal" not in lack] == [
        "the contents of 1 snapshot from another version of houseway (signature and position were checked)"
    ]
    meters = []
    for stream in ("golden:north", "golden:south"):
        live = LiveTable.resume(house(store), stream, Scripted())
        live.sync()
        meters.append(live.state.meters["main"])
    # The meter started at $50,000.00 and got a quarter of $5 four times; a straight flush took a tenth of $50,002.50.
    assert meters == [(50_000_00 + 4 * 125 - 5_000_25) * MICRO] * 2


UNSEALED: dict[str, dict[str, Any]] = json.loads(
    (GOLDEN / "unsealed" / "hashes.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", UNSEALED)
def test_a_golden_record_without_seals_replays_to_its_hashes(name: str) -> None:
    """These records are of real tables whose cards were typed, and of tables with scripted cards."""
    store, archive_ = MemoryStore(), Archive(GOLDEN / "unsealed" / f"{name}.jsonl")
    stream = archive_.header.stream
    report = verify(archive_, stream, key=SIGNER.public)
    assert report.faults == ()
    assert report.events == UNSEALED[name]["events"]
    signed = archive_.head(stream)
    assert signed is not None
    assert signed.head.chain.hex() == UNSEALED[name]["chain"]
    import_record(store, archive_)
    shoes = TypedShoes(lambda decks: TypedShoe(decks, _no_cards, print))
    live = LiveTable.resume(house(store), stream, shoes if "shadow" in name else Scripted())
    assert state_hash(live.state) == UNSEALED[name]["table"]


def _no_cards(count: int, place: str) -> str:
    raise AssertionError(f"{count} cards are asked for at {place}")


def test_golden_records_of_real_tables_have_folds_with_a_progressive_taken_unseen() -> None:
    for name in (name for name in UNSEALED if "shadow" in name):
        file = Archive(GOLDEN / "unsealed" / f"{name}.jsonl")
        state, taken = State(), 0
        for entry in map(read_entry, file.entries(file.header.stream)):
            for event in entry.events:
                if isinstance(event, e.FoldSeen) and not event.held:
                    taken += "progressive" in state.seats[event.seat].hands[0].made
                state = evolve(state, event)
        assert taken


# --- the same bytes everywhere ---


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_bytes_in_every_store(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    place = Place.new(kind, tmp_path, request)
    try:
        for rulebook in rulebook_ids():
            stream = f"table:{rulebook}"
            at = house(place.open() if rulebook == rulebook_ids()[0] else place._opened[0], every=100)
            recorded(rulebook, "", 2, seed="everywhere", irregular=0.05, stream=stream, at=at)
            here = b"".join(export_lines(at.store, stream, secrets=True))
            memory = house(every=100)
            recorded(rulebook, "", 2, seed="everywhere", irregular=0.05, stream=stream, at=memory)
            assert here == b"".join(export_lines(memory.store, stream, secrets=True))
    finally:
        place.close()


@pytest.mark.parametrize("name", HASHES)
def test_live_and_replayed_tables_are_the_same_after_every_event(name: str) -> None:
    from houseway.audit.record_header import recorded_table

    table = recorded_table(archive(name), entries(name)[0])
    live = replayed = State()
    for entry in entries(name):
        answer = decide(table, live, entry.command)
        assert not isinstance(answer, Refusal)
        for event, on_record in zip(answer, entry.events, strict=True):
            live, replayed = evolve(live, event), evolve(replayed, on_record)
            assert live == replayed, on_record
    assert state_hash(live) == HASHES[name]["table"]
