"""Faults that a casino dealer noticed at the training table, each with the acts that showed it."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from houseway.cli.app import main
from houseway.client.find_messages import MistakeAnswer, MistakeJudgement
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.play.chair_commands import CommandError, act_lines, read_acts
from houseway.play.chair_felt import felt
from houseway.rules.loader import load
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.conduct import LATE_BET
from houseway.training.drills.all_drills import make_question
from houseway.training.drills.drill_words import grade_lines
from houseway.training.drills.grade import grade
from houseway.training.drills.question import Question
from houseway.training.exams.exam import shipped_exam
from houseway.training.exams.measures import measure
from houseway.training.judge import judge
from houseway.training.mistakes.find_round import find_round
from houseway.training.mistakes.find_words import judgement_lines
from houseway.training.mistakes.report_text import ReportError, read_report
from houseway.training.model_dealer import right_act
from houseway.training.perform import behave
from houseway.training.score import score
from houseway.training.words import act_words, verdict_words
from houseway.wording import several
from training.sessions import Session
from training.test_drills import tables_of
from training.test_happenings import plain_terms
from training.test_train_command import Typist, session

DEVICE = [("uth-proc", "PROC-D.2-a"), ("uth-ma", "MA-8.c-a")]


def at_the_deal(rulebook: str) -> Session:
    """Return a table with a dealing device at which the community cards are due."""
    at = Session(rulebook, "device", 1)
    board = a.DealCards(place="board", count=5)
    return at.play_to(lambda at: bool(at.chair.queue) and at.chair.queue[0].act == board)


@pytest.mark.parametrize(("rulebook", "clause"), DEVICE)
def test_hands_dealt_before_the_board_stay_on_the_table(rulebook: str, clause: str) -> None:
    at = at_the_deal(rulebook)
    seats = sorted(at.state.round.players)
    for place in (*(f"seat {n}" for n in seats), "dealer", "board"):
        racked = len(at.state.rack)
        entry = at.act(a.DealCards(place=place, count=5 if place == "board" else 2))
        dealt = [x.event for x in entry.changes if isinstance(x.event, e.CardsDealt)]
        assert [(one.to, one.sealed) for one in dealt] == [(place, entry.cards)]
        assert len(at.state.rack) == racked
    assert [len(at.state.seats[n].hands[0].cards) for n in seats] == [2] * len(seats)
    assert (len(at.state.round.dealer), len(at.state.round.board)) == (2, 5)
    at.play_round()
    judgement = judge(at.table, at.chair)
    assert judgement.settled_twice
    assert not judgement.differences
    # One act was out of order: the first hand, before the board.
    assert [(one.kind, one.clause) for one in judgement.slips] == [(ch.OUT_OF_ORDER, clause)]


@pytest.mark.parametrize(("rulebook", "clause"), DEVICE)
def test_a_board_that_is_never_dealt_is_reported(rulebook: str, clause: str) -> None:
    """The players decide without the board. When it must be turned up, the dealer reports its number."""
    at = at_the_deal(rulebook)
    for place in (*(f"seat {n}" for n in sorted(at.state.round.players)), "dealer"):
        at.act(a.DealCards(place=place, count=2))
    at.play_round()
    reports = [x.input for x in at.log if isinstance(x.input, a.ReportIrregularity)]
    assert [(one.kind, one.at) for one in reports] == [("wrong number", "board")]
    slips = judge(at.table, at.chair).slips
    assert [(one.kind, one.clause) for one in slips] == [(ch.OUT_OF_ORDER, clause)]


@pytest.mark.parametrize(("count", "kinds"), [(39, []), (17, [ch.MISCOUNT])])
def test_a_count_that_no_clause_asks_for_must_be_right(count: int, kinds: list[str]) -> None:
    """With 13 cards dealt to three players, the dealer and the board, 39 of 52 are left."""
    at = Session("uth-proc", "device", 1, given={})
    at.bets = {key: {"ante": 1000, "blind": 1000} for key in (1, 2, 3)}
    at.play_to(lambda at: len(at.state.round.dealer) == 2)
    slips = at.act(a.CountStub(count=count)).slips
    assert [one.kind for one in slips] == kinds
    assert [one.due for one in slips] == [a.CountStub(count=39)] * len(kinds)


# --- the rulings drill ---


def rulings(rulebook: str, count: int = 60) -> list[Question]:
    """Return questions of the rulings drill, from all levels."""
    tables = tables_of(rulebook)
    return [make_question("rulings", tables, f"dealer/{n}", 1 + n % 3) for n in range(count)]


CARD = "What happens to the card in question, or to the deck?"


def test_a_machine_failure_has_the_cards_reshuffled() -> None:
    """MA-14.f: all cards, dealt ones included, are taken out and reshuffled."""
    failures = [one for one in rulings("uth-ma", 150) if one.kind.startswith("machine failure")]
    assert failures
    for question in failures:
        card = next(one for one in question.key if one.part == CARD)
        assert (card.answer, card.clause, card.judged) == ("reshuffle", "MA-14.f", True)
        felt = question.facts.felt
        assert felt is not None
        # A device cannot fail once the dealer's hand is face up, and every player has wagers.
        assert not felt.dealer
        assert all(hand.wagers for hand in felt.hands)


def test_answers_that_are_not_judged_do_not_count() -> None:
    """With every part answered wrongly, none of the judged parts is right."""
    checked = 0
    for question in rulings("uth-ma", 30):
        judged = {one.part: one.answer for one in question.key if one.judged}
        if len(judged) == len(question.key):
            continue
        wrong = {
            part.name: next(choice for choice in part.choices if choice != judged.get(part.name))
            for part in question.facts.parts
        }
        assert grade_lines(grade(question, wrong))[-1] == f"0 of {len(judged)} right."
        checked += 1
    assert checked > 5


def test_hands_without_cards_have_still_to_act() -> None:
    waiting = 0
    for question in rulings("uth-ma"):
        felt = question.facts.felt
        assert felt is not None
        if felt.hands and not any(hand.cards or hand.down or hand.folded for hand in felt.hands):
            assert (
                f"{several(len(felt.hands), 'hand still has', 'hands still have')} to act."
                in question.facts.notes
            )
            waiting += 1
    assert waiting > 3


def test_a_misread_stack_is_not_a_payment() -> None:
    tables = tables_of("uth-sd")
    listed = [make_question("chips", tables, f"dealer/{n}", 1) for n in range(20)]
    stacks = [one for one in listed if one.facts.stack]
    assert stacks
    for question in stacks:
        worth = sum(value * count for value, count in question.facts.stack.items())
        graded = grade(question, {"amount": "1.00"})
        assert (graded.is_right, graded.amount) == (False, 0)
        assert grade_lines(graded) == [f"Wrong. The right answer: ${worth // 100:,}.{worth % 100:02}."]


def test_borrowed_clauses_are_marked_in_drills() -> None:
    """The card document does not cover most irregularities; its clauses start with TS."""
    borrowed = load("uth-card").borrowed()
    seen = set()
    for question in rulings("uth-card", 20):
        wrong = {
            part.name: next(choice for choice in part.choices if choice != key.answer)
            for part, key in zip(question.facts.parts, question.key, strict=True)
        }
        for line in grade_lines(grade(question, wrong), borrowed):
            for cited in re.findall(r"\b(?:MA|SD|TS|PROC)-[\w.-]*\w(?:, borrowed)?\.$", line):
                own = cited.startswith("TS-")
                assert cited.endswith(", borrowed.") is not own, line
                seen.add(own)
    assert False in seen


def test_borrowed_clauses_are_marked_in_find() -> None:
    answer = MistakeAnswer(name="a mistake", step=3, clause="MA-14.c", sentence="Use the card.")
    judged = MistakeJudgement(outcome="missed", parts=(), says="Missed.", answer=answer)
    assert "MA-14.c, borrowed: Use the card." in judgement_lines(judged, {"MA-14.c"})
    assert "MA-14.c: Use the card." in judgement_lines(judged)


# --- typed acts ---


def stop_at(at: Typist, reached: Any, *lines: str) -> str:
    """Deal by the document until something is reached, type these lines, and return the answers."""
    printed: list[int] = []

    def change(act: a.ChairAct | None) -> list[str] | None:
        if not reached(act):
            return None
        printed.append(len(at.out.getvalue()))
        return [*lines, "quit"]

    text = at.deal(change)
    assert printed
    return text[printed[0] :]


def asks(act: a.ChairAct | None) -> bool:
    return isinstance(act, a.Ask)


def test_an_amount_that_no_chips_make_is_refused() -> None:
    at = Typist(session("uth-proc", "device"))
    printed = stop_at(at, asks, "pay 1 ante $7.25", "colour 1 $7.25 for $7.25", "pay 1 ante $7.50")
    assert "No chips make $7.25: the smallest chip is $0.50." in printed
    assert "No chips make this amount" in printed
    money = [one.input for one in at.session.inputs if isinstance(one.input, a.Pay | a.ColourUp)]
    assert money == [a.Pay(seat=1, wager="ante", chips={500: 1, 100: 2, 50: 1})]


def test_a_report_says_which_of_several_places_it_means() -> None:
    at = Typist(session("uth-proc", "device"))
    printed = stop_at(at, asks, "report exposed card", "report exposed card seat 1")
    assert "Say where it is: seat 1, seat 2, seat 3, dealer or board." in printed
    assert printed.count("You reported: ") == 1


def test_a_late_bet_is_shown_until_it_is_answered() -> None:
    """Seat 3 adds $5 on trips after no more bets. The chips are there for the dealer to see."""
    at = Session("uth-ma", "manual", 1, given={**plain_terms("uth-ma", "manual"), "house": {}})
    at.bets = {key: {"ante": 1000} for key in (1, 2, 3)}
    at.play_to(lambda at: at.state.round.betting == "closed")
    wagers = {**at.state.seats[3].hands[0].wagers, "trips": 500}
    late = ch.Conduct(kind=LATE_BET, seat=3, tries=c.Bet(by="seat 3", seat=3, wagers=wagers))
    chair = behave(at.table, at.chair, late, at.time)
    assert chair is not None
    shown: Any = SimpleNamespace(table=at.table, chair=chair, stub=52)
    lines = [line for line in felt(shown) if "trips" in line]
    assert len(lines) == 1
    assert lines[0].startswith("Seat 3, player 3: ante $10, blind $10; ")
    assert lines[0].endswith(" Waiting for your answer: trips $5.")
    at.chair = chair
    at.act(a.Refuse(seat=3, what="bet"))
    shown = SimpleNamespace(table=at.table, chair=at.chair, stub=52)
    assert not any("trips" in line for line in felt(shown))


def test_acts_and_reports_need_the_equipment_of_the_table() -> None:
    """Ultimate Texas Hold'em has no four cards of the dealer, and a manual deal has no machine."""
    manual, device = (_plain_table("uth-ma", mode) for mode in ("manual", "device"))
    listed = "\n".join(act_lines(manual))
    for line in ("set As Kd", "reset dealer"):
        assert f"{line} " not in listed
        with pytest.raises(CommandError, match=f'There is no act "{line}"'):
            read_acts(manual, line)
    assert "machine failure" not in listed
    assert "shuffler jam" not in listed
    with pytest.raises(CommandError, match='no irregularity "machine failure"'):
        read_acts(manual, "report machine failure")
    assert "machine failure" in "\n".join(act_lines(device))
    assert read_acts(device, "report machine failure") == (a.ReportIrregularity(kind="machine failure"),)


