"""What wagers came to."""

from __future__ import annotations

from houseway.engine.events.event import Event, SeatEvent, WagerEvent


class AwardKeyed(SeatEvent, frozen=True):
    """A progressive award was keyed."""

    hand: str
    right: bool
    """Whether the cards make what was keyed; what they do not make cannot be paid."""


class AwardUnkeyed(SeatEvent, frozen=True):
    """A keyed award was withdrawn."""

    hand: str


class ApprovalAsked(WagerEvent, frozen=True):
    """A payment waits for somebody's approval."""

    amount: int
    who: str


class PaymentApproved(Event, frozen=True):
    """The payment that waited was approved."""

    by: str


class WagerSettled(WagerEvent, frozen=True):
    """A wager was settled."""

    stake: int
    result: str
    back: int
    """What goes to the player's side of the layout, or, for a tip, to the dealer."""
    won: int = 0
    """Winnings handed over, the stake apart."""
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
