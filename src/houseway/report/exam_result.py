"""The result of an exam: each measure with its limit, the slips, the categories and the record's head.

Everything in it is plain data: numbers, texts and lists.
"""

from __future__ import annotations

from typing import Final

import msgspec

DOLLARS, SECONDS, CLAUSES = "dollars", "seconds", "clauses"
COLUMNS: Final = (DOLLARS, SECONDS, CLAUSES)
"""The columns of a score sheet."""
RUNNING: Final = "running"
FINISHED: Final = "finished"
OUT_OF_TIME: Final = "out of time"
ABORTED: Final = "aborted"
"""The states of an exam."""
UNDER_PRESSURE: Final = "Under pressure"
"""The category that counts acts again that are in another category too."""
SELF_ADMINISTERED: Final = "self-administered"


def is_within(value: float, limit: float | None, *, at_least: bool) -> bool:
    """True if a value is within its limit, or there is no limit."""
    if limit is None:
        return True
    return value >= limit if at_least else value <= limit


class ExamMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """One measure of an exam, with its limit."""

    name: str
    """The key of its limit in the exam's file."""
    column: str
    label: str
    shown: str
    """The value as the sheet prints it."""
    detail: str = ""
    limit_shown: str = ""
    """The limit in words; empty if there is none."""
    value: float
    limit: float | None = None
    at_least: bool = False
    """True if the value must not be below the limit; False if it must not be above it."""

    @property
    def passed(self) -> bool:
        """True if the value is within its limit, or there is no limit."""
        return is_within(self.value, self.limit, at_least=self.at_least)

    @property
    def bar(self) -> tuple[float, float]:
        """The lengths of the bar and of the part before the limit's tick, as shares of the whole line."""
        limit = self.limit if self.limit else 0.0
        whole = max(2.0 * limit, 1.25 * self.value) if not self.at_least else max(1.8 * limit, self.value)
        if not whole:
            return 0.0, 0.0
        return min(1.0, max(0.0, self.value / whole)), limit / whole


class ShownCards(msgspec.Struct, frozen=True):
    """Cards that a slip is about, as codes such as "As", and their place."""

    place: str
    cards: tuple[str, ...]
    owner: str = ""
    """"seat", "dealer" or "board"."""


class SlipLine(msgspec.Struct, frozen=True, kw_only=True):
    """One slip, as the sheet prints it."""

    round: int
    kind: str
    did: str
    """The act of the trainee; empty if an act was never done."""
    right: str
    """The act that the document asks for; empty if nothing was due."""
    heading: str = ""
    """The slip in a few words, such as "blind paid on a pair"; empty in results of older versions."""
    sentence: str
    """Both in one sentence."""
    amount: int = 0
    clause: str = ""
    says: str = ""
    """The sentence of the clause."""
    document: str = ""
    """The short name of the clause's document."""
    section: str = ""
    """The section of the clause, as the document prints it: "9(h)(2)"."""
    cured: bool = False
    seat: int = 0
    """The seat that it is about; 0 if it is about none."""
    cards: tuple[ShownCards, ...] = ()
    """The cards of that seat, of the dealer and of the board that were turned up in the round."""
    wager: str = ""
    stake: int = 0
    shape: str = ""
    """The shape of the wager's place on the layout: "circle", "diamond" or "sensor"."""
    paid: int = 0
    """The cents that the trainee paid; 0 if the act was no payment."""
    drill: str = ""
    """The drill that practises it, such as "payouts"."""


class Category(msgspec.Struct, frozen=True, kw_only=True):
    """A category of an audition."""

    name: str
    points: int | None
    """1 to 10; None if no act was judged, or if the program cannot see it."""
    seen: bool = True
    """False if the program cannot see it, so that the examiner fills it in."""
    right: int = 0
    judged: int = 0


class Incident(msgspec.Struct, frozen=True):
    """Something that happened to the exam itself: a lost connection, a reconnection, an abort."""

    time: int
    kind: str
    why: str = ""


class EarlierAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier attempt of the same person at the same exam."""

    started: str
    outcome: str
    """"passed", "not passed", "aborted", "out of time", or "not finished" if it never ended."""
    record: str = ""


class ErasedAttempts(msgspec.Struct, frozen=True, kw_only=True):
    """The exams that the same person started, and erased before this one."""

    count: int
    """The number of exams of all kinds; 0 if none was counted."""
    at: str
    """The time of the last erasure."""


class RoundTime(msgspec.Struct, frozen=True, kw_only=True):
    """The time that a round took, and its slips."""

    time: int
    slips: int = 0
    late: bool = False
    """True if the only slips of the round are late reports."""
    over_time: bool = False


class ExamResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an exam. Amounts are in cents and times in milliseconds."""

    exam: str
    """The id of the exam."""
    title: str
    exam_hash: str
    rulebook: str
    rulebook_title: str
    rulebook_hash: str
    game: str
    mode: str
    players: int
    rounds: int
    """The number of rounds that the exam has."""
    finished: int
    """The number of rounds that were closed."""
    trainee: str
    examiner: str
    """The examiner's name; "self-administered" if there is none."""
    started: str
    ended: str
    """Dates and times in the form 2026-11-16T14:02:00Z."""
    outcome: str
    passed: bool
    certificate: bool
    """True if the exam gives a certificate, this result passed it, and an examiner gave it."""
    measures: tuple[ExamMeasure, ...]
    failures: tuple[str, ...]
    """The automatic failures, as sentences."""
    slips: tuple[SlipLine, ...]
    categories: tuple[Category, ...]
    round_times: tuple[RoundTime, ...]
    irregularities: tuple[str, ...]
    """The irregularities of the rulebook that happened, as the numbers and kinds of its rows."""
    absent: tuple[str, ...] = ()
    """The irregularities that did not happen, if the exam asks for every one of them."""
    impossible: tuple[str, ...] = ()
    """The irregularities that can never happen under this document, each with the reason."""
    incidents: tuple[Incident, ...] = ()
    earlier: tuple[EarlierAttempt, ...] | None = None
    """The earlier attempts; None if they were not counted."""
    erased: ErasedAttempts | None = None
    """The attempts that the trainee erased; None if the trainee never erased anything."""
    seed_known: bool = False
    """True if the trainee chose the seed, to rehearse."""
    commitment: str
    """SHA-256 of the seed and the salt; published before the first round."""
    seed: str
    salt: str
    record: str = ""
    """The head of the record: SHA-256 of its file."""
    terms: tuple[str, ...] = ()
    """The terms of the table in words: its deal mode, pay tables, limits and house settings."""
    terms_hash: str = ""
    """SHA-256 of the terms, as JSON with sorted keys."""
    rulebook_note: str = ""
    """A sentence if the exam was judged under a rulebook text that differs from the installed one."""

    @property
    def score(self) -> int:
        """The share of judged acts that were right, in percent, rounded down."""
        counted = [one for one in self.categories if one.name != UNDER_PRESSURE]
        judged = sum(one.judged for one in counted)
        right = sum(one.right for one in counted)
        return 100 * right // judged if judged else 0

    @property
    def outside(self) -> tuple[ExamMeasure, ...]:
        """The measures outside their limits."""
        return tuple(one for one in self.measures if not one.passed)
