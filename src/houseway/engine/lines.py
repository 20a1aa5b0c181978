"""What a settlement says: a line for each wager, totals, approvals, what limits cut."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from houseway.engine.progressive import Award
from houseway.money import dollars


class Line(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    gc=False,
    rename={"for_whom": "for", "from_hand": "from"},
):
    """One wager settled."""

    seat: int
    hand: int
    wager: str
    stake: str
    result: str
    odds: str | None = None
    net: str
    clause: str | None
    cut: str | None = None
    for_whom: str | None = None
    from_hand: dict[str, int] | None = None
    coupon: str | None = None


class Entry(NamedTuple):
    """One wager settled, in cents, before it is written out as a line."""

    seat: int
    hand: int
    wager: str
    stake: int
    result: str
    back: int
    """What the player, or for a tip the dealer, has of it afterwards."""
    clause: str | None
    odds: str | None = None
    cut: int = 0
    for_dealer: bool = False
    whose: tuple[int, int] | None = None
    """For envy: the seat and hand that trigger it."""
    coupon: int = 0
    award: Award | None = None
    """What the payment took off a meter."""
    won: int = 0
    """Winnings handed over, the stake apart."""

    def line(self) -> Line:
        """The line as it is printed."""
        return Line(
            seat=self.seat,
            hand=self.hand,
            wager=self.wager,
            stake=dollars(self.stake),
            result=self.result,
            odds=self.odds,
            net=dollars(self.back - self.stake),
            clause=self.clause,
            cut=dollars(self.cut) if self.cut else None,
            for_whom="dealer" if self.for_dealer else None,
            from_hand=None if self.whose is None else {"seat": self.whose[0], "hand": self.whose[1]},
            coupon=dollars(self.coupon) if self.coupon else None,
        )


class SeatTotal(msgspec.Struct, frozen=True, gc=False):
    """What a seat put down and what it has back."""

    seat: int
    staked: str
    returned: str
    net: str


class ApprovalNeeded(msgspec.Struct, frozen=True, gc=False):
    """A payment somebody must approve first."""

    seat: int
    hand: int
    wager: str
    amount: str
    who: str
    clause: str | None


class CapCut(msgspec.Struct, frozen=True, gc=False):
    """A limit that cut what a hand is paid."""

    seat: int
    hand: int
    clause: str | None
    limit: str
    due: str
    paid: str


class HandRead(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What a hand was read as: the class of its best five, and of hole cards and flop where asked."""

    seat: int
    hand: int
    reads: str
    folded: bool = False
    first_five: str | None = None


class DealerRead(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What the dealer's hand was read as, and whether it qualified where that matters."""

    reads: str
    qualifies: bool | None = None


class Settlement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A round settled, in the order in which a dealer would."""

    rulebook: str
    hash: str
    settings: dict[str, Any]
    lines: list[Line]
    seats: list[SeatTotal]
    meters: dict[str, str]
    dealer_tips: str
    approvals: list[ApprovalNeeded]
    caps: list[CapCut]
    dealer: DealerRead
    hands: list[HandRead]
    highest: str | None = None
    """The highest hand at the table, where a wager looked at it."""
    house_way: str | None = None
    warnings: tuple[str, ...] = ()
    """What the posted limits should make the house think of."""
