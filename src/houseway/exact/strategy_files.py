"""Find a strategy by name, or load it from a Python file."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.strategies import NAMED, STRATEGIES, Strategy, suggest_strategy
from houseway.rules.problems import suggest

STREETS = ("start", "flop", "river")


def find_strategy(ref: str) -> Strategy:
    """Return a built-in strategy by name, or a strategy from a file: "mine.py", or "mine.py:timid".

    A file defines functions `start`, `flop` and `river`. Each receives the facts of its street and returns
    True for the hands to play. A street without a function uses best play. A file with several strategies
    defines each of them as a `Strategy(...)`.
    """
    if ref in NAMED:
        return NAMED[ref]
    file, _, name = ref.partition(":")
    if not file.endswith(".py"):
        right = suggest_strategy(ref, [strategy.name for strategy in STRATEGIES])
        raise UnsolvableError(f"there is no strategy named {ref!r}, and no such .py file; {right}")
    defined = _run(Path(file))
    listed = _own(defined)
    if name:
        strategy = defined.get(name)
        if not isinstance(strategy, Strategy):
            raise UnsolvableError(f"{file} has no strategy named {name!r}; {suggest(name, listed)}")
        return strategy
    rules: dict[str, Any] = {street: defined[street] for street in STREETS if callable(defined.get(street))}
    if rules:
        return Strategy(Path(file).stem, **rules)
    if listed:
        raise UnsolvableError(f"{file} defines {', '.join(listed)}; name one, such as {file}:{listed[0]}")
    raise UnsolvableError(f"{file} has no rules; define a function start, flop or river in it")


def _run(file: Path) -> dict[str, object]:
    if not file.is_file():
        raise UnsolvableError(f"{file}: no such file; create it or name a known strategy")
    try:
        return runpy.run_path(str(file))
    except Exception as error:  # The file is user code and may fail in any way.
        raise UnsolvableError(f"{file}{_line(file, error)}: {type(error).__name__}: {error}") from error


def _line(file: Path, error: Exception) -> str:
    """Return " line N" for the last line of the file in the error's traceback, or an empty string."""
    if isinstance(error, SyntaxError):
        return f" line {error.lineno}"
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return "" if line is None else f" line {line}"


def _own(defined: dict[str, object]) -> list[str]:
    """Return the names of the strategies that a file defines, without the built-in ones."""
    return [key for key, each in defined.items() if isinstance(each, Strategy) and each not in STRATEGIES]
