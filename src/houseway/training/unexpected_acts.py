"""Acts that are not due: acts that come too early, and acts that have no place in the round."""

from __future__ import annotations

from typing import Any, Final

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.deal_acts import stub
from houseway.engine.fold_registry import seat_of
from houseway.engine.irregularities import face_down_cards
from houseway.engine.turn_order import due
from houseway.rules.procedure import EXPOSED_CARD, Step
from houseway.training import acts as a
from houseway.training import chair as ch
from houseway.training.chips import total
from houseway.training.completion import is_misread
from houseway.training.conduct_acts import close_conduct, open_dispute
from houseway.training.due_acts import BY_STEP, WITH_THINGS, also_right, contest, count_events, hand_class
from houseway.training.free_order import may_come_now
from houseway.training.happenings import must_count, wrong_count
from houseway.training.keypad_presses import press_wrong_key
from houseway.training.working_chair import WorkingChair, wager_key

LATER: Final[dict[type[a.ChairAct], tuple[str, ...]]] = {
    a.Burn: ("burn",),
    a.TakeFold: ("take folds",),
    a.SetHand: ("set dealer",),
}
"""For acts without a place: the procedure steps that they belong to, by the name of the step's act."""

BUTTONS: Final = {"lock": "progressive", "reset": "progressive", "show payouts": "cover_all"}
"""The steps that press a button for a side bet, with that bet."""


def act_beyond(at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...]) -> bool:
    """Do an act that is early: the document lets it come now, or the players must decide first.

    Return False for other acts. The act counts when its turn comes. Community cards and dealer's cards that
    it shows are exposed.
    """
    seats = at.to_ask()
    now = due(at.table, at.state)
    if now is None:
        return False
    if isinstance(act, a.TakeStep) and may_come_now(at.table, act, now.step):
        if all(one.act != act for one in at.early):
            at.early.append(ch.EarlyAct(act))
            return True
        return False
    if not seats:
        return False
    first = not leaves_players_out(at)
    if not _comes_after(at, act, now.step, first=first):
        return False
    if first:
        clause = at.table.clause(now.step, "waits") or at.table.clause(now.step)
        slip_before_decision(at, ch.OUT_OF_ORDER, clause, seats[0], now.step.name)
    at.early.append(ch.EarlyAct(act, cards))
    if isinstance(act, a.PlaceAct) and act.place == "board":
        drawn = tuple(card for one in at.early for card in one.cards)
        at.open_irregularity("premature flop", cards=drawn)
    elif isinstance(act, a.TurnUp) and act.place == "dealer":
        at.open_irregularity(EXPOSED_CARD, "dealer", 1)
    return True


def leaves_players_out(at: WorkingChair) -> bool:
    """True if the trainee has continued before the players have decided.

    A call to the floor and a step that the document lets come early leave nobody out.
    """
    steps = at.table.sections["round"]
    free = {what for step in steps if step.free_from for what in (step.act, step.name)}
    acts = (one.act for one in at.early)
    return any(
        not isinstance(act, a.CallFloor) and not (isinstance(act, a.TakeStep) and act.what in free)
        for act in acts
    )


def decide_for_players(at: WorkingChair) -> bool:
    """Continue without players who have not decided: the rulebook's default decides for them.

    Return False if it cannot decide for one of them.
    """
    step, clause = at.due_clause()
    if not at.to_ask():
        return False
    while seats := at.to_ask():
        number = seats[0]
        place = f"seat {number}"
        if at.send(c.ActFor(by="supervisor", seat=number), ch.TRAINER):
            slip_before_decision(at, ch.MISSED, clause, number, step, did=None)
        elif not at.send(c.Report(kind="wrong number", at=place), ch.TRAINER):
            return False
        else:
            # A hand with a wrong number of cards has no decision.
            at.open = [one for one in at.open if (one.kind, one.at) != ("wrong number", place)]
            facts = {"irregularity": "wrong number", "at": place, "did": None}
            at.slip(ch.UNSEEN, at.changes[-1].event.clause, **facts)
    at.settle_down()
    return True


def slip_before_decision(
    at: WorkingChair, kind: str, clause: str | None, seat: int, step: str, **facts: Any
) -> None:
    """Record a slip of a trainee who continues although a player must decide first.

    If the player was asked already, the trainee had to wait.
    """
    at.slip(kind, clause, due=a.Ask(seat=seat), step=step, waits=seat in at.asked, **facts)


