"""Carry out a due act the way the trainee did it: correctly, or with a wrong amount, hand, key or count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.decide import decide
from houseway.engine.refusals import Refusal
from houseway.rules.procedure import EXPOSED_CARD
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.due_acts import DueAct, with_real_cards

if TYPE_CHECKING:
    from houseway.training.working_chair import WorkingChair


def complete(at: WorkingChair, item: DueAct, act: a.ChairAct, cards: tuple[Card, ...]) -> None:
    """Do a due act as the trainee did it."""
    COMPLETE.get(type(act), _plain)(at, item, act, cards)


def _plain(at: WorkingChair, item: DueAct, act: Any, cards: tuple[Card, ...]) -> None:
    at.apply(item.events)


def paid_beyond(item: DueAct, act: a.WagerAct) -> int:
    """Return the cents that an act gives the player beyond what is due; negative if it gives too little."""
    back, won = sum(line.back for line in item.lines), sum(line.won for line in item.lines)
    staked = sum(line.stake for line in item.lines)
    if isinstance(act, a.Pay):
        # Beside the winnings, the player gets the stake back, unless the house keeps it by the odds.
        stake = back - won if back else staked
        return stake + total(act.chips) - back
    return (staked if isinstance(act, a.Push) else 0) - back


def _wager(at: WorkingChair, item: DueAct, act: a.WagerAct, cards: tuple[Card, ...]) -> None:
    """Take, push or pay a wager; a difference from the amount due stands until it is corrected."""
    at.apply(item.events)
    wrong = paid_beyond(item, act)
    if not wrong:
        return
    # A payment above a limit breaks the clause of the limit.
    cut = next((line.cut_clause for line in item.lines if line.cut_clause), None) if wrong > 0 else None
    clause = cut or item.clause
    paid = e.MispaymentMade(seat=act.seat, hand=act.hand, wager=act.wager, amount=wrong, clause=clause)
    at.apply([paid], ch.SLIP)
    at.slip(ch.WRONG_AMOUNT, clause, did=act, due=item.act, step=item.step, amount=wrong)


def is_misread(act: a.ReadHand, right: a.ReadHand, also: Container[str] = ()) -> bool:
    """True if a part of an announcement is wrong. `also` are other classes of hand that are right.

    The documents ask the dealer to announce the hand. None asks for "win", "lose", "push" or "qualifies",
    so these are judged only if they are announced.
    """
    result = bool(act.result and right.result and act.result != right.result)
    qualifies = None not in (act.qualifies, right.qualifies) and act.qualifies is not right.qualifies
    return (act.reads != right.reads and act.reads not in also) or result or qualifies


def _read(at: WorkingChair, item: DueAct, act: a.ReadHand, cards: tuple[Card, ...]) -> None:
    """Announce a hand."""
    right = item.act
    assert isinstance(right, a.ReadHand)
    if is_misread(act, right, item.also):
        at.slip(ch.MISREAD, item.clause, did=act, due=right, step=item.step)
    at.apply(item.events)


def _set_hand(at: WorkingChair, item: DueAct, act: a.SetHand, cards: tuple[Card, ...]) -> None:
    """Set the dealer's hand; a hand against the house way stands until it is challenged or set again."""
    right = item.act
    assert isinstance(right, a.SetHand)
    if Counter(act.cards) == Counter(right.cards):
        at.apply(item.events)
        return
    answer = decide(at.table, at.state, c.Perform(step=item.step, cards=act.cards))
    step = at.table.steps[item.step]
    clause = at.table.clause(step, "follows") or item.clause
    at.slip(ch.WRONG_HAND_SET, clause, did=act, due=right, step=item.step)
    if isinstance(answer, Refusal):
        # The dealer does not hold these cards. The hand stays unset.
        at.queue.insert(0, item)
    else:
        at.apply(answer, ch.SLIP)


