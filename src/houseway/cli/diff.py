"""`diff`: what differs between two rulebooks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from houseway.cli.output import write_json
from houseway.cli.show import Format, put
from houseway.report.comparison import comparison, comparison_data
from houseway.rules.compare import about_money, compare
from houseway.rules.loader import load


def diff(
    a: str,
    b: str,
    *,
    money: Annotated[bool, Parameter(negative="")] = False,
    everything: Annotated[bool, Parameter(name="--all", negative="")] = False,
    form: Annotated[Format | None, Parameter(name="--format")] = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: bool = False,
) -> int:
    """Tell what differs between two rulebooks, with both clauses.

    Parameters
    ----------
    a
        Rulebook id or TOML file.
    b
        Rulebook id or TOML file.
    money
        Only what a player's money meets: wagers, limits, payments, caps.
    everything
        Tell also what is the same.
    form
        How to print; otherwise by the ending of the output file, or for the terminal.
    output
        Write to a file.
    json
        Print one JSON document.
    """
    one, other = load(a), load(b)
    found = compare(one, other)
    if money:
        found = tuple(d for d in found if about_money(d.name))
    if json:
        write_json(comparison_data(one, other, found, everything=everything))
        return 0
    put(comparison(one, other, found, everything=everything), form, output)
    return 0
