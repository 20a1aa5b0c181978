"""Time `houseway settle` for one round in a new process, compared with an empty Python program."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

TRIES = 7
ROUND = """{"rulebook": "uth-ma", "board": "Qd 9s 7h 4c 2d", "dealer": "Qc 3s",
 "seats": [{"seat": 1, "hole": "As Ah", "ante": "10", "play": 4}]}"""


def best(command: list[str]) -> float:
    """The seconds of the fastest of several runs."""
    times = []
    for _ in range(TRIES):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "round.json"
        file.write_text(ROUND, encoding="utf-8")
        baseline = best([sys.executable, "-c", "pass"])
        for output, extra in (("printed table", []), ("JSON", ["--json"])):
            seconds = best([sys.executable, "-m", "houseway", "settle", str(file), *extra])
            name = f"cold start, one round, {output}"
            print(f"{name:<44}{seconds:>12.3f} s{seconds / baseline:>16.1f} x python")
