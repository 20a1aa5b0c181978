"""The hand drill: read seven cards, and compare two hands. The cards are often chosen to test
kickers, pairs that do not count because the board has better ones, and boards on which everyone's best hand
is the board itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from houseway.cards import Card, codes
from houseway.engine.table import Table
from houseway.ranking import Hand, compare, read
from houseway.shoe.seeded_draws import RandomSource
from houseway.training.drills.chosen_deals import chosen_deal
from houseway.training.drills.question import (
    CHOICE,
    FeltFacts,
    FeltHand,
    Question,
    QuestionFacts,
    QuestionPart,
    RightAnswer,
)

HANDS = "hands"
RESULTS: Final = ("win", "lose", "push")
"""The player's result against the dealer."""
WANTED: Final = {
    1: ("any",),
    2: ("any", "same class", "board plays"),
    3: ("kicker", "counterfeit", "board plays", "tie"),
}
"""The kinds of comparison that a level looks for."""
TRIES: Final = 300


def hand_question(table: Table, draws: RandomSource, level: int) -> Question:
    """Return a question about seven cards, or about a player's hand and the dealer's."""
    wanted = draws.choice(WANTED[level])
    for _ in range(TRIES):
        board, (own, dealers) = chosen_deal(draws, table.book, 2, table.settled_size)
        feature = _feature(table, board, own, dealers)
        if wanted in ("any", feature) or (wanted == "same class" and feature == "kicker"):
            break
    order = table.book.ranking.order
    mine, theirs = read((*own, *board), order), read((*dealers, *board), order)
    both = level > 1
    parts = [QuestionPart("seat 1", CHOICE, order)]
    key = [_reading(table, "seat 1", mine)]
    if both:
        parts += [QuestionPart("dealer", CHOICE, order), QuestionPart("seat 1's result", CHOICE, RESULTS)]
        key += [_reading(table, "dealer", theirs), _result(table, mine, theirs)]
        if table.terms.qualifier is not None:
            parts.append(QuestionPart("dealer qualifies", CHOICE, ("yes", "no")))
            key.append(_qualifies(table, theirs))
    facts = QuestionFacts(
        drill=HANDS,
        rulebook=table.book.id,
        mode=table.mode,
        difficulty=level,
        asks="Read both hands. How does seat 1 do?" if both else "Which hand does seat 1 have?",
        parts=tuple(parts),
        felt=FeltFacts(codes(board), codes(dealers) if both else "", (FeltHand(1, codes(own)),)),
    )
    kind = f"compare, {feature}" if both else f"read, {mine.name}"
    return Question(kind, facts, tuple(key))


def _feature(table: Table, board: Sequence[Card], own: Sequence[Card], dealers: Sequence[Card]) -> str:
    """Return what makes two hands hard to compare."""
    strength = table.terms.evaluator.strength
    own_strength, against = strength((*own, *board)), strength((*dealers, *board))
    turn = board[:-1]
    if own_strength == strength(board):
        return "board plays"
    if own_strength <= against and strength((*own, *turn)) > strength((*dealers, *turn)):
        # The player was ahead before the last card.
        return "counterfeit" if _own_cards(table, own, board) < _own_cards(table, own, turn) else "outdrawn"
    if own_strength == against:
        return "tie"
    places = table.terms.evaluator.places
    return "kicker" if places[own_strength] == places[against] else "different classes"


def _own_cards(table: Table, own: Sequence[Card], board: Sequence[Card]) -> int:
    """Return how many of a hand's own cards are among its best five."""
    return sum(card in own for card in read((*own, *board), table.book.ranking.order).cards)


def _reading(table: Table, part: str, hand: Hand) -> RightAnswer:
    ranking = table.book.ranking
    clause = table.cite(ranking.classes[hand.place].basis) or table.cite(ranking.basis)
    return RightAnswer(part=part, answer=hand.name, clause=clause, reason=_plays(hand))


def _plays(hand: Hand) -> str:
    return f"{hand.words}: {codes(hand.cards)}"


def _result(table: Table, mine: Hand, theirs: Hand) -> RightAnswer:
    ranking = table.book.ranking
    answer = {1: "win", 0: "push", -1: "lose"}[compare(mine, theirs)]
    same = mine.place == theirs.place
    clause = table.cite(ranking.kickers) if same and ranking.kickers else table.cite(ranking.basis)
    reason = f"{_plays(mine)}; dealer: {_plays(theirs)}"
    return RightAnswer(part="seat 1's result", answer=answer, clause=clause, reason=reason)


def _qualifies(table: Table, theirs: Hand) -> RightAnswer:
    lowest = table.terms.qualifier
    qualifies = lowest is None or theirs.place <= lowest
    return RightAnswer(
        part="dealer qualifies",
        answer="yes" if qualifies else "no",
        clause=table.terms.clause("qualifier"),
        reason=theirs.words,
    )
