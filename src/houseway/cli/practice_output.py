"""The text and the JSON of `houseway practice`: positions, answers, score sheets and ratings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from houseway.cards import Card, codes
from houseway.report.solution_data import number
from houseway.school.decision_values import ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import EVERY_STREET
from houseway.school.position_words import STAKE, choice_key, effect_words, value_lines, wager_words
from houseway.school.practice_positions import PracticePosition, link_of
from houseway.school.rating import LADDERS, Rating, ScoreSheet
from houseway.school.reason_words import choice_words, edge_words, signed, units
from houseway.school.round_review import ReviewedDecision, explain_decision
from houseway.wording import capital, several

RATING_HEAD = (
    "Rating (0: guessing; 1: the reference player, a model player who usually avoids costly mistakes)."
)


def position_lines(game: GameValues, shown: PracticePosition, head: str) -> Iterator[str]:
    """Yield a position without its answer: the cards, and the choices with their keys."""
    decision = shown.position.decision
    badge = f" {shown.badge[:1].upper()}{shown.badge[1:]}." if shown.badge else ""
    yield ""
    yield f"{head}{decision.street.capitalize()}.{badge}"
    yield f"Your cards: {_named(decision.hole)}."
    if decision.board:
        yield f"Board: {_named(decision.board)}."
    yield f"{wager_words(game.terms)}."
    for key, choice in choice_keys(shown).items():
        yield f"  {key}  {choice_words(choice)}: {effect_words(game.terms, choice)}"


def choice_keys(shown: PracticePosition) -> dict[str, str]:
    """Return the choices of a position by the key that takes them."""
    choices = shown.position.decision.choices
    return {choice_key(name, n).lower(): name for n, name in enumerate(choices, 1)}


def _named(held: Sequence[Card]) -> str:
    return f"{codes(held)} ({', '.join(card.words for card in held)})"


def answer_lines(game: GameValues, shown: PracticePosition, valued: ValuedDecision) -> Iterator[str]:
    """Yield the values of the choices, the verdict and the reason."""
    explained = explain_decision(game, ReviewedDecision(valued, shown.kind), STAKE)
    yield from value_lines(valued, game.unit)
    yield explained.verdict
    yield explained.because


def sheet_lines(game: GameValues, sheet: ScoreSheet, ratings: Sequence[Rating]) -> Iterator[str]:
    """Yield a score sheet: what was given up, by street and in all, the mistakes, and the rating."""
    yield ""
    if sheet.decisions:
        close = sheet.decisions - sheet.graded
        parts = [f"{sheet.right} of {sheet.graded} right"] * bool(sheet.graded)
        parts += [several(close, "close call")] * bool(close)
        yield f"{', '.join(parts)}."
        reference = f"the reference player gives up {sheet.reference:.4f} here on average"
        yield f"You gave up {units(sheet.lost, game.unit)}; {reference}."
        for street in EVERY_STREET:
            if (score := sheet.streets.get(street)) is None:
                continue
            seen = f"{score.right} of {score.graded} right"
            yield f"  {street.capitalize():<18}{signed(score.lost):>9}   {seen}"
        if sheet.mistakes:
            yield "Mistakes, costliest first:"
        for one in sheet.mistakes:
            decision = one.valued.decision
            board = f" | {codes(decision.board)}" if decision.board else ""
            chose = f"{choice_words(decision.choice)}; best: {choice_words(one.valued.best)}"
            lost = signed(one.valued.loss)
            yield f"  {one.number:>3}. {lost}  {codes(decision.hole)}{board}: {chose}"
            yield f"       {link_of(game, one.shown)}"
    else:
        yield "You answered no positions."
    yield ""
    yield RATING_HEAD
    for rating in ratings:
        yield f"  {rating.ladder.capitalize():<12}{rating.words}"
        yield f"{'':14}{capital(LADDERS[rating.ladder])}"
    yield edge_words(game.value, game.unit)


def position_data(game: GameValues, shown: PracticePosition, place: int) -> dict[str, Any]:
    """Return a position with its values as JSON data."""
    spot = shown.position
    return {
        "number": place,
        "rulebook": game.terms.rulebook.id,
        "hash": game.terms.hash,
        "street": spot.street,
        "cards": list(map(str, spot.decision.hole)),
        "board": list(map(str, spot.decision.board)),
        "choices": [{"choice": name, **number(value)} for name, value in spot.values.items()],
        "best": spot.best,
        "difficulty": str(shown.difficulty),
        "kind": shown.kind.name,
        "themes": [theme.name for theme in shown.themes],
        "origin": shown.origin,
        "link": link_of(game, shown),
    }
