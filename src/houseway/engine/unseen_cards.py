"""Cards that are still face down at a real table. A person types them in once they are turned up.

They are dealt as `UNSEEN` and enter the record when they are shown. A step that reads unseen cards is
refused until they are shown. A card that is never shown stays unseen. For a folded hand without a
progressive, the record may instead say whether the cards stay under the trips bet or the dealer takes them.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any, TypeVar

from msgspec.structs import replace

from houseway.cards import UNSEEN, Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Events, refuse, seat_at
from houseway.engine.deal_acts import cards_out
from houseway.engine.decisions import held_by_trips
from houseway.engine.fold_registry import seat_of
from houseway.engine.irregularities import cards_off_deck, early_cards, names_top
from houseway.engine.showdown_acts import settler, takes_first
from houseway.engine.state import Hand, State
from houseway.engine.table import Table
from houseway.engine.turn_order import due, envious, folds_left, hands_of, turn_at
from houseway.rules.procedure import Step
from houseway.wording import several, the_wager


def show_cards(table: Table, state: State, command: c.ShowCards) -> Events:
    """Record cards that have become visible at a place."""
    at, named = command.at, command.cards
    hidden = cards_unseen_at(state, at)
    if not hidden:
        refuse(
            "nothing-unseen",
            f"every card of {at or 'this place'} is already known; continue play",
            where="cards",
        )
    if not 1 <= len(named) <= hidden or UNSEEN in named:
        refuse("cards-needed", f"name up to {several(hidden, 'card')}, not {len(named)}", where="cards")
    counts = Counter((*cards_out(state), *named))
    twice = next((card for card in named if counts[card] > table.book.ranking.decks), None)
    if twice is not None:
        sentence = f"the {twice.words} ({twice}) has been dealt already; type the cards that you see"
        refuse("too-many-copies", sentence, where="cards")
    seen = e.CardsSeen(at=at, face=named)
    now, seat = due(table, state), state.seats.get(seat_of(at))
    if seat is None or now is None or now.step.act != "take folds" or len(named) < hidden:
        return seen
    seen_hand = replace(seat.hands[0], cards=named)
    if seen_hand.folded == "folded" and held_by_trips(table, state, seen_hand):
        # The cards were shown at the fold, and a winning trips bet keeps them on the table.
        return [seen, e.FoldSeen(seat=seat_of(at), held=True, clause=table.terms.clause("held_for"))]
    return seen


def see_fold(table: Table, state: State, command: c.SeeFold) -> Events:
    """Record whether an unseen folded hand stays under its trips bet or was taken by the dealer."""
    number, place = command.seat, f"seat {command.seat}"
    hand = seat_at(state, number).hands[0]
    now, to_see = due(table, state), cards_to_see(table, state)
    if now is None or to_see is None or to_see[0] != place or hand.folded != "folded":
        refuse("nothing-unseen", f"{place} has no folded cards to collect now", where=place)
    if command.held:
        clause = table.terms.clause("held_for")
        if not may_be_held(table, state, number):
            sentence = f"{place} has no trips bet to keep its folded cards on the table; take the cards"
            refuse("not-held", sentence, clause, place)
        return e.FoldSeen(seat=number, held=True, clause=clause)
    _check_loses(table, state, number)
    return e.FoldSeen(seat=number, clause=table.clause(now.step))


def may_be_held(table: Table, state: State, number: int) -> bool:
    """True if the dealer is collecting folds and a winning trips bet would keep this unseen hand."""
    now, hand, plan = due(table, state), state.seats[number].hands[0], table.terms.plan
    collecting = now is not None and now.step.act == "take folds"
    return collecting and hand.folded == "folded" and plan.may_hold(hand.wagers)


def must_be_seen(table: Table, hand: Hand) -> bool:
    """True if a folded hand cannot be taken unseen: it has a progressive, which its cards decide."""
    return table.reads_folds and hand.holds("progressive")


def _check_loses(table: Table, state: State, number: int) -> None:
    """Refuse to take folded cards unseen if they decide a progressive, or if the board alone wins a wager
    on them."""
    settling = settler(table, state)
    spot = next((spot for spot in settling.spots if spot.hand.seat == number), None)
    hand = state.seats[number].hands[0]
    if must_be_seen(table, hand):
        sentence = f"seat {number}'s cards decide its progressive; turn them up first"
        refuse("cards-unseen", sentence, _progressive_clause(table), f"seat {number}")
    for wager in hand.stakes:
        if spot is None or not table.terms.groups[wager].on_own_cards:
            continue
        outcome = settling.plan.outcome(wager, spot)
        if outcome.result != "lose":
            sentence = f"the board alone wins {the_wager(wager)} for seat {number}; turn up its cards first"
            refuse("cards-unseen", sentence, outcome.clause, f"seat {number}")


def _progressive_clause(table: Table) -> str | None:
    """Return the clause about the cards that decide the progressive, or the clause of the wager."""
    pay_table, wager = table.terms.table("progressive"), table.book.wagers.get("progressive")
    cited = pay_table.cards if pay_table is not None else None
    return table.cite(cited) or (table.cite(wager.basis) if wager is not None else None)


def cards_unseen_at(state: State, place: str) -> int:
    """Return the number of unseen cards at a place."""
    seat, now = state.seats.get(seat_of(place)), state.round
    if seat is not None:
        cards = chain.from_iterable(() if hand.racked else hand.cards for hand in seat.hands)
        return list(cards).count(UNSEEN)
    return {"dealer": now.dealer, "board": now.board}.get(place, ()).count(UNSEEN)


def cards_to_see(table: Table, state: State) -> tuple[str, int] | None:
    """Return the place and the number of cards that must become visible before play continues, or None."""
    now = due(table, state)
    if now is None or now.section != "round" or state.round.void == "all":
        return None
    step, played = now.step, state.round
    if UNSEEN in played.board[: played.up]:
        # A card drawn in error was dealt face up.
        return _place_and_count("board", played.board[: played.up])
    if step.act == "turn":
        return _place_and_count("board", played.board[played.up : played.up + step.each])
    if step.act == "reveal":
        return _place_and_count("dealer", played.dealer)
    if step.act == "ask" and table.shootout:
        number = turn_at(table, state, step)
        cards = state.seats[number].hands[0].cards if number else ()
        # A player who does not split turns up the two cards that are played. Exposed cards are already
        # known and count among the two.
        missing = min(table.settled_size, len(cards)) - (len(cards) - cards.count(UNSEEN))
        return (f"seat {number}", missing) if missing > 0 else None
    if step.act == "take folds":
        numbers = [n for n in folds_left(table, state, step) if _read_at_fold(table, state, step, n)]
        return (
            _place_and_count(f"seat {numbers[0]}", state.seats[numbers[0]].hands[0].cards)
            if numbers
            else None
        )
    if step.act == "settle" and "turned" in step.rules:
        settles = table.passes[step.pass_name]
        waiting = hands_of(table, state, settles.hands, settles.wagers)
        if waiting:
            number = waiting[-1 if settles.from_right else 0][0]
            hand = state.seats[number].hands[0]
            if hand.unread or takes_first(table, step, hand):
                return None
            return _place_and_count(f"seat {number}", hand.cards)
    return None


def _place_and_count(place: str, cards: tuple[Card, ...]) -> tuple[str, int] | None:
    count = cards.count(UNSEEN)
    return (place, count) if count else None


def _read_at_fold(table: Table, state: State, step: Step, number: int) -> bool:
    """True if an unseen folded hand is turned up when the dealer takes the fold."""
    hand = state.seats[number].hands[0]
    if UNSEEN not in hand.cards or hand.unread:
        return False
    settles = table.passes.get(step.pass_name)
    reads = settles is not None and any(_on_cards(table, hand, wager) for wager in settles.wagers)
    # Other seats may get envy for this hand. Under old rulebooks, the player's own envy counted too.
    payable = [at for at, _ in envious(table, state) if at != number or not table.reads_folds]
    return reads or ("envy_left" in step.rules and bool(payable))


def _on_cards(table: Table, hand: Hand, wager: str) -> bool:
    """True if a hand has a wager that is decided by its own cards."""
    return (hand.holds(wager) or wager in hand.tips) and table.terms.groups[wager].on_own_cards


def check_seen(table: Table, state: State, step: Step) -> None:
    """Refuse a step while cards that it reads are unseen."""
    to_see = cards_to_see(table, state)
    if to_see is not None:
        place, count = to_see
        sentence = f"{several(count, 'card')} of {place} must be turned up first; name what you see"
        refuse("cards-unseen", sentence, table.clause(step), place)


OffDeck = TypeVar("OffDeck", bound=c.Report | c.DealExtra | c.DealShort)


def with_unseen(table: Table, state: State, command: OffDeck) -> OffDeck:
    """Return a command at a real table with `UNSEEN` for each card that it takes off the deck face down."""
    count = cards_off_deck(table, state, command)
    named = command.cards
    if UNSEEN in named:
        return command
    match command:
        case c.Report(kind="premature flop"):
            named = (UNSEEN,) * (early_cards(table, state)[0] if count else 0) + named
        case c.Report(kind="face-up card" | "exposed card", at=place):
            all_face_up = place == "board" and state.round.up == len(state.round.board)
            named += () if names_top(table, place) or all_face_up else (UNSEEN,) * count
        case _:
            named = named or (UNSEEN,) * count
    return replace(command, cards=named)


HANDLERS: dict[type[c.Command], Any] = {c.ShowCards: show_cards, c.SeeFold: see_fold}
