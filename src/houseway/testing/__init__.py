"""The public test kit: rounds settled in a line, a table driven in a few or playing by
itself, random rounds, muting a clause,
a pytest plug-in."""

from houseway.testing.chance import any_command, modes_of, random_terms
from houseway.testing.mute import mute, without
from houseway.testing.play import Rounds, StuckError
from houseway.testing.played import Played
from houseway.testing.rounds import five_of, random_round
from houseway.testing.table import Driver, Shoe, table
from houseway.testing.window import Paid, refused, round_of, settled

__all__ = [
    "Driver",
    "Paid",
    "Played",
    "Rounds",
    "Shoe",
    "StuckError",
    "any_command",
    "five_of",
    "modes_of",
    "mute",
    "random_round",
    "random_terms",
    "refused",
    "round_of",
    "settled",
    "table",
    "without",
]
