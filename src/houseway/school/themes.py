"""Themes: what a position is about. They are a closed list, computed from cards and exact values.

A position can have several themes, or none. The names are stable: exported positions contain them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from houseway.cards import RANKS, Card, cards
from houseway.school.choice_reasons import hand_name
from houseway.school.decision_values import CLOSE
from houseway.school.game_values import GameValues
from houseway.school.player_decisions import (
    BEFORE,
    CHECK,
    EVERY_STREET,
    FLOP,
    FOLD,
    FOUR_CARDS,
    RIVER,
    Street,
)
from houseway.school.position_facts import dealer_qualifies, flop_facts, river_facts
from houseway.school.positions import Position

THIN: Final = Fraction(6, 100)
"""A spot is thin if the best choice leads by less than this, in antes."""
BIG: Final = Fraction(1, 2)
"""The values differ by much if the best choice leads by this or more, in antes."""
SELDOM: Final = 600
"""The dealer seldom qualifies if no more than this many of the 990 hands do."""
FIVE, SIX, NINE, TEN, JACK, QUEEN, KING, ACE = (RANKS.index(rank) for rank in "569TJQKA")


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme."""

    name: str
    streets: tuple[Street, ...]
    words: str


_LISTED: Final = (
    Theme("thin-spot", EVERY_STREET, "the best choice leads by at least 0.01 and less than 0.06 antes"),
    Theme("big-difference", EVERY_STREET, "the best choice leads by half an ante or more"),
    Theme("small-pair", (BEFORE, FLOP, RIVER), "your pair is a pair of sixes or lower"),
    Theme("lowest-raise", (BEFORE,), "the lowest hand of its family that plays"),
    Theme("highest-check", (BEFORE,), "the highest hand of its family that checks"),
    Theme("suit-decides", (BEFORE,), "suited and offsuit, these ranks have different best plays"),
    Theme("suited-queen", (BEFORE,), "suited queen"),
    Theme("suited-jack", (BEFORE,), "suited jack"),
    Theme("king-low-kicker", (BEFORE,), "king with a kicker of five or lower"),
    Theme("suited-connectors", (BEFORE,), "suited neighbours, ten high or lower"),
    Theme("paired-board", (FLOP, RIVER), "exactly one pair on the board"),
    Theme("trips-board", (FLOP, RIVER), "three of a kind on the board"),
    Theme("hidden-pair", (FLOP, RIVER), "a hole card pairs an unpaired board"),
    Theme("bottom-pair", (FLOP, RIVER), "your pair is with the lowest card of the board"),
    Theme("pair-below-board", (FLOP, RIVER), "your pocket pair is lower than every card of the board"),
    Theme("flop-of-one-suit", (FLOP,), "three flop cards of one suit"),
    Theme("four-to-a-flush", (FLOP,), "four to a flush, with a card of yours"),
    Theme("low-flush-draw", (FLOP,), "four to a flush, and your best card of the suit is a nine or lower"),
    Theme("open-straight-draw", (FLOP,), "eight or more outs to a straight, no pair"),
    Theme("inside-straight-draw", (FLOP,), "three or four outs to a straight, no pair"),
    Theme("two-overcards", (FLOP,), "no pair, and both cards are higher than the flop"),
    Theme("kicker-fight", (RIVER,), "your hand is the board's hand, with one of your cards as the kicker"),
    Theme("board-plays", (RIVER,), "your cards do not play"),
    Theme("counterfeited-pair", (RIVER,), "two higher pairs leave your pair out"),
    Theme("two-pair-board", (RIVER,), "two pair on the board"),
    Theme("four-flush-board", (RIVER,), "four or more cards of one suit on the board"),
    Theme("four-straight-board", (RIVER,), "one card makes a straight with the board"),
    Theme("missed-flush", (RIVER,), "four to a flush with a card of yours, and no flush"),
    Theme("at-the-line", (RIVER,), "one card more or less against you changes the best play"),
    Theme("21-outs", (RIVER,), "20, 21 or 22 cards beat you, and your cards do not improve the board"),
    Theme("fold-a-pair", (RIVER,), "folding is best with a pair or better"),
    Theme("ace-high-call", (RIVER,), "no pair, and ace high is worth a play"),
    Theme("dealer-seldom-qualifies", (RIVER,), "600 or fewer of the dealer's 990 hands qualify"),
    Theme("dealer-always-qualifies", (RIVER,), "every hand of the dealer qualifies"),
    Theme("split-offered", (FOUR_CARDS,), "the four cards may be split into two hands"),
    Theme("split-best", (FOUR_CARDS,), "splitting is best"),
    Theme("break-a-pair", (FOUR_CARDS,), "a pair or better is dealt, and the best choice does not keep it"),
    Theme("two-pairs-dealt", (FOUR_CARDS,), "two pairs dealt"),
    Theme("twin-cards", (FOUR_CARDS,), "the same card twice"),
    Theme("low-pair-or-high-cards", (FOUR_CARDS,), "a pair of nines or lower, with an ace or a king"),
    Theme("two-suits", (FOUR_CARDS,), "two cards in each of two suits"),
    Theme("suited-keep", (FOUR_CARDS,), "the best two cards are suited"),
)  # fmt: skip
THEMES: Final[Mapping[str, Theme]] = {theme.name: theme for theme in _LISTED}
"""Every theme, by name, in the order of the streets."""


