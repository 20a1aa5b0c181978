"""What cannot be simulated, or not be put together."""

from houseway.errors import InputError


class SimulationError(InputError, ValueError):
    """A simulation that cannot be run or merged; the sentence says why."""
