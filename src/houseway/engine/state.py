"""The state of a table, as immutable data. A new state is made only by applying an event."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from houseway.engine.events import Cards, WagerSettled
from houseway.engine.meters import MICRO

NOTHING: Final[dict[str, int]] = {}
PLAIN: Final = "plain"
"""Players add their salts to the players' cut in the clear."""
COMMITTED: Final = "committed"
"""Players commit to their salts while betting is open, and open them once it is closed."""

STATE_FORMAT: Final = 3
"""The format of a state in a snapshot. Increase it when the fields of a state change, or when the same
events lead to another state. A snapshot in another format is never used."""


class Hand(msgspec.Struct, frozen=True, gc=False):
    """One hand at a seat, with its stakes."""

    cards: Cards = ()
    wagers: dict[str, int] = NOTHING
    """Cents on the layout, by wager."""
    made: dict[str, int] = NOTHING
    """Every wager made in the round, settled or not."""
    tips: dict[str, int] = NOTHING
    coupon: int = 0
    collected: int = 0
    """Cents of a progressive wager that the dealer has collected but not settled."""
    acted: str = ""
    """The betting point of the last decision, or "set" once four cards are set."""
    locked: bool = False
    folded: str = ""
    """"", "folded", or "held" if a trips bet keeps the cards on the layout."""
    shown: bool = False
    racked: bool = False
    void: bool = False
    discards: Cards = ()
    unread: bool = False
    """True if the dealer took the folded cards and nobody saw them."""

    @property
    def staked(self) -> int:
        """Cents of all wagers and tips on the layout."""
        return sum(self.wagers.values()) + sum(self.tips.values())

    @property
    def stakes(self) -> dict[str, int]:
        """Cents of the unsettled wagers, by wager: on the layout, or collected before the deal."""
        return {**self.wagers, "progressive": self.collected} if self.collected else dict(self.wagers)

    def holds(self, wager: str) -> bool:
        """True if the hand has a wager that is not settled, on the layout or collected before the deal."""
        return wager in self.wagers or (wager == "progressive" and self.collected > 0)


class Seat(msgspec.Struct, frozen=True, gc=False):
    """A seat with a player."""

    player: str
    chips: int
    """Cents in the player's stack."""
    hands: tuple[Hand, ...] = (Hand(),)
    seated: bool = True
    minimum: int = 0
    """The minimum that applied to the player's last wagers."""
    played_at: int = 0
    """The minimum that applied to the player in the last round they played."""
    kept: int = 0
    """The old minimum that the floor lets the player keep."""
    least: int = 0
    """The player's smallest main wager in any round so far; 0 if the table does not record it."""
    started: int = 0
    """The player's chips in cents when the round opened."""
    account: str = ""
    """The account that the chips return to when the player leaves."""
    removed: bool = False
    """True if the player was removed and leaves after the round."""


class Deck(msgspec.Struct, frozen=True, gc=False):
    """A deck at the table."""

    name: str
    back: str
    stands: str = "received"
    """"received", "stack", "shoe", "machine", "device", "spread" or "off"."""
    seal: str = ""
    """The seal of the card order, made at the shuffle."""
    used: int = 0
    """The number of cards dealt from the deck since the shuffle."""
    out: int = 0
    """The known cards among those dealt, one bit each. In a shoe, the copies of a card share a bit."""
    cut: bool = False
    loaded: bool = False
    mixed: bool = False
    """True once betting has closed on this deck; players can then no longer cut it."""
    off: str | None = None
    """The clause under which the deck was taken off the table."""
    ahead: bool = False
    """True if the deck was shuffled ahead for a round that has not opened yet."""


class RackPile(msgspec.Struct, frozen=True, gc=False):
    """A group of cards in the discard rack."""

    what: str
    count: int
    cards: Cards = ()
    """Empty if the cards are unknown, as in a stub."""


class KeyedAward(msgspec.Struct, frozen=True, gc=False):
    """The change in a meter from an award that is keyed but not yet paid."""

    meter: str
    awarded: int
    seeded: int
    released: int
    """Millionths of a cent."""
    right: bool


