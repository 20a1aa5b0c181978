"""Where a table stands: frozen records that only folding an event replaces."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.engine.events import Cards, WagerSettled
from houseway.engine.meters import MICRO

NOTHING: Final[dict[str, int]] = {}


class Hand(msgspec.Struct, frozen=True, gc=False):
    """One hand at a seat, with what is staked on it."""

    cards: Cards = ()
    wagers: dict[str, int] = NOTHING
    """Cents on the layout."""
    made: dict[str, int] = NOTHING
    """Every wager made in the round, settled or not."""
    tips: dict[str, int] = NOTHING
    coupon: int = 0
    collected: int = 0
    """The progressive wager once the dealer has taken it."""
    acted: str = ""
    """The betting point at which the hand last acted."""
    locked: bool = False
    folded: str = ""
    """"", "folded" or "held" with its cards under trips."""
    shown: bool = False
    racked: bool = False
    void: bool = False
    discards: Cards = ()

    @property
    def staked(self) -> int:
        """Cents of all wagers and tips on the layout."""
        return sum(self.wagers.values()) + sum(self.tips.values())


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A position with a player."""

    player: str
    chips: int
    """Cents in the player's own stack."""
    hands: tuple[Hand, ...] = (Hand(),)
    seated: bool = True
    minimum: int = 0
    """The minimum the player's wagers were held to."""
    played_at: int = 0
    """That of the last round the player took part in."""
    kept: int = 0
    """The old minimum the floor lets the player stay at."""
    started: int = 0
    """Cents the player had when the round opened."""


class Deck(msgspec.Struct, frozen=True, gc=False):
    """A deck at the table."""

    name: str
    back: str
    stands: str = "received"
    """"received", "stack", "shoe", "machine", "device", "spread" or "off"."""
    seal: str = ""
    """What its order was sealed with when it was shuffled."""
    used: int = 0
    """Cards taken off it since it was shuffled."""
    out: int = 0
    """Which, a bit for each; of several decks in one shoe it tells nothing."""
    cut: bool = False
    loaded: bool = False
    mixed: bool = False
    """Whether it has been dealt from: the players' cut is made by then, or never."""
    off: str | None = None
    """The clause by which it left the table."""


class Racked(msgspec.Struct, frozen=True, gc=False):
    """Cards that lie together in the discard rack."""

    what: str
    count: int
    cards: Cards = ()
    """Empty where nobody knows them, as of a stub."""


class Round(msgspec.Struct, frozen=True, gc=False):
    """What belongs to one round and is gone with it."""

    number: int = 0
    deck: str = ""
    """The deck the round is dealt from; empty where none has been yet."""
    betting: str = ""
    """"", "open" or "closed"."""
    seal: str = ""
    salts: dict[int, str] = {}
    """Bytes for the players' cut, by seat."""
    players: tuple[int, ...] = ()
    """Seats with wagers when the betting closed: who is dealt in."""
    served: tuple[str, ...] = ()
    """Places the deal under way has served, or passed over."""
    looking: bool = False
    board: Cards = ()
    up: int = 0
    """How many of the board lie face up."""
    gone: tuple[str, ...] = ()
    """"board", "dealer" and "dealer discards" once those cards are in the rack."""
    arranged: Cards = ()
    dealer: Cards = ()
    revealed: bool = False
    qualifies: bool | None = None
    kept: Cards = ()
    """The two of four cards the dealer plays."""
    set_by: str = ""
    challenged: int = 0
    """The seat whose challenge is open."""
    out: int = 0
    """Cards dealt in the round, burns included."""
    skipped: tuple[str, ...] = ()
    """Places the deal passed over."""
    drawn: Cards = ()
    """Drawn in error, to be used as the next."""
    face_up: int = 0
    stub_out: bool = False
    counted: bool = False
    payouts: int = 0
    """The number of hands whose payouts the device shows."""
    lit: tuple[int, ...] = ()
    locked: bool = False
    lammers: tuple[tuple[int, int], ...] = ()
    """Seat and hand of every wager a lammer marks."""
    void: str = ""
    """"", "all" or "trips" where trips is still to be settled."""
    settled: tuple[WagerSettled, ...] = ()
    left: tuple[int, ...] = ()
    """Seats whose cards stay out, the last the highest."""
    keyed: dict[int, str] = {}
    asked: tuple[int, int, str, str] | None = None
    """A payment that waits for approval: seat, hand, wager, who."""
    approved: tuple[tuple[int, int, str], ...] = ()
    exposed: tuple[tuple[str, Cards], ...] = ()
    """Cards that lie face up where they should not, by place."""
    fed: dict[str, int] = NOTHING
    before: dict[str, int] = NOTHING
    """What tips, meters, reserves and the house held when the round opened."""


class State(msgspec.Struct, frozen=True, gc=False):
    """A table. Meters, reserves and the house are held in millionths of a cent: no percentage rounds."""

    section: str = "closed"
    """"closed", "opening", "shuffling", "round" or "idle"."""
    done: str = ""
    """The last step taken in the section."""
    owed: tuple[str, ...] = ()
    """Steps to be taken again before the procedure goes on."""
    opening_deck: int = 0
    decks: tuple[Deck, ...] = ()
    deck: int = 0
    """The deck in play."""
    off: bool = False
    """Whether a deck is off the table."""
    behind: int = 0
    """Cards behind the cut card."""
    cut_card_out: bool = False
    rack: tuple[Racked, ...] = ()
    rack_deck: str = ""
    seats: dict[int, Seat] = {}
    held: dict[int, tuple[str, str, int]] = {}
    """Seats held: player, until when, the minimum kept."""
    minima: dict[str, int] = NOTHING
    """Minimum bets in force that differ from those the table opened with."""
    changing: dict[str, int] = NOTHING
    """Minimum bets that hold from the next round on."""
    round: Round = Round()
    rounds: int = 0
    since_count: int = 0
    """Rounds since the stub was last counted."""
    meters: dict[str, int] = NOTHING
    reserves: dict[str, int] = NOTHING
    tips: int = 0
    """Cents won for the dealer."""
    house: int = 0
    """Millionths of a cent, the tray included."""
    cage: int = 0
    """Cents brought to the table and taken from it by players, as seen from outside."""
    dealer: str = "machine"
    """Who performs the dealer's acts: "machine" or "person"."""
    mispaid: dict[str, tuple[int, str | None]] = {}
    """Cents paid out wrongly and not yet put right, with the clause that says what was due, by
    "player/seat/hand/wager"."""
    unoffered: tuple[str, ...] = ()
    """Wagers of the rulebook that this table does not offer."""
    settings: dict[str, Any] = {}
    rulebook: str = ""
    hash: str = ""

    @property
    def playing(self) -> Deck:
        """The deck in play."""
        return self.decks[self.deck]


def sums(state: State) -> dict[str, int]:
    """What the table holds beside its players, in millionths of a cent."""
    return {
        "tips": state.tips * MICRO,
        "meters": sum(state.meters.values()),
        "reserves": sum(state.reserves.values()),
        "house": state.house,
    }


def total(state: State) -> int:
    """All money in and around the table, in millionths of a cent; no event may change it."""
    cents = state.cage + state.tips
    for seat in state.seats.values():
        cents += seat.chips
        for hand in seat.hands:
            cents += hand.staked
    return cents * MICRO + state.house + sum(state.meters.values()) + sum(state.reserves.values())
