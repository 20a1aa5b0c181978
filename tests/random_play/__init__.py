"""Tables that play by themselves: seeded players and dealers, random terms, things that go wrong."""

from random_play.chance import any_command, modes_of, random_terms
from random_play.played import Played
from random_play.rounds import Rounds, StuckError

__all__ = ["Played", "Rounds", "StuckError", "any_command", "modes_of", "random_terms"]