def themes_of(game: GameValues, spot: Position) -> tuple[Theme, ...]:
    """Return the themes of a position, in the order of the list."""
    match spot.street:
        case "before the flop":
            names = _before(game, spot)
        case "after the flop":
            names = _flop(game, spot)
        case "after the river":
            names = _river(game, spot)
        case _:
            names = _four(spot)
    held = {*names, *_any(spot)}
    return tuple(theme for theme in _LISTED if theme.name in held)


def _named(**held: bool) -> Iterator[str]:
    """Yield the names of the themes that a position has; underscores stand for hyphens."""
    return (name.replace("_", "-").removeprefix("-") for name, has in held.items() if has)


def _any(spot: Position) -> Iterator[str]:
    return _named(thin_spot=CLOSE <= spot.lead < THIN, big_difference=spot.lead >= BIG)


# --- before the flop ---


def _before(game: GameValues, spot: Position) -> Iterator[str]:
    hole = spot.decision.hole
    low, high = sorted(card.rank for card in hole)
    pair, suited = low == high, hole[0].suit == hole[1].suit
    name = hand_name(hole)
    plays = spot.best != CHECK
    below = (
        _start_plays(game, high, low - 1, name) if not pair else _start_plays(game, low - 1, low - 1, name)
    )
    above = (
        _start_plays(game, high, low + 1, name) if not pair else _start_plays(game, low + 1, low + 1, name)
    )
    other = "" if pair else name[:2] + ("o" if suited else "s")
    return _named(
        small_pair=pair and low <= SIX,
        lowest_raise=plays and below is False,
        highest_check=not plays and above is True,
        suit_decides=bool(other) and (game.starts[other].best != CHECK) != plays,
        suited_queen=suited and high == QUEEN,
        suited_jack=suited and high == JACK,
        king_low_kicker=high == KING and low <= FIVE,
        suited_connectors=suited and high - low == 1 and high <= TEN,
    )


def _start_plays(game: GameValues, high: int, low: int, name: str) -> bool | None:
    """Return True if a hand of the same family plays; None if there is no such hand."""
    pair = name[0] == name[1]
    if not 0 <= low < len(RANKS) or (low == high) != pair:
        return None
    return game.starts[RANKS[high] + RANKS[low] + name[2:]].best != CHECK


# --- after the flop ---


def _flop(game: GameValues, spot: Position) -> Iterator[str]:
    hole, flop = spot.decision.hole, spot.decision.board
    facts = flop_facts(game.terms, hole, flop)
    shown = sorted(card.rank for card in flop)
    low = min(card.rank for card in hole)
    nothing = facts.hand == "high card"
    straight = facts.outs.get("straight", 0) + facts.outs.get("straight flush", 0)
    made = (*_pair_themes(hole, flop),) if facts.hand == "pair" else ()
    yield from made
    yield from _named(
        paired_board=_groups(flop) == [2, 1],
        trips_board=_groups(flop) == [3],
        flop_of_one_suit=len({card.suit for card in flop}) == 1,
        four_to_a_flush=facts.flush_card >= 0,
        low_flush_draw=0 <= facts.flush_card <= NINE,
        open_straight_draw=nothing and straight >= 8,
        inside_straight_draw=nothing and 3 <= straight <= 4,
        two_overcards=nothing and low > shown[-1],
    )


def _groups(held: Sequence[Card]) -> list[int]:
    """Return how many cards have the same rank, the most first."""
    return sorted(Counter(card.rank for card in held).values(), reverse=True)


