"""Questions and grades as lines of text, for the terminal and the screen reader."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from string import ascii_lowercase
from typing import Final

from houseway.cards import cards
from houseway.money import exactly, spoken
from houseway.narrate.player_words import bets_text
from houseway.training.drills.drill_session import DrillSummary
from houseway.training.drills.grade import Grade, PartGrade, read_amount_of, read_payment
from houseway.training.drills.question import (
    AMOUNT,
    CHOICE,
    FIXED_WAGERS,
    PAYMENT,
    PLAIN,
    SEQUENCE,
    STACK,
    FeltFacts,
    FeltHand,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
    kind_key,
    kind_parts,
)
from houseway.training.words import amount_words
from houseway.wording import capital, several, shown_name

ONE_LINE: Final = 3
"""The most choices that are printed on one line."""
HOW_TO_ANSWER: Final = {
    PAYMENT: "Type t (take), p (push), or the amount to pay without the stake, such as 22.50.",
    CHOICE: "Type a letter.",
    AMOUNT: "Type an amount, such as 22.50.",
    STACK: "Type chips as count x value, such as 4x5 1x0.50.",
    SEQUENCE: "Type all letters in order, such as bac.",
}


def question_lines(facts: QuestionFacts) -> list[str]:
    """Return the facts of a question as lines: the cards as codes and in words, wagers with amounts."""
    lines = list(facts.notes)
    if facts.felt is not None:
        lines += _felt_lines(facts.felt, _cards)
    lines.append(facts.asks)
    return lines


def spoken_lines(facts: QuestionFacts) -> list[str]:
    """Return the facts of a question for a screen reader: the cards in words, without codes."""
    felt = _felt_lines(facts.felt, _names) if facts.felt is not None else ()
    return [*facts.notes, *felt, facts.asks]


def _felt_lines(felt: FeltFacts, named: Callable[[str], str]) -> Iterator[str]:
    if felt.board or "board" not in felt.exposed:
        yield f"Board: {named(felt.board)}." if felt.board else "Board: no card is face up."
    if felt.dealer or felt.dealer_down:
        yield f"Dealer: {named(felt.dealer) if felt.dealer else _face_down(felt.dealer_down)}."
    for hand in felt.hands:
        yield _hand_line(hand, named)
    for place, code in felt.exposed.items():
        yield f"Face up by mistake, {place}: {named(code)}."


def _hand_line(hand: FeltHand, named: Callable[[str], str]) -> str:
    name = f"Seat {hand.seat}{f', hand {hand.hand}' if hand.hand > 1 else ''}"
    held = named(hand.cards) if hand.cards else _face_down(hand.down) if hand.down else "no cards"
    folded = ", folded" if hand.folded else ""
    wagers = bets_text(hand.wagers)
    return f"{name}: {held}{folded}.{f' Wagers: {wagers}.' if wagers else ''}"


def _face_down(count: int) -> str:
    return f"{several(count, 'card')} face down"


def _cards(text: str) -> str:
    return f"{text} ({_names(text)})"


def _names(text: str) -> str:
    return ", ".join(card.words for card in cards(text))


def part_lines(part: QuestionPart) -> list[str]:
    """Return the choices of a part, each with its letter."""
    if part.form not in (CHOICE, SEQUENCE):
        return []
    lines = [f"{letter}) {choice}" for letter, choice in zip(ascii_lowercase, part.choices, strict=False)]
    return [", ".join(lines)] if len(lines) <= ONE_LINE and part.form == CHOICE else lines


def grade_lines(grade: Grade, borrowed: Collection[str] = ()) -> list[str]:
    """Return a grade as sentences that state facts. The clauses in `borrowed` are marked."""
    if len(grade.parts) == 1:
        return [_part_words(grade.parts[0], borrowed)]
    wrong = [part for part in grade.parts if not part.is_right]
    lines = [f"{_named(part.part)} {_part_words(part, borrowed)}" for part in wrong]
    unjudged = [part.part for part in grade.parts if not part.judged]
    lines += [f"{_named(name)} Not judged: the document does not answer this." for name in unjudged]
    judged = sum(part.judged for part in grade.parts)
    return [*lines, f"{judged - len(wrong)} of {judged} right."] if lines else ["Right."]


def _named(part: str) -> str:
    """Return the name of a part at the start of a line; a question needs no colon."""
    return f"{capital(part)}{'' if part.endswith('?') else ':'}"


def _part_words(part: PartGrade, borrowed: Collection[str]) -> str:
    mark = ", borrowed" if part.clause in borrowed else ""
    cited = f" {part.clause}{mark}." if part.clause else ""
    if not part.judged:
        return "Not judged: the document does not answer this."
    if part.is_right:
        return f"Right.{cited}"
    reason = f" ({part.reason})" if part.reason else ""
    money = f" {amount_words(part.amount)}." if part.amount else ""
    return f"Wrong. The right answer: {part.right}{reason}.{money}{cited}"


def summary_lines(figures: DrillSummary) -> list[str]:
    """Return the figures of a session as sentences."""
    if not figures.asked:
        return ["No question was answered."]
    seconds, middle = figures.time / 1000, figures.median / 1000
    lines = [
        f"{figures.right} of {figures.asked} right.",
        f"{seconds:.1f} seconds in total; a typical (median) answer took {middle:.1f} seconds.",
    ]
    if figures.over or figures.short:
        lines.append(f"Paid {exactly(figures.over)} too much and {exactly(figures.short)} too little.")
    if figures.weak:
        kinds = ", ".join(f'"{kind_words(kind)}"' for kind in figures.weak)
        lines.append(f"Practise more questions of these kinds: {kinds}.")
    return [*lines, f"Level: {figures.level} of 3."]


def kind_words(kind: str) -> str:
    """Return a kind of question as people read it.

    >>> kind_words("blind, flush, plain"), kind_words("blind, flush, half-dollars")
    ('blind, flush', 'blind, flush, half-dollars')

    >>> kind_words("order, 1 player, settle the hands, fixed wagers")
    'order, 1 player, settle the hands, with a fixed order of wagers'

    A last part that repeats the first is left out:

    >>> kind_words("progressive, flush, progressive")
    'progressive, flush'
    """
    parts = [
        "with a fixed order of wagers" if part == FIXED_WAGERS else shown_name(part)
        for part in kind_parts(kind)
    ]
    if parts[-1] == PLAIN:
        parts = parts[:-1]
    return kind_key(*(parts[:-1] if len(parts) > 1 and parts[-1] == parts[0] else parts))


def given_words(part: QuestionPart, given: str) -> str:
    """Return an answer in words, as it was given.

    >>> part = QuestionPart("seat 1 blind", PAYMENT)
    >>> given_words(part, "22.50"), given_words(part, "t"), given_words(part, "none")
    ('paid $22.50', 'took it', 'paid nothing')
    """
    if not given:
        return "no answer"
    if part.form == AMOUNT:
        return exactly(read_amount_of(given))
    if part.form != PAYMENT:
        return given
    payment = read_payment(given)
    if isinstance(payment, str):
        return {"take": "took it", "push": "pushed"}[payment]
    return f"paid {exactly(payment)}" if payment else "paid nothing"


def miss_sentence(part: QuestionPart, row: PartGrade) -> str:
    """Return a wrong answer as facts: what was given, what is right, and the money."""
    given = given_words(part, row.given)
    right = row.right if part.form != SEQUENCE else row.reason
    reason = f" ({row.reason})" if row.reason and part.form != SEQUENCE else ""
    money = f" {amount_words(row.amount)}." if row.amount else ""
    return f"You {given}. " * (part.form == PAYMENT) + f"The right answer: {right}{reason}.{money}"


def sum_words(right: RightAnswer) -> str:
    """Return how a payment is computed: the stake, the odds and the amount of each line."""
    words = []
    for line in right.lines:
        if not line.odds or not line.won:
            continue
        stake = f"{exactly(line.stake)} at " if line.stake else ""
        cut = f", reduced by {exactly(line.cut)}" if line.cut else ""
        words.append(f"{stake}{line.odds}{cut}: {exactly(line.won)}")
    return "; ".join(words)


def miss_title(part: QuestionPart, right: RightAnswer, kind: str) -> str:
    """Return the name of a missed answer: the wager, its stake and the hand, or the kind of question."""
    if part.form != PAYMENT:
        return kind
    stake = sum(line.stake for line in right.lines)
    amount = f" of {spoken(stake)}" if stake else ""
    return f"{part.wager.replace('_', ' ')}{amount}, {right.reads}"
