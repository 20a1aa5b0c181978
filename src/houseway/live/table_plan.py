"""How a table is run, beyond what its record says: its name, its bots, its clock."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.bots import Style
from houseway.client.messages import OpenTable, TableCard

CHIPS: Final = 1000_00
"""What a player sits down with, in cents."""


class TablePlan(msgspec.Struct, frozen=True):
    """What is stored beside a table's record."""

    name: str
    order: OpenTable
    """The table as it was ordered."""
    given: dict[str, Any]
    """Mode, tables, limits and settings as the rulebook took them."""
    host: str
    """The handle of the person who opened the table."""
    bots: dict[int, tuple[str, Style]] = {}
    """By seat, the name a bot plays under and its style."""
    closed: TableCard | None = None
    """The table as the lobby showed it last, once it is closed."""
