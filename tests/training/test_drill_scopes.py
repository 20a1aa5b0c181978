"""Drills for the page: scopes, the order of payments, chips that can pay them, exposed cards, marks and words."""

from __future__ import annotations

import re

import pytest

from houseway.audit.second_settler_adapter import settle_independently
from houseway.rules.loader import rulebook_ids
from houseway.training.drills.all_drills import make_question
from houseway.training.drills.drill_session import DrillSession, next_question, record_answer
from houseway.training.drills.drill_words import (
    given_words,
    miss_sentence,
    miss_title,
    question_lines,
    spoken_lines,
    sum_words,
)
from houseway.training.drills.grade import grade
from houseway.training.drills.marks import Mark, figures, mark_of
from houseway.training.drills.payout_drill import SCOPES, scope_of
from houseway.training.drills.question import CHOICE, PAYMENT, SEQUENCE, QuestionPart
from training.test_drills import from_facts, questions, right_answers, tables_of

NOW = "2026-11-18T05:00:00Z"
CODE = re.compile(r"\b[2-9TJQKA][cdhs]\b")


@pytest.mark.parametrize("rulebook", rulebook_ids())
@pytest.mark.parametrize("scope", SCOPES)
def test_a_scope_asks_about_a_wager_a_hand_or_a_table(rulebook: str, scope: str) -> None:
    tables = tables_of(rulebook)
    for n in range(30):
        question = make_question("payouts", tables, f"scope {n}", 1 + n % 3, scope)
        felt, parts = question.facts.felt, question.facts.parts
        assert felt is not None
        assert (question.facts.scope, scope_of(question.kind)) == (scope, scope)
        places = {(part.seat, part.hand) for part in parts}
        bets = {(one.seat, one.hand, wager) for one in felt.hands for wager in one.wagers}
        asked = {(part.seat, part.hand, part.wager) for part in parts if part.wager != "envy"}
        assert asked <= bets
        if scope == "wager":
            assert len(parts) == 1
        elif scope == "hand":
            ((seat, hand),) = places
            assert asked == {bet for bet in bets if bet[:2] == (seat, hand)}
        else:
            assert asked == bets
            assert len(felt.hands) >= 2


def test_a_seed_gives_the_same_round_with_and_without_a_scope() -> None:
    """A kind that is due is asked again from its seed, so the scope must not change the round."""
    tables = tables_of("uth-ma")
    for n in range(40):
        free = make_question("payouts", tables, f"same {n}", 3)
        assert make_question("payouts", tables, f"same {n}", 3, free.facts.scope) == free


@pytest.mark.parametrize("rulebook", ["uth-ma", "uth-sd", "uth-proc"])
def test_payments_are_in_the_order_of_the_second_settler(rulebook: str) -> None:
    tables, several = tables_of(rulebook), 0
    for n in range(25):
        question = make_question("payouts", tables, f"order {n}", 3, "table")
        answer = settle_independently(rulebook, from_facts(question, tables))
        settled = [(line["seat"], line["wager"]) for line in answer["lines"]]
        asked = [(part.seat, part.wager) for part in question.facts.parts]
        assert [one for one in asked if one in settled] == list(dict.fromkeys(settled))
        several += len({seat for seat, _ in settled}) > 1
    assert several >= 20


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_every_payment_can_be_made_with_the_chips_of_the_tray(rulebook: str) -> None:
    """The smallest chip of the default tray is 50 cents; awards in percent of a meter may end in dimes."""
    amounts = [key.amount for one in questions("payouts", rulebook, 400) for key in one.key]
    assert any(amounts)
    assert [amount for amount in amounts if amount % 50] == []


def test_the_acts_of_what_next_are_in_a_fixed_order() -> None:
    for question in questions("next", "uth-ma", 12):
        choices = question.facts.parts[0].choices
        assert list(choices) == sorted(choices)


def test_the_stack_to_read_is_the_amount() -> None:
    asked = [one for one in questions("chips", "uth-sd", 40) if one.facts.stack]
    assert asked
    for question in asked:
        worth = sum(value * count for value, count in question.facts.stack.items())
        assert question.key[0].amount == worth


def test_an_exposed_card_is_on_the_felt() -> None:
    exposed = {}
    for question in questions("rulings", "uth-sd", 60):
        felt = question.facts.felt
        assert felt is not None
        happened = question.facts.notes[0]
        # The first note is a sentence, not a heading with a colon.
        assert re.fullmatch(r"[A-Z][^:]+ (is|are|has|was|fails|jams,) [^:]+\.", happened)
        if happened.startswith("Community cards"):
            assert len(felt.exposed["board"].split()) in (2, 3, 5)
            assert "no card is face up" not in "\n".join(question_lines(question.facts))
            exposed["board"] = happened
            continue
        for place, card in felt.exposed.items():
            assert place in happened
            assert CODE.fullmatch(card)
            assert card not in f"{felt.board} {felt.dealer} {' '.join(hand.cards for hand in felt.hands)}"
            assert card in "\n".join(question_lines(question.facts))
            exposed[place.split()[0]] = happened
        if "exposed card, seat" in happened:
            assert felt.exposed
    assert {"seat", "dealer", "board"} <= set(exposed)


