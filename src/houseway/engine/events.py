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
    deck: str
    method: str
    stands: str
    """Where the deck then is: "stack", "shoe" or "machine"."""


class DeckCut(Event, frozen=True):
    deck: str
    count: int
    by: str
    rest_on_top: bool


class CutCardPlaced(Event, frozen=True):
    behind: int


class CutCardReached(Event, frozen=True):
    pass


class DeckLoaded(Event, frozen=True):
    deck: str
    into: str


class RackCleared(Event, frozen=True):
    pass


class DecksSwapped(Event, frozen=True):
    into_play: str
    into_device: str


class DeckRemoved(Event, frozen=True):
    deck: str


class DeckReplaced(Event, frozen=True):
    deck: str
    section: str


class RecutOrdered(Event, frozen=True):
    by: str
    owed: tuple[str, ...]


class ReshuffleOrdered(Event, frozen=True):
    owed: tuple[str, ...] = ()
    section: str | None = None


class TableIdled(Event, frozen=True):
    spread: bool = True


class TableResumed(Event, frozen=True):
    owed: tuple[str, ...]
    section: str = "shuffling"


class TableClosed(Event, frozen=True):
    pass


class LimitsChanged(Event, frozen=True):
    wager: str
    amount: int
    notice: str


class MinimumKept(Event, frozen=True):
    seat: int
    amount: int


class SeatHeld(Event, frozen=True):
    seat: int
    until: str


class SeatReleased(Event, frozen=True):
    seat: int


# --- players and wagers ---


class PlayerSeated(Event, frozen=True):
    seat: int
    player: str
    chips: int


class PlayerReseated(Event, frozen=True):
    seat: int


class PlayerStood(Event, frozen=True):
    seat: int


class PlayerLeft(Event, frozen=True):
    seat: int
    chips: int


class RoundOpened(Event, frozen=True):
    number: int
    deck: str
    seal: str = ""
    limits: dict[str, int] = {}
    """Minimum bets changed since the table opened, by wager."""


class WagersPlaced(Event, frozen=True):
    seat: int
    wagers: dict[str, int]
    minimum: int = 0
    """The minimum the player was held to."""
    tips: dict[str, int] = {}
    coupon: int = 0


class WagersTakenBack(Event, frozen=True):
    seat: int


class BettingClosed(Event, frozen=True):
    pass


class SensorsLocked(Event, frozen=True):
    seats: tuple[int, ...]
    lit: bool


class ProgressiveCollected(Event, frozen=True):
    stakes: dict[int, int]
    stays_lit: bool = True


class MeterFed(Event, frozen=True):
    meters: dict[str, int]
    """Millionths of a cent added; below nothing where a void round takes them back."""
    reserves: dict[str, int] = {}


class LammersPlaced(Event, frozen=True):
    seats: tuple[int, ...]
    hand: int = 1


# --- cards ---


class CardsDealt(Event, frozen=True):
    to: str
    count: int
    face: Cards = ()
    sealed: Cards = ()


class CardsBurned(Event, frozen=True):
    count: int
    sealed: Cards


class BoardTurned(Event, frozen=True):
    face: Cards


class BoardArranged(Event, frozen=True):
    face: Cards


class PlayersLooked(Event, frozen=True):
    pass


class StubRemoved(Event, frozen=True):
    count: int
    racked: bool


class StubCounted(Event, frozen=True):
    count: int
    expected: int
    right: bool
    racked: bool


class DealerRevealed(Event, frozen=True):
    face: Cards
    reads: str = ""
    qualifies: bool | None = None


class DealerHandSet(Event, frozen=True):
    kept: Cards
    by: str
    house_way: Cards = ()
    """What the house way keeps, where the dealer kept something else."""


class HandChallenged(Event, frozen=True):
    seat: int


class ChallengeAnswered(Event, frozen=True):
    kept: Cards
    changed: bool
    by: str


class PayoutsShown(Event, frozen=True):
    hands: int
    odds: dict[str, str]


class HandTurned(Event, frozen=True):
    seat: int
    hand: int
    face: Cards
    reads: str


class CardsRacked(Event, frozen=True):
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
    seat: int
    stage: str
    by: str = ""


class PlayMade(Event, frozen=True):
    seat: int
    stage: str
    times: int
    amount: int
    tip: int = 0
    locks: bool = True


class Folded(Event, frozen=True):
    seat: int
    stage: str
    held: bool = False
    by: str = ""


class HandSet(Event, frozen=True):
    seat: int
    face: Cards
    sealed: Cards
    """The two discards."""
    shown: bool = True
    lies: str = ""
    """Where the hand lies, as the rulebook puts it."""
    by: str = ""


class HandSplit(Event, frozen=True):
    seat: int
    first: Cards
    second: Cards
    wager: int
    bonus: int = 0
    shown: bool = True
    lies: str = ""


# --- settlement ---


class AwardKeyed(Event, frozen=True):
    seat: int
    hand: str
    right: bool
    """Whether the cards make what was keyed; what they do not make cannot be paid."""


class AwardUnkeyed(Event, frozen=True):
    seat: int
    hand: str


class ApprovalAsked(Event, frozen=True):
    seat: int
    hand: int
    wager: str
    amount: int
    who: str


class PaymentApproved(Event, frozen=True):
    by: str


class WagerSettled(Event, frozen=True):
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
    pass


class RoundClosed(Event, frozen=True):
    number: int
    net: dict[int, int]
    """What each seat in the round won or lost, in cents."""
    changes: dict[str, int]
    """What tips, meters, reserves and the house gained, in millionths of a cent; with the seats' it sums
    to nothing."""
    section: str


# --- what goes wrong ---


class CardExposed(Event, frozen=True):
    at: str
    face: Cards
    turned_back: bool


class FaceUpFound(Event, frozen=True):
    face: Cards
    used: bool


class CardDrawn(Event, frozen=True):
    sealed: Cards


class ExtraDealt(Event, frozen=True):
    at: str
    sealed: Cards


class CardSkipped(Event, frozen=True):
    at: str


class WrongNumberFound(Event, frozen=True):
    at: str
    count: int


class HandCured(Event, frozen=True):
    sealed: Cards


class HandVoided(Event, frozen=True):
    seat: int


class RoundVoided(Event, frozen=True):
    why: str
    trips: bool
    """Whether trips wagers are still settled once the board is complete."""


class WagersReturned(Event, frozen=True):
    seat: int
    hand: int
    wagers: dict[str, int]
    tips: dict[str, int] = {}
    coupon: int = 0
    collected: int = 0
    """A progressive wager taken before the deal, handed back."""


class DeviceJammed(Event, frozen=True):
    kind: str


class BackupTaken(Event, frozen=True):
    device: str


class MispaymentMade(Event, frozen=True):
    seat: int
    hand: int
    wager: str
    amount: int


class PaymentCorrected(Event, frozen=True):
    seat: int
    hand: int
    wager: str
    amount: int
    by: str
