"""A round can be voided at any point: the ruling is accepted, the money is conserved, and the table plays on."""

from __future__ import annotations

from random import Random

import pytest

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.close_acts import open_wagers
from houseway.engine.irregularity_rules import in_play
from houseway.engine.refusals import Refusal
from houseway.engine.state import total
from houseway.rules.loader import rulebook_ids
from random_play import Played, Rounds, modes_of
from samples import LONG

TABLES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]
EFFECTS = ("void round", "refund round")
POINTS = 300 if LONG else 30
"""Rounds that are voided at a random point, for each rulebook, deal mode and effect."""
LONGEST = 120
"""More acts than most rounds have, so that every part of a round is reached."""


def ruling(effect: str, by: str = "supervisor") -> c.MakeRuling:
    name = "the house" if by == "house" else "Ann Floor"
    return c.MakeRuling(by=by, name=name, reason="the table cannot continue", effect=effect)


def play_to_a_random_point(rounds: Rounds, rng: Random) -> None:
    """Play on until a round is open, and then for a random number of acts in it."""
    for _ in range(rng.randrange(LONGEST)):
        rounds.step()
        if rounds.round.events and isinstance(rounds.round.events[-1], e.RoundClosed):
            rounds.round = Played(rounds.state.round.number + 1, rounds.state, rounds.given)
    while not in_play(rounds.state):
        rounds.step()


def finish(rounds: Rounds) -> e.RoundClosed:
    """Play to the end of the round."""
    closed = rounds.one().events[-1]
    assert isinstance(closed, e.RoundClosed)
    rounds.round = Played(rounds.state.round.number + 1, rounds.state, rounds.given)
    return closed


@pytest.mark.parametrize("effect", EFFECTS)
@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_a_round_can_be_voided_at_any_point(book: str, mode: str, effect: str) -> None:
    rounds = Rounds(book, mode, f"void {effect}", irregular=0.05, by_hand=0.5)
    rng = Random(f"{book} {mode} {effect}")
    voided, steps = 0, set()
    for _ in range(POINTS):
        play_to_a_random_point(rounds, rng)
        before, due = rounds.state, rounds.state.done
        answer = rounds.send(ruling(effect, rng.choice(("supervisor", "house"))))
        if isinstance(answer, Refusal):
            # There is nothing left to void, or a supervisor's own correction must be undone first.
            assert before.round.void == "all" or answer.code == "not-enough-chips", answer
        else:
            voided += 1
            steps.add(due)
            assert total(rounds.state) == total(before)
            assert rounds.state.round.void == "all"
            if effect == "refund round":
                assert open_wagers(rounds.state) == []
        # The round closes, and another one can be played.
        finish(rounds)
        assert not open_wagers(rounds.state)
        finish(rounds)
        if rng.random() < 0.2:
            rounds.leave_table()
            rounds.new_table()
    assert voided > POINTS // 2
    assert len(steps) > min(5, POINTS // 3)


@pytest.mark.parametrize(("book", "mode"), TABLES)
def test_a_refunded_round_changes_no_players_chips(book: str, mode: str) -> None:
    rounds = Rounds(book, mode, "refund", irregular=0, by_hand=0.5)
    rng = Random(f"{book} {mode}")
    undone = 0
    for _ in range(POINTS):
        play_to_a_random_point(rounds, rng)
        undone += bool(rounds.state.round.settled)
        rounds.must(ruling("refund round"))
        closed = finish(rounds)
        assert set(closed.net.values()) <= {0}
        assert set(closed.changes.values()) <= {0}
    assert undone > 0


def test_the_house_itself_can_void_a_round_but_make_no_other_ruling() -> None:
    rounds = Rounds("uth-ma", "manual", "house", irregular=0)
    play_to_a_random_point(rounds, Random(1))
    for effect in ("continue", "void hand", "correct payment"):
        answer = rounds.send(ruling(effect, "house"))
        assert isinstance(answer, Refusal)
        assert answer.code == "not-the-floor"
    rounds.must(ruling("void round", "house"))
    (made,) = [event for event in rounds.round.events if isinstance(event, e.RulingMade)]
    assert (made.by, made.name, made.reason) == ("house", "the house", "the table cannot continue")
