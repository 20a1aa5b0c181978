"""Every message between a server and its clients.

Amounts that programs calculate with are whole cents. Cards are two characters, as in the record. No message
to a seat has a field for another seat's hidden cards, so they cannot be sent by mistake.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from houseway.bots import Style
from houseway.engine import views
from houseway.engine.legal import Spot
from houseway.engine.refusals import Refusal
from houseway.engine.report_options import ReportOption, RulingOption
from houseway.narrate.live_log import LogLine
from houseway.rules.wagers import Shape

Role = Literal["player", "dealer", "floor", "surveillance", "examiner"]
Kind = Literal["person", "bot"]
Pace = Literal["brisk", "normal", "unhurried"]


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request to the house."""


class Reply(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A reply from the house."""


# --- people ---


class Introduce(Request, frozen=True):
    """Register a handle."""

    handle: str


class Person(Reply, frozen=True):
    """A person the house knows, and the roles that person has."""

    handle: str
    roles: dict[str, tuple[Role, ...]] = {}
    """Roles by table; "*" is every table."""


class Introduced(Reply, frozen=True):
    """A person, and the token that authenticates that person."""

    person: Person
    token: str


class HouseEvent(Reply, frozen=True):
    """An event for the operator and the floor supervisor, such as a database that does not answer."""

    at: str
    event: str
    """Its kind, such as "store-trouble"."""
    message: str
    table: str = ""
    """The table, or empty if the event is about the whole house."""


class HouseEvents(Reply, frozen=True):
    """The last significant events, newest first."""

    events: tuple[HouseEvent, ...]


class Invite(Request, frozen=True):
    """Request a link that gives a role at a table."""

    table: str
    role: Role


class Invitation(Reply, frozen=True):
    """A single-use link that gives a role."""

    link: str
    invitation: str


class Accept(Request, frozen=True):
    """Accept an invitation."""

    invitation: str


class Grant(Reply, frozen=True):
    """A role that a person has at a table."""

    handle: str
    table: str
    """The table; "*" is every table."""
    role: Role
    granted_by: str
    """A handle, "house" or "operator"; empty if it is not known."""
    granted_at: str
    expires_at: str
    """When the role expires. Each visit of the person postpones it."""


class Grants(Reply, frozen=True):
    """The roles at a table, or at every table."""

    grants: tuple[Grant, ...]


class RevokeRole(Request, frozen=True):
    """Take a role at a table from a person."""

    handle: str
    table: str
    role: Role


class Recovery(Reply, frozen=True):
    """A single-use link that signs you in on another device, and the hours for which it is valid."""

    link: str
    recovery: str
    hours: int


class Recover(Request, frozen=True):
    """Sign in with a recovery link."""

    recovery: str


class TicketRequest(Request, frozen=True):
    """Request a ticket to open a socket."""

    table: str


class Ticket(Reply, frozen=True):
    """A single-use ticket to open a socket, and the seconds for which it is valid."""

    ticket: str
    seconds: int


# --- tables ---


class SeatedBot(Request, frozen=True):
    """A bot to seat at a table."""

    style: Style = "best"
    seat: int = 0
    """0 for any free seat."""


class OpenTable(Request, frozen=True):
    """Open a table."""

    rulebook: str
    name: str = ""
    mode: str = ""
    tables: dict[str, str] = {}
    limits: dict[str, dict[str, str]] = {}
    house: dict[str, Any] = {}
    leave_out: tuple[str, ...] = ()
    """Side bets that the table does not offer."""
    link: str = ""
    """The linked meter: wagers add to it, and awards are paid from it. A new name opens a new meter."""
    bots: tuple[SeatedBot, ...] = ()
    clock: int = 30
    """Seconds to act; 0 for no time limit."""
    pace: Pace = "normal"
    dealer: Literal["machine", "person"] = "machine"
    purpose: Literal["live", "training"] = "live"
    """"training" for a dealer in training: play continues after a hand that breaks the house way."""
    backs: tuple[str, ...] = ()
    """The colour of each deck's back; by default red, and blue for a second deck."""
    designated: tuple[str, ...] = ()
    """The games for which the house has designated the table: "ultimate", "shootout"; by default the
    rulebook's game. A table of another game is refused. The record names the person who opens the table."""


class Place(Reply, frozen=True):
    """A position at a table, as the lobby shows it."""

    seat: int
    player: str = ""
    kind: Kind | None = None
    """None if the seat is free."""
    held: str = ""
    """The player for whom the floor supervisor holds a free seat."""


class TableCard(Reply, frozen=True):
    """A table as the lobby shows it."""

    table: str
    name: str
    rulebook: str
    title: str
    game: str
    mode: str
    limits: str
    """The limits in words: "$5 to $100"."""
    notes: tuple[str, ...]
    seats: tuple[Place, ...]
    meters: dict[str, int]
    """Cents on each progressive meter."""
    round: int
    clock: int
    pace: Pace
    dealer: str
    open: bool
    link: str = ""
    """The name of the linked meter, or empty."""
    place: str = ""
    """The short name of the rulebook, from its title: "Massachusetts"."""


class TableCards(Reply, frozen=True):
    """The tables of a house."""

    tables: tuple[TableCard, ...]


class TableInUse(Reply, frozen=True):
    """A wager and the pay table that is used for it."""

    wager: str
    title: str
    table: str


class PayLine(Reply, frozen=True):
    """A line of a pay table, as printed."""

    hand: str
    pays: str
    clause: str | None


class BettingSpot(Reply, frozen=True):
    """A betting spot on the layout."""

    wager: str
    title: str
    shape: Shape
    equals: str = ""
    """Another wager that this one always equals; both are placed together."""
    later: bool = False
    """True if the wager is made during the round, not before it."""


class Circle(BettingSpot, frozen=True):
    """A betting spot of a live table, with what it pays."""

    times: tuple[int, ...] = ()
    """The sizes of a wager made during the round, as multiples of the ante."""
    table: str = ""
    """The name of the pay table in use."""
    pays: tuple[PayLine, ...] = ()
    clause: str | None = None


class HouseLine(Reply, frozen=True):
    """A line of the dealer's house way."""

    keeps: str
    """The two cards to keep, in words: "pair of eights or higher"."""
    clause: str | None = None


class TableSheet(Reply, frozen=True):
    """A table with everything the page needs to draw it."""

    card: TableCard
    circles: tuple[Circle, ...]
    positions: int
    """The number of seats on the layout."""
    cards: int
    """The number of cards dealt to a seat."""
    board: int
    qualifies: str
    """The lowest hand with which the dealer qualifies, in words; empty if every hand qualifies."""
    signs: dict[str, tuple[PayLine, ...]]
    """Signs beside the pay tables, such as Cover All's matrix, by heading."""
    chips: tuple[int, ...]
    """The chip values of the table in cents, smallest first."""
    given: dict[str, Any]
    """Mode, tables, limits and house settings, for programs that read the rulebook themselves."""
    hash: str
    house_way: tuple[HouseLine, ...] = ()
    """The house way, first line first: which two of four cards the dealer keeps."""
    more_positions: bool = False
    """True if a player may take more than one seat."""


class LabRequest(Request, frozen=True):
    """Request to solve a rulebook with some values changed."""

    rulebook: str
    set: dict[str, str] = {}


# --- views ---


class Choice(Reply, frozen=True):
    """A choice: the text of its button, and the command to send."""

    says: str
    command: dict[str, Any]
    costs: int = 0
    clause: str | None = None
    key: str = ""
    """The keyboard key."""
    amount: Spot | None = None
    """The limits of an amount that the player may change, such as a split's second bonus."""
    action: str = ""
    """The name of a seat's choice in the coach's advice, such as "4x" or "check"."""


class Waits(Reply, frozen=True):
    """The reason why the table waits, and the seats that it waits for."""

    why: Literal["bets", "decision", "next", "dealer", "floor", "players", "closed"]
    seats: tuple[int, ...] = ()
    ready: tuple[int, ...] = ()
    seconds: float | None = None
    """Seconds until the table continues without these seats; None if there is no time limit."""
    unavailable: bool = False
    """True while the record of the table cannot be read or written. Nothing is lost; the table retries."""
    openings: tuple[int, ...] = ()
    """The seats whose salts must be opened before the dealer can deal."""
    stalled: str = ""
    """The reason why the table cannot continue automatically; empty if it can."""


class Sitter(Reply, frozen=True):
    """The occupant of a seat, and whether the occupant is connected."""

    kind: Kind
    here: bool = True
    leaves: bool = False
    """True if the occupant was removed and leaves after this round."""


class Words(Reply, frozen=True):
    """A line of the dealer's script."""

    says: str
    clause: str | None = None
    spoken: str = ""
    """The words that the dealer speaks; empty if the line is only an instruction."""


class Yours(views.OwnView, frozen=True, kw_only=True, omit_defaults=True):
    """The part of a view that only this viewer sees: hidden cards and choices."""

    choices: tuple[Choice, ...] = ()
    reports: tuple[ReportOption, ...] = ()
    """The irregularities that the dealer or the floor supervisor can report now."""
    rulings: tuple[RulingOption, ...] = ()
    """The effects that the floor supervisor's ruling may have."""
    salt_due: bool = False
    """True if the viewer may add a salt in the clear to the players' cut now."""
    commit_due: bool = False
    """True if the viewer's seat may commit to a salt now, and has not done so in this round."""
    commitment: str = ""
    """The commitment of the viewer's seat, while betting is open."""
    openings: dict[int, str] = {}  # noqa: RUF012
    """The commitments of all seats of the viewer whose salts must be opened now, by seat."""
    log: dict[int, LogLine] = {}  # noqa: RUF012
    """The round so far in short lines, numbered from 1."""


class View(views.RoleView, frozen=True, kw_only=True, omit_defaults=True):
    """A table as one viewer sees it now."""

    yours: Yours
    waits: Waits
    people: dict[int, Sitter] = {}  # noqa: RUF012


class Update(Reply, frozen=True):
    """The public part of a recorded event, and how it changes the viewer's view.

    The patch is a JSON merge patch: it has the changed fields by name, null for a removed field or entry,
    and whole lists. Updates applied in order give the view after each event. An update without an event
    changes only what the viewer may do.
    """

    seq: int
    event: dict[str, Any] | None = None
    sentences: tuple[str, ...] = ()
    """The event in the record's words."""
    aloud: tuple[str, ...] = ()
    """The text that a screen reader reads to this viewer."""
    script: tuple[Words, ...] = ()
    clause: str | None = None
    patch: dict[str, Any] = {}


class Replay(Reply, frozen=True):
    """A round as a role saw it: the view after the first event, and an update for each event. The first
    update has no patch."""

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


class Enter(Request, frozen=True, tag="enter"):
    """Enter a table. This is the first message on a socket."""

    ticket: str
    table: str
    role: str = "rail"
    """ "seat 3", "rail", "dealer", "floor" or "surveillance"."""
    since: int | None = None
    """The last event known to a client that reconnects."""
    version: Literal[2] = 2
    """The version of the messages."""


class Do(Request, frozen=True, tag="do"):
    """Send a command to the table. A command that is sent twice with the same key counts once."""

    key: str
    command: msgspec.Raw
    expect: int | None = None
    """The last event that the client knows. With it, a command that arrives too late is refused."""


class Ready(Request, frozen=True, tag="ready"):
    """Report that the player has finished betting, or has seen the result of the round."""

    ready: bool = True
    round: int | None = None
    """The number of the round. With it and `why`, a message that arrives too late is refused."""
    why: Literal["bets", "next"] | None = None
    seat: int | None = None
    """One of the player's seats; without it, the message is for all of them."""


class Ping(Request, frozen=True, tag="ping"):
    """Check that the server still answers."""


ToHouse = Enter | Do | Ready | Ping


class RecordHead(Reply, frozen=True):
    """The signed head of a table's record: its number of events and its last hash. Keep it: a later record
    of the table must contain it."""

    stream: str
    """The table."""
    events: int
    """The number of events on record."""
    chain: str
    """The hash over all these events. Like the signature and the key, it is in hexadecimal."""
    signature: str
    """The house's Ed25519 signature over stream, events and chain."""
    key: str
    """The house's public key."""


class HeadAnswer(Reply, frozen=True):
    """The newest head of a table's record, and the hash after the number of events in the request."""

    head: RecordHead
    chain_at: str = ""
    """The hash after that many events; empty if no command on record ends there, or if the record is
    shorter."""


class Entered(Reply, frozen=True, tag="entered"):
    """The table for a viewer who enters, and the events after the last one that the viewer knows.

    These updates have no patch, because the view already includes them.
    """

    seq: int
    role: str
    view: View
    updates: tuple[Update, ...] = ()
    missed: bool = False
    """True if the server no longer remembers all of these events; the record has the rest."""


class Updated(Reply, frozen=True, tag="told"):
    """New events at the table. `waits` and `people` are sent when they change."""

    seq: int
    updates: tuple[Update, ...] = ()
    waits: Waits | None = None
    people: dict[int, Sitter] | None = None
    view: View | None = None
    """The whole view instead of patches, after the viewer's role changed or the record was read again."""
    head: RecordHead | None = None
    """The signed head of the record, after a round is closed."""


class Answered(Reply, frozen=True, tag="answered"):
    """A command is on record; `seq` is the number of its first event."""

    key: str
    seq: int
    repeated: bool = False


class Rejected(Reply, frozen=True, tag="refused"):
    """A request was refused and changed nothing."""

    refused: tuple[Refusal, ...]
    key: str = ""
    seq: int = 0
    view: View | None = None
    """The current view, if the command arrived too late."""


class Pong(Reply, frozen=True, tag="pong"):
    """The reply to a ping."""

    seq: int


class Bye(Reply, frozen=True, tag="bye"):
    """The reason why the house closes the socket."""

    code: str
    message: str


FromHouse = Entered | Updated | Answered | Rejected | Pong | Bye
