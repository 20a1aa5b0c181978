"""Messages for newcomers: lessons page by page, the words that a player looks up, and rules cards."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from houseway.client.messages import Reply, Request, TableSheet, Update, View

LessonMark = Literal["", "hands"]


class TakeLesson(Request, frozen=True):
    """Play a round of a lesson with these choices. The server keeps nothing of it."""

    round: Annotated[int, Meta(ge=1, le=20)] = 1
    choices: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(max_length=10)] = ()
    """The choices so far, in order, such as `["bet", "check", "2x"]`."""


class LessonOption(Reply, frozen=True):
    """A choice that the learner may make."""

    choice: str
    title: str
    effect: str
    """What it bets or gives up: "bet $40.00", "lose $20.00"."""
    key: str
    """The keyboard key."""
    costs: int
    """The cents that it bets."""
    clause: str | None = None


class LessonPageReply(Reply, frozen=True):
    """One idea of a lesson, with the events that lead to it and the choices that follow."""

    title: str
    says: str
    clauses: tuple[str, ...]
    updates: tuple[Update, ...]
    wagers: tuple[str, ...] = ()
    """The wagers that these events settle."""
    shows: LessonMark = ""
    """A list that is shown with the page: the ten hand classes."""
    choices: tuple[LessonOption, ...] = ()
    chosen: str = ""
    """The choice that the learner made here; empty if none is made yet or there is none to make."""


class LessonReply(Reply, frozen=True):
    """A round of a lesson up to the next choice, or to its end."""

    lesson: str
    title: str
    about: str
    rulebook: str
    round: int
    rounds: tuple[str, ...]
    """The names of the lesson's rounds."""
    sheet: TableSheet
    view: View
    """The table before the first update. The patches of the updates lead from it to each page."""
    pages: tuple[LessonPageReply, ...]
    fresh: int
    """The place of the first page after the last choice, counted from 0."""
    over: bool
    """True if the round is over."""


class HandExampleReply(Reply, frozen=True):
    """A class of hands with an example."""

    name: str
    cards: tuple[str, ...]
    says: str
    clause: str
    """The clause that defines it; empty if there is none."""


class WordReply(Reply, frozen=True):
    """A word of the game and its meaning."""

    word: str
    meaning: str


class TableWords(Reply, frozen=True):
    """What a player looks up at a table of a rulebook."""

    rulebook: str
    hands: tuple[HandExampleReply, ...]
    """The hand classes, the highest first."""
    words: tuple[WordReply, ...]


class CardLine(Reply, frozen=True):
    """A line of a rules card with its clauses."""

    text: str
    clauses: tuple[str, ...]


class CardRow(Reply, frozen=True):
    """A row of a table of a rules card with its clauses."""

    cells: tuple[str, ...]
    clauses: tuple[str, ...] = ()


class CardPart(Reply, frozen=True):
    """Lines, or a table, of a rules card."""

    title: str = ""
    """The heading of a subsection, such as a wager; empty if the part continues the one before."""
    lines: tuple[CardLine, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[CardRow, ...] = ()
    foot: tuple[tuple[str, ...], ...] = ()
    """The clauses that apply to each column of the table."""


class CardSection(Reply, frozen=True):
    """A section of a rules card."""

    title: str
    for_staff: bool
    """True if players do not need it."""
    parts: tuple[CardPart, ...]


class PlayersCard(Reply, frozen=True):
    """The rules card of a rulebook or of a table: pay tables, limits, betting points, clauses."""

    rulebook: str
    title: str
    source: str
    table: str
    """The name of the table; empty for the card of a rulebook."""
    sections: tuple[CardSection, ...]
    hash: str
