"""Compiled loops of the exact analysis: pure functions over arrays, with pay tables as arguments."""
