"""Settle a round in a line or two of a test, and read what was paid.

>>> paid = settled("uth-ma", board="Qd 9s 7h 4c 2d", dealer="Qc 3s", hole="As Ah", ante="10", play=4)
>>> paid.net("ante"), paid.net("blind"), paid.clause("play")
('10.00', '0.00', 'MA-10.b')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from houseway.engine.refusals import Refusal
from houseway.engine.settle_json import Window
from houseway.engine.settlement import Settlement, SettlementLine

ROUND = ("mode", "tables", "limits", "house", "meters", "dealer_keeps")


@dataclass(frozen=True, slots=True)
class SettledRound:
    """A settlement, with shortcuts for tests."""

    settlement: Settlement

    def lines(
        self, wager: str | None = None, seat: int | None = None, hand: int | None = None
    ) -> list[SettlementLine]:
        """Return the lines of a wager, a seat or a hand, in order, including tips and coupons."""
        return [
            line
            for line in self.settlement.lines
            if wager in (None, line.wager) and seat in (None, line.seat) and hand in (None, line.hand)
        ]

    def line(self, wager: str, seat: int = 1, hand: int = 1) -> SettlementLine:
        """Return the player's own line of a wager."""
        own = [x for x in self.lines(wager, seat, hand) if not x.for_whom and not x.coupon]
        if len(own) != 1:
            raise AssertionError(f"seat {seat} has {len(own)} lines of {wager} instead of one")
        return own[0]

    def net(self, wager: str, seat: int = 1, hand: int = 1) -> str:
        """Return what a wager won or lost."""
        return self.line(wager, seat, hand).net

    def result(self, wager: str, seat: int = 1, hand: int = 1) -> str:
        """Return the result of a wager: "win", "lose" or "push"."""
        return self.line(wager, seat, hand).result

    def clause(self, wager: str, seat: int = 1, hand: int = 1) -> str | None:
        """Return the clause that decided a wager."""
        return self.line(wager, seat, hand).clause

    def tip(self, wager: str, seat: int = 1) -> SettlementLine:
        """Return the line of a tip wagered for the dealer."""
        return next(x for x in self.lines(wager, seat) if x.for_whom)

    def order(self) -> list[tuple[int, str]]:
        """Return the seat and the wager of every line, in the order of settlement."""
        return [(x.seat, x.wager) for x in self.settlement.lines]

    def seat_net(self, seat: int = 1) -> str:
        """Return what a seat won or lost in total."""
        return next(s.net for s in self.settlement.seats if s.seat == seat)

    @property
    def meters(self) -> dict[str, str]:
        """The meters after the round."""
        return self.settlement.meters


def round_of(
    rulebook: str, board: str, dealer: str, *seats: dict[str, Any], **given: Any
) -> dict[str, Any]:
    """Return a round as data.

    Seats without a number are numbered from 1. The keys of a single seat can be given as keywords. `mode`,
    `tables`, `limits`, `house`, `meters` and `dealer_keeps` belong to the round.
    """
    terms = {key: given.pop(key) for key in ROUND if key in given}
    players = [*seats, given] if given else [*seats]
    numbered = [{"seat": n, **seat} for n, seat in enumerate(players, 1)]
    return {"rulebook": rulebook, **terms, "board": board, "dealer": dealer, "seats": numbered}


def settled(rulebook: str, board: str, dealer: str, *seats: dict[str, Any], **given: Any) -> SettledRound:
    """Settle a round that must not be refused, and return the settlement."""
    answer = Window().settle(round_of(rulebook, board, dealer, *seats, **given))
    if not isinstance(answer, Settlement):
        refusals = [(r.code, r.clause, r.where, r.message) for r in answer.refused]
        raise AssertionError(f"refused: {refusals}")
    return SettledRound(answer)


def refused(rulebook: str, board: str, dealer: str, *seats: dict[str, Any], **given: Any) -> list[Refusal]:
    """Settle a round that must be refused, and return the refusals."""
    answer = Window().settle(round_of(rulebook, board, dealer, *seats, **given))
    if isinstance(answer, Settlement):
        raise AssertionError("the round was settled, but it must be refused")
    return list(answer.refused)
