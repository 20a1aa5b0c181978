"""Compiled loops for the exact analysis: pure functions over arrays. Pay tables are arguments."""
