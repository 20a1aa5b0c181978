"""The house rules that a trainee reads before a test."""

from __future__ import annotations

import pytest

from discovered import BOOKS
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.rules.loader import load
from houseway.training.house_rules import (
    HEADINGS,
    IRREGULARITIES,
    PLAY,
    READINGS,
    HouseRule,
    house_rule_lines,
    house_rules,
)


def table_of(book: str, mode: str) -> Table:
    terms, _ = read_terms(load(book), {"mode": mode})
    return Table(terms)


TABLES = [(book, mode) for book in BOOKS for mode in load(book).modes]


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_every_irregularity_without_a_clause_of_the_document_is_a_house_rule(book: str, mode: str) -> None:
    table = table_of(book, mode)
    own = load(book).clauses
    shown = " ".join(rule.rule for rule in house_rules(table) if rule.topic == IRREGULARITIES)
    open_kinds = {
        row.kind
        for row in load(book).procedure.irregularities
        if not set(row.basis.clauses.values()) & set(own)
    }
    for kind in open_kinds:
        assert kind.capitalize() in shown, kind


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_house_rules_cite_other_documents_only(book: str, mode: str) -> None:
    rules = [rule for rule in house_rules(table_of(book, mode)) if rule.topic in (IRREGULARITIES, PLAY)]
    assert rules
    assert not {rule.clause for rule in rules} & set(load(book).clauses)
    assert len({(rule.rule, rule.clause) for rule in rules}) == len(rules)


def test_south_dakota_borrows_what_a_trainee_cannot_know() -> None:
    rules = house_rules(table_of("uth-sd", "manual"))
    # The document does not say which cards the progressive counts, or in which order hands are settled.
    assert {"MA-13.f", "MA-9.h-a", "MA-9.i"} <= {rule.clause for rule in rules if rule.topic == PLAY}
    assert (
        HouseRule(IRREGULARITIES, "Machine failure: every hand is void and wagers are returned.", "MA-14.f")
        in rules
    )


def test_a_rule_for_the_other_deal_mode_is_left_out() -> None:
    manual, device = (
        {rule.clause for rule in house_rules(table_of("uth-sd", mode))} for mode in ("manual", "device")
    )
    assert "MA-7.b" in manual - device
    assert "MA-8.b.2" in device - manual


def test_the_lines_have_the_clauses() -> None:
    lines = house_rule_lines(table_of("uth-sd", "manual"))
    assert [line for line in lines if not line.startswith("- ")] == list(HEADINGS.values())
    assert "- A spoken wager backed by cash is not accepted. [MA-6.a-c]" in lines


def test_massachusetts_says_that_cover_all_loses_below_its_matrix() -> None:
    rules = house_rules(table_of("uth-ma", "device"))
    reading = next(rule for rule in rules if rule.clause == "MA-12.b")
    assert reading.topic == READINGS
    assert "three of a kind, a straight and a flush lose" in reading.rule
    low = next(rule for rule in rules if rule.clause == "house.cover_all_low")
    assert low.rule.startswith("cover_all_low: lose.")
