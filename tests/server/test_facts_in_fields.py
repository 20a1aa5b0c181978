"""Facts that the page shows have fields of their own, so that it never reads them out of a sentence."""

from __future__ import annotations

import re

import pytest

from houseway.engine import events as e
from houseway.engine.round_history import RoundHistory, remember
from houseway.engine.script import QUOTED, prompt
from houseway.money import exactly
from houseway.rules.loader import load, rulebook_ids
from houseway.rules.rulebook import game_title_of, place_of
from houseway.server.drill_views import question_message
from houseway.training import acts as a
from houseway.training.act_list import act_options
from houseway.training.chair import ChairEntry
from houseway.training.chair_view import chair_event
from houseway.training.drills.all_drills import make_question
from houseway.training.drills.drill_session import DrillQuestion
from houseway.training.drills.grade import right_order
from houseway.training.mistakes.find_round import find_round
from table_driver import Driver
from training.test_drills import tables_of


def test_an_act_of_the_dealer_has_its_type_its_seat_and_the_announcement() -> None:
    table = tables_of("uth-ma")[0]
    state = Driver("uth-ma").state
    acts = (
        a.Ask(seat=4),
        a.CallFloor(),
        a.ReadHand(place="seat 3", reads="pair of kings", result="win"),
        a.ReadHand(place="dealer", reads="king high", qualifies=False),
    )
    shown = [chair_event(table, ChairEntry(n, 0, act), state) for n, act in enumerate(acts)]
    assert [(one.type, one.seat, one.spoken) for one in shown if one is not None] == [
        ("Ask", 4, ""),
        ("CallFloor", 0, ""),
        ("ReadHand", 0, "seat 3: pair of kings, player wins"),
        ("ReadHand", 0, "the dealer: king high, does not qualify"),
    ]


def test_a_payout_question_has_its_tables_meters_and_limit() -> None:
    seen = {"tables": 0, "meters": 0, "limit": 0}
    for n in range(60):
        tables = tables_of("uth-ma")
        question = make_question("payouts", tables, f"facts {n}", 1 + n % 3)
        table = next(one for one in tables if one.mode == question.facts.mode)
        shown = question_message(table, DrillQuestion(question, ""), 1)
        notes = " ".join(shown.notes)
        listed = [f"{one.wager.replace('_', ' ')} {one.table}" for one in shown.tables]
        assert (f"Pay tables: {', '.join(listed)}." in notes) == bool(listed)
        assert re.findall(r"meter \((\w+)\): (\S+)\.", notes) == [
            (one.name, exactly(one.cents)) for one in shown.meters
        ]
        assert {one.wager for one in shown.meters} <= {"progressive"}
        assert (f"at most {exactly(shown.limit)} for" in notes) == bool(shown.limit)
        seen = {name: count + bool(getattr(shown, name)) for name, count in seen.items()}
    assert seen["tables"]
    assert seen["meters"]


def test_an_order_is_graded_with_the_choices_in_their_right_order() -> None:
    question = make_question("order", tables_of("uth-ma"), "order 1", 1)
    (part,), (right,) = question.facts.parts, question.key
    assert "; ".join(right_order(part, right)) == right.reason


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_replay_names_the_pay_tables_of_all_side_bets(rulebook: str) -> None:
    tables = tables_of(rulebook)
    replay = find_round(tables, "tables", 1).replay
    table = next(one for one in tables if one.mode == replay.mode)
    named = {name for name in table.terms.tables if table.book.wagers[name].optional}
    assert {one.wager for one in replay.tables} == named
    assert replay.notes == tuple(f"{one.title} {one.table}" for one in replay.tables)


def test_a_play_has_its_multiple_until_another_player_takes_the_seat() -> None:
    played = remember(RoundHistory(), e.PlayMade(seat=3, stage="before the flop", times=4, amount=40_00))
    assert (played.times, played.acts) == ({3: 4}, {3: "played 4x"})
    assert remember(played, e.Checked(seat=5, stage="before the flop")).times == {3: 4}
    assert remember(played, e.PlayerSeated(seat=3, player="Ann", chips=1)).times == {}


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_the_spoken_words_of_a_line_are_those_in_quotation_marks(rulebook: str) -> None:
    dealt = Driver(rulebook)
    lines = prompt(dealt.table, dealt.state)
    steps = [words.says for step in load(rulebook).procedure.round for words in step.words]
    assert any(QUOTED.search(says) for says in steps)
    for line in lines:
        assert line.spoken == " ".join(re.findall("“([^”]+)”", line.says))


def test_a_rulebook_has_a_short_name_and_a_game() -> None:
    assert (load("uth-ma").place, load("uth-card").place) == ("Massachusetts", "Rules card")
    assert load("shootout-sd").game_title == "Texas Shootout"
    assert (place_of("Reno"), game_title_of("Reno")) == ("Reno", "Reno")


def test_only_acts_with_a_cover_card_put_one_on_the_felt() -> None:
    things = {one.name for table in tables_of("uth-card") for one in act_options(table) if one.thing}
    assert things == {"Take the cover card off"}
