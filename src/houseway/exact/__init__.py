"""Exact analysis in whole numbers and fractions: Ultimate Texas Hold'em; `shootout` has the other game."""

from houseway.exact.advice import Advice, odds
from houseway.exact.batch import strengths
from houseway.exact.capped import Capped, capped_game, capped_wager
from houseway.exact.every_wager import Wagers, wagers
from houseway.exact.outcome_table import Outcomes, outcomes
from houseway.exact.pays import UnsolvableError
from houseway.exact.progressive import Progressive
from houseway.exact.seen_cards import Seen, seen
from houseway.exact.solution import Solution, StartingHand, solve
from houseway.exact.strategies import STRATEGIES, Priced, Strategy, price
from houseway.exact.wager_values import WagerValue

__all__ = [
    "STRATEGIES",
    "Advice",
    "Capped",
    "Outcomes",
    "Priced",
    "Progressive",
    "Seen",
    "Solution",
    "StartingHand",
    "Strategy",
    "UnsolvableError",
    "WagerValue",
    "Wagers",
    "capped_game",
    "capped_wager",
    "odds",
    "outcomes",
    "price",
    "seen",
    "solve",
    "strengths",
    "wagers",
]
