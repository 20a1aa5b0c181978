"""The rulebooks that tests run over: found by looking, never listed.

A rulebook without the data a test compares with (corpus rounds, a second settler) is skipped, and the
skip message says how to make it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest

from houseway.rules.loader import load, rulebook_ids
from houseway.second_settler import DOCUMENTS

BOOKS = rulebook_ids()
ULTIMATE = [book for book in BOOKS if load(book).game == "ultimate"]
CORPUS = "has no rounds in the corpus yet: make corpus writes them"
SETTLER = "is not known to houseway.second_settler yet: see CONTRIBUTING, How to add a rulebook"


def having(known: Collection[str], lacks: str, books: Iterable[str] = BOOKS) -> list[Any]:
    """Parameters for every rulebook; a rulebook not in `known` is skipped with the reason."""
    return [
        pytest.param(book, marks=() if book in known else pytest.mark.skip(reason=f"{book} {lacks}"))
        for book in books
    ]


def settled_twice(books: Iterable[str] = BOOKS) -> list[Any]:
    """Parameters for every rulebook that the second settler supports."""
    return having(DOCUMENTS, SETTLER, books)
