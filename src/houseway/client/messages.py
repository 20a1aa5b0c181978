"""What passes between a house and those at its tables: every message, in one place.

Amounts are whole cents where a program counts with them. Cards are two characters, as in the record. What
a message cannot hold, nobody can be told: no message to a seat has a field for another seat's cards.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from houseway.bots import Style
from houseway.engine import views
from houseway.engine.refusals import Refusal
from houseway.narrate.live_log import LogLine

Role = Literal["player", "dealer", "floor", "surveillance"]
Kind = Literal["person", "bot"]
Pace = Literal["brisk", "normal", "unhurried"]


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something asked of the house."""


class Given(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something the house says."""


# --- people ---


class Introduce(Asked, frozen=True):
    """Say by which handle one wants to be known."""

    handle: str


class Person(Given, frozen=True):
    """Somebody the house knows, and what that person may be at which table."""

    handle: str
    roles: dict[str, tuple[Role, ...]] = {}
    """By table; "*" is every table."""


class Introduced(Given, frozen=True):
    """A person, and the token that shows it is that person."""

    person: Person
    token: str


class Invite(Asked, frozen=True):
    """Ask for a link that gives somebody a role at a table."""

    table: str
    role: Role


class Invitation(Given, frozen=True):
    """A link that gives a role once."""

    link: str
    invitation: str


class Accept(Asked, frozen=True):
    """Take an invitation up."""

    invitation: str


class WantTicket(Asked, frozen=True):
    """Ask for a ticket with which a socket opens."""

    table: str


class Ticket(Given, frozen=True):
    """A ticket: good once, for so many seconds."""

    ticket: str
    seconds: int


# --- tables ---


class SeatedBot(Asked, frozen=True):
    """A program that plays at a table."""

    style: Style = "best"
    seat: int = 0
    """0 for any that is free."""


class OpenTable(Asked, frozen=True):
    """Open a table."""

    rulebook: str
    name: str = ""
    mode: str = ""
    tables: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    house: dict[str, Any] = {}
    leave_out: tuple[str, ...] = ()
    """Side bets the table does not offer."""
    bots: tuple[SeatedBot, ...] = ()
    clock: int = 30
    """Seconds to act; 0 for no clock."""
    pace: Pace = "normal"
    dealer: Literal["machine", "person"] = "machine"


class Place(Given, frozen=True):
    """A position at a table, as the lobby shows it."""

    seat: int
    player: str = ""
    kind: Kind | None = None
    """None where it is free."""


class TableCard(Given, frozen=True):
    """A table as the lobby shows it."""

    table: str
    name: str
    rulebook: str
    title: str
    game: str
    mode: str
    limits: str
    """What may be wagered, in words: "$5 to $100"."""
    notes: tuple[str, ...]
    seats: tuple[Place, ...]
    meters: dict[str, int]
    """Cents on each progressive meter."""
    round: int
    clock: int
    pace: Pace
    dealer: str
    open: bool


class TableCards(Given, frozen=True):
    """The tables of a house."""

    tables: tuple[TableCard, ...]


class PayLine(Given, frozen=True):
    """A line of a pay table as it is printed."""

    hand: str
    pays: str
    clause: str | None


class Circle(Given, frozen=True):
    """A place on the layout for a wager."""

    wager: str
    title: str
    shape: Literal["circle", "diamond", "sensor"]
    equals: str = ""
    """The wager it always equals; it is never put down by itself."""
    later: bool = False
    """Whether it is made in the round, not before."""
    times: tuple[int, ...] = ()
    """For one made in the round: its sizes, as multiples of the ante."""
    table: str = ""
    """The name of the pay table in use."""
    pays: tuple[PayLine, ...] = ()
    clause: str | None = None


class TableSheet(Given, frozen=True):
    """A table with everything the page draws it from."""

    card: TableCard
    circles: tuple[Circle, ...]
    positions: int
    """How many seats the layout has."""
    cards: int
    """How many cards a seat is dealt."""
    board: int
    qualifies: str
    """With what the dealer qualifies, in words; empty where that is not asked."""
    signs: dict[str, tuple[PayLine, ...]]
    """What is posted beside pay tables, as Cover All's matrix, by heading."""
    chips: tuple[int, ...]
    """The chips of the table, in cents, the smallest first."""
    given: dict[str, Any]
    """Mode, tables, limits and house settings, for a program that wants to read the rulebook itself."""
    hash: str


class Changed(Asked, frozen=True):
    """A rulebook with some of its values changed, to be solved."""

    rulebook: str
    set: dict[str, str] = {}


# --- what is seen ---


class Choice(Given, frozen=True):
    """A button: a command ready to be sent, in words."""

    says: str
    command: dict[str, Any]
    costs: int = 0
    clause: str | None = None
    key: str = ""
    """The key on a keyboard."""


class Waits(Given, frozen=True):
    """Whom the table waits for."""

    why: Literal["bets", "decision", "next", "dealer", "floor", "players", "closed"]
    seats: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()
    seconds: float | None = None
    """Until the table goes on without them; None without a clock."""


class Sitter(Given, frozen=True):
    """Who sits at a seat, and whether somebody answers for it."""

    kind: Kind
    here: bool = True
    leaves: bool = False
    """Whether it was sent away and goes after this round."""


class Words(Given, frozen=True):
    """A line of the dealer's script."""

    says: str
    clause: str | None = None


class Yours(views.Yours, frozen=True, kw_only=True, omit_defaults=True):
    """What only this viewer sees and may do."""

    choices: tuple[Choice, ...] = ()
    salt_due: bool = False
    """True if the viewer may add a salt to the players' cut now."""
    log: dict[int, LogLine] = {}  # noqa: RUF012
    """The round so far in short lines, from 1."""


class View(views.View, frozen=True, kw_only=True, omit_defaults=True):
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
    patch: dict[str, Any] = {}


class Replay(Given, frozen=True):
    """A round as a role saw it: the view when it opens, and an update for each event, the first one
    without a patch."""

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


# --- the socket ---


class Enter(Asked, frozen=True, tag="enter"):
    """Come to a table, as the first thing on a socket."""

    ticket: str
    table: str
    role: str = "rail"
    """ "seat 3", "rail", "dealer", "floor" or "surveillance"."""
    since: int | None = None
    """The last event known, by somebody who comes back."""
    version: Literal[2] = 2
    """The version of the messages."""


class Do(Asked, frozen=True, tag="do"):
    """Do something at the table; sent again under its key it counts once."""

    key: str
    command: msgspec.Raw
    expect: int | None = None
    """The last event known; with it, a command that comes too late is refused."""


class Ready(Asked, frozen=True, tag="ready"):
    """Say that the seat has wagered what it wants, or has seen the round that is over."""

    ready: bool = True
    round: int | None = None
    """The round it is about; with it, and with `why`, one that comes too late is refused."""
    why: Literal["bets", "next"] | None = None


class Ping(Asked, frozen=True, tag="ping"):
    """Ask whether the house is there."""


ToHouse = Enter | Do | Ready | Ping


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


class Answered(Given, frozen=True, tag="answered"):
    """A command that is on record, the first of its events by number."""

    key: str
    seq: int
    repeated: bool = False


class NotTaken(Given, frozen=True, tag="refused"):
    """A request that is refused; nothing was done."""

    refused: tuple[Refusal, ...]
    key: str = ""
    seq: int = 0
    view: View | None = None
    """The present view, for a command that came too late."""


class Pong(Given, frozen=True, tag="pong"):
    """The house is there."""

    seq: int


class Bye(Given, frozen=True, tag="bye"):
    """The house closes the socket, and why."""

    code: str
    message: str


FromHouse = Entered | Told | Answered | NotTaken | Pong | Bye
