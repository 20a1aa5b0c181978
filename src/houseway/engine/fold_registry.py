"""The registry of folds, and helpers for them. A fold, as in functional programming, is a function that
applies an event to a state; it has nothing to do with a player who folds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from houseway.engine import events as e
from houseway.engine.state import Deck, RackPile, Seat, State

Key = TypeVar("Key")
Value = TypeVar("Value")
Fold = Callable[[State, Any], State]
FOLDS: dict[type[e.Event], Fold] = {}


def folds(kind: type[e.Event]) -> Callable[[Fold], Fold]:
    """Return a decorator that registers a function as the fold for a kind of event."""

    def register(function: Fold) -> Fold:
        FOLDS[kind] = function
        return function

    return register


Changes = Mapping[type[e.Event], Callable[[Any, Any], dict[str, Any]]]
"""For each kind of event, a function from the old values and the event to the changed fields."""


def fold_state(changes: Changes) -> None:
    """Register events that only change fields of the state."""
    FOLDS.update((kind, partial(_state_changed, change)) for kind, change in changes.items())


def _state_changed(change: Callable[[Any, Any], dict[str, Any]], state: State, event: e.Event) -> State:
    return replace(state, **change(state, event))


def fold_round(changes: Changes) -> None:
    """Register events that only change fields of the round."""
    FOLDS.update((kind, partial(_round_changed, change)) for kind, change in changes.items())


def _round_changed(change: Callable[[Any, Any], dict[str, Any]], state: State, event: e.Event) -> State:
    return replace(state, round=replace(state.round, **change(state.round, event)))


def without(values: Mapping[Key, Value], removed: Key) -> dict[Key, Value]:
    """Return a mapping without one key."""
    return {key: value for key, value in values.items() if key != removed}


def on_round(state: State, **changes: Any) -> State:
    """Return the state with fields of the round changed."""
    return replace(state, round=replace(state.round, **changes))


def on_seat(state: State, number: int, **changes: Any) -> dict[int, Seat]:
    """Return the seats with one seat changed."""
    return {**state.seats, number: replace(state.seats[number], **changes)}


def on_hand(state: State, number: int, hand: int = 1, **changes: Any) -> dict[int, Seat]:
    """Return the seats with one hand changed."""
    seat = state.seats[number]
    hands = list(seat.hands)
    hands[hand - 1] = replace(hands[hand - 1], **changes)
    return {**state.seats, number: replace(seat, hands=tuple(hands))}


def on_deck(state: State, name: str, **changes: Any) -> tuple[Deck, ...]:
    """Return the decks with one deck changed."""
    return tuple(replace(d, **changes) if d.name == name else d for d in state.decks)


def off_deck(state: State, count: int, cards: e.Cards, *, seen: bool = False) -> tuple[Deck, ...]:
    """Return the decks after `count` cards leave the deck in play.

    `cards` may contain more than `count` cards, because cards drawn in error left the deck earlier. With
    `seen`, all the cards left the deck earlier and only now become known.
    """
    if not count and not seen:
        return state.decks
    deck = state.decks[state.deck]
    out = deck.out
    for card in cards:
        out |= card.bit
    changed = replace(deck, used=deck.used + count, out=out)
    if len(state.decks) == 1:
        return (changed,)
    return tuple(changed if n == state.deck else d for n, d in enumerate(state.decks))


def use_drawn(state: State, cards: int) -> tuple[int, e.Cards]:
    """Use cards drawn in error first. Return how many more leave the deck, and the drawn cards not used."""
    drawn = state.round.drawn
    return (max(0, cards - len(drawn)), drawn[cards:]) if drawn else (cards, ())


def into_rack(state: State, what: str, cards: e.Cards, count: int) -> dict[str, Any]:
    """Return the changes to the state when cards go to the rack."""
    entry = RackPile(what, count, cards)
    return {"rack": (*state.rack, entry), "rack_deck": state.decks[state.deck].name}


SEAT: Final = re.compile("seat ([1-9][0-9]?)", re.ASCII)
CARDS: Final = re.compile("(?:seat ([1-9][0-9]?)|dealer)(?: hand ([1-9][0-9]?))?( discards)?", re.ASCII)


@lru_cache(maxsize=256)
def seat_of(place: str) -> int:
    """Return the seat number of a place: 3 for "seat 3", 0 for any place that is not a seat."""
    match = SEAT.fullmatch(place)
    return int(match[1]) if match else 0


class CardPlace(NamedTuple):
    """A place with cards, as an act or an event names it: "seat 3 hand 2", "seat 3 discards", "board"."""

    seat: int = 0
    """0 for a place that is not a seat."""
    hand: int = 1
    discards: bool = False


@lru_cache(maxsize=256)
def card_place(words: str) -> CardPlace:
    """Return the seat and the hand of a place with cards."""
    match = CARDS.fullmatch(words)
    return CardPlace(int(match[1] or 0), int(match[2] or 1), bool(match[3])) if match else CardPlace()


def confirmation_key(step: str, deck: str) -> str:
    """Return the key of a confirmation in `State.confirmed`; `deck` is empty for an item of the table."""
    return f"{step}/{deck}" if deck else step


def mispaid_key(player: str, seat: int, hand: int, wager: str) -> str:
    """Return the key of a mispaid wager in `State.mispaid`."""
    return f"{player}/{seat}/{hand}/{wager}"
