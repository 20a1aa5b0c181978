"""The error that simulations raise."""

from houseway.errors import InputError


class SimulationError(InputError, ValueError):
    """Raised if a simulation cannot be run or merged. The message gives the reason."""
