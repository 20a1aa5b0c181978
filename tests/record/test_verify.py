"""`verify` finds every change to a record, with the event and the kind of change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.entries import RecordEntry, link, read_entry, start
from houseway.audit.export import export_lines
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.store import Head, StoreError
from houseway.audit.verify import VerificationReport, verify
from houseway.cards import DECK
from houseway.cli.app import main
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine import showdown_acts
from houseway.engine.fold_registry import FOLDS
from houseway.engine.state import State
from houseway.rules.loader import rulebook_ids
from random_play import modes_of
from record.recorded import SIGNER, Recorded, copy_records, entries_of, forged, house, recorded, resign

EVERYWHERE = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


@pytest.fixture(scope="module")
def short() -> Recorded:
    """Return a record of three rounds with irregularities and snapshots."""
    return recorded("uth-ma", "device", 3, seed="short", irregular=0.05, at=house(every=60))


@pytest.fixture
def doctored(short: Recorded) -> MemoryStore:
    return copy_records(short.house.store)


def codes(report: VerificationReport) -> list[str]:
    return [fault.code for fault in report.faults]


def faults(store: MemoryStore, stream: str = "table:1") -> list[tuple[int, str]]:
    return [(fault.seq, fault.code) for fault in verify(store, stream).faults]


# --- sound records ---


@pytest.mark.parametrize(("rulebook", "mode"), EVERYWHERE)
def test_a_record_as_it_was_written_is_sound(rulebook: str, mode: str) -> None:
    playing = recorded(rulebook, mode, 12, seed="sound", irregular=0.06, at=house(every=100))
    report = verify(playing.house.store, playing.stream, key=SIGNER.public)
    assert report.faults == ()
    assert report.lacked == ()
    assert report.notes == ()
    assert report.rounds == 12
    assert report.settled_again >= 6
    assert report.events == playing.live.head.events == 1 + len(playing.record)  # with the opening
    assert playing.house.store.snapshots(playing.stream)


def test_a_closed_and_reopened_table_is_sound() -> None:
    playing = recorded("uth-proc", "device", 2, seed="closing", irregular=0)
    playing.must(c.CloseTable())
    assert verify(playing.house.store, playing.stream).faults == ()


def test_a_shoe_without_a_seal_is_reported() -> None:
    from scripted import Scripted

    playing = recorded("uth-sd", "manual", 1, seed="scripted", irregular=0, maker=Scripted())
    report = verify(playing.house.store, playing.stream)
    assert report.sound
    assert any("had no seal" in lack for lack in report.lacked)


def test_verifying_a_missing_record_is_an_error() -> None:
    with pytest.raises(StoreError, match="there is no record of table:7; the store has no records"):
        verify(MemoryStore(), "table:7")


# --- whole entries ---


def test_a_removed_entry_is_found(doctored: MemoryStore) -> None:
    removed = entries_of(doctored).pop(20)
    assert faults(doctored)[0] == (removed.seq, "missing")
    lacked = verify(doctored, "table:1").lacked
    assert f"nothing was replayed after event {removed.seq - 1}, because of a fault listed above" in lacked


def test_without_its_first_entry_nothing_is_replayed(doctored: MemoryStore) -> None:
    entries_of(doctored).pop(0)
    assert "nothing was replayed, because of a fault listed above" in verify(doctored, "table:1").lacked


def test_swapped_entries_are_found(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    first = entries[20].seq
    entries[20], entries[21] = entries[21], entries[20]
    assert faults(doctored)[0] == (first, "swapped")


def test_swapped_entries_with_corrected_numbers_are_found(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    one, two = entries[20], entries[24]
    entries[20] = replace(two, seq=one.seq, count=one.count)
    entries[24] = replace(one, seq=two.seq, count=two.count)
    assert faults(doctored)[0] == (one.seq, "swapped")
    assert (two.seq, "swapped") in faults(doctored)


def test_a_duplicated_entry_is_found(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    entries.insert(21, entries[20])
    assert faults(doctored)[0] == (entries[20].seq, "swapped")


def test_a_truncated_record_is_found(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    first_removed = entries[-3]
    del entries[-3:]
    assert faults(doctored)[0] == (first_removed.seq, "truncated")


def test_entries_after_the_head_are_found(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    last = entries[-2]
    doctored._records["table:1"].signed = SIGNER.head("table:1", Head(last.last, last.chain))
    assert faults(doctored) == [(entries[-1].seq, "head")]


@pytest.fixture(scope="module")
def other(short: Recorded) -> Recorded:
    """Return another table on the same server, with the same events but other cards."""
    return recorded(
        "uth-ma",
        "device",
        3,
        seed="short",
        irregular=0.05,
        at=house(seed="other", every=60),
        stream="table:2",
    )


def test_an_entry_of_another_record_is_found(doctored: MemoryStore, other: Recorded) -> None:
    entries = entries_of(doctored)
    theirs = {s.seq: s for s in other.house.store.entries("table:2")}
    # The entry must differ between the two records; otherwise, replacing it would change nothing.
    at = next(n for n in range(15, 40) if theirs[entries[n].seq].public != entries[n].public)
    foreign = entries[at] = theirs[entries[at].seq]
    assert faults(doctored)[0] == (foreign.seq, "spliced")


def test_entries_continued_from_another_record_are_found(doctored: MemoryStore, other: Recorded) -> None:
    entries = entries_of(doctored)
    tail = [s for s in other.house.store.entries("table:2") if s.seq > entries[14].last]
    assert tail[0].seq == entries[15].seq
    entries[15:] = tail
    signed = other.house.store.head("table:2")
    assert signed is not None
    doctored._records["table:1"].signed = signed
    assert faults(doctored)[0] == (tail[0].seq, "changed")
    assert (signed.head.events, "signature") in faults(doctored)
    resign(doctored)
    honest = copy_records(doctored)
    honest._records["table:1"].signed = SIGNER.head("table:1", Head(signed.head.events, bytes(32)))
    assert faults(honest)[0] == (tail[0].seq, "spliced")


def test_a_record_that_was_renamed_is_found(short: Recorded) -> None:
    record = copy_records(short.house.store)
    record._records["table:9"] = record._records.pop("table:1")
    assert faults(record, "table:9")[0] == (1, "spliced")
    assert "signature" in codes(verify(record, "table:9"))


# --- changes by an insider with the house's key ---


def index_of(record: MemoryStore, matches: Callable[[RecordEntry], bool]) -> int:
    return next(n for n, stored in enumerate(entries_of(record)) if matches(read_entry(stored)))


def has_event(kind: type[e.Event], **fields: object) -> Callable[[RecordEntry], bool]:
    def matches(entry: RecordEntry) -> bool:
        return any(
            isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
            for event in entry.events
        )

    return matches


def with_event(kind: type[e.Event], change: Callable[..., e.Event]) -> Callable[[RecordEntry], RecordEntry]:
    """Return a function that changes the first event of a kind in an entry."""

    def changed(entry: RecordEntry) -> RecordEntry:
        at = next(n for n, event in enumerate(entry.events) if isinstance(event, kind))
        events = (*entry.events[:at], change(entry.events[at]), *entry.events[at + 1 :])
        return replace(entry, events=events)

    return changed


def test_a_forged_payment_is_found_even_if_it_is_signed(doctored: MemoryStore) -> None:
    at = index_of(doctored, has_event(e.WagerSettled, result="lose"))
    seq = entries_of(doctored)[at].seq

    def paid(event: e.WagerSettled) -> e.Event:
        return replace(event, result="win", back=3 * event.stake, won=2 * event.stake, odds="2 to 1")

    report = verify(forged(doctored, at, with_event(e.WagerSettled, paid)), "table:1")
    assert codes(report) == ["payment"]
    assert seq <= report.faults[0].seq <= entries_of(doctored)[at].last
    assert "2 to 1" in report.faults[0].message
    assert f"nothing was replayed after event {seq - 1}, because of a fault listed above" in report.lacked


def test_an_illegal_command_is_found(doctored: MemoryStore) -> None:
    at = index_of(doctored, lambda entry: isinstance(entry.command, c.Bet))
    report = verify(forged(doctored, at, lambda entry: replace(entry, command=c.Fold(seat=1))), "table:1")
    assert codes(report) == ["refused"]
    assert report.faults[0].seq == entries_of(doctored)[at].seq


def test_extra_chips_for_a_player_are_found(doctored: MemoryStore) -> None:
    at = index_of(doctored, has_event(e.PlayerSeated))
    seq = entries_of(doctored)[at].seq
    richer = with_event(e.PlayerSeated, lambda event: replace(event, chips=event.chips + 1))
    assert faults(forged(doctored, at, richer)) == [(seq, "events")]


def test_a_swapped_card_is_found() -> None:
    """The rules accept any card here, so only the seal reveals the swap."""
    record = copy_records(
        recorded("uth-ma", "manual", 1, seed="burned", irregular=0, by_hand=0).house.store
    )
    at = index_of(record, has_event(e.CardsBurned))
    dealt = {card for s in entries_of(record) for card in getattr(read_entry(s).command, "cards", ())}
    other = next(card for card in DECK if card not in dealt)

    def swap_card(entry: RecordEntry) -> RecordEntry:
        assert isinstance(entry.command, c.Perform)
        cards = (other, *entry.command.cards[1:])
        entry = replace(entry, command=replace(entry.command, cards=cards))
        return with_event(e.CardsBurned, lambda event: replace(event, sealed=cards[:1]))(entry)

    report = verify(forged(record, at, swap_card), "table:1")
    assert (report.faults[0].seq, report.faults[0].code) == (entries_of(record)[at].seq, "shoe")
    assert f"deck A dealt {other}" in report.faults[0].message


def test_another_seed_is_found(doctored: MemoryStore) -> None:
    secrets = doctored._records["table:1"].secrets
    name = next(name for name in secrets if name != "nonces")
    secrets[name] = bytes(32)
    at = index_of(doctored, has_event(e.DeckShuffled))
    report = verify(doctored, "table:1")
    assert codes(report)[0] == "shoe"
    assert entries_of(doctored)[at].seq <= report.faults[0].seq <= entries_of(doctored)[at].last


def test_a_removed_seed_is_found(doctored: MemoryStore) -> None:
    secrets = doctored._records["table:1"].secrets
    del secrets[next(name for name in secrets if name != "nonces")]
    assert "secret" in codes(verify(doctored, "table:1"))


def test_other_nonces_are_found(doctored: MemoryStore) -> None:
    doctored._records["table:1"].secrets["nonces"] = bytes(32)
    assert set(codes(verify(doctored, "table:1"))) == {"sealed"}


def test_a_swapped_sealed_part_is_found(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    one, two = [n for n, stored in enumerate(entries) if stored.sealed][:2]
    entries[one] = replace(entries[one], sealed=entries[two].sealed)
    assert faults(doctored)[0] == (entries[one].seq, "sealed")


def test_a_removed_sealed_part_is_found_if_the_secrets_are_there(doctored: MemoryStore) -> None:
    entries = entries_of(doctored)
    at = next(n for n, stored in enumerate(entries) if stored.sealed)
    entries[at] = replace(entries[at], sealed=b"")
    assert faults(doctored) == [(entries[at].seq, "sealed")]


def test_another_rulebook_is_found(doctored: MemoryStore) -> None:
    (hash_,) = doctored._texts
    doctored._texts[hash_] = doctored._texts[hash_].replace("50 to 1", "5 to 1", 1)
    assert faults(doctored) == [(1, "rulebook")]


def test_an_unknown_rulebook_is_found(doctored: MemoryStore) -> None:
    strange = with_event(e.TableOpened, lambda event: replace(event, hash="0" * 64))
    assert faults(forged(doctored, 0, strange)) == [(1, "rulebook")]


def test_a_record_that_does_not_begin_with_an_opening_is_found(doctored: MemoryStore) -> None:
    closing = forged(doctored, 0, lambda entry: replace(entry, events=(e.TableClosed(),)))
    assert faults(closing)[0] == (1, "rulebook")


def test_a_repeated_key_is_found(doctored: MemoryStore) -> None:
    keyed = [n for n, stored in enumerate(entries_of(doctored)) if stored.key]
    first = entries_of(doctored)[keyed[0]]
    twice = forged(doctored, keyed[1], lambda entry: replace(entry, key=first.key))
    assert (entries_of(twice)[keyed[1]].seq, "double-key") in faults(twice)


def test_text_added_to_an_entry_is_found(doctored: MemoryStore) -> None:
    at = index_of(doctored, has_event(e.PlayerSeated))
    entries = entries_of(doctored)
    for n in range(at, len(entries)):
        public = entries[n].public
        if n == at:
            public = public.replace(b'"type":"PlayerSeated",', b'"type":"PlayerSeated","note":"a friend",')
        entries[n] = replace(entries[n], public=public, chain=link(entries[n - 1].chain, public))
    resign(doctored)
    assert faults(doctored) == [(entries[at].seq, "changed")]


def twist(rng: Random, value: Any) -> Any:
    """Return JSON with one value replaced by another value of the same kind."""
    match value:
        case dict() if value:
            key = rng.choice([key for key in value if key != "type"] or list(value))
            return {**value, key: twist(rng, value[key])}
        case list() if value:
            n = rng.randrange(len(value))
            return [*value[:n], twist(rng, value[n]), *value[n + 1 :]]
        case bool():
            return not value
        case int():
            return value + rng.choice((-1, 1, 100, -(10**6), 10**6))
        case str():
            return rng.choice(("seat 9", "dealer", "board", "", "Ah", "MA-9.h.1", "A", "win", "1 to 1"))
    return "something"


@pytest.mark.parametrize("sealed", [True, False])
def test_forged_entries_never_cause_a_traceback(short: Recorded, sealed: bool) -> None:
    """Most changes that an insider with the key makes to commands and events are found, and none causes a traceback."""
    rng = Random(f"twisted {sealed}")
    faulty = 0
    for _ in range(100):
        record = copy_records(short.house.store)
        entries = entries_of(record)
        at = rng.randrange(len(entries))
        part = rng.choice(("command", "events", "events"))
        public = json.loads(entries[at].public)
        public[part] = twist(rng, public[part])
        for n in range(at, len(entries)):
            text = json.dumps(public, separators=(",", ":")).encode() if n == at else entries[n].public
            before = entries[n - 1].chain if n else start("table:1")
            entries[n] = replace(entries[n], public=text, chain=link(before, text))
        if not sealed:
            entries[:] = [replace(stored, sealed=b"") for stored in entries]
            record._records["table:1"].secrets.clear()
        resign(record)
        faulty += not verify(record, "table:1").sound
    assert faulty >= (90 if sealed else 20)


# --- signatures and snapshots ---


def test_an_invalid_signature_is_found(doctored: MemoryStore) -> None:
    record = doctored._records["table:1"]
    assert record.signed is not None
    other = Signer(bytes(32)).head("table:1", record.signed.head)
    record.signed = replace(record.signed, signature=other.signature)
    record.snapshots.clear()
    assert faults(doctored) == [(record.signed.head.events, "signature")]


def test_a_record_signed_by_another_key_is_found(short: Recorded) -> None:
    report = verify(short.house.store, short.stream, key=bytes(32))
    assert codes(report) == ["signature"]
    assert SIGNER.public.hex() in report.faults[0].message


def test_a_snapshot_of_another_table_is_found(doctored: MemoryStore) -> None:
    snapshots = doctored._records["table:1"].snapshots
    at = min(snapshots)
    richer = snapshots[at].body.replace(b'"tips":0', b'"tips":9', 1)
    assert richer != snapshots[at].body
    snapshots[at] = replace(snapshots[at], body=richer)
    assert faults(doctored) == [(at, "snapshot")]
    snapshots[at] = SIGNER.snapshot("table:1", snapshots[at].signed.head, richer)
    report = verify(doctored, "table:1")
    assert [(f.seq, f.message) for f in report.faults] == [
        (at, f"the snapshot at event {at} has a different table than the record")
    ]


def test_a_snapshot_with_other_shoes_is_found(doctored: MemoryStore) -> None:
    snapshots = doctored._records["table:1"].snapshots
    at = min(snapshots)
    body = json.loads(snapshots[at].body)
    deck = next(iter(body["shoes"]["decks"].values()))
    deck["acts"].append(["take", 1])
    changed = snapshots[at].body[: snapshots[at].body.rindex(b'"shoes":')] + b'"shoes":'
    changed += json.dumps(body["shoes"], separators=(",", ":")).encode() + b"}"
    snapshots[at] = SIGNER.snapshot("table:1", snapshots[at].signed.head, changed)
    assert faults(doctored) == [(at, "snapshot")]


def test_a_snapshot_signed_by_another_key_is_found(doctored: MemoryStore) -> None:
    snapshots = doctored._records["table:1"].snapshots
    at = min(snapshots)
    snapshots[at] = Signer(bytes(32)).snapshot("table:1", snapshots[at].signed.head, snapshots[at].body)
    assert faults(doctored) == [(at, "snapshot")]


def test_a_snapshot_between_entries_is_found(doctored: MemoryStore) -> None:
    snapshots = doctored._records["table:1"].snapshots
    inside = next(s.seq for s in entries_of(doctored) if s.count > 1)
    snapshots[inside] = snapshots[min(snapshots)]
    assert faults(doctored) == [(inside, "snapshot")]


# --- engine bugs ---


def test_a_wrong_payment_is_found_by_the_second_settlement(
    short: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table and the replay agree because they share the engine; the second settlement disagrees."""
    honest = showdown_acts._ActivePass.hand

    def careless(*args: Any) -> list[e.Event]:
        events = honest(*args)
        return [replace(event, clause="MA-1.trips-b") if is_blind(event) else event for event in events]

    def is_blind(event: e.Event) -> bool:
        return isinstance(event, e.WagerSettled) and event.wager == "blind"

    monkeypatch.setattr(showdown_acts._ActivePass, "hand", careless)
    playing = recorded("uth-ma", "device", 3, seed="careless", irregular=0)
    report = verify(playing.house.store, playing.stream)
    assert set(codes(report)) == {"settlement"}
    assert "MA-1.trips-b" in report.faults[0].message


