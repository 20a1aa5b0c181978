"""`show`: print the rules card, the signs of a table or the dealer's script."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from cyclopts import Parameter

from houseway.cli.output import BadInputError, write, write_json, wrote
from houseway.engine.terms import Terms, read_terms
from houseway.report import html_page, markdown, terminal
from houseway.report.dealers_script import dealers_script
from houseway.report.document import Document, for_posting
from houseway.report.postings import sheet
from houseway.report.rulebook_data import card_data, sheet_data
from houseway.report.rules_card import rules_card
from houseway.rules.loader import load
from houseway.rules.problems import suggest
from houseway.rules.rulebook import Rulebook

Format = Literal["terminal", "markdown", "html"]
ENDINGS: dict[str, Format] = {".html": "html", ".htm": "html", ".md": "markdown"}
WRITERS = {"terminal": terminal, "markdown": markdown, "html": html_page}
TRUTH = {"true": True, "yes": True, "false": False, "no": False}


def show(
    rulebook: str,
    *,
    as_: Annotated[
        Literal["card", "layout", "signs", "placard", "script"], Parameter(name="--as")
    ] = "card",
    form: Annotated[Format | None, Parameter(name="--format")] = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    table: Annotated[list[str] | None, Parameter(name="--table", negative="")] = None,
    limit: Annotated[list[str] | None, Parameter(name="--limit", negative="")] = None,
    house: Annotated[list[str] | None, Parameter(name="--house", negative="")] = None,
    mode: str | None = None,
    wager: str | None = None,
    clean: Annotated[bool, Parameter(negative="")] = False,
    json: bool = False,
) -> int:
    """Print the rules card, a table's signs, or the dealer's script.

    Every line cites its clause. The card is long; `houseway show uth-ma --wager blind` prints one wager.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file.
    as_
        What to print: the rules card, the layout, the signs, the placards and table cards, or the dealer's
        script.
    form
        The format; default: chosen by the file ending of --output, otherwise terminal.
    output
        Write to this file.
    table
        A pay table in use, such as trips=B; may be repeated.
    limit
        The posted limits of a wager, such as ante=5-160; may be repeated.
    house
        A house setting, such as rounding=up; may be repeated.
    mode
        The deal mode: manual (dealt by hand) or device (dealt by a machine); default: the rulebook's
        usual mode.
    wager
        Print only one wager of the card, such as blind.
    clean
        Print for posting: without clauses, source and hash.
    json
        Print one JSON document.
    """
    terms = read_house(load(rulebook), table or [], limit or [], house or [], mode)
    if wager is not None and wager not in terms.rulebook.wagers:
        known = suggest(wager, terms.rulebook.wagers)
        raise BadInputError(f"--wager {wager}: {terms.rulebook.id} has no such wager; {known}")
    if wager is not None and as_ != "card":
        raise BadInputError(f"--wager works only with the rules card; leave out --as {as_}")
    document = _document(terms, as_, wager)
    if json:
        write_json(card_data(terms) if as_ == "card" else sheet_data(document, terms, as_))
        return 0
    put(for_posting(document) if clean else document, form, output)
    return 0


def _document(terms: Terms, as_: str, wager: str | None) -> Document:
    if as_ == "script":
        return dealers_script(terms)
    return rules_card(terms, wager) if as_ == "card" else sheet(terms, as_)


def put(document: Document, form: Format | None, output: Path | None) -> None:
    """Write a document to the terminal or to a file, in the format that `form` or the file chooses."""
    if form is None and output is not None and output.suffix.lower() not in (*ENDINGS, ".txt", ""):
        raise BadInputError(f"--output {output}: the file must end in .html, .md or .txt, or give --format")
    form = form or (ENDINGS.get(output.suffix.lower()) if output else None) or "terminal"
    if form == "terminal" and output is None:
        terminal.show(document)
    else:
        write(WRITERS[form].text(document), output)
    if output is not None:
        wrote(document.title, output)


def read_house(
    book: Rulebook,
    tables: Sequence[str] = (),
    limits: Sequence[str] = (),
    house: Sequence[str] = (),
    mode: str | None = None,
) -> Terms:
    """Return a rulebook's terms with the tables, limits and settings given as options."""
    wrong: list[str] = []
    terms_data: dict[str, Any] = {"tables": {}, "limits": {}, "house": {}}
    if mode is not None:
        terms_data["mode"] = mode
    for key, option, typed, example in (
        ("tables", "--table", tables, "trips=B"),
        ("limits", "--limit", limits, "ante=5-160"),
        ("house", "--house", house, "seats=6"),
    ):
        for text in typed:
            name, _, value = text.partition("=")
            if not (name and value):
                wrong.append(f"{option} {text}: give NAME=VALUE, such as {option} {example}")
            terms_data[key][name] = value
    terms_data["limits"] = {name: _bounds(text) for name, text in terms_data["limits"].items()}
    terms_data["house"] = {name: _setting(book, name, text) for name, text in terms_data["house"].items()}
    if wrong:
        raise BadInputError(*wrong)
    terms, refused = read_terms(book, terms_data)
    wrong = [f"{r.where}: {r.message}" + (f" ({r.clause})" if r.clause else "") for r in refused]
    if wrong:
        raise BadInputError(*wrong)
    return terms


def _bounds(text: str) -> dict[str, str]:
    """Read limits: "5-160", "5-" or "-160"; a single amount is both minimum and maximum."""
    low, dash, high = text.partition("-")
    ends = {"min": low, "max": high if dash else low}
    return {key: end for key, end in ends.items() if end}


def _setting(book: Rulebook, name: str, text: str) -> Any:
    """Read a setting's value: yes or no, a number, text, or amounts as JSON or NAME:AMOUNT."""
    setting = book.house.get(name)
    kind = setting.kind if setting else "text"
    if kind == "flag":
        return TRUTH.get(text.lower(), text)
    if kind in ("count", "percent") and text.lstrip("-").isdigit():
        return int(text)
    if kind == "amounts":
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError:
            return dict(part.partition(":")[::2] for part in text.split(","))
    return text
