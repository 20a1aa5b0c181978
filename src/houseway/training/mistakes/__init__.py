"""Mistakes planted in rounds: their catalogue, the replay a watcher sees, and the grading of reports."""
