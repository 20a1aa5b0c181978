"""Cards that did not come out of the deck or the machine.

If the dealer deals the missing card at once, the hand is not short.
"""

from __future__ import annotations

from typing import Final

from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.fold_registry import seat_of
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.working_chair import WRONG_NUMBER, WorkingChair

BOARD: Final = "board"


def deal_again(at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...]) -> bool:
    """Deal a missing card to the place that should have got it. Return False if the act is another one.

    The deal continues in sequence, so the hand is not short. Community cards have no owner: the missing one
    may also be dealt later.
    """
    if not isinstance(act, a.DealCards) or not cards:
        return False
    found = next((one for one in at.open if (one.kind, one.at) == (WRONG_NUMBER, act.place)), None)
    if found is None or act.count != _missing(at, found):
        return False
    at.apply([e.HandCured(sealed=cards, at=act.place, clause=found.clause)], ch.CURE)
    at.open.remove(found)
    at.clear_queue()
    return True


def _missing(at: WorkingChair, found: ch.OpenIrregularity) -> int:
    """Return the number of cards that a place can still be dealt in sequence; 0 if none."""
    now, place = at.state.round, found.at
    whose = "players" if seat_of(place) else place
    steps = [step for step in at.table.sections["round"] if step.act == "deal" and whose in step.to]
    if place == BOARD:
        whole = len(steps) == 1 and not steps[0].face_up and not now.up
        return max(0, at.table.board_size - len(now.board)) if whole and now.board else 0
    since = [change.event for one in at.entries if one.number > found.since for change in one.changes]
    goes_on = any(isinstance(event, e.CardsDealt | e.CardSkipped) for event in since)
    return 0 if goes_on or place not in now.skipped else max(step.each for step in steps)
