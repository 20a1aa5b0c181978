"""How a table is run, as far as its record does not say: its name, its bots, its clock."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.client.messages import OpenTable, Style, TableCard


class Plan(msgspec.Struct, frozen=True):
    """What the house keeps beside a table's record."""

    name: str
    order: OpenTable
    """As it was asked for."""
    given: dict[str, Any]
    """Mode, tables, limits and settings as the rulebook took them."""
    host: str
    """The handle of who opened it."""
    bots: dict[int, tuple[str, Style]] = {}
    """By seat, the handle a bot plays under and how it plays."""
    closed: TableCard | None = None
    """The table as the lobby showed it last, once it is closed."""
