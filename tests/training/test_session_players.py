"""The players of a training session."""

from __future__ import annotations

from houseway.client.training_messages import TrainingRequest
from houseway.engine import commands as c
from houseway.rules.loader import load
from houseway.server.training_plans import session_plan
from houseway.training.model_dealer import right_act
from houseway.training.session import TrainingSession


def test_a_player_with_two_pairs_plays_them_as_two_hands() -> None:
    order = TrainingRequest(rulebook="shootout-sd", mode="manual", seats=2, rounds=1, seed="33")
    session = TrainingSession(session_plan(order), load("shootout-sd"))
    names = []
    while not session.over:
        act = right_act(session.table, session.chair)
        assert act is not None
        names.append(getattr(act, "what", ""))
        session.act(act, len(names) * 1000)
    [split] = [one.input for one in session.inputs if isinstance(one.input, c.Split)]
    assert len({card.rank for card in split.first}) == len({card.rank for card in split.second}) == 1
    # The second hand has its own bonus, so the dealer puts out lammers twice (TS-6-b).
    assert split.bonus >= 500
    assert names.count("lammers") == 2
