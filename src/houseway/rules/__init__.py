"""Rulebooks: read, check, compile and compare them. A game is defined only by its rulebook."""
