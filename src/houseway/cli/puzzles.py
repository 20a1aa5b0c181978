"""`puzzles`: a set of different positions with their exact values, as CSV or JSON lines."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter

from houseway.audit.atomic_files import atomic_file
from houseway.cli.output import BadInputError, complain, counting, file_problem, wrote
from houseway.rules.loader import load
from houseway.school.game_values import GameValues, game_values, is_counted
from houseway.school.practice_positions import LONGEST_SEED
from houseway.school.puzzle_set import MOST_PUZZLES, puzzle_data, set_data
from houseway.school.puzzle_set import puzzles as puzzle_set
from houseway.wording import several

BOOK = "uth-ma"
COUNT = 1000
PER_STEP = 500
"""The number of puzzles between two reports of progress."""
Format = Literal["csv", "jsonl"]


def puzzles(
    rulebook: str = BOOK,
    /,
    *,
    count: Annotated[int, Parameter(name=["--count", "-n"])] = COUNT,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    format_: Annotated[Format | None, Parameter(name="--format")] = None,
    seed: str = "1",
) -> int:
    """Export a set of positions with the exact value of each choice.

    The same rulebook and seed give the same bytes on every machine. The set is in the public domain (CC0
    1.0). Try houseway puzzles uth-ma --count 100000 -o puzzles.csv.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-sd, or a TOML file.
    count
        The number of positions, up to 1000000.
    output
        The file to write; without it, the set is printed.
    format_
        csv or jsonl (one JSON object per line). The default is jsonl if the file's name ends in .jsonl,
        otherwise csv.
    seed
        Any text. Another seed gives other positions.
    """
    if not 1 <= count <= MOST_PUZZLES:
        raise BadInputError(f"--count must be from 1 to {MOST_PUZZLES} (got {count})")
    if not 1 <= len(seed) <= LONGEST_SEED or not seed.isprintable():
        raise BadInputError(f"--seed must have 1 to {LONGEST_SEED} printable characters")
    book = load(rulebook)
    game = game_values(book)
    if game.shootout and not is_counted(game.terms):
        raise BadInputError(
            "the hands of Texas Shootout are not counted yet; run houseway solve shootout-sd once"
        )
    chosen: Format = format_ or ("jsonl" if output is not None and output.suffix == ".jsonl" else "csv")
    lines = puzzle_lines(game, seed, count, chosen)
    if output is None:
        made = sum(_written(line) for line in lines)
    else:
        with file_problem("write", output), atomic_file(output, 0o644) as file:
            made = sum(file.write(line.encode()) > 0 for line in lines)
        wrote(several(made - 1, "position"), output)
    if made - 1 < count:
        complain([f"{book.id} has no more different positions (wrote {made - 1} of {count})"])
    return 0


def puzzle_lines(game: GameValues, seed: str, count: int, chosen: Format) -> Iterator[str]:
    """Yield the lines of a set: a head with the license, then one line per puzzle.

    The head of a CSV file is two lines in one piece: a comment and the names of the columns.
    """
    write = _csv_lines if chosen == "csv" else _json_lines
    yield from write(set_data(game, seed), _rows(game, seed, count))


def _rows(game: GameValues, seed: str, count: int) -> Iterator[dict[str, Any]]:
    """Yield the puzzles as data, and report the progress on stderr."""
    progress = counting("choosing positions")
    for number, shown in enumerate(puzzle_set(game, seed, count), 1):
        yield puzzle_data(game, shown)
        if progress is not None and number % PER_STEP == 0 and number < count:
            progress(number, count)
    if progress is not None:
        progress(count, count)


def _json_lines(head: dict[str, Any], rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    yield _json_line(head)
    for row in rows:
        yield _json_line(row)


def _json_line(row: dict[str, Any]) -> str:
    return msgspec.json.encode(row).decode() + "\n"


def _csv_lines(head: dict[str, Any], rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a CSV file. Several values in one cell are separated by semicolons."""
    first = True
    for row in rows:
        if first:
            comment = "; ".join(f"{name} {value}" for name, value in head.items())
            yield f"# {comment}\n{_csv_line(list(row))}"
            first = False
        yield _csv_line([";".join(cell) if isinstance(cell, list) else cell for cell in row.values()])


def _csv_line(cells: list[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()


def _written(line: str) -> bool:
    sys.stdout.write(line)
    return True
