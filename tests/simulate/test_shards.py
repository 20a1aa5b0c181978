"""The same seed plays the same rounds, with any number of threads and shards. A bad shard is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.app import main
from houseway.cli.simulation_output import _awards
from houseway.money import Share
from houseway.simulate import CHUNK, SimulationError, figures, run
from houseway.simulate import shards as kept
from simulate.plans import made, played

TABLES = (("progressive", "PTMGLML02"),)
RUN: dict[str, Any] = {"rounds": 250_000, "seats": 2, "side": ("trips", "progressive"), "tables": TABLES}


def write_shards(folder: Path, *sizes: int) -> list[Path]:
    """Play the run once for each number in `sizes`, divided into that many shards. Return the files."""
    table = made(**RUN)
    files = []
    for size in sizes:
        for number in range(1, size + 1):
            chunks = kept.part(table, number, size)
            file = folder / kept.name(table, chunks)
            kept.write(table, chunks, run(table, chunks), file)
            files.append(file)
    return files


def test_the_number_of_threads_does_not_change_the_result() -> None:
    table = made(**RUN)
    assert table.chunks == 4
    assert run(table, threads=1) == run(table, threads=3) == played(table)
    assert played(table).rounds == 250_000


def test_another_seed_plays_other_rounds() -> None:
    assert played(made(**RUN)).sums != played(made(**RUN, seed="2")).sums


def test_chunks_do_not_repeat_rounds() -> None:
    table = made(**RUN)
    sums = {run(table, range(n, n + 1)).sums for n in range(3)}
    assert len(sums) == 3


@pytest.mark.parametrize("shards", [1, 3, 6])
def test_shards_merged_in_any_order_give_the_whole_run(tmp_path: Path, shards: int) -> None:
    table = made(**RUN)
    assert played(table).awards
    again, tally = kept.merge(write_shards(tmp_path, shards)[::-1])
    assert tally == played(table)
    assert again.told == table.told
    assert figures(again, tally).figures == figures(table, played(table)).figures
    assert figures(again, tally).awarded == figures(table, played(table)).awarded


def test_a_damaged_shard_is_refused(tmp_path: Path) -> None:
    first, *others = write_shards(tmp_path, 2)
    good = first.read_bytes()
    body = json.loads(good)
    body["tally"]["sums"][0] += 1
    for bad, says in (
        (json.dumps(body).encode(), "its checksum does not match; play that shard again"),
        (good[: len(good) // 2], "is not a simulation shard, or is incomplete"),
        (b"[]", "is not a simulation shard"),
        (b"", "is not a simulation shard"),
    ):
        first.write_bytes(bad)
        with pytest.raises(SimulationError, match=says):
            kept.merge([first, *others])
    first.write_bytes(good)
    assert kept.merge([first, *others])[1] == played(made(**RUN))


def test_incomplete_or_overlapping_shards_are_refused(tmp_path: Path) -> None:
    files = write_shards(tmp_path, 4)
    for chosen, says in (
        (files[1:], f"rounds 1 to {CHUNK:,} are missing"),
        (files[:1] + files[2:], f"rounds {CHUNK + 1:,} to {2 * CHUNK:,} are missing"),
        (files[:3], f"rounds {3 * CHUNK + 1:,} to 250,000 are missing"),
        ([*files, files[2]], f"round {2 * CHUNK + 1:,} is in two"),
        ([], "there are no shards to merge"),
        ([tmp_path / "gone.json"], "cannot read"),
    ):
        with pytest.raises(SimulationError, match=says):
            kept.merge(chosen)
    with pytest.raises(SimulationError, match="shard 5/4 does not exist; use 1/4 to 4/4"):
        kept.part(made(**RUN), 5, 4)


def test_shards_of_two_runs_are_not_mixed(tmp_path: Path) -> None:
    files = write_shards(tmp_path, 2)
    other = made(**RUN, seed="2")
    chunks = kept.part(other, 2, 2)
    kept.write(other, chunks, run(other, chunks), files[1])
    with pytest.raises(SimulationError, match="their values for seed are 2 and 1"):
        kept.merge(files)


def test_a_shard_made_by_other_kernels_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = write_shards(tmp_path, 1)
    monkeypatch.setattr("houseway.simulate.run_plan.compiler.fingerprint", lambda: "changed")
    with pytest.raises(SimulationError, match="uth-ma: kernels has changed since the shards were played"):
        kept.merge(files)


ARGUMENTS = ["uth-ma", "--rounds", "150000", "--seats", "2", "--side", "trips,progressive", "--seed", "a b"]


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["simulate", *arguments]) == 0
    return capsys.readouterr().out


def test_a_whole_run_and_merged_shards_print_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = run_command(capsys, *ARGUMENTS, "--json", "--threads", "1")
    assert run_command(capsys, *ARGUMENTS, "--json", "--threads", "2") == whole
    for number in (2, 1):
        assert "is in" in run_command(capsys, *ARGUMENTS, "--shard", f"{number}/2", "-o", str(tmp_path))
    files = [str(file) for file in tmp_path.iterdir()]
    assert len(files) == 2
    assert run_command(capsys, "merge", *files, "--json") == whole
    before = [Path(file).stat().st_mtime_ns for file in files]
    assert "is already in" in run_command(capsys, *ARGUMENTS, "--shard", "2/2", "-o", str(tmp_path))
    assert [Path(file).stat().st_mtime_ns for file in files] == before
    words = run_command(capsys, "merge", *files)
    assert "150,000 rounds, 2 seats, strategy best, seed a b" in words
    main_game = next(row for row in json.loads(whole)["wagers"] if row["wager"] == "main game")
    assert main_game["exact"]["num"] == "-50643648973"
    assert f"{main_game['value']['value']:+.6f}" in words


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--shard", "one"], "give NUMBER/COUNT, such as 2/10"),
        (["-o", "x.json"], "--output needs --shard, such as --shard 1/4"),
        (["--bets", "ante"], "give NAME=VALUE, such as ante=25"),
        (["--bets", "ante=ten"], "'ten' is not an amount"),
        (["--strategy", "luck"], "there is no strategy named 'luck'"),
        (["--strategy", "optimal"], "did you mean 'best'?"),
        (["--threads", "-1"], "--threads must be 0 (one per core) or more (got -1)"),
    ],
)
def test_the_command_reports_bad_input(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "uth-ma", "--rounds", "10", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_file_that_is_not_a_shard_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine", encoding="utf-8")
    assert main(["simulate", *ARGUMENTS, "--shard", "1/2", "-o", str(file)]) == 2
    assert "is not a simulation shard" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "mine"
    run_command(capsys, *ARGUMENTS, "--shard", "1/2", "-o", str(tmp_path / "one.json"))
    assert main(["simulate", *ARGUMENTS, "--shard", "2/2", "-o", str(tmp_path / "one.json")]) == 2
    assert "already contains another shard; choose another file" in capsys.readouterr().err


def test_one_round_and_one_award_are_printed_in_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    assert ": 1 round, 1 seat, strategy best" in run_command(
        capsys, "uth-ma", "--rounds", "1", "--seats", "1"
    )
    shares = {Share(10): (1, 500_000), Share(100): (2, 10_000_000)}
    assert list(_awards(shares, {})) == [
        "10 % of main: won once, $5,000 in all",
        "100 % of main: won twice, $100,000 in all",
    ]
