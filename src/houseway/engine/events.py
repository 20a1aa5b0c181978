"""What happened at a table: events are past participles, and each names the clause it rests on.

State is nothing but its events folded. What nobody may see yet stands in fields named `sealed`, so a
record can be shown without them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.cards import Card

Cards = tuple[Card, ...]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True, gc=False):
    """Something that happened."""

    clause: str | None = None
    """The clause it rests on."""


# --- the table and its cards ---


class TableOpened(Event, frozen=True):
    """The table was opened under a rulebook's terms."""

    rulebook: str
    hash: str
    settings: dict[str, Any]
    backs: tuple[str, ...]
    meters: dict[str, int]
    """Millionths of a cent."""
    reserves: dict[str, int]
    section: str
    dealer: str = "machine"
    version: int = 1
    """The version of the record's names and fields."""


class StepTaken(Event, frozen=True):
    """A step of the dealer's procedure was completed."""

    step: str
    section: str
    by: str = "dealer"
    name: str = ""
    deck: str = ""
    count: int | None = None


class DeckShuffled(Event, frozen=True):
    """A deck was shuffled."""

    deck: str
    method: str
    stands: str
    """Where the deck then is: "stack", "shoe" or "machine"."""


class DeckCut(Event, frozen=True):
    """A deck was cut."""

    deck: str
    count: int
    by: str
    rest_on_top: bool


class CutCardPlaced(Event, frozen=True):
    """The cut card was put so many cards from the end of the shoe."""

    behind: int


class CutCardReached(Event, frozen=True):
    """The cut card came out: this round is the shoe's last."""


class DeckLoaded(Event, frozen=True):
    """A deck went into the shoe or the machine."""

    deck: str
    into: str


class RackCleared(Event, frozen=True):
    """The discard rack was emptied."""


class DecksSwapped(Event, frozen=True):
    """One deck came into play, the other went into the device."""

    into_play: str
    into_device: str


class DeckRemoved(Event, frozen=True):
    """A deck left the table."""

    deck: str


class DeckReplaced(Event, frozen=True):
    """A new deck took the place of one that had left."""

    deck: str
    section: str


class RecutOrdered(Event, frozen=True):
    """A supervisor ordered the cards cut again."""

    by: str
    owed: tuple[str, ...]


class ReshuffleOrdered(Event, frozen=True):
    """The cards are to be shuffled again before anything is dealt."""

    owed: tuple[str, ...] = ()
    section: str | None = None


class TableIdled(Event, frozen=True):
    """The open table stands idle, its cards spread."""

    spread: bool = True


class TableResumed(Event, frozen=True):
    """Play was taken up again at an idle table."""

    owed: tuple[str, ...]
    section: str = "shuffling"


class TableClosed(Event, frozen=True):
    """The table was closed."""


class LimitsChanged(Event, frozen=True):
    """A minimum bet changes with the next round."""

    wager: str
    amount: int
    notice: str


class MinimumKept(Event, frozen=True):
    """The floor lets a player stay at the old minimum."""

    seat: int
    amount: int


class SeatHeld(Event, frozen=True):
    """A seat is held for its player."""

    seat: int
    until: str


class SeatReleased(Event, frozen=True):
    """A seat is held no longer."""

    seat: int


# --- players and wagers ---


class PlayerSeated(Event, frozen=True):
    """A player sat down with chips."""

    seat: int
    player: str
    chips: int


class PlayerReseated(Event, frozen=True):
    """A player who stood sat down again."""

    seat: int


class PlayerStood(Event, frozen=True):
    """A player stood up."""

    seat: int


class PlayerLeft(Event, frozen=True):
    """A player left with the chips."""

    seat: int
    chips: int


class RoundOpened(Event, frozen=True):
    """The round was opened; wagers are taken."""

    number: int
    deck: str
    seal: str = ""
    limits: dict[str, int] = {}
    """Minimum bets changed since the table opened, by wager."""


