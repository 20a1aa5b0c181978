"""A flipped byte anywhere in a record is found and located."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from houseway.audit import chain as chaining
from houseway.audit.chain import Chain
from houseway.audit.entries import StoredEntry, digest, read_public, start
from houseway.audit.export import export_lines
from houseway.audit.memory_store import MemoryStore
from houseway.audit.store import Head
from houseway.audit.verify import verify
from houseway.cli.app import main
from record.recorded import Recorded, copy_records, entries_of, house, recorded
from samples import LONG, MARGIN, sample

FLIPS = sample("flips")
EVENTS = sample("record events")
PARTS = 4 if LONG else 1


@pytest.fixture(scope="module")
def short() -> Recorded:
    """Return a record of three rounds with irregularities and snapshots."""
    return recorded("uth-ma", "device", 3, seed="short", irregular=0.05, at=house(every=60))


def flips(stream: str, entries: list[StoredEntry], chain: bytes) -> Iterator[tuple[int, bool]]:
    """Flip every byte of every entry in turn. Yield the event, and True if the check of the chain finds the flip there."""

    def is_found(flipped: StoredEntry) -> bool:
        follows = Chain(stream)
        follows.head = Head(flipped.seq - 1, chain)
        return [fault.seq for fault in follows.take(flipped, None, None)] == [flipped.seq]

    for stored in entries:
        seal = read_public(stored.public).seal
        public = bytearray(stored.public)
        for n in range(len(public)):
            public[n] ^= 1 + n % 255
            yield stored.seq, is_found(replace(stored, public=bytes(public)))
            public[n] ^= 1 + n % 255
        for n in range(len(stored.chain)):
            other = bytearray(stored.chain)
            other[n] ^= 1 + n % 255
            yield stored.seq, is_found(replace(stored, chain=bytes(other)))
        sealed = bytearray(stored.sealed)
        for n in range(len(sealed)):
            sealed[n] ^= 1 + n % 255
            yield stored.seq, digest(bytes(sealed)) != seal
            sealed[n] ^= 1 + n % 255
        chain = stored.chain


@pytest.fixture(scope="module")
def long() -> Recorded:
    """Return a record of many events."""
    playing = recorded("uth-ma", "manual", EVENTS // 100, seed="long", irregular=0.03)
    while len(playing.record) < EVENTS:
        playing.one()
        playing.round = type(playing.round)(0, playing.state, playing.given)
    return playing


@pytest.mark.parametrize("part", range(PARTS))
def test_every_flipped_byte_of_a_long_record_is_found(long: Recorded, part: int) -> None:
    entries = list(long.house.store.entries(long.stream))
    share = len(entries) // PARTS + 1
    mine = entries[part * share : (part + 1) * share]
    before = entries[part * share - 1].chain if part else start(long.stream)
    flipped = missed = 0
    for _, is_found in flips(long.stream, mine, before):
        flipped += 1
        missed += not is_found
    assert missed == 0
    assert (
        flipped == sum(len(s.public) + len(s.sealed) + len(s.chain) for s in mine) > 120 * EVENTS // PARTS
    )


def test_a_chain_that_covers_only_half_of_an_entry_is_detected(
    short: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def careless(chain: bytes, public: bytes) -> bytes:
        return hashlib.sha256(chain + public[: len(public) // 2]).digest()

    stored = next(iter(short.house.store.entries(short.stream)))
    halved = replace(stored, chain=careless(start(short.stream), stored.public))
    monkeypatch.setattr(chaining, "link", careless)
    assert sum(not is_found for _, is_found in flips(short.stream, [halved], start(short.stream))) >= MARGIN


def flipped(rng: Random, record: MemoryStore, stream: str = "table:1") -> tuple[int, int]:
    """Flip one byte of a record and return the first and last event of its entry."""
    entries = entries_of(record, stream)
    place = rng.randrange(len(entries))
    stored = entries[place]
    part = rng.choice(["public"] * 6 + ["chain"] + ["sealed"] * 3 if stored.sealed else ["public", "chain"])
    text = bytearray(getattr(stored, part))
    text[rng.randrange(len(text))] ^= rng.randrange(1, 256)
    entries[place] = replace(stored, **{part: bytes(text)})
    return stored.seq, stored.last


@pytest.mark.parametrize("part", range(PARTS))
def test_flipped_bytes_are_found_and_located(short: Recorded, part: int) -> None:
    rng = Random(f"turned {part}")
    for _ in range(FLIPS // PARTS):
        record = copy_records(short.house.store)
        first, last = flipped(rng, record)
        report = verify(record, short.stream)
        assert report.faults, (first, last)
        assert first <= report.faults[0].seq <= last, (first, last, report.faults)
        # Apart from this entry, only a snapshot that depends on the changed chain may be reported.
        assert all(first <= f.seq <= last or f.code == "snapshot" for f in report.faults)


@pytest.mark.parametrize("secrets", [False, True])
def test_flipped_bytes_of_an_exported_file_are_found(
    short: Recorded, tmp_path: Path, secrets: bool
) -> None:
    text = b"".join(export_lines(short.house.store, short.stream, "surveillance", secrets=secrets))
    lines = [n for n, byte in enumerate(text) if byte == 10]
    rng = Random(f"file {secrets}")
    file = tmp_path / "turned.jsonl"
    for _ in range(FLIPS // 10):
        # The rulebook's text fills most of the first line, so every second flip is in another part of the file.
        at = rng.randrange(rng.choice((0, lines[0] + 1)), len(text))
        changed = bytearray(text)
        changed[at] ^= rng.randrange(1, 256)
        file.write_bytes(changed)
        assert main(["audit", "verify", str(file)]) in ((1, 2) if at <= lines[0] else (1,)), (
            at,
            text[at - 20 : at + 20],
        )
