"""Exact facts about a position, counted from the cards that the player can see.

They explain a value; they never replace it. Each is a count of cards or of dealer hands, so it is right
under every rulebook and pay table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np

from houseway.cards import DECK, Card
from houseway.engine.terms import Terms
from houseway.exact.advice import prepare
from houseway.exact.board_counts import rank_strengths, strengths
from houseway.exact.kernels import deals
from houseway.exact.numbering import multiset_number
from houseway.exact.pay_arrays import DEALER_HANDS, LOSE, TIE, WIN
from houseway.ranking import HandClass


@dataclass(frozen=True, slots=True)
class RiverHandFacts:
    """A hand after the river, against the 990 hands that the dealer may have."""

    hand: HandClass
    """The class of the player's hand."""
    board: HandClass
    """The class of the five community cards alone."""
    wins: int
    ties: int
    loses: int
    unseen: int
    """The number of cards that the player has not seen: 45."""
    against: int
    """The number of unseen cards that beat the player: with the board alone, one such card is enough."""
    line: int | None
    """The lowest number of such cards with which folding is at least as good as playing here.

    The dealer hands that beat the player without such a card, and the average results of wins and losses,
    are those of this position. So `against` is below the line exactly if playing is better. None if there
    is no such number.
    """
    most_losses: int | None
    """Playing is better if at most this many dealer hands beat the player, by the same averages."""

    @property
    def improves(self) -> bool:
        """True if the hole cards make a better class than the board has."""
        return self.hand != self.board


@dataclass(frozen=True, slots=True)
class FlopHandFacts:
    """A hand after the flop."""

    hand: HandClass
    """The class of the five cards."""
    pocket: bool
    """True if the hole cards are a pair."""
    paired: int
    """The rank of the highest hole card that pairs a flop card; -1 if none does."""
    board_pair: bool
    """True if two flop cards have the same rank."""
    high: int
    """The rank of the higher hole card."""
    flush_card: int
    """With four to a flush, the rank of the highest hole card in its suit; -1 otherwise."""
    outs: Mapping[HandClass, int]
    """How many of the 47 unseen cards make each better class on the turn. Classes that the community cards
    make alone are not counted."""