class WagersPlaced(Event, frozen=True):
    """A seat's wagers were put on the layout, in place of those that lay there."""

    seat: int
    wagers: dict[str, int]
    minimum: int = 0
    """The minimum the player was held to."""
    tips: dict[str, int] = {}
    coupon: int = 0


class WagersTakenBack(Event, frozen=True):
    """A seat's wagers were taken off the layout."""

    seat: int


class BettingClosed(Event, frozen=True):
    """No more bets."""


class SensorsLocked(Event, frozen=True):
    """The progressive sensors were locked."""

    seats: tuple[int, ...]
    lit: bool


class ProgressiveCollected(Event, frozen=True):
    """The progressive wagers were taken off the table."""

    stakes: dict[int, int]
    stays_lit: bool = True


class MeterFed(Event, frozen=True):
    """Progressive wagers fed the meters, or a void round took that back."""

    meters: dict[str, int]
    """Millionths of a cent added; below nothing where a void round takes them back."""
    reserves: dict[str, int] = {}


class LammersPlaced(Event, frozen=True):
    """Lammers mark the wagers that envy goes with."""

    seats: tuple[int, ...]
    hand: int = 1


# --- cards ---


class CardsDealt(Event, frozen=True):
    """Cards were dealt to one place."""

    to: str
    count: int
    face: Cards = ()
    sealed: Cards = ()


class CardsBurned(Event, frozen=True):
    """Cards were burned."""

    count: int
    sealed: Cards


class BoardTurned(Event, frozen=True):
    """Community cards were turned up."""

    face: Cards


class BoardArranged(Event, frozen=True):
    """The common cards were put in order."""

    face: Cards


class PlayersLooked(Event, frozen=True):
    """Players may look at their cards."""


class StubRemoved(Event, frozen=True):
    """What was left of the deck was taken out."""

    count: int
    racked: bool


class StubCounted(Event, frozen=True):
    """The stub was counted."""

    count: int
    expected: int
    right: bool
    racked: bool


class DealerRevealed(Event, frozen=True):
    """The dealer's cards were turned up and the hand called."""

    face: Cards
    reads: str = ""
    qualifies: bool | None = None


class DealerHandSet(Event, frozen=True):
    """The dealer kept two of four cards."""

    kept: Cards
    by: str
    house_way: Cards = ()
    """What the house way keeps, where the dealer kept something else."""


class HandChallenged(Event, frozen=True):
    """A player challenged the dealer's hand."""

    seat: int


class ChallengeAnswered(Event, frozen=True):
    """The dealer's hand was looked at again, and set by the house way if it was not."""

    kept: Cards
    changed: bool
    by: str


class PayoutsShown(Event, frozen=True):
    """The device showed what Cover All pays for the hands dealt."""

    hands: int
    odds: dict[str, str]


class HandTurned(Event, frozen=True):
    """A player's hand was turned up and called."""

    seat: int
    hand: int
    face: Cards
    reads: str


class CardsRacked(Event, frozen=True):
    """Cards went into the discard rack."""

    what: str
    count: int
    face: Cards = ()
    sealed: Cards = ()


class FoldTaken(Event, frozen=True):
    """The dealer dealt with a fold as it happened."""

    seat: int
    step: str


class CardsCounted(Event, frozen=True):
    """A folded hand was spread face down and counted."""

    seat: int
    count: int


class CardsLeft(Event, frozen=True):
    """A hand's cards stay out, face up, because something may still be paid on them."""

    seat: int


# --- decisions ---


class Checked(Event, frozen=True):
    """A player checked."""

    seat: int
    stage: str
    by: str = ""


class PlayMade(Event, frozen=True):
    """A player made the play wager."""

    seat: int
    stage: str
    times: int
    amount: int
    tip: int = 0
    locks: bool = True


class Folded(Event, frozen=True):
    """A player folded."""

    seat: int
    stage: str
    held: bool = False
    by: str = ""


