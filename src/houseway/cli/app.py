"""The commands gathered, and how every one of them fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from houseway import __version__
from houseway.cli.output import BadInputError, complain
from houseway.rules.loading import RulebookError

HELP = """House-banked hold'em exactly as the written rules say: play, settle, compare, with a clause on
every line.

Try `houseway rulebooks`, then `houseway show uth-ma`; settle a round with `houseway settle round.json`."""


COMMANDS = {
    "books:rulebooks": "List the rulebooks found: id, title, game, source.",
    "show:show": "Print a rulebook's rules card, or what a table must post.",
    "books:check": "Report every problem of a rulebook at once.",
    "diff:diff": "Tell what differs between two rulebooks, with both clauses.",
    "books:clause": "Tell what a clause says, its reading, and where it is used.",
    "settle:settle": "Settle rounds given as JSON.",
}


def build() -> App:
    """The application; each command is imported by name only when it is called."""
    app = App(name="houseway", help=HELP, version=f"houseway {__version__}", help_format="plaintext")
    for place, (target, about) in enumerate(COMMANDS.items()):
        name = target.rpartition(":")[2]
        app.command(f"houseway.cli.{target}", name=name, help=about, sort_key=place)
    return app


def main(tokens: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    app = build()
    try:
        done = app(
            list(sys.argv[1:] if tokens is None else tokens),
            exit_on_error=False,
            print_error=False,
            result_action="return_value",
        )
    except CycloptsError as error:
        return complain([" ".join(str(error).split())])
    except BadInputError as error:
        return complain(error.problems)
    except RulebookError as error:
        return complain([f"{error.ref}: {problem}" for problem in error.problems])
    except BrokenPipeError:
        # The reader has seen enough; nothing more can be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    return done if isinstance(done, int) else 0


def script() -> None:
    """The `houseway` program."""
    sys.exit(main())