@pytest.mark.parametrize("drill", ["payouts", "hands", "rulings"])
def test_a_screen_reader_hears_words_and_no_codes(drill: str) -> None:
    for question in questions(drill, "uth-ma", 12):
        spoken = " ".join(spoken_lines(question.facts))
        assert not CODE.search(spoken), spoken
        felt = question.facts.felt
        assert felt is not None
        assert spoken.count("Seat ") >= len(felt.hands)
        assert spoken.count(" of ") >= len(CODE.findall(f"{felt.board} {felt.dealer}"))
        assert question.facts.asks in spoken


def test_a_question_that_is_prepared_ahead_is_the_one_that_follows() -> None:
    tables = tables_of("uth-ma")
    session = DrillSession("payouts", "uth-ma", "ahead", scope="hand")
    asked = next_question(session, tables, NOW)
    prepared = next_question(session, tables, NOW, asked)
    right = grade(asked.question, right_answers(asked.question))
    session = record_answer(session, asked, right, 1000, NOW)
    assert next_question(session, tables, NOW) == prepared
    assert prepared.question.facts != asked.question.facts
    assert prepared.question.facts.scope == "hand"


def test_only_due_kinds_of_the_scope_come_back() -> None:
    tables = tables_of("uth-ma")
    session = DrillSession("payouts", "uth-ma", "due", scope="hand")
    asked = next_question(session, tables, NOW)
    session = record_answer(session, asked, grade(asked.question, {}), 1000, NOW)
    later = "2026-11-18T05:05:00Z"
    other = DrillSession("payouts", "uth-ma", "x", session.progress, scope="wager")
    assert not next_question(other, tables, later).repeats
    again = next_question(
        DrillSession("payouts", "uth-ma", "y", session.progress, scope="hand"), tables, later
    )
    assert (again.repeats, again.question.kind) == (True, asked.question.kind)


# --- marks ---


def test_a_right_answer_after_the_allowed_time_is_late() -> None:
    payment = [QuestionPart("blind", PAYMENT)]
    assert mark_of(payment, "blind, pay", 10_000, is_right=True).judgement == "right"
    assert mark_of(payment, "blind, pay", 10_001, is_right=True).judgement == "late"
    assert mark_of(payment, "blind, pay", 10_001, is_right=False).judgement == "wrong"
    assert mark_of([QuestionPart("a", CHOICE)] * 3, "k", 36_000, is_right=True).judgement == "right"
    acts = [QuestionPart("order", SEQUENCE, ("a", "b", "c", "d"))]
    assert mark_of(acts, "k", 20_001, is_right=True).judgement == "late"


def test_figures_follow_from_the_marks() -> None:
    marks = [
        Mark("right", "ante, pay", 1000),
        Mark("late", "ante, pay", 11_000),
        Mark("wrong", "trips, pay", 4000),
        Mark("right", "ante, pay", 2000),
    ]
    total = figures(marks)
    assert (total.answered, total.right, total.late, total.median) == (4, 3, 1, 3000)
    # Four answers in 18 seconds.
    assert total.per_minute == pytest.approx(13.333, abs=0.001)
    rows = [(row.group, row.right, row.answered, row.median) for row in total.groups]
    assert rows == [("ante, pay", 3, 3, 2000), ("trips, pay", 0, 1, 4000)]
    assert figures([]).per_minute == 0


# --- words ---


def test_a_miss_says_what_was_paid_what_is_right_and_the_sum() -> None:
    """SD-16-t: a flush pays 3 to 2 on the blind; $20.00 at 3 to 2 is $30.00."""
    question = make_question("payouts", tables_of("uth-sd"), "1/2", 1)
    (part,), (key,) = question.facts.parts, question.key
    (row,) = grade(question, {part.name: "22.50"}).parts
    sentence = "You paid $22.50. The right answer: pay $30.00 (flush, 3 to 2). $7.50 underpaid."
    assert miss_sentence(part, row) == sentence
    assert sum_words(key) == "$20.00 at 3 to 2: $30.00"
    assert miss_title(part, key, question.kind) == "blind of $20, flush"
    assert key.group == "blind, pay"
    assert given_words(part, "p") == "pushed"
