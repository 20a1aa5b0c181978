"""`diff`: compare two rulebooks."""

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
    """Compare two rulebooks and cite the clauses of both.

    Try `houseway diff uth-ma uth-sd --money`.

    Parameters
    ----------
    a
        The first rulebook: an id such as uth-ma, or a TOML file.
    b
        The second rulebook.
    money
        Compare only the rules that affect money: wagers, limits, payments and caps.
    everything
        Also print the rules that are the same.
    form
        The format; default: chosen by the file ending of --output, otherwise terminal.
    output
        Write to this file.
    json
        Print one JSON document.
    """
    one, other = load(a), load(b)
    differences = compare(one, other)
    if money:
        differences = tuple(d for d in differences if about_money(d.name))
    if json:
        write_json(comparison_data(one, other, differences, everything=everything))
        return 0
    put(comparison(one, other, differences, everything=everything), form, output)
    return 0
