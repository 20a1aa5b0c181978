"""The command line.

Exit codes: 0 for success, 1 if a check failed, 2 for bad input. Each problem is one sentence on stderr.
"""

from houseway.cli.app import main

__all__ = ["main"]
