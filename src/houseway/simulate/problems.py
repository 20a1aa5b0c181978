"""What cannot be simulated, or not be put together."""

from __future__ import annotations


class SimulationError(ValueError):
    """A simulation that cannot be run or merged; the sentence says why."""
