"""A hostile world in simulation: the real server on a simulated clock, network and disk.

Everything that happens is drawn from a seed, so a failure can be repeated from its seed alone.
"""
