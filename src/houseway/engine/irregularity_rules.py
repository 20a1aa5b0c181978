"""The rulebook's row for an irregularity, and the times when no irregularity can be reported."""

from __future__ import annotations

from typing import Any, NoReturn

from houseway.engine.command_helpers import refuse
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.turn_order import all_acted, hands_dealt
from houseway.rules.procedure import Irregularity


def find_rule(table: Table, state: State, kind: str, **facts: Any) -> tuple[Irregularity, str | None]:
    """Return the rulebook's row for an irregularity, and its clause."""
    known = {"all_acted": all_acted(table, state), "hands_dealt": hands_dealt(table, state), **facts}
    row = table.wrong(kind, known)
    if row is None:
        others = ", ".join(sorted({row.kind for row in table.book.procedure.irregularities}))
        sentence = f"{table.book.id} has no rule for {kind!r} here; it has rules for {others}"
        refuse("no-rule", f"{sentence}. A supervisor can make a ruling")
    return row, table.cite(row.basis)


def in_play(state: State) -> bool:
    """True during a round, from its opening to its close."""
    return state.round.betting in ("open", "closed") and state.section == "round"


def refuse_report(state: State, kind: str) -> NoReturn:
    """Refuse a report because there is no round that it could concern."""
    why = "this round is void" if in_play(state) and state.round.void else "no cards are in play"
    refuse("no-round", f"you cannot report {kind!r} now; {why}", where="report")
