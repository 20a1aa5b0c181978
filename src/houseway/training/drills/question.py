"""A drill's question: the facts shown, the parts to answer, and the right answers. A part is answered in
one of five forms: a payment, a choice, an amount, a stack or a sequence.

Only `Question.facts` may be shown before the answer. The kind of a question can give its answer away.
"""

from __future__ import annotations

from typing import Final

import msgspec

from houseway.engine.events import WagerSettled
from houseway.training.due_acts import DueAct

PAYMENT: Final = "payment"
"""The form of an answer that takes, pushes or pays a wager: "take", "push" or an amount."""
CHOICE: Final = "choice"
AMOUNT: Final = "amount"
STACK: Final = "stack"
"""The form of an answer in chips: "4x5 1x0.50"."""
SEQUENCE: Final = "sequence"
"""The form of an answer that puts the choices in order: "b a c"."""
LEVELS: Final = (1, 2, 3)
PLAIN: Final = "plain"
"""The last part of the kind of a payment without any difficulty."""
FIXED_WAGERS: Final = "fixed wagers"
"""The last part of the kind of a settlement whose wagers have a fixed order."""
_COMMA: Final = ", "


def kind_key(*parts: str) -> str:
    """Return the key of a kind of question, as progress is stored: "blind, straight, half-dollars"."""
    return _COMMA.join(parts)


def kind_parts(key: str) -> tuple[str, ...]:
    """Return the parts of a kind of question from its key."""
    return tuple(key.split(_COMMA))


class FeltHand(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player's hand on the felt."""

    seat: int
    cards: str = ""
    """The codes of the cards that are face up; empty if none is."""
    wagers: dict[str, int] = {}
    """Cents by wager."""
    hand: int = 1
    folded: bool = False
    down: int = 0
    """The number of cards face down."""


class FeltFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards and wagers on the felt."""

    board: str = ""
    dealer: str = ""
    hands: tuple[FeltHand, ...] = ()
    dealer_down: int = 0
    """The number of the dealer's cards that are face down."""
    exposed: dict[str, str] = {}
    """Cards that are face up by mistake, by place: "seat 3", "dealer" or "board"."""


class QuestionPart(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to answer."""

    name: str
    form: str
    choices: tuple[str, ...] = ()
    seat: int = 0
    """The seat of the wager to settle; 0 if the part is not about a wager."""
    hand: int = 1
    wager: str = ""
    label: str = ""
    """A short name, if the name is a whole question."""


class QuestionFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that is shown before the answer. It does not contain the answer."""

    drill: str
    rulebook: str
    mode: str
    difficulty: int
    asks: str
    parts: tuple[QuestionPart, ...]
    felt: FeltFacts | None = None
    notes: tuple[str, ...] = ()
    """Other facts, one sentence each."""
    scope: str = ""
    """What a payout question is about: "wager", "hand" or "table"."""
    stack: dict[int, int] = {}
    """The chips to read, as count by value in cents."""
    tables: dict[str, str] = {}
    """The pay tables in use, by wager, if the rulebook has several for a wager."""
    meters: dict[str, int] = {}
    """Cents on each progressive meter."""
    limit: int = 0
    """The most cents that the house pays for one hand; 0 if there is no limit."""


class RightAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The right answer to one part, and its clause."""

    part: str
    answer: str
    """The answer as it may be typed."""
    clause: str | None = None
    amount: int = 0
    """The right amount in cents, if the answer is an amount or a stack."""
    lines: tuple[WagerSettled, ...] = ()
    """The settled wagers, if the answer is a payment."""
    acts: tuple[DueAct, ...] = ()
    """The acts in their right order, if the answer is a sequence."""
    judged: bool = True
    """False if the document does not answer the part."""
    also: tuple[str, ...] = ()
    """Other right answers."""
    reason: str = ""
    """Why the answer is right, in a few words."""
    group: str = ""
    """The row of the results that the part counts in, such as "blind, push"."""
    place: tuple[int, int, str] = (0, 1, "")
    """The seat, hand and wager of a payment."""
    reads: str = ""
    """The player's hand, if the answer is a payment."""


class Question(msgspec.Struct, frozen=True):
    """A question of a drill."""

    kind: str
    """The kind of question that is repeated until it is known, such as "blind, straight, half-dollars"."""
    facts: QuestionFacts
    key: tuple[RightAnswer, ...]
    settled_twice: bool = False
    """True if the second settler agrees with the engine about every payment of the question."""

    @property
    def difficulty(self) -> int:
        """The level of the question: 1, 2 or 3."""
        return self.facts.difficulty
