"""The public test kit: rounds settled in a line, a table driven in a few, random rounds, muting a clause,
a pytest plug-in."""

from houseway.testing.driver import Driver, Shoe, table
from houseway.testing.mute import mute, without
from houseway.testing.random_rounds import five_of, random_round
from houseway.testing.settle_helpers import Paid, refused, round_of, settled

__all__ = [
    "Driver",
    "Paid",
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