def _comes_after(at: WorkingChair, act: a.ChairAct, asking: Step, *, first: bool) -> bool:
    """True if an act belongs to a step between these decisions and the next ones.

    After the first such act, only acts on cards count as early. With any other act, the trainee continues
    without the players.
    """
    steps = at.table.sections["round"]
    after = steps[steps.index(asking) + 1 :]
    asks = next((n for n, step in enumerate(after) if step.act == "ask"), len(after))
    between = after[:asks]
    acts = {step.act for step in between}
    if isinstance(act, a.DealCards):
        return act.place == "board" and any(s.act == "deal" and "board" in s.to for s in between)
    if isinstance(act, a.TurnUp):
        return act.place == {"turn": "board", "reveal": "dealer"}.get(
            "turn" if "turn" in acts else "reveal"
        )
    if isinstance(act, a.Burn):
        return "burn" in acts
    if not first:
        return False
    if isinstance(act, a.WagerAct):
        seat = at.state.seats.get(act.seat)
        staked = seat is not None and any(act.wager in hand.wagers for hand in seat.hands)
        return "settle" in acts and staked
    if isinstance(act, a.TakeStep):
        plain = [step for step in between if step.act not in WITH_THINGS and step.act != "close"]
        return any(_name(step) == act.what for step in plain)
    return any(kind in acts for kind in LATER.get(type(act), ()))


def _name(step: Step) -> str:
    return step.name if step.act in BY_STEP else step.act


def unexpected(at: WorkingChair, act: a.ChairAct, cards: tuple[Card, ...]) -> None:
    """Do an act that has no place in the round now. It happens all the same."""
    step, clause = at.due_clause()
    match act:
        case a.CountStub():
            # No document forbids counting more often than it asks for, but the number must be right.
            _count(at, act)
            return
        case a.ReadHand():
            _read(at, act)
            return
        case a.TakeStep() if _has_no_effect(at, act) or _takes_stub_out(at, act):
            return
        case a.Burn():
            at.apply([e.CardsBurned(count=len(cards), sealed=cards)], ch.SLIP)
        case a.DealCards():
            _deal_extra(at, act, cards)
        case a.TurnUp():
            _expose(at, act)
        case a.WagerAct():
            _pay_again(at, act)
            return
        case a.Key() if press_wrong_key(at, act):
            return
    at.slip(ch.NOT_DUE, clause, step=step)


def _has_no_effect(at: WorkingChair, act: a.TakeStep) -> bool:
    """True if the button is for a side bet that nobody has made. No clause says to leave it untouched."""
    listed = any(step.act == act.what for step in at.table.sections["round"])
    hands = [hand for seat in at.state.seats.values() for hand in seat.hands]
    return listed and act.what in BUTTONS and not any(BUTTONS[act.what] in hand.made for hand in hands)


def _takes_stub_out(at: WorkingChair, act: a.TakeStep) -> bool:
    """Take the stub out in a void round, for example to count it; return False for any other act.

    It stays in while the rest of the board is still to be dealt.
    """
    step, now = at.table.find("remove stub"), at.state.round
    deals = any(isinstance(one.act, a.DealCards | a.Burn) for one in at.queue)
    if (
        step is None
        or act.what != step.act
        or not now.void
        or now.stub_out
        or deals
        or at.state.playing.stands == "off"
    ):
        return False
    count = stub(at.table, at.state)
    at.apply([e.StubRemoved(count=count, racked=not must_count(at), clause=at.table.clause(step))])
    return True


def announce_count(at: WorkingChair, count: int) -> None:
    """Apply a count of the stub that shows a wrong number of cards: the hands are void."""
    at.queue = [one for one in at.queue if not isinstance(one.act, a.CountStub)]
    at.passed = [one for one in at.passed if not isinstance(one.due.act, a.CountStub)]
    at.apply(count_events(at.table, at.state, count))
    if at.state.round.void:
        at.forget_passed()
        at.clear_queue()


def _count(at: WorkingChair, act: a.CountStub) -> None:
    """Judge a count of the stub that no clause asks for."""
    right = stub(at.table, at.state) - at.missing
    if act.count != right:
        at.slip(ch.MISCOUNT, None, due=a.CountStub(count=right), step=at.due_clause()[0])
    if wrong_count(at, at.time) is not None:
        announce_count(at, right)
    elif act.count == right and not at.missing and at.table.find("count stub") is not None:
        # The next count is due that many rounds after the last one, asked for or not (MA-7.g).
        between = at.state.section != "round"
        at.apply(
            [e.StubCounted(count=right, expected=right, right=True, racked=False, between=between)],
            ch.HOUSE,
        )


