"""Tables that play automatically: seeded players and dealers, random terms, irregularities."""

from random_play.chance import any_command, modes_of, random_terms
from random_play.played import Played
from random_play.rounds import Rounds, StuckError

__all__ = ["Played", "Rounds", "StuckError", "any_command", "modes_of", "random_terms"]
