"""Rulebooks: read from data, checked, compiled and compared. A game is defined nowhere else."""
