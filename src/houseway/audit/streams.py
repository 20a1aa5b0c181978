"""The names of streams: records of tables, ledgers, the progress of people, and the house log."""

from __future__ import annotations

from typing import Final

from houseway.audit.handles import folded
from houseway.engine.ledger_moves import is_ledger

HOUSE: Final = "house:"
"""The beginning of the names of the house's own streams."""
HOUSE_LOG: Final = f"{HOUSE}log"
"""The stream of the house log."""
PERSON: Final = "person:"
"""The beginning of the names of personal streams, which hold the progress of one person each."""


def personal_stream(handle: str) -> str:
    """Return the name of a person's stream."""
    return PERSON + folded(handle)


def is_personal(stream: str) -> bool:
    """True if a stream holds the progress of a person."""
    return stream.startswith(PERSON)


def is_table(stream: str) -> bool:
    """True if a stream is the record of a table."""
    return not is_ledger(stream) and not is_personal(stream) and stream != HOUSE_LOG