def _key(at: WorkingChair, item: DueAct, act: a.Key, cards: tuple[Card, ...]) -> None:
    """Press a keypad button; a wrong one stays lit until it is pressed again."""
    right = item.act
    assert isinstance(right, a.Key)
    if act.hand == right.hand:
        turns_off = any(isinstance(event, e.AwardUnkeyed) for event in item.events)
        at.apply(item.events, ch.CURE if turns_off else ch.HOUSE)
        if turns_off:
            at.cures(ch.WRONG_KEY, act.target)
        return
    at.slip(ch.WRONG_KEY, item.clause, did=act, due=right, step=item.step)
    at.send(c.KeyAward(seat=act.seat, hand=act.hand), ch.SLIP)


def _count(at: WorkingChair, item: DueAct, act: a.CountStub, cards: tuple[Card, ...]) -> None:
    """Count the stub; after a wrong count, the trainer counts again."""
    right = item.act
    assert isinstance(right, a.CountStub)
    wrong = act.count != right.count
    if wrong:
        at.slip(ch.MISCOUNT, item.clause, did=act, due=right, step=item.step)
    void = at.state.round.void
    at.apply(item.events, ch.TRAINER if wrong else ch.HOUSE)
    if at.state.round.void != void:
        at.forget_passed()
        at.clear_queue()


def _deal(at: WorkingChair, item: DueAct, act: a.DealCards, cards: tuple[Card, ...]) -> None:
    """Deal cards to a place: as many as are due, or too few, or too many."""
    right = item.act
    assert isinstance(right, a.DealCards)
    if act.count < right.count:
        _deal_some(at, item, act, cards)
        return
    at.apply(with_real_cards(item, cards[: item.cards]).events)
    right, more = _deal_together(at, item, act, cards[item.cards :])
    for card in more:
        at.apply([_extra(item, act.place, card)], ch.SLIP)
    if act.count > right.count:
        at.slip(ch.MISCOUNT, item.clause, did=act, due=right, step=item.step)
        at.open_irregularity("wrong number", act.place)


def _deal_together(
    at: WorkingChair, item: DueAct, act: a.DealCards, cards: tuple[Card, ...]
) -> tuple[a.DealCards, tuple[Card, ...]]:
    """Deal the next cards of the same step too, if the step deals its cards together.

    Return the act with all cards that were due, and the cards that are left.
    """
    right = item.act
    assert isinstance(right, a.DealCards)
    step = at.table.steps.get(item.step)
    while step is not None and "together" in step.rules and right.count < act.count:
        at.settle_down()
        head = at.queue[0] if at.queue else None
        if head is None or head.step != item.step or not isinstance(head.act, a.DealCards):
            break
        at.queue.pop(0)
        at.apply(with_real_cards(head, cards[: head.cards]).events)
        right, cards = replace(right, count=right.count + head.act.count), cards[head.cards :]
    return right, cards


def _deal_some(at: WorkingChair, item: DueAct, act: a.DealCards, cards: tuple[Card, ...]) -> None:
    """Deal a part of the cards that are due. Community cards may come one by one; a hand stays short."""
    dealt, *rest = item.events
    assert isinstance(dealt, e.CardsDealt)
    held = dealt.sealed or dealt.face
    drawn = held[: len(held) - item.cards]
    some = (*drawn, *cards)[: act.count]
    side = "face" if dealt.face else "sealed"
    at.apply([replace(dealt, **{"count": len(some), side: some})])
    if act.place == "board":
        left = replace(dealt, **{"count": dealt.count - len(some), side: held[len(some) :]})
        more = a.DealCards(place=act.place, count=left.count)
        taken = item.cards - len(cards)
        waiting = replace(item, act=more, events=(left, *rest), cards=taken, partial=True)
        at.queue.insert(0, waiting)
        return
    at.apply([e.CardSkipped(at=act.place)], ch.SLIP)
    at.apply(rest)
    at.slip(ch.MISCOUNT, item.clause, did=act, due=item.act, step=item.step)
    at.open_irregularity("wrong number", act.place)


def _extra(item: DueAct, place: str, card: Card) -> e.ExtraDealt:
    up = any(isinstance(event, e.CardsDealt) and event.face for event in item.events)
    return e.ExtraDealt(at=place, sealed=() if up else (card,), face=(card,) if up else ())


