"""A settlement: a line for each wager, totals by seat, approvals needed, and payments reduced by limits."""

from __future__ import annotations

from typing import Any

import msgspec

from houseway.engine.events import WagerSettled
from houseway.money import dollars

JSON_NAMES = {"for_whom": "for", "from_hand": "from"}


class SettlementLine(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False, rename=JSON_NAMES
):
    """A settled wager as `houseway settle` writes it, in dollars."""

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


def settlement_line(settled: WagerSettled) -> SettlementLine:
    """Return a settled wager as `houseway settle` writes it."""
    whose = {"seat": settled.from_seat, "hand": settled.from_hand} if settled.from_seat else None
    return SettlementLine(
        seat=settled.seat,
        hand=settled.hand,
        wager=settled.wager,
        stake=dollars(settled.stake),
        result=settled.result,
        odds=settled.odds,
        net=dollars(settled.back - settled.stake),
        clause=settled.clause,
        cut=dollars(settled.cut) if settled.cut else None,
        for_whom="dealer" if settled.for_dealer else None,
        from_hand=whose,
        coupon=dollars(settled.coupon) if settled.coupon else None,
    )


class SeatTotal(msgspec.Struct, frozen=True, gc=False):
    """A seat's stakes and returns, in dollars."""

    seat: int
    staked: str
    returned: str
    net: str


class ApprovalNeeded(msgspec.Struct, frozen=True, gc=False):
    """A payment that needs approval, and the person who must approve it."""

    seat: int
    hand: int
    wager: str
    amount: str
    who: str
    clause: str | None


class CapCut(msgspec.Struct, frozen=True, gc=False):
    """A limit that reduced a hand's winnings."""

    seat: int
    hand: int
    clause: str | None
    limit: str
    due: str
    paid: str


class HandRead(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An evaluated hand: the class of its best five cards.

    It also has the class of the hole cards with the flop, if a wager depends on that.
    """

    seat: int
    hand: int
    reads: str
    folded: bool = False
    first_five: str | None = None
    player: str | None = None
    """The player's name, if known."""
    cards: str | None = None
    words: str | None = None
    """The hand in a dealer's words. Like the cards, it is None unless the settlement shows cards."""
    plays: str | None = None
    """The five cards that play."""


class DealerRead(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """The dealer's evaluated hand; `qualifies` is None if the game has no qualifier."""

    reads: str
    qualifies: bool | None = None
    cards: str | None = None
    words: str | None = None
    plays: str | None = None


class Settlement(msgspec.Struct, frozen=True, omit_defaults=True):
    """A settled round, with its lines in the order of settlement."""

    rulebook: str
    hash: str
    settings: dict[str, Any]
    lines: list[SettlementLine]
    seats: list[SeatTotal]
    meters: dict[str, str]
    dealer_tips: str
    approvals: list[ApprovalNeeded]
    caps: list[CapCut]
    dealer: DealerRead
    hands: list[HandRead]
    highest: str | None = None
    """The highest hand at the table, if a wager depended on it."""
    house_way: str | None = None
    warnings: tuple[str, ...] = ()
    """Warnings to the house about its posted limits."""
    board: str | None = None
