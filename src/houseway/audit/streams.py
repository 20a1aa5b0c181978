"""The names of streams: records of tables, ledgers, and the house log."""

from __future__ import annotations

from typing import Final

from houseway.engine.ledger_moves import is_ledger

HOUSE: Final = "house:"
"""The beginning of the names of the house's own streams."""
HOUSE_LOG: Final = f"{HOUSE}log"
"""The stream of the house log."""


def is_table(stream: str) -> bool:
    """True if a stream is the record of a table."""
    return not is_ledger(stream) and stream != HOUSE_LOG