def _burn(at: WorkingChair, item: DueAct, act: a.Burn, cards: tuple[Card, ...]) -> None:
    """Burn cards: as many as are due, or another number."""
    right = item.act
    assert isinstance(right, a.Burn)
    at.apply(with_real_cards(item, cards[: item.cards]).events)
    if len(cards) > item.cards:
        more = cards[item.cards :]
        at.apply([e.CardsBurned(count=len(more), sealed=more, clause=item.clause)], ch.SLIP)
    if act.count != right.count:
        at.slip(ch.MISCOUNT, item.clause, did=act, due=right, step=item.step)


def _turn_up(at: WorkingChair, item: DueAct, act: a.TurnUp, cards: tuple[Card, ...]) -> None:
    """Turn cards up. A community card too many is exposed.

    Community cards may be turned one by one, unless the document has them turned together.
    """
    right = item.act
    assert isinstance(right, a.TurnUp)
    turned = item.events[0] if item.events else None
    noticed = isinstance(turned, e.BoardTurned) and not item.partial and _turn_slip(at, item, act, right)
    if not isinstance(turned, e.BoardTurned) or not act.count or act.count == right.count:
        at.apply(item.events)
        return
    if act.count < right.count:
        at.apply([replace(turned, face=turned.face[: act.count])])
        left = replace(turned, face=turned.face[act.count :])
        rest = replace(right, count=len(left.face))
        at.queue.insert(0, replace(item, act=rest, events=(left, *item.events[1:]), partial=True))
        return
    at.apply(item.events)
    if not noticed:
        at.slip(ch.MISCOUNT, item.clause, did=act, due=right, step=item.step)
    at.open_irregularity(EXPOSED_CARD, "board", 1)


def _turn_slip(at: WorkingChair, item: DueAct, act: a.TurnUp, right: a.TurnUp) -> bool:
    """Record a slip if the dealer must count the community cards and turn them together, and does not.

    The sessions of old rulebooks, which do not have the rule `together`, keep their scores.
    """
    rules = at.table.steps[item.step].rules if item.step in at.table.steps else {}
    together, counted = rules.get("together"), rules.get("count")
    if together is None:
        return False
    if counted is not None and len(at.state.round.board) != counted.value:
        report = a.ReportIrregularity(kind="wrong number", at="board")
        at.slip(ch.MISCOUNT, at.table.cite(counted), did=act, due=report, step=item.step)
        return True
    if 0 < act.count < right.count:
        at.slip(ch.MISCOUNT, at.table.cite(together), did=act, due=right, step=item.step)
        return True
    return False


def _do(at: WorkingChair, item: DueAct, act: a.TakeStep, cards: tuple[Card, ...]) -> None:
    """Perform an act of the procedure; a cut may be anywhere that the rulebook allows."""
    right = item.act
    assert isinstance(right, a.TakeStep)
    if act.count is None or act.count == right.count:
        at.apply(item.events)
        return
    cut = next((event for event in item.events if isinstance(event, e.DeckCut)), None)
    name = cut.by if cut is not None else ""
    answer = decide(at.table, at.state, c.Perform(step=item.step, count=act.count, name=name))
    if cut is None and isinstance(answer, Refusal) and answer.code == "out-of-order":
        # The trainee passed over the cut, and the deck was cut by the trainer.
        least, most = at.table.book.option("cut_least") or 1, at.table.deck_size - 1
        if not least <= act.count <= most:
            clause = at.table.terms.clause("cut_least") or item.clause
            at.slip(ch.MISCOUNT, clause, did=act, due=right, step=item.step)
        at.apply(item.events)
        return
    if isinstance(answer, Refusal):
        at.slip(ch.MISCOUNT, answer.clause, did=act, due=right, step=item.step)
        at.apply(item.events, ch.TRAINER)
        return
    at.apply(answer)


COMPLETE: Final[dict[type[a.ChairAct], Callable[[WorkingChair, DueAct, Any, tuple[Card, ...]], None]]] = {
    a.Take: _wager,
    a.Push: _wager,
    a.Pay: _wager,
    a.ReadHand: _read,
    a.SetHand: _set_hand,
    a.Key: _key,
    a.CountStub: _count,
    a.DealCards: _deal,
    a.Burn: _burn,
    a.TurnUp: _turn_up,
    a.TakeStep: _do,
}
"""The function that does each kind of act. An act of any other kind cannot be done wrongly."""
