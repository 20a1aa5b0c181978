"""Messages of a lesson: the choices so far, and the round that they give, page by page; and the words that a
player looks up."""

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
    wager: str = ""
    """The wager that the page is about, if it was settled just before."""
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
