"""Work through the rows of a rulebook's table of irregularities: which irregularities have happened, and
which can happen now."""

from __future__ import annotations

from collections import Counter
from typing import Final

from houseway.engine.table import Table
from houseway.rules.procedure import Irregularity
from houseway.training.chair import Chair, Happening
from houseway.training.due_acts import any_cards
from houseway.training.happenings import cards_taken, possible_happenings, ruling_row, short_deck
from houseway.training.perform import happen

PATIENCE: Final = 2
"""After this many rounds without a new row, an irregularity may happen twice in a round. A round later,
rows that have happened may happen again."""
TWICE: Final = "several"
"""The condition of a row that needs the same irregularity twice in a round."""


def all_happenings(table: Table, chair: Chair) -> tuple[Happening, ...]:
    """Return what could go wrong now, a card missing from the deck included."""
    short = short_deck(table, chair)
    return (*possible_happenings(table, chair), *((short,) if short is not None else ()))


def row_number(table: Table, row: Irregularity | None) -> int:
    """Return the place of a row in the rulebook's table, from 0; -1 if there is no row."""
    rows = table.book.procedure.irregularities
    return next((number for number, one in enumerate(rows) if one is row), -1)


class RowCounter:
    """Counts how often each row has happened."""

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()
        self._rounds = 0
        """The rounds since a row happened for the first time."""

    @property
    def is_stalled(self) -> bool:
        """True if no row has happened for the first time in the last round."""
        return self._rounds > 1

    def next_round(self) -> None:
        """Take note that a round begins."""
        self._rounds += 1

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

        If none of them has been possible for some rounds, the rows that happened least often come again.
        """
        waiting = {row.kind for n, row in enumerate(_rows(table)) if not self._counts[n]}
        again = self._rounds > PATIENCE or not waiting
        listed = [one for one in all_happenings(table, chair) if again or one.kind in waiting]
        numbered = [(self._row(table, chair, one), one) for one in listed]
        possible = [(number, one) for number, one in numbered if number >= 0]
        fresh = [one for number, one in possible if not self._counts[number]]
        if fresh or not possible:
            return tuple(fresh)
        if again:
            least = min(count for count in self._counts.values() if count)
            return tuple(one for number, one in possible if self._counts[number] == least)
        if self._rounds < PATIENCE:
            return ()
        first = ((n, one) for n, one in possible if TWICE not in _rows(table)[n].when)
        return tuple(one for _, one in first if self._waits_for_second(table, one.kind))

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
