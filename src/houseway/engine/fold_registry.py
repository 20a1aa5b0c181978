"""How an event is folded: the register of folds, and the small moves they are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.state import Deck, Racked, Seat, State

Key = TypeVar("Key")
Value = TypeVar("Value")
Fold = Callable[[State, Any], State]
FOLDS: dict[type[e.Event], Fold] = {}


def folds(kind: type[e.Event]) -> Callable[[Fold], Fold]:
    """Register how an event is folded."""

    def register(function: Fold) -> Fold:
        FOLDS[kind] = function
        return function

    return register


Changes = Mapping[type[e.Event], Callable[[Any, Any], dict[str, Any]]]
"""Events that change some fields and nothing else: each with a function of what was and the event."""


def fold_state(changes: Changes) -> None:
    """Register events that only change fields of the table."""
    FOLDS.update((kind, partial(_state_changed, change)) for kind, change in changes.items())


def _state_changed(change: Callable[[Any, Any], dict[str, Any]], state: State, event: e.Event) -> State:
    return replace(state, **change(state, event))


def fold_round(changes: Changes) -> None:
    """Register events that only change fields of the round."""
    FOLDS.update((kind, partial(_round_changed, change)) for kind, change in changes.items())


def _round_changed(change: Callable[[Any, Any], dict[str, Any]], state: State, event: e.Event) -> State:
    return replace(state, round=replace(state.round, **change(state.round, event)))


def without(values: Mapping[Key, Value], gone: Key) -> dict[Key, Value]:
    """A mapping without one key."""
    return {key: value for key, value in values.items() if key != gone}


def on_round(state: State, **changes: Any) -> State:
    """The table with something of the round changed."""
    return replace(state, round=replace(state.round, **changes))


def on_seat(state: State, number: int, **changes: Any) -> dict[int, Seat]:
    """The seats with one changed."""
    return {**state.seats, number: replace(state.seats[number], **changes)}


def on_hand(state: State, number: int, hand: int = 1, **changes: Any) -> dict[int, Seat]:
    """The seats with one hand changed."""
    seat = state.seats[number]
    hands = list(seat.hands)
    hands[hand - 1] = replace(hands[hand - 1], **changes)
    return {**state.seats, number: replace(seat, hands=tuple(hands))}


def on_deck(state: State, name: str, **changes: Any) -> tuple[Deck, ...]:
    """The decks with one changed."""
    return tuple(replace(d, **changes) if d.name == name else d for d in state.decks)


def off_deck(state: State, count: int, cards: e.Cards) -> tuple[Deck, ...]:
    """The decks after so many of these cards were taken off the one in play, the others before."""
    if not count:
        return state.decks
    deck = state.decks[state.deck]
    out = deck.out
    for card in cards:
        out |= card.bit
    taken_from = replace(deck, used=deck.used + count, out=out)
    if len(state.decks) == 1:
        return (taken_from,)
    return tuple(taken_from if n == state.deck else d for n, d in enumerate(state.decks))


def taken(state: State, cards: int) -> tuple[int, e.Cards]:
    """How many of so many cards come off the deck, and what is left of those drawn in error."""
    drawn = state.round.drawn
    return (max(0, cards - len(drawn)), drawn[cards:]) if drawn else (cards, ())


def into_rack(state: State, what: str, cards: e.Cards, count: int) -> dict[str, Any]:
    """What changes where cards go to the rack."""
    entry = Racked(what, count, cards)
    return {"rack": (*state.rack, entry), "rack_deck": state.decks[state.deck].name}


SEAT: Final = re.compile("seat ([1-9][0-9]?)", re.ASCII)


def seat_of(place: str) -> int:
    """The seat a place names: 3 of "seat 3", 0 of any other place."""
    found = SEAT.fullmatch(place)
    return int(found[1]) if found else 0


def mispaid_key(player: str, seat: int, hand: int, wager: str) -> str:
    """Under what a payment that was wrong is kept until it is put right."""
    return f"{player}/{seat}/{hand}/{wager}"
