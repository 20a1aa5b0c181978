"""The public test kit: muting a clause, and a pytest plug-in that asks whether its tests notice."""

from houseway.testing.mute import mute, without

__all__ = ["mute", "without"]
