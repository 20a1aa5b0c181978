"""Events about irregularities and their consequences."""

from __future__ import annotations

from houseway.engine.events.event import NOTHING, Cards, Event, SeatEvent, WagerEvent


class CardExposed(Event, frozen=True):
    """A card was exposed."""

    at: str
    face: Cards
    turned_back: bool


class FaceUpFound(Event, frozen=True):
    """A card was face up in the deck."""

    face: Cards
    used: bool
    at: str = ""
    """The place that the card was dealt to; empty if it was the next card of the deck."""
    which: int = 0
    """The number of the card at that place, from 1."""


class CardReplaced(Event, frozen=True):
    """The next card replaced a card that was face up in the deck when it was dealt."""

    at: str
    sealed: Cards = ()
    face: Cards = ()
    """The card, if it was dealt face up."""


class CardDrawn(Event, frozen=True):
    """A card left the deck too early, unseen."""

    sealed: Cards


class BoardExposed(Event, frozen=True):
    """Community cards were turned up too early, and turned back."""

    face: Cards
    sealed: Cards = ()
    """The cards burned before them."""
    drawn: bool = False
    """True if the cards came off the deck for this. They are then the next cards to be burned and dealt."""


class ExtraDealt(Event, frozen=True):
    """A hand got one card too many."""

    at: str
    sealed: Cards
    face: Cards = ()
    """The card, if it was dealt face up."""


class CardSkipped(Event, frozen=True):
    """A hand was skipped in the deal."""

    at: str


class WrongNumberFound(Event, frozen=True):
    """A hand had a wrong number of cards."""

    at: str
    count: int


class HandCured(Event, frozen=True):
    """The dealer or the board was dealt the missing cards."""

    sealed: Cards
    at: str = "dealer"


class HandVoided(SeatEvent, frozen=True):
    """One player's hand was declared void."""

    hand: int = 1


class RoundVoided(Event, frozen=True):
    """Every hand was declared void."""

    why: str
    trips: bool
    """True if the board is completed to settle the trips wagers."""
    board: bool = False
    """True if the board is completed although no trips wager was made."""


class WagersReturned(SeatEvent, frozen=True):
    """Wagers of a void hand were returned."""

    hand: int
    wagers: dict[str, int]
    tips: dict[str, int] = NOTHING
    coupon: int = 0
    collected: int = 0
    """Cents returned of a progressive wager that was collected before the deal."""
    taken: dict[str, int] = NOTHING
    """Returned wagers that the dealer had already taken from a folded hand."""


class DeviceJammed(Event, frozen=True):
    """A shuffling device or a dealing machine failed."""

    kind: str


class BackupTaken(Event, frozen=True):
    """The back-up device was put into use."""

    device: str


class MispaymentMade(WagerEvent, frozen=True):
    """The wrong amount was paid on a settled wager."""

    amount: int


class PaymentCorrected(WagerEvent, frozen=True):
    """A mispaid wager was corrected."""

    amount: int
    by: str
    ruled: bool = False
    """True if a supervisor's ruling corrected it."""
    name: str = ""
    """The name of the floor person; empty in older records."""


class RulingMade(Event, frozen=True):
    """A supervisor ruled on something that no clause covers."""

    name: str
    reason: str
    effect: str
    by: str
    seat: int = 0
    hand: int = 0
    wager: str = ""
    amount: int = 0
