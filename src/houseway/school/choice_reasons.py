"""The reason for a value: exact figures that explain why one choice is better, from visible cards only.

A reason is data. `reason_words` writes it as sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from houseway.cards import RANKS, Card, cards
from houseway.exact.solution import StartingHand
from houseway.ranking import Hand, read
from houseway.school.decision_values import ValuedDecision
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import CHECK, FOLD
from houseway.school.position_facts import ahead_on_flop, flop_facts, river_facts

ReasonKind = Literal["starting hand", "flop", "cards against", "dealer hands", "four cards"]
JUST: Final = Fraction(1, 20)
"""A starting hand is "just" above or below its line if the values differ by less than this, in antes."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one choice is better than another."""

    kind: ReasonKind
    better: str
    """The best choice."""
    worse: str
    """The choice with which the best is compared: the player's choice, or the natural alternative if the
    player made the best choice.

    Empty if there is no other choice.
    """
    value: Fraction
    """The value of the better choice, in units of the ante or of the wager."""
    gap: Fraction
    """How much more the better choice is worth."""
    unit: str
    """The unit of `value` and `gap`: "ante" or "wager"."""
    figures: Mapping[str, int]
    """Counts of cards and hands; docs/school.md lists them for each kind."""
    words: Mapping[str, str]
    """Names of hands and cards that the figures are about."""


def reason_for(game: GameValues, valued: ValuedDecision) -> Reason:
    """Return the reason for the value of a decision."""
    decision = valued.decision
    match decision.street:
        case "before the flop":
            return _start(game, valued)
        case "after the flop":
            return _flop(game, valued)
        case "after the river":
            return _river(game, valued)
        case _:
            return _four_cards(game, valued)


def _reason(
    game: GameValues,
    kind: ReasonKind,
    valued: ValuedDecision,
    figures: Mapping[str, int],
    words: Mapping[str, str],
    alternative: str = "",
) -> Reason:
    """Return a reason that compares the best choice with the one made.

    If the best choice was made, it is compared with `alternative`, by default the second best.
    """
    values, best = valued.values, valued.best
    worse = valued.decision.choice
    if not valued.loss:
        others = [name for name in values if name != best]
        if alternative not in others:
            alternative = max(others, key=lambda name: values[name], default="")
        worse = alternative
    gap = values[best] - values[worse] if worse else Fraction(0)
    return Reason(kind, best, worse, values[best], gap, game.unit, figures, words)


# --- before the flop ---


def _start(game: GameValues, valued: ValuedDecision) -> Reason:
    hole = valued.decision.hole
    values = valued.values
    largest = list(values)[-1]
    name = hand_name(hole)
    figures: dict[str, int] = {}
    words = {"hand": name}
    if CHECK in values and largest != CHECK:
        plays = valued.best != CHECK
        figures = {"plays": int(plays), "just": int(abs(values[largest] - values[CHECK]) < JUST)}
        words["raise"] = largest
        family = family_of(game, name)
        raising = [start.hand for start in family if start.best != CHECK]
        # The line is stated only if every hand above it plays and every hand below it checks.
        if [start.hand for start in family[: len(raising)]] == raising:
            words["line"] = raising[-1] if raising else "none"
            words["lowest"] = family[-1].hand
    alternative = largest if valued.best == CHECK else CHECK
    return _reason(game, "starting hand", valued, figures, words, alternative)


def hand_name(hole: Sequence[Card]) -> str:
    """Return the name of two cards, such as "AKs", "T9o" or "77"."""
    low, high = sorted(hole, key=lambda card: card.rank)
    suited = "" if low.rank == high.rank else "s" if low.suit == high.suit else "o"
    return RANKS[high.rank] + RANKS[low.rank] + suited


def family_of(game: GameValues, name: str) -> list[StartingHand]:
    """Return the starting hands with the same high card and suitedness, or all pairs, highest first."""
    pair = name[0] == name[1]
    kin = [
        start
        for start in game.starts.values()
        if (
            start.hand[0] == start.hand[1]
            if pair
            else (start.hand[0], start.hand[2:]) == (name[0], name[2:])
        )
        and (pair or start.hand[0] != start.hand[1])
    ]
    return sorted(kin, key=lambda start: -RANKS.index(start.hand[1]))


# --- after the flop ---


def _flop(game: GameValues, valued: ValuedDecision) -> Reason:
    decision, terms = valued.decision, game.terms
    facts = flop_facts(terms, decision.hole, decision.board)
    ahead, ties, behind = ahead_on_flop(terms, decision.hole, decision.board)
    figures = {
        "ahead": ahead,
        "ties": ties,
        "behind": behind,
        "hands": ahead + ties + behind,
        "unseen": 52 - len(decision.hole) - len(decision.board),
        "board_pair": int(facts.hand == "pair" and facts.board_pair),
        "flush_outs": facts.outs.get("flush", 0) if facts.flush_card >= 0 else 0,
        "straight_outs": facts.outs.get("straight", 0),
    }
    made = read((*decision.hole, *decision.board), terms.order)
    words = {"hand": made.words, "class": made.name}
    if facts.flush_card >= 0:
        words["flush_card"] = RANKS[facts.flush_card]
    return _reason(game, "flop", valued, figures, words)


# --- after the river ---


def _river(game: GameValues, valued: ValuedDecision) -> Reason:
    decision, terms = valued.decision, game.terms
    facts = river_facts(terms, decision.hole, decision.board)
    figures = {
        "wins": facts.wins,
        "ties": facts.ties,
        "loses": facts.loses,
        "hands": facts.wins + facts.ties + facts.loses,
        "unseen": facts.unseen,
        "against": facts.against,
    }
    if facts.most_losses is not None and FOLD in valued.values:
        figures["most_losses"] = facts.most_losses
    made: Hand = read((*decision.hole, *decision.board), terms.order)
    words = {"hand": made.words, "class": made.name}
    kind: ReasonKind = "dealer hands"
    if facts.line and FOLD in valued.values and not facts.improves:
        kind = "cards against"
        figures["line"] = facts.line
    return _reason(game, kind, valued, figures, words)


# --- four cards ---


def _four_cards(game: GameValues, valued: ValuedDecision) -> Reason:
    reason = _reason(game, "four cards", valued, {}, {})
    words = {"better": _hands(reason.better), "worse": _hands(reason.worse)}
    return replace(reason, words={name: hands for name, hands in words.items() if hands})


def _hands(choice: str) -> str:
    """Return the names of the hands that a choice plays: "AKs", or "AA KK" for a split."""
    _, _, written = choice.partition(" ")
    hands = [cards(part) for part in written.split(" / ")] if written else []
    return " ".join(hand_name(hand) for hand in hands)
