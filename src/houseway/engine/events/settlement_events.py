"""Events of settlement: awards, approvals, payments, the close of the round."""

from __future__ import annotations

from houseway.engine.events.event import Event, SeatEvent, WagerEvent


class AwardKeyed(SeatEvent, frozen=True):
    """A progressive award was keyed."""

    hand: str
    right: bool
    """True if the cards make the hand that was keyed; otherwise it cannot be paid."""


class AwardUnkeyed(SeatEvent, frozen=True):
    """A keyed award was withdrawn."""

    hand: str


class ApprovalAsked(WagerEvent, frozen=True):
    """A payment was held for approval."""

    amount: int
    who: str


class PaymentApproved(Event, frozen=True):
    """The payment held for approval was approved."""

    by: str
    name: str = ""
    """The person who approved it."""
    automatic: bool = False
    """True if the house setting `auto_approve` approved it, and no person did."""


class WagerSettled(WagerEvent, frozen=True):
    """A wager was settled."""

    stake: int
    result: str
    back: int
    """Cents handed to the player, stake included; for a tip, to the dealer."""
    won: int = 0
    """Winnings in cents, without the stake."""
    odds: str | None = None
    cut: int = 0
    for_dealer: bool = False
    from_seat: int = 0
    from_hand: int = 0
    coupon: int = 0
    meter: str = ""
    """The meter that paid an award."""
    awarded: int = 0
    seeded: int = 0
    """Cents that the house added to reset the meter."""
    released: int = 0
    """Millionths of a cent that the reserve added to the meter."""


class SystemReset(Event, frozen=True):
    """The progressive system was reset and its lights turned off."""


class RoundClosed(Event, frozen=True):
    """The round was completed."""

    number: int
    net: dict[int, int]
    """Each seat's win or loss in the round, in cents."""
    changes: dict[str, int]
    """Gains of tips, meters, reserves and house, in millionths of a cent; added to `net` they make zero."""
    section: str
