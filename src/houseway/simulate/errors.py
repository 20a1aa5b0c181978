"""Errors of simulations."""

from houseway.errors import InputError


class SimulationError(InputError, ValueError):
    """A simulation cannot be run or merged, for the reason given."""