def test_an_event_that_loses_a_cent_is_found(short: Recorded, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FOLDS[e.WagersPlaced]
    kind: type[e.Event] = e.WagersPlaced

    def careless(state: State, event: e.WagersPlaced) -> State:
        folded = honest(state, event)
        return replace(folded, house=folded.house - 1)

    monkeypatch.setitem(FOLDS, kind, careless)
    report = verify(short.house.store, short.stream)
    assert report.faults[0].code == "money"
    assert "WagersPlaced" in report.faults[0].message


def test_a_record_from_another_version_is_verified_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        for module in ("live.live_table", "audit.snapshot_body"):
            earlier.setattr(f"houseway.{module}.__version__", "0.0.9")
        playing = recorded("uth-card", "device", 3, seed="version", at=house(every=40))
    report = verify(playing.house.store, playing.stream)
    assert report.sound
    assert report.settled_again
    assert report.notes == ("recorded by houseway 0.0.9, checked by houseway 0.1.0",)
    assert any("from another version" in lack for lack in report.lacked)


# --- without hidden cards ---


def test_sums_are_checked_without_sealed_parts() -> None:
    # There are enough rounds that some wager wins 1 to 1, whatever the cards are.
    doctored = copy_records(recorded("uth-ma", "device", 12, seed="sums").house.store)
    at = index_of(doctored, has_event(e.WagerSettled, odds="1 to 1"))

    def paid(event: e.WagerSettled) -> e.Event:
        return replace(event, won=event.won + 100, back=event.back + 100)

    first = next(
        n for n, event in enumerate(read_entry(entries_of(doctored)[at]).events)
        if isinstance(event, e.WagerSettled) and event.odds == "1 to 1"
    )  # fmt: skip

    def change(entry: RecordEntry) -> RecordEntry:
        events = list(entry.events)
        settled = events[first]
        assert isinstance(settled, e.WagerSettled)
        events[first] = paid(settled)
        return replace(entry, events=tuple(events))

    forged(doctored, at, change)
    record = doctored._records["table:1"]
    record.entries = [replace(stored, sealed=b"") for stored in record.entries]
    record.secrets.clear()
    report = verify(doctored, "table:1")
    assert (entries_of(doctored)[at].seq + first, "payment") in [(f.seq, f.code) for f in report.faults]
    assert any("hidden cards are missing" in lack for lack in report.lacked)
    assert any("seeds of" in lack for lack in report.lacked)


# --- the command ---


def test_the_command_reports_the_faults(
    doctored: MemoryStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.jsonl"
    file.write_bytes(b"".join(export_lines(doctored, "table:1", "surveillance")))
    assert main(["audit", "verify", str(file), "--key", SIGNER.public.hex()]) == 0
    assert capsys.readouterr().out.startswith("table:1: sound (")
    text = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(text[:10] + text[11:]), encoding="utf-8")
    assert main(["audit", "verify", str(file)]) == 1
    out = capsys.readouterr().out
    assert "line 11" in out
    assert "missing" in out
    assert main(["audit", "verify", str(file), "--json"]) == 1
    (report,) = json.loads(capsys.readouterr().out)
    assert report["sound"] is False
    assert report["faults"][0]["code"] == "missing"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.db"], "there is no record at nowhere.db"),
        (
            ["record.jsonl", "--table", "table:4"],
            "--table table:4: no such table in this record; it has table:1",
        ),
        (["record.jsonl", "--key", "abc"], "--key must be 64 hexadecimal digits (got 'abc')"),
        (["garbage.jsonl"], "garbage.jsonl is not an exported record: line 1 cannot be read"),
    ],
)
def test_bad_input_is_reported_in_a_sentence(
    arguments: list[str],
    message: str,
    short: Recorded,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("record.jsonl").write_bytes(b"".join(export_lines(short.house.store, short.stream, "rail")))
    Path("garbage.jsonl").write_bytes(b'{"line":"record","format"')
    assert main(["audit", "verify", *arguments]) == 2
    assert message in capsys.readouterr().err
