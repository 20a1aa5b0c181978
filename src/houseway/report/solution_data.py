"""A solved game as JSON data: exact fractions as integer strings, each with a decimal approximation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

from houseway.exact import Exposure, Mistake, Outcomes, Price, Progressive, Solution, WagerValue, WholeBet
from houseway.exact.solution import DEALS
from houseway.money import dollars


def number(value: Fraction) -> dict[str, Any]:
    """Return an exact value and its decimal approximation."""
    return {"num": str(value.numerator), "den": str(value.denominator), "value": float(value)}


def _floats(record: object, *names: str) -> dict[str, float]:
    return {name: float(getattr(record, name)) for name in names}


def game(solution: Solution, counted: Outcomes) -> dict[str, Any]:
    """The main game: value, the three measures of the house edge, variance, actions and outcomes."""
    return {
        "ev": number(solution.value),
        "edge": float(solution.edge),
        "edge_per_initial_bet": float(solution.edge / 2),
        **_floats(counted, "element_of_risk", "variance"),
        "sd": sqrt(counted.variance),
        **_floats(counted, "average_bet"),
        "actions": {name: str(count) for name, count in counted.actions.items()},
        "outcomes": [{"net": str(net), "count": str(count)} for net, count in counted.nets.items()],
    }


def wager(value: WagerValue) -> dict[str, Any]:
    """A side bet under one pay table, for a unit stake."""
    data: dict[str, Any] = {
        "ev": number(value.value),
        **_floats(value, "edge", "returned", "variance"),
        "hits": str(value.hits),
        "deals": str(value.deals),
        "lines": [
            {"hand": case.hand, "count": str(case.ways), "net": str(case.net)} for case in value.cases
        ],
    }
    if isinstance(value, Progressive):
        data["stake"] = f"{value.stake / 100:.2f}"
        data["seeds"] = {
            meter: f"{float(seed * value.stake / 100):.2f}" for meter, seed in value.seeds.items()
        }
        data["fixed"] = number(value.fixed)
        data["per_meter_dollar"] = {meter: number(share) for meter, share in value.shares.items()}
        data["envy_per_other_hand"] = number(value.envy)
        data["break_even"] = {
            meter: [f"{float(break_even(value, meter, others)):.2f}" for others in range(6)]
            for meter, share in value.shares.items()
            if share
        }
    return data


def break_even(value: Progressive, meter: str, others: int) -> Fraction:
    """The dollars on a meter at which the return is 100%, with this many other hands."""
    return value.break_even(meter, others) * value.stake / 100


def strategy(priced: Price, best: Fraction) -> dict[str, Any]:
    """A strategy: its value, its cost by street, its costliest mistakes, and all mistakes by kind."""
    return {
        "strategy": priced.strategy,
        "ev": number(priced.value),
        "edge": float(-priced.value),
        "cost": float(best - priced.value),
        "cost_by_street": dict(zip(("preflop", "flop", "river"), map(float, priced.costs), strict=True)),
        "mistakes": [_mistake(each) for each in priced.mistakes],
        "alike": [
            {
                "street": each.street,
                "hand": each.hand,
                "does": each.does,
                "should": each.should,
                "count": str(each.deals),
                "cost": number(each.cost),
                "example": _mistake(each.example),
            }
            for each in priced.alike
        ],
    }


def _mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "hand": mistake.hand,
        "board": mistake.board,
        "does": mistake.does,
        "should": mistake.should,
        "loss": number(mistake.loss),
        "count": str(mistake.deals),
        "cost": float(mistake.cost),
    }


def document(
    solution: Solution,
    counted: Outcomes,
    wagers: Mapping[str, Mapping[str, WagerValue]],
    priced: Price | None = None,
) -> dict[str, Any]:
    """Everything that `houseway solve` prints."""
    data: dict[str, Any] = {
        "rulebook": solution.rulebook,
        "hash": solution.hash,
        "deals": str(DEALS),
        "seconds": solution.seconds,
        "seconds_outcomes": counted.seconds,
        "game": game(solution, counted),
        "wagers": {
            name: {table: wager(value) for table, value in by_table.items()}
            for name, by_table in wagers.items()
        },
        "starting_hands": [
            {
                "hand": hand.hand,
                "combos": hand.combos,
                **{choice: float(worth) for choice, worth in hand.values.items()},
                "best": hand.best,
            }
            for hand in solution.starting_hands
        ],
    }
    if priced is not None:
        data["strategy"] = strategy(priced, solution.value)
    return data


def seen_document(result: Exposure) -> dict[str, Any]:
    """Everything that `houseway solve --see` prints."""
    return {
        "rulebook": result.rulebook,
        "hash": result.hash,
        "see": {"dealer": result.dealer, "flop": result.flop},
        "deals": str(result.deals),
        "seconds": result.seconds,
        "method": result.method,
        "game": {
            "ev": number(result.value),
            **_floats(result, "edge", "edge_per_initial_bet", "element_of_risk", "average_bet"),
            "actions": {name: str(count) for name, count in result.actions.items()},
        },
        "unseen": number(result.unseen),
        "gain": number(result.gain),
    }


def whole_bet(bet: WholeBet) -> dict[str, Any]:
    """A whole bet in dollars: stakes, results, their distribution and the effect of limits on winnings."""
    lost, even = bet.chance(below=0), bet.chance(above=-1, below=1)
    without_limits, with_limits = bet.edges("ante")
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
            "edge_without": float(without_limits),
            "edge_with": float(with_limits),
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
