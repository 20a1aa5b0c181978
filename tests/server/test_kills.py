"""SIGKILL of the server at any moment loses no acknowledged event and changes no card."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from houseway.client import House, HouseError
from samples import sample
from server.forking import ForkedProcess
from server.houses import Process, free_port
from server.killing import LostError, PlayedServer

PARTS = 4
KILLS = sample("server kills")
RULEBOOKS = ("uth-ma", "shootout-sd")


LINKED = ("uth-ma", "uth-ma")
LINKED_KILLS = sample("linked kills")


@contextmanager
def played_server(
    folder: Path,
    seed: str,
    rulebooks: tuple[str, ...] = RULEBOOKS,
    link: str = "",
    kind: type[Process] = ForkedProcess,
) -> Iterator[PlayedServer]:
    process = kind(folder / "house.db")
    try:
        yield PlayedServer(process, rulebooks, Random(seed), link)
    finally:
        if process.process is not None and process.process.poll() is None:
            process.kill()


def kill(played_server: PlayedServer, kills: int, rng: Random) -> None:
    for _ in range(kills):
        played_server.play_until_killed(rng.uniform(0.02, 0.6))
        if rng.random() < 0.1:
            played_server.process.begin()
            played_server.process.kill()
            played_server.check()
        played_server.process.start()
    played_server.play_rounds(1)
    played_server.process.kill()
    played_server.check()


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_killed_server_continues_where_it_was(tmp_path: Path, part: int) -> None:
    with played_server(tmp_path, f"kills {part}") as served:
        kill(served, KILLS // PARTS, Random(f"moments {part}"))
        assert all(memory.acknowledged for memory in served.tables.values())
        assert sum(len(memory.acknowledged) for memory in served.tables.values()) > KILLS // PARTS


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("part", range(PARTS))
def test_linked_tables_of_a_killed_server_have_one_meter(tmp_path: Path, part: int) -> None:
    with played_server(tmp_path, f"linked {part}", LINKED, "jackpot") as served:
        kill(served, LINKED_KILLS // PARTS, Random(f"linked moments {part}"))
        assert served.contributions >= 2
        shown = {tuple(card.meters.items()) for card in served.cards()}
        assert len(shown) == 1


def test_a_contribution_that_is_not_on_the_meter_is_detected(tmp_path: Path) -> None:
    """Planted fault: the meter is set back to an earlier head, as if it were stored in another transaction."""
    with played_server(tmp_path, "linked", LINKED, "jackpot") as served:
        served.play_rounds(1)
        served.process.kill()
        served.check()
        with closing(sqlite3.connect(tmp_path / "house.db")) as file:
            last = "SELECT max(seq) FROM entries WHERE stream = 'meter:jackpot'"
            file.execute(f"DELETE FROM entries WHERE stream = 'meter:jackpot' AND seq = ({last})")
            file.commit()
        with pytest.raises(LostError, match="meter:jackpot"):
            served.check()


def test_a_record_that_lost_its_end_is_detected(tmp_path: Path) -> None:
    """Planted fault: the last acknowledged events are missing, as after a lost commit."""
    with played_server(tmp_path, "forgetful") as served:
        served.play_rounds(1)
        served.process.kill()
        served.check()
        backup = tmp_path / "kept"
        backup.mkdir()
        files = list(tmp_path.glob("house.db*"))
        for file in files:
            shutil.copy(file, backup)
        served.process.start()
        served.play_rounds(1)
        served.process.kill()
        served.check()
        for file in files:
            shutil.copy(backup / file.name, file)
        with pytest.raises(LostError, match="the record has None"):
            served.check()


def test_a_stopped_server_closes_its_sockets_and_exits_cleanly(tmp_path: Path) -> None:
    with played_server(tmp_path, "closing", kind=Process) as served:
        person = House(served.process.url)
        person.introduce("Maren")
        with person.sit(next(iter(served.tables))) as at:
            assert served.process.stop() == 0
            with pytest.raises(HouseError, match="1012"):
                list(at)
        served.check()


def test_a_second_server_on_the_same_database_is_rejected(tmp_path: Path) -> None:
    with played_server(tmp_path, "alone") as served:
        command = [
            sys.executable,
            "-m",
            "houseway",
            "serve",
            "--port",
            str(free_port()),
            "--db",
            served.process.db,
        ]
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 2
        assert len(second.stderr.strip().splitlines()) == 1
        assert "Traceback" not in second.stderr
        assert "give a second server its own --db FILE" in second.stderr
        # The first server is unaffected.
        served.play_rounds(1)
