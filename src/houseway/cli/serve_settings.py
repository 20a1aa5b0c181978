"""The settings of `houseway serve`: from the command line, the environment or a TOML file.

The command line has precedence over the environment, and the environment over the file.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

from cyclopts import App, ArgumentCollection, Token
from cyclopts.config import Dict, Env

from houseway.cli.output import BadInputError, file_problem
from houseway.rules.problems import suggest

PREFIX: Final = "HOUSEWAY_"
OTHERS: Final = frozenset({"HOUSEWAY_RULEBOOKS"})
"""Variables of other parts of the program."""
RULEBOOKS: Final = "rulebooks"
"""The key in a settings file that lists the same paths as --rulebooks."""
COMMAND_LINE_ONLY: Final = frozenset({"config", "show-config", "new-key"})
"""Options that a settings file may not contain: --new-key there would replace the key at every start."""

_sources: ContextVar[dict[str, str]] = ContextVar("sources")


def sources() -> Mapping[str, str]:
    """Return the source of each option that is not at its default, by the name of its parameter."""
    return _sources.get({})


def config_file(tokens: Sequence[str]) -> Path | None:
    """Return the file named by --config or HOUSEWAY_CONFIG."""
    named = os.environ.get(f"{PREFIX}CONFIG", "")
    for n, token in enumerate(tokens):
        option, equals, value = token.partition("=")
        if option == "--config":
            named = value if equals else next(iter(tokens[n + 1 : n + 2]), "")
    return Path(named) if named else None


def read_config(file: Path | None) -> dict[str, Any]:
    """Return the values of a settings file."""
    if file is None:
        return {}
    with file_problem("read", file):
        text = file.read_bytes()
    try:
        return tomllib.loads(text.decode())
    except ValueError as error:
        raise BadInputError(f"{file} is not valid TOML: {error}") from error


class Settings:
    """Fills in the options that the command line leaves out."""

    def __init__(self, file: Path | None) -> None:
        self._file = file

    def __call__(self, app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
        options = {
            name.removeprefix("--"): argument
            for argument in arguments
            for name in argument.parameter.name or ()
        }
        found = {name: argument.tokens[0] for name, argument in options.items() if argument.tokens}
        origin = dict.fromkeys(found, "the command line")
        _check_environment(options)
        Env(PREFIX, command=False)(app, commands, arguments)
        _note(options, origin, "the environment")
        values = read_config(self._file)
        values.pop(RULEBOOKS, None)
        self._check(values, options)
        texts = {name: _texts(value) for name, value in values.items()}
        Dict(texts, use_commands_as_keys=False, source=str(self._file))(app, commands, arguments)
        _note(options, origin, str(self._file))
        _sources.set(origin)

    def _check(self, values: Mapping[str, Any], options: Iterable[str]) -> None:
        known = sorted({*options, RULEBOOKS} - COMMAND_LINE_ONLY)
        for name, value in values.items():
            if name in COMMAND_LINE_ONLY:
                raise BadInputError(
                    f"{self._file}: {name} can be given on the command line only; remove it"
                )
            if name not in known:
                raise BadInputError(f"{self._file}: there is no setting {name!r}; {suggest(name, known)}")
            if isinstance(value, dict):
                raise BadInputError(f"{self._file}: {name} must be a value, not a table")


def _check_environment(options: Iterable[str]) -> None:
    """Refuse HOUSEWAY_ variables that belong to no option."""
    known = {_variable(name): name for name in options}
    for variable in sorted(os.environ):
        if not variable.startswith(PREFIX) or variable in OTHERS:
            continue
        if variable not in known:
            raise BadInputError(f"there is no setting {variable}; {suggest(variable, sorted(known))}")
        if known[variable] in COMMAND_LINE_ONLY - {"config"}:
            sentence = f"--{known[variable]} can be given on the command line only; unset the variable"
            raise BadInputError(f"{variable}: {sentence}")


def _variable(option: str) -> str:
    return PREFIX + option.upper().replace("-", "_")


def _note(options: Mapping[str, Any], origin: dict[str, str], source: str) -> None:
    for name, argument in options.items():
        if argument.tokens:
            token: Token = argument.tokens[0]
            named = f"{source} ({token.keyword})" if source == "the environment" else source
            origin.setdefault(name, named)


def _texts(value: Any) -> Any:
    """Return a value of a TOML file as the command line would write it."""
    return [str(item) for item in value] if isinstance(value, list) else value


def settings_lines(values: Mapping[str, Any]) -> list[str]:
    """Return a line for each option with its value and its source, as `--show-config` prints them."""
    origin, lines = sources(), []
    for name, value in values.items():
        shown = " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        lines.append(f"{name:<17} {shown or '(none)'}  # {origin.get(name, 'default')}")
    return lines
