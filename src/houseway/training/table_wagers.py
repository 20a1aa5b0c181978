"""The wagers that players can make at a table."""

from __future__ import annotations

from houseway.engine.table import Table


def offered_wagers(table: Table) -> frozenset[str]:
    """Return the wagers that are offered at a table, in its deal mode and with its pay tables."""
    terms = table.terms
    in_mode = (one for one in terms.wagers if one.modes is None or table.mode in one.modes.value)
    offered = {one.name for one in in_mode if terms.offers(one.name) or one.name in terms.tables}
    return frozenset(offered - ({"envy"} if "envy" not in terms.tables else set()))
