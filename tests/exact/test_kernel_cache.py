"""Compiled code is loaded only from a folder that no other user can write to."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from houseway.exact.kernels import compiler

pytestmark = pytest.mark.skipif(os.name != "posix", reason="only POSIX systems have these file permissions")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for caches; temporary folders are in another place."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "cache" / "houseway"


def test_the_folder_is_private_whatever_the_umask(home: Path) -> None:
    before = os.umask(0)
    try:
        folder = compiler.cache_folder()
    finally:
        os.umask(before)
    assert folder.parent == home
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IMODE(home.stat().st_mode) == 0o700
    assert compiler.cache_folder() == folder


def test_a_parent_folder_that_an_earlier_version_created_is_made_private(home: Path) -> None:
    home.mkdir(parents=True)
    home.chmod(0o777)
    assert compiler.cache_folder().parent == home
    assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_not_used(home: Path, mode: int) -> None:
    folder = compiler.cache_folder()
    folder.chmod(mode)
    own = compiler.cache_folder()
    assert own != folder
    assert own.parent.name == "tmp"
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    # Its name cannot be predicted.
    assert compiler.cache_folder() != own


def test_a_folder_of_another_user_is_not_used(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = compiler.cache_folder()
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert compiler.cache_folder().parent.name == "tmp"


def test_a_link_of_another_user_is_not_followed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = compiler.cache_folder()
    real = Path.lstat
    other = os.stat_result((*folder.lstat()[:4], folder.stat().st_uid + 1, *folder.lstat()[5:]))
    monkeypatch.setattr(Path, "lstat", lambda path: other if path == folder else real(path))
    assert compiler.cache_folder() != folder


def test_a_process_without_a_home_compiles_into_a_folder_that_it_removes(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    asks = "from houseway.exact.kernels.compiler import FOLDER; print(FOLDER)"
    done = subprocess.run([sys.executable, "-c", asks], env=env, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent == tmp_path
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]
