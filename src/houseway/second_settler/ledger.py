"""The lines of a settlement, and their sums."""

from collections.abc import Iterable
from typing import Any

from .money import dollars


class Cap:
    """A limit on the total winnings of one hand on some of its wagers."""

    def __init__(self, clause: str, limit: int, wagers: tuple[str, ...]) -> None:
        self.clause = clause
        self.limit = limit
        self.wagers = wagers
        self.due: dict[int, int] = {}
        self.paid: dict[int, int] = {}

    def allow(self, seat: int, won: int) -> int:
        """Return the part of these winnings that may still be paid."""
        paid = self.paid.get(seat, 0)
        allowed = min(won, self.limit - paid)
        self.due[seat] = self.due.get(seat, 0) + won
        self.paid[seat] = paid + allowed
        return allowed


class Ledger:
    """Collects the lines of a settlement in order."""

    def __init__(self, seats: Iterable[int], caps: list[Cap], approve_above: int | None) -> None:
        self.lines: list[dict[str, Any]] = []
        self.staked = dict.fromkeys(seats, 0)
        self.returned = dict.fromkeys(self.staked, 0)
        self.tips = 0
        self.caps = caps
        self.cut_seats: list[int] = []
        self.approve_above = approve_above
        self.approvals: list[dict[str, Any]] = []
        self.by_hand = False
        self.won: dict[int, int] = {}

    def wager(
        self,
        seat: int,
        hand: int,
        wager: str,
        stake: int,
        result: str,
        clause: str,
        odds: str = "",
        won: int = 0,
        tip: bool = False,
        coupon: int = 0,
    ) -> None:
        """Add a wager whose stake is returned if it wins or pushes, or a coupon on the ante."""
        line: dict[str, Any] = {
            "seat": seat,
            "hand": hand,
            "wager": wager,
            "stake": dollars(stake),
            "result": result,
            "clause": clause,
        }
        paid = won
        if result == "win":
            line["odds"] = odds
            for cap in self.caps:
                if wager in cap.wagers:
                    paid = cap.allow(seat, paid)
            if paid < won:
                line["cut"] = dollars(won - paid)
                if seat not in self.cut_seats:
                    self.cut_seats.append(seat)
            line["net"] = dollars(paid)
            back = stake + paid
            self.won[seat] = self.won.get(seat, 0) + paid
            if self.approve_above is not None and not self.by_hand and paid > self.approve_above:
                self.approve(seat, hand, wager, paid, "floor supervisor", "PROC-H.7")
        elif result == "push":
            line["net"] = "0.00"
            back = stake
        else:
            line["net"] = dollars(-stake)
            back = 0
        if coupon:
            line["coupon"] = dollars(coupon)
        self.staked[seat] += stake
        if tip:
            line["for"] = "dealer"
            self.tips += back
        else:
            self.returned[seat] += back
        self.lines.append(line)

    def progressive(self, seat: int, stake: int, award: int, odds: str, clause: str) -> None:
        """Add a progressive wager. Its stake is never returned. Without odds, the wager loses."""
        line = {
            "seat": seat,
            "hand": 1,
            "wager": "progressive",
            "stake": dollars(stake),
            "result": "win" if odds else "lose",
            "net": dollars(award - stake),
            "clause": clause,
        }
        if odds:
            line["odds"] = odds
        self.staked[seat] += stake
        self.returned[seat] += award
        self.lines.append(line)

    def envy(self, seat: int, hand: int, amount: int, clause: str, from_seat: int, from_hand: int) -> None:
        """Add an envy payment to one bettor for one other hand."""
        self.lines.append(
            {
                "seat": seat,
                "hand": hand,
                "wager": "envy",
                "stake": "0.00",
                "result": "win",
                "net": dollars(amount),
                "clause": clause,
                "from": {"seat": from_seat, "hand": from_hand},
            }
        )
        self.returned[seat] += amount

    def approve(self, seat: int, hand: int, wager: str, amount: int, who: str, clause: str) -> None:
        """Add a payment that a person must approve."""
        self.approvals.append(
            {
                "seat": seat,
                "hand": hand,
                "wager": wager,
                "amount": dollars(amount),
                "who": who,
                "clause": clause,
            }
        )

    def output(self, meters: dict[str, int]) -> dict[str, Any]:
        """Return the settlement as data."""
        if self.by_hand and self.approve_above is not None:
            for seat, won in self.won.items():
                if won > self.approve_above:
                    self.approve(seat, 1, "hand", won, "floor supervisor", "PROC-H.7")
        caps = []
        for seat in self.cut_seats:
            for cap in self.caps:
                if cap.due.get(seat, 0) > cap.limit:
                    caps.append(
                        {
                            "seat": seat,
                            "hand": 1,
                            "clause": cap.clause,
                            "limit": dollars(cap.limit),
                            "due": dollars(cap.due[seat]),
                            "paid": dollars(cap.paid[seat]),
                        }
                    )
        return {
            "lines": self.lines,
            "seats": [
                {
                    "seat": seat,
                    "staked": dollars(self.staked[seat]),
                    "returned": dollars(self.returned[seat]),
                    "net": dollars(self.returned[seat] - self.staked[seat]),
                }
                for seat in sorted(self.staked)
            ],
            "meters": {name: dollars(amount) for name, amount in meters.items()},
            "dealer_tips": dollars(self.tips),
            "approvals": self.approvals,
            "caps": caps,
        }
