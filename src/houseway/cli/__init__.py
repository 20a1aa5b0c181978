"""The command line.

Exit codes: 0 success, 1 a check failed, 2 bad input, with one sentence per problem on stderr.
"""

from houseway.cli.app import main

__all__ = ["main"]
