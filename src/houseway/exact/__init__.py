"""Exact analysis of Ultimate Texas Hold'em, in integers and fractions.

For Texas Shootout, use `exact.shootout`.
"""

from houseway.exact.advice import Advice, odds
from houseway.exact.exposed_cards import Exposure, seen
from houseway.exact.hand_strengths import strengths
from houseway.exact.mistakes import Mistake, Mistakes
from houseway.exact.outcome_table import Outcomes, outcomes
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.progressive_values import Progressive
from houseway.exact.solution import Solution, StartingHand, solve
from houseway.exact.strategies import STRATEGIES, Price, Strategy, choices_of, price
from houseway.exact.strategy_files import find_strategy
from houseway.exact.wager_prices import Wagers, wagers, warnings
from houseway.exact.wager_values import WagerValue
from houseway.exact.whole_bet import Reduction, WholeBet, capped_wager, whole_bet

Alike, Cut, Priced, Seen = Mistakes, Reduction, Price, Exposure
"""Deprecated: the old names of these classes."""

__all__ = [
    "STRATEGIES",
    "Advice",
    "Alike",
    "Cut",
    "Exposure",
    "Mistake",
    "Mistakes",
    "Outcomes",
    "Price",
    "Priced",
    "Progressive",
    "Reduction",
    "Seen",
    "Solution",
    "StartingHand",
    "Strategy",
    "UnsolvableError",
    "WagerValue",
    "Wagers",
    "WholeBet",
    "capped_wager",
    "choices_of",
    "find_strategy",
    "odds",
    "outcomes",
    "price",
    "seen",
    "solve",
    "strengths",
    "wagers",
    "warnings",
    "whole_bet",
]
