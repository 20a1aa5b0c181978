"""The end of a void round that still settles trips, as it is shown beside a ruling (MA-14.a-b)."""

from __future__ import annotations

import pytest

from houseway.client.training_messages import TrainingRequest
from houseway.engine import events as e
from houseway.rules.loader import load
from houseway.server.training_plans import session_plan
from houseway.training import acts as a
from houseway.training.model_dealer import right_act
from houseway.training.session import TrainingSession
from houseway.training.void_rounds import VoidRoundEnd, void_round_end


class Dealer:
    """A trainee who deals as the document says."""

    def __init__(self, rulebook: str, mode: str, seed: str) -> None:
        order = TrainingRequest(rulebook=rulebook, mode=mode, seats=6, rounds=1, seed=seed)
        self.session = TrainingSession(session_plan(order), load(rulebook))
        self.time = 0
        self.settled: list[e.WagerSettled] = []
        self.board: tuple[object, ...] = ()

    def do(self, act: a.ChairAct) -> None:
        self.time += 1000
        for entry in self.session.act(act, self.time):
            self.settled += [x.event for x in entry.changes if isinstance(x.event, e.WagerSettled)]
        self.board = max(self.board, self.session.state.round.board, key=len)

    def due(self) -> a.ChairAct:
        act = right_act(self.session.table, self.session.chair)
        assert act is not None
        return act

    def expose_the_dealer(self) -> None:
        """Deal to the first question after the flop, and expose the dealer's cards."""
        while not (isinstance(self.due(), a.Ask) and self.session.state.round.up):
            self.do(self.due())
        self.do(a.TurnUp(place="dealer"))

    def void_the_round(self) -> None:
        """Expose the dealer's cards and report it."""
        self.expose_the_dealer()
        self.do(self.due())

    def end(self) -> VoidRoundEnd:
        session = self.session
        return void_round_end(session.table, session.chair, session.undealt, self.time)


@pytest.mark.parametrize("mode", ["manual", "device"])
@pytest.mark.parametrize("seed", ["7", "8"])
def test_the_end_that_is_shown_is_the_end_that_is_dealt(mode: str, seed: str) -> None:
    dealer = Dealer("uth-ma", mode, seed)
    dealer.void_the_round()
    shown = dealer.end()
    assert dealer.settled == []
    while not dealer.session.over:
        dealer.do(dealer.due())
    assert len(shown.board) == 5
    assert shown.board == dealer.board
    trips = [(one.seat, one.wager, one.back - one.stake) for one in dealer.settled]
    assert trips
    assert [(one.seat, one.wager, one.cents) for one in shown.wagers] == trips
    assert {one.wager for one in shown.wagers} == {"trips"}


def test_a_round_that_is_not_void_has_no_such_end() -> None:
    dealer = Dealer("uth-ma", "device", "7")
    assert dealer.end() == VoidRoundEnd()
    # In South Dakota, the card is turned back over and play continues (SD-5-b).
    other = Dealer("uth-sd", "device", "7")
    other.void_the_round()
    assert other.end() == VoidRoundEnd()
