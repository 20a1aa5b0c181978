"""The rows of a rulebook's table of irregularities: which of them can happen at a table, and which
irregularities can happen now."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Final

from houseway.engine.deal_acts import method
from houseway.engine.irregularities import cards_to_come
from houseway.engine.table import Table
from houseway.rules.procedure import Irregularity
from houseway.training.chair import WRONG_COUNT, Chair, Happening
from houseway.training.due_acts import any_cards
from houseway.training.happenings import (
    cards_taken,
    has_stuck_card,
    possible_happenings,
    ruling_row,
    short_deck,
    stuck_card,
)
from houseway.training.perform import happen

MACHINE_FAILURE: Final = "machine failure"
HANDS_LAST: Final = "the hands are dealt last, so no card can be found face up after them"
BOARD_SEEN: Final = "a wrong number of community cards is seen before the stub is counted"


def all_happenings(
    table: Table, chair: Chair, kinds: Container[str] | None = None
) -> tuple[Happening, ...]:
    """Return the irregularities that could happen now, including those that only a count of the stub shows.

    With `kinds`, return only those of the given kinds.
    Until that count, nothing else goes wrong: a round that is void before the count would hide the rest.
    """
    if chair.missing or (has_stuck_card(chair) and not chair.state.round.counted):
        return ()
    counts = kinds is None or WRONG_COUNT in kinds
    counted = (short_deck(table, chair), stuck_card(table, chair)) if counts else ()
    possible = (one for one in possible_happenings(table, chair, kinds) if _matters(table, chair, one))
    return (*possible, *(one for one in counted if one is not None))


def _matters(table: Table, chair: Chair, happening: Happening) -> bool:
    """True unless the dealing machine would fail once all cards of the round are out."""
    return happening.kind != MACHINE_FAILURE or cards_to_come(table, chair.state)


def row_number(table: Table, row: Irregularity | None) -> int:
    """Return the place of a row in the rulebook's table, from 0; -1 if there is no row."""
    rows = table.book.procedure.irregularities
    return next((number for number, one in enumerate(rows) if one is row), -1)


def impossible_rows(tables: Sequence[Table]) -> dict[int, str]:
    """Return the rows that can happen at none of some tables, by their places from 0, with the reasons."""
    hands_last = all(map(_deals_hands_last, tables))
    return {
        number: BOARD_SEEN if _counts_board(tables[0], row) else HANDS_LAST
        for number, row in enumerate(_rows(tables[0]))
        if _counts_board(tables[0], row) or (row.when.get("hands_dealt") and hands_last)
    }


def _counts_board(table: Table, row: Irregularity) -> bool:
    """True if a row is for a wrong count of the stub that comes from a wrong number of community cards."""
    misdealt = table.wrong(WRONG_COUNT, {"all_there": True, "misdealt": True})
    board = table.wrong(WRONG_COUNT, {"all_there": True, "misdealt": False})
    return row is board and board is not misdealt


def _deals_hands_last(table: Table) -> bool:
    """True if no card leaves the deck after the hands are dealt."""
    dealt = [step for step in table.sections["round"] if step.act in ("deal", "burn")]
    return bool(dealt) and dealt[-1].act == "deal" and "board" not in dealt[-1].to


def can_happen(table: Table, row: Irregularity) -> bool:
    """True if a row can happen at a table, as far as its deal mode and its deal decide that."""
    if row.kind == WRONG_COUNT:
        return table.find("count stub") in table.sections["round"] and not _counts_board(table, row)
    if row.kind == "device count":
        return table.terms.house("device_counts") is not False
    if row.kind == "shuffler jam":
        return method(table) != "hand"
    if row.kind == MACHINE_FAILURE:
        return table.mode == "device"
    if row.when.get("of") == "board" and row.when.get("cured"):
        # A board that is dealt in groups gets its missing card with the next group.
        return sum(step.act == "deal" and "board" in step.to for step in table.sections["round"]) == 1
    return not (row.when.get("hands_dealt") and _deals_hands_last(table))


def row_after(table: Table, chair: Chair, happening: Happening) -> int:
    """Return the place of the row that would decide an irregularity; -1 if it cannot happen now."""
    cards = any_cards(table, chair.state, cards_taken(table, chair, happening))
    after = happen(table, chair, happening, 0, cards)
    return -1 if after is None else row_number(table, ruling_row(table, after, happening))


def _rows(table: Table) -> tuple[Irregularity, ...]:
    return table.book.procedure.irregularities
