"""Verification checks the net of each seat in a round, including players who have left."""

from __future__ import annotations

from houseway.audit.round_sums import wrong_sum
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from table_driver import Driver, table


def wrong_sums(t: Driver) -> list[str]:
    """Return all wrong sums in a table's events."""
    state, wrong = State(), []
    for event in t.events:
        sentence = wrong_sum(t.table, state, event)
        wrong += [sentence] if sentence else []
        state = evolve(state, event)
    return wrong


def test_the_net_of_a_player_who_pays_back_a_payment_and_leaves_is_correct() -> None:
    t = table("uth-proc").bet(1, ante=10).bet(2, ante=10).deal().finish()
    t.send(c.Mispay(seat=1, wager="blind", amount=400))
    t.ready().send(c.Correct(by="supervisor", seat=1, wager="blind"))
    t.send(c.Leave(seat=1))
    t.bet(2, ante=10).deal().finish()
    assert t.last(e.RoundClosed).net[1] == -400
    assert wrong_sums(t) == []
