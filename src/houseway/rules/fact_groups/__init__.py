"""The fact groups: one module each, discovered here.

To add a group, add a module to this package that defines `GROUP`. Nothing else lists the groups.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from houseway.errors import InputError
from houseway.rules.fact_groups import base
from houseway.rules.fact_groups.base import Cell, Domain, Fact, FactGroup, HandFacts, Inputs, Payment

__all__ = ["GROUPS", "Cell", "Domain", "Fact", "FactGroup", "HandFacts", "Inputs", "Payment"]


class FactGroupError(InputError, ImportError):
    """A module of this package does not define a usable group."""


def _discover() -> dict[str, FactGroup]:
    groups: dict[str, FactGroup] = {}
    for module in iter_modules(__path__):
        if module.name != "base":
            group: Any = getattr(import_module(f"{__name__}.{module.name}"), "GROUP", None)
            if wrong := _fault(group, groups):
                needs = "GROUP = YourGroup(), a CardGroup with name, about, values and index"
                raise FactGroupError(f"rules/fact_groups/{module.name}.py {wrong}; it must define {needs}")
            groups[group.name] = group
    return groups


def _fault(group: Any, groups: Mapping[str, FactGroup]) -> str:
    """Return what is wrong with a GROUP, or an empty text."""
    if not isinstance(group, FactGroup):
        return "defines no GROUP" if group is None else f"defines GROUP as {group!r}, not as a fact group"
    needed = ("name", "about", "index", "values")[: 4 if isinstance(group, base.CardGroup) else 3]
    if missing := [part for part in needed if not getattr(group, part, None)]:
        return f"defines a GROUP without {missing[0]}"
    values: Any = getattr(group, "values", ())
    if not isinstance(values, tuple) or len({v for v in values if v and type(v) is str}) < len(values):
        return f"has values {values!r}, which are not a tuple of different strings"
    return f"uses the name {group.name!r} of another group" if group.name in groups else ""


GROUPS: Final[Mapping[str, FactGroup]] = _discover()
"""Every fact group by the name rulebooks use."""
