"""A round of a lesson as a message, page by page, and the words of a rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from houseway.client import learn_messages as lm
from houseway.client.messages import TableCard, TableSheet, Update, View, Waits
from houseway.engine.patches import difference
from houseway.engine.table import Table
from houseway.engine.table_view import Follower, TableView
from houseway.live.viewer_messages import update, yours_between, yours_of
from houseway.narrate.reasons import Reasons
from houseway.narrate.record import RoundTeller
from houseway.rules.odds_words import wording
from houseway.school.lesson import LessonError, bundled_lesson
from houseway.school.lesson_round import (
    SEAT,
    LessonChoiceError,
    PlayedLesson,
    ShownPage,
    play_lesson,
)
from houseway.school.table_words import hand_examples, table_words
from houseway.server.rulebook_library import bundled, refused
from houseway.server.table_sheets import drawn_table, limits_text

ROLE: Final = f"seat {SEAT}"
TABLE: Final = "Lesson"


def lesson_message(name: str, number: int, choices: Sequence[str]) -> lm.LessonReply:
    """Return a round of a lesson with the learner's choices."""
    try:
        lesson, played = bundled_lesson(name), play_lesson(name, number, choices)
    except LessonChoiceError as error:
        raise refused(400, "not-a-choice", "choices", str(error)) from error
    except LessonError as error:
        raise refused(404, "no-lesson", "lesson", str(error)) from error
    head = lesson.lesson
    view, pages = _pages(played)
    return lm.LessonReply(
        lesson=name,
        title=head.title,
        about=head.about,
        rulebook=head.rulebook,
        round=number,
        rounds=tuple(one.name for one in lesson.round),
        sheet=_sheet(played.table),
        view=view,
        pages=tuple(pages),
        fresh=played.fresh,
        over=played.over,
    )


@cache
def _sheet(table: Table) -> TableSheet:
    """Return the table as the page draws it: without side bets, which a first round does not need."""
    terms = table.terms
    card = TableCard(
        table="",
        name=TABLE,
        rulebook=terms.rulebook.id,
        title=terms.rulebook.title,
        game=terms.rulebook.game,
        mode=terms.mode,
        limits=limits_text(terms),
        notes=(),
        seats=(),
        meters={},
        round=0,
        clock=0,
        pace="normal",
        dealer="machine",
        open=True,
        place=terms.rulebook.place,
    )
    main = [wager for wager in terms.wagers if wager.group.against_dealer]
    return drawn_table(table, card, main, {"limits": {}, "house": {}})


def _pages(played: PlayedLesson) -> tuple[View, list[lm.LessonPageReply]]:
    """Return the view before the first page, and the pages with their updates."""
    table = played.table
    follower = Follower(table, played.before, Reasons(table))
    teller = RoundTeller(table.terms.order, wording=wording(table.book))
    first = view = View(
        table=_plain(follower.view),
        yours=yours_of(table, played.before, ROLE),
        waits=Waits(why="bets", seats=(SEAT,)),
    )
    pages, number = [], 0
    for shown in played.pages:
        updates: list[Update] = []
        for step in shown.steps:
            number += 1
            after = follower.follow(step.event, step.after)
            last = step is shown.steps[-1]
            yours = (
                yours_of(table, step.after, ROLE)
                if last
                else yours_between(table, view.yours, step.before, step.after, ROLE)
            )
            now = View(table=_plain(after), yours=yours, waits=_waits(shown, last=last, over=played.over))
            message = update(table, number, step.event, step.after, teller.tell(step.event))
            updates.append(replace(message, patch=difference(view, now)))
            view = now
        pages.append(_page(shown, tuple(updates)))
    return first, pages


def _plain(view: TableView) -> TableView:
    """Return a view without the meters, because the lesson has no progressive wager."""
    return replace(view, meters={})


def _waits(shown: ShownPage, *, last: bool, over: bool) -> Waits:
    """Return the reason why the table waits: for the learner's decision, or for the dealer."""
    if last and shown.choices:
        return Waits(why="decision", seats=(SEAT,))
    return Waits(why="next") if last and over else Waits(why="dealer")


def _page(shown: ShownPage, updates: tuple[Update, ...]) -> lm.LessonPageReply:
    page = shown.page
    settled = [
        u.event["wager"] for u in updates if u.event is not None and u.event.get("type") == "WagerSettled"
    ]
    return lm.LessonPageReply(
        title=page.title,
        says=page.says,
        clauses=page.clauses,
        updates=updates,
        wagers=tuple(settled),
        shows=page.shows,
        choices=tuple(
            lm.LessonOption(
                choice=one.choice,
                title=one.title,
                effect=one.effect,
                key=one.key,
                costs=one.costs,
                clause=one.clause,
            )
            for one in shown.choices
        ),
        chosen=shown.chosen,
    )


@cache
def words_message(rulebook: str) -> lm.TableWords:
    """Return what a player of a rulebook looks up at the table."""
    book = bundled(rulebook)
    return lm.TableWords(
        rulebook=book.id,
        hands=tuple(
            lm.HandExampleReply(
                name=one.name, cards=tuple(map(str, one.cards)), says=one.says, clause=one.clause
            )
            for one in hand_examples(book)
        ),
        words=tuple(
            lm.WordReply(word=word, meaning=text.replace("`", ""))
            for word, text in table_words(book).items()
        ),
    )
