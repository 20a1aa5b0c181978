"""A whole bet as data: amounts in dollars, exact counts as text."""

from __future__ import annotations

from math import sqrt
from typing import Any

from houseway.exact import WholeBet
from houseway.money import dollars
from houseway.report.solved import number


def whole_bet(bet: WholeBet) -> dict[str, Any]:
    """Stakes, what a round brings, how it spreads, and what limits on winnings cut."""
    lost, even = bet.chance(below=0), bet.chance(above=-1, below=1)
    without, under = bet.edges("ante")
    return {
        "stakes": {name: dollars(stake) for name, stake in bet.stakes.items()},
        "deals": str(bet.deals),
        "ev": number(bet.value / 100),
        "risked": number(bet.risked / 100),
        "element_of_risk": float(bet.element_of_risk),
        "variance": float(bet.variance / 100**2),
        "sd": sqrt(bet.variance) / 100,
        "chances": {"loses": number(lost), "even": number(even), "wins": number(1 - lost - even)},
        "wagers": {name: number(net / 100) for name, net in bet.paid.items()},
        "limits": {
            "edge_without": float(without),
            "edge_with": float(under),
            "cuts": [
                {
                    "wager": cut.wager,
                    "hand": cut.hand,
                    "due": dollars(cut.due),
                    "paid": dollars(cut.paid),
                    "count": str(cut.deals),
                    "cost": number(cut.cost / 100),
                }
                for cut in bet.cuts
            ],
        },
        "outcomes": [{"net": dollars(net), "count": str(deals)} for net, deals in bet.nets.items()],
    }