def _deal_extra(at: WorkingChair, act: a.DealCards, cards: tuple[Card, ...]) -> None:
    """Deal cards that are not due. If the place has no hand in play, they go to the rack, unseen."""
    number, now = seat_of(act.place), at.state.round
    seat = at.state.seats.get(number)
    hand = seat.hands[0] if seat is not None else None
    out = hand is None or hand.folded or hand.void or hand.racked or hand.acted == "set"
    live = hand is not None and bool(hand.cards) and not out
    dealers = act.place == "dealer" and bool(now.dealer) and not now.revealed
    if not (live or dealers or (act.place == "board" and now.board)):
        at.apply([e.CardsBurned(count=len(cards), sealed=cards)], ch.SLIP)
        return
    up = act.place == "board" and bool(now.up)
    for card in cards:
        extra = e.ExtraDealt(at=act.place, sealed=() if up else (card,), face=(card,) if up else ())
        at.apply([extra], ch.SLIP)
    at.open_irregularity("wrong number", act.place)


def _expose(at: WorkingChair, act: a.TurnUp) -> None:
    """Turn up face-down cards that must stay down: they are exposed until the trainee reports it."""
    if face_down_cards(at.state, act.place):
        at.open_irregularity(EXPOSED_CARD, act.place, 1)


def read_again(at: WorkingChair, act: a.ReadHand) -> bool:
    """Judge another reading of a hand that was read in this round; return False for a first reading."""
    again = any(
        isinstance(entry.input, a.ReadHand) and entry.input.target == act.target for entry in at.entries
    )
    if again:
        _read(at, act)
    return again


def _read(at: WorkingChair, act: a.ReadHand) -> None:
    """Judge a reading that no clause asks for, if the cards are face up.

    A right reading repairs a wrong one, if nothing was settled on the wrong one.
    """
    number, now = seat_of(act.place), at.state.round
    hands = at.state.seats[number].hands if number in at.state.seats else ()
    hand = hands[act.hand - 1] if 1 <= act.hand <= len(hands) else None
    qualifies = None
    also: tuple[str, ...] = ()
    if act.place == "dealer" and now.revealed:
        result, qualifies = "", now.qualifies
        reads = hand_class(at.table, at.state, now.kept or now.dealer)
    elif hand is not None and hand.shown:
        turned = _turned(at, act)
        reads = turned.reads if turned is not None else hand_class(at.table, at.state, hand.cards)
        also = also_right(at.table, at.state, number, act.hand)
        result = contest(at.table, at.state, hand.cards) if now.revealed and not hand.folded else ""
    else:
        step, clause = at.due_clause()
        at.slip(ch.NOT_DUE, clause, step=step)
        return
    right = a.ReadHand(place=act.place, hand=act.hand, reads=reads, result=result, qualifies=qualifies)
    if reads and is_misread(act, right, also):
        at.slip(ch.MISREAD, _reading_clause(at, act), due=right, step=at.due_clause()[0])
    elif reads:
        _repair_reading(at, act)


def _reading_clause(at: WorkingChair, act: a.ReadHand) -> str | None:
    """Return the clause by which a hand was turned up and announced, or None."""
    events = (change.event for entry in at.entries for change in entry.changes)
    if act.place == "dealer":
        return next((one.clause for one in events if isinstance(one, e.DealerRevealed)), None)
    turned = _turned(at, act)
    return None if turned is None else turned.clause


def _turned(at: WorkingChair, act: a.ReadHand) -> e.HandTurned | None:
    """Return the event that turned a player's hand up in this round, or None."""
    events = (change.event for entry in at.entries for change in entry.changes)
    turned = (one for one in events if isinstance(one, e.HandTurned))
    hand = (seat_of(act.place), act.hand)
    return next((one for one in turned if (one.seat, one.hand) == hand), None)


