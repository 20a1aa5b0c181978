"""The public test kit: rounds settled in a line, a table driven in a few, random rounds, muting a clause,
a pytest plug-in."""

from houseway.testing.mute import mute, without
from houseway.testing.rounds import five_of, random_round
from houseway.testing.table import Driver, Shoe, table
from houseway.testing.window import Paid, refused, round_of, settled

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
