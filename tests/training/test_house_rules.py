"""The house rules that a trainee reads before a test."""

from __future__ import annotations

import pytest

from discovered import BOOKS
from houseway.engine import commands as c
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live.exam_tables import exam_tables
from houseway.play.chair_screen import clause_line
from houseway.rules.loader import load
from houseway.training import chair as ch
from houseway.training.act_list import reportable_kinds
from houseway.training.chair import WRONG_COUNT
from houseway.training.exams.exam import shipped_exam
from houseway.training.house_rules import (
    HEADINGS,
    IRREGULARITIES,
    ORDERS,
    PLAY,
    READINGS,
    SETTINGS,
    HouseRule,
    house_rule_lines,
    house_rules,
)
from houseway.training.ruling_form import CARD, RESHUFFLE, right_ruling
from houseway.training.table_wagers import offered_wagers
from houseway.wording import shown_name
from training.sessions import Session
from training.test_happenings import plain_terms


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
    possible = {*reportable_kinds(table), WRONG_COUNT}
    for kind in open_kinds:
        assert (kind.capitalize() in shown) is (kind in possible), kind


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_house_rules_cite_other_documents_only(book: str, mode: str) -> None:
    rules = [rule for rule in house_rules(table_of(book, mode)) if rule.topic in (IRREGULARITIES, *PLAY)]
    assert rules
    assert not {rule.clause for rule in rules} & set(load(book).clauses)
    assert len({(rule.rule, rule.clause) for rule in rules}) == len(rules)


def test_south_dakota_borrows_what_a_trainee_cannot_know() -> None:
    rules = house_rules(table_of("uth-sd", "manual"))
    # The document does not say which cards the progressive counts, or in which order hands are settled.
    assert {"MA-13.f", "MA-9.h-a", "MA-9.i"} <= {rule.clause for rule in rules if rule.topic in PLAY}
    void = "every hand is void and wagers are returned; all cards are taken out and reshuffled"
    failure = HouseRule(IRREGULARITIES, f"Machine failure: {void}.", "MA-14.f")
    assert failure in house_rules(table_of("uth-sd", "device"))
    # No machine deals at this table.
    assert failure not in rules


def test_a_house_rule_names_the_reshuffle_that_a_ruling_is_judged_on() -> None:
    """MA-14.f: the cards are taken out and reshuffled. The trainee cannot read it in the own document."""
    at = Session("uth-sd", "device", 1, given=plain_terms("uth-sd", "device"), seats=2)
    at.play_to(lambda at: bool(at.state.round.served))
    assert at.happen(ch.Happening(kind="machine failure"))
    right = right_ruling(at.table, at.state, at.chair.open[0])
    assert right is not None
    assert (right.answers[CARD].answer, right.answers[CARD].clause) == (RESHUFFLE, "MA-14.f")
    told = next(rule for rule in house_rules(at.table) if rule.clause == "MA-14.f")
    assert "reshuffled" in told.rule


def test_a_rule_for_the_other_deal_mode_is_left_out() -> None:
    manual, device = (
        {rule.clause for rule in house_rules(table_of("uth-sd", mode))} for mode in ("manual", "device")
    )
    assert "MA-7.b" in manual - device
    assert "MA-8.b.2" in device - manual


def test_the_lines_have_the_clauses() -> None:
    lines = house_rule_lines(table_of("uth-sd", "manual"))
    headings = [line for line in lines if not line.startswith("- ")]
    assert headings == [line for line in HEADINGS.values() if line in headings]
    assert headings[-1] == HEADINGS[ORDERS]
    assert "- A spoken wager backed by cash is not accepted. [MA-6.a-c]" in lines


def test_massachusetts_says_that_cover_all_loses_below_its_matrix() -> None:
    rules = house_rules(table_of("uth-ma", "device"))
    reading = next(rule for rule in rules if rule.clause == "MA-12.b")
    assert reading.topic == READINGS
    assert "three of a kind, a straight and a flush lose" in reading.rule
    low = next(rule for rule in rules if rule.clause == "house.cover_all_low")
    assert low.rule.startswith("cover_all_low: lose.")


def exam_table(book: str, mode: str) -> Table:
    """The first table of the table test."""
    return Table(read_terms(load(book), exam_tables(shipped_exam("table-test"), load(book), mode).terms)[0])


@pytest.mark.parametrize(
    ("book", "lines", "words"), [("uth-ma", 45, 1010), ("uth-card", 79, 1540), ("uth-sd", 51, 1000)]
)
def test_the_list_before_an_exam_is_short(book: str, lines: int, words: int) -> None:
    """It had 59, 96 and 58 lines with 1,460, 1,750 and 1,164 words, without the free orders.

    Since then it also names a board or a reshuffle that is judged (MA-14) and two readings about bets (SD-2).
    The words of a clause that is quoted before the house's reading of it do not count.
    """
    table = exam_table(book, "manual")
    listed = house_rule_lines(table)
    assert len(listed) <= lines
    clauses = load(book).clauses
    quoted = [clauses[rule.clause or ""].says for rule in house_rules(table) if rule.topic == READINGS]
    assert (
        sum(len(line.split()) for line in listed)
        - sum(len(f"{one} Our reading:".split()) for one in quoted)
        <= words
    )


