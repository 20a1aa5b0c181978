"""A hostile world in simulation: the real server on a simulated clock, network and disk.

Everything that happens is drawn from a seed, so a failure is repeated from its seed alone.
"""
