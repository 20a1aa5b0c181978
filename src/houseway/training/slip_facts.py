"""Facts about slips that the score sheet and the review show: the seat, the cents paid and the drill."""

from __future__ import annotations

from typing import Final

from houseway.engine.fold_registry import seat_of
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.judge import Verdict
from houseway.wording import with_article

PAYOUTS, HANDS, ORDER, NEXT, RULINGS = "payouts", "hands", "order", "next", "rulings"
DONE: Final = {"Take": "taken", "Push": "pushed", "Pay": "paid"}
"""The acts on a wager, as words for what was done."""
DRILLS: Final = {
    ch.MISREAD: HANDS,
    ch.UNSEEN: RULINGS,
    ch.LATE: RULINGS,
    ch.WRONG_REPORT: RULINGS,
    ch.WRONG_HANDLING: RULINGS,
    ch.WRONG_RULING: RULINGS,
    ch.NEEDLESS_CALL: RULINGS,
    ch.MISSED_CALL: RULINGS,
}
"""The drills for slips that are not about a wager or an amount, by kind. For any other kind, it is the
drill of the next act."""


def seat_of_verdict(verdict: Verdict) -> int:
    """Return the seat that a verdict is about; 0 if it is about none."""
    for act in (verdict.act, verdict.due):
        place = str(getattr(act, "place", "") or getattr(act, "what", ""))
        seat = int(getattr(act, "seat", 0)) or seat_of(" ".join(place.split()[:2]))
        if seat:
            return seat
    return seat_of(verdict.at)


def wager_of(verdict: Verdict) -> str:
    """Return the wager that a verdict is about; empty if it is about none."""
    return next((act.wager for act in (verdict.due, verdict.act) if isinstance(act, a.WagerAct)), "")


def paid_cents(verdict: Verdict) -> int:
    """Return the cents that the trainee paid; 0 if the act was no payment."""
    return total(verdict.act.chips) if isinstance(verdict.act, a.Pay) else 0


def drill_for(verdict: Verdict) -> str:
    """Return the drill that practises what went wrong."""
    if verdict.kind == ch.OUT_OF_ORDER:
        return ORDER
    if wager_of(verdict) or verdict.amount:
        return PAYOUTS
    return DRILLS.get(verdict.kind, NEXT)


def slip_heading(verdict: Verdict, reading: a.ReadHand | None = None) -> str:
    """Return a slip in a few words; `reading` is the right reading of the hand that it is about.

    >>> paid = a.Pay(seat=2, wager="blind", chips={500: 2})
    >>> slip = Verdict(kind="wrong amount", entry=1, time=0, act=paid,
    ...     due=a.Push(seat=2, wager="blind"), amount=1000)
    >>> slip_heading(slip, a.ReadHand(place="seat 2", reads="pair", result="win"))
    'blind paid on a pair'
    >>> slip_heading(slip, a.ReadHand(place="seat 2", reads="pair", result="tie"))
    'blind paid in a tie'
    """
    act, due = verdict.act, verdict.due
    if not isinstance(act, a.WagerAct) or not isinstance(due, a.WagerAct) or act.wager != due.wager:
        return verdict.kind
    wager, done = due.wager.replace("_", " "), DONE[type(act).__name__]
    if type(act) is type(due):
        direction = "overpaid" if verdict.amount > 0 else "underpaid"
        return f"{wager} {direction}" if verdict.amount else verdict.kind
    if isinstance(due, a.Push) and reading is not None and reading.result == "tie":
        return f"{wager} {done} in a tie"
    if isinstance(due, a.Push) and reading is not None and reading.result == "win":
        return f"{wager} {done} on {with_article(reading.reads)}"
    return f"{wager} {done} instead of {DONE[type(due).__name__]}"
