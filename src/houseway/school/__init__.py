"""The player's school: reviews of every decision, results split into luck and choices, and leaks."""
