"""Formatting shared by the commands that print figures."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction

from rich.console import Console
from rich.table import Table


def console(width: int) -> Console:
    """Return a console as wide as the terminal; `width` columns if stdout is not a terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else width)


def print_facts(out: Console, facts: Iterable[tuple[str, str]], *, soft_wrap: bool = False) -> None:
    """Print names and values, one pair per line."""
    for name, value in facts:
        out.print(f"  {name:<20}{value}", soft_wrap=soft_wrap)


def grid(*columns: str, left: str) -> Table:
    """Return a table without borders; all columns except `left` are right-aligned."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, justify="left" if column == left else "right", no_wrap=True)
    return table


def percent(value: Fraction, digits: int = 4, sign: str = "") -> str:
    """Return a fraction as a percentage."""
    return f"{100 * float(value):{sign}.{digits}f} %"


def exactly(value: Fraction) -> str:
    """Return a value in antes, as a decimal and as a fraction."""
    return f"{float(value):+.12f} antes = {value.numerator:,} / {value.denominator:,}"


def shares(counts: Mapping[str, int]) -> str:
    """Return each count as a percentage of the total."""
    total = sum(counts.values())
    return ", ".join(f"{name} {100 * count / total:.4f} %" for name, count in counts.items())
