"""One error at any act of a round is found, under every rulebook and in both deal modes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from houseway.rules.loader import rulebook_ids
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.judge import judge
from houseway.training.mistakes.mistake_moments import is_waiting, required_after
from houseway.training.model_dealer import right_act
from random_play.chance import modes_of
from training.sessions import Session

PLACES = [(book, mode) for book in rulebook_ids() for mode in modes_of(book)]
ROUNDS = 24
BETWEEN = ("open", "close")
"""Without these steps there is no round."""


def leave_out(at: Session, act: a.ChairAct) -> a.ChairAct | None:
    """The act after the one that is left out; None if it must not be left out here."""
    between = isinstance(act, a.TakeStep) and act.what in BETWEEN
    # The next community cards would count as these.
    board = isinstance(act, a.PlaceAct) and act.place == "board"
    reports = isinstance(act, a.Ask | a.ReportIrregularity | a.CallFloor | a.Key)
    if between or board or reports or not at.chair.queue or at.chair.queue[0].optional:
        return None
    return at.chair.queue[0].act if is_waiting(at, act) else required_after(at)


def wrong_amount(at: Session, act: a.ChairAct) -> a.ChairAct | None:
    """The wager paid 50 cents too much; a wager that is not paid is paid 50 cents."""
    if not isinstance(act, a.WagerAct):
        return None
    due = total(act.chips) if isinstance(act, a.Pay) else 0
    target: dict[str, Any] = {
        "seat": act.seat,
        "hand": act.hand,
        "wager": act.wager,
        "tip": act.tip,
        "of": act.of,
    }
    return a.Pay(**target, chips={50: 1, 1: due})


def misread(at: Session, act: a.ChairAct) -> a.ChairAct | None:
    """Another class of hand."""
    if not isinstance(act, a.ReadHand):
        return None
    other = next(name for name in at.table.terms.order if name != act.reads)
    return a.ReadHand(place=act.place, hand=act.hand, reads=other, result=act.result)


def extra_burn(at: Session, act: a.ChairAct) -> a.ChairAct | None:
    """A card burned although none is due, while cards are in play."""
    in_play = at.state.round.betting == "closed" and bool(at.state.round.out)
    return None if not in_play or isinstance(act, a.Burn | a.Ask) else a.Burn()


Error = Callable[[Session, a.ChairAct], "a.ChairAct | None"]
FOUND: list[tuple[Error, set[str]]] = [
    # If two players are left, the dealer's two cards in a row may count as one too many.
    (leave_out, {ch.MISSED, ch.OUT_OF_ORDER, ch.NOT_DUE}),
    (wrong_amount, {ch.WRONG_AMOUNT}),
    (misread, {ch.MISREAD}),
    # If no player decides in between, it may count as the next burn, made before cards are turned up.
    (extra_burn, {ch.NOT_DUE, ch.OUT_OF_ORDER, ch.MISSED}),
]


@pytest.mark.parametrize(("error", "kinds"), FOUND, ids=[error.__name__ for error, _ in FOUND])
@pytest.mark.parametrize(("rulebook", "mode"), PLACES)
def test_one_error_at_any_act_is_found(rulebook: str, mode: str, error: Error, kinds: set[str]) -> None:
    rng = Random(f"{error.__name__} {rulebook} {mode}")
    planted: Counter[str] = Counter()
    for seed in range(ROUNDS):
        at = Session(rulebook, mode, 100 + seed, seats=1 + seed % 3)
        wait = rng.randrange(60)
        made: list[a.ChairAct] = []

        def choose(at: Session, wait: int = wait, made: list[a.ChairAct] = made) -> a.ChairAct | None:
            right = right_act(at.table, at.chair)
            if right is None or len(at.chair.entries) < wait:
                return None
            if made and error is leave_out and right.target == made[0].target:
                # Never done, even if its turn comes again.
                if is_waiting(at, right):
                    return at.chair.queue[0].act
                called = any(isinstance(one.act, a.CallFloor) for one in at.chair.early)
                # An act that may wait is due beside the queue, and not at its head.
                first = int(at.chair.queue[0].is_done_by(right)) if at.chair.queue else 1
                after = (required_after(at, count) for count in range(first, 4))
                return next(act for act in after if not (called and isinstance(act, a.CallFloor)))
            if made:
                return None
            wrong = error(at, right)
            if wrong is not None:
                made.append(right)
            return wrong

        at.play_round(choose)
        if made:
            planted[type(made[0]).__name__] += 1
            judged = judge(at.table, at.chair)
            found = [slip.kind for slip in judged.slips]
            assert set(found) & kinds, (made, found)
            # Nothing else is blamed, except what follows from the error.
            assert set(found) <= {*kinds, ch.UNSEEN, ch.LATE, ch.MISSED_CALL}, (made, found)
            assert all(slip.clause for slip in judged.slips if slip.kind in (ch.MISREAD, ch.WRONG_AMOUNT))
    reads = any(step.act == "reveal" for step in at.table.steps.values()) and not at.table.shootout
    assert planted or (error is misread and not reads)
