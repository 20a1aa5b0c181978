"""A review uses nothing that the player could not see: twin rounds with other hidden cards have the same review."""

from __future__ import annotations

from random import Random

import pytest

from discovered import BOOKS
from houseway.cards import DECK, Card, codes
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.school.game_values import game_values
from houseway.school.played_rounds import RoundFollower
from houseway.school.player_decisions import Decision
from houseway.school.round_review import ExplainedDecision, explain_decision, review_round
from samples import LONG
from school.rounds import SHOOTOUT, play_round, rounds_of
from school.test_decision_values import counted
from table_driver import Driver

__all__ = ["counted"]
TWINS = 300 if LONG else 8


def order(rulebook: str, rng: Random) -> list[Card]:
    """The order of a shoe. A round uses fewer than 52 cards, and the first 52 are all different."""
    cards = rng.sample(DECK, len(DECK))
    return cards + list(DECK) * 5 if rulebook == SHOOTOUT else cards


def dealt(rulebook: str, cards: list[Card], seed: int) -> Driver:
    driver = Driver(rulebook, deck=codes(cards)).open().sit(1, 2, chips=10_000)
    play_round(driver, Random(seed))
    return driver


def reviews_while_playing(driver: Driver) -> list[list[ExplainedDecision]]:
    """Seat 1's review after each event of the round, before its outcome is known."""
    game, follower, state = game_values(driver.table.terms), RoundFollower(driver.table), State()
    seen: list[list[ExplainedDecision]] = []
    last: tuple[Decision, ...] = ()
    for event in driver.events:
        closed = follower.take(state, event)
        state = evolve(state, event)
        if closed:
            break
        played = follower.running(state, 1)
        if played.decisions == last:
            continue
        last = played.decisions
        decisions = review_round(game, played).decisions
        seen.append([explain_decision(game, each, played.stake) for each in decisions])
    return seen


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("rulebook", BOOKS)
def test_twin_rounds_have_the_same_review_until_the_outcome(rulebook: str) -> None:
    rng, differ = Random(rulebook), 0
    for number in range(TWINS):
        cards = order(rulebook, rng)
        one = dealt(rulebook, cards, number)
        mine = rounds_of(one)[0]
        assert mine.outcome is not None
        # Seat 1 saw its own cards and, if it reached the river, the board. Every other card changes place.
        shown = max((decision.board for decision in mine.decisions), key=len, default=())
        visible = [*mine.decisions[0].hole, *shown]
        places, left = [], list(visible)
        for place, card in enumerate(cards):
            if card in left:
                left.remove(card)
            else:
                places.append(place)
        hidden = [cards[place] for place in places]
        rng.shuffle(hidden)
        for place, card in zip(places, hidden, strict=True):
            cards[place] = card
        try:
            other = dealt(rulebook, cards, number)
        except IndexError:
            continue
        twin = rounds_of(other)[0]
        assert twin.outcome is not None
        if [d.choice for d in twin.decisions] != [d.choice for d in mine.decisions]:
            # The second seat's choices depend on its cards, so the random choices went another way.
            continue
        assert twin.decisions == mine.decisions
        assert reviews_while_playing(other) == reviews_while_playing(one)
        differ += twin.outcome.dealer != mine.outcome.dealer
    assert differ > TWINS // 4


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("rulebook", ["uth-ma", SHOOTOUT])
def test_the_review_of_decisions_is_the_same_before_and_after_the_outcome(rulebook: str) -> None:
    driver = dealt(rulebook, order(rulebook, Random(3)), 3)
    game, played = game_values(driver.table.terms), rounds_of(driver)[0]
    finished = review_round(game, played)
    explained = [explain_decision(game, each, played.stake) for each in finished.decisions]
    assert reviews_while_playing(driver)[-1] == explained
