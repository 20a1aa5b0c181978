"""The rulebooks that tests run over: discovered in the package, never listed here.

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


def parameters_for(known: Collection[str], reason: str, books: Iterable[str] = BOOKS) -> list[Any]:
    """Test parameters for every rulebook; a rulebook not in `known` is skipped, with its id and the reason."""
    return [
        pytest.param(book, marks=() if book in known else pytest.mark.skip(reason=f"{book} {reason}"))
        for book in books
    ]


def with_second_settler(books: Iterable[str] = BOOKS) -> list[Any]:
    """Test parameters for every rulebook; a rulebook without a second settler is skipped."""
    return parameters_for(DOCUMENTS, SETTLER, books)