@pytest.mark.clause("SD-2-e", "SD-2-f")
@pytest.mark.parametrize(
    ("clause", "bets", "wager"),
    [
        ("SD-2-e", {"ante": 1000, "blind": 500}, "blind must equal the ante"),
        ("SD-2-f", {"progressive": 100}, "progressive needs a valid initial bet"),
    ],
)
def test_a_reading_by_which_a_bet_is_refused_is_a_house_rule(
    clause: str, bets: dict[str, int], wager: str
) -> None:
    """The words of the clause alone do not refuse the bet, and no other clause contradicts them."""
    at = Session("uth-sd", "manual", 1, given=plain_terms("uth-sd", "manual"), seats=2)
    at.play_to(lambda at: at.state.round.betting == "open")
    refused = decide(at.table, at.state, c.Bet(seat=1, wagers=bets))
    assert isinstance(refused, Refusal)
    assert refused.clause == clause
    own = load("uth-sd").clauses[clause]
    (told,) = (rule for rule in house_rules(at.table) if rule.clause == clause)
    assert told.rule == f"{own.says} Our reading: {own.reading}"
    assert wager in told.rule
    # The review of a round prints the reading under a slip.
    assert clause_line(at.table, clause) == f"{clause}: {told.rule}"


def test_the_review_quotes_a_clause_without_a_reading_of_the_house() -> None:
    table, own = table_of("uth-sd", "manual"), load("uth-sd").clauses
    assert clause_line(table, "SD-4-b") == f"SD-4-b: {own['SD-4-b'].says}"
    assert clause_line(table, "MA-7.b").startswith(
        "MA-7.b (borrowed, because uth-sd does not cover this): "
    )


def test_a_reading_follows_the_words_of_its_clause() -> None:
    rules = {rule.clause: rule.rule for rule in house_rules(table_of("uth-sd", "manual"))}
    assert rules["SD-15-b"].startswith(
        "If the dealer's hand ranks higher, the player loses ante and play. Our"
    )
    for book, mode in TABLES:
        known = load(book).clauses
        for rule in house_rules(table_of(book, mode)):
            if rule.topic == READINGS:
                clause = known[rule.clause or ""]
                assert rule.rule == f"{clause.says} Our reading: {clause.reading}"


def test_a_setting_with_a_placeholder_is_shown_for_each_side() -> None:
    rule = next(
        one.rule for one in house_rules(table_of("uth-proc", "device")) if "hand_that_pays" in one.line
    )
    assert "the left hand for the left side of the layout, the right hand for the right side" in rule
    assert "{" not in rule


def test_hands_are_racked_at_once_or_after_the_step_that_racks_them() -> None:
    rule = next(one for one in house_rules(table_of("uth-sd", "manual")) if one.clause == "SD-6-d")
    assert rule.rule == (
        "Rack a hand: as soon as its own wagers are settled, or after you pay the progressive winners."
    )


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_rules_about_wagers_that_the_table_does_not_have_are_left_out(book: str, mode: str) -> None:
    table = exam_table(book, mode)
    cited = {rule.clause for rule in house_rules(table)}
    settings = {rule.clause for rule in house_rules(table) if rule.topic == SETTINGS}
    if book == "uth-ma":
        cover_all = {"house.cover_all_low", "house.cover_all_left", "MA-12.b", "MA-12.h.a"}
        assert cited & cover_all == (cover_all if mode == "device" else set())
    # The layout, a sign or a meter shows these, and the house sees to the rest.
    assert not settings & {"house.trips_table", "house.progressive_table", "house.seats", "house.feed"}
    assert not cited & {"SD-1-a", "SD-18-c", "MA-5.b", "MA-1.suit", "MA-13.g", "house.match_play"}


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_every_free_order_of_the_procedure_is_listed(book: str, mode: str) -> None:
    """A step with a window, or with acts in any order, has a sentence."""
    table = table_of(book, mode)
    listed = " ".join(rule.rule for rule in house_rules(table) if rule.topic == ORDERS).lower()
    for one in table.steps.values():
        free = [name for name in (*one.free_from, *one.free_until) if name in table.steps]
        settled = table.passes.get(one.pass_name)
        offered = settled is None or any(wager in offered_wagers(table) for wager in settled.wagers)
        if free or (one.any_order and offered):
            assert shown_name(one.name).lower() in listed


def test_the_free_orders_of_massachusetts() -> None:
    lines = [rule.line for rule in house_rules(exam_table("uth-ma", "manual")) if rule.topic == ORDERS]
    assert "Cut the cards: at any time before you load the shoe. [MA-4.c]" in lines
    assert "Confirm the dealing shoe: once, at any time before you open the round. [MA-7.a-a]" in lines
    assert (
        "Confirm the deck: once, at any time before you deal the first card to each player. [MA-2.a-c]"
        in lines
    )
    assert "Collect the board and the dealer's cards: in any order. [MA-9.i]" in lines
    wagers = "the wagers of one hand in any order (ante, blind, play, progressive)"
    assert f"Settle the hands: {wagers}. [MA-9.h-a]" in lines


def test_a_wrong_number_of_cards_is_named_with_its_place() -> None:
    rules = [one.rule for one in house_rules(table_of("uth-ma", "device")) if one.topic == IRREGULARITIES]
    wrong = [rule.partition(":")[0] for rule in rules if rule.startswith("Wrong number")]
    assert wrong == [
        "Wrong number of community cards, if the missing cards can still be dealt",
        "Wrong number of community cards",
    ]
    card = [one.rule for one in house_rules(table_of("uth-card", "manual")) if one.topic == IRREGULARITIES]
    assert any(rule.startswith("Wrong number of the dealer's cards: ") for rule in card)
