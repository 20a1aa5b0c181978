"""Spaced repetition: one schedule (a flashcard) for each kind of question.

Times are strings in ISO format and come from the caller: this module reads no clock.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from houseway.audit.spaced_repetition import (
    LEARNING,
    REVIEW,
    Positive,
    StateNumber,
    StepNumber,
    TimeText,
    review,
    stored_schedule,
)
from houseway.audit.times import utc_time
from houseway.errors import InputError
from houseway.training.drills.question import LEVELS

FORMAT: Final = 1
"""The version of the progress format."""
LARGEST_FILE: Final = 4 << 20
"""The most bytes of a progress file."""
MOST_KINDS: Final = 5_000
"""The most kinds that progress keeps; the best-known ones are forgotten first."""
RECENT: Final = 8
"""The number of answers after which the level may change."""
RISE, FALL = 7, 3
"""Of the last `RECENT` answers, at least `RISE` right ones raise the level; at most `FALL` lower it."""

Count = Annotated[int, Meta(ge=0, le=10**9)]
ShortText = Annotated[str, Meta(max_length=300)]


class ProgressError(InputError, ValueError):
    """Progress cannot be read. The message says why and what to do."""


class KindCard(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The repetition of one kind of question."""

    seed: ShortText
    """The seed of the last question of this kind, from which it can be asked again."""
    level: Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])]
    due: TimeText
    state: StateNumber = LEARNING
    step: StepNumber | None = 0
    stability: Positive | None = None
    difficulty: Positive | None = None
    last: TimeText | None = None
    asked: Count = 0
    right: Count = 0
    failed: bool = False
    """True if the last answer was wrong."""


class LevelRecord(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The level of a drill, and the last answers at this level: "1" for right, "0" for wrong."""

    level: Annotated[int, Meta(ge=LEVELS[0], le=LEVELS[-1])] = LEVELS[0]
    recent: Annotated[str, Meta(pattern=f"^[01]{{0,{RECENT}}}$")] = ""


class Progress(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A trainee's progress in all drills. The keys are "rulebook/drill" and "rulebook/drill/kind"."""

    format: int = FORMAT
    levels: dict[ShortText, LevelRecord] = {}
    kinds: dict[ShortText, KindCard] = {}


class _FormatNumber(msgspec.Struct):
    format: int


def write_progress(progress: Progress) -> bytes:
    """Return progress as JSON."""
    return msgspec.json.format(msgspec.json.encode(progress), indent=1) + b"\n"


def read_progress(data: bytes) -> Progress:
    """Return progress from JSON; raise ProgressError if it is damaged or from a newer version."""
    if len(data) > LARGEST_FILE:
        raise ProgressError(f"it has {len(data):,} bytes; the limit is {LARGEST_FILE:,}; {REMEDY}")
    try:
        version = msgspec.json.decode(data, type=_FormatNumber).format
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProgressError(f"it is not a progress file ({error}); {REMEDY}") from error
    if version > FORMAT:
        wrong = f"it has format {version}, and this version of houseway reads up to {FORMAT}"
        raise ProgressError(f"{wrong}; upgrade houseway, or name another file")
    try:
        progress = msgspec.json.decode(data, type=Progress)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProgressError(f"it is damaged ({error}); {REMEDY}") from error
    damaged = next((name for name, card in progress.kinds.items() if not _is_sound(card)), None)
    if version < 1 or damaged is not None or len(progress.kinds) > MOST_KINDS:
        where = (
            f"the kind {damaged!r} is impossible" if damaged is not None else "its values are impossible"
        )
        raise ProgressError(f"it is damaged ({where}); {REMEDY}")
    return progress


REMEDY: Final = "name another file, or move this one away to start again"


def _is_sound(card: KindCard) -> bool:
    """True if the scheduler can continue from a card."""
    learned = card.stability is not None and card.difficulty is not None and card.last is not None
    fresh = card.stability is None and card.difficulty is None and card.last is None
    in_review = card.state == REVIEW
    steps = card.step is None if in_review else card.step is not None
    return (
        steps
        and (learned or (fresh and card.state == LEARNING))
        and card.right <= card.asked
        and all(map(_is_time, filter(None, (card.due, card.last))))
    )


def _is_time(text: str) -> bool:
    try:
        utc_time(text)
    except ValueError:
        return False
    return True


def drill_key(rulebook: str, drill: str) -> str:
    """Return the key of a drill's level."""
    return f"{rulebook}/{drill}"


def kind_key(rulebook: str, drill: str, kind: str) -> str:
    """Return the key of a kind's card."""
    return f"{rulebook}/{drill}/{kind}"


def level_of(progress: Progress, rulebook: str, drill: str) -> int:
    """Return the level at which a drill asks new questions."""
    return progress.levels.get(drill_key(rulebook, drill), LevelRecord()).level


def due_kinds(progress: Progress, rulebook: str, drill: str, now: str) -> list[str]:
    """Return the kinds of a drill that are due again, the longest overdue first."""
    prefix = kind_key(rulebook, drill, "")
    time = utc_time(now)
    due = [
        (utc_time(card.due), key.removeprefix(prefix))
        for key, card in progress.kinds.items()
        if key.startswith(prefix) and utc_time(card.due) <= time
    ]
    return [kind for _, kind in sorted(due)]


def weak_kinds(progress: Progress, keys: Iterable[str]) -> list[str]:
    """Return the keys of kinds whose last answer was wrong, the least often right first."""
    failed = [(key, card) for key in keys if (card := progress.kinds.get(key)) is not None and card.failed]
    return [key for key, card in sorted(failed, key=lambda one: (one[1].right / one[1].asked, one[0]))]


def after_answer(
    progress: Progress,
    rulebook: str,
    drill: str,
    kind: str,
    *,
    right: bool,
    seed: str,
    level: int,
    now: str,
) -> Progress:
    """Return progress after an answer: the kind is scheduled again, and the level may change."""
    key = kind_key(rulebook, drill, kind)
    card = progress.kinds.get(key) or KindCard(seed=seed, level=level, due=now)
    schedule = stored_schedule(review(card, right=right, now=now), now)
    kinds = progress.kinds | {
        key: KindCard(
            seed=seed,
            level=level,
            asked=card.asked + 1,
            right=card.right + right,
            failed=not right,
            **schedule,
        )
    }
    if len(kinds) > MOST_KINDS:
        del kinds[max(kinds, key=lambda name: utc_time(kinds[name].due))]
    levels = dict(progress.levels)
    drill_level = levels.get(drill_key(rulebook, drill), LevelRecord())
    if level == drill_level.level:
        # The answer to a repeated question of another level does not change this level.
        levels[drill_key(rulebook, drill)] = _next_level(drill_level, right=right)
    return replace(progress, kinds=kinds, levels=levels)


def _next_level(record: LevelRecord, *, right: bool) -> LevelRecord:
    recent = f"{record.recent}{int(right)}"[-RECENT:]
    if len(recent) == RECENT:
        known = recent.count("1")
        if known >= RISE and record.level < LEVELS[-1]:
            return LevelRecord(record.level + 1)
        if known <= FALL and record.level > LEVELS[0]:
            return LevelRecord(record.level - 1)
    return LevelRecord(record.level, recent)
