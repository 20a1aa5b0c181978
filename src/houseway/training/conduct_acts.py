"""The trainee's responses to conduct: refuse it, warn the player, let a payment stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from houseway.bots.players import DECISIONS
from houseway.cards import Card
from houseway.engine import commands as c
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.working_chair import WorkingChair

ANSWERS: Final = (
    a.Refuse, a.Warn, a.LetStand, a.CorrectPayment, a.ColourUp, a.CallFloor, a.ReportIrregularity,
)  # fmt: skip
"""The acts with which a trainee can answer conduct or an irregularity."""


def answer_player(at: WorkingChair, act: a.Refuse | a.Warn, cards: tuple[Card, ...]) -> None:
    """Refuse what a player tries, or warn the player. It is a slip if the player did nothing wrong."""
    own = [one for one in at.conduct if one.conduct.seat == act.seat and not _disputes(one)]
    one = next((one for one in own if one.judged), own[0] if own else None)
    if one is None:
        at.slip(ch.NOT_DUE, None, step=at.due_clause()[0])
        return
    close_conduct(at, one, right=not one.judged or act == one.right)


def let_stand(at: WorkingChair, act: a.LetStand, cards: tuple[Card, ...]) -> None:
    """Tell a player that a payment was right. This does not make a wrong payment right."""
    one = open_dispute(at, act)
    if one is None:
        at.slip(ch.NOT_DUE, None, step=at.due_clause()[0])
        return
    close_conduct(at, one, right=isinstance(one.right, a.LetStand))


def open_dispute(at: WorkingChair, act: a.LetStand | a.CorrectPayment) -> ch.OpenConduct | None:
    """Return the dispute that an act answers, or None."""
    wager = (act.seat, act.hand, act.wager)
    disputes = (one for one in at.conduct if _disputes(one))
    fits = (one for one in disputes if (one.conduct.seat, one.conduct.hand, one.conduct.wager) == wager)
    return next(fits, None)


def _disputes(one: ch.OpenConduct) -> bool:
    return isinstance(one.right, a.LetStand | a.CorrectPayment)


def close_conduct(at: WorkingChair, one: ch.OpenConduct, *, right: bool = True) -> None:
    """Close conduct that the trainee has answered; a wrong or a late answer is a slip."""
    at.conduct.remove(one)
    at.answered = one
    conduct = one.conduct
    facts = {"irregularity": conduct.kind, "at": f"seat {conduct.seat}"}
    if not right:
        at.slip(ch.WRONG_HANDLING, one.clause, due=one.right, **facts)
    elif one.judged and acts_since(at, one.since):
        at.slip(ch.LATE, one.clause, due=one.right, **facts)
    if isinstance(conduct.tries, DECISIONS):
        # The player decides again when asked.
        at.decisions.pop(conduct.seat, None)
    if conduct.then is not None and at.send(conduct.then, ch.PLAYER):
        at.clear_queue()


def acts_since(at: WorkingChair, since: int) -> bool:
    """True if the trainee did something else after an entry. Other answers and floor calls do not count."""
    return any(
        entry.number > since
        and isinstance(entry.input, a.ChairAct)
        and not isinstance(entry.input, a.CallFloor)
        and entry.handled is None
        and entry.answered is None
        for entry in at.entries
    )


def put_right(at: WorkingChair, act: a.ChairAct) -> None:
    """Let the trainer return a bet that the table does not take, if the trainee continues without refusing.

    The player then bets rightly, as the floor would order.
    """
    if isinstance(act, ANSWERS) or at.state.round.betting != "open":
        return
    for one in [one for one in at.conduct if isinstance(one.conduct.tries, c.Bet)]:
        at.lapse(one)
        if one.conduct.then is not None and at.send(one.conduct.then, ch.TRAINER):
            at.clear_queue()


def drop_decisions(at: WorkingChair) -> None:
    """Close decisions out of turn that took effect because the trainee did not refuse them."""
    for one in [one for one in at.conduct if isinstance(one.conduct.tries, DECISIONS)]:
        if one.conduct.seat not in at.decisions:
            at.lapse(one)


CONDUCT_ACTS: Final[dict[type[a.ChairAct], Callable[[WorkingChair, Any, tuple[Card, ...]], None]]] = {
    a.Refuse: answer_player,
    a.Warn: answer_player,
    a.LetStand: let_stand,
}
"""The handlers of the acts that only answer conduct."""
