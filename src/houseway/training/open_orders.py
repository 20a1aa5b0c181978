"""Sentences about steps whose sequence the document does not prescribe. They come from the data of the
procedure."""

from __future__ import annotations

from collections.abc import Iterator

from houseway.engine.table import Table
from houseway.rules.procedure import Step
from houseway.training.act_list import step_words
from houseway.training.due_acts import fixing_clause
from houseway.training.free_order import ONCE_SETTLED
from houseway.training.table_wagers import offered_wagers
from houseway.wording import capital, shown_name


def open_orders(table: Table) -> Iterator[tuple[str, str | None]]:
    """Yield a sentence for each step of a table whose sequence is free, with the clause of the step."""
    for step in table.steps.values():
        for words in _of_step(table, step):
            yield words, table.clause(step)
    if "progressive" in offered_wagers(table) and "progressive" in table.terms.on_five:
        hands = "with the flop, or with all five community cards."
        yield f"Announce a folded hand that is kept only for its progressive bet: {hands}", None


def _of_step(table: Table, step: Step) -> Iterator[str]:
    name = capital(shown_name(step_words(table, step.name)))
    before = [one for one in table.steps if one in step.free_until]
    after = [one for one in table.steps if one in step.free_from]
    moments = [f"after you {shown_name(one)}" for one in after[-1:]]
    moments += [f"before you {shown_name(one)}" for one in before[:1]]
    if moments:
        times = "once, " if step.act == "confirm" else ""
        yield f"{name}: {times}at any time {' and '.join(moments)}."
    if step.any_order and _is_offered(table, step):
        yield f"{name}: in any order."
    racked, look = step.rules.get("racked"), step.rules.get("may_look")
    if racked is not None and racked.value == ONCE_SETTLED:
        later = f"after you {shown_name(step_words(table, step.name))}"
        yield f"Rack a hand: as soon as its own wagers are settled, or {later}."
    if look is not None and look.value in offered_wagers(table):
        yield f"Look at a folded hand with a {look.value} bet: at any time once all players have decided."
    if step.act == "settle":
        yield from _wagers(table, step, name)


def _is_offered(table: Table, step: Step) -> bool:
    """True unless a step settles only wagers that the table does not have."""
    settlement_pass = table.passes.get(step.pass_name)
    offered = offered_wagers(table)
    return settlement_pass is None or any(one in offered for one in settlement_pass.wagers)


def _wagers(table: Table, step: Step, name: str) -> Iterator[str]:
    """Yield the wagers of one hand that a step settles in any order."""
    settlement_pass = table.passes.get(step.pass_name)
    offered = offered_wagers(table)
    wagers = [one for one in (settlement_pass.wagers if settlement_pass else ()) if one in offered]
    free = [one.replace("_", " ") for one in wagers if fixing_clause(table, step, one) is None]
    if len(free) > 1:
        yield f"{name}: the wagers of one hand in any order ({', '.join(free)})."
