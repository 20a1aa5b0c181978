"""Impossible acts do not happen, and the answer says what is not there. A right act is always possible."""

from __future__ import annotations

import pytest

from houseway.rules.loader import rulebook_ids
from houseway.training import acts as a
from houseway.training.chips import CENT
from houseway.training.impossible_acts import impossible
from houseway.training.model_dealer import right_act
from random_play.chance import modes_of
from training.sessions import Session
from training.test_happenings import plain_terms
from training.test_train_command import Typist, session

PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]


@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_a_right_act_is_always_possible(rulebook: str, mode: str) -> None:
    refused: list[tuple[a.ChairAct, str]] = []

    def watch(at: Session) -> None:
        right = right_act(at.table, at.chair)
        reason = impossible(at.table, at.chair, right) if right is not None else ""
        if reason and right is not None:
            refused.append((right, reason))

    for seed in range(12):
        at = Session(rulebook, mode, seed, seats=1 + seed % 6)
        for _ in range(2):
            at.play_round(watch)
    assert refused == []


def asking() -> Session:
    """Return a table with two players, at which the first is to be asked; seat 1 bets no trips."""
    at = Session("uth-ma", "manual", 5, given=plain_terms("uth-ma", "manual"), seats=2)
    at.bets = {n: {"ante": 500, "blind": 500} for n in (1, 2)}
    return at.play_to(lambda s: isinstance(right_act(s.table, s.chair), a.Ask))


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (
            a.DealCards(place="seat 1", count=99),
            "You cannot deal 99 cards: the deck does not have that many.",
        ),
        (a.Burn(count=60), "You cannot burn 60 cards: the deck does not have that many."),
        (a.TurnUp(place="seat 3"), "No player sits in seat 3."),
        (a.TurnUp(place="board", count=3), "No community cards are face down."),
        (a.ReadHand(place="seat 4", reads="pair"), "No player sits in seat 4."),
        (a.Ask(seat=5), "No player sits in seat 5."),
        (a.TakeFold(seat=1), "Seat 1 has not folded."),
        (a.Take(seat=1, wager="trips"), "Seat 1 has no trips bet."),
        (a.Push(seat=1, wager="ante", tip=True), "Seat 1 has no tip on the ante."),
        (a.Rack(what="board"), "There are no cards on the board to rack."),
        (a.Rack(what="seat 1 discards"), "There are no discards at seat 1 to rack."),
        (a.Rack(what="seat 6"), "No player sits in seat 6."),
        (
            a.Pay(seat=1, wager="ante", chips={CENT: 500}),
            "No chips make $5.00: the smallest chip is $0.50.",
        ),
        (a.Pay(seat=1, wager="ante", chips={700: 1}), "The tray has no $7 chips."),
        (a.ColourUp(seat=1, taken={CENT: 100}, given={100: 1}), "The tray has no $0.01 chips."),
        (a.Warn(seat=6), "No player sits in seat 6."),
    ],
    ids=str,
)
def test_an_impossible_act_gets_a_sentence(act: a.ChairAct, says: str) -> None:
    at = asking()
    assert impossible(at.table, at.chair, act).startswith(says)


def test_wrong_acts_are_possible() -> None:
    at = asking()
    for act in (
        a.TurnUp(place="seat 2"),
        a.TurnUp(place="dealer"),
        a.DealCards(place="board", count=3),
        a.Burn(),
        a.Take(seat=1, wager="ante"),
        a.Pay(seat=1, wager="trips", chips={500: 1}),
        a.Rack(what="dealer"),
        a.ReadHand(place="seat 1", reads="pair"),
    ):
        assert impossible(at.table, at.chair, act) == ""


@pytest.mark.parametrize("line", ["deal 1 x99", "turn 3", "take fold 1", "rack 2", "ask 1", "read 1 pair"])
def test_an_impossible_act_does_not_happen_in_the_terminal(line: str) -> None:
    at = Typist(session(seats=2))
    printed = at.type(line, "quit")
    assert "You:" not in printed
    assert at.session.inputs == []
