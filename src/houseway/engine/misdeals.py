"""Misdeals: deals in which a player, the dealer or the board gets a wrong number of cards. The dealer's
mistake is reported later."""

from __future__ import annotations

from typing import Any

from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse
from houseway.engine.deal_acts import cut_card
from houseway.engine.events import Cards
from houseway.engine.fold_registry import seat_of
from houseway.engine.irregularities import (
    cards_at,
    check_next_cards,
    completes_board,
    dealt_so_far,
    faces_up,
    kind_of_place,
)
from houseway.engine.irregularity_rules import in_play
from houseway.engine.state import State
from houseway.engine.table import Due, Table
from houseway.engine.turn_order import due, places_left


def deal_extra(table: Table, state: State, command: c.DealExtra) -> Events:
    """Deal a hand one card too many, as a mistake that is reported later."""
    at, now = command.at, state.round
    if not in_play(state) or now.void or due(table, state) is None or now.betting != "closed":
        refuse("no-round", "you can deal an extra card only during the deal of a round", where="report")
    whose, held = kind_of_place(at), cards_at(state, at)
    up = faces_up(table, whose)
    least = dealt_so_far(table, state) if up else table.sizes.get(whose, 0)
    turned_up = now.revealed or now.stub_out if up else now.up or (now.revealed and whose != "board")
    if not held or len(held) < least or turned_up or now.drawn:
        sentence = (
            f"you can deal {at} an extra card only after its last card and before any card is turned up"
        )
        if up:
            sentence = "you can deal an extra community card only with the flop, or with the turn and river"
        refuse("not-dealing", sentence, where=at)
    seat = state.seats.get(seat_of(at))
    if seat is not None and (seat.hands[0].void or seat.hands[0].folded or seat.hands[0].acted == "set"):
        refuse("not-dealing", f"{at} has no hand in play", where=at)
    if whose == "board" and table.wrong("wrong number", {"of": whose}) is None:
        refuse("no-rule", f"{table.book.id} has no rule for too many community cards", where="board")
    check_next_cards(table, state, command.cards)
    face, sealed = (command.cards, ()) if up else ((), command.cards)
    return [e.ExtraDealt(at=at, sealed=sealed, face=face), *cut_card(table, state, 1)]


def deal_short(table: Table, state: State, command: c.DealShort) -> Events:
    """Skip the hand that should get the next card, as a mistake that is reported later.

    A device that deals the board as one group may deal it too few cards.
    """
    now = due(table, state)
    if now is None or now.step.act != "deal" or now.section != "round" or state.round.void:
        refuse("not-dealing", "no cards are being dealt; wait for the next deal", where="report")
    places = places_left(table, state, now.step)
    # The board may be dealt short only if a step counts it before it is turned.
    counted = any(s.act == "turn" and "count" in s.rules for s in table.sections["round"])
    group = now.step.each > 1 and not now.step.face_up and completes_board(table)
    if places[:1] == ["board"] and now.step.face_up and not counted:
        sentence = "the board is dealt face up, so a missing card is seen at once; perform the step"
        refuse("not-dealing", sentence, table.clause(now.step), "board")
    if not places or (places[0] == "board" and not (counted or group)):
        refuse("not-dealing", "this step has no hand left to skip; perform the next step", where="report")
    if places[0] == "board" and group:
        return _short_group(table, state, now, command.cards)
    if command.cards:
        refuse("cards-needed", "a hand that is skipped gets no cards; leave them out", where="report")
    skipped = e.CardSkipped(at=places[0])
    if len(places) > 1:
        return skipped
    step_taken = e.StepTaken(step=now.step.name, section=now.section, clause=table.clause(now.step))
    return skipped, step_taken


def _short_group(table: Table, state: State, now: Due, cards: Cards) -> list[e.Event]:
    """Return the events for a device that deals too few cards to the board."""
    step, clause, count = now.step, table.clause(now.step), len(cards)
    if not 0 < count < step.each:
        sentence = f"a short board has 1 to {step.each - 1} cards, but you named {count}"
        refuse("cards-needed", sentence, clause, "board")
    check_next_cards(table, state, cards, count)
    dealt = e.CardsDealt(to="board", count=count, sealed=cards, clause=clause)
    step_taken = e.StepTaken(step=step.name, section=now.section, clause=clause)
    return [dealt, *cut_card(table, state, count), step_taken]


HANDLERS: dict[type[c.Command], Any] = {
    c.DealExtra: deal_extra,
    c.DealShort: deal_short,
}
