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
    from houseway.rules.problems import closest
except InputError as error:
    # A faulty module in rules/fact_groups stops every command.
    sys.stderr.write(f"houseway: {error}\n")
    sys.exit(2)

HELP = (
    "Hold'em against the casino, by the written rules.\n"
    "--rulebooks DIR adds a folder of your own rulebooks."
)
MORE = "houseway COMMAND --help explains a command."
MODULES = {"conformance": "python -m houseway.conformance"}
"""Programs that are not commands of `houseway`, and how to run them."""
USAGES = {"check": "Usage: houseway check [OPTIONS] [REFS...]"}
"""Usage lines for commands whose arguments cyclopts does not name."""
NUMBERS = {int: "a whole number", float: "a number"}
"""The values that an option of each type takes."""

COMMANDS = {
    "rulebook_commands:rulebooks": "list the rulebooks",
    "show:show": "print a rules card or signs",
    "rulebook_commands:check": "find problems in a file",
    "diff:diff": "compare two rulebooks",
    "rulebook_commands:clause": "read a clause",
    "settle:settle": "settle rounds from JSON",
    "solve:odds": "value each choice of a hand",
    "solve:solve": "solve a game exactly",
    "sheet:sheet": "print a par sheet",
    "simulate:simulate": "simulate millions of rounds",
    "learn:learn": "learn the game",
    "play:play": "play in the terminal",
    "review:review": "review your decisions",
    "practice:practice": "practise decisions",
    "puzzles:puzzles": "export practice positions",
    "train:train": "deal to bots in training",
    "drill:drill": "practise one skill",
    "find:find": "find a dealer's mistake",
    "exam:exam": "take an exam for dealers",
    "certificate_commands:certificate": "manage certificates",
    "serve:serve": "run live tables",
    "audit:audit": "verify records",
    "backup_commands:backup": "back up a database",
    "backup_commands:restore": "restore a backup",
    "people_commands:people": "manage people and roles",
}
"""The commands in the order of the help: the module and function of each, and a few words about it."""
COLUMN = 42
"""The width of a column of the help, in characters."""


def overview() -> str:
    """Return the help that is printed if no command is given: all commands, in two columns."""
    cells = [f"{target.rpartition(':')[2]:<13}{about}" for target, about in COMMANDS.items()]
    rows = -(-len(cells) // 2)
    left, right = cells[:rows], [*cells[rows:], ""]
    lines = [f"{one:<{COLUMN}}{other}".rstrip() for one, other in zip(left, right, strict=False)]
    return "\n".join(["Usage: houseway COMMAND", "", HELP, "", *lines, "", MORE]) + "\n"


def build(tokens: Sequence[str]) -> App:
    """Return the application with the command that the tokens name; importing all of them would be slow. If
    the tokens name no command, the application has all commands, so that it can suggest one."""
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
                app.command(command, name=name, sort_key=place, usage=USAGES.get(name))
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
    asks_for_help = tokens in ([], ["--help"], ["-h"])
    app = None if asks_for_help else build(tokens)
    if isinstance(sys.stdout, TextIOWrapper):
        # A character that the terminal cannot encode is printed as a question mark.
        sys.stdout.reconfigure(errors="replace")
    try:
        with safe_stdout():
            if app is None:
                sys.stdout.write(overview())
                code = 0
            else:
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
            if keyword:
                wrong = f"{keyword} needs a value"
            elif argument.field_info.is_positional:
                wrong = f"{command} needs the argument {argument.name.lstrip('-').upper()}"
            else:
                wrong = f"{command} needs the option {argument.name}"
        case cyclopts.UnusedCliTokensError(unused_tokens=[first, *_], root_input_tokens=[*tokens]):
            wrong = f"{command} does not take {first!r} after {tokens[tokens.index(first) - 1]!r}"
        case cyclopts.UnknownCommandError(unused_tokens=[first, *_]):
            wrong = f"{command} has no command {first!r}" if command else f"there is no command {first!r}"
            return f"{wrong}; {_command_advice(error, command, first)}"
        case cyclopts.CoercionError(token=token, target_type=kind, msg=None) if (
            token is not None and token.source == "cli" and token.keyword and kind in NUMBERS
        ):
            wrong = f"{token.keyword} must be {NUMBERS[kind]} (got {token.value!r})"
        case _:
            return " ".join(str(error).split())
    return f"{wrong}; see houseway {command} --help"


def _command_advice(error: CycloptsError, command: str, unknown: str) -> str:
    """Return the closest command to one that does not exist, or how to list the commands."""
    if not command and unknown in MODULES:
        return f"run {MODULES[unknown]}"
    known = [name for name in error.app or () if not name.startswith("-")]
    whole = f"houseway {command}".rstrip()
    return closest(unknown, known) or f"{whole} --help lists the commands"


def _discard_stdout() -> None:
    """Discard buffered output, so that flushing it at exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def script() -> None:
    """Run the program; the entry point of the `houseway` script."""
    sys.exit(main())
