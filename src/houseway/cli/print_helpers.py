"""What the printed answers of several commands have in common."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction

from rich.console import Console
from rich.table import Table


def console(width: int) -> Console:
    """A console as wide as the terminal, or so many columns where there is none."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else width)


def print_facts(out: Console, facts: Iterable[tuple[str, str]], *, soft_wrap: bool = False) -> None:
    """Print facts below each other, each behind its name."""
    for name, told in facts:
        out.print(f"  {name:<20}{told}", soft_wrap=soft_wrap)


def grid(*columns: str, left: str) -> Table:
    """A table without lines; all columns but one are aligned to the right."""
    made = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        made.add_column(column, justify="left" if column == left else "right", no_wrap=True)
    return made


def percent(value: Fraction, digits: int = 4, sign: str = "") -> str:
    """A share as a percentage."""
    return f"{100 * float(value):{sign}.{digits}f} %"


def exactly(value: Fraction) -> str:
    """A value in antes, as a decimal and as a fraction."""
    return f"{float(value):+.12f} antes = {value.numerator:,} / {value.denominator:,}"


def shares(counts: Mapping[str, int]) -> str:
    """How often each thing is done, in percent of all."""
    total = sum(counts.values())
    return ", ".join(f"{name} {100 * count / total:.4f} %" for name, count in counts.items())
