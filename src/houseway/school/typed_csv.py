"""A CSV file of typed hands, one in each row.

The first row names the columns, in any order:

    rulebook   the rulebook's id; not needed if the caller names one
    hole       your two cards, or your four in Texas Shootout
    board      the five community cards
    dealer     the dealer's two cards, or four in Texas Shootout
    play       4x, 3x, 2x, 1x or fold; in Texas Shootout the cards kept, or both hands of a split, such as
               As Ad / Kh Kd
    ante       the ante in dollars, or the wager in Texas Shootout; 10 if the column is missing
    trips      a trips bet in dollars; optional
    player     your name; optional

Every problem of the file is found at once. If there is any, no row is imported.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any, Final

from houseway.engine.terms import Terms
from houseway.errors import InputError
from houseway.rules.options import SHOOTOUT
from houseway.school.played_rounds import PlayedRound
from houseway.school.typed_rounds import TypedRound, read_typed
from houseway.wording import alternatives, printable, several

MOST_BYTES: Final = 10_000_000
"""The largest file that can be imported."""
MOST_ROUNDS: Final = 100_000
"""The most rounds that can be imported at once, and the most rows that are read."""
MOST_PROBLEMS: Final = 100
"""The most problems that are listed."""
NEEDED: Final = ("hole", "board", "dealer", "play")
COLUMNS: Final = ("rulebook", *NEEDED, "ante", "trips", "player")
ANTE: Final = "10"
FIELDS: Final[Mapping[str, str]] = {"cards": "hole", "hands": "play", "wager": "ante", "tables": "rulebook"}
"""Maps field names of `houseway settle` to the CSV columns that have another name."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """One thing that is wrong with a file."""

    row: int
    """The number of the row; the row with the names of the columns is 1."""
    column: str
    """Empty if the problem is not in one column."""
    sentence: str

    def __str__(self) -> str:
        place = f"row {self.row}, {self.column}" if self.column else f"row {self.row}"
        return f"{place}: {self.sentence}"


class RowProblems:
    """The problems of a file: the first ones, and the number of the others."""

    def __init__(self, *first: RowProblem) -> None:
        self.first = [*first]
        self.more = 0

    def add(self, row: int, column: str, sentence: str) -> None:
        """Add a problem. After the first MOST_PROBLEMS, problems are only counted."""
        if len(self.first) < MOST_PROBLEMS:
            self.first.append(RowProblem(row, column, sentence))
        else:
            self.more += 1

    def __bool__(self) -> bool:
        return bool(self.first)


class ImportRefusedError(InputError, ValueError):
    """Raised if a file cannot be imported. It has the file's problems."""

    def __init__(self, problems: RowProblems) -> None:
        self.problems = problems
        listed = [str(problem) for problem in problems.first]
        if problems.more:
            listed.append(several(problems.more, "more problem"))
        super().__init__("\n".join([*listed, "nothing was imported; correct these rows and try again"]))


def read_csv(
    text: str,
    terms_of: Callable[[str], Terms],
    rulebook: str = "",
    each_row: Callable[[], None] = lambda: None,
) -> tuple[tuple[Terms, PlayedRound], ...]:
    """Return the rounds of a CSV file, each with its terms.

    `terms_of` returns the terms of a rulebook, or raises InputError. `rulebook` is for rows that name none.
    `each_row` is called before each row that is not empty.
    Raises ImportRefusedError with the problems.
    """
    problems = RowProblems()
    rounds: list[tuple[Terms, PlayedRound]] = []
    known: dict[str, Terms | str] = {}
    for row, cells in _rows(text, problems, each_row, needs_rulebook=not rulebook):
        name = cells.get("rulebook") or rulebook
        if name not in known:
            try:
                known[name] = terms_of(name)
            except InputError as error:
                known[name] = str(error)
        terms = known[name]
        if isinstance(terms, str):
            problems.add(row, "rulebook", terms)
            continue
        data, wrong = _data(cells, terms)
        for column, sentence in wrong:
            problems.add(row, column, sentence)
        if wrong:
            continue
        for read in read_typed(TypedRound(str(row), terms, data), len(rounds) + 1):
            if isinstance(read, PlayedRound):
                rounds.append((terms, read))
            else:
                sentence = read.message.replace("seats[0].", "").replace("seats[0]", "the hand")
                problems.add(row, _column(read.where), sentence)
    if not rounds and not problems:
        problems.add(2, "", "the file has no hands; write one in each row")
    if problems:
        raise ImportRefusedError(problems)
    return tuple(rounds)


