"""A table in the terminal: one game, shown on a screen or told line by line."""