def _plain_table(rulebook: str, mode: str) -> Table:
    terms, refused = read_terms(load(rulebook), {**plain_terms(rulebook, mode), "house": {}})
    assert not refused
    return Table(terms)


def test_suggestions_fit_the_typed_words() -> None:
    with pytest.raises(CommandError, match="did you mean 'shuffler jam'"):
        read_acts(_plain_table("uth-ma", "device"), "report jam")
    manual = _plain_table("uth-ma", "manual")
    with pytest.raises(CommandError, match=r'"cycle the shuffler"\. Type "acts"'):
        read_acts(manual, "cycle the shuffler")
    with pytest.raises(CommandError, match="Did you mean 'deal'"):
        read_acts(manual, "dael 1-3")
    with pytest.raises(CommandError, match="Did you mean 'close betting'"):
        read_acts(manual, "clos betting")


def test_an_unknown_clause_has_no_heading() -> None:
    at = Typist(session())
    printed = at.type("clause MA-14.c", "clause XX", "clause").splitlines()
    assert "XX" not in printed
    assert sum(line.startswith("No clause matches 'XX'") for line in printed) == 1
    # The last clause that was shown is shown again.
    assert printed.count("MA-14.c") == 2


def test_cards_to_be_racked_are_named_as_due() -> None:
    """Everything is settled and a player's cards are to be racked; the dealer deals another card."""
    at = Session("uth-proc", "device", 1, given={})
    at.bets = {1: {"ante": 1000}, 2: {"ante": 1000}}
    at.play_to(lambda at: isinstance(right_act(at.table, at.chair), a.Rack))
    rack = right_act(at.table, at.chair)
    assert isinstance(rack, a.Rack)
    at.act(a.Burn())
    at.play_round()
    slip = next(one for one in judge(at.table, at.chair).slips if one.kind == ch.NOT_DUE)
    assert verdict_words(slip).endswith(f"Due: {act_words(rack, due=True)}.")
    assert "rack" in verdict_words(slip)


