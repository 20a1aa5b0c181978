"""Events about settlement: awards, approvals, payments, the close of the round."""

from __future__ import annotations

from houseway.engine.events.event import Event, SeatEvent, WagerEvent


class AwardKeyed(SeatEvent, frozen=True):
    """A progressive award was keyed."""

    hand: str
    right: bool
    """True if the cards make the hand that was keyed; otherwise the award cannot be paid."""
    meter: str = ""
    """The meter that was lowered when the award was keyed, and so not again at payment; empty if none."""
    awarded: int = 0
    seeded: int = 0
    released: int = 0


class AwardUnkeyed(SeatEvent, frozen=True):
    """A keyed award was withdrawn, and the change in its meter was undone."""

    hand: str
    meter: str = ""
    awarded: int = 0
    seeded: int = 0
    released: int = 0


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
    """True if the house setting `auto_approve` approved it, without a person."""


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
    keyed: bool = False
    """True if the meter changed when the award was keyed, so that the payment does not change it."""
    cut_clause: str = ""
    """The clause of the payout limit that reduced the payment; empty if none did."""


class WagerRestored(WagerEvent, frozen=True):
    """The settlement of a wager was undone, because the round is void."""

    stake: int
    back: int
    """Cents taken back from the player; for a tip, from the dealer."""
    for_dealer: bool = False
    coupon: int = 0
    collected: bool = False
    """True if the stake was collected before the deal and was no longer on the layout."""
    mispaid: int = 0
    """Cents paid by mistake in addition to `back`, and also taken back; negative if too little was paid."""
    meter: str = ""
    awarded: int = 0
    seeded: int = 0
    released: int = 0


class SystemReset(Event, frozen=True):
    """The progressive system was reset and its lights turned off."""


class RoundClosed(Event, frozen=True):
    """The round was completed."""

    number: int
    net: dict[int, int]
    """Each seat's win or loss in the round, in cents."""
    changes: dict[str, int]
    """Gains of tips, meters, reserves and house, in millionths of a cent. With `net`, they sum to zero."""
    section: str
    dealt: bool = True
    """False if no card was dealt; the round is then not one of the rounds between two stub counts."""
