"""The score of judged rounds, in dollars, seconds and clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

import msgspec

from houseway.engine import events as e
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.judge import RIGHT, Judgement, Verdict
from houseway.training.special_acts import CHIPS

HOUR: Final = 3_600_000
MINUTE: Final = 60_000
"""Milliseconds."""


class Score(msgspec.Struct, frozen=True):
    """The figures of some judged rounds. Amounts are in cents and times in milliseconds."""

    rounds: int
    time: int
    """From the opening of each round to its close. The time between rounds is not counted."""
    over: int
    """Paid too much, and not corrected by the trainee."""
    under: int
    """Paid too little, and not corrected by the trainee."""
    corrected: int
    """Paid wrongly in either direction, and corrected by the trainee."""
    payments: int
    """The wagers taken, pushed or paid, and those that should have been."""
    payments_right: int
    payment_time: int
    """The median time of a payment."""
    paying_time: int
    """The time of all payments."""
    hands_read: int
    """The hands that were announced. A hand counts once in a round, however often it is announced."""
    hands_read_right: int
    """The hands that were announced rightly, or corrected before anything was settled on them."""
    irregularities: int
    """The irregularities that happened."""
    reported: int
    """The irregularities that the trainee reported, late ones included."""
    conduct: int
    """The number of things that players did or said and that the document says how to handle."""
    conduct_right: int
    """The number of these things that were handled rightly and in time."""
    slips: int
    kinds: dict[str, int]
    """The number of slips of each kind."""
    clauses: dict[str, int]
    """The number of slips under each clause."""

    @property
    def gross(self) -> int:
        """Cents paid wrongly in either direction."""
        return self.over + self.under

    @property
    def net(self) -> int:
        """Cents that the players got beyond what was due."""
        return self.over - self.under

    @property
    def slips_per_round(self) -> float:
        """The slips in an average round."""
        return self.slips / self.rounds if self.rounds else 0.0

    @property
    def rounds_per_hour(self) -> float:
        """Rounds per hour. The time between rounds, in which the cards are shuffled, is not counted."""
        return self.rounds * HOUR / self.time if self.time else 0.0

    @property
    def payments_per_minute(self) -> float:
        """Payments per minute of paying time."""
        return self.payments * MINUTE / self.paying_time if self.paying_time else 0.0

    @property
    def reading_accuracy(self) -> float:
        """The share of hands read right; 1.0 if none was read."""
        return self.hands_read_right / self.hands_read if self.hands_read else 1.0


def score(judgements: Iterable[Judgement]) -> Score:
    """Return the score of judged rounds."""
    rounds = list(judgements)
    verdicts = [verdict for one in rounds for verdict in one.verdicts]
    slips = [verdict for one in rounds for verdict in one.slips]
    standing, corrected = _mispayments(rounds)
    paying = [verdict for verdict in verdicts if _is_payment(verdict)]
    hands = [right for one in rounds for right in _hands_read(one)]
    times = [took for one in rounds for took in _payment_times(one)]
    reports = [one for each in rounds for one in _reports(each)]
    answers = [one for each in rounds for one in _answers(each)]
    missed = [one for one in slips if one.kind == ch.MISSED and one.irregularity]
    unseen = [one for one in slips if one.kind == ch.UNSEEN]
    return Score(
        rounds=len(rounds),
        time=sum(map(round_time, rounds)),
        over=sum(amount for amount in standing if amount > 0),
        under=-sum(amount for amount in standing if amount < 0),
        corrected=sum(map(abs, corrected)),
        payments=len(paying),
        payments_right=sum(one.kind in (RIGHT, ch.OUT_OF_ORDER) for one in paying),
        payment_time=int(median(times)) if times else 0,
        paying_time=sum(times),
        hands_read=len(hands),
        hands_read_right=sum(hands),
        irregularities=len(reports) + len(unseen),
        reported=len(reports),
        conduct=len(answers) + len(missed),
        conduct_right=sum(one.kind == RIGHT for one in answers),
        slips=len(slips),
        kinds=dict(Counter(one.kind for one in slips)),
        clauses=dict(Counter(one.clause for one in slips if one.clause)),
    )


def _mispayments(rounds: Sequence[Judgement]) -> tuple[list[int], list[int]]:
    """Return the wrong amounts that stand, and those that were corrected, in the same round or later."""
    standing: list[tuple[tuple[int, int, str], int]] = []
    corrected: list[int] = []
    for judgement in rounds:
        fixed = {_corrected_wager(change) for one in judgement.entries for change in one.changes}
        corrected += [amount for wager, amount in standing if wager in fixed]
        standing = [(wager, amount) for wager, amount in standing if wager not in fixed]
        for verdict in judgement.slips:
            if verdict.amount and verdict.cured:
                corrected.append(verdict.amount)
            elif verdict.amount:
                standing.append((_wager(verdict), verdict.amount))
    return [amount for _, amount in standing], corrected


def _corrected_wager(change: ch.Change) -> tuple[int, int, str] | None:
    event = change.event
    return (event.seat, event.hand, event.wager) if isinstance(event, e.PaymentCorrected) else None


def _wager(verdict: Verdict) -> tuple[int, int, str]:
    """Return seat, hand and wager of a wrong amount."""
    act = verdict.act or verdict.due
    if isinstance(act, a.WagerAct):
        return act.seat, act.hand, act.wager
    return getattr(act, "seat", 0), 1, CHIPS


def _is_payment(verdict: Verdict) -> bool:
    return isinstance(verdict.act or verdict.due, a.WagerAct)


def _hands_read(judgement: Judgement) -> list[bool]:
    """Return one value for each hand that was read: True if it was read right."""
    readings: dict[tuple[object, ...], list[Verdict]] = {}
    for verdict in judgement.verdicts:
        if isinstance(verdict.act, a.ReadHand):
            readings.setdefault(verdict.act.target, []).append(verdict)
    return [_is_read_right(verdicts) for verdicts in readings.values()]


def _is_read_right(verdicts: Sequence[Verdict]) -> bool:
    misread = any(one.kind == ch.MISREAD and not one.cured for one in verdicts)
    return not misread and any(one.kind in (RIGHT, ch.OUT_OF_ORDER) or one.cured for one in verdicts)


def _reports(judgement: Judgement) -> list[Verdict]:
    """Return the verdicts on reports that named an irregularity rightly.

    A report that has to wait until the hands are dealt is made again, and counts once.
    """
    ruled = {one.number for one in judgement.entries if one.changes or one.handled is not None}
    return [
        one
        for one in judgement.verdicts
        if isinstance(one.act, a.ReportIrregularity) and one.kind in (RIGHT, ch.LATE) and one.entry in ruled
    ]


def _answers(judgement: Judgement) -> list[Verdict]:
    """Return the verdicts on the acts that answered a player, if the document says how to answer."""
    judged = {one.number for one in judgement.entries if one.answered is not None and one.answered.judged}
    return [one for one in judgement.verdicts if one.entry in judged and one.act is not None]


def round_time(judgement: Judgement) -> int:
    """Return the milliseconds from the opening of a round to its close."""
    opened = _when(judgement, e.RoundOpened)
    closed = _when(judgement, e.RoundClosed)
    return closed - opened if opened is not None and closed is not None else 0


def _when(judgement: Judgement, kind: type[e.Event]) -> int | None:
    """Return the time of the entry with an event of this kind, or None."""
    for entry in judgement.entries:
        if any(isinstance(change.event, kind) for change in entry.changes):
            return entry.time
    return None


def _payment_times(judgement: Judgement) -> list[int]:
    """Return the time from the previous input to each payment."""
    before, times = 0, []
    for entry in judgement.entries:
        if isinstance(entry.input, a.WagerAct):
            times.append(entry.time - before)
        before = entry.time
    return times
