"""The dealer's last acts in a round: collect the cards, reset the progressive system, close the round.

Closing a round also chooses what follows: another round from the same shoe, or a shuffle.
"""

from __future__ import annotations

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, hand_name, refuse
from houseway.engine.deal_acts import PartialStep
from houseway.engine.state import State, house_sums
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import dealers_cards, dealers_discards
from houseway.rules.procedure import Step
from houseway.wording import several, the_wager


def collect(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Put the cards in the rack in an order from which every hand can be rebuilt."""
    step, now, clause = due.step, state.round, table.clause(due.step)
    if "waits" in step.rules:
        _check_settled(state, "collect the cards", table.clause(step, "waits"))
    _check_discards(table, state, step)
    events: list[e.Event] = []
    order = step.rules.get("order")
    seats = list(state.seats.items())
    if order is not None and order.value == "counter-clockwise":
        seats.reverse()
    for target in step.to:
        if target == "discards":
            for number, seat in seats:
                discards = [hand.discards for hand in seat.hands if hand.discards]
                events += [_racked(f"seat {number} discards", cards, clause) for cards in discards]
            dealers = dealers_discards(state)
            if dealers:
                events.append(_racked("dealer discards", dealers, clause, up=True))
        elif target == "players":
            for number, seat in seats:
                for n, hand in enumerate(seat.hands, 1):
                    if hand.cards and not hand.racked:
                        name = hand_name(number, n, len(seat.hands))
                        events.append(_racked(name, hand.cards, clause, up=hand.shown))
        elif target == "board" and now.board and "board" not in now.gone:
            # Under rulebooks of earlier versions, the board is recorded in the order in which it was dealt.
            lie = now.arranged if "arranged" in step.rules and now.arranged else now.board
            events.append(_racked("board", lie, clause, up=now.up == len(now.board)))
        elif target == "dealer" and now.dealer and "dealer" not in now.gone:
            events.append(_racked("dealer", dealers_cards(state), clause, up=now.revealed))
    return events


def _check_discards(table: Table, state: State, step: Step) -> None:
    """Refuse if a hand that was not split has the wrong number of discards."""
    counted = step.rules.get("count")
    for number, seat in state.seats.items():
        hand = seat.hands[0]
        exempt = state.round.void or hand.void or not hand.cards or len(seat.hands) == 2
        if counted is not None and not exempt and len(hand.discards) != counted.value:
            discarded = f"{several(len(hand.discards), 'card')} instead of {counted.value}"
            sentence = f"seat {number} discarded {discarded}; report the wrong number of cards first"
            refuse("wrong-number", sentence, table.cite(counted), f"seat {number}")


def _racked(what: str, cards: tuple[Card, ...], clause: str | None, *, up: bool = False) -> e.CardsRacked:
    face, sealed = (cards, ()) if up else ((), cards)
    return e.CardsRacked(what=what, count=len(cards), face=face, sealed=sealed, clause=clause)


def open_wagers(state: State) -> list[tuple[int, str]]:
    """Return every unsettled wager as (seat, wager)."""
    return [
        (number, wager)
        for number, seat in state.seats.items()
        for hand in seat.hands
        for wager in (*hand.stakes, *hand.tips)
    ]


def _check_settled(state: State, then: str, clause: str | None) -> None:
    """Refuse an act while a wager is unsettled."""
    unsettled = open_wagers(state)
    if unsettled:
        number, wager = unsettled[0]
        unpaid = f"{the_wager(wager)} at seat {number} is not settled yet"
        refuse("wagers-open", f"{unpaid}; settle it, then {then}", clause)


def paid_awards(state: State) -> set[int]:
    """Return the seats whose progressive award has been paid in this round."""
    return {s.seat for s in state.round.settled if s.wager == "progressive" and s.result == "win"}


def wrongly_keyed_seat(state: State) -> int | None:
    """Return the first seat with a keyed award that it did not win, or None."""
    paid = paid_awards(state)
    return next((number for number in state.round.keyed if number not in paid), None)


def reset(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Reset the progressive system for the next round and turn its lights off."""
    lit = wrongly_keyed_seat(state)
    if lit is not None and not state.round.void:
        keyed = f"{state.round.keyed[lit]} is keyed for seat {lit}, which did not win it"
        sentence = f"{keyed}; press the key again to turn it off"
        refuse("award-lit", sentence, table.clause(due.step))
    return e.SystemReset(clause=table.clause(due.step))


def close(table: Table, state: State, due: Due, command: c.Perform) -> Events:
    """Close the round, once every wager in it is settled."""
    clause, number, unused = table.clause(due.step), state.round.number, state.round.drawn
    _check_settled(state, "close the round", clause)
    net = {
        n: s.chips - s.started for n, s in state.seats.items() if s.chips != s.started or s.hands[0].made
    }
    if "seated_wagers" in table.standing:
        # Rulebooks of earlier versions lack `seated_wagers`. Under them, the result does not include
        # players who are gone.
        net |= {n: net.get(n, 0) + gained for n, gained in state.round.departed.items()}
    sums_now = house_sums(state)
    changes = {name: sums_now[name] - before for name, before in state.round.before.items()}
    # A deck that was discarded is shuffled again, even in a shoe that lasts several rounds.
    over = (state.cut_card_out and "ends" in table.standing) or state.round.unopened
    section = "round" if "lasts" in table.standing and not over else "shuffling"
    count = table.find("count stub")
    dealt = bool(state.round.out) or count is None or "void_rounds" not in count.rules
    closed = e.RoundClosed(number, net, changes, section, dealt, clause=clause)
    # RoundClosed also completes the step, so no StepTaken event follows.
    return PartialStep([_racked("drawn in error", unused, clause), closed] if unused else [closed])
