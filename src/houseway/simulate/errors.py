"""Errors of simulations."""

from houseway.errors import InputError


class SimulationError(InputError, ValueError):
    """A simulation cannot be run or merged. The message gives the reason."""
