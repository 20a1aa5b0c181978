"""Message version 2: a table as a view, and updates that each hold an event and a patch of the view."""

from __future__ import annotations

from typing import Any

from houseway.client.messages import Answered, Bye, Choice, Given, Pong, Sitter, Waits, Words
from houseway.engine import role_views
from houseway.engine.refusals import Refusal
from houseway.narrate.live import LogLine


class Yours(role_views.Yours, frozen=True, kw_only=True, omit_defaults=True):
    """What only this viewer sees and may do."""

    choices: tuple[Choice, ...] = ()
    salt_due: bool = False
    """True if the viewer may add a salt to the players' cut now."""
    log: dict[int, LogLine] = {}  # noqa: RUF012
    """The round so far in short lines, from 1."""


class View(role_views.View, frozen=True, kw_only=True, omit_defaults=True):
    """A table as one viewer sees it now."""

    yours: Yours
    waits: Waits
    people: dict[int, Sitter] = {}  # noqa: RUF012


class Update(Given, frozen=True):
    """An event on record as everyone may see it, and what it changes in the viewer's view.

    The patch is a JSON merge patch: changed fields by name, null for a field or an entry that is gone,
    lists whole. Updates applied in order give the view after each event. An update without an event
    changes only what the viewer may do.
    """

    seq: int
    event: dict[str, Any] | None = None
    sentences: tuple[str, ...] = ()
    """The event in the record's words."""
    aloud: tuple[str, ...] = ()
    """What a screen reader says to this viewer of a live table."""
    script: tuple[Words, ...] = ()
    clause: str | None = None
    patch: dict[str, Any] = {}  # noqa: RUF012


class Entered(Given, frozen=True, tag="entered"):
    """The table for a viewer who enters, and the events since the last one the viewer knows.

    Those updates have no patch: the view is the present one.
    """

    seq: int
    role: str
    view: View
    updates: tuple[Update, ...] = ()
    missed: bool = False
    """True if the server no longer remembers all of them; the record has the rest."""


class Told(Given, frozen=True, tag="told"):
    """What happened. `waits` and `people` are about the present, and sent when they change."""

    seq: int
    updates: tuple[Update, ...] = ()
    waits: Waits | None = None
    people: dict[int, Sitter] | None = None
    view: View | None = None
    """The whole view in place of patches, when the viewer's role changed or the record was read again."""


class NotTaken(Given, frozen=True, tag="refused"):
    """A request that is refused; nothing was done."""

    refused: tuple[Refusal, ...]
    key: str = ""
    seq: int = 0
    view: View | None = None
    """The present view, for a command that came too late."""


FromHouse = Entered | Told | Answered | NotTaken | Pong | Bye


class Replay(Given, frozen=True):
    """A round as a role saw it: the view before its first event, and an update for each event."""

    table: str
    name: str
    rulebook: str
    title: str
    number: int
    at: str
    seen_as: str
    roles: tuple[str, ...]
    phases: tuple[dict[str, Any], ...]
    story: tuple[dict[str, Any], ...]
    view: View
    updates: tuple[Update, ...]
