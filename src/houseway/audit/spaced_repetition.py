"""Spaced repetition of the things that a person learns, scheduled by the `fsrs` package.

Times are strings in ISO format and come from the caller: this module reads no clock.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Protocol

import fsrs
from msgspec import Meta

from houseway.audit.times import utc_time

LONGEST_DAYS: Final = 365
"""The longest time until an item is asked again."""
SCHEDULER: Final = fsrs.Scheduler(maximum_interval=LONGEST_DAYS, enable_fuzzing=False)
LEARNING: Final = int(fsrs.State.Learning)
REVIEW: Final = int(fsrs.State.Review)

Positive = Annotated[float, Meta(gt=0, le=10**6)]
TimeText = Annotated[str, Meta(max_length=40)]
StateNumber = Annotated[int, Meta(ge=1, le=3)]
StepNumber = Annotated[int, Meta(ge=0, le=9)]


class StoredSchedule(Protocol):
    """The stored schedule of an item that is asked again."""

    @property
    def due(self) -> str: ...
    @property
    def last(self) -> str | None: ...
    @property
    def state(self) -> int: ...
    @property
    def step(self) -> int | None: ...
    @property
    def stability(self) -> float | None: ...
    @property
    def difficulty(self) -> float | None: ...


def review(known: StoredSchedule | None, *, right: bool, now: str) -> fsrs.Card:
    """Return the card after an answer; `known` is None before the first one."""
    rating = fsrs.Rating.Good if right else fsrs.Rating.Again
    return SCHEDULER.review_card(_card(known, now), rating, review_datetime=utc_time(now))[0]


def stored_schedule(card: fsrs.Card, now: str) -> dict[str, Any]:
    """Return the fields in which a card is stored."""
    return {
        "due": card.due.isoformat(), "last": now, "state": int(card.state), "step": card.step,
        "stability": card.stability, "difficulty": card.difficulty,
    }  # fmt: skip


def _card(known: StoredSchedule | None, now: str) -> fsrs.Card:
    if known is None:
        return fsrs.Card(card_id=1, due=utc_time(now))
    return fsrs.Card(
        card_id=1,
        state=fsrs.State(known.state),
        step=known.step,
        stability=known.stability,
        difficulty=known.difficulty,
        due=utc_time(known.due),
        last_review=utc_time(known.last) if known.last else None,
    )
