"""Write the generated part of docs/irregularities.md: `python -m training.irregularities_page` in tests/."""

from __future__ import annotations

from pathlib import Path

from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live.default_terms import offering
from houseway.rules.loader import load, rulebook_ids
from houseway.training.scenarios.rulebook_comparison import comparison_page

PAGE = Path(__file__).parents[2] / "docs" / "irregularities.md"
MARK = "<!-- what follows is generated -->"


def tables() -> list[Table]:
    """A table of each rulebook, in its last deal mode."""
    books = map(load, rulebook_ids())
    return [Table(read_terms(book, offering(book, book.modes[-1], {}, {}))[0]) for book in books]


def current() -> str:
    """The page with its generated part written again."""
    written, _, _ = PAGE.read_text("utf-8").partition(MARK)
    return f"{written}{MARK}\n\n{comparison_page(tables())}"


if __name__ == "__main__":
    PAGE.write_text(current(), "utf-8")
