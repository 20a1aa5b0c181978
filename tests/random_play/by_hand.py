"""A person's way to deal: one place at a time, one seat at a time, and awards keyed on the keypad."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from houseway.engine import commands as c
from houseway.engine.command_helpers import Answer
from houseway.engine.dealer_act import Act
from houseway.engine.refusals import Refusal
from houseway.engine.showdown_acts import progressive_hand, settler

if TYPE_CHECKING:
    from random_play.rounds import Rounds


def deal_by_hand(at: Rounds, act: Act) -> Answer:
    """Deal one place at a time."""
    step = at.table.steps[act.step]
    if not act.cards:
        return at.by_machine(act)
    count = step.each - len(at.state.round.drawn)
    while count <= 0:
        count += step.each
    return at.off_deck(act.command, at.places(act)[:count])


def settle_by_hand(at: Rounds, act: Act) -> Answer:
    """Settle one seat at a time; awards are keyed first, sometimes wrongly."""
    answer: Answer = Refusal("nobody", None, act.step, "no seat is left to settle")
    numbers = list(at.state.seats)
    if at.table.passes[at.table.steps[act.step].pass_name].from_right:
        numbers.reverse()
    for number in numbers:
        answer = at.send(c.Perform(step=act.step, seat=number))
        if isinstance(answer, Refusal) and answer.code == "award-not-keyed":
            return key(at, number)
        if not isinstance(answer, Refusal) or answer.code != "out-of-order":
            return answer
    return answer


def key(at: Rounds, number: int) -> Answer:
    """Press the button of a seat's award. If another button is lit, turn it off first."""
    pressed = at.state.round.keyed.get(number)
    if pressed is not None:
        return at.send(c.KeyAward(seat=number, hand=pressed))
    settling = settler(at.table, at.state)
    spot = next(s for s in settling.spots if s.hand.seat == number)
    hand = progressive_hand(at.table, settling, spot)
    step = next(s for s in at.table.sections["round"] if "keyed" in s.rules)
    if "unkeyed" in step.rules and at.rng.random() < 0.2:
        hand = at.rng.choice(at.table.terms.order)
    return at.send(c.KeyAward(seat=number, hand=hand))


def cut_by_hand(at: Rounds, act: Act) -> Answer:
    """Cut at any position."""
    least = at.book.option("cut_least") or 1
    count = at.rng.randint(least, at.table.deck_size - 1)
    return at.send(c.Perform(step=act.step, count=count, name=act.name))


def set_dealer_by_hand(at: Rounds, act: Act) -> Answer:
    """Keep any two of the dealer's cards, by the house way or not."""
    four = at.state.round.dealer
    return at.send(c.Perform(step=act.step, cards=tuple(at.rng.sample(four, min(2, len(four))))))


def folds_by_hand(at: Rounds, act: Act) -> Answer:
    """Take one fold at a time."""
    numbers = list(at.state.seats)
    if at.rng.random() < 0.5:
        numbers.reverse()
    answer: Answer = Refusal("nobody", None, act.step, "no seat has folded")
    for number in numbers:
        answer = at.send(c.Perform(step=act.step, seat=number))
        if not isinstance(answer, Refusal) or answer.code != "out-of-order":
            return answer
    return answer


BY_HAND: dict[str, Callable[[Rounds, Act], Answer]] = {
    "deal": deal_by_hand,
    "settle": settle_by_hand,
    "cut": cut_by_hand,
    "set dealer": set_dealer_by_hand,
    "take folds": folds_by_hand,
}
"""The acts that a person performs differently from the automatic dealer."""
