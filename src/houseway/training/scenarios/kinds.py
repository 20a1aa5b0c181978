"""Every kind of happening that a scenario may name."""

from __future__ import annotations

from typing import Final

from houseway.rules.procedure import KINDS as IRREGULARITIES
from houseway.training.conduct import CONDUCT

EVERY: Final = "every irregularity"
ANY: Final = "any irregularity"
KINDS: Final[dict[str, str]] = {
    **CONDUCT,
    **IRREGULARITIES,
    EVERY: "the next irregularity of the rulebook that has not happened in this session",
    ANY: "an irregularity of the rulebook",
}
"""Every kind, and what happens."""
PLACES: Final = ("seat", "dealer", "board", "deck")
"""The places of a card; "seat 3" names one seat."""
