"""Decisions are read from a table's events as the player had them: cards, legal choices and the choice made."""

from __future__ import annotations

from collections import Counter

import pytest

from discovered import BOOKS
from houseway.cards import cards
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.legal import seat_options
from houseway.engine.state import State
from houseway.exact import shootout
from houseway.school.played_rounds import RoundFollower
from houseway.school.player_decisions import (
    BEFORE,
    FLOP,
    FOUR_CARDS,
    RIVER,
    decision_of,
    keep_names,
    split_names,
)
from school.rounds import SHOOTOUT, closings, random_table, rounds_of
from table_driver import Driver

MADE = (e.Checked, e.PlayMade, e.Folded, e.HandSet, e.HandSplit)
DECK = "Ah 2c Kd As 3c Kc 9d  Qd 9s 7h  8d  4c 2d"


@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_decision_is_read_with_the_choices_that_the_table_offered(rulebook: str) -> None:
    driver = random_table(rulebook, 25, seed=5)
    state, read, sets = State(), 0, 0
    for event in driver.events:
        found = decision_of(driver.table, state, event)
        assert (found is not None) == isinstance(event, MADE)
        if found is not None:
            seat, decision = found
            labels = {option.says for option in seat_options(driver.table, state, seat)}
            offered = {label.removeprefix("play ") for label in labels}
            if decision.street == FOUR_CARDS:
                sets += 1
                kept = {name for name in decision.choices if name.startswith("keep")}
                assert {frozenset(name.split()) for name in kept} == {
                    frozenset(label.split()) for label in labels if label.startswith("keep")
                }
            else:
                assert set(decision.choices) == offered & {"check", "fold", "1x", "2x", "3x", "4x"}
            assert decision.choice in decision.choices
            assert decision.hole == state.seats[seat].hands[0].cards
            read += 1
        state = evolve(state, event)
    assert read == sum(len(played.decisions) for played in rounds_of(driver)) >= 50
    assert bool(sets) == (rulebook == SHOOTOUT)


@pytest.mark.parametrize("rulebook", BOOKS)
def test_the_results_of_a_round_are_those_of_the_table(rulebook: str) -> None:
    driver = random_table(rulebook, 25, seed=6)
    played = rounds_of(driver)
    closed = {(event.number, seat): net for event in closings(driver) for seat, net in event.net.items()}
    assert {(each.number, each.seat) for each in played} == set(closed)
    for each in played:
        assert each.outcome is not None
        assert each.outcome.net == closed[each.number, each.seat]
        assert sum(line.net for line in each.outcome.wagers) == each.outcome.net
        assert each.stake == 1000
        assert each.player == f"player {each.seat}"
        assert len(each.outcome.board) == 5
        assert not each.outcome.void


def test_a_round_has_its_streets_in_order() -> None:
    driver = Driver("uth-ma", deck=DECK).bet(1, ante=10, blind=10).bet(2, ante=10, blind=10).deal()
    driver.play(1, 4).check(2).deal().check(2).deal().fold(2).finish()
    one, two = rounds_of(driver)
    assert [(d.street, d.choice, d.choices) for d in one.decisions] == [
        (BEFORE, "4x", ("check", "3x", "4x"))
    ]
    assert [(d.street, d.choice, d.choices) for d in two.decisions] == [
        (BEFORE, "check", ("check", "3x", "4x")),
        (FLOP, "check", ("check", "2x")),
        (RIVER, "fold", ("fold", "1x")),
    ]
    assert [d.board for d in two.decisions] == [(), cards("Qd 9s 7h"), cards("Qd 9s 7h 4c 2d")]


def test_a_player_who_cannot_afford_a_play_does_not_have_that_choice() -> None:
    driver = Driver("uth-ma", deck=DECK).open().sit(1, chips=55).bet(1, ante=10, blind=10).deal()
    driver.check(1).finish()
    assert rounds_of(driver)[0].decisions[0].choices == ("check", "3x")


def test_a_decision_by_the_deadline_says_so() -> None:
    driver = Driver("uth-ma", deck=DECK).bet(1, ante=10, blind=10).deal()
    driver.send(c.ActFor(by="deadline", seat=1))
    driver.finish()
    decisions = rounds_of(driver)[0].decisions
    assert decisions[0].by == "deadline"
    assert [decision.choice for decision in decisions] == ["check", "check", "fold"]


def test_a_running_round_has_the_decisions_so_far() -> None:
    driver = Driver("uth-ma", deck=DECK).bet(1, ante=10, blind=10).deal().check(1).deal()
    follower, state = RoundFollower(driver.table), State()
    for event in driver.events:
        follower.take(state, event)
        state = evolve(state, event)
    running = follower.running(state, 1)
    assert [decision.choice for decision in running.decisions] == ["check"]
    assert running.outcome is None
    assert running.stake == 1000
    assert follower.running(state, 3).decisions == ()


def test_without_an_ante_there_is_no_decision() -> None:
    driver = (
        Driver("uth-sd", deck=DECK, house={"trips_alone": "may fold"})
        .bet(1, trips=5)
        .bet(2, ante=10, blind=10)
    )
    driver.deal().finish()
    alone, other = rounds_of(driver)
    assert (alone.decisions, alone.stake) == ((), 0)
    assert len(other.decisions) == 3


def test_setting_four_cards_again_replaces_the_first_choice() -> None:
    driver = Driver(SHOOTOUT, deck="As 2c Ad 3c Kh 4c Kd 5c").bet(1, wager=10).deal()
    four = driver.state.seats[1].hands[0].cards
    names = list(keep_names(four).values())
    first, second = names[0].removeprefix("keep "), names[1].removeprefix("keep ")
    driver.keep(1, first).keep(1, second)
    driver.finish()
    (decision,) = rounds_of(driver)[0].decisions
    assert decision.choice == names[1]
    assert decision.hole == four


@pytest.mark.parametrize(
    "four", ["As Ad Kh Kd", "7c 7c 7c 7c", "7c 7d 7c 2h", "9h 8h 7d 2c", "Ah Ah Kd Kd"]
)
def test_four_cards_have_the_names_of_the_odds_command(four: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shootout, "_worths", lambda book, game, numbers, keeps, threads: [0] * len(keeps))
    monkeypatch.setattr(shootout, "may_split", lambda held, terms: True)
    driver = Driver(SHOOTOUT)
    names = {move.action for move in shootout.odds(driver.table.terms, cards(four))}
    assert names == {*keep_names(cards(four)).values(), *split_names(cards(four)).values()}
    assert Counter(names).most_common(1)[0][1] == 1