class HandSet(Event, frozen=True):
    """A player kept two of four cards."""

    seat: int
    face: Cards
    sealed: Cards
    """The two discards."""
    shown: bool = True
    lies: str = ""
    """Where the hand lies, as the rulebook puts it."""
    by: str = ""


class HandSplit(Event, frozen=True):
    """A player split four cards into two hands."""

    seat: int
    first: Cards
    second: Cards
    wager: int
    bonus: int = 0
    shown: bool = True
    lies: str = ""


# --- settlement ---


class AwardKeyed(Event, frozen=True):
    """A progressive award was keyed."""

    seat: int
    hand: str
    right: bool
    """Whether the cards make what was keyed; what they do not make cannot be paid."""


class AwardUnkeyed(Event, frozen=True):
    """A keyed award was withdrawn."""

    seat: int
    hand: str


class ApprovalAsked(Event, frozen=True):
    """A payment waits for somebody's approval."""

    seat: int
    hand: int
    wager: str
    amount: int
    who: str


class PaymentApproved(Event, frozen=True):
    """The payment that waited was approved."""

    by: str


class WagerSettled(Event, frozen=True):
    """A wager was settled."""

    seat: int
    hand: int
    wager: str
    stake: int
    result: str
    back: int
    """What goes to the player's side of the layout, or, for a tip, to the dealer."""
    odds: str | None = None
    cut: int = 0
    for_dealer: bool = False
    from_seat: int = 0
    from_hand: int = 0
    coupon: int = 0
    meter: str = ""
    """The meter an award came off, and where it stands then."""
    awarded: int = 0
    seeded: int = 0
    """Cents the house put back on it, the reserve apart."""
    released: int = 0
    """Millionths of a cent the reserve put on it."""


class SystemReset(Event, frozen=True):
    """The progressive system was reset; its lights are out."""


class RoundClosed(Event, frozen=True):
    """The round is complete."""

    number: int
    net: dict[int, int]
    """What each seat in the round won or lost, in cents."""
    changes: dict[str, int]
    """What tips, meters, reserves and the house gained, in millionths of a cent; with the seats' it sums
    to nothing."""
    section: str


# --- what goes wrong ---


class CardExposed(Event, frozen=True):
    """A card was seen that should not be."""

    at: str
    face: Cards
    turned_back: bool


class FaceUpFound(Event, frozen=True):
    """A card lay face up in the deck."""

    face: Cards
    used: bool


class CardDrawn(Event, frozen=True):
    """A card left the deck too early, unseen."""

    sealed: Cards


class ExtraDealt(Event, frozen=True):
    """A hand got a card too many."""

    at: str
    sealed: Cards


class CardSkipped(Event, frozen=True):
    """A hand was passed over in the deal."""

    at: str


class WrongNumberFound(Event, frozen=True):
    """A hand was found to have a wrong number of cards."""

    at: str
    count: int


class HandCured(Event, frozen=True):
    """The dealer was dealt the missing cards in sequence."""

    sealed: Cards


class HandVoided(Event, frozen=True):
    """One player's hand is void."""

    seat: int


class RoundVoided(Event, frozen=True):
    """Every hand is void."""

    why: str
    trips: bool
    """Whether trips wagers are still settled once the board is complete."""


class WagersReturned(Event, frozen=True):
    """Wagers of a void hand went back."""

    seat: int
    hand: int
    wagers: dict[str, int]
    tips: dict[str, int] = {}
    coupon: int = 0
    collected: int = 0
    """A progressive wager taken before the deal, handed back."""


class DeviceJammed(Event, frozen=True):
    """A shuffling device or a dealing machine failed."""

    kind: str


class BackupTaken(Event, frozen=True):
    """The back-up device was taken."""

    device: str


class MispaymentMade(Event, frozen=True):
    """Another amount than due changed hands on a settled wager."""

    seat: int
    hand: int
    wager: str
    amount: int


class PaymentCorrected(Event, frozen=True):
    """A mispaid wager was put right."""

    seat: int
    hand: int
    wager: str
    amount: int
    by: str
