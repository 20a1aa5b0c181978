"""What went wrong, and what was done about it."""

from __future__ import annotations

from houseway.engine.events.event import NOTHING, Cards, Event, SeatEvent, WagerEvent


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


class HandVoided(SeatEvent, frozen=True):
    """One player's hand is void."""


class RoundVoided(Event, frozen=True):
    """Every hand is void."""

    why: str
    trips: bool
    """Whether trips wagers are still settled once the board is complete."""


class WagersReturned(SeatEvent, frozen=True):
    """Wagers of a void hand went back."""

    hand: int
    wagers: dict[str, int]
    tips: dict[str, int] = NOTHING
    coupon: int = 0
    collected: int = 0
    """A progressive wager taken before the deal, handed back."""


class DeviceJammed(Event, frozen=True):
    """A shuffling device or a dealing machine failed."""

    kind: str


class BackupTaken(Event, frozen=True):
    """The back-up device was taken."""

    device: str


class MispaymentMade(WagerEvent, frozen=True):
    """Another amount than due changed hands on a settled wager."""

    amount: int


class PaymentCorrected(WagerEvent, frozen=True):
    """A mispaid wager was put right."""

    amount: int
    by: str
