"""The fact groups: one module each, discovered here.

To add a group, add a module to this package that defines `GROUP`. Nothing else lists the groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from houseway.rules.fact_groups.base import Cell, Domain, Fact, FactGroup, HandFacts, Reads, Settled

__all__ = ["GROUPS", "Cell", "Domain", "Fact", "FactGroup", "HandFacts", "Reads", "Settled"]


def _discover() -> dict[str, FactGroup]:
    groups: dict[str, FactGroup] = {}
    for module in iter_modules(__path__):
        if module.name != "base":
            group: FactGroup = import_module(f"{__name__}.{module.name}").GROUP
            if group.name in groups:
                raise ImportError(f"two modules of {__name__} define the fact group {group.name!r}")
            groups[group.name] = group
    return groups


GROUPS: Final[Mapping[str, FactGroup]] = _discover()
"""Every fact group by the name rulebooks use."""
