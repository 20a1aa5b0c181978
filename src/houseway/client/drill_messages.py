"""Messages of the drills: start one, answer a question, get the grade and the next question.

No message about an unanswered question has a field for its key or its kind, because both give the answer
away.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from houseway.client.messages import BettingSpot, Reply, Request, TableInUse

DrillName = Literal["payouts", "hands", "order", "next", "rulings", "chips"]
DrillScope = Literal["", "wager", "hand", "table"]
DrillForm = Literal["payment", "choice", "amount", "stack", "sequence"]
DrillJudgement = Literal["right", "late", "wrong"]
ShortText = Annotated[str, Meta(max_length=100)]


class StartDrill(Request, frozen=True):
    """Start a drill."""

    rulebook: ShortText
    drill: DrillName
    scope: DrillScope = ""
    """What payout questions are about; empty for any."""
    mode: ShortText = ""
    """The deal mode; empty for every mode of the rulebook."""
    seed: ShortText = ""
    """With the same seed, questions that are not repeats are the same; empty for a random seed."""


class AnswerDrill(Request, frozen=True):
    """Answer a question, or one wager of it."""

    step: Annotated[int, Meta(ge=0, le=10**6)]
    """The step of the drill that the answer belongs to. A repeated request gets the same reply."""
    answers: Annotated[dict[ShortText, Annotated[str, Meta(max_length=1000)]], Meta(max_length=40)]
    """The answers by part. A payout question takes one wager at a time, other questions all parts."""
    time: Annotated[int, Meta(ge=0, le=10**9)] = 0
    """Milliseconds since the question, or this wager, was shown."""


class DrillChoice(Reply, frozen=True):
    """A drill that can be started, with the person's progress in it."""

    drill: DrillName
    title: str
    about: str
    count: int
    """The number of answers of one drill."""
    level: int = 1
    known: int = 0
    """The number of kinds that the person has answered."""
    due: int = 0
    """The number of kinds that are due again."""
    weak: tuple[str, ...] = ()
    """The kinds whose last answer was wrong."""


class DrillMenu(Reply, frozen=True):
    """The drills of a rulebook."""

    rulebook: str
    title: str
    modes: tuple[str, ...]
    drills: tuple[DrillChoice, ...]
    next_due: str = ""
    """When the next kind is due, if none is due now."""


class DrillCircle(BettingSpot, frozen=True):
    """A betting spot of a drill's table."""


class DrillHand(Reply, frozen=True):
    """A player's hand on the felt."""

    seat: int
    hand: int = 1
    cards: tuple[str, ...] = ()
    """The cards that are face up."""
    down: int = 0
    """The number of cards face down."""
    folded: bool = False
    wagers: dict[str, int] = field(default_factory=dict)
    """Cents by wager."""
    reads: str = ""
    """The hand in words, if the dealer has read it."""


class DrillFelt(Reply, frozen=True):
    """The cards and wagers on the felt."""

    board: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    dealer_down: int = 0
    dealer_reads: str = ""
    exposed: tuple[str, ...] = ()
    """Cards that are face up by mistake."""
    hands: tuple[DrillHand, ...] = ()


class DrillPart(Reply, frozen=True):
    """One thing to answer."""

    name: str
    title: str
    form: DrillForm
    choices: tuple[str, ...] = ()
    seat: int = 0
    hand: int = 1
    wager: str = ""


class DrillMeter(Reply, frozen=True):
    """A progressive meter."""

    wager: str
    """The wager that it belongs to."""
    title: str
    name: str
    """The meter's name, such as "main"."""
    cents: int


class DrillQuestion(Reply, frozen=True):
    """A question, without its answer."""

    number: int
    asks: str
    mode: str
    level: int
    parts: tuple[DrillPart, ...]
    scope: DrillScope = ""
    """What a payout question is about."""
    notes: tuple[str, ...] = ()
    """Other facts, one sentence each. A payout question has the facts of the next three fields here."""
    tables: tuple[TableInUse, ...] = ()
    """The pay tables in use, if the rulebook has several for a wager."""
    meters: tuple[DrillMeter, ...] = ()
    limit: int = 0
    """The most cents that the house pays for one hand; 0 if there is no limit."""
    speech: tuple[str, ...] = ()
    """The question for a screen reader."""
    felt: DrillFelt | None = None
    stack: dict[int, int] = field(default_factory=dict)
    """The chips to read, as count by value in cents."""
    repeats: bool = False
    """True if its kind was due again."""


class DrillPartGrade(Reply, frozen=True):
    """The grade of one part."""

    part: str
    is_right: bool
    given: str
    """The answer in words, such as "paid $100.00"."""
    sentence: str
    judged: bool = True
    """False if the document does not answer the part."""
    again: bool = False
    """True if the answer was wrong and the part can be answered once more."""
    right: str = ""
    sum: str = ""
    """How the right amount is computed."""
    amount: int = 0
    """Cents beyond the right amount, to the player."""
    paid: int = 0
    """Cents that are paid on the wager once it is settled rightly."""
    clause: str | None = None
    time: int = 0
    late: bool = False
    order: tuple[str, ...] = ()
    """The choices in the right order, for an answer that is an order."""


class DrillGroup(Reply, frozen=True):
    """The answers of one kind."""

    group: str
    right: int
    answered: int
    median: int


class DrillFigures(Reply, frozen=True):
    """The figures of a drill."""

    answered: int
    right: int
    late: int
    median: int
    per_minute: float
    groups: tuple[DrillGroup, ...]


class DrillMiss(Reply, frozen=True):
    """The last wrong answer."""

    number: int
    title: str
    sentence: str
    clause: str | None = None


class DrillProgress(Reply, frozen=True):
    """The answers of a drill so far."""

    marks: tuple[DrillJudgement, ...]
    """A judgement for each answer, in order."""
    figures: DrillFigures
    miss: DrillMiss | None = None
    level: int = 1


class DrillSummary(Reply, frozen=True):
    """The result of a finished drill."""

    over: int
    """Cents paid beyond what was due."""
    short: int
    """Cents paid too little."""
    weak: tuple[str, ...]
    """The kinds whose last answer was wrong."""
    level: int


class DrillState(Reply, frozen=True):
    """A drill with its current question."""

    session: str
    rulebook: str
    title: str
    drill: DrillName
    scope: DrillScope
    mode: str
    count: int
    step: int
    tray: tuple[int, ...]
    """The chip values in cents, smallest first."""
    circles: tuple[DrillCircle, ...]
    progress: DrillProgress
    question: DrillQuestion | None = None
    """The current question; absent if the drill is finished."""
    settled: tuple[DrillPartGrade, ...] = ()
    """The grades of the current question's wagers so far."""
    summary: DrillSummary | None = None


class DrillReply(Reply, frozen=True):
    """The grade of an answer, and the next question if the answer completed one."""

    step: int
    """The step of the next answer."""
    parts: tuple[DrillPartGrade, ...]
    progress: DrillProgress
    complete: bool
    """True if every part of the question is answered."""
    next: DrillQuestion | None = None
    summary: DrillSummary | None = None
    """The result, if the drill is finished."""