def _repair_reading(at: WorkingChair, act: a.ReadHand) -> None:
    """Mark wrong readings of a hand as repaired, if nothing was settled on them."""
    for index, entry in enumerate(at.entries):
        settled = any(_settles(one, act) for one in at.entries[index + 1 :])
        for slip in () if settled else entry.slips:
            did, right = slip.did, slip.due
            if slip.kind != ch.MISREAD or not isinstance(did, a.ReadHand) or did.target != act.target:
                continue
            assert isinstance(right, a.ReadHand)
            # What was announced wrongly must be announced again.
            said = (act.result or not did.result or did.result == right.result) and (
                act.qualifies is not None or did.qualifies in (None, right.qualifies)
            )
            if said and slip.number not in {number for one in at.entries for number in one.cured}:
                at.cured.append(slip.number)


def _settles(entry: ch.ChairEntry, act: a.ReadHand) -> bool:
    """True if an entry settles a wager that depends on the hand of a reading."""
    lines = [x.event for x in entry.changes if isinstance(x.event, e.WagerSettled)]
    hand = (seat_of(act.place), act.hand)
    return any(act.place == "dealer" or (line.seat, line.hand) == hand for line in lines)


def _pay_again(at: WorkingChair, act: a.WagerAct) -> None:
    """Move chips on a wager that is settled already, or that was never made."""
    lines = [
        line
        for line in at.state.round.settled
        if (line.seat, line.hand, line.wager, line.for_dealer) == (act.seat, act.hand, act.wager, act.tip)
    ]
    clause = lines[-1].clause if lines else None
    left_alone = bool(lines) and all(line.result == "push" for line in lines) and not _was_moved(at, act)
    if left_alone and isinstance(act, a.Push):
        # The wager pushed and was passed over. To push it now is right.
        return
    amount = total(act.chips) if isinstance(act, a.Pay) else 0
    if isinstance(act, a.Take):
        amount = -sum(line.back for line in lines)
    step, due_clause = at.due_clause()
    if not amount or act.seat not in at.state.seats:
        at.slip(ch.NOT_DUE, clause or due_clause, step=step)
        return
    paid = e.MispaymentMade(seat=act.seat, hand=act.hand, wager=act.wager, amount=amount, clause=clause)
    at.apply([paid], ch.SLIP)
    facts = {"due": _push(act)} if left_alone else {}
    at.slip(ch.WRONG_AMOUNT, clause, step=step, amount=amount, **facts)


def pay_rest(at: WorkingChair, act: a.Pay) -> bool:
    """Add chips to a payment of this round that was too small; return False if there is none.

    Once the sum is right, the payment is repaired. A sum that is still wrong replaces the wrong amount.
    """
    slip = _short_payment(at, act)
    if slip is None:
        return False
    left = slip.amount + total(act.chips)
    at.cured.append(slip.number)
    correction = a.CorrectPayment(seat=act.seat, wager=act.wager, hand=act.hand)
    number = at.state.round.number
    wager = wager_key(at.state, act.seat, act.hand, act.wager)
    alone = at.mispaid.get((number, wager), (0, None))[0] == slip.amount
    if left or not alone or not at.correct(number, correction):
        more = e.MispaymentMade(
            seat=act.seat, hand=act.hand, wager=act.wager, amount=total(act.chips), clause=slip.clause
        )
        at.apply([more], ch.SLIP if left else ch.CURE)
    dispute = open_dispute(at, correction)
    if left:
        at.slip(ch.WRONG_AMOUNT, slip.clause, due=slip.due, step=slip.step, amount=left)
    elif dispute is not None:
        close_conduct(at, dispute)
    return True


def _short_payment(at: WorkingChair, act: a.Pay) -> ch.Slip | None:
    """Return the slip of a payment on the same wager that was too small and is not repaired, or None."""
    cured = {number for entry in at.entries for number in entry.cured}
    slips = [slip for entry in at.entries for slip in entry.slips if slip.number not in cured]
    same = (slip for slip in slips if isinstance(slip.did, a.Pay) and slip.did.target == act.target)
    return next((slip for slip in same if slip.kind == ch.WRONG_AMOUNT and slip.amount < 0), None)


def _was_moved(at: WorkingChair, act: a.WagerAct) -> bool:
    """True if the trainee has taken, pushed or paid this wager in this round."""
    inputs = (entry.input for entry in at.entries)
    return any(isinstance(one, a.WagerAct) and one.target == act.target for one in inputs)


def _push(act: a.WagerAct) -> a.Push:
    return a.Push(seat=act.seat, hand=act.hand, wager=act.wager, tip=act.tip, of=act.of)
