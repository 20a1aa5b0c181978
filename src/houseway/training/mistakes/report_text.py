"""Typed reports: `paid wrong 3 blind 7.50 over`, `order 2`, `none`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from houseway.client.find_messages import ONE_PLACE, PLACES, MistakeReport, ReportPart, WatchedRound
from houseway.money import MoneyError, cents
from houseway.rules.problems import closest_hint, shortened
from houseway.training.mistakes.mistake import (
    AMOUNT,
    BURN,
    BY_KEY,
    CARDS,
    CHANGED_BET,
    FAMILIES,
    FLOOR,
    IRREGULARITY,
    LATE_BET,
    ORDER,
    READING,
    UNSETTLED,
)
from houseway.wording import alternatives

WORDS: Final = {
    "none": "", "no mistake": "",
    "paid wrong": AMOUNT, "amount": AMOUNT, "wrong amount": AMOUNT,
    "order": ORDER, "out of order": ORDER, "left out": ORDER,
    "hand read": READING, "hand": READING, "misread": READING,
    "not taken": UNSETTLED, "not paid": UNSETTLED, "unsettled": UNSETTLED,
    "late bet": LATE_BET, "bet after the cards": LATE_BET, "past post": LATE_BET,
    "bet changed": CHANGED_BET, "capped": CHANGED_BET, "pinched": CHANGED_BET,
    "card handling": CARDS, "cards": CARDS,
    "burn": BURN, "stub": BURN,
    "irregularity": IRREGULARITY, "irregularity missed": IRREGULARITY, "missed irregularity": IRREGULARITY,
    "floor": FLOOR, "floor not called": FLOOR,
}  # fmt: skip
"""The words for each family of mistakes; empty for no mistake."""
DIRECTIONS: Final = {"capped": 1, "pinched": -1}
"""The words that already say the direction of an amount."""
SIGNS: Final = {
    "over": 1, "overpaid": 1, "more": 1, "short": -1, "underpaid": -1, "less": -1, "under": -1,
}  # fmt: skip
FILLERS: Final = frozenset({"seat", "the", "on", "by", "at"})
PART_WORDS: Final[dict[ReportPart, str]] = {
    "seat": "the seat",
    "place": f"the place (a seat, {alternatives(f'the {place}' for place in PLACES)})",
    "wager": "the wager",
    "amount": "the amount",
}
"""The parts that a family may need, in words."""


def _quoted(family: str) -> str:
    """Return the words for a family, in quotes."""
    return alternatives(f'"{word}"' for word, key in WORDS.items() if key == family)


HELP: Final = (
    "Type what is wrong, then the seat (or dealer, board or deck), the wager and the amount if it has one:",
    *(f"  {_quoted(family.key)}: {family.hint[0].lower()}{family.hint[1:]}" for family in FAMILIES),
    '  "none": there was no mistake.',
    'For example: "paid wrong 3 blind 7.50 over", "burn", "late bet 2 trips 5".',
    'If a part is missing, you are asked for it. Type "?" if you do not know it.',
    "Press Enter to drop the report and keep watching.",
)


class ReportError(ValueError):
    """A line is not a report. The message is a sentence that says what to type."""


def read_report(text: str, watched: WatchedRound, step: int = 0) -> MistakeReport:
    """Return a typed report; raise ReportError if it cannot be read."""
    words = text.lower().replace(",", " ").replace("$", "").split()
    family, rest = _family(words)
    if not family:
        if rest:
            raise ReportError(f'"none" takes nothing else (got "{shortened(" ".join(rest), 30)}").')
        return MistakeReport(step=step)
    # A bet is capped with more chips and pinched of some.
    seat, place, wager, amount, sign = 0, "", "", None, DIRECTIONS.get(words[0], 0)
    spots = {spot.wager.replace("_", " "): spot.wager for spot in watched.spots}
    for word in _joined([word for word in rest if word not in FILLERS], spots):
        if word in spots:
            wager = spots[word]
        elif word.removesuffix("'s") in PLACES:
            place = word.removesuffix("'s")
        elif word in SIGNS:
            sign = SIGNS[word]
        elif not seat and word.isascii() and word.isdecimal() and len(word) < 3:
            seat = int(word)
        else:
            amount = _cents(word, spots)
    if seat and place:
        raise ReportError(f"{ONE_PLACE.capitalize()} (got seat {seat} and the {place}).")
    return MistakeReport(
        family=family,
        seat=_known_seat(seat, watched),
        place=place,
        wager=wager,
        amount=_signed(family, amount, sign),
        step=step,
    )


def unnamed_parts(report: MistakeReport) -> tuple[ReportPart, ...]:
    """Return the parts that the report's family needs and the report does not name."""
    family = BY_KEY.get(report.family)
    if family is None:
        return ()
    parts: dict[ReportPart, bool] = {
        "seat": family.has_wager and not report.seat,
        "place": family.has_place and not report.seat and not report.place,
        "wager": family.has_wager and not report.wager,
        "amount": family.has_amount and report.amount is None,
    }
    return tuple(part for part, is_unnamed in parts.items() if is_unnamed)


def missing_parts(report: MistakeReport) -> tuple[str, ...]:
    """Return the parts, in words, that a report neither names nor lists as unknown."""
    return tuple(PART_WORDS[part] for part in unnamed_parts(report) if part not in report.unknown)


def missing_words(missing: Sequence[str]) -> str:
    """Return the missing parts of a report as the end of a sentence.

    >>> missing_words(["the seat", "the wager", "the amount"])
    'the seat, the wager and the amount'
    """
    *others, last = missing
    return f"{', '.join(others)} and {last}" if others else last


def starts_report(text: str) -> bool:
    """True if a line begins with the words for a kind of mistake, or with "none"."""
    words = text.lower().split()
    return any(" ".join(words[:count]) in WORDS for count in (4, 3, 2, 1))


def _family(words: list[str]) -> tuple[str, list[str]]:
    """Return the family that a line begins with, and the other words."""
    for count in (4, 3, 2, 1):
        key = WORDS.get(" ".join(words[:count]))
        if key is not None:
            return key, words[count:]
    typed = shortened(" ".join(words), 30)
    like = closest_hint(" ".join(words[:2]), WORDS)
    raise ReportError(f'"{typed}" does not say what is wrong.{like} Type "help" for the words.')


def _joined(words: list[str], spots: dict[str, str]) -> list[str]:
    """Return the words with two-word wagers, such as "cover all", as one."""
    joined: list[str] = []
    for word in words:
        if joined and f"{joined[-1]} {word}" in spots:
            joined[-1] = f"{joined[-1]} {word}"
        else:
            joined.append(word)
    return joined


def _cents(word: str, spots: dict[str, str]) -> int:
    try:
        return cents(word)
    except MoneyError:
        known = alternatives([*spots, "over", "short"])
        raise ReportError(
            f'"{shortened(word, 20)}" is not a wager or an amount. The wagers are {known}.'
        ) from None


def _known_seat(seat: int, watched: WatchedRound) -> int:
    seats = [player.seat for player in watched.players]
    if seat and seat not in seats:
        raise ReportError(
            f"No player sits in seat {seat}. Seats with players: {', '.join(map(str, seats))}."
        )
    return seat


def _signed(family: str, amount: int | None, sign: int) -> int | None:
    if amount is None or not BY_KEY[family].has_amount:
        return None
    if not sign and family != LATE_BET:
        raise ReportError('Type a direction after the amount: "over" or "short".')
    return amount * (sign or 1)
