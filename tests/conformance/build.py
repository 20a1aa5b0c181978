"""Rewrite the conformance corpus: `python tests/conformance/build.py`. It writes the same files each time."""

import runpy
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    runpy.run_module("conformance.writing", run_name="__main__", alter_sys=True)
