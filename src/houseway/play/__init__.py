"""A table in the terminal: one game, on a full screen or as plain lines."""
