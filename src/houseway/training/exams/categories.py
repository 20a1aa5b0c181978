"""The ten categories in which a dealer's audition is graded. The program grades seven of them; the examiner
grades three.

Each category counts the acts that belong to it: right ones, and slips. Ten points mean no slip.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from houseway.report.exam_result import UNDER_PRESSURE, Category
from houseway.rules.rulebook import Rulebook
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import DISPUTED, RIGHT, Judgement, Verdict
from houseway.training.ruling_verdicts import RowVerdict

CARD_DELIVERY: Final = "Card delivery"
CHIP_HANDLING: Final = "Chip handling"
HAND_READING: Final = "Hand reading"
SIDE_BETS: Final = "Side bets"
ANNOUNCEMENTS: Final = "Announcements"
GAME_PROTECTION: Final = "Game protection"
VISIBLE: Final = (
    CARD_DELIVERY, CHIP_HANDLING, HAND_READING, SIDE_BETS, ANNOUNCEMENTS, GAME_PROTECTION, UNDER_PRESSURE,
)  # fmt: skip
UNSEEN: Final = ("Appearance", "Presence", "Shuffle")
"""The categories that the program cannot see."""
MOST_POINTS: Final = 10
ANNOUNCED: Final = ("announce", "open", "close", "close betting", "look", "note")
"""The steps that the dealer announces."""
PROTECTED: Final = (
    a.ReportIrregularity, a.CallFloor, a.CountStub, a.CorrectPayment, a.Refuse, a.Warn, a.LetStand,
)  # fmt: skip
"""The acts that protect the game."""


def categories(book: Rulebook, judgements: Sequence[Judgement]) -> tuple[Category, ...]:
    """Return the points of each category, and the blank ones for the examiner.

    An act counts once, in the category it belongs to. "Under pressure" counts every act again in the rounds
    in which something went wrong or a player needed an answer.
    """
    right: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for judgement in judgements:
        troubled = any(_troubled(entry) for entry in judgement.entries)
        for verdict in judgement.verdicts:
            if verdict.kind == DISPUTED:
                continue
            names = [category_of(book, verdict), *([UNDER_PRESSURE] if troubled else [])]
            for name in names:
                judged[name] += 1
                right[name] += verdict.kind == RIGHT
    return tuple(_listed(right, judged))


def _listed(right: Counter[str], judged: Counter[str]) -> Iterator[Category]:
    for name in VISIBLE:
        points = _points(right[name], judged[name]) if judged[name] else None
        yield Category(name=name, points=points, right=right[name], judged=judged[name])
    for name in UNSEEN:
        yield Category(name=name, points=None, seen=False)


def _points(right: int, judged: int) -> int:
    return MOST_POINTS if right == judged else max(1, min(MOST_POINTS - 1, MOST_POINTS * right // judged))


def _troubled(entry: ch.ChairEntry) -> bool:
    return isinstance(entry.input, ch.Happening | ch.Conduct)


def category_of(book: Rulebook, verdict: Verdict) -> str:
    """Return the category that a verdict counts in."""
    if verdict.kind in (
        ch.UNSEEN,
        ch.LATE,
        ch.WRONG_REPORT,
        ch.NEEDLESS_CALL,
        ch.MISSED_CALL,
        ch.WRONG_HANDLING,
    ) or isinstance(verdict, RowVerdict):
        return GAME_PROTECTION
    match verdict.act if verdict.act is not None else verdict.due:
        case a.WagerAct() as act:
            wager = book.wagers.get(act.wager)
            return SIDE_BETS if wager is not None and not wager.group.against_dealer else CHIP_HANDLING
        case a.ColourUp():
            return CHIP_HANDLING
        case a.Key():
            return SIDE_BETS
        case a.ReadHand() | a.SetHand() | a.ResetDealer():
            return HAND_READING
        case a.Ask():
            return ANNOUNCEMENTS
        case a.TakeStep() as act if act.what in ANNOUNCED or act.what.startswith("announce"):
            return ANNOUNCEMENTS
        case act if isinstance(act, PROTECTED):
            return GAME_PROTECTION
    return CARD_DELIVERY
