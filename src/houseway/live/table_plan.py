"""A table's settings that are not in its record: its name, its bots, its clock."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.bots import Style
from houseway.client.messages import OpenTable, TableCard

CHIPS: Final = 1000_00
"""The cents that a player sits down with."""


class TablePlan(msgspec.Struct, frozen=True):
    """The settings stored beside a table's record."""

    name: str
    order: OpenTable
    """The request that opened the table."""
    given: dict[str, Any]
    """Mode, pay tables, limits and house settings, as `read_terms` takes them."""
    host: str
    """The handle of the person who opened the table."""
    bots: dict[int, tuple[str, Style]] = {}
    """The name and the style of each bot, by seat."""
    closed: TableCard | None = None
    """The last lobby card of the table, once the table is closed."""
