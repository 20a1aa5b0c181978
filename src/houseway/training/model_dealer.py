"""The model dealer, who follows the document: the right act at any moment of a training table."""

from __future__ import annotations

from houseway.engine.table import Table
from houseway.engine.turn_order import turns
from houseway.training import acts as a
from houseway.training.chair import Chair
from houseway.training.free_order import must_not_wait
from houseway.training.working_chair import BACKUP, must_wait


def right_act(table: Table, chair: Chair) -> a.ChairAct | None:
    """Return the act that the document asks for now; None while the table waits for a player.

    An irregularity is reported, and a player is answered, before anything else. If the deal must be
    finished first, an irregularity is reported again after the deal. An act that could wait is done before
    the step until which it could wait.
    """
    found = next(
        (one for one in chair.open if not (one.noticed and must_wait(table, chair.state, one))), None
    )
    if found is not None:
        rows = (row for row in table.book.procedure.irregularities if row.kind == found.kind)
        device = BACKUP if any("backup" in row.rules for row in rows) else ""
        return a.ReportIrregularity(
            kind=found.kind, at=found.at, which=found.which, count=found.count, device=device
        )
    answers = (one.right for one in chair.conduct if one.right is not None)
    answer = next(answers, None)
    if answer is not None:
        return answer
    if chair.queue:
        now = chair.queue[0].step
        closes = now in table.steps and table.steps[now].act == "close"
        late = (one for one in chair.passed if not one.slip and not one.due.optional)
        waiting = next((one for one in late if closes or must_not_wait(table, one.due, now)), None)
        if waiting is not None:
            return waiting.due.left
        return chair.queue[0].act
    unasked = (number for number in turns(table, chair.state) if number not in chair.asked)
    seat = next(unasked, None)
    return None if seat is None else a.Ask(seat=seat)


def report_to_apply(table: Table, chair: Chair) -> a.ReportIrregularity | None:
    """Return a report that the trainee made during the deal and that can take effect now; None if there is
    none. The trainee need not report again."""
    for one in chair.open:
        if one.noticed and not must_wait(table, chair.state, one):
            given = (entry.input for entry in reversed(chair.entries))
            reports = (act for act in given if isinstance(act, a.ReportIrregularity))
            return next((act for act in reports if act.kind == one.kind and act.at in (one.at, "")), None)
    return None
