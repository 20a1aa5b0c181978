"""Kill −9 of the whole house at any moment: nothing that was acknowledged is lost, and no card changes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from houseway.client import House, HouseError
from samples import sample
from server.houses import Process, free_port
from server.killing import LostError, Town

PARTS = 4
KILLS = sample("server kills")
RULEBOOKS = ("uth-ma", "shootout-sd")


@contextmanager
def town(folder: Path, seed: str) -> Iterator[Town]:
    process = Process(folder / "house.db")
    try:
        yield Town(process, RULEBOOKS, Random(seed))
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()


def kill(town: Town, kills: int, rng: Random) -> None:
    for _ in range(kills):
        town.live_and_die(rng.uniform(0.02, 0.6))
        if rng.random() < 0.1:
            town.process.begin()
            town.process.kill()
            town.look()
        town.process.start()
    town.play_rounds(1)
    town.process.kill()
    town.look()


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_killed_at_any_moment_the_house_goes_on_where_it_was(tmp_path: Path, part: int) -> None:
    with town(tmp_path, f"kills {part}") as found:
        kill(found, KILLS // PARTS, Random(f"moments {part}"))
        assert all(memory.acknowledged for memory in found.tables.values())
        assert sum(len(memory.acknowledged) for memory in found.tables.values()) > KILLS // PARTS


def test_a_record_that_lost_its_end_is_found_out(tmp_path: Path) -> None:
    """Planted: what was acknowledged last is gone, as after a commit that was none."""
    with town(tmp_path, "forgetful") as found:
        found.play_rounds(1)
        found.process.kill()
        found.look()
        kept = tmp_path / "kept"
        kept.mkdir()
        files = list(tmp_path.glob("house.db*"))
        for file in files:
            shutil.copy(file, kept)
        found.process.start()
        found.play_rounds(1)
        found.process.kill()
        found.look()
        for file in files:
            shutil.copy(kept / file.name, file)
        with pytest.raises(LostError, match="on record is None"):
            found.look()


def test_asked_to_close_it_tells_its_sockets_and_ends_well(tmp_path: Path) -> None:
    with town(tmp_path, "closing") as found:
        person = House(found.process.url)
        person.introduce("Maren")
        with person.sit(next(iter(found.tables))) as at:
            assert found.process.stop() == 0
            with pytest.raises(HouseError, match="1012"):
                list(at)
        found.look()


def test_a_second_house_on_the_same_records_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with town(tmp_path, "alone") as found:
        command = [
            sys.executable,
            "-m",
            "houseway",
            "serve",
            "--port",
            str(free_port()),
            "--db",
            found.process.db,
        ]
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 2
        assert len(second.stderr.strip().splitlines()) == 1
        assert "Traceback" not in second.stderr
        assert "give a second server its own --db FILE" in second.stderr
        # The first one never noticed.
        found.play_rounds(1)
