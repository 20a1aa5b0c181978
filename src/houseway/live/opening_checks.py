"""Checks that are made only when a new table is opened. They are not in the engine, because it must still
replay records that are older than these checks."""

from __future__ import annotations

from houseway.engine import commands as c
from houseway.engine.refusals import Refusal
from houseway.engine.table import Table


def check_opening(table: Table, opening: c.OpenTable) -> Refusal | None:
    """Return a refusal if a table leaves out a wager that is not a side bet, or if its decks look alike;
    None if it may open."""
    return _wrong_leave_out(table, opening.leave_out) or _backs_alike(table, opening.backs)


def side_bets(table: Table) -> tuple[str, ...]:
    """Return the wagers that a table may leave out: all but those that every player must make."""
    entry, twins = table.entry_wager, table.terms.twins
    needed = {entry, *(name for pair in twins if entry in pair for name in pair)}
    return tuple(name for name in table.terms.stakeable if name not in needed)


def _wrong_leave_out(table: Table, leave_out: tuple[str, ...]) -> Refusal | None:
    known = side_bets(table)
    wrong = next((name for name in leave_out if name not in known), None)
    if wrong is None:
        return None
    choice = f"it can leave out {', '.join(known)}" if known else "it has no side bets"
    needed = wrong in table.terms.stakeable
    why = f"players must bet {wrong}" if needed else f"{table.book.id} has no side bet {wrong!r}"
    sentence = f"{why}, so the table cannot leave it out; {choice}"
    clause = table.cite(table.book.entry) if needed else None
    return Refusal("not-a-side-bet", clause, "leave_out", sentence)


def _backs_alike(table: Table, backs: tuple[str, ...]) -> Refusal | None:
    """Return a refusal if two backs have the same colour, or one has no colour, and the rulebook forbids
    that."""
    colours = {back.strip().casefold() for back in backs} - {""}
    if len(backs) < 2 or len(colours) == len(backs) or table.book.option("backs") != "different":
        return None
    sentence = "the decks need backs of different colours; name a different colour for each deck"
    return Refusal("backs-alike", table.terms.clause("backs"), "backs", sentence)
