"""What passes between a house and those at its tables: every message, in one place.

Amounts are whole cents where a program counts with them. Cards are two characters, as in the record. What
a message cannot hold, nobody can be told: no message to a seat has a field for another seat's cards.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from houseway.bots import Style
from houseway.engine.legal import Spot
from houseway.engine.refusals import Refusal
from houseway.engine.views import Layout

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
    meters: dict[str, str]
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


class Yours(Given, frozen=True):
    """What only this viewer sees and may do."""

    seat: int = 0
    cards: tuple[tuple[str, ...], ...] = ()
    choices: tuple[Choice, ...] = ()
    spots: tuple[Spot, ...] = ()
    chips: int = 0
    reads: str = ""
    """The own hand in words, as far as the board is out."""
    salt_due: bool = False
    """Whether a salt of one's own may go into the cut now."""
    notes: dict[str, Any] = {}
    """What a dealer, the floor or surveillance sees beside the layout."""


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


class SeenLine(Given, frozen=True):
    """A wager settled, with its reason."""

    seat: int
    hand: int
    wager: str
    stake: int
    result: str
    odds: str
    net: int
    why: str
    clause: str | None
    cut: int = 0
    for_dealer: bool = False


class SeenHand(Given, frozen=True):
    """A hand as it was turned up; it stays readable when the cards are racked."""

    seat: int
    hand: int
    cards: tuple[str, ...]
    reads: str = ""
    plays: tuple[str, ...] = ()
    """The five cards that play."""


class SeenRound(Given, frozen=True):
    """The round as it was seen so far by everybody."""

    number: int = 0
    seal: str = ""
    deck: str = ""
    board: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    dealer_reads: str = ""
    dealer_plays: tuple[str, ...] = ()
    qualifies: bool | None = None
    hands: tuple[SeenHand, ...] = ()
    acts: dict[int, str] = {}
    """What each seat did last, in a word or two."""
    bets: dict[int, dict[str, int]] = {}
    lines: tuple[SeenLine, ...] = ()
    payouts: dict[str, str] = {}
    net: dict[int, int] = {}
    void: str = ""
    closed: bool = False


class Sight(Given, frozen=True):
    """All that somebody sees of a table now."""

    layout: Layout
    yours: Yours
    waits: Waits
    people: dict[int, Sitter]
    seen: SeenRound


class Words(Given, frozen=True):
    """A line of the dealer's script."""

    says: str
    clause: str | None = None


class Moment(Given, frozen=True):
    """One event on record, as everybody may see it."""

    seq: int
    event: dict[str, Any]
    tells: str = ""
    script: tuple[Words, ...] = ()
    clause: str | None = None


# --- the socket ---


class Enter(Asked, frozen=True, tag="enter"):
    """Come to a table, as the first thing on a socket."""

    ticket: str
    table: str
    role: str = "rail"
    """ "seat 3", "rail", "dealer", "floor" or "surveillance"."""
    since: int | None = None
    """The last event known, by somebody who comes back."""
    version: Literal[1, 2] = 1
    """The version of the messages wanted."""


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
    """The table as it lies for somebody who just came, and what happened since the event known."""

    seq: int
    role: str
    sight: Sight
    moments: tuple[Moment, ...] = ()
    missed: bool = False
    """Whether more happened since the event known than the house remembers: the record has it."""


class Told(Given, frozen=True, tag="told"):
    """What happened, and what changed in the viewer's sight: whole fields, by name."""

    seq: int
    moments: tuple[Moment, ...]
    sight: dict[str, msgspec.Raw]


class Answered(Given, frozen=True, tag="answered"):
    """A command that is on record, the first of its events by number."""

    key: str
    seq: int
    repeated: bool = False


class NotTaken(Given, frozen=True, tag="refused"):
    """A wish that is not granted; nothing was done."""

    refused: tuple[Refusal, ...]
    key: str = ""
    seq: int = 0
    sight: Sight | None = None
    """The table as it lies, for a command that came too late."""


class Pong(Given, frozen=True, tag="pong"):
    """The house is there."""

    seq: int


class Bye(Given, frozen=True, tag="bye"):
    """The house closes the socket, and why."""

    code: str
    message: str


FromHouse = Entered | Told | Answered | NotTaken | Pong | Bye
