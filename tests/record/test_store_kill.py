"""If a writer is killed with SIGKILL at any moment, no acknowledged event is lost or duplicated, and no card changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from samples import sample

from .kill_witness import LostError, Witness, Writers, writers
from .kill_writer import MOMENTS
from .places import Place
from .servers import Server, need_postgres, server

KILLS = 40
"""The number of random kills in one test."""
SHARDS = sample("store kills") // KILLS


@pytest.fixture(scope="module")
def forker() -> Iterator[Writers]:
    with writers() as running:
        yield running


@pytest.fixture(scope="module")
def postgres() -> Iterator[Server]:
    """A server of this file whose files are on disk, where a commit takes as long as in production."""
    need_postgres()
    with server() as running:
        yield running


def place(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    return Place.new(kind, folder, request).where


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_kill_before_each_acknowledgement_loses_nothing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, forker: Writers
) -> None:
    witness = Witness(forker, place(kind, tmp_path, request))
    entries = 0
    while witness.rounds == 0:
        # Each entry needs three writers: the first two are killed before the commit, the third before the acknowledgement.
        for moment in MOMENTS[:3]:
            before = witness.head
            repeated = witness.run_until_killed(moment)
            assert (witness.head != before) == (moment == "committed"), (moment, entries)
            # When the next writer sends the command again, it is already on record only if it was committed before the kill.
            assert repeated == ([True] if moment == "before" and entries > 1 else []), (moment, entries)
        entries += 1
    assert entries >= 40
    witness.run_until_killed("acknowledged")
    witness.compare()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_kill_after_each_acknowledgement_loses_nothing(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, forker: Writers
) -> None:
    witness = Witness(forker, place(kind, tmp_path, request))
    # Opening the table is not acknowledged separately, so the first writer runs for two entries.
    witness.run_until_killed("acknowledged", at=2)
    while witness.rounds == 0:
        assert witness.run_until_killed("acknowledged") == [False]
    assert witness.deaths >= 40
    witness.compare()


def kill_at_random(witness: Witness, rng: Random) -> None:
    # On a busy machine, a writer does less before it is killed, so continue until a round has been played.
    for number in range(10 * KILLS):
        if number >= KILLS and witness.rounds:
            return
        # One writer in five may be killed while it opens the record.
        witness.run_until_killed(seconds=rng.uniform(0, 0.02), plays=rng.random() < 0.8)


@pytest.mark.parametrize(("kind", "shard"), [("postgres", 0), *(("sqlite", n) for n in range(1, SHARDS))])
def test_random_kills_lose_nothing(
    kind: str, shard: int, tmp_path: Path, request: pytest.FixtureRequest, forker: Writers
) -> None:
    witness = Witness(forker, place(kind, tmp_path, request))
    kill_at_random(witness, Random(f"{kind} {shard}"))
    assert witness.rounds > 0
    witness.compare()


def kill_at_moments(witness: Witness) -> None:
    for _ in range(40):
        witness.run_until_killed("acknowledged", at=2)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.parametrize("fault", ["hasty", "forgetful"])
def test_a_store_that_acknowledges_before_committing_is_detected(
    kind: str, fault: str, tmp_path: Path, request: pytest.FixtureRequest, forker: Writers
) -> None:
    witness = Witness(forker, place(kind, tmp_path, request), fault)
    with pytest.raises(LostError, match="acknowledged and not on record"):
        kill_at_moments(witness)


@pytest.mark.parametrize("fault", ["hasty", "forgetful"])
def test_random_kills_also_detect_a_store_that_acknowledges_too_early(
    fault: str, tmp_path: Path, forker: Writers
) -> None:
    with pytest.raises(LostError):
        kill_at_random(Witness(forker, str(tmp_path / "record.db"), fault), Random(fault))
