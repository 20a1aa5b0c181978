"""The command line: house rules for every command, and the commands themselves.

Exit codes: 0 done, 1 the answer is no, 2 bad input with one sentence per problem on stderr.
"""

from houseway.cli.app import main

__all__ = ["main"]
