"""The chip drill: make an amount with the chips of the tray, and read a stack."""

from __future__ import annotations

from houseway.engine.table import Table
from houseway.money import dollars, exactly
from houseway.shoe.seeded_draws import RandomSource
from houseway.training.chips import make, total, tray_values
from houseway.training.drills.question import (
    AMOUNT,
    STACK,
    Question,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
)
from houseway.training.words import stack_words
from houseway.wording import several

CHIPS = "chips"
LARGEST = {1: 10_000, 2: 50_000, 3: 500_000}
"""The largest amount of each level, in cents."""
MOST_CHIPS = {1: 6, 2: 12, 3: 20}
"""The most chips of one value in a stack, by level."""


def chip_question(table: Table, draws: RandomSource, level: int) -> Question:
    """Return an amount to make, or a stack to read."""
    values = tray_values(table)
    return (_make if draws.random() < 0.5 else _read)(table, draws, level, values)


def _make(table: Table, draws: RandomSource, level: int, values: tuple[int, ...]) -> Question:
    smallest = min(values) if level > 1 else next((v for v in sorted(values) if v % 100 == 0), min(values))
    amount = smallest * draws.randrange(1, LARGEST[level] // smallest + 1)
    stack = make(values, amount)
    typed = " ".join(f"{count}x{dollars(value)}" for value, count in stack.items())
    right = RightAnswer(part="chips", answer=typed, amount=amount, reason=stack_words(stack))
    part = QuestionPart("chips", STACK, tuple(map(dollars, values)))
    kind = f"make, {'half-dollars' if amount % 100 else 'whole dollars'}, {_size(len(stack))}"
    return _question(table, level, f"Make {exactly(amount)} with chips.", part, right, kind)


def _read(table: Table, draws: RandomSource, level: int, values: tuple[int, ...]) -> Question:
    colours = draws.sample(values, min(level + 1, len(values)))
    stack = {value: draws.randrange(1, MOST_CHIPS[level] + 1) for value in sorted(colours, reverse=True)}
    amount = total(stack)
    right = RightAnswer(part="amount", answer=exactly(amount), amount=amount)
    part = QuestionPart("amount", AMOUNT)
    kind = f"read, {'half-dollars' if amount % 100 else 'whole dollars'}, {_size(len(stack))}"
    return _question(table, level, "How much is this stack?", part, right, kind, stack)


def _size(colours: int) -> str:
    return several(colours, "colour")


def _question(
    table: Table, level: int, asks: str, part: QuestionPart, right: RightAnswer, kind: str,
    stack: dict[int, int] | None = None,
) -> Question:  # fmt: skip
    facts = QuestionFacts(
        drill=CHIPS, rulebook=table.book.id, mode=table.mode, difficulty=level, asks=asks, parts=(part,),
        notes=(f"{stack_words(stack)}.",) if stack else (), stack=stack or {},
    )  # fmt: skip
    return Question(kind, facts, (right,))