def _rows(
    text: str, problems: RowProblems, each_row: Callable[[], None], *, needs_rulebook: bool
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the cells of each row that is not empty."""
    read = 0
    reader = csv.reader(StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        wrong = _wrong_columns(names, needs_rulebook=needs_rulebook)
        for column, sentence in wrong:
            problems.add(1, column, sentence)
        if wrong:
            return
        for cells in reader:
            row = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            each_row()
            read += 1
            if read > MOST_ROUNDS:
                problems.add(row, "", f"a file can have at most {MOST_ROUNDS:,} rounds")
                return
            if len(cells) != len(names):
                sentence = f"the row has {several(len(cells), 'cell')}, but there are {len(names)} columns"
                problems.add(row, "", f"{sentence}; quote a cell that contains a comma")
                continue
            yield row, {name: cell.strip() for name, cell in zip(names, cells, strict=True)}
    except csv.Error as error:
        problems.add(reader.line_num, "", f"the row is not CSV ({error}); check its quotes")


def _wrong_columns(names: list[str], *, needs_rulebook: bool) -> list[tuple[str, str]]:
    needed = ("rulebook", *NEEDED) if needs_rulebook else NEEDED
    wrong = [(name, f"the column {name} is missing; add it") for name in needed if name not in names]
    # With more names than known columns, at least one is wrong or repeated, so the first few are enough.
    for name in dict.fromkeys(names[:MOST_PROBLEMS]):
        if name not in COLUMNS:
            shown = printable(name[:40]) or "a column without a name"
            wrong.append((shown, f"there is no such column; use {alternatives(COLUMNS)}"))
        elif names.count(name) > 1:
            wrong.append((name, "the column is there twice; remove one"))
    return wrong


def _data(cells: Mapping[str, str], terms: Terms) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return a row in the format of `houseway settle`, and what is wrong with it, by column."""
    wrong = [(name, "the cell is empty; fill it in") for name in NEEDED if not cells[name]]
    seat: dict[str, Any] = {"seat": 1}
    if cells.get("player"):
        seat["player"] = cells["player"]
    ante, play = cells.get("ante") or ANTE, cells["play"]
    if terms.rulebook.game == SHOOTOUT:
        seat |= {"cards": cells["hole"], "wager": ante, "hands": [part.strip() for part in play.split("/")]}
    else:
        times = 0 if play.lower() in ("fold", "folds") else _times(play)
        if times is None and play:
            sizes = [f"{size}x" for size in sorted(terms.sizes, reverse=True)]
            wrong.append(
                ("play", f"write {alternatives([*sizes, FOLD_WORD])} (got {printable(play[:20])!r})")
            )
        seat |= {"hole": cells["hole"], "ante": ante, "play": times}
        if cells.get("trips"):
            seat["trips"] = cells["trips"]
    board, dealer = cells["board"], cells["dealer"]
    return {"rulebook": terms.rulebook.id, "board": board, "dealer": dealer, "seats": [seat]}, wrong


FOLD_WORD: Final = "fold"


def _times(play: str) -> int | None:
    number = play.lower().removesuffix("x").removesuffix("×")
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 3 else None


def _column(where: str) -> str:
    """Return the CSV column for a path in the input of `houseway settle`, such as "seats[0].hole"."""
    name = where.rpartition(".")[2].partition("[")[0]
    name = FIELDS.get(name, name)
    return name if name in COLUMNS else ""
