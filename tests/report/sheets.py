"""Par sheets for the tests, each made once per process, and functions that read their pages."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from houseway.engine.terms import read_terms
from houseway.report.sheet import Sheet, html, par_sheet
from houseway.rules.changes import apply_changes
from houseway.rules.loader import load


@cache
def sheet(ref: str = "uth-ma", *changes: str) -> Sheet:
    """A rulebook's sheet, with some values changed."""
    terms, refused = read_terms(apply_changes(ref, changes) if changes else load(ref), {})
    assert not refused
    return par_sheet(terms)


@cache
def page(ref: str = "uth-ma", *changes: str) -> str:
    """The same sheet as a page."""
    return html.text(sheet(ref, *changes))


def parsed(text: str) -> ET.Element:
    """A page as a tree; raises if it is not well-formed."""
    return ET.fromstring(text)


def words(element: ET.Element) -> str:
    """The text of an element, in one line."""
    return " ".join("".join(element.itertext()).split())


def rows(text: str) -> list[list[str]]:
    """Every row of every table, cell by cell."""
    return [[words(cell) for cell in row] for row in parsed(text).iter("tr")]


def fractions(value: Any) -> Iterator[Fraction]:
    """Every exact fraction in a JSON document."""
    if isinstance(value, dict):
        yield from (fraction for below in value.values() for fraction in fractions(below))
    elif isinstance(value, list):
        yield from (fraction for below in value for fraction in fractions(below))
    elif isinstance(value, str):
        top, stroke, bottom = value.partition("/")
        if stroke and bottom.isdigit() and top.removeprefix("-").isdigit():
            yield Fraction(int(top), int(bottom))
