"""The base classes of events."""

from __future__ import annotations

from typing import Final

import msgspec

from houseway.cards import Card

Cards = tuple[Card, ...]
NOTHING: Final[dict[str, int]] = {}


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """Something that happened."""

    clause: str | None = None
    """The clause that the event follows."""


class SeatEvent(Event, frozen=True):
    """Something that happened at one seat."""

    seat: int


class WagerEvent(SeatEvent, frozen=True):
    """Something that happened to one wager."""

    hand: int
    wager: str
