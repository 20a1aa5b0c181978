"""The messages about a person's own progress: export, summary, erasing."""

from __future__ import annotations

from typing import Any, Final, Literal

from houseway.client.messages import Reply, Request

FORMAT: Final = "houseway progress"
VERSION: Final = 1
"""The version of the export."""


class ProgressEntry(Reply, frozen=True):
    """One entry of a person's progress, such as a drill or an exam."""

    seq: int
    """The number of the entry in the person's stream."""
    at: str
    kind: str
    format: int
    """The format of the body."""
    body: Any
    """A JSON object, or the text of a file."""


class OwnAttempt(Reply, frozen=True):
    """One of a person's own attempts at an exam of a class."""

    attempt: int
    exam: str
    rulebook: str
    status: str
    started_at: str
    ended_at: str = ""


class OwnClass(Reply, frozen=True):
    """A class that a person has joined, and the person's attempts in it."""

    id: str
    name: str
    instructor: str
    attempts: tuple[OwnAttempt, ...] = ()


class ProgressExport(Reply, frozen=True):
    """Everything that the server stores about a person's progress, as one document."""

    # `format` and `version` are always written, so they have no defaults.
    format: str
    version: int
    handle: str
    exported_at: str
    erased_at: tuple[str, ...]
    """The times at which earlier progress was erased."""
    entries: tuple[ProgressEntry, ...]
    classes: tuple[OwnClass, ...]


class ProgressSummary(Reply, frozen=True):
    """How much progress a person has stored."""

    handle: str
    entries: int
    bytes: int
    most_entries: int
    most_bytes: int
    kinds: dict[str, int]
    """The number of entries of each kind."""
    classes: int
    """The number of classes that the person has joined."""
    first_at: str = ""
    last_at: str = ""
    erased_at: str = ""
    """The time at which the progress was erased, if nothing was added since."""


class EraseProgress(Request, frozen=True):
    """Erase your own progress. This cannot be undone, so the request must say so in words."""

    confirm: Literal["erase my progress"]


class ProgressGone(Reply, frozen=True):
    """The result of erasing."""

    erased: bool
    """False if there was nothing to erase."""
    classes: int
    """The number of classes whose results disappeared."""
