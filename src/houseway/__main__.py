"""`python -m houseway`: one commented round at the table, or any command."""

import sys

from houseway.cli.app import main
from houseway.cli.demo import demo

if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) > 1 else demo())
