"""The `houseway` program: finds the command, runs it and reports its errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from io import TextIOWrapper

import cyclopts
from cyclopts import App, CycloptsError

from houseway import __version__
from houseway.errors import InputError

try:
    from houseway.cli.output import complain
    from houseway.cli.safe_stdout import safe_stdout
    from houseway.rules.loader import added_rulebooks
except InputError as error:
    # If a fact group cannot be used, no command can run.
    sys.stderr.write(f"houseway: {error}\n")
    sys.exit(2)

HELP = "House-banked hold'em by the written rules. `--rulebooks DIR` adds rulebooks."


COMMANDS = (
    "rulebook_commands:rulebooks", "show:show", "rulebook_commands:check", "diff:diff",
    "rulebook_commands:clause", "settle:settle", "solve:odds", "solve:solve", "sheet:sheet",
    "simulate:simulate", "play:play", "serve:serve", "audit:audit", "backup_commands:backup",
    "backup_commands:restore", "people_commands:people",
)  # fmt: skip
"""The commands in the order of the help, each as its module and function."""


def build(tokens: Sequence[str]) -> App:
    """Return the application. It has only the command that runs, because imports are slow; for the help, it
    has all commands."""
    app = App(name="houseway", help=HELP, version=f"houseway {__version__}", help_format="markdown")
    # Hide empty defaults: the help text of each option says what happens without the option.
    app.default_parameter = cyclopts.Parameter(show_default=lambda value: str(value) if value else None)
    called = {target.rpartition(":")[2] for target in COMMANDS} & set(tokens[:1])
    for place, target in enumerate(COMMANDS):
        module, _, name = target.partition(":")
        if not called or name in called:
            command = getattr(import_module(f"houseway.cli.{module}"), name)
            if isinstance(command, App):
                command.sort_key = place
                app.command(command)
            elif name == "serve":
                from houseway.cli.serve_settings import Settings, config_file

                app.command(command, name=name, sort_key=place, config=Settings(config_file(tokens)))
            else:
                app.command(command, name=name, sort_key=place)
    return app


def main(tokens: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    rest, added = _without_rulebooks(list(sys.argv[1:] if tokens is None else tokens))
    added = [path for path in os.environ.get("HOUSEWAY_RULEBOOKS", "").split(os.pathsep) if path] + added
    try:
        added = _configured_rulebooks(rest) + added
    except InputError as error:
        return complain(str(error).splitlines())
    with added_rulebooks(added) if added else nullcontext():
        return _run(rest)


def _configured_rulebooks(tokens: list[str]) -> list[str]:
    """Return the paths of rulebooks in the settings file of `serve`."""
    if tokens[:1] != ["serve"]:
        return []
    from houseway.cli.serve_settings import RULEBOOKS, config_file, read_config

    named = read_config(config_file(tokens)).get(RULEBOOKS, [])
    return list(map(str, named)) if isinstance(named, list) else [str(named)]


def _without_rulebooks(tokens: list[str]) -> tuple[list[str], list[str]]:
    """Return the tokens without `--rulebooks`, which every command accepts, and the paths it names."""
    rest: list[str] = []
    added: list[str] = []
    remaining = iter(tokens)
    for token in remaining:
        option, equals, path = token.partition("=")
        if option == "--rulebooks":
            added.append(path if equals else next(remaining, ""))
        else:
            rest.append(token)
            if token == "--":
                rest.extend(remaining)
    return rest, added


def _run(tokens: list[str]) -> int:
    """Run a command, report its errors, and return the exit code."""
    app = build(tokens)
    if isinstance(sys.stdout, TextIOWrapper):
        # A character that the terminal cannot encode is printed as a question mark.
        sys.stdout.reconfigure(errors="replace")
    try:
        with safe_stdout():
            code = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
            sys.stdout.flush()
    except CycloptsError as error:
        return complain([_usage_text(error)])
    except InputError as error:
        return complain(str(error).splitlines())
    except BrokenPipeError:
        # The reader closed the pipe, as head does.
        _discard_stdout()
        return 0
    except OSError as error:
        _discard_stdout()
        return complain([f"cannot write: {error.strerror}"])
    except KeyboardInterrupt:
        return 130
    return code if isinstance(code, int) else 0


def _usage_text(error: CycloptsError) -> str:
    """Return what is wrong with a command line, and the command that prints the help."""
    command = " ".join(error.command_chain or ())
    match error:
        case cyclopts.MissingArgumentError(argument=argument, keyword=keyword) if argument is not None:
            name = argument.name.lstrip("-").upper() if argument.field_info.is_positional else argument.name
            wrong = f"{keyword} needs a value" if keyword else f"{command} needs the argument {name}"
        case cyclopts.UnusedCliTokensError(unused_tokens=[first, *_], root_input_tokens=[*tokens]):
            wrong = f"{command} does not take {first!r} after {tokens[tokens.index(first) - 1]!r}"
        case _:
            return " ".join(str(error).split())
    return f"{wrong}; see houseway {command} --help"


def _discard_stdout() -> None:
    """Discard buffered output, so that flushing it at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def script() -> None:
    """Run the program; the entry point of the `houseway` script."""
    sys.exit(main())
