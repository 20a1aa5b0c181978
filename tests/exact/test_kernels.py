"""Compiled kernels are never out of date: a change to any kernel file is noticed, and pay tables are arguments."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from houseway.exact.kernels import atoms, compiler, deals
from houseway.exact.kernels.boards import Strengths

PACKAGE = Path(compiler.__file__).parents[2]
SCRIPT = "from houseway.exact.kernels.boards import outside_ways; print(outside_ways(26, 16, 2, 0, 1))"
"""Prints 3, the number of ways to choose two of three cards. `boards` calls `choose`, which is in the file `atoms`."""


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package's source that may be changed."""
    home = tmp_path / "src" / "houseway"
    leave = shutil.ignore_patterns("__pycache__", ".hypothesis", "data")
    shutil.copytree(PACKAGE, home, ignore=leave)
    return home


def run_script(home: Path) -> tuple[str, str]:
    """Run the script in a new process; return its output and the text on stderr."""
    cache = home.parents[1] / "cache"
    env = {**os.environ, "PYTHONPATH": str(home.parent), "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.strip(), done.stderr


def test_a_change_in_another_file_that_a_kernel_uses_is_noticed(copied: Path) -> None:
    first, errors = run_script(copied)
    assert first == "3"
    assert compiler.COMPILING in errors
    again, errors = run_script(copied)
    assert (again, errors) == ("3", "")
    called = copied / "exact" / "kernels" / "atoms.py"
    text = called.read_text()
    assert "return ways if n >= k else 0" in text
    called.write_text(text.replace("return ways if n >= k else 0", "return 10 * ways if n >= k else 0"))
    changed, errors = run_script(copied)
    assert changed == "30"
    assert compiler.COMPILING in errors
    called.write_text(text)
    assert run_script(copied) == ("3", "")  # The first folder is still there, and still correct.


def test_a_changed_number_in_another_file_is_noticed(copied: Path) -> None:
    # Compiled code keeps the constants it was compiled with, such as COPIES_OUTSIDE in `atoms`.
    assert run_script(copied)[0] == "3"
    held = copied / "exact" / "kernels" / "atoms.py"
    text = held.read_text()
    assert "COPIES_OUTSIDE = 3\n" in text
    held.write_text(text.replace("COPIES_OUTSIDE = 3\n", "COPIES_OUTSIDE = 4\n"))
    assert run_script(copied)[0] == "6"


def start_script(home: Path) -> subprocess.Popen[str]:
    """Start the script in a new process."""
    cache = home.parents[1] / "cache"
    env = {**os.environ, "PYTHONPATH": str(home.parent), "XDG_CACHE_HOME": str(cache)}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fcntl locks")
def test_a_process_prints_that_it_waits_for_another_process(copied: Path) -> None:
    import fcntl

    assert run_script(copied)[0] == "3"
    (folder,) = (copied.parents[1] / "cache" / "houseway").iterdir()
    for made in folder.rglob("*.nb?"):
        made.unlink()
    with (folder / compiler.NAME).open("w") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        waits = start_script(copied)
        assert waits.stderr is not None
        assert waits.stderr.readline().strip() == compiler.WAITING
        assert waits.poll() is None
    assert waits.communicate()[0].strip() == "3"
    # The lock was released, so the next process does not wait, and nothing is compiled again.
    assert run_script(copied) == ("3", "")


def test_two_processes_share_one_compilation(copied: Path) -> None:
    both = [start_script(copied) for _ in range(2)]
    assert [each.communicate()[0].strip() for each in both] == ["3", "3"]
    (folder,) = (copied.parents[1] / "cache" / "houseway").iterdir()
    made = [file.name for file in folder.rglob("*.nbc")]
    assert len(made) == len({name.rsplit(".", 2)[0] for name in made}), "each kernel was compiled once"


def test_a_second_copy_of_the_same_version_compiles_nothing(copied: Path) -> None:
    cache = copied.parents[1] / "cache"
    assert run_script(copied)[0] == "3"
    made = sorted(cache.rglob("*.nbc"))
    assert made
    moved = copied.parent.rename(copied.parents[1] / "elsewhere") / "houseway"
    assert run_script(moved) == ("3", "")
    assert sorted(cache.rglob("*.nbc")) == made


def test_a_kernel_reads_its_pay_table_on_every_call() -> None:
    # One process, one kernel, two tables: the second table replaces the first.
    board, hole, left = np.array([0, 5, 10, 15, 20]), np.array([26, 31]), np.array([40, 44])
    met = np.empty((2, 3), np.int64)
    for strength in (7, 9):
        ranked = np.full((atoms.RANK_BOARDS, atoms.PAIRS), strength)
        suited = np.zeros(1 << atoms.RANKS, np.int64)
        by = Strengths(ranked, suited, np.empty(0, np.int64))
        assert deals.showdown(board, hole, left, by, 8, met) == strength
        assert met[int(strength >= 8), deals.TIE] == 1


def test_a_change_to_any_kernel_file_changes_the_name_of_the_folder(tmp_path: Path) -> None:
    files = sorted(compiler.HOME.glob("*.py"))
    assert len(files) > 5
    for file in files:
        shutil.copy(file, tmp_path)
    names = {compiler.fingerprint(tmp_path)}
    for file in files:
        copy = tmp_path / file.name
        copy.write_bytes(copy.read_bytes() + b"# changed\n")
        names.add(compiler.fingerprint(tmp_path))
    assert len(names) == len(files) + 1


def test_no_kernel_reads_an_array_that_is_not_an_argument() -> None:
    # A module's array would be frozen into the compiled code. Modules may contain only numbers and types.
    for file in sorted(compiler.HOME.glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                made = [n for n in ast.walk(node.value) if isinstance(n, ast.Call)]
                called = {ast.unparse(call.func) for call in made}
                assert not {name for name in called if name.startswith("np.")}, (
                    f"{file.name}: {ast.unparse(node)}"
                )
