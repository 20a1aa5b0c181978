"""The plan of a session in which every irregularity of the rulebook happens: the round of each one, drawn
from the seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from houseway.engine.table import Table
from houseway.shoe.seeded_draws import RandomSource
from houseway.training.chair import WRONG_COUNT, Chair, Happening
from houseway.training.happenings import count_comes, ruling_row
from houseway.training.scenarios import rows

TWICE: Final = "several"
"""The condition of a row that needs the same irregularity twice in a round."""
SPARE: Final = 3
"""The most rounds at the end of a table without new rows. Rows that could not happen in their own rounds
happen there."""
SPARE_PART: Final = 5
"""At most one in this many rounds at a table is a spare round."""
REPEATS: Final = 75
"""The percentage of the other rounds in which a row happens again."""
GUESS: Final = 12
"""A guess at the number of moments in a round at which a row is possible, until that number is known."""
SOON: Final = 3
"""The number of moments for a row that cannot wait for another round."""
PERCENT: Final = 100


class DealtRounds(NamedTuple):
    """The rounds that are dealt at one table."""

    table: Table
    first: int
    last: int


class RowPlan:
    """Draws a round for each row, and other rounds in which rows happen again.

    A row that is not possible in its round gets another one. A row that was possible, but not at the moment
    that was drawn, happens in the next round. If few rounds are left for a row, it happens at the first
    moment. So every row happens, if there are enough rounds.
    """

    def __init__(self, parts: Sequence[DealtRounds], rounds: Iterable[int], draws: RandomSource) -> None:
        self._parts = parts
        self._draws = draws
        self._rows = parts[0].table.book.procedure.irregularities
        self._round = 0
        listed = tuple(rounds)
        self._rounds = {
            number: [one for one in listed if self._is_allowed(number, one)]
            for number in range(len(self._rows))
        }
        """The rounds in which each row can happen."""
        self.planned: dict[int, int] = {}
        """The rounds of the rows that have not happened, or not yet for the planned time."""
        self._plan_rows()
        self.repeats: dict[int, int] = {}
        """The rows that happen again, by their rounds. They are dropped if they are not possible."""
        self._plan_repeats(listed)
        self._happened: set[int] = set()
        self._skips: dict[int, int] = {}
        """The number of moments that each row lets pass in this round."""
        self._moments: Counter[int] = Counter()
        """The number of moments in this round at which each row was possible."""
        self._usual: dict[int, int] = {}
        """The same number for the latest round in which the row was possible."""
        self._tries: Counter[int] = Counter()
        """The rounds in which each row was due and did not happen."""

    # --- the plan ---

    def _part(self, number: int) -> DealtRounds:
        """Return the table of a round, with its rounds."""
        return next((part for part in self._parts if number <= part.last), self._parts[-1])

    def _is_allowed(self, row: int, number: int) -> bool:
        """True if a row can happen in a round, as far as the table of that round decides that."""
        part = self._part(number)
        every = _count_every(part.table)
        counted = not self._is_counted(row) or (number - part.first + 1) % every == 0
        return counted and rows.can_happen(part.table, self._rows[row])

    def _is_counted(self, row: int) -> bool:
        """True if only a count of the stub shows a row. The stub is counted in few rounds."""
        return self._rows[row].kind == WRONG_COUNT

    def _last(self, row: int) -> int:
        """Return the last round of the last table at which a row can happen."""
        return max(part.last for part in self._parts if rows.can_happen(part.table, self._rows[row]))

    def _plan_rows(self) -> None:
        """Draw a round for each row. Rows with fewer possible rounds draw first."""
        order = [row for row, rounds in self._rounds.items() if rounds]
        self._draws.shuffle(order)
        for row in sorted(order, key=lambda one: (len(self._rounds[one]), self._is_counted(one))):
            free = self._free(row, 0)
            if free:
                self.planned[row] = self._draws.choice(free)

    def _free(self, row: int, after: int) -> list[int]:
        """Return the later rounds in which a row can happen and no row is planned.

        Spare rounds are returned only if there are no others.
        """
        taken = set(self.planned.values())
        free = [one for one in self._rounds[row] if one > after and one not in taken]
        if self._is_counted(row):
            return free
        last = self._part(self._last(row))
        spare = min(SPARE, (last.last - last.first + 1) // SPARE_PART)
        return [one for one in free if one <= last.last - spare] or free

    def _plan_repeats(self, listed: Iterable[int]) -> None:
        """Draw the rows of the other rounds. If the stub is counted, half of them are rows of a count."""
        taken = set(self.planned.values())
        for number in listed:
            possible = [row for row, rounds in self._rounds.items() if number in rounds]
            counted = [row for row in possible if self._is_counted(row)]
            others = [row for row in possible if not self._is_counted(row)]
            hidden = bool(counted) and (not others or self._draws.randrange(2) == 0)
            drawn = self._draws.randrange(PERCENT) < REPEATS
            if possible and drawn and number not in taken:
                self.repeats[number] = self._draws.choice(counted if hidden else others)

    # --- the rounds ---

    def next_round(self) -> None:
        """Begin the next round. Rows that were due and have not happened get another round or moment."""
        for row in self._due():
            self._tries[row] += 1
            if row in self._happened:
                self.planned.pop(row, None)
            elif row in self.planned and not self._moments[row]:
                later = self._free(row, self._round)
                self.planned[row] = self._draws.choice(later) if later else self.planned[row]
        self._usual.update(self._moments)
        self._moments.clear()
        self._round += 1
        self._skips = {row: self._skip(row) for row in self._due()}

    def _due(self) -> list[int]:
        """Return the rows that are to happen in this round, those that have waited longest first."""
        due = sorted((number, row) for row, number in self.planned.items() if number <= self._round)
        again = self.repeats.get(self._round)
        listed = [row for _, row in due]
        return listed if again is None or again in listed else [*listed, again]

    def _skip(self, row: int) -> int:
        """Draw the number of moments that a row lets pass."""
        if row not in self._happened and self._presses(row):
            return 0
        if self._is_counted(row):
            return self._draws.randrange(SOON)
        # If a row needs two moments, the first one must be early enough for the second.
        halved = self._tries[row] if self._needs_two(row) else self._tries[row] - 1
        return self._draws.randrange(max(1, self._usual.get(row, GUESS) >> max(0, halved)))

    def _presses(self, row: int) -> bool:
        """True if few rounds are left for a row."""
        late = sum(
            number < self._round for one, number in self.planned.items() if one not in self._happened
        )
        return self._last(row) - self._round < SPARE + late - 1

    def _needs_two(self, row: int) -> bool:
        return TWICE in self._rows[row].when

    def possible(self, table: Table, chair: Chair) -> tuple[Happening, ...]:
        """Return the irregularities of which one happens now; empty if none does.

        Call this once at each moment at which something may happen.
        """
        due = self._due()
        counted = [row for row in (*due, *self._last_counts(table, chair)) if self._is_counted(row)]
        if counted and count_comes(table, chair):
            # Another irregularity could make the round void before the count.
            due = counted
        # The moments of the next round's rows are counted now, so that the draw knows their number.
        coming = [row for row, number in self.planned.items() if number == self._round + 1]
        watched = dict.fromkeys((*due, *coming, *self._repeated(self._round + 1)))
        kinds = {self._rows[row].kind for row in watched}
        listed = rows.all_happenings(table, chair, kinds) if kinds else ()
        numbered = [(rows.row_after(table, chair, one), one) for one in listed]
        for row in watched:
            options = self._options(row, numbered)
            self._moments[row] += bool(options)
            if not options or row not in due:
                continue
            if not self._skips.get(row):
                return options
            self._skips[row] -= 1
        return ()

    def _repeated(self, number: int) -> tuple[int, ...]:
        return (self.repeats[number],) if number in self.repeats else ()

    def _last_counts(self, table: Table, chair: Chair) -> list[int]:
        """Return the rows of a count that have not happened, if only as many counts are left."""
        waiting = [row for row in self.planned if self._is_counted(row) and row not in self._happened]
        left = self._part(self._round).last - self._round + 1
        counts = (chair.state.since_count + left) // _count_every(table)
        return waiting if counts <= len(waiting) else []

    def _options(self, row: int, numbered: Iterable[tuple[int, Happening]]) -> tuple[Happening, ...]:
        """Return the irregularities that a row decides, or else the first of two that the row needs."""
        listed = [(number, one) for number, one in numbered if number >= 0]
        exact = tuple(one for number, one in listed if number == row)
        if exact or not self._needs_two(row):
            return exact
        kind = self._rows[row].kind
        return tuple(one for number, one in listed if one.kind == kind and not self._needs_two(number))

    def note(self, table: Table, chair: Chair, happening: Happening) -> None:
        """Take note that an irregularity has happened. `chair` is the chair after it."""
        row = rows.row_number(table, ruling_row(table, chair, happening))
        self._happened.add(row)
        if self.planned.get(row, self._round + 1) <= self._round or self._is_counted(row):
            self.planned.pop(row, None)
        if self.repeats.get(self._round) == row:
            del self.repeats[self._round]
        for one in self._due():
            if self._needs_two(one) and self._rows[one].kind == happening.kind:
                self._skips[one] = self._draws.randrange(SOON)


def _count_every(table: Table) -> int:
    """Return after how many rounds the stub is counted; 1 if in every round."""
    step = table.find("count stub")
    rule = None if step is None else step.rules.get("every")
    return 1 if rule is None else int(rule.value)
