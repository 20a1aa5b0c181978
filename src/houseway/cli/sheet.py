"""`sheet`: a rulebook's mathematics on paper."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date as calendar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from houseway.cli.output import BadInputError, counting, json_text, unused, write, wrote
from houseway.cli.show import agreed
from houseway.rules.changes import changed
from houseway.rules.compare import ParameterDifference
from houseway.rules.compare import compare as compare_rules
from houseway.rules.loader import load

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
    """Print the par sheet: every wager's exact figures, to be signed.

    One self-contained HTML page that prints on A4 and Letter. At a terminal it goes to a file in this
    folder, par-sheet-ID.html, with a number where another sheet has the name; in a pipe to stdout. The same
    input gives the same bytes, so no date is printed unless you give one.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file.
    output
        Write to this file; .html, .json and .csv choose the form.
    changes
        Change a value first, as in --set "blind.straight=push"; may be repeated. With --compare the
        second rulebook is changed.
    house
        A house setting, such as seed=main:25000; may be repeated.
    compare
        Two rulebooks side by side instead, differences marked.
    date
        The date to print, such as 2026-11-16.
    json
        Exact fractions as one JSON document.
    csv
        A line for each wager and pay table.
    """
    form = _form(output, json=json, csv=csv)
    if bool(rulebook) == bool(compare):
        raise BadInputError("name one rulebook, as in houseway sheet ID, or two after --compare")
    if date:
        _check_date(date)
    books = [load(ref) for ref in compare or (rulebook,)]
    if changes:
        books[-1] = changed(compare[1] if compare else rulebook, changes)
    from houseway.report.sheet import par_sheet

    progress = counting("counting the two-card hands")
    made = [par_sheet(agreed(book, house=house or []), date=date, progress=progress) for book in books]
    text = _together(made, compare_rules(*books), form) if compare else _alone(made[0], form)
    if output is None and form == "html" and sys.stdout.isatty():
        # A page of HTML is no reading matter for a terminal.
        output = unused("-".join(("par-sheet", *(each.rulebook for each in made))), ".html", text)
    write(text, output)
    if output is not None:
        wrote(f"the par sheet of {' beside that of '.join(each.rulebook for each in made)}", output)
    return 0


def _form(output: Path | None, *, json: bool, csv: bool) -> Form:
    if json and csv:
        raise BadInputError("--json and --csv are two forms; name one")
    if json or csv:
        return "json" if json else "csv"
    if output is None:
        return "html"
    form = ENDINGS.get(output.suffix.lower())
    if form is None:
        raise BadInputError(f"no form is known by the ending of {output}; .html, .json and .csv are")
    return form


def _check_date(date: str) -> None:
    try:
        calendar.fromisoformat(date)
    except ValueError as error:
        raise BadInputError(f"--date {date}: write year, month and day, as in 2026-11-16") from error


def _alone(made: Sheet, form: Form) -> str:
    from houseway.report.sheet import html, sheet_data

    if form == "json":
        return json_text(sheet_data.document(made))
    return html.text(made) if form == "html" else sheet_data.lines(made)


def _together(made: Sequence[Sheet], rules: Sequence[ParameterDifference], form: Form) -> str:
    from houseway.report.sheet import compare_sheets

    one, other = made
    found = compare_sheets.compare(one, other, rules)
    if form == "json":
        return json_text(compare_sheets.document(found))
    return compare_sheets.text(found) if form == "html" else compare_sheets.lines(found)
