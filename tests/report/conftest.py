"""Sheets and ways to read them, for the tests of the report layer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from houseway.engine.terms import Terms, read_terms
from houseway.report import html_page, markdown, terminal
from houseway.report.document import Block, Document, Heading
from houseway.report.postings import sheet
from houseway.report.rules_card import rules_card
from houseway.rules.loader import load

Sheet = Callable[..., Document]


def terms_of(ref: str, **given: Any) -> Terms:
    """The terms of a rulebook with these settings, none of which may be refused."""
    terms, refused = read_terms(load(ref), given)
    assert not refused, refused
    return terms


@pytest.fixture(autouse=True)
def plain_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns without colour, regardless of the terminal running the tests."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)


@pytest.fixture
def make_sheet() -> Sheet:
    """A function that makes a sheet: make_sheet("uth-sd", "layout", tables={"trips": "UTH-03"})."""

    def make(ref: str, name: str = "card", **given: Any) -> Document:
        chosen = terms_of(ref, **given)
        return rules_card(chosen) if name == "card" else sheet(chosen, name)

    return make


@pytest.fixture
def formats() -> Callable[[Document], dict[str, str]]:
    """A function that renders a document in every format."""

    def render(document: Document) -> dict[str, str]:
        return {
            "terminal": terminal.text(document),
            "markdown": markdown.text(document),
            "html": html_page.text(document),
        }

    return render


@pytest.fixture
def section() -> Callable[[Document, str], tuple[Block, ...]]:
    """A function that returns the blocks below a heading."""

    def cut(document: Document, title: str) -> tuple[Block, ...]:
        heads = [n for n, b in enumerate(document.blocks) if isinstance(b, Heading) and b.text == title]
        if not heads:
            return ()
        ends = [
            n
            for n, b in enumerate(document.blocks)
            if n > heads[0] and isinstance(b, Heading) and b.level == 1
        ]
        return document.blocks[heads[0] + 1 : ends[0] if ends else None]

    return cut
