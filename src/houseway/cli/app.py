"""The commands gathered, and how every one of them fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from io import TextIOWrapper

from cyclopts import App, CycloptsError

from houseway import __version__
from houseway.errors import InputError

try:
    from houseway.cli.output import complain
    from houseway.rules.loader import added_rulebooks
except InputError as error:
    # A fact group that cannot be used: no command can run.
    sys.stderr.write(f"houseway: {error}\n")
    sys.exit(2)

HELP = """House-banked hold'em exactly as the written rules say, a clause on every line.

Try `houseway serve` or `houseway solve uth-ma`; `--rulebooks DIR` adds your own."""


COMMANDS = (
    "rulebook_commands:rulebooks",
    "show:show",
    "rulebook_commands:check",
    "diff:diff",
    "rulebook_commands:clause",
    "settle:settle",
    "solve:odds",
    "solve:solve",
    "sheet:sheet",
    "simulate:simulate",
    "play:play",
    "serve:serve",
    "audit:audit",
)


def build(tokens: Sequence[str]) -> App:
    """The application; a command's module is imported only where it is called or all are listed."""
    app = App(name="houseway", help=HELP, version=f"houseway {__version__}", help_format="markdown")
    called = {target.rpartition(":")[2] for target in COMMANDS} & set(tokens[:1])
    for place, target in enumerate(COMMANDS):
        module, _, name = target.partition(":")
        if not called or name in called:
            command = getattr(import_module(f"houseway.cli.{module}"), name)
            if isinstance(command, App):
                command.sort_key = place
                app.command(command)
            else:
                app.command(command, name=name, sort_key=place)
    return app


def main(tokens: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    given, added = _without_rulebooks(list(sys.argv[1:] if tokens is None else tokens))
    added = [path for path in os.environ.get("HOUSEWAY_RULEBOOKS", "").split(os.pathsep) if path] + added
    with added_rulebooks(added) if added else nullcontext():
        return _run(given)


def _without_rulebooks(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The tokens without `--rulebooks`, which every command takes, and the paths it adds."""
    rest: list[str] = []
    added: list[str] = []
    given = iter(tokens)
    for token in given:
        option, equals, path = token.partition("=")
        if option == "--rulebooks":
            added.append(path if equals else next(given, ""))
        else:
            rest.append(token)
            if token == "--":
                rest.extend(given)
    return rest, added


def _run(given: list[str]) -> int:
    app = build(given)
    if isinstance(sys.stdout, TextIOWrapper):
        # A terminal that cannot show a character shows a question mark, not a traceback.
        sys.stdout.reconfigure(errors="replace")
    try:
        done = app(given, exit_on_error=False, print_error=False, result_action="return_value")
        sys.stdout.flush()
    except CycloptsError as error:
        return complain([" ".join(str(error).split())])
    except InputError as error:
        return complain(str(error).splitlines())
    except BrokenPipeError:
        # The reader has seen enough.
        _write_no_more()
        return 0
    except OSError as error:
        _write_no_more()
        return complain([f"cannot write: {error.strerror}"])
    except KeyboardInterrupt:
        return 130
    return done if isinstance(done, int) else 0


def _write_no_more() -> None:
    """Send what is still to be written nowhere, so that closing the program does not fail over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def script() -> None:
    """The `houseway` program."""
    sys.exit(main())
