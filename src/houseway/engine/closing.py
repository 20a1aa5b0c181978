"""The dealer's last acts: collecting the cards, resetting the system, closing the round."""

from __future__ import annotations

from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.answers import hand_name, refuse
from houseway.engine.dealing import Done
from houseway.engine.order import dealers_cards, dealers_discards
from houseway.engine.refusals import RefusalError
from houseway.engine.state import State, sums
from houseway.engine.table import Due, Table
from houseway.rules.procedure import Step
from houseway.wording import several


def collect(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Put cards into the rack in the order that lets each hand be rebuilt."""
    step = due.step
    if "waits" in step.rules and open_wagers(state):
        number, wager = open_wagers(state)[0]
        sentence = f"{wager} at seat {number} is not settled; settle it first"
        return refuse("wagers-open", table.clause(step, "waits"), step.name, sentence)
    _check_discards(table, state, step)
    found: list[e.Event] = []
    clause = table.clause(step)
    order = step.rules.get("order")
    numbers = list(state.seats)
    if order is not None and order.value == "counter-clockwise":
        numbers.reverse()
    for what in step.to:
        if what == "discards":
            for number in numbers:
                for hand in state.seats[number].hands:
                    if hand.discards:
                        found.append(_sealed(f"seat {number} discards", hand.discards, clause))
            dealers = dealers_discards(state)
            if dealers:
                found.append(_lay("dealer discards", dealers, clause, up=True))
        elif what == "players":
            for number in numbers:
                hands = state.seats[number].hands
                for n, hand in enumerate(hands, 1):
                    if hand.cards and not hand.racked:
                        name = hand_name(number, n, len(hands))
                        found.append(_lay(name, hand.cards, clause, up=hand.shown))
        elif what == "board" and state.round.board and "board" not in state.round.gone:
            turned = state.round.up == len(state.round.board)
            found.append(_lay("board", state.round.board, clause, up=turned))
        elif what == "dealer" and state.round.dealer and "dealer" not in state.round.gone:
            found.append(_lay("dealer", dealers_cards(state), clause, up=state.round.revealed))
    return found, True


def _check_discards(table: Table, state: State, step: Step) -> None:
    """Refuse a hand not split that shows another number of discards than it must."""
    counted = step.rules.get("count")
    for number, seat in state.seats.items():
        hand = seat.hands[0]
        whole = state.round.void or hand.void or not hand.cards or len(seat.hands) == 2
        if counted is not None and not whole and len(hand.discards) != counted.value:
            sentence = (
                f"seat {number} has discarded {several(len(hand.discards), 'card')}, not {counted.value}; "
                "report the wrong number first"
            )
            raise RefusalError("wrong-number", table.clause(step, "count"), f"seat {number}", sentence)


def _lay(what: str, cards: tuple[Card, ...], clause: str | None, *, up: bool) -> e.CardsRacked:
    if up:
        return e.CardsRacked(what=what, count=len(cards), face=cards, clause=clause)
    return _sealed(what, cards, clause)


def _sealed(what: str, cards: tuple[Card, ...], clause: str | None) -> e.CardsRacked:
    return e.CardsRacked(what=what, count=len(cards), sealed=cards, clause=clause)


def open_wagers(state: State) -> list[tuple[int, str]]:
    """Every wager still on the layout, by seat."""
    return [
        (number, wager)
        for number, seat in state.seats.items()
        for hand in seat.hands
        for wager in (*hand.wagers, *hand.tips, *(("progressive",) if hand.collected else ()))
    ]


def lit_by_mistake(state: State) -> int | None:
    """A seat whose award is keyed and was not won."""
    paid = {s.seat for s in state.round.settled if s.wager == "progressive" and s.result == "win"}
    return next((number for number in state.round.keyed if number not in paid), None)


def reset(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Reset the progressive system for the next round: the lights go out."""
    lit = lit_by_mistake(state)
    if lit is not None and not state.round.void:
        hand = state.round.keyed[lit]
        sentence = f"{hand} is keyed for seat {lit} and was not won; press it again to turn it off"
        return refuse("award-lit", table.clause(due.step), due.step.name, sentence)
    return [e.SystemReset(clause=table.clause(due.step))], True


def close(table: Table, state: State, due: Due, command: c.Perform) -> Done:
    """Close the round: everyone dealt in has wagered or folded and has been paid or collected from."""
    step = due.step
    waiting = open_wagers(state)
    if waiting:
        number, wager = waiting[0]
        sentence = f"{wager} at seat {number} is not settled; the round is complete once it is"
        return refuse("wagers-open", table.clause(step), step.name, sentence)
    net = {
        n: s.chips - s.started for n, s in state.seats.items() if s.chips != s.started or s.hands[0].made
    }
    shoe = "lasts" in table.standing
    over = state.cut_card_out and "ends" in table.standing
    now = sums(state)
    unused = state.round.drawn
    return [
        *([_sealed("drawn in error", unused, table.clause(step))] if unused else []),
        e.RoundClosed(
            number=state.round.number,
            net=net,
            changes={name: now[name] - before for name, before in state.round.before.items()},
            section="round" if shoe and not over else "shuffling",
            clause=table.clause(step),
        ),
    ], False
