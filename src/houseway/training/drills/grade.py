"""Grade an answer: right or wrong, the right answer, the error in cents, and the clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from string import ascii_lowercase
from typing import Final

import msgspec

from houseway.errors import InputError
from houseway.money import MoneyError, cents, exactly
from houseway.training import acts as a
from houseway.training.chips import CENT, total
from houseway.training.completion import paid_beyond
from houseway.training.drills.question import (
    AMOUNT,
    CHOICE,
    PAYMENT,
    SEQUENCE,
    STACK,
    Question,
    QuestionPart,
    RightAnswer,
)
from houseway.training.due_acts import DueAct
from houseway.training.perform import may_precede
from houseway.training.working_chair import broken_order

TAKE_WORDS: Final = ("t", "take", "lose")
PUSH_WORDS: Final = ("p", "push")
CHIPS: Final = re.compile(r"(\d{1,4}) ?[x×*@] ?(\$?[\d.,]+)")
LONGEST: Final = 1000
"""The most characters of an answer."""


class UnreadableAnswerError(InputError, ValueError):
    """An answer cannot be read. The message says what to type."""


class PartGrade(msgspec.Struct, frozen=True, omit_defaults=True):
    """The grade of one part of an answer."""

    part: str
    given: str
    right: str
    is_right: bool
    amount: int = 0
    """Cents beyond the right amount, to the player; negative if the player gets too little."""
    clause: str | None = None
    judged: bool = True
    """False if the document does not answer the part."""
    reason: str = ""


class Grade(msgspec.Struct, frozen=True):
    """The grade of a whole answer."""

    parts: tuple[PartGrade, ...]

    @property
    def is_right(self) -> bool:
        """True if every part is right."""
        return all(part.is_right for part in self.parts)

    @property
    def amount(self) -> int:
        """The net error in cents: plus is to the player."""
        return sum(part.amount for part in self.parts)

    @property
    def clause(self) -> str | None:
        """The clause of the first wrong part; of the first part, if all are right."""
        wrong = [part for part in self.parts if not part.is_right]
        return next((part.clause for part in wrong or self.parts if part.clause), None)


def grade(question: Question, answers: Mapping[str, str]) -> Grade:
    """Return the grade of the answers, by the name of each part.

    Raise UnreadableAnswerError if one cannot be read. A part without an answer is wrong.
    """
    graders = {part.name: (part, GRADERS[part.form]) for part in question.facts.parts}
    rows = []
    for right in question.key:
        part, grader = graders[right.part]
        text = " ".join(answers.get(right.part, "").split())
        if len(text) > LONGEST:
            raise UnreadableAnswerError(
                f"an answer can have at most {LONGEST} characters (got {len(text)})"
            )
        rows.append(grader(part, right, text))
    return Grade(tuple(rows))


def read_answer(part: QuestionPart, text: str) -> None:
    """Raise UnreadableAnswerError if a text cannot answer a part."""
    READERS[part.form](part, " ".join(text.split()))


# --- payments ---


def read_payment(text: str) -> int | str:
    """Return "take", "push" or the cents to pay.

    >>> read_payment("t"), read_payment("push"), read_payment("pay 22.50"), read_payment("none")
    ('take', 'push', 2250, 0)
    """
    lower = text.lower()
    if lower in TAKE_WORDS:
        return "take"
    if lower in PUSH_WORDS:
        return "push"
    if lower == "none":
        return 0
    try:
        return cents(lower.removeprefix("pay").strip())
    except MoneyError as error:
        raise UnreadableAnswerError(
            f"{text!r} is not a payment; type t (take), p (push), or the amount to pay, such as 22.50"
        ) from error


def _payment(part: QuestionPart, right: RightAnswer, text: str) -> PartGrade:
    due = DueAct(a.Take(seat=0, wager=right.part), right.lines, "", right.clause, None)
    if not text:
        # A wager that is not settled stays with the player, as if it pushed.
        return _row(right, text, wrong=True, amount=paid_beyond(due, a.Push(seat=0, wager=right.part)))
    given = read_payment(text)
    act: a.WagerAct
    if isinstance(given, int):
        act = a.Pay(seat=0, wager=right.part, chips={CENT: given})
    else:
        act = (a.Take if given == "take" else a.Push)(seat=0, wager=right.part)
    beyond = paid_beyond(due, act)
    cut = next((line.cut_clause for line in right.lines if line.cut_clause), None) if beyond > 0 else None
    # To pay nothing and return the stake is the same as a push.
    return _row(right, text, wrong=bool(beyond), amount=beyond, clause=cut)


# --- amounts and stacks ---


def read_stack(text: str) -> dict[int, int]:
    """Return the chips in a text, as count by value in cents.

    >>> read_stack("4x5 2x1 1x0.50")
    {500: 4, 100: 2, 50: 1}
    """
    stack: dict[int, int] = {}
    listed = CHIPS.findall(text)
    try:
        for count, value in listed:
            stack[cents(value)] = stack.get(cents(value), 0) + int(count)
    except MoneyError:
        listed = []
    if not listed or re.sub(r"[ ,;+]", "", CHIPS.sub("", text)):
        raise UnreadableAnswerError(f"{text!r} is not a stack; type count x value, such as 4x5 2x1 1x0.50")
    return stack


def read_amount_of(text: str) -> int:
    """Return the cents in an answer."""
    try:
        return cents(text)
    except MoneyError as error:
        raise UnreadableAnswerError(str(error)) from error


def _amount(part: QuestionPart, right: RightAnswer, text: str) -> PartGrade:
    """Grade the reading of a stack. A misread stack is not a payment, so no money is over or short."""
    return _row(right, text, wrong=not text or read_amount_of(text) != right.amount)


def _stack(part: QuestionPart, right: RightAnswer, text: str) -> PartGrade:
    stack = read_stack(text) if text else {}
    tray = [*map(cents, part.choices)]
    strange = [value for value in stack if value not in tray]
    error = total(stack) - right.amount
    reason = f"the tray has no {exactly(strange[0])} chip" if strange else right.reason
    return msgspec.structs.replace(
        _row(right, text, wrong=bool(error or strange), amount=error), reason=reason
    )


# --- choices and sequences ---


def read_choice(part: QuestionPart, text: str) -> str:
    """Return the choice that a text names, by its letter or its words."""
    lower = text.lower()
    for letter, choice in zip(ascii_lowercase, part.choices, strict=False):
        if lower in (letter, choice.lower()):
            return choice
    last = ascii_lowercase[len(part.choices) - 1]
    raise UnreadableAnswerError(f"{text!r} is not a choice; type a letter from a to {last}")


def _choice(part: QuestionPart, right: RightAnswer, text: str) -> PartGrade:
    given = read_choice(part, text) if text else ""
    return _row(right, given, wrong=right.judged and given not in (right.answer, *right.also))


def read_sequence(part: QuestionPart, text: str) -> list[int]:
    """Return the order that a text gives, as positions in the choices. Every choice comes once.

    >>> read_sequence(QuestionPart("order", SEQUENCE, ("x", "y", "z")), "b c a")
    [1, 2, 0]
    """
    letters = [one for one in text.lower() if one not in " ,;>"]
    known = ascii_lowercase[: len(part.choices)]
    if sorted(letters) != list(known):
        raise UnreadableAnswerError(
            f"type each letter from a to {known[-1]} once, in order, such as {known[::-1]}"
        )
    return [known.index(letter) for letter in letters]


def _sequence(part: QuestionPart, right: RightAnswer, text: str) -> PartGrade:
    if not text:
        return _row(right, text, wrong=True)
    shown_order = read_sequence(part, text)
    places = {part.choices.index(label): n for n, label in enumerate(right_order(part, right))}
    left = list(range(len(right.acts)))
    for position in shown_order:
        place = places[position]
        before = [n for n in left if n < place]
        broken = next((n for n in before if not _either_way(right.acts[place], right.acts[n])), None)
        if broken is not None:
            clause = broken_order(right.acts[broken], right.acts[place])
            return _row(right, text, wrong=True, clause=clause)
        left.remove(place)
    return _row(right, text, wrong=False)


def _either_way(item: DueAct, other: DueAct) -> bool:
    """True if an act may come before one that is due earlier. The order of two steps is always fixed."""
    return item.step == other.step and may_precede(item, other)


def right_order(part: QuestionPart, right: RightAnswer) -> tuple[str, ...]:
    """Return the choices in the right order."""
    return tuple(part.choices[n] for n in read_sequence(part, right.answer))


def _row(
    right: RightAnswer, given: str, *, wrong: bool, amount: int = 0, clause: str | None = None
) -> PartGrade:
    return PartGrade(
        part=right.part, given=given, right=right.answer, is_right=not wrong, amount=amount,
        clause=clause or right.clause, judged=right.judged, reason=right.reason,
    )  # fmt: skip


GRADERS: Final[dict[str, Callable[[QuestionPart, RightAnswer, str], PartGrade]]] = {
    PAYMENT: _payment,
    CHOICE: _choice,
    AMOUNT: _amount,
    STACK: _stack,
    SEQUENCE: _sequence,
}
READERS: Final[dict[str, Callable[[QuestionPart, str], object]]] = {
    PAYMENT: lambda _part, text: read_payment(text),
    CHOICE: read_choice,
    AMOUNT: lambda _part, text: read_amount_of(text),
    STACK: lambda _part, text: read_stack(text),
    SEQUENCE: read_sequence,
}
