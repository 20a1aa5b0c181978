"""Work through the rows of a rulebook's table of irregularities: which irregularities have happened, and
which can happen now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from houseway.engine.table import Table
from houseway.rules.procedure import Irregularity
from houseway.training.chair import Chair, Happening
from houseway.training.due_acts import any_cards
from houseway.training.happenings import (
    WRONG_COUNT,
    cards_taken,
    count_comes,
    has_stuck_card,
    possible_happenings,
    ruling_row,
    short_deck,
    stuck_card,
)
from houseway.training.perform import happen

PATIENCE: Final = 2
"""After this many rounds without a new row, an irregularity may happen twice in a round. A round later,
rows that have happened may happen again."""
TWICE: Final = "several"
"""The condition of a row that needs the same irregularity twice in a round."""
HANDS_LAST: Final = "the hands are dealt last, so no card can be found face up after them"


def all_happenings(table: Table, chair: Chair) -> tuple[Happening, ...]:
    """Return what could go wrong now, what only a count of the stub shows included.

    Until that count, nothing else goes wrong: a round that is void before the count would hide the rest.
    """
    if chair.missing or (has_stuck_card(chair) and not chair.state.round.counted):
        return ()
    counted = (short_deck(table, chair), stuck_card(table, chair))
    return (*possible_happenings(table, chair), *(one for one in counted if one is not None))


def row_number(table: Table, row: Irregularity | None) -> int:
    """Return the place of a row in the rulebook's table, from 0; -1 if there is no row."""
    rows = table.book.procedure.irregularities
    return next((number for number, one in enumerate(rows) if one is row), -1)


def impossible_rows(tables: Sequence[Table]) -> dict[int, str]:
    """Return the rows that can happen at none of some tables, by their places from 0, with the reasons."""
    return {
        number: HANDS_LAST
        for number, row in enumerate(_rows(tables[0]))
        if row.when.get("hands_dealt") and all(map(_deals_hands_last, tables))
    }


def _deals_hands_last(table: Table) -> bool:
    """True if no card leaves the deck after the hands are dealt."""
    dealt = [step for step in table.sections["round"] if step.act in ("deal", "burn")]
    return bool(dealt) and dealt[-1].act == "deal" and "board" not in dealt[-1].to


class RowCounter:
    """Counts how often each row has happened."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self._rounds = 0
        """The rounds since a row happened for the first time."""
        self._all_rounds = 0
        self._moments: Counter[int] = Counter()
        """The number of moments at which each row was possible, while it had not happened."""
        self.is_rare = False
        """True if the rows that `missing` returned last are seldom possible, so that they cannot wait."""

    @property
    def is_stalled(self) -> bool:
        """True if no row has happened for the first time in the last round."""
        return self._rounds > 1

    def next_round(self) -> None:
        """Take note that a round begins."""
        self._rounds += 1
        self._all_rounds += 1

    def note(self, table: Table, chair: Chair, happening: Happening) -> bool:
        """Count the row of an irregularity. Return True if it only makes another row possible."""
        number = row_number(table, ruling_row(table, chair, happening))
        again = self._counts[number] > 0
        self._counts[number] += 1
        if not again:
            self._rounds = 0
        return again and self._waits_for_second(table, happening.kind)

    def missing(self, table: Table, chair: Chair) -> tuple[Happening, ...]:
        """Return the irregularities that can happen now and whose rows have not happened.

        Rows that are seldom possible come first. If no row has been possible for some rounds, the rows that
        happened least often come again.
        """
        self.is_rare = False
        waiting = {row.kind for n, row in enumerate(_rows(table)) if not self._counts[n]}
        if WRONG_COUNT in waiting and count_comes(table, chair):
            # The stub is counted in few rounds, so these belong to the rows that only a count shows.
            waiting = {WRONG_COUNT}
        again = waiting != {WRONG_COUNT} and (self._rounds > PATIENCE or not waiting)
        listed = [one for one in all_happenings(table, chair) if again or one.kind in waiting]
        numbered = [(self._row(table, chair, one), one) for one in listed]
        possible = [(number, one) for number, one in numbered if number >= 0]
        fresh = [(number, one) for number, one in possible if not self._counts[number]]
        self._moments.update({number for number, _ in fresh})
        rare = [one for number, one in fresh if self._is_seldom(table, number)]
        self.is_rare = bool(rare)
        if fresh or not possible:
            return tuple(rare or (one for _, one in fresh))
        if again:
            least = min(count for count in self._counts.values() if count)
            return tuple(one for number, one in possible if self._counts[number] == least)
        if self._rounds < PATIENCE:
            return ()
        first = ((n, one) for n, one in possible if TWICE not in _rows(table)[n].when)
        return tuple(one for _, one in first if self._waits_for_second(table, one.kind))

    def _is_seldom(self, table: Table, number: int) -> bool:
        """True if a row is possible at most once in a round, or in the few rounds with a count only."""
        often = self._moments[number] > self._all_rounds or self._all_rounds <= PATIENCE
        return _rows(table)[number].kind == WRONG_COUNT or not often

    def _waits_for_second(self, table: Table, kind: str) -> bool:
        """True if a row has not happened that needs this irregularity twice in a round."""
        return any(
            not self._counts[number] and row.kind == kind and TWICE in row.when
            for number, row in enumerate(_rows(table))
        )

    def _row(self, table: Table, chair: Chair, happening: Happening) -> int:
        """Return the number of the row that would decide an irregularity; -1 if it cannot happen now."""
        cards = any_cards(table, chair.state, cards_taken(table, chair, happening))
        after = happen(table, chair, happening, 0, cards)
        return -1 if after is None else row_number(table, ruling_row(table, after, happening))


def _rows(table: Table) -> tuple[Irregularity, ...]:
    return table.book.procedure.irregularities
