"""`python -m houseway.ranking.generate`: regenerate the fast evaluator's tables.

The orders of classes come from the headers of the shipped files; a test checks them against the rulebooks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from houseway.ranking.lookup_tables import build, pack

DATA = Path(__file__).parent.joinpath("data")


def main() -> int:
    """Regenerate every table file from its own header."""
    for file in sorted(DATA.glob("*.bin")):
        header = json.loads(file.read_bytes().split(b"\n", 2)[1])
        file.write_bytes(pack(build(header["order"], header["decks"])))
        sys.stdout.write(f"{file.name}: {header['decks']} deck(s), {len(header['order'])} classes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
