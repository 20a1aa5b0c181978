"""Kill −9 at any moment loses nothing that was acknowledged, doubles nothing, and changes no card."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from samples import sample

from .kill_witness import LostError, Witness, Writers, writers
from .kill_writer import MOMENTS
from .places import Place

KILLS = 40
"""Random kills in one test."""
SHARDS = sample("store kills") // KILLS


@pytest.fixture(scope="module")
def begetter() -> Iterator[Writers]:
    with writers() as running:
        yield running


def place(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    return Place.new(kind, folder, request).where


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_killed_at_every_entry_of_a_round_before_it_is_acknowledged(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, begetter: Writers
) -> None:
    witness = Witness(begetter, place(kind, tmp_path, request))
    entries = 0
    while witness.rounds == 0:
        # The same entry three times over: twice it never came on record, the third time nobody was told.
        for moment in MOMENTS[:3]:
            before = witness.head
            repeated = witness.live_and_die(moment)
            assert (witness.head != before) == (moment == "committed"), (moment, entries)
            # Only what was committed unheard stood on record when it was sent again: by the next writer.
            assert repeated == ([True] if moment == "before" and entries > 1 else []), (moment, entries)
        entries += 1
    assert entries >= 40
    witness.live_and_die("acknowledged")
    witness.compare()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_killed_at_every_entry_of_a_round_before_anybody_else_is_told(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, begetter: Writers
) -> None:
    witness = Witness(begetter, place(kind, tmp_path, request))
    # The opening of the table is answered by no message of its own, so the first writer goes two entries far.
    witness.live_and_die("acknowledged", at=2)
    while witness.rounds == 0:
        assert witness.live_and_die("acknowledged") == [False]
    assert witness.deaths >= 40
    witness.compare()


def kill_at_random(witness: Witness, rng: Random) -> None:
    # A busy machine gets less far in a life: it goes on until a round was played.
    for number in range(10 * KILLS):
        if number >= KILLS and witness.rounds:
            return
        # One in five may die while it opens the record.
        witness.live_and_die(seconds=rng.uniform(0, 0.02), plays=rng.random() < 0.8)


@pytest.mark.parametrize(("kind", "shard"), [("postgres", 0), *(("sqlite", n) for n in range(1, SHARDS))])
def test_killed_at_random(
    kind: str, shard: int, tmp_path: Path, request: pytest.FixtureRequest, begetter: Writers
) -> None:
    witness = Witness(begetter, place(kind, tmp_path, request))
    kill_at_random(witness, Random(f"{kind} {shard}"))
    assert witness.rounds > 0
    witness.compare()


def kill_at_moments(witness: Witness) -> None:
    for _ in range(40):
        witness.live_and_die("acknowledged", at=2)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("fault", ["hasty", "forgetful"])
def test_a_store_that_acknowledges_what_is_not_committed_is_found_out(
    kind: str, fault: str, tmp_path: Path, request: pytest.FixtureRequest, begetter: Writers
) -> None:
    witness = Witness(begetter, place(kind, tmp_path, request), fault)
    with pytest.raises(LostError, match="acknowledged and not on record"):
        kill_at_moments(witness)


@pytest.mark.parametrize("fault", ["hasty", "forgetful"])
def test_random_kills_find_it_too(fault: str, tmp_path: Path, begetter: Writers) -> None:
    with pytest.raises(LostError):
        kill_at_random(Witness(begetter, str(tmp_path / "record.db"), fault), Random(fault))
