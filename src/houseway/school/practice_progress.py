"""A person's progress in practice: the answers, and the rating and missed positions that follow from them.

Progress is a list of notes in order. A server stores them in the person's stream; the terminal stores them
in a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from houseway.audit.times import utc_time
from houseway.errors import InputError
from houseway.school.decision_values import CLOSE, ValuedDecision
from houseway.school.position_kinds import KINDS
from houseway.school.position_links import LONGEST, LinkError, read_link
from houseway.school.practice_positions import Origin, PracticePosition
from houseway.school.rating import LADDERS, RatedAnswer, Rating, rate
from houseway.school.repeated_misses import Miss, after_answer
from houseway.school.skill_estimate import Item

FORMAT: Final = 1
"""The version of the progress file."""
LARGEST_FILE: Final = 16 << 20
MOST_NOTES: Final = 20_000
"""The most notes in a progress file; the oldest are dropped first."""
MOST_GAPS: Final = 20

ShortText = Annotated[str, Meta(max_length=LONGEST)]
Gap = Annotated[float, Meta(ge=0, le=10**6)]


class PracticeAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="answer"):
    """An answer to a position."""

    link: ShortText
    choice: ShortText
    gaps: Annotated[tuple[Gap, ...], Meta(max_length=MOST_GAPS)]
    """The values that the choices other than the best give up, smallest first."""
    loss: Gap
    """The value that the choice made gives up."""
    kind: ShortText
    origin: Origin
    at: ShortText

    @property
    def graded(self) -> bool:
        """True if the position is not a close call."""
        return bool(self.gaps) and self.gaps[0] >= float(CLOSE)


class RepeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="repeat"):
    """A position that the person wants to see again. It does not count as an answer."""

    link: ShortText
    at: ShortText


PracticeNote = PracticeAnswer | RepeatRequest


class PracticeFileError(InputError, ValueError):
    """A progress file cannot be read. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class PracticeProgress:
    """The state that follows from the notes."""

    answers: tuple[PracticeAnswer, ...] = ()
    misses: Mapping[str, Miss] = field(default_factory=dict)
    """The missed positions that return, by their links."""

    def ratings(self) -> tuple[Rating, ...]:
        """Return the rating on each ladder. The positions of every rulebook count."""
        rated = [RatedAnswer(Item(one.gaps, one.loss), one.origin) for one in self.answers if one.graded]
        return tuple(rate(ladder, rated) for ladder in LADDERS)

    def weak_kinds(self) -> dict[str, float]:
        """Return the kinds of position in which the person made mistakes, each with the antes given up."""
        lost: dict[str, float] = {}
        for one in self.answers:
            if one.graded and one.loss and one.kind in KINDS:
                lost[one.kind] = lost.get(one.kind, 0.0) + one.loss
        return lost


def note_of(shown: PracticePosition, valued: ValuedDecision, link: str, at: str) -> PracticeAnswer:
    """Return an answer as a note."""
    return PracticeAnswer(
        link=link,
        choice=valued.decision.choice,
        gaps=tuple(map(float, shown.position.gaps)),
        loss=float(valued.loss),
        kind=shown.kind.name,
        origin=shown.origin,
        at=at,
    )


def after_notes(progress: PracticeProgress, notes: Iterable[PracticeNote]) -> PracticeProgress:
    """Return the progress after more notes. Close calls are never repeated."""
    answers, misses = list(progress.answers), dict(progress.misses)
    for note in notes:
        if isinstance(note, PracticeAnswer):
            answers.append(note)
            if note.graded:
                misses = after_answer(misses, note.link, right=not note.loss, now=note.at)
        else:
            misses = after_answer(misses, note.link, right=False, now=note.at)
    return PracticeProgress(tuple(answers), misses)


# --- the progress file ---


class _ProgressFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    notes: tuple[PracticeNote, ...]
    format: int = FORMAT


class _PracticeFormat(msgspec.Struct):
    format: int


REMEDY: Final = "name another file, or move this one away to start again"


def write_notes(notes: Sequence[PracticeNote]) -> bytes:
    """Return notes as a JSON file."""
    return msgspec.json.encode(_ProgressFile(tuple(notes[-MOST_NOTES:]))) + b"\n"


def read_notes(data: bytes) -> tuple[PracticeNote, ...]:
    """Return the notes of a file; raise PracticeFileError if it is damaged or from a newer version."""
    if len(data) > LARGEST_FILE:
        raise PracticeFileError(f"it has {len(data):,} bytes; the limit is {LARGEST_FILE:,}; {REMEDY}")
    try:
        version = msgspec.json.decode(data, type=_PracticeFormat).format
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PracticeFileError(f"it is not a progress file of practice ({error}); {REMEDY}") from error
    if version > FORMAT:
        wrong = f"it has format {version}, and this version of houseway reads up to {FORMAT}"
        raise PracticeFileError(f"{wrong}; upgrade houseway, or name another file")
    try:
        notes = msgspec.json.decode(data, type=_ProgressFile).notes
        for note in notes:
            read_link(note.link)
            utc_time(note.at)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, LinkError, ValueError) as error:
        raise PracticeFileError(f"it is damaged ({error}); {REMEDY}") from error
    return notes[-MOST_NOTES:]
