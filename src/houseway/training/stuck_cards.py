"""A card that sticks to one of the dealer's cards, and is seen only when the dealer's hand is turned up.

The dealer's hand then shows a card too many. What the trainee does next is judged.
"""

from __future__ import annotations

from collections.abc import Sequence

from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training.due_acts import DueAct, ahead, is_wrong_count
from houseway.training.free_order import may_wait
from houseway.training.happenings import DEALER, hides_stuck_card
from houseway.training.working_chair import WRONG_NUMBER, WorkingChair


def turn_up_stuck_card(at: WorkingChair, act: a.ChairAct) -> bool:
    """Turn up the dealer's cards with a card too many among them; return False if none is hidden there.

    A count of the stub that may wait need not be made before.
    """
    step = at.table.find("reveal")
    shows = isinstance(act, a.TurnUp) and act.place == DEALER and hides_stuck_card(at)
    if not shows or step is None:
        return False
    passed = _before_the_report(ahead(at.table, at.state, at.queue, at.missing, counts_wait=True))
    if passed is None or any(
        is_wrong_count(one) and not may_wait(at.table, one, step.name) for one in passed
    ):
        return False
    clause = at.table.clause(step)
    at.queue = []
    at.pass_over(passed, DueAct(act, (), step.name, clause, clause))
    at.apply([e.DealerRevealed(face=at.state.round.dealer, clause=clause)])
    return at.open_irregularity(WRONG_NUMBER, DEALER)


def counts_after_all(at: WorkingChair, act: a.ChairAct) -> bool:
    """True if an act counts the stub, and that count has waited. It may show why a hand is wrong."""
    return isinstance(act, a.CountStub) and any(one.due.is_done_by(act) for one in at.passed)


def _before_the_report(commands: Sequence[Sequence[DueAct]]) -> list[DueAct] | None:
    """Return the acts before the report of the dealer's wrong number of cards; None if it does not come."""
    passed: list[DueAct] = []
    for item in (one for group in commands for one in group):
        if isinstance(item.act, a.ReportIrregularity):
            return passed if (item.act.kind, item.act.at) == (WRONG_NUMBER, DEALER) else None
        passed.append(item)
    return None
