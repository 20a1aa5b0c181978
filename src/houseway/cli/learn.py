"""`learn`: a guided first round in the terminal, page by page."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec
from cyclopts import Parameter

from houseway.cards import Card, codes
from houseway.cli.line_session import EndError, next_line
from houseway.cli.output import write, write_json
from houseway.engine.round_history import SettledWager
from houseway.engine.table_view import Follower
from houseway.money import exactly
from houseway.narrate.reasons import Reasons
from houseway.rules.loader import load
from houseway.school.lesson import Lesson, bundled_lesson
from houseway.school.lesson_round import SEAT, LessonChoice, PlayedLesson, ShownPage, play_round
from houseway.school.table_words import hand_examples
from houseway.wording import alternatives

LESSON = "first-round"
WIDTH = 78
KEYS = "Press Enter to continue. Type the key of a choice, and q to end."
PIPED = "Type the key of a choice, and q to end."
END = "Next: houseway play sits you down at a table, houseway practice asks single decisions."


def learn(lesson: str = LESSON, /, *, json: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Learn the game in five minutes: three guided rounds, one idea at a time.

    The cards are chosen; you make every choice. The same lesson is on the page of houseway serve.

    Parameters
    ----------
    lesson
        The name of the lesson.
    json
        Print the lesson as one JSON document, without asking.
    """
    taught = bundled_lesson(lesson)
    if json:
        write_json(msgspec.to_builtins(taught))
        return 0
    write(f"{taught.lesson.title}. {taught.lesson.about}")
    write(KEYS if sys.stdin.isatty() else PIPED)
    try:
        for number in range(1, len(taught.round) + 1):
            _round(taught, number)
    except (EndError, KeyboardInterrupt):
        write("")
        return 0
    write(f"\n{END}")
    return 0


def _round(lesson: Lesson, number: int) -> None:
    """Play a round: print its pages, and ask for each choice."""
    write(f"\nRound {number} of {len(lesson.round)}: {lesson.round[number - 1].name}")
    choices: list[str] = []
    while True:
        played = play_round(lesson, number, choices)
        pages = played.pages[played.fresh :]
        for page, lines in zip(pages, _texts(lesson, played), strict=True):
            for line in lines:
                write(line)
            if page is not pages[-1]:
                _pause()
        if played.over:
            if number < len(lesson.round):
                _pause()
            return
        choices.append(_choice(pages[-1].choices))


def _texts(lesson: Lesson, played: PlayedLesson) -> Iterator[list[str]]:
    """Yield the lines of each page after the last choice."""
    follower = Follower(played.table, played.before, Reasons(played.table))
    seen = ""
    for place, page in enumerate(played.pages):
        view = follower.view
        known = len(view.settled)
        for step in page.steps:
            view = follower.follow(step.event, step.after)
        cards = _cards(page, view.board, view.dealer)
        if place >= played.fresh:
            lines = ["", page.page.title, *textwrap.wrap(page.page.says, WIDTH)]
            if page.page.clauses:
                lines.append(f"[{', '.join(page.page.clauses)}]")
            if cards not in ("", seen):
                lines.append(cards)
            lines += (_settled(line) for line in list(view.settled.values())[known:])
            if page.page.shows == "hands":
                lines += _hands(lesson)
            if view.closed:
                lines.append(f"The round: {_signed(view.net.get(SEAT, 0))}.")
            lines += (f"  {one.key}  {one.title}: {one.effect}" for one in page.choices)
            yield lines
        seen = cards or seen


def _cards(page: ShownPage, board: Sequence[str], dealer: Sequence[str]) -> str:
    """Return the cards that the learner sees; empty if nothing has happened since the last page."""
    if not page.steps:
        return ""
    hand: Sequence[Card] = page.steps[-1].after.seats[SEAT].hands[0].cards
    shown = {"Your cards": codes(hand), "board": " ".join(board), "dealer": " ".join(dealer)}
    named = ", ".join(f"{place}: {held}" for place, held in shown.items() if held)
    return f"{named}." if named else ""


def _settled(line: SettledWager) -> str:
    reason = f"{line.reason} " if line.reason else ""
    return f"  {line.wager.capitalize()} {_signed(line.net)}: {reason}[{line.clause}]"


def _signed(amount: int) -> str:
    """Return a result in dollars with its sign: "+$10.00", "−$20.00", "$0.00"."""
    return ("+" if amount > 0 else "") + exactly(amount).replace("-", "−")


def _hands(lesson: Lesson) -> Iterator[str]:
    """Yield the hand classes, the highest first."""
    for place, one in enumerate(hand_examples(load(lesson.lesson.rulebook)), 1):
        yield f"  {place:>2}  {one.name.capitalize():<16}{codes(one.cards)}   {one.says}"


def _pause() -> None:
    """Wait for Enter at a terminal. Piped input has only choices."""
    if not sys.stdin.isatty():
        return
    sys.stdout.write("… ")
    sys.stdout.flush()
    if sys.stdin.readline(100).strip().lower() in ("q", "quit"):
        raise EndError


def _choice(options: Sequence[LessonChoice]) -> str:
    """Ask until the learner types a choice: its key or its name."""
    keys = {one.key.lower(): one.choice for one in options}
    while True:
        typed = next_line({}).lower()
        chosen = keys.get(typed, typed)
        if chosen in keys.values():
            return chosen
        write(f"{typed!r} is not a choice; type {alternatives(list(keys))}")
