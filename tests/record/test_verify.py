"""Tampering shows: whatever is done to a record, `verify` finds it, where it was done, and says what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from houseway.audit.entries import RecordEntry, link, read_entry, start
from houseway.audit.export import exported
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
from record.recorded import SIGNER, Recorded, copied, forged, house, kept, recorded, resign

EVERYWHERE = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


@pytest.fixture(scope="module")
def short() -> Recorded:
    """A record of three rounds, some of them irregular, with snapshots."""
    return recorded("uth-ma", "device", 3, seed="short", irregular=0.05, at=house(every=60))


@pytest.fixture
def doctored(short: Recorded) -> MemoryStore:
    return copied(short.house.store)


def codes(report: VerificationReport) -> list[str]:
    return [fault.code for fault in report.faults]


def found(store: MemoryStore, stream: str = "table:1") -> list[tuple[int, str]]:
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


def test_a_shoe_without_a_seal_is_said() -> None:
    from scripted import Scripted

    playing = recorded("uth-sd", "manual", 1, seed="scripted", irregular=0, maker=Scripted())
    report = verify(playing.house.store, playing.stream)
    assert report.sound
    assert any("had no seal" in lack for lack in report.lacked)


def test_a_record_that_is_not_there() -> None:
    with pytest.raises(StoreError, match="there is no record of table:7; on record: none"):
        verify(MemoryStore(), "table:7")


# --- what is done to whole entries ---


def test_an_entry_taken_out_is_missed(doctored: MemoryStore) -> None:
    gone = kept(doctored).pop(20)
    assert found(doctored)[0] == (gone.seq, "missing")


def test_two_entries_exchanged_are_found(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    first = entries[20].seq
    entries[20], entries[21] = entries[21], entries[20]
    assert found(doctored)[0] == (first, "swapped")


def test_entries_exchanged_under_their_numbers_are_found(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    one, two = entries[20], entries[24]
    entries[20] = replace(two, seq=one.seq, count=one.count)
    entries[24] = replace(one, seq=two.seq, count=two.count)
    assert found(doctored)[0] == (one.seq, "swapped")
    assert (two.seq, "swapped") in found(doctored)


def test_an_entry_told_twice_is_found(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    entries.insert(21, entries[20])
    assert found(doctored)[0] == (entries[20].seq, "swapped")


def test_a_record_cut_short_is_found(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    gone = entries[-3]
    del entries[-3:]
    assert found(doctored)[0] == (gone.seq, "truncated")


def test_entries_behind_the_head_are_found(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    last = entries[-2]
    doctored._records["table:1"].signed = SIGNER.head("table:1", Head(last.last, last.chain))
    assert found(doctored) == [(entries[-1].seq, "head")]


@pytest.fixture(scope="module")
def other(short: Recorded) -> Recorded:
    """Another table of the same house, at which the same has happened with other cards."""
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
    entries = kept(doctored)
    foreign = next(s for s in other.house.store.entries("table:2") if s.seq == entries[15].seq)
    entries[15] = foreign
    assert found(doctored)[0] == (foreign.seq, "spliced")


def test_the_rest_of_another_record_is_found(doctored: MemoryStore, other: Recorded) -> None:
    entries = kept(doctored)
    tail = [s for s in other.house.store.entries("table:2") if s.seq > entries[14].last]
    assert tail[0].seq == entries[15].seq
    entries[15:] = tail
    signed = other.house.store.head("table:2")
    assert signed is not None
    doctored._records["table:1"].signed = signed
    assert found(doctored)[0] == (tail[0].seq, "changed")
    assert (signed.head.events, "signature") in found(doctored)
    resign(doctored)
    honest = copied(doctored)
    honest._records["table:1"].signed = SIGNER.head("table:1", Head(signed.head.events, bytes(32)))
    assert found(honest)[0] == (tail[0].seq, "spliced")


def test_a_record_under_another_name_is_found(short: Recorded) -> None:
    record = copied(short.house.store)
    record._records["table:9"] = record._records.pop("table:1")
    assert found(record, "table:9")[0] == (1, "spliced")
    assert "signature" in codes(verify(record, "table:9"))


# --- an insider with the house's key ---


def place_of(record: MemoryStore, wanted: Callable[[RecordEntry], bool]) -> int:
    return next(n for n, stored in enumerate(kept(record)) if wanted(read_entry(stored)))


def holds(kind: type[e.Event], **said: object) -> Callable[[RecordEntry], bool]:
    def wanted(entry: RecordEntry) -> bool:
        return any(
            isinstance(event, kind) and all(getattr(event, name) == value for name, value in said.items())
            for event in entry.events
        )

    return wanted


def with_event(kind: type[e.Event], change: Callable[..., e.Event]) -> Callable[[RecordEntry], RecordEntry]:
    """An entry with the first event of a kind changed."""

    def changed(entry: RecordEntry) -> RecordEntry:
        at = next(n for n, event in enumerate(entry.events) if isinstance(event, kind))
        events = (*entry.events[:at], change(entry.events[at]), *entry.events[at + 1 :])
        return replace(entry, events=events)

    return changed


def test_a_forged_payment_is_found_under_a_true_signature(doctored: MemoryStore) -> None:
    at = place_of(doctored, holds(e.WagerSettled, result="lose"))
    seq = kept(doctored)[at].seq

    def paid(event: e.WagerSettled) -> e.Event:
        return replace(event, result="win", back=3 * event.stake, won=2 * event.stake, odds="2 to 1")

    report = verify(forged(doctored, at, with_event(e.WagerSettled, paid)), "table:1")
    assert codes(report) == ["payment"]
    assert seq <= report.faults[0].seq <= kept(doctored)[at].last
    assert "2 to 1" in report.faults[0].message
    assert any("nothing was replayed from event" in lack for lack in report.lacked)


def test_a_command_the_rules_refuse_is_found(doctored: MemoryStore) -> None:
    at = place_of(doctored, lambda entry: isinstance(entry.command, c.Bet))
    report = verify(forged(doctored, at, lambda entry: replace(entry, command=c.Fold(seat=1))), "table:1")
    assert codes(report) == ["refused"]
    assert report.faults[0].seq == kept(doctored)[at].seq


def test_a_player_who_is_given_chips_is_found(doctored: MemoryStore) -> None:
    at = place_of(doctored, holds(e.PlayerSeated))
    seq = kept(doctored)[at].seq
    richer = with_event(e.PlayerSeated, lambda event: replace(event, chips=event.chips + 1))
    assert found(forged(doctored, at, richer)) == [(seq, "events")]


def test_an_exchanged_card_is_found() -> None:
    """Decided again it is as good a card as any: only the seal tells."""
    record = copied(recorded("uth-ma", "manual", 1, seed="burned", irregular=0, by_hand=0).house.store)
    at = place_of(record, holds(e.CardsBurned))
    dealt = {card for s in kept(record) for card in getattr(read_entry(s).command, "cards", ())}
    other = next(card for card in DECK if card not in dealt)

    def exchanged(entry: RecordEntry) -> RecordEntry:
        assert isinstance(entry.command, c.Perform)
        cards = (other, *entry.command.cards[1:])
        entry = replace(entry, command=replace(entry.command, cards=cards))
        return with_event(e.CardsBurned, lambda event: replace(event, sealed=cards[:1]))(entry)

    report = verify(forged(record, at, exchanged), "table:1")
    assert (report.faults[0].seq, report.faults[0].code) == (kept(record)[at].seq, "shoe")
    assert f"deck A dealt {other}" in report.faults[0].message


def test_another_seed_is_found(doctored: MemoryStore) -> None:
    secrets = doctored._records["table:1"].secrets
    name = next(name for name in secrets if name != "nonces")
    secrets[name] = bytes(32)
    at = place_of(doctored, holds(e.DeckShuffled))
    report = verify(doctored, "table:1")
    assert codes(report)[0] == "shoe"
    assert kept(doctored)[at].seq <= report.faults[0].seq <= kept(doctored)[at].last


def test_a_seed_taken_out_is_found(doctored: MemoryStore) -> None:
    secrets = doctored._records["table:1"].secrets
    del secrets[next(name for name in secrets if name != "nonces")]
    assert "secret" in codes(verify(doctored, "table:1"))


def test_other_nonces_are_found(doctored: MemoryStore) -> None:
    doctored._records["table:1"].secrets["nonces"] = bytes(32)
    assert set(codes(verify(doctored, "table:1"))) == {"sealed"}


def test_a_sealed_part_exchanged_is_found(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    one, two = [n for n, stored in enumerate(entries) if stored.sealed][:2]
    entries[one] = replace(entries[one], sealed=entries[two].sealed)
    assert found(doctored)[0] == (entries[one].seq, "sealed")


def test_a_sealed_part_taken_out_is_found_where_the_secrets_are(doctored: MemoryStore) -> None:
    entries = kept(doctored)
    at = next(n for n, stored in enumerate(entries) if stored.sealed)
    entries[at] = replace(entries[at], sealed=b"")
    assert found(doctored) == [(entries[at].seq, "sealed")]


def test_another_rulebook_is_found(doctored: MemoryStore) -> None:
    (hash_,) = doctored._texts
    doctored._texts[hash_] = doctored._texts[hash_].replace("50 to 1", "5 to 1", 1)
    assert found(doctored) == [(1, "rulebook")]


def test_a_rulebook_nobody_has_is_found(doctored: MemoryStore) -> None:
    strange = with_event(e.TableOpened, lambda event: replace(event, hash="0" * 64))
    assert found(forged(doctored, 0, strange)) == [(1, "rulebook")]


def test_a_record_that_does_not_begin_with_an_opening_is_found(doctored: MemoryStore) -> None:
    closing = forged(doctored, 0, lambda entry: replace(entry, events=(e.TableClosed(),)))
    assert found(closing)[0] == (1, "rulebook")


def test_a_key_that_counts_twice_is_found(doctored: MemoryStore) -> None:
    keyed = [n for n, stored in enumerate(kept(doctored)) if stored.key]
    first = kept(doctored)[keyed[0]]
    twice = forged(doctored, keyed[1], lambda entry: replace(entry, key=first.key))
    assert (kept(twice)[keyed[1]].seq, "double-key") in found(twice)


def test_words_added_to_an_entry_are_found(doctored: MemoryStore) -> None:
    at = place_of(doctored, holds(e.PlayerSeated))
    entries = kept(doctored)
    for n in range(at, len(entries)):
        public = entries[n].public
        if n == at:
            public = public.replace(b'"type":"PlayerSeated",', b'"type":"PlayerSeated","note":"a friend",')
        entries[n] = replace(entries[n], public=public, chain=link(entries[n - 1].chain, public))
    resign(doctored)
    assert found(doctored) == [(entries[at].seq, "changed")]


def twisted(rng: Random, value: Any) -> Any:
    """JSON with one of its values exchanged for another of the same kind."""
    match value:
        case dict() if value:
            key = rng.choice([key for key in value if key != "type"] or list(value))
            return {**value, key: twisted(rng, value[key])}
        case list() if value:
            n = rng.randrange(len(value))
            return [*value[:n], twisted(rng, value[n]), *value[n + 1 :]]
        case bool():
            return not value
        case int():
            return value + rng.choice((-1, 1, 100, -(10**6), 10**6))
        case str():
            return rng.choice(("seat 9", "dealer", "board", "", "Ah", "MA-9.h.1", "A", "win", "1 to 1"))
    return "something"


@pytest.mark.parametrize("sealed", [True, False])
def test_forged_entries_never_make_it_stumble(short: Recorded, sealed: bool) -> None:
    """Commands and events twisted by somebody who has the key: mostly found, and never a traceback."""
    rng = Random(f"twisted {sealed}")
    faulty = 0
    for _ in range(100):
        record = copied(short.house.store)
        entries = kept(record)
        at = rng.randrange(len(entries))
        part = rng.choice(("command", "events", "events"))
        public = json.loads(entries[at].public)
        public[part] = twisted(rng, public[part])
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


def test_a_false_signature_is_found(doctored: MemoryStore) -> None:
    record = doctored._records["table:1"]
    assert record.signed is not None
    other = Signer(bytes(32)).head("table:1", record.signed.head)
    record.signed = replace(record.signed, signature=other.signature)
    record.snapshots.clear()
    assert found(doctored) == [(record.signed.head.events, "signature")]


def test_another_house_than_the_one_trusted_is_found(short: Recorded) -> None:
    report = verify(short.house.store, short.stream, key=bytes(32))
    assert codes(report) == ["signature"]
    assert SIGNER.public.hex() in report.faults[0].message


def test_a_snapshot_of_another_table_is_found(doctored: MemoryStore) -> None:
    taken = doctored._records["table:1"].snapshots
    at = min(taken)
    richer = taken[at].body.replace(b'"tips":0', b'"tips":9', 1)
    assert richer != taken[at].body
    taken[at] = replace(taken[at], body=richer)
    assert found(doctored) == [(at, "snapshot")]
    taken[at] = SIGNER.snapshot("table:1", taken[at].signed.head, richer)
    report = verify(doctored, "table:1")
    assert [(f.seq, f.message) for f in report.faults] == [
        (at, f"the snapshot at event {at} has a different table than the record")
    ]


def test_a_snapshot_that_tells_of_other_shoes_is_found(doctored: MemoryStore) -> None:
    taken = doctored._records["table:1"].snapshots
    at = min(taken)
    body = json.loads(taken[at].body)
    deck = next(iter(body["shoes"]["decks"].values()))
    deck["acts"].append(["take", 1])
    changed = taken[at].body[: taken[at].body.rindex(b'"shoes":')] + b'"shoes":'
    changed += json.dumps(body["shoes"], separators=(",", ":")).encode() + b"}"
    taken[at] = SIGNER.snapshot("table:1", taken[at].signed.head, changed)
    assert found(doctored) == [(at, "snapshot")]


def test_a_snapshot_by_somebody_else_is_found(doctored: MemoryStore) -> None:
    taken = doctored._records["table:1"].snapshots
    at = min(taken)
    taken[at] = Signer(bytes(32)).snapshot("table:1", taken[at].signed.head, taken[at].body)
    assert found(doctored) == [(at, "snapshot")]


def test_a_snapshot_between_entries_is_found(doctored: MemoryStore) -> None:
    taken = doctored._records["table:1"].snapshots
    inside = next(s.seq for s in kept(doctored) if s.count > 1)
    taken[inside] = taken[min(taken)]
    assert found(doctored) == [(inside, "snapshot")]


# --- what a careless engine would let pass ---


def test_a_payment_the_window_would_not_make_is_found(
    short: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Table and replay agree, being the same engine; the second settlement does not."""
    honest = showdown_acts._Walk.hand

    def careless(*given: Any) -> list[e.Event]:
        events = honest(*given)
        return [replace(event, clause="MA-1.trips-b") if is_blind(event) else event for event in events]

    def is_blind(event: e.Event) -> bool:
        return isinstance(event, e.WagerSettled) and event.wager == "blind"

    monkeypatch.setattr(showdown_acts._Walk, "hand", careless)
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


