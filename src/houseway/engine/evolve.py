"""Compute a table's state by applying its events. Nothing else produces a new state."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.engine import apply_card_events as _folds_cards
from houseway.engine import apply_wager_events as _folds_wagers
from houseway.engine import events as e
from houseway.engine.fold_registry import FOLDS, seat_of
from houseway.engine.state import State

__all__ = ["evolve", "fold", "seat_of"]

# Importing these modules registers the functions that apply each event.
REGISTERED = (_folds_cards, _folds_wagers)


def evolve(state: State, event: e.Event) -> State:
    """Return the state after an event."""
    return FOLDS[type(event)](state, event)


def fold(events: Iterable[e.Event], state: State | None = None) -> State:
    """Return the state after some events, starting from `state` or from an empty state."""
    folded = State() if state is None else state
    for event in events:
        folded = FOLDS[type(event)](folded, event)
    return folded
