"""A strategy by its name, or from a file that its player wrote."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.strategies import MEANT, NAMED, STRATEGIES, Strategy
from houseway.rules.problems import meant

STREETS = ("start", "flop", "river")


def find_strategy(ref: str) -> Strategy:
    """A shipped strategy by name, or that of a file: "mine.py", or "mine.py:timid" for one of several.

    A file has functions `start`, `flop` and `river`, each given the facts of its street and answering when
    to play; a street it leaves out is played best. Several stand in it as `Strategy(...)` each by its name.
    """
    if ref in NAMED:
        return NAMED[ref]
    file, _, name = ref.partition(":")
    if not file.endswith(".py"):
        names = [strategy.name for strategy in STRATEGIES]
        right = f"did you mean {MEANT[ref]!r}?" if ref in MEANT else meant(ref, names)
        raise UnsolvableError(f"{ref!r} is no strategy and no file that ends in .py; {right}")
    found = _run(Path(file))
    listed = _own(found)
    if name:
        strategy = found.get(name)
        if not isinstance(strategy, Strategy):
            raise UnsolvableError(f"{file} has no strategy {name!r}; {meant(name, listed)}")
        return strategy
    rules: dict[str, Any] = {street: found[street] for street in STREETS if callable(found.get(street))}
    if rules:
        return Strategy(Path(file).stem, **rules)
    if listed:
        raise UnsolvableError(f"{file} has {', '.join(listed)}; say which, as in {file}:{listed[0]}")
    raise UnsolvableError(f"{file} has no rule; define a function start, flop or river in it")


def _run(file: Path) -> dict[str, object]:
    if not file.is_file():
        raise UnsolvableError(f"{file}: there is no such file; write one, or name a known strategy")
    try:
        return runpy.run_path(str(file))
    except Exception as error:  # The file is its player's own program and may fail in any way.
        raise UnsolvableError(f"{file}{_line(file, error)}: {type(error).__name__}, {error}") from error


def _line(file: Path, error: Exception) -> str:
    """The last line of the file that had to do with an error."""
    if isinstance(error, SyntaxError):
        return f" line {error.lineno}"
    trace, line = error.__traceback__, None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            line = trace.tb_lineno
        trace = trace.tb_next
    return "" if line is None else f" line {line}"


def _own(found: dict[str, object]) -> list[str]:
    """The strategies of a file, those it borrows apart."""
    return [key for key, each in found.items() if isinstance(each, Strategy) and each not in STRATEGIES]