class Round(msgspec.Struct, frozen=True, gc=False):
    """The state of one round, replaced when the next one opens."""

    number: int = 0
    deck: str = ""
    """The deck of the round. Empty before the first round, and if the table went idle in an open round."""
    betting: str = ""
    """"", "open" or "closed"."""
    seal: str = ""
    salts: dict[int, str] = {}
    """The salts for the players' cut, by seat. If players commit to their salts, only the opened ones."""
    commitments: dict[int, str] = {}
    """The commitments to salts, by seat. Once betting is closed, only those of the seats dealt in."""
    unopened: tuple[int, ...] = ()
    """The seats that did not open their salts in time, so that the deck was discarded."""
    players: tuple[int, ...] = ()
    """The seats dealt in: those with wagers when betting closed."""
    served: tuple[str, ...] = ()
    """The places that have received their cards in the current deal, or were skipped."""
    looking: bool = False
    board: Cards = ()
    up: int = 0
    """The number of community cards that are face up."""
    gone: tuple[str, ...] = ()
    """"board", "dealer" and "dealer discards" once those cards are in the rack."""
    arranged: Cards = ()
    dealer: Cards = ()
    revealed: bool = False
    qualifies: bool | None = None
    kept: Cards = ()
    """The two of four cards that the dealer plays."""
    set_by: str = ""
    challenged: int = 0
    """The seat whose challenge is not yet answered, or 0."""
    answered: bool = False
    """True if a challenge was answered and the hand cannot be challenged again."""
    out: int = 0
    """The number of cards dealt in the round, burns included."""
    skipped: tuple[str, ...] = ()
    """The places that the deal skipped."""
    drawn: Cards = ()
    """Cards drawn in error, which are dealt next."""
    turned_early: int = 0
    """The number of community cards, from the first, that were turned up too early and turned back."""
    face_up: int = 0
    stub_out: bool = False
    counted: bool = False
    payouts: int = 0
    """The number of hands for which the device shows payouts."""
    lit: tuple[int, ...] = ()
    locked: bool = False
    lammers: tuple[tuple[int, int], ...] = ()
    """Seat and hand of every wager with a lammer."""
    void: str = ""
    """"", "all", or "trips" if the void round still completes the board, to settle any trips wager."""
    settled: tuple[WagerSettled, ...] = ()
    left: tuple[int, ...] = ()
    """The seats whose cards stay on the table, the highest hand last."""
    keyed: dict[int, str] = {}
    awards: dict[int, KeyedAward] = {}
    """The keyed awards that moved a meter and are not yet paid, by seat, in the order of keying."""
    asked: tuple[int, int, str, str] | None = None
    """The payment that waits for approval: seat, hand, wager, approver."""
    approved: tuple[tuple[int, int, str], ...] = ()
    exposed: tuple[tuple[str, Cards], ...] = ()
    """Exposed cards that stay face up, by place."""
    departed: dict[int, int] = {}
    """Cents that players who left in this round had gained or lost in it, by seat."""
    fed: dict[str, int] = NOTHING
    before: dict[str, int] = NOTHING
    """The sums of tips, meters, reserves and house when the round opened."""


class State(msgspec.Struct, frozen=True, gc=False):
    """The state of a table. Meters, reserves and house are in millionths of a cent, to avoid rounding."""

    section: str = "closed"
    """"closed", "opening", "shuffling", "round" or "idle"."""
    done: str = ""
    """The last step taken in the section."""
    owed: tuple[str, ...] = ()
    """The steps to repeat before the procedure continues."""
    opening_deck: int = 0
    decks: tuple[Deck, ...] = ()
    deck: int = 0
    """The deck in play."""
    off: bool = False
    """True if a deck is off the table."""
    behind: int = 0
    """The number of cards behind the cut card."""
    cut_card_out: bool = False
    emptied: bool = False
    """True after the last player left, until play resumes; before that, the cards must be spread."""
    rack: tuple[RackPile, ...] = ()
    rack_deck: str = ""
    seats: dict[int, Seat] = {}
    held: dict[int, tuple[str, str, int]] = {}
    """Held seats, each with its player, the end of the hold and the minimum that the player keeps."""
    minima: dict[str, int] = NOTHING
    """Minimum bets that changed since the table opened."""
    changing: dict[str, int] = NOTHING
    """Minimum bets that take effect in the next round."""
    round: Round = Round()
    rounds: int = 0
    since_count: int = 0
    """Rounds since the stub was last counted."""
    meters: dict[str, int] = NOTHING
    reserves: dict[str, int] = NOTHING
    tips: int = 0
    """Cents of tips won for the dealer."""
    house: int = 0
    """The house's money, including its chip rack, in millionths of a cent."""
    cage: int = 0
    """Cents that players left with, less the cents that they sat down with."""
    dealer: str = "machine"
    """The dealer: "machine" or "person"."""
    purpose: str = "live"
    """"live", "shadow" if the record follows a physical table, or "training"."""
    mispaid: dict[str, tuple[int, str | None]] = {}
    """Mispaid cents that are not corrected yet, with the clause of the right payment. The key is
    "player/seat/hand/wager"."""
    unoffered: tuple[str, ...] = ()
    """Wagers of the rulebook that this table does not offer."""
    coupons: dict[str, int] = NOTHING
    """The number of match play coupons that each player has used."""
    link: str = ""
    """The name of the linked meter, or empty."""
    elsewhere: dict[str, int] = NOTHING
    """Money that other tables have added to the linked "meters" and "reserves", less their awards."""
    inspected: dict[str, str] = {}
    """The person who inspected each deck, by deck."""
    confirmed: dict[str, str] = {}
    """The person who confirmed each item of the opening, by step, or by "step/deck"."""
    players_cut: str = PLAIN
    """How players add their salts: "plain" or "committed"."""
    openings: dict[str, str] = {}
    """For each player who left a salt unopened, one mark per round, the newest last: "x" if the player left
    the salt of that round unopened, otherwise "."."""
    settings: dict[str, Any] = {}
    rulebook: str = ""
    hash: str = ""

    @property
    def playing(self) -> Deck:
        """The deck in play."""
        return self.decks[self.deck]


def house_sums(state: State) -> dict[str, int]:
    """Return this table's money in tips, meters, reserves and house, in millionths of a cent."""
    elsewhere = state.elsewhere
    return {
        "tips": state.tips * MICRO,
        "meters": sum(state.meters.values()) - elsewhere.get("meters", 0),
        "reserves": sum(state.reserves.values()) - elsewhere.get("reserves", 0),
        "house": state.house,
    }


def total(state: State) -> int:
    """Return all money in and around the table, in millionths of a cent. No event may change it."""
    cents = state.cage + state.tips
    for seat in state.seats.values():
        cents += seat.chips
        for hand in seat.hands:
            cents += hand.staked
    meters = sum(state.meters.values()) + sum(state.reserves.values()) - sum(state.elsewhere.values())
    return cents * MICRO + state.house + meters