def _pair_themes(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[str]:
    """Yield the themes of a hand that is a pair, if the pair has a hole card."""
    shown = sorted(card.rank for card in board)
    pocket = hole[0].rank == hole[1].rank
    paired = [card.rank for card in hole if card.rank in shown]
    if pocket or paired:
        rank = hole[0].rank if pocket else paired[0]
        yield from _named(
            small_pair=rank <= SIX,
            hidden_pair=not pocket,
            bottom_pair=not pocket and rank == shown[0],
            pair_below_board=pocket and rank < shown[0],
        )


# --- after the river ---


def _river(game: GameValues, spot: Position) -> Iterator[str]:
    hole, board, terms = spot.decision.hole, spot.decision.board, game.terms
    facts = river_facts(terms, hole, board)
    by = terms.evaluator
    plays = by.strength((*hole, *board)) > by.strength(board)
    suits = Counter(card.suit for card in board).most_common(1)[0][1]
    both = Counter(card.suit for card in (*hole, *board))
    groups = _groups(board)
    if facts.hand == "pair":
        yield from _pair_themes(hole, board)
    qualifying = dealer_qualifies(terms, hole, board)
    lined = facts.line is not None and not facts.improves and FOLD in spot.values
    yield from _named(
        paired_board=groups == [2, 1, 1, 1],
        trips_board=groups == [3, 1, 1],
        two_pair_board=groups == [2, 2, 1],
        kicker_fight=plays and not facts.improves and facts.board in _WITH_KICKERS,
        board_plays=not plays,
        counterfeited_pair=facts.hand == "two pair" and _is_counterfeited(hole, board),
        four_flush_board=suits >= 4,
        four_straight_board=_four_to_straight(board),
        missed_flush=any(
            number == 4 and any(card.suit == suit for card in hole) for suit, number in both.items()
        )
        and facts.hand != "straight flush",
        at_the_line=lined and facts.line in (facts.against, facts.against + 1),
        _21_outs=20 <= facts.against <= 22 and not facts.improves,
        fold_a_pair=spot.best == FOLD and facts.hand != "high card",
        ace_high_call=facts.hand == "high card"
        and spot.best != FOLD
        and max(card.rank for card in hole) == ACE,
        dealer_seldom_qualifies=qualifying <= SELDOM,
        dealer_always_qualifies=qualifying == facts.wins + facts.ties + facts.loses,
    )


_WITH_KICKERS: Final = frozenset({"high card", "pair", "two pair", "three of a kind", "four of a kind"})
"""The classes of hand in which a kicker can decide."""


def _is_counterfeited(hole: Sequence[Card], board: Sequence[Card]) -> bool:
    """True if a hand of two pair leaves out a pair that has a hole card."""
    groups = Counter(card.rank for card in (*hole, *board))
    pairs = sorted(rank for rank, number in groups.items() if number == 2)
    return len(pairs) == 3 and any(card.rank == pairs[0] for card in hole)


def _four_to_straight(board: Sequence[Card]) -> bool:
    """True if one rank makes a straight with the board, and the board is none."""
    ranks = {card.rank for card in board} | ({-1} if any(card.rank == ACE for card in board) else set())
    return max(len(ranks & set(range(low, low + 5))) for low in range(-1, ACE - 3)) == 4


# --- four cards ---


def _four(spot: Position) -> Iterator[str]:
    four = spot.decision.hole
    groups = Counter(card.rank for card in four)
    pairs = [rank for rank, number in groups.items() if number == 2]
    kept = cards(spot.best.partition(" ")[2]) if spot.best.startswith("keep") else ()
    keeps_pair = len(kept) == 2 and kept[0].rank == kept[1].rank
    suits = sorted(Counter(card.suit for card in four).values())
    return _named(
        split_offered=any(name.startswith("split") for name in spot.values),
        split_best=spot.best.startswith("split"),
        break_a_pair=max(groups.values()) > 1 and bool(kept) and not keeps_pair,
        two_pairs_dealt=len(pairs) == 2,
        twin_cards=len(set(four)) < len(four),
        low_pair_or_high_cards=len(pairs) == 1 and pairs[0] <= NINE and max(groups) >= KING,
        two_suits=suits == [2, 2],
        suited_keep=len(kept) == 2 and kept[0].suit == kept[1].suit,
    )
