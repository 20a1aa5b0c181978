"""A lesson as data: short rounds with chosen cards, and the pages that explain them.

The file is TOML: a `[lesson]` table, a `[[round]]` for each round, and a `[[round.page]]` for each page.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from houseway.cards import Card, CardError, cards
from houseway.errors import InputError
from houseway.rules.loader import load
from houseway.rules.options import ULTIMATE
from houseway.rules.problems import shortened, suggest
from houseway.rules.rulebook import Rulebook

MOST_BYTES: Final = 100_000
"""The most bytes of a file."""
FOLDER: Final = "lessons"
Status = Literal["choosing", "played", "folded"]
"""The learner still has decisions to make, has made the play wager, or has folded."""
MOMENTS: Final = ("bets", "cards", "flop", "river", "dealer", "end")
"""The moments of a round, besides the settled wagers."""

Title = Annotated[str, Meta(min_length=1, max_length=60)]
Text = Annotated[str, Meta(min_length=1, max_length=300)]
CardText = Annotated[str, Meta(min_length=5, max_length=14)]
ClauseIds = Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=4)]


class LessonError(InputError, ValueError):
    """A lesson cannot be used."""


class LessonPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One idea, and the moment of the round at which it is shown."""

    at: Title
    """A moment of the round, or the name of a wager: the page is shown once that wager is settled."""
    title: Title
    says: Text
    when: Status | Literal[""] = ""
    """Show the page only to learners with this status; empty for all."""
    clauses: ClauseIds = ()
    shows: Literal["", "hands"] = ""
    """A list that is shown with the page: the ten hand classes."""


class LessonRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round with chosen cards, and its pages in order."""

    name: Title
    hole: CardText
    board: CardText
    dealer: CardText
    page: Annotated[tuple[LessonPage, ...], Meta(min_length=1, max_length=40)]

    @property
    def dealt(self) -> dict[str, tuple[Card, ...]]:
        """The cards by the place that they are dealt to, as the steps of the procedure name it."""
        return {"players": cards(self.hole), "dealer": cards(self.dealer), "board": cards(self.board)}


class LessonHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The title of a lesson, and the rulebook and deal mode of its table."""

    title: Title
    about: Text
    rulebook: Title
    mode: Title


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson."""

    lesson: LessonHead
    round: Annotated[tuple[LessonRound, ...], Meta(min_length=1, max_length=6)]


def lesson_names() -> list[str]:
    """Return the names of the bundled lessons."""
    folder = resources.files(__package__).joinpath(FOLDER)
    return sorted(
        file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")
    )


@cache
def bundled_lesson(name: str) -> Lesson:
    """Return a bundled lesson; raise LessonError if there is none of this name."""
    if name not in lesson_names():
        raise LessonError(f"there is no lesson {shortened(name)!r}; {suggest(name, lesson_names())}")
    file = resources.files(__package__).joinpath(FOLDER, f"{name}.toml")
    return read_lesson(file.read_text(encoding="utf-8"), name)


def read_lesson(text: str, ref: str) -> Lesson:
    """Return the lesson in a TOML text; raise LessonError with every problem. `ref` names the file."""
    if len(text.encode("utf-8", "replace")) > MOST_BYTES:
        raise LessonError(f"{ref}: the file is longer than {MOST_BYTES:,} bytes")
    try:
        lesson = msgspec.convert(tomllib.loads(text), Lesson)
    except (msgspec.MsgspecError, ValueError) as error:
        raise LessonError(f"{ref}: {error}") from error
    book = load(lesson.lesson.rulebook)
    problems = [*_head_problems(lesson, book)]
    for number, one in enumerate(lesson.round, 1):
        problems += (f"round {number}: {problem}" for problem in _round_problems(one, book))
    if problems:
        raise LessonError("\n".join(f"{ref}: {problem}" for problem in problems))
    return lesson


def _head_problems(lesson: Lesson, book: Rulebook) -> list[str]:
    mode, problems = lesson.lesson.mode, []
    if book.game != ULTIMATE:
        problems.append(f"a lesson needs a rulebook of Ultimate Texas Hold'em, and {book.id} is not one")
    if mode not in book.modes:
        problems.append(f"mode: {suggest(mode, book.modes)} (got {mode!r})")
    return problems


def _round_problems(one: LessonRound, book: Rulebook) -> list[str]:
    problems = []
    try:
        dealt = one.dealt
    except CardError as error:
        return [str(error)]
    for place, count in (("players", 2), ("dealer", 2), ("board", 5)):
        if len(dealt[place]) != count:
            problems.append(f"{place}: {count} cards are needed (got {len(dealt[place])})")
    every = [card for held in dealt.values() for card in held]
    problems += [f"the {card.words} is dealt twice" for card in set(every) if every.count(card) > 1]
    moments = (*MOMENTS, *book.wagers)
    for page in one.page:
        if page.at not in moments:
            problems.append(f"page {page.title!r}: at: {suggest(page.at, moments)}")
        problems += [
            f"page {page.title!r}: {book.id} has no clause {clause!r}"
            for clause in page.clauses
            if clause not in book.clauses
        ]
    return problems
