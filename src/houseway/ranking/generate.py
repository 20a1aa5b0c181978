"""`python -m houseway.ranking.generate`: write the fast evaluator's tables anew.

The orders of classes are the rulebooks', handed in by whoever calls; run as a program it takes them from
the headers of the shipped files, which a test holds against the rulebooks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from houseway.ranking.tables import build, pack

DATA = Path(__file__).parent.joinpath("data")


def main() -> int:
    """Rewrite every table file from its own header."""
    for file in sorted(DATA.glob("*.bin")):
        header = json.loads(file.read_bytes().split(b"\n", 2)[1])
        file.write_bytes(pack(build(header["order"], header["decks"])))
        sys.stdout.write(f"{file.name}: {header['decks']} deck(s), {len(header['order'])} classes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