# --- words and measures ---


def test_a_step_is_not_repeated_as_its_own_reason() -> None:
    tables = tables_of("uth-proc")
    listed = [make_question("next", tables, f"dealer/{n}", 1) for n in range(20)]
    assert all(one.key[0].reason != one.key[0].answer for one in listed)
    assert any(one.key[0].reason for one in listed)


def test_an_unknown_exam_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["exam", "uth-ma", "--exam", "foo"]) == 2
    assert capsys.readouterr().err.startswith("houseway: exam: there is no exam 'foo'")


def test_measures_without_anything_to_count_say_so() -> None:
    measures = {one.name: one for one in measure(shipped_exam("practice"), score([]), (), 3)}
    nothing = {
        "payment_accuracy": "no bets settled", "hand_reading": "no hands read",
        "irregularities": "none happened", "conduct": "none needed it",
    }  # fmt: skip
    for name, shown in nothing.items():
        assert (measures[name].shown, measures[name].detail) == (shown, "")
    assert measures["payment_accuracy"].label == "Bets settled right"


def test_a_capped_bet_needs_no_direction() -> None:
    watched = find_round(tables_of("uth-proc"), "dealer/1", 1).replay
    seat = watched.players[0].seat
    for text, cents in (("capped", 500), ("pinched", -500), ("capped less", -500)):
        word, _, sign = text.partition(" ")
        assert read_report(f"{word} {seat} play 5 {sign}", watched).amount == cents
    with pytest.raises(ReportError, match="direction"):
        read_report(f"bet changed {seat} play 5", watched)


def test_a_capped_bet_of_level_1_is_doubled() -> None:
    """Level 1 has gross mistakes only: $5 more on a play wager of $80 is not one."""
    for seed in range(4):
        shown = find_round(tables_of("uth-proc"), f"dealer/{seed}", 1, "play raised before it is paid")
        (amount,), (seat,) = shown.answer.amounts, shown.answer.seats
        hands = [hand for step in shown.replay.steps for hand in step.hands if hand.seat == seat]
        assert {hand.wagers["play"] for hand in hands if "play" in hand.wagers} == {amount, 2 * amount}
