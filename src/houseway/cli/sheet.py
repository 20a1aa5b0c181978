"""`sheet`: write the par sheet of a rulebook."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date as calendar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from houseway.cli.output import BadInputError, counting, json_text, unused, write, wrote
from houseway.cli.show import read_house
from houseway.rules.changes import apply_changes
from houseway.rules.compare import ParameterDifference
from houseway.rules.compare import compare as compare_rules
from houseway.rules.loader import load
from houseway.wording import printable

if TYPE_CHECKING:
    from houseway.report.sheet import Sheet

Form = Literal["html", "json", "csv"]
ENDINGS: dict[str, Form] = {".html": "html", ".htm": "html", ".json": "json", ".csv": "csv"}


def sheet(
    rulebook: str = "",
    /,
    *,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    changes: Annotated[tuple[str, ...], Parameter(name="--set", negative="")] = (),
    house: Annotated[list[str] | None, Parameter(name="--house", negative="")] = None,
    compare: Annotated[tuple[str, str] | None, Parameter(negative="")] = None,
    date: str = "",
    json: bool = False,
    csv: Annotated[bool, Parameter(negative="")] = False,
) -> int:
    """Print the par sheet: the exact figures of every wager.

    The sheet is one self-contained HTML page that prints on A4 and Letter. On a terminal, the command
    writes it to par-sheet-ID.html in this folder, or to a numbered file if that name is taken. In a pipe,
    the sheet is written to stdout. The same input gives the same bytes, so the sheet has no date unless
    you give one.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file.
    output
        Write to this file; its ending .html, .json or .csv chooses the format.
    changes
        Change a value first, such as --set "blind.straight=push"; may be repeated. With --compare, this
        changes the second rulebook.
    house
        A house setting, such as seed=main:25000; may be repeated.
    compare
        Print the sheets of two rulebooks side by side, with the differences marked.
    date
        The date to print, such as 2026-11-16.
    json
        Print one JSON document with exact fractions.
    csv
        Print CSV, one line for each wager and pay table.
    """
    form = _form(output, json=json, csv=csv)
    if bool(rulebook) == bool(compare):
        raise BadInputError("name one rulebook, such as houseway sheet uth-ma, or two after --compare")
    if date:
        _check_date(date)
    books = [load(ref) for ref in compare or (rulebook,)]
    if changes:
        books[-1] = apply_changes(compare[1] if compare else rulebook, changes)
    from houseway.report.sheet import par_sheet

    progress = counting("counting the two-card hands")
    sheets = [par_sheet(read_house(b, house=house or []), date=date, progress=progress) for b in books]
    text = _pair_text(sheets, compare_rules(*books), form) if compare else _sheet_text(sheets[0], form)
    if output is None and form == "html" and sys.stdout.isatty():
        # HTML is not readable on a terminal.
        output = unused("-".join(("par-sheet", *(each.rulebook for each in sheets))), ".html", text)
    write(text, output)
    for warning in dict.fromkeys(warning for each in sheets for warning in each.warnings):
        sys.stderr.write(f"warning: {printable(warning)}\n")
    if output is not None:
        wrote(f"the par sheet of {' and '.join(each.rulebook for each in sheets)}", output)
    return 0


def _form(output: Path | None, *, json: bool, csv: bool) -> Form:
    if json and csv:
        raise BadInputError("--json and --csv cannot be used together; give only one of them")
    if json or csv:
        return "json" if json else "csv"
    if output is None:
        return "html"
    form = ENDINGS.get(output.suffix.lower())
    if form is None:
        raise BadInputError(f"--output {output}: the file must end in .html, .json or .csv")
    return form


def _check_date(date: str) -> None:
    try:
        calendar.fromisoformat(date)
    except ValueError as error:
        raise BadInputError(f"--date {date}: give year, month and day, such as 2026-11-16") from error


def _sheet_text(par: Sheet, form: Form) -> str:
    from houseway.report.sheet import html, sheet_data

    if form == "json":
        return json_text(sheet_data.document(par))
    return html.text(par) if form == "html" else sheet_data.csv_text(par)


def _pair_text(sheets: Sequence[Sheet], rules: Sequence[ParameterDifference], form: Form) -> str:
    from houseway.report.sheet import compare_sheets

    one, other = sheets
    comparison = compare_sheets.compare(one, other, rules)
    if form == "json":
        return json_text(compare_sheets.document(comparison))
    return compare_sheets.text(comparison) if form == "html" else compare_sheets.csv_text(comparison)
