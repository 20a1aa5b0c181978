"""Simulate millions of rounds under any rulebook, and compare the figures with the exact values."""

from houseway.simulate.chunk_runner import run
from houseway.simulate.cover_all import HighestHand, highest_hand, highest_hand_plans
from houseway.simulate.errors import SimulationError
from houseway.simulate.results import Figure, Figures, figures
from houseway.simulate.run_plan import CHUNK, Plan, plan
from houseway.simulate.tally import Tally

__all__ = [
    "CHUNK",
    "Figure",
    "Figures",
    "HighestHand",
    "Plan",
    "SimulationError",
    "Tally",
    "figures",
    "highest_hand",
    "highest_hand_plans",
    "plan",
    "run",
]
