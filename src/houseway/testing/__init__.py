"""The public test kit: rounds settled in a line, random rounds, muting a clause, a pytest plug-in."""

from houseway.testing.mute import mute, without
from houseway.testing.rounds import five_of, random_round
from houseway.testing.window import Paid, refused, round_of, settled

__all__ = ["Paid", "five_of", "mute", "random_round", "refused", "round_of", "settled", "without"]
