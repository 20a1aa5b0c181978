"""`python -m houseway`: run a command, or print a worked round if none is given."""

import sys

from houseway.cli.app import main
from houseway.cli.demo import demo

if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) > 1 else demo())
