"""A copy of the package with the side bet that docs/side-bets.md adds: one module and one rulebook file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import houseway
from test_docs import FENCE

PACKAGE = Path(houseway.__file__).parent
PAGE = Path(__file__).parent.parent / "docs/side-bets.md"
FENCES = FENCE.findall(PAGE.read_text(encoding="utf-8"))


class PackageCopy:
    """A copy of the package with Pocket Pairs; commands and scripts run in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        site, binaries = folder / "site", folder / "bin"
        shutil.copytree(PACKAGE, site / "houseway", ignore=shutil.ignore_patterns("__pycache__"))
        files = {name[1]: text for _, info, text in FENCES if (name := re.search(r"file=(\S+)", info))}
        (site / "houseway/rules/fact_groups/pocket_pair.py").write_text(files["pocket_pair.py"])
        (folder / "pairs.toml").write_text(files["pairs.toml"])
        binaries.mkdir()
        command = binaries / "houseway"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m houseway "$@"\n')
        command.chmod(0o755)
        self.env = {
            **os.environ,
            "PYTHONPATH": str(site),
            "PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "100",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }

    def run(self, command: str) -> str:
        """Run a shell command in the copy and return its output, without notices about compiling kernels."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.env,
            text=True,
            capture_output=True,
            check=False,
        )
        errors = [line for line in done.stderr.splitlines(keepends=True) if "the exact kernels" not in line]
        return done.stdout + "".join(errors)

    def python(self, script: str) -> Any:
        """Run a script in the copy and return the JSON it prints."""
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=self.folder,
            env=self.env,
            text=True,
            stdout=subprocess.PIPE,
            check=True,
        )
        return json.loads(done.stdout)
