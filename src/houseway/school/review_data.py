"""Reviews and summaries as plain JSON data, for programs, the page and `houseway review --json`.

An exact number is an object: "num" and "den" as text, and "value" as a decimal.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from houseway.report.solution_data import number
from houseway.school.game_values import GameValues
from houseway.school.leaks import KindCost
from houseway.school.play_summary import PlaySummary, Rate
from houseway.school.result_split import ResultSplit
from houseway.school.round_review import ExplainedDecision, ReviewedRound, explain_decision

Data = dict[str, Any]


def decision_data(explained: ExplainedDecision) -> Data:
    """Return a decision with its values, verdict and reason."""
    valued, reason = explained.valued, explained.reason
    decision = valued.decision
    return {
        "street": decision.street,
        "hole": list(map(str, decision.hole)),
        "board": list(map(str, decision.board)),
        "choice": decision.choice,
        "by": decision.by,
        "choices": [{"choice": name, **number(value)} for name, value in valued.values.items()],
        "best": valued.best,
        "loss": number(valued.loss),
        "close": valued.close,
        "kind": explained.kind.name,
        "kind_words": explained.kind.words,
        "verdict": explained.verdict,
        "reason": {
            "kind": reason.kind,
            "better": reason.better,
            "worse": reason.worse,
            "gap": number(reason.gap),
            "figures": dict(reason.figures),
            "words": dict(reason.words),
        },
        "because": explained.because,
    }


def review_data(game: GameValues, review: ReviewedRound) -> Data:
    """Return the review of a round. `outcome` and `split` are None until the round is over."""
    played, outcome = review.played, review.played.outcome
    explained = (explain_decision(game, each, played.stake) for each in review.decisions)
    return {
        "round": played.number,
        "seat": played.seat,
        "player": played.player,
        "at": played.at,
        "stake": played.stake,
        "unit": review.unit,
        "decisions": [decision_data(each) for each in explained],
        "loss": number(review.loss),
        "loss_cents": number(review.loss * played.stake),
        "outcome": None
        if outcome is None
        else {
            "board": list(map(str, outcome.board)),
            "dealer": list(map(str, outcome.dealer)),
            "net": outcome.net,
            "void": outcome.void,
            "wagers": [
                {"wager": w.wager, "hand": w.hand, "stake": w.stake, "net": w.net, "clause": w.clause}
                for w in outcome.wagers
            ],
        },
        "split": None if review.split is None else split_data(review.split),
    }


def split_data(split: ResultSplit) -> Data:
    """Return the parts of a round's result."""
    return {
        "steps": [
            {"cause": step.cause, "choice": step.choice, **number(step.amount)} for step in split.steps
        ],
        "house_edge": number(split.house_edge),
        "luck": number(split.luck),
        "choices": number(split.choices),
        "limits": number(split.limits),
        "result": number(split.result),
        "side_bets": [
            {
                "wager": bet.wager,
                "hand": bet.hand,
                "stake": bet.stake,
                "net": bet.net,
                "expected": _number_or_none(bet.expected),
                "luck": _number_or_none(bet.luck),
            }
            for bet in split.side_bets
        ],
        "other": split.other,
    }


def summary_data(summary: PlaySummary) -> Data:
    """Return a player's totals over many rounds."""
    luck = summary.luck
    return {
        "rounds": summary.rounds,
        "decisions": summary.decisions,
        "errors": summary.errors,
        "close": summary.close,
        "close_lost": number(summary.close_lost),
        "lost": number(summary.lost),
        "lost_cents": number(summary.lost_cents),
        "loss_per_100": _rate(summary.loss),
        "streets": [
            {
                "street": each.street,
                "decisions": each.decisions,
                "errors": each.errors,
                "close": each.close,
                "lost": number(each.lost),
                "loss_per_100": number(each.per_100),
            }
            for each in summary.streets
        ],
        "luck": {
            "rounds": luck.rounds,
            "result": number(luck.result),
            "expected": number(luck.expected),
            "house_edge": number(luck.house_edge),
            "choices": number(luck.choices),
            "limits": number(luck.limits),
            "luck": number(luck.luck),
            "spread": luck.spread,
            "deviations": luck.deviations,
        },
        "side_bets": [
            {"wager": name, "staked": staked, "net": net, "expected": _number_or_none(expected)}
            for name, (staked, net, expected) in summary.side_bets.items()
        ],
        "leaks": [kind_data(cost) for cost in summary.leaks],
        "kinds": [kind_data(cost) for cost in summary.kinds],
        "series": [
            {
                "rounds": point.rounds,
                "loss_per_100": _rate(point.loss),
                "result": float(point.result),
                "expected": float(point.expected),
            }
            for point in summary.series
        ],
    }


def kind_data(cost: KindCost) -> Data:
    """Return the cost of a kind of position."""
    return {
        "kind": cost.kind.name,
        "street": cost.kind.street,
        "words": cost.kind.words,
        "does": cost.does,
        "should": cost.should,
        "seen": cost.seen,
        "errors": cost.errors,
        "lost": number(cost.lost),
        "cost_per_100": cost.cost,
        "low": cost.low,
        "high": cost.high,
        "leak": cost.leak,
    }


def _rate(rate: Rate) -> Data:
    return {**number(rate.per_100), "low": rate.low, "high": rate.high}


def _number_or_none(value: Fraction | None) -> Data | None:
    return None if value is None else number(value)
