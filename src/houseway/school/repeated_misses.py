"""Missed positions that return, by spaced repetition.

Times are strings in ISO format and come from the caller: this module reads no clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from houseway.audit.spaced_repetition import (
    Positive,
    StateNumber,
    StepNumber,
    TimeText,
    review,
    stored_schedule,
)
from houseway.audit.times import utc_time
from houseway.school.position_links import read_link

MOST_MISSES: Final = 500
"""The most positions that are kept; the best-known ones are forgotten first."""
KNOWN_DAYS: Final = 60
"""A position is forgotten once it would return after this many days or more."""


class Miss(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The schedule of one missed position."""

    due: TimeText
    last: TimeText
    stability: Positive
    difficulty: Positive
    state: StateNumber
    step: StepNumber | None = None


Misses = Mapping[str, Miss]
"""Missed positions, by their links."""


def due_misses(misses: Misses, now: str) -> list[str]:
    """Return the links of the positions that are due again, the longest overdue first."""
    time = utc_time(now)
    due = [(utc_time(miss.due), link) for link, miss in misses.items() if utc_time(miss.due) <= time]
    return [link for _, link in sorted(due)]


def after_answer(misses: Misses, link: str, *, right: bool, now: str) -> dict[str, Miss]:
    """Return the missed positions after an answer.

    A wrong answer adds the position. Right answers space it out, and remove it once it is known.
    """
    read_link(link)
    listed = dict(misses)
    known = listed.get(link)
    if known is None and right:
        return listed
    card = review(known, right=right, now=now)
    if (card.due - utc_time(now)).days >= KNOWN_DAYS:
        del listed[link]
        return listed
    listed[link] = Miss(**stored_schedule(card, now))
    if len(listed) > MOST_MISSES:
        del listed[max(listed, key=lambda name: (utc_time(listed[name].due), name))]
    return listed