def test_another_version_is_noted_and_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.live.live_table.__version__", "0.0.9")
    playing = recorded("uth-card", "device", 3, seed="version", at=house(every=40))
    report = verify(playing.house.store, playing.stream)
    assert report.sound
    assert report.settled_again
    assert report.notes == ("decided by houseway 0.0.9, checked by 0.1.0",)
    assert any("are from another version" in lack for lack in report.lacked)


# --- without hidden cards ---


def test_without_sealed_parts_sums_are_checked(doctored: MemoryStore) -> None:
    at = place_of(doctored, holds(e.WagerSettled, odds="1 to 1"))

    def paid(event: e.WagerSettled) -> e.Event:
        return replace(event, won=event.won + 100, back=event.back + 100)

    first = next(
        n for n, event in enumerate(read_entry(kept(doctored)[at]).events)
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
    assert (kept(doctored)[at].seq + first, "payment") in [(f.seq, f.code) for f in report.faults]
    assert any("hidden cards are missing" in lack for lack in report.lacked)
    assert any("seeds of" in lack for lack in report.lacked)


# --- the command ---


def test_the_command_says_what_it_found(
    doctored: MemoryStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.jsonl"
    file.write_bytes(b"".join(exported(doctored, "table:1", "surveillance")))
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
    ("arguments", "said"),
    [
        (["nowhere.db"], "there is no record at nowhere.db"),
        (
            ["record.jsonl", "--table", "table:4"],
            "--table table:4: no such table in this record; it has table:1",
        ),
        (["record.jsonl", "--key", "abc"], "--key must be 64 hexadecimal digits (got 'abc')"),
        (["garbage.jsonl"], "line 1 is not the first line of an exported record"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    arguments: list[str],
    said: str,
    short: Recorded,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("record.jsonl").write_bytes(b"".join(exported(short.house.store, short.stream, "rail")))
    Path("garbage.jsonl").write_bytes(b'{"line":"record","format"')
    assert main(["audit", "verify", *arguments]) == 2
    assert said in capsys.readouterr().err
