"""The text of `houseway review`: the review of a round, and the summary of many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from houseway.cards import codes
from houseway.cli.print_helpers import percent
from houseway.money import exactly
from houseway.school.game_values import GameValues
from houseway.school.leaks import KindCost
from houseway.school.play_summary import PlaySummary
from houseway.school.player_decisions import Street
from houseway.school.position_words import plus, value_lines
from houseway.school.reason_words import choice_words, doing, edge_words, signed
from houseway.school.result_split import ResultSplit
from houseway.school.round_review import ReviewedRound, explain_decision
from houseway.wording import several

LEAST_ROUNDS = 20
"""The number of rounds from which an interval is printed."""
CAUSES = {"house edge": "House edge", "your cards": "Your cards", "dealer": "The dealer's cards"}


def review_lines(game: GameValues, review: ReviewedRound) -> Iterator[str]:
    """Yield the lines of a round's review. The outcome comes last."""
    played = review.played
    at = f", {played.at}" if played.at else ""
    yield f"Round {played.number}, seat {played.seat}{at}. {game.unit.title()} {exactly(played.stake)}"
    for each in review.decisions:
        explained = explain_decision(game, each, played.stake)
        decision = explained.valued.decision
        board = f"   board {codes(decision.board)}" if decision.board else ""
        yield ""
        yield f"{decision.street.capitalize()}: {codes(decision.hole)}{board}"
        yield from value_lines(explained.valued, game.unit)
        yield f"  {explained.verdict}"
        yield f"  {explained.because}"
    if played.outcome is not None:
        yield ""
        dealer = codes(played.outcome.dealer) or "unknown"
        result = exactly(played.outcome.net).replace("-", "−")
        yield f"The outcome: dealer {dealer}, result {result}"
    if review.split is not None:
        streets = [each.valued.decision.street for each in review.decisions]
        yield from _split_lines(review.split, game.unit, streets)
    yield ""
    yield edge_words(game.value, game.unit)


def _split_lines(split: ResultSplit, unit: str, streets: Sequence[Street]) -> Iterator[str]:
    """Yield the parts of a result. `streets` are the streets of the choices, in order."""
    yield f"  {'Part of the result':<18}{f'in {unit}s':>15}"
    made = iter(streets)
    for step in split.steps:
        name = CAUSES.get(step.cause, step.cause.capitalize())
        if step.choice:
            street = next(made)
            name = choice_words(step.choice) + f", {street}" * (len(streets) > 1)
        yield f"  {name:<24}{plus(step.amount):>9}"
    yield f"  {'Result':<24}{plus(split.result):>9}"
    for bet in split.side_bets:
        luck = "" if bet.luck is None else f", luck {exactly(round(bet.luck)).replace('-', '−')}"
        yield f"  Side bet {bet.wager.replace('_', ' ')}: {exactly(bet.net).replace('-', '−')}{luck}"


def summary_lines(game: GameValues, summary: PlaySummary) -> Iterator[str]:
    """Yield the lines of a summary."""
    unit, book = f"{game.unit}s", game.terms.rulebook.id
    rounds = several(summary.rounds, "round")
    yield f"{rounds}, {several(summary.decisions, 'decision')} under {book}"
    yield ""
    loss = summary.loss
    yield f"Lost through your choices: {signed(loss.per_100)} {unit} per 100 rounds"
    if summary.rounds >= LEAST_ROUNDS:
        yield f"  {loss.low:.2f} to {loss.high:.2f} with 95 % confidence"
    for street in summary.streets:
        errors = several(street.errors, "error")
        seen = f"{errors} in {street.decisions:,}"
        yield f"  {street.street.capitalize():<18}{signed(street.per_100):>9}   {seen}"
    close = f"{several(summary.close, 'close call')} (choices that differ by less than 0.01 {unit})"
    yield f"  {close}, counted as neither right nor wrong."
    yield ""
    luck = summary.luck
    if luck.rounds:
        parts = f"expected {plus(luck.expected)}, luck {plus(luck.luck)}"
        yield f"Result {plus(luck.result)} {unit}: {parts}"
        if luck.deviations is not None:
            side = "better" if luck.deviations >= 0 else "worse"
            far = f"{abs(luck.deviations):.2f} standard deviations {side}"
            yield f"  Your result is {far} than your choices earn on average."
        yield ""
    if summary.leaks:
        yield f"Leaks, by cost: {unit} per 100 rounds, with the 95 % interval"
        for number, cost in enumerate(summary.leaks, 1):
            yield f"  {number}. {_leak(cost)}"
    else:
        yield "No leaks found."
    if game.value is not None:
        edge = percent(-game.value)
        yield ""
        yield f"The house has the edge, even against perfect play: {edge} of the {game.unit}."


def _leak(cost: KindCost) -> str:
    habit = f": {doing(cost.does)}; better: {doing(cost.should)}" if cost.does else ""
    interval = f"{cost.cost:.2f} ({cost.low:.2f} to {cost.high:.2f})"
    return f"{interval}  {cost.kind.words}{habit}. Seen {cost.seen:,}."