def river_facts(terms: Terms, hole: Sequence[Card], board: Sequence[Card]) -> RiverHandFacts:
    """Return the facts about a hand after the river."""
    pays, game = prepare(terms)
    by = terms.evaluator
    known = {*hole, *board}
    left = [card for card in DECK if card not in known]
    counts = np.empty((2, 3), np.int64)
    deals.showdown(_numbers(board), _numbers(hole), _numbers(left), game.by, game.least, counts)
    own = by.strength((*hole, *board))
    place = by.places[own]
    against = len(cards_against(terms, hole, board))
    wins, ties, loses = (int(counts[:, contest].sum()) for contest in (WIN, TIE, LOSE))
    line = most = None
    river = pays.streets[2]
    if river.folds and loses and wins + ties:
        size = river.sizes[0]
        played = pays.standing[:, :, place] + size * pays.play[:, :, place]
        kept = sum(int((played[:, contest] * counts[:, contest]).sum()) for contest in (WIN, TIE))
        lost = int((played[:, LOSE] * counts[:, LOSE]).sum())
        folded = int((pays.folded[:, :, place] * counts).sum())
        good, bad = Fraction(kept, wins + ties), Fraction(lost, loses)
        even = Fraction(folded, DEALER_HANDS)
        if good > bad:
            # Playing is better if good * (hands - losses) + bad * losses > even * hands.
            limit = DEALER_HANDS * (good - even) / (good - bad)
            most = -(-limit.numerator // limit.denominator) - 1
            most = most if 0 <= most < DEALER_HANDS else None
            line = _line(len(left), against, loses, limit)
    order = terms.order
    return RiverHandFacts(
        order[place],
        order[by.places[by.strength(board)]],
        wins,
        ties,
        loses,
        len(left),
        against,
        line,
        most,
    )


def cards_against(terms: Terms, hole: Sequence[Card], board: Sequence[Card]) -> tuple[Card, ...]:
    """Return the unseen cards that beat the player after the river, together with the board alone."""
    by = terms.evaluator
    own, known = by.strength((*hole, *board)), {*hole, *board}
    return tuple(card for card in DECK if card not in known and by.strength((*board, card)) > own)


def dealer_qualifies(terms: Terms, hole: Sequence[Card], board: Sequence[Card]) -> int:
    """Return how many of the dealer's 990 hands qualify after the river."""
    _, game = prepare(terms)
    known = {*hole, *board}
    left = _numbers([card for card in DECK if card not in known])
    counts = np.empty((2, 3), np.int64)
    deals.showdown(_numbers(board), _numbers(hole), left, game.by, game.least, counts)
    return int(counts[1].sum())


def _line(unseen: int, against: int, loses: int, limit: Fraction) -> int | None:
    """Return how many cards must be against the player so that at least `limit` dealer hands win.

    A dealer hand with one such card always wins. The number of other winning hands is kept.
    """
    every = comb(unseen, 2)
    others = loses - (every - comb(unseen - against, 2))
    for cards in range(unseen + 1):
        winning = every - comb(unseen - cards, 2) + others
        if winning > every:
            return None
        if winning >= limit:
            return cards
    return None


def flop_facts(terms: Terms, hole: Sequence[Card], flop: Sequence[Card]) -> FlopHandFacts:
    """Return the facts about a hand after the flop."""
    by, order = terms.evaluator, terms.order
    five = (*hole, *flop)
    place = by.places[by.strength(five)]
    known = set(five)
    outs: Counter[HandClass] = Counter()
    on_flop = Counter(card.rank for card in flop)
    for card in DECK:
        if card in known:
            continue
        better = by.places[by.strength((*five, card))]
        # A turn card that pairs a flop card gives the dealer the same pair.
        shared = on_flop[card.rank] == 1 and order[better] in ("pair", "two pair")
        if better < place and not shared:
            outs[order[better]] += 1
    suits = Counter(card.suit for card in five)
    suit, number = suits.most_common(1)[0]
    in_suit = [card.rank for card in hole if card.suit == suit]
    held = [card.rank for card in hole]
    paired = [rank for rank in held if on_flop[rank]]
    return FlopHandFacts(
        hand=order[place],
        pocket=held[0] == held[1],
        paired=max(paired, default=-1),
        board_pair=max(on_flop.values()) > 1,
        high=max(held),
        flush_card=max(in_suit) if number == 4 and in_suit else -1,
        outs=outs,
    )


def ahead_on_flop(terms: Terms, hole: Sequence[Card], flop: Sequence[Card]) -> tuple[int, int, int]:
    """Return how many of the dealer's 1,081 hands the player's five cards beat, tie and lose to now."""
    by = terms.evaluator
    known = {*hole, *flop}
    left = _numbers([card for card in DECK if card not in known])
    first, second = (left[index] for index in np.triu_indices(len(left), 1))
    ranks = np.sort(
        np.column_stack(
            [first // 4, second // 4, *(np.full(len(first), card.rank) for card in flop)],
        ),
        axis=1,
    )
    strength = rank_strengths(by, 5)[multiset_number(ranks)]
    suit = flop[0].suit
    if all(card.suit == suit for card in flop):
        both = np.flatnonzero((first % 4 == suit) & (second % 4 == suit))
        mask = sum(1 << card.rank for card in flop)
        held = mask | 1 << first[both] // 4 | 1 << second[both] // 4
        strength[both] = np.maximum(strength[both], strengths(by).suited[held])
    own = by.strength((*hole, *flop))
    return int((strength < own).sum()), int((strength == own).sum()), int((strength > own).sum())


def _numbers(cards: Sequence[Card]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([card.number for card in cards], np.int64)
