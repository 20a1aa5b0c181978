"""The public test kit: settle a round in one line, drive a table, generate random rounds, mute a clause.

It includes a pytest plug-in for clause tests.
"""

from houseway.testing.driver import Driver, DriverShoe, table
from houseway.testing.mute import mute, without
from houseway.testing.random_rounds import five_of, random_round
from houseway.testing.settle_helpers import SettledRound, refused, round_of, settled

Paid, Shoe = SettledRound, DriverShoe
"""Deprecated: the old names of these classes."""

__all__ = [
    "Driver",
    "DriverShoe",
    "Paid",
    "SettledRound",
    "Shoe",
    "five_of",
    "mute",
    "random_round",
    "refused",
    "round_of",
    "settled",
    "table",
    "without",
]
