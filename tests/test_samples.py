"""The tables of samples and planted faults are true: every test exists and docs/testing.md lists it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from planted import PLACES, PLANTED
from samples import MARGIN, SAMPLES

HERE = Path(__file__).parent
PAGE = (HERE.parent / "docs" / "testing.md").read_text(encoding="utf-8")


def functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("place", PLACES)
def test_a_planted_fault_has_its_test(place: str) -> None:
    file, _, name = place.partition("::")
    assert name in functions(HERE / file)


def test_the_catalogue_lists_every_test_once_and_has_not_become_shorter() -> None:
    assert len(set(PLACES)) == len(PLACES) >= 63


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_has_a_planted_fault_and_a_line_on_the_page(name: str) -> None:
    size = SAMPLES[name]
    assert size.promise in PLANTED
    assert f"| {size.promise} | {size.cases} | {size.daily:,} | {size.long:,} |" in PAGE
    assert MARGIN < size.daily <= size.long


@pytest.mark.parametrize("promise", PLANTED)
def test_the_page_counts_the_planted_faults(promise: str) -> None:
    assert f"| {promise} | {len(PLANTED[promise])} |" in PAGE
